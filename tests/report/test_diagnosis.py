"""What a model gets wrong, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import Mark, Question
from fathom.report.diagnosis import OTHER, UNREAD, confusions_of, diagnosis
from fathom.report.leaderboard import leaderboard
from fathom.report.quality import evenness, quality, spread
from tests.report.synthetic import report_data

DATA = report_data(scenes=2, a_task=4)
SIZES = ("large", "small")


def question(name: str, answer: str) -> Question:
    return Question(id=name, task="t", text="?", answer=answer, possible=SIZES, tags={"asks": "size"})


def mark(name: str, picked: str | None, value: float = 0.0) -> Mark:
    return Mark(question=name, task="t", policy="p", status="ok", value=value, picked=picked)


def test_a_confusion_matrix_counts_each_question_once_under_its_true_answer() -> None:
    questions = {
        n: question(n, a) for n, a in (("a", "large"), ("b", "large"), ("c", "small"), ("d", "small"))
    }
    marks = [mark("a", "large", 1), mark("b", "small"), mark("c", None), mark("d", "huge")]
    (matrix,) = confusions_of(questions, marks)
    assert matrix.picked == ("large", "small", OTHER, UNREAD)
    counts = {label: [cell.count for cell in row] for label, row in matrix.rows}
    assert counts == {"large": [1, 1, 0, 0], "small": [0, 0, 1, 1]}
    assert matrix.n == 4


def test_an_equivalent_of_the_right_answer_is_the_right_answer() -> None:
    (matrix,) = confusions_of({"a": question("a", "large")}, [mark("a", "Big", 1.0)])
    assert [cell.count for cell in matrix.rows[0][1]] == [1, 0]


@given(st.permutations(range(len(DATA.runs[1].marks))))
def test_confusion_does_not_depend_on_the_order_of_marks(order: list[int]) -> None:
    questions = {q.id: q for q in DATA.dataset.questions}
    marks = DATA.runs[1].marks
    assert confusions_of(questions, [marks[i] for i in order]) == confusions_of(questions, marks)


def test_questions_that_ask_for_no_attribute_are_in_no_matrix() -> None:
    found = diagnosis(DATA, leaderboard(DATA)).confusions
    assert {c.attribute for m in found for c in m.confusions} == {"color", "pose"}


def test_models_come_before_baselines_in_the_confusion() -> None:
    found = [m.model for m in diagnosis(DATA, leaderboard(DATA)).confusions]
    assert found[:2] == ["visionary-9b", "squinter-2b"]


def test_panels_show_the_same_numbers_by_task_and_by_model() -> None:
    found = diagnosis(DATA, leaderboard(DATA))
    by_task = {(bar.label, panel.title): bar.cell for panel in found.by_task for bar in panel.bars}
    by_model = {(panel.title, bar.label): bar.cell for panel in found.by_model for bar in panel.bars}
    assert by_task == by_model


def test_retention_and_margins_come_from_the_scores() -> None:
    found = diagnosis(DATA, leaderboard(DATA))
    assert [p.title for p in found.retention] == [
        "Multi-object",
        "2D location",
        "3D orientation",
        "3D location",
    ]
    assert [len(p.bars) for p in found.retention] == [4] * 4
    assert {p.title for p in found.margins} == {run.model for run in DATA.runs}


@given(st.lists(st.integers(0, 50), min_size=2, max_size=8))
def test_evenness_lies_between_0_and_1(counts: list[int]) -> None:
    found = evenness(counts)
    assert found is None or 0 <= found <= 1 + 1e-12


def test_evenness_is_1_for_equal_counts_and_0_for_one_answer_alone() -> None:
    assert evenness([5, 5, 5]) == pytest.approx(1)
    assert evenness([9, 0]) == 0
    assert evenness([9]) is None


def test_possible_answers_that_never_occur_count_against_evenness() -> None:
    found = spread("t", "size", [question("a", "large")])
    assert found.answers == (("large", 1, 1.0), ("small", 0, 0.0))
    assert found.evenness == 0


def test_the_dataset_is_described_task_by_task() -> None:
    board = leaderboard(DATA)
    found = quality(DATA, board.tasks)
    assert [row[0] for row in found.tasks.rows] == [t.title for t in board.tasks]
    assert all(len(row) == len(found.tasks.columns) for row in found.tasks.rows)
    assert sum(s.n for s in found.spreads) == len(DATA.dataset.questions)
