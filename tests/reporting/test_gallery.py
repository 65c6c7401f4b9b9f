"""The gallery: which pictures it shows, and what it says of each question."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import DataError, Margin, SampleScore, Step
from fathom.reporting.data import ReportData
from fathom.reporting.details import LONGEST_ANSWER
from fathom.reporting.gallery import MOST_MARKS, chosen, gallery
from fathom.reporting.leaderboard import TaskColumn, task_columns
from fathom.reporting.wording import OUTCOMES, margin_words, outcome_of, step_words
from tests.reporting.synthetic import TASKS, report_data

names = st.lists(st.text(max_size=4), unique=True, max_size=30)


@cache
def data() -> ReportData:
    return report_data(scenes=3, a_task=1)


@cache
def columns() -> tuple[TaskColumn, ...]:
    return task_columns(data())


def payload(found: Any) -> Any:
    return found.payload["questions"]


@given(names, st.integers(0, 30))
def test_the_choice_of_pictures_depends_on_their_names_alone(given_names: list[str], most: int) -> None:
    found = chosen(given_names, most)
    assert len(found) == min(most, len(given_names))
    assert set(chosen(given_names[::-1], most)) == set(found)
    assert [n for n in given_names if n in found] == found


@given(names, st.integers(0, 29))
def test_a_larger_gallery_holds_the_smaller_one(given_names: list[str], most: int) -> None:
    assert set(chosen(given_names, most)) <= set(chosen(given_names, most + 1))


def test_a_limited_gallery_says_so() -> None:
    found = gallery(replace(data(), pictures_shown=2), columns())
    assert len(found.pictures) == 2
    assert found.note.startswith("2 of 3 pictures, chosen by a hash")
    assert found.count == 2 * len(TASKS)
    assert gallery(data(), columns()).note.startswith("All 3 pictures")


def test_rows_and_details_of_a_question_belong_together() -> None:
    found = gallery(data(), columns())
    rows = [row for picture in found.pictures for row in picture.questions]
    by_id = {q.id: q for q in data().dataset.questions}
    assert [row.index for row in rows] == list(range(len(rows)))
    for row in rows:
        detail = payload(found)[row.index]
        assert by_id[detail["id"]].text == row.text
        assert [a["outcome"] for a in detail["answers"]] == [m.outcome for m in row.marks]


def test_every_selected_object_has_an_outline_and_a_name() -> None:
    found = gallery(data(), columns())
    pictures: Any = found.payload["pictures"]
    for i, picture in enumerate(found.pictures):
        outlined = {shape.object_id for shape in picture.outlines}
        assert outlined <= set(pictures[i]["objects"])
        for row in picture.questions:
            for step in payload(found)[row.index]["steps"]:
                assert set(step["objects"]) <= outlined


def test_without_outlines_the_boxes_of_the_sights_are_shown() -> None:
    found = gallery(replace(data(), dataset=replace(data().dataset, outlines=())), columns())
    assert len(found.pictures[0].outlines) == 6
    assert found.pictures[0].outlines[0].d.count(" ") == 7


def test_a_picture_that_cannot_be_read_leaves_its_questions_in_place() -> None:
    def broken(media: str) -> bytes:
        raise DataError(f"{media}: cannot be read")

    found = gallery(replace(data(), dataset=replace(data().dataset, picture=broken)), columns())
    assert {p.picture.uri for p in found.pictures if p.picture} == {""}
    assert found.count == len(data().dataset.questions)


def test_a_long_answer_is_cut_and_its_length_told() -> None:
    run = data().runs[1]
    first = data().dataset.questions[0].id
    long = {first: type(run.responses[first])(key="k", question=first, status="ok", text="x" * 5000)}
    found = gallery(replace(data(), runs=[replace(run, responses=long)]), columns())
    answers = [q["answers"][0] for q in payload(found) if q["id"] == first]
    assert (len(answers[0]["text"]), answers[0]["length"]) == (LONGEST_ANSWER, 5000)


def test_with_many_models_a_row_counts_instead_of_drawing() -> None:
    runs = [replace(data().runs[0], model=f"m{i}") for i in range(MOST_MARKS + 1)]
    row = gallery(replace(data(), runs=runs), columns()).pictures[0].questions[0]
    assert row.summary == f"{MOST_MARKS + 1} of {MOST_MARKS + 1}"


def sample_score(status: str, picked: str | None, value: float) -> SampleScore:
    return SampleScore(question="q", task="t", extractor="p", status=status, value=value, picked=picked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_mark", "outcome"),
    [
        (None, "missing"),
        (sample_score("ok", "red", 1.0), "right"),
        (sample_score("ok", "red", 0.5), "partial"),
        (sample_score("ok", "red", 0.0), "wrong"),
        (sample_score("ok", None, 0.0), "unread"),
        (sample_score("refused", None, 0.0), "refused"),
        (sample_score("failed", None, 0.0), "failed"),
    ],
)
def test_each_outcome_has_a_word(given_mark: SampleScore | None, outcome: str) -> None:
    assert outcome_of(given_mark) == outcome
    assert OUTCOMES[outcome]


def test_steps_are_said_in_words() -> None:
    assert step_words(Step(op="filter_color", args=("red",))) == "those that are red"
    assert step_words(Step(op="relate", args=("left",))) == "what is left of it, as seen"
    assert step_words(Step(op="relate_own", args=("front",))) == "what is ahead of it"
    assert step_words(Step(op="relate_first", args=("forward",))) == "what it would hit first going forward"
    assert step_words(Step(op="brand_new", args=("a", "b"))) == "brand new a b"
    assert step_words(Step(op="filter_size")) == "filter size"


def test_margins_are_said_in_their_unit_and_in_tolerances() -> None:
    metres = Margin(relation="left (bearing)", value=0.898, unit="m", ratio=4.49)
    assert margin_words(metres) == (
        "“left of it, as seen (bearing)” is 0.898 m or 4.49 × its tolerance away from tipping over."
    )
    angle = Margin(relation="faces:front", value=0.5236, unit="rad", ratio=2)
    assert "30° or 2 ×" in margin_words(angle)
    bare = Margin(relation="hit:forward", value=3, unit="tolerance", ratio=3)
    assert margin_words(bare).endswith("is 3 × its tolerance away from tipping over.")
