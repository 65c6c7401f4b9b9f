from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.pages.errors import (
    NOT_ABOVE,
    NOT_FINER,
    SMALLEST,
    SPANS,
    TOO_LITTLE,
    errors_figure,
    log_ticks,
    smallest_table,
)
from fathom.pages.figures import save_figure
from fathom.records import Groups, Manifest, Question, SampleScore, Score
from fathom.reporting.data import ReportRun
from fathom.reporting.errors import error_charts, error_panels
from fathom.scoring.answers import gather
from fathom.scoring.metrics.isotonic import crossing, monotone
from fathom.scoring.metrics.sampled_error import (
    bin_edges,
    error_scores,
    error_unit,
    expected_accuracy,
    smallest_told,
)

CHANCE = 0.2
Floats = NDArray[np.float64]

tallies = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=7)


def asked(name: str, error: float | None, unit: str = "m", **more: str) -> Question:
    return Question(
        id=name, task="dimensional_measurement", text="?", answer="1 m",
        choices=("1 m", "2 m", "3 m", "4 m", "5 m"), sampled_error=error,
        groups=Groups(cluster=name.partition("-")[0]), tags={"setting": "indoor", "unit": unit, **more},
    )  # fmt: skip


def sample_score(question: Question, value: float) -> SampleScore:
    return SampleScore(
        question=question.id, task=question.task, extractor="p", status="ok", value=value, picked="1 m"
    )


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
        told = smallest_told(errors, values, [f"s{k}" for k in g.integers(60, size=300)], CHANCE, 0.3, seed)
        assert told.value is not None and told.low is not None and told.high is not None
        assert told.low <= told.value <= told.high
        assert 0.08 < told.value < 0.25
        hits += told.low <= 0.142 <= told.high
    assert hits >= 17


@pytest.mark.parametrize("seed", range(8))
def test_who_guesses_tells_no_error(seed: int) -> None:
    told = smallest_told(*drawn(seed, begins=1.0), CHANCE, 0.5, seed)
    assert told.value is None and told.why.startswith(NOT_ABOVE)


def test_who_tells_all_is_at_the_smallest_error_asked() -> None:
    errors, values, scenes = drawn(1, begins=0.0)
    told = smallest_told(errors, values, scenes, CHANCE, 0.5, 0)
    assert told.value == pytest.approx(errors.min()) and NOT_FINER in told.why


@pytest.mark.parametrize(("n", "scenes"), [(30, 30), (300, 4)])
def test_too_little_tells_nothing(n: int, scenes: int) -> None:
    told = smallest_told(*drawn(1, 0.0, n, scenes), CHANCE, 0.5, 0)
    assert told.value is None and told.why.startswith(TOO_LITTLE)


@settings(max_examples=30)
@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=200, unique=True))
def test_bins_hold_every_error_and_enough_of_them(errors: list[float]) -> None:
    edges = bin_edges(np.array(errors))
    assert edges[0] == min(errors) and edges[-1] == max(errors)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    assert np.bincount(place, minlength=len(edges) - 1).min() >= min(14, len(errors))


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (("1 cm", "2 cm", "3 cm"), "m"),
        (("1.5 cm/s", "2 m/s"), "m/s"),
        (("−0.4 m/s²", "0.2 m/s²"), "m/s²"),
        (("−31°", "17°"), "°"),
        (("(0.199, 0.017, 1.179) m", "(0.2, 0.0, 1.1) m"), ""),
        (
            (
                "centre (−1.71, 0.84, 0.98) m, length 0.37 m, yaw −106°",
                "centre (1, 0, 1) m, yaw 0°",
            ),
            "",
        ),
        (("Turns left by 44° while moving to the right for 0.77 m.", "Turns left by 3° …"), ""),
        (("1 cm", "2°"), ""),
        (("The can, the bowl", "The bowl, the can"), ""),
    ],
)
def test_only_options_that_are_one_number_each_have_an_error_with_a_unit(
    choices: tuple[str, ...], expected: str
) -> None:
    question = msgspec.structs.replace(asked("q", 0.1), choices=choices, answer=choices[0])
    assert error_unit(question) == expected


def test_quantities_are_never_put_together_and_every_answer_is_in_one_bin() -> None:
    errors, values, _ = drawn(3, begins=0.15, n=120)
    questions = [
        asked(f"s{k % 30}-{k}", float(e), quantity="height" if k % 3 else "distance")
        for k, e in enumerate(errors)
    ]
    sample_scores = [sample_score(q, v) for q, v in zip(questions, values, strict=True)]
    scores = error_scores(gather(questions, sample_scores), lambda q: q.tags["setting"], 0)
    for quantity, n in (("distance", 40), ("height", 80)):
        bins = [s for s in scores if "error" in s.group and s.group["quantity"] == quantity]
        assert sum(s.n for s in bins) == n
    found = [s for s in scores if s.name == SMALLEST]
    assert {s.group["quantity"] for s in found} == {"height", "distance"}


def test_an_observer_is_right_as_often_as_the_options_around_the_answer_allow() -> None:
    """Options 1 m apart, an error of 1 m: from −½ to ½ in the middle of them, to one side at their end."""
    choices = ("1 m", "2 m", "3 m", "4 m", "5 m")
    middle, end = (
        msgspec.structs.replace(asked("q", 1.0), choices=choices, answer=a) for a in ("3 m", "5 m")
    )
    assert expected_accuracy(middle) == pytest.approx(math.erf(0.5 / math.sqrt(2)))
    assert expected_accuracy(end) == pytest.approx(0.5 + 0.5 * math.erf(0.5 / math.sqrt(2)))


SCALES = {"desktop": ("cm", 0.4, 5.0), "indoor": ("m", 0.04, 0.5), "outdoor": ("m", 0.4, 5.0)}
"""The unit of options at a scale, and the errors asked there in that unit."""


def measured_by(sigma: float, setting: str, seed: int, n: int = 120) -> tuple[list[Question], list[float]]:
    """Questions with the answer at any rank among five, and what somebody answers who is off by `sigma`."""
    unit, least, most = SCALES[setting]
    g = np.random.default_rng([seed, n])
    questions, values = [], []
    for k in range(n):
        error = float(least * (most / least) ** g.random())
        answer = float(most * g.uniform(5, 10))
        rank = int(g.integers(5))
        options = [answer + (place - rank) * error for place in range(5)]
        choices = tuple(f"{v:.4f} {unit}" for v in options)
        metres = error / 100 if unit == "cm" else error
        question = asked(f"s{k % 40}-{k}", metres, unit, quantity="height")
        questions.append(
            msgspec.structs.replace(
                question, choices=choices, answer=choices[rank], tags={**question.tags, "setting": setting}
            )
        )
        seen = answer + sigma * g.standard_normal()
        values.append(float(np.argmin(np.abs(np.array(options) - seen)) == rank))
    return questions, values


@pytest.mark.parametrize("setting", SCALES)
@pytest.mark.parametrize("place", [0.3, 0.7])
def test_who_is_off_by_so_much_is_told_to_tell_just_that(setting: str, place: float) -> None:
    unit, least, most = SCALES[setting]
    sigma = least * (most / least) ** place
    metres = sigma / 100 if unit == "cm" else sigma
    held, found = 0, []
    for seed in range(20):
        questions, values = measured_by(sigma, setting, seed)
        sample_scores = [sample_score(q, v) for q, v in zip(questions, values, strict=True)]
        scores = error_scores(gather(questions, sample_scores), lambda q: q.tags["setting"], seed)
        (told,) = (s for s in scores if s.name == SMALLEST)
        assert told.value and told.low and told.high
        found.append(told.value)
        held += told.low <= metres <= told.high
    assert held >= 17
    assert float(np.median(found)) == pytest.approx(metres, rel=0.3)


def test_who_is_off_by_far_more_than_was_asked_is_told_to_tell_nothing() -> None:
    """Ten times the largest error asked: no small number stands there by luck."""
    for seed in range(10):
        questions, values = measured_by(50.0, "desktop", seed)
        sample_scores = [sample_score(q, v) for q, v in zip(questions, values, strict=True)]
        scores = error_scores(gather(questions, sample_scores), lambda q: q.tags["setting"], seed)
        (told,) = (s for s in scores if s.name == SMALLEST)
        assert told.value is None or told.value > 0.03


def test_an_interval_that_spans_all_errors_asked_gives_no_number() -> None:
    g = np.random.default_rng(1)
    errors = 0.05 * 10 ** g.random(60)
    spans = 0
    for seed in range(30):
        values = (np.random.default_rng(seed).random(60) < 0.42).astype(float)
        told = smallest_told(errors, values, [f"s{k % 12}" for k in range(60)], CHANCE, 0.5, seed)
        spans += told.why == SPANS
        assert (told.value is None) == (told.why == SPANS or told.why.startswith(NOT_ABOVE))
    assert spans


def test_questions_without_an_error_have_no_curve() -> None:
    questions = [asked(f"s{k}-0", None) for k in range(60)]
    assert (
        error_scores(gather(questions, [sample_score(q, 1.0) for q in questions]), lambda q: "indoor", 0)
        == []
    )
    assert smallest_table([("model", [])]) is None


def test_the_order_of_questions_changes_nothing() -> None:
    errors, values, scenes = drawn(5, begins=0.1, n=90)
    questions = [asked(f"{s}-{k}", float(e)) for k, (s, e) in enumerate(zip(scenes, errors, strict=True))]
    sample_scores = [sample_score(q, v) for q, v in zip(questions, values, strict=True)]
    there = error_scores(gather(questions, sample_scores), lambda q: "indoor", 0)
    back = error_scores(gather(questions[::-1], sample_scores[::-1]), lambda q: "indoor", 0)
    assert there == back


@example(low=701.0, times=2.0)
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


def test_a_report_draws_a_chart_for_each_quantity_that_has_enough_questions(tmp_path: Path) -> None:
    scores: list[Score] = []
    for setting, sigma in (("desktop", 1.5), ("outdoor", 2.0)):
        questions, values = measured_by(sigma, setting, 3)
        sample_scores = [sample_score(q, v) for q, v in zip(questions, values, strict=True)]
        scores += error_scores(gather(questions, sample_scores), lambda q: q.tags["setting"], 3)
    manifest = Manifest(
        kind="run", tool="fathom", tool_version="0", schema_version=2, command="run", settings={}
    )
    panels = error_panels([ReportRun(model="m", manifest=manifest, sample_scores=(), scores=scores)], CHANCE)
    assert [p.title for p in panels] == ["Desktop, height", "Outdoor, height"]
    assert [p.shown[0] for p in panels] == ["cm", "m"]
    assert all(p.told[0].value for p in panels)
    assert [c.title for c in error_charts(panels)] == ["Desktop, height", "Outdoor, height"]
    written = save_figure(errors_figure(panels), tmp_path / "sampled-error")
    assert {p.suffix for p in written} == {".svg", ".pdf"}
    table = smallest_table([("m", scores)])
    assert table is not None and [row[0] for row in table.rows] == ["Desktop, height", "Outdoor, height"]
