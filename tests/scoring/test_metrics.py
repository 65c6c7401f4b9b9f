from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.pulsecheck457.paper import FACTOR_EDGES
from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY
from fathom.records import Margin, Question, SampleScore, Score
from fathom.scoring.answers import gather
from fathom.scoring.metrics.confusion import confusion, confusion_matrix
from fathom.scoring.metrics.labels import OTHER, UNREAD, labels_of
from fathom.scoring.metrics.margin import (
    NO_THRESHOLD,
    accuracy_by_margin,
    bin_of,
    logistic_slope,
    margin_bins,
    margin_slope,
)
from fathom.scoring.metrics.position import position_bias
from fathom.scoring.metrics.rpdr import retention, rpdr
from fathom.scoring.metrics.variation import coefficient_of_variation, variation
from fathom.store.seeds import rng
from tests.scoring.made import answer_of, questions, sample_score, sample_scores


@given(st.integers(2, 40), st.integers(1, 50))
def test_labels_that_come_equally_often_have_no_variation(labels: int, each: int) -> None:
    assert coefficient_of_variation([each] * labels) == 0
    assert coefficient_of_variation([each] * labels, sample=True) == 0


@given(st.integers(2, 40), st.integers(1, 50))
def test_always_the_same_label_gives_the_largest_variation(labels: int, n: int) -> None:
    counts = [n] + [0] * (labels - 1)
    assert coefficient_of_variation(counts) == pytest.approx(np.sqrt(labels - 1))
    assert coefficient_of_variation(counts, sample=True) == pytest.approx(np.sqrt(labels))


@given(st.lists(st.integers(0, 30), min_size=2, max_size=12).filter(any), st.integers(2, 9))
def test_variation_does_not_depend_on_how_many_answers_there_are(counts: list[int], times: int) -> None:
    again = [times * c for c in counts]
    assert coefficient_of_variation(again) == pytest.approx(float(coefficient_of_variation(counts)))


def test_no_answers_have_no_variation_to_speak_of() -> None:
    assert np.isnan(coefficient_of_variation([0, 0]))
    assert np.isnan(coefficient_of_variation([3], sample=True))


def test_a_model_that_always_says_red_is_found_out_and_the_answers_are_not() -> None:
    asked = questions(40)
    said = [sample_score(q, "red" if q.tags["asks"] == "color" else q.answer) for q in asked]
    found = {(s.name, s.group["of"]): s for s in variation(labels_of(gather(asked, said), "color"), 0)}
    assert found["cv_population", "predictions"].value == pytest.approx(np.sqrt(7))
    assert found["cv_sample", "predictions"].value == pytest.approx(np.sqrt(8))
    fair = found["cv_population", "answers"]
    assert fair.value is not None
    assert fair.low is not None
    assert fair.high is not None
    assert fair.value < 0.6
    assert fair.low <= fair.value + 0.2
    assert "population" in fair.method


def test_a_label_that_is_never_picked_counts_in_the_variation() -> None:
    asked = [q for q in questions(40) if q.tags["asks"] == "pose"]
    said = [sample_score(q, ("left", "right")[i % 2]) for i, q in enumerate(asked)]
    found = variation(labels_of(gather(asked, said), "pose"), 0)[0]
    assert found.value == pytest.approx(1.0, abs=0.02)


def test_confusion_rows_add_up_and_other_words_have_their_column() -> None:
    asked = [q for q in questions(30) if q.tags["asks"] == "size"]
    said = [sample_score(q, ("large", "medium", None)[i % 3]) for i, q in enumerate(asked)]
    labels = labels_of(gather(asked, said), "size")
    columns, counts = confusion_matrix(labels)
    assert columns == ("large", "small", OTHER, UNREAD)
    assert counts.sum() == len(asked)
    assert counts[:, 1].sum() == 0
    cells = confusion(labels)
    for answer in ("large", "small"):
        row = [s for s in cells if s.group["answer"] == answer]
        assert sum(s.value or 0 for s in row) == pytest.approx(1)
        assert {s.n for s in row} == {sum(q.answer == answer for q in asked)}


def test_another_wording_of_the_right_answer_is_the_right_answer() -> None:
    question = Question(
        id="q", task="t", text="Which?", answer="double bus", possible=("double bus", "suv"),
        equivalents=("Double-decker bus",), tags={"asks": "shape"},
    )  # fmt: skip
    said = [sample_score(question, "double-decker bus")]
    assert labels_of(gather([question], said), "shape").pairs == (("double bus", "double bus"),)


def test_shapes_are_brought_together_by_class() -> None:
    asked = questions(30)
    labels = labels_of(gather(asked, sample_scores(asked, 0.0)), "shape")
    joined = labels.joined("shape class", lambda s: VOCABULARY.shapes[s])
    assert joined.names == ("aeroplane", "bicycle", "bus", "car", "motorbike")
    assert len(joined.pairs) == len(labels.pairs)


@given(st.floats(0, 1), st.floats(0.01, 1))
def test_retention_is_a_share_and_never_above_one(harder: float, easier: float) -> None:
    kept = float(retention(np.array(harder), np.array(easier)))
    assert 0 <= kept <= 1
    assert kept == pytest.approx(min(1, harder / easier))


def test_rpdr_is_the_ratio_of_accuracies_with_an_interval_around_it() -> None:
    asked = questions(40, per_task=3)
    said = [sample_score(q, answer_of(q, 0.9 if q.task == "L1_single" else 0.45)) for q in asked]
    multi = rpdr(gather(asked, said), FACTOR_EDGES, seed=0)[0]
    value = {t: np.mean([m.value for m in said if m.task == t]) for t in ("L1_single", "L2_objects")}
    assert multi.group == {"factor": "Multi."}
    assert multi.value == pytest.approx(value["L2_objects"] / value["L1_single"])
    assert multi.low is not None
    assert multi.high is not None
    assert multi.low < (multi.value or 0) < multi.high
    assert multi.high - multi.low < 0.35


def test_rpdr_is_clipped_inside_each_draw() -> None:
    """Two equal tasks: half of the draws are above 1 and count as 1, so the interval ends there."""
    asked = questions(60)
    found = rpdr(gather(asked, sample_scores(asked, 0.6)), FACTOR_EDGES, seed=0)
    assert all(s.high is not None and s.high <= 1 for s in found)
    assert any(s.high == pytest.approx(1, abs=0.02) for s in found)


def test_rpdr_without_right_answers_or_without_a_task_has_no_value() -> None:
    asked = questions(10)
    nothing = rpdr(gather(asked, [sample_score(q, None) for q in asked]), FACTOR_EDGES, seed=0)
    assert {s.value for s in nothing} == {None}
    some = [q for q in asked if q.task != "L2_objects"]
    factors = {
        s.group["factor"]: s.value for s in rpdr(gather(some, sample_scores(some)), FACTOR_EDGES, seed=0)
    }
    assert factors["Multi."] is None
    assert factors["3D Loc."] is not None


def with_ratio(ratio: float | None, i: int = 0) -> Question:
    margin = None if ratio is None else Margin(relation="left", value=ratio, unit="m", ratio=ratio)
    return Question(id=f"q{i:04d}", task="t", text="?", answer="Yes", scene=f"s{i // 5}", margin=margin)


@pytest.mark.parametrize(
    ("ratio", "name"),
    [(-0.2, "below 1"), (0.99, "below 1"), (1.0, "1 to 1.5"), (2.0, "2 to 3"), (10.0, "10 and more"),
     (1e9, "10 and more"), (None, NO_THRESHOLD)],
)  # fmt: skip
def test_a_margin_falls_into_one_bin(ratio: float | None, name: str) -> None:
    assert bin_of(with_ratio(ratio)) == name
    assert name in margin_bins()


def margin_scores(slope: float) -> tuple[list[Question], list[SampleScore]]:
    g = rng("margins")
    ratios = 2 ** g.uniform(0, 4, 2_000)
    asked = [with_ratio(float(r), i) for i, r in enumerate(ratios)]
    right = g.random(2_000) < 1 / (1 + np.exp(-slope * (np.log2(ratios) - 2)))
    return asked, [sample_score(q, "Yes" if r else "No") for q, r in zip(asked, right, strict=True)]


def test_accuracy_rises_with_the_margin_of_a_model_that_measures() -> None:
    found = [s for s in accuracy_by_margin(gather(*margin_scores(0.8))) if set(s.group) == {"margin"}]
    values = [s.value or 0 for s in found]
    assert values == sorted(values)
    assert [s.group["margin"] for s in found] == list(margin_bins()[1:-1])
    assert sum(s.n for s in found) == 2_000


@pytest.mark.parametrize("slope", [0.0, 0.8])
def test_the_slope_against_margin_is_recovered(slope: float) -> None:
    overall = margin_slope(gather(*margin_scores(slope)))[0]
    assert overall.group == {}
    assert overall.low is not None
    assert overall.high is not None
    assert overall.low < slope < overall.high
    assert overall.high - overall.low < 0.25


def test_there_is_no_slope_where_the_margin_separates_right_from_wrong() -> None:
    x = np.arange(20.0)
    assert logistic_slope(x, (x > 9.5).astype(float), np.arange(20)) is None
    assert logistic_slope(x, np.ones(20), np.arange(20)) is None


def test_always_the_first_option_shows_as_position_bias() -> None:
    asked = [
        Question(id=f"q{i}", task="t", text="?", answer="abcd"[i % 4], choices=tuple("abcd"))
        for i in range(40)
    ]
    found = position_bias(gather(asked, [sample_score(q, "a") for q in asked]))
    shares = {(s.name, s.group["place"]): s.value for s in found}
    assert shares["place_picked", "1"] == 1
    assert {shares["place_right", str(p)] for p in (1, 2, 3, 4)} == {0.25}
    assert isinstance(found[0], Score)
