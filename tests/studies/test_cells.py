"""Frames as ranges, and what the cells shown are enough for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.media.cells import can_answer, cells_shown, expected_accuracy, frames_in, hits
from fathom.records import ClipPart, Evidence, InputError, MediaPart, Need, Prompt, Question, TextPart
from tests.studies.made import FRAMES, VIEWS, need, ranges_of, views_of

FRAME_SETS = st.frozensets(st.integers(0, 60))
CELLS = st.dictionaries(st.integers(0, VIEWS - 1), st.frozensets(st.integers(0, FRAMES - 1)), max_size=6)
NEEDS = st.lists(st.integers(0, 50).map(lambda k: need("law", k)), min_size=1, max_size=4)


def asking(needs: list[Need], options: int = 4) -> Question:
    choices = tuple(f"option {k}" for k in range(options))
    return Question(
        id="q",
        task="action",
        text="?",
        answer=choices[0],
        choices=choices,
        evidence=Evidence(objects=(), needs=tuple(needs)),
    )


@given(FRAME_SETS)
def test_ranges_name_exactly_the_frames_that_they_were_made_of(frames: frozenset[int]) -> None:
    assert frames_in(ranges_of(frames)) == frames


@given(FRAME_SETS)
def test_ranges_of_what_ranges_name_are_the_same_text(frames: frozenset[int]) -> None:
    assert ranges_of(frames_in(ranges_of(frames))) == ranges_of(frames)


def test_a_run_of_frames_is_one_range_with_both_ends() -> None:
    assert ranges_of([18, *range(12)]) == "0-11,18"
    assert frames_in("0-11,18") == {*range(12), 18}
    assert frames_in("") == frozenset()


@pytest.mark.parametrize(
    "text", ["5-3", "1,1", "4,2", "a", "1-", "-1", "1,,2", " 1", "0-4,3-8", "0-4,4", "1;2"]
)
def test_other_texts_are_no_ranges(text: str) -> None:
    with pytest.raises(InputError, match="expected ranges in ascending order"):
        frames_in(text)


def test_one_cell_of_every_need_is_enough_and_of_all_but_one_is_not() -> None:
    front = Need(what="the mark on its chest", cells={0: "0-47", 1: "0-20"})
    late = Need(what="the hat vanishing", cells={0: "30-35", 12: "30-35"})
    assert can_answer([front, late], {0: [31]})
    assert can_answer([front, late], {1: [3], 12: [30]})
    assert not can_answer([front, late], {0: [0, 8, 16, 24]})
    assert not can_answer([front, late], {12: [30]})
    assert not can_answer([front], {})


def test_hits_count_cells_and_not_needs() -> None:
    assert hits(Need(what="", cells={0: "0-3", 2: "1"}), {0: [0, 3, 4], 2: [1], 5: [0]}) == 3


@given(NEEDS, CELLS, CELLS)
def test_more_cells_never_make_an_answer_impossible(
    needs: list[Need], shown: dict[int, frozenset[int]], more: dict[int, frozenset[int]]
) -> None:
    both = {v: shown.get(v, frozenset()) | more.get(v, frozenset()) for v in shown.keys() | more.keys()}
    assert can_answer(needs, both) >= can_answer(needs, shown)
    question = asking(needs)
    assert expected_accuracy([question], lambda q: both) >= expected_accuracy([question], lambda q: shown)


@given(NEEDS, CELLS, st.permutations(range(4)))
def test_the_order_of_needs_says_nothing(
    needs: list[Need], shown: dict[int, frozenset[int]], order: list[int]
) -> None:
    shuffled = [needs[i] for i in order if i < len(needs)]
    assert can_answer(shuffled, shown) == can_answer(needs, shown)


def test_expected_accuracy_counts_a_guess_by_the_number_of_options() -> None:
    seen, unseen = Need(what="", cells={0: "0"}), Need(what="", cells={1: "0"})
    questions = [asking([seen]), asking([unseen], 4), asking([unseen], 2)]
    assert expected_accuracy(questions, lambda q: {0: [0]}) == pytest.approx((1 + 1 / 4 + 1 / 2) / 3)


def test_a_guess_needs_options() -> None:
    evidence = Evidence(objects=(), needs=(Need(what="", cells={1: "0"}),))
    free = Question(id="q", task="action", text="?", answer="a fox", evidence=evidence)
    with pytest.raises(InputError, match="no chance"):
        expected_accuracy([free], lambda q: {})


def test_frames_of_clips_are_shown_and_pictures_that_are_no_frames_are_not() -> None:
    media = {m.id: m for m in views_of("ab")}
    prompt = Prompt(
        parts=(
            TextPart(text="Look."),
            MediaPart(media="ab/view_3", frame=7),
            MediaPart(media="ab/view_3"),
            MediaPart(media="another/view_0", frame=1),
            ClipPart(frames=(MediaPart(media="ab/view_5", frame=0), MediaPart(media="ab/view_3", frame=9))),
        )
    )
    assert cells_shown(prompt, media, media.__getitem__) == {3: {7, 9}, 5: {0}}
