"""Passes that count as one: right only where all of them are, and never by what is missing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.inference.variants import rotations
from fathom.records import Groups, Question, SampleScore, Score, Variant
from fathom.scoring.groups import (
    GROUPINGS,
    Grouping,
    Stopped,
    all_right,
    form_groups,
    group_scores,
    values_of,
)
from fathom.stats.chance import expected_accuracy

FACETS = {"task": lambda q: q.task}


def question(name: str, options: int = 2, flip: str = "", task: str = "t") -> Question:
    choices = tuple(f"option {i}" for i in range(options))
    return Question(
        id=name,
        task=task,
        text="?",
        answer=choices[0],
        choices=choices,
        groups=Groups(cluster=flip or name, flip=flip),
    )


def sample_scores_of(q: Question, values: list[float | None]) -> list[SampleScore]:
    """A sample score for each rotation of a question; None is a pass that failed."""
    return [
        SampleScore(
            question=q.id,
            task=q.task,
            extractor="p-1",
            status="ok" if value is not None else "failed",
            value=value or 0.0,
            picked="x" if value is not None else None,
            variant=variant,
        )
        for variant, value in zip(rotations(len(q.choices)), values, strict=False)
    ]


def the(scores: list[Score], name: str, **group: str) -> Score:
    return next(s for s in scores if s.name == name and s.group == group)


PAIR = [question("a", flip="a"), question("a-flip", flip="a")]


def test_one_wrong_pass_decides_and_a_missing_one_is_never_right() -> None:
    assert all_right([1, 1]) is True
    assert all_right([1, 0, None]) is False
    assert all_right([1, None]) is None
    assert all_right([]) is True


@given(st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=8), st.randoms())
def test_the_order_of_passes_does_not_matter(values: list[float | None], r: random.Random) -> None:
    turned = values[:]
    r.shuffle(turned)
    assert all_right(values) is all_right(turned)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4))
def test_four_passes_of_one_pair_are_joined_four_ways(values: list[float]) -> None:
    sample_scores = sample_scores_of(PAIR[0], list(values[:2])) + sample_scores_of(PAIR[1], list(values[2:]))
    scores = group_scores(PAIR, sample_scores, FACETS)
    a, b, c, d = (value == 1 for value in values)
    expected: dict[Grouping, list[bool]] = {
        "plain": [a, b, c, d],
        "circular": [a and b, c and d],
        "flip": [a and c, b and d],
        "both": [a and b and c and d],
    }
    for grouping, right in expected.items():
        score = the(scores, f"accuracy_{grouping}")
        assert score.value == pytest.approx(sum(right) / len(right))
        assert score.n == len(right)
        assert the(scores, f"accuracy_{grouping}", task="t").value == score.value


@given(
    st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4), min_size=1, max_size=6),
    st.randoms(),
)
def test_joining_more_never_scores_higher_and_the_order_of_marks_never_matters(
    worth: list[list[float]], r: random.Random
) -> None:
    questions, sample_scores = [], []
    for i, values in enumerate(worth):
        pair = [question(f"{i}", flip=f"{i}"), question(f"{i}-flip", flip=f"{i}")]
        questions += pair
        sample_scores += sample_scores_of(pair[0], list(values[:2])) + sample_scores_of(
            pair[1], list(values[2:])
        )
    scores = group_scores(questions, sample_scores, FACETS)
    value = {g: the(scores, f"accuracy_{g}").value or 0.0 for g in GROUPINGS}
    assert value["both"] <= value["circular"] <= value["plain"]
    assert value["both"] <= value["flip"] <= value["plain"]
    r.shuffle(questions)
    r.shuffle(sample_scores)
    assert group_scores(questions, sample_scores, FACETS) == scores


def test_chance_is_that_of_guessing_each_pass() -> None:
    four = question("b", options=4)
    sample_scores = (
        sample_scores_of(PAIR[0], [1, 1])
        + sample_scores_of(PAIR[1], [1, 1])
        + sample_scores_of(four, [1, 1, 1, 1])
    )
    scores = group_scores([*PAIR, four], sample_scores, FACETS)
    both = (expected_accuracy(2, "both", "random") + expected_accuracy(4, "circular", "random")) / 2
    circular = (2 * 0.25 + 0.25**4) / 3
    assert the(scores, "chance_circular").value == pytest.approx(circular)
    assert the(scores, "chance_both").value == pytest.approx(both)
    assert the(scores, "chance_plain").value == pytest.approx((4 * 0.5 + 4 * 0.25) / 8)


def test_a_pass_that_failed_leaves_its_group_open_and_open_is_not_right() -> None:
    sample_scores = sample_scores_of(PAIR[0], [1, None]) + sample_scores_of(PAIR[1], [1, 1])
    circular = the(group_scores(PAIR, sample_scores, FACETS), "accuracy_circular")
    assert circular.value == 0.5
    assert "1 group is open" in circular.note
    groups, _ = form_groups(PAIR, values_of(sample_scores), "circular")
    assert [g.right for g in groups] == [None, True]


def test_a_mirror_image_that_was_not_asked_leaves_its_group_out_whatever_the_other_says() -> None:
    other = [question("b", flip="b"), question("b-flip", flip="b")]
    for value in (0.0, 1.0):
        sample_scores = sample_scores_of(PAIR[0], [value, value]) + [
            m for q in other for m in sample_scores_of(q, [1, 1])
        ]
        flip = the(group_scores([*PAIR, *other], sample_scores, FACETS), "accuracy_flip")
        assert (flip.value, flip.n) == (1.0, 2)
        assert "1 group left out" in flip.note


def test_a_run_without_rotations_has_no_circular_score_and_says_why() -> None:
    sample_scores = [
        SampleScore(question=q.id, task="t", extractor="p-1", status="ok", value=1.0, picked="x")
        for q in PAIR
    ]
    scores = group_scores(PAIR, sample_scores, FACETS)
    assert the(scores, "accuracy_flip").value == 1.0
    for grouping in ("circular", "both"):
        score = the(scores, f"accuracy_{grouping}")
        assert score.value is None
        assert "--protocol circular" in score.note


def test_a_dataset_without_mirror_images_put_once_has_no_groupings() -> None:
    q = question("a")
    sample_score = SampleScore(
        question="a", task="t", extractor="p-1", status="ok", value=1.0, picked="x", variant=Variant()
    )
    assert group_scores([q], [sample_score], FACETS) == []


def test_of_a_run_that_was_stopped_early_only_what_is_decided_has_a_value() -> None:
    sample_scores = sample_scores_of(PAIR[0], [0]) + sample_scores_of(PAIR[1], [1, 1])
    known: dict[Grouping, dict[Grouping, float | None]] = {}
    stops: tuple[Grouping, ...] = ("circular", "both")
    for stop in stops:
        scores = group_scores(PAIR, sample_scores, FACETS, Stopped(stop, "p-1"))
        known[stop] = {g: the(scores, f"accuracy_{g}").value for g in GROUPINGS}
    assert known["circular"] == {"plain": None, "circular": 0.5, "flip": None, "both": 0.0}
    assert known["both"] == {"plain": None, "circular": None, "flip": None, "both": 0.0}


def test_a_run_that_was_stopped_under_one_extractor_says_nothing_under_another() -> None:
    sample_scores = sample_scores_of(PAIR[0], [0]) + sample_scores_of(PAIR[1], [1, 1])
    score = the(
        group_scores(PAIR, sample_scores, FACETS, Stopped("circular", "other-1")), "accuracy_circular"
    )
    assert score.value is None
    assert "stopped early under the extractor other-1" in score.note


def test_groups_share_their_errors_within_an_image() -> None:
    score = the(
        group_scores(PAIR, sample_scores_of(PAIR[0], [1, 1]) + sample_scores_of(PAIR[1], [0, 0]), FACETS),
        "accuracy_circular",
    )
    assert (score.low, score.high) == (0.0, 1.0)  # one image says nothing about others
