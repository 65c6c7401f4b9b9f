from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.pages.errors import NOT_ABOVE, NOT_FINER, SMALLEST, TOO_LITTLE, log_ticks, smallest_table
from fathom.records import Groups, Mark, Question
from fathom.score.answers import gather
from fathom.score.metrics.isotonic import crossing, monotone
from fathom.score.metrics.sampled_error import bin_edges, error_scores, error_unit, smallest_told

CHANCE = 0.2
Floats = NDArray[np.float64]

tallies = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=7)


def asked(name: str, error: float | None, unit: str = "m", **more: str) -> Question:
    return Question(
        id=name, task="dimensional_measurement", text="?", answer="1 m",
        choices=("1 m", "2 m", "3 m", "4 m", "5 m"), sampled_error=error,
        groups=Groups(cluster=name.partition("-")[0]), tags={"setting": "indoor", "unit": unit, **more},
    )  # fmt: skip


def mark(question: Question, value: float) -> Mark:
    return Mark(question=question.id, task=question.task, policy="p", status="ok", value=value, picked="1 m")


def drawn(seed: int, begins: float, n: int = 300, scenes: int = 60) -> tuple[Floats, Floats, list[str]]:
    """Errors from 5 to 50 cm, and answers right by chance below `begins`, nearly always from there on."""
    g = np.random.default_rng(seed)
    errors = 0.05 * 10 ** g.random(n)
    right = np.where(errors < begins, CHANCE, 0.9)
    return errors, (g.random(n) < right).astype(float), [f"s{k}" for k in g.integers(scenes, size=n)]


@given(tallies)
def test_a_monotone_fit_never_falls_and_keeps_the_mean(tally: list[tuple[int, int]]) -> None:
    counts = np.array([float(n) for _, n in tally])
    totals = np.array([min(float(t), n) for (t, n) in tally])
    fitted = monotone(totals, counts)
    assert (np.diff(fitted) >= -1e-12).all()
    assert (fitted * counts).sum() == pytest.approx(totals.sum())


@given(st.lists(st.floats(0, 1), min_size=2, max_size=7))
def test_what_never_falls_is_its_own_fit(means: list[float]) -> None:
    rising = np.sort(np.array(means))
    assert monotone(rising * 3, np.full(len(means), 3.0)) == pytest.approx(rising)


def test_a_bin_without_questions_takes_what_the_next_one_says() -> None:
    assert monotone(np.array([1.0, 0.0, 3.0]), np.array([4.0, 0.0, 4.0])).tolist() == [0.25, 0.75, 0.75]


def test_a_level_is_crossed_half_way_to_the_bin_that_reaches_it() -> None:
    fits = np.array([[0.2, 0.2, 0.6], [0.4, 0.5, 0.6], [0.1, 0.2, 0.2]])
    middles = np.array([0.0, 1.0, 2.0])
    assert crossing(fits, middles, 0.3, -1.0) == pytest.approx([1.5, -1.0, np.inf])


def test_the_error_at_which_a_model_begins_to_tell_is_found() -> None:
    # Right in 20 % + 70 % / (1 + (0.2 m / e)^5.2): in 30 % at 14.2 cm.
    hits = 0
    for seed in range(20):
        g = np.random.default_rng(seed)
        errors = 0.05 * 10 ** g.random(300)
        values = (g.random(300) < CHANCE + 0.7 / (1 + (0.2 / errors) ** 5.2)).astype(float)
        told = smallest_told(errors, values, [f"s{k}" for k in g.integers(60, size=300)], CHANCE, seed)
        assert told.value is not None and told.low is not None and told.high is not None
        assert told.low <= told.value <= told.high
        assert 0.08 < told.value < 0.25
        hits += told.low <= 0.142 <= told.high
    assert hits >= 17


@pytest.mark.parametrize("seed", range(8))
def test_who_guesses_tells_no_error(seed: int) -> None:
    told = smallest_told(*drawn(seed, begins=1.0), CHANCE, seed)
    assert told.value is None and told.why.startswith(NOT_ABOVE)


def test_who_tells_all_is_at_the_smallest_error_asked() -> None:
    errors, values, scenes = drawn(1, begins=0.0)
    told = smallest_told(errors, values, scenes, CHANCE, 0)
    assert told.value == pytest.approx(errors.min()) and NOT_FINER in told.why


@pytest.mark.parametrize(("n", "scenes"), [(30, 30), (300, 4)])
def test_too_little_tells_nothing(n: int, scenes: int) -> None:
    told = smallest_told(*drawn(1, 0.0, n, scenes), CHANCE, 0)
    assert told.value is None and told.why.startswith(TOO_LITTLE)


@settings(max_examples=30)
@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=200, unique=True))
def test_bins_hold_every_error_and_enough_of_them(errors: list[float]) -> None:
    edges = bin_edges(np.array(errors))
    assert edges[0] == min(errors) and edges[-1] == max(errors)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    assert np.bincount(place, minlength=len(edges) - 1).min() >= min(14, len(errors))


@pytest.mark.parametrize(
    ("unit", "quantity", "expected"),
    [
        ("cm", "height", "m"),
        ("cm/s", "speed", "m/s"),
        ("m/s²", "acceleration", "m/s²"),
        ("°", "azimuth_change", "°"),
        ("m m m deg deg deg", "camera_pose", "m"),
        ("deg", "trajectory", "m"),
        ("", "height", "m"),  # from the answer, "1 m"
    ],
)
def test_the_unit_of_an_error(unit: str, quantity: str, expected: str) -> None:
    assert error_unit(asked("q", 0.1, unit, quantity=quantity)) == expected


def test_units_are_never_put_together_and_every_answer_is_in_one_bin() -> None:
    errors, values, _ = drawn(3, begins=0.15, n=120)
    questions = [asked(f"s{k % 30}-{k}", float(e), "m/s" if k % 3 else "m") for k, e in enumerate(errors)]
    marks = [mark(q, v) for q, v in zip(questions, values, strict=True)]
    scores = error_scores(gather(questions, marks), lambda q: q.tags["setting"], 0)
    for unit, n in (("m", 40), ("m/s", 80)):
        bins = [s for s in scores if "error" in s.group and s.group["unit"] == unit and "task" not in s.group]
        assert sum(s.n for s in bins) == n
    found = [s for s in scores if s.name == SMALLEST]
    assert {(s.group["unit"], "task" in s.group) for s in found} == {
        ("m", False), ("m", True), ("m/s", False), ("m/s", True),
    }  # fmt: skip


def test_questions_without_an_error_have_no_curve() -> None:
    questions = [asked(f"s{k}-0", None) for k in range(60)]
    assert error_scores(gather(questions, [mark(q, 1.0) for q in questions]), lambda q: "indoor", 0) == []
    assert smallest_table([("model", [])], {}) is None


def test_the_order_of_questions_changes_nothing() -> None:
    errors, values, scenes = drawn(5, begins=0.1, n=90)
    questions = [asked(f"{s}-{k}", float(e)) for k, (s, e) in enumerate(zip(scenes, errors, strict=True))]
    marks = [mark(q, v) for q, v in zip(questions, values, strict=True)]
    there = error_scores(gather(questions, marks), lambda q: "indoor", 0)
    back = error_scores(gather(questions[::-1], marks[::-1]), lambda q: "indoor", 0)
    assert there == back


@given(st.floats(1e-3, 1e3), st.floats(2.0, 1e3))
def test_an_axis_of_errors_has_round_ticks_that_tell_its_scale(low: float, times: float) -> None:
    ticks = log_ticks(low, low * times)
    assert 2 <= len(ticks) <= 10
    assert all(low <= t * 1.001 and t <= low * times * 1.001 for t in ticks)
    assert ticks == sorted(set(ticks))
    steps = [math.log(b / a) / math.log(times) for a, b in pairwise(ticks)]
    assert min(steps) >= 0.179, "their numbers would touch"


def test_a_narrow_axis_has_finer_ticks() -> None:
    assert log_ticks(0.021, 0.048) == pytest.approx([0.025, 0.03, 0.04])
    assert log_ticks(0.005, 0.5) == pytest.approx([0.01, 0.03, 0.1, 0.3])
    assert log_ticks(0.055, 0.11) == pytest.approx([0.07, 0.1])
    assert log_ticks(3.04, 3.91) == [3.0, 3.9], "where nothing round lies between, its ends"
