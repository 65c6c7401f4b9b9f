"""What one view and one time tell is given up where too few questions need several."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from fathom.benchmarks.fourdbench.construction import recipe, templates
from fathom.questions.balancing.animated import MOST_GIVEN_UP, AnimatedSampler
from fathom.questions.distractors.sources import Supply
from tests.stories_questions.test_paint_share import candidate

FORMS = {f.id: f for f in templates()}
HARD, EASY, RARE = "counting.growing", "spatial.growth_color_place", "appearance.part"


def sampler_of(hard: int, easy: int, rare: int = 0) -> AnimatedSampler:
    """Return who has chosen so many questions that take several views and times, and others that do not."""
    sampler = AnimatedSampler(recipe("seed", Supply({}, (), ())))
    made = [(HARD, True)] * hard + [(RARE, False)] * rare + [(EASY, False)] * easy
    for k, (form, several) in enumerate(made):
        c = replace(candidate(FORMS[form], f"film {k}"), several_views=several, several_times=several)
        sampler._add(c, 0)
    return sampler


@pytest.mark.parametrize("easy", [20, 21, 22])
def test_so_many_are_given_up_that_a_third_needs_several_views(easy: int) -> None:
    sampler = sampler_of(10, easy, 1)
    sampler.give_up()
    forms = Counter(c.form for c in sampler.chosen)
    assert forms == {HARD: 10, EASY: 19, RARE: 1}, "of the form that has most of it"
    assert len(sampler.firsts) == 30
    cell = candidate(FORMS[EASY]).cell
    assert sampler.selection.short[cell] == easy - 19 and cell in sampler.selection.reasons
    assert [c.scene for c in sampler.chosen] == [f"film {k}" for k in range(30)], "the last ones go"


def test_nothing_is_given_up_where_enough_need_several_or_a_tenth_would_not_do() -> None:
    for hard, easy in ((10, 20), (20, 10), (5, 40)):
        sampler = sampler_of(hard, easy)
        sampler.give_up()
        assert len(sampler.chosen) == hard + easy and not sampler.selection.short
    assert MOST_GIVEN_UP <= 0.1
