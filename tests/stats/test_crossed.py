"""Intervals over people and scenes hold what they say, and know what one person cannot tell."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.stats.crossed import crossed_interval
from fathom.stats.intervals import accuracy_interval


def answers(g: np.random.Generator, people: int, scenes: int) -> tuple[list[float], list[str], list[str]]:
    """Draw answers of people who are more or less good about scenes that are more or less hard."""
    skill, ease = g.normal(0, 0.7, people), g.normal(1.2, 0.7, scenes)
    values, who, where = [], [], []
    for p in range(people):
        for s in range(scenes):
            values.append(float(g.random() < 1 / (1 + np.exp(-skill[p] - ease[s]))))
            who.append(f"p{p}")
            where.append(f"s{s}")
    return values, who, where


def test_of_one_person_it_is_the_interval_over_scenes() -> None:
    values, _, where = answers(np.random.default_rng(1), 1, 30)
    assert crossed_interval(values, ["Ana"] * 30, where, "0") == accuracy_interval(values, where)


def test_it_is_never_narrower_than_over_scenes_alone_and_holds_the_mean() -> None:
    for k in range(20):
        values, who, where = answers(np.random.default_rng(k), 4, 25)
        crossed, scenes = crossed_interval(values, who, where, "0"), accuracy_interval(values, where)
        assert crossed.low <= scenes.low <= crossed.value == pytest.approx(np.mean(values))
        assert crossed.value <= scenes.high <= crossed.high


def test_it_covers_what_other_people_would_answer_about_other_scenes() -> None:
    g = np.random.default_rng(7)
    true = float(np.mean([np.mean(answers(g, 40, 60)[0]) for _ in range(60)]))
    held = narrow = 0
    for _ in range(150):
        values, who, where = answers(g, 5, 40)
        crossed, scenes = crossed_interval(values, who, where, "0"), accuracy_interval(values, where)
        held += crossed.low <= true <= crossed.high
        narrow += scenes.low <= true <= scenes.high
    assert held >= 0.92 * 150 > narrow
