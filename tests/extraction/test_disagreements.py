"""Where two extractors differ on a run."""

from __future__ import annotations

import pytest

from fathom.extraction.disagreements import HEADER, disagreement_rows, disagreements
from fathom.records import InputError, Question, Response, Variant
from tests.extractors import EXTRACTORS

QUESTIONS = [
    Question(id=name, task="t", text="?", answer="cup", choices=("lamp", "cup"))
    for name in ("q1", "q2", "q3")
]
TURNED = Variant(name="turned", option_order=(1, 0))


def said(question: str, text: str, **more: object) -> Response:
    return Response(**{"key": question, "question": question, "status": "ok", "text": text, **more})  # type: ignore[arg-type]


def test_answers_that_are_read_alike_are_passed_over() -> None:
    a, b = EXTRACTORS["fathom"], EXTRACTORS["lmms-eval-3dsrbench"]
    responses = [
        said("q1", "B"),
        said("q2", "A lamp is behind, so B"),
        said("q3", "A lamp is behind, so B", variant=TURNED),
        said("q3", "A lamp is behind, so B", status="failed"),
        said("q3", "A lamp is behind, so B", purpose="judge"),
    ]
    found = list(disagreements(a, b, QUESTIONS, responses))
    assert [(d.question.id, d.first.picked, d.second.picked) for d in found] == [
        ("q2", "cup", "lamp"),
        ("q3", "lamp", "cup"),  # turned: B is the lamp
    ]
    assert [(d.first_value, d.second_value) for d in found] == [(1.0, 0.0), (0.0, 1.0)]
    assert all(d.moves_score for d in found)
    assert not list(disagreements(a, a, QUESTIONS, responses))


def test_rows_show_what_each_picks_and_by_which_rule() -> None:
    found = disagreements(
        EXTRACTORS["fathom"],
        EXTRACTORS["seed-bench-official"],
        QUESTIONS,
        [said("q2", "Answer:\n(A)"), said("q1", "the answer is clearly the cup " + "x" * 200)],
    )
    rows = disagreement_rows(found)
    assert all(len(row) == len(HEADER) for row in rows)
    assert [row[0] for row in rows] == ["q1", "q2"]  # the one that moves the score first
    assert rows[0][3:7] == ("cup ✓", "statement", "–", "none")
    assert rows[1][3:7] == ("lamp ✗", "line", "–", "none")
    assert all(len(cell) <= 82 and "\n" not in cell for row in rows for cell in row)


def test_a_response_to_no_question_of_the_dataset_is_refused() -> None:
    with pytest.raises(InputError, match="found 'q9', which is none of them"):
        list(disagreements(EXTRACTORS["fathom"], EXTRACTORS["vlmevalkit"], QUESTIONS, [said("q9", "B")]))
