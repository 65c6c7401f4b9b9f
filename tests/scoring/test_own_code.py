"""Metrics and extractors of one's own: what they raise names them, and what metrics tell is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from fathom.pages.tables import as_text
from fathom.records import ExtractedAnswer, Extractor, InputError, Question, SampleScore, Score
from fathom.scoring.own_code import checked_extractor, checked_metric, metrics_named
from fathom.scoring.tables import own_table
from tests.extending.last_word import EXTRACTOR

Q = Question(id="q7", task="t", text="?", answer="red", possible=("red", "blue"))


def raises(questions: Sequence[Question], samples: Sequence[SampleScore], seed: int) -> list[Score]:
    """A metric with a mistake."""
    scores: dict[int, Score] = {}
    return [scores[seed]]


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (raises, r"^--metric my:m: raised KeyError: 0 \(.*test_own_code\.py:\d+\); fix it there$"),
        (5, "^--metric my:m: expected a function of questions, sample scores and a seed, found int$"),
        (lambda *a: 0.5, r"^--metric my:m: expected a list of fathom\.records\.Score, found 0\.5$"),
        (lambda *a: [0.5], r"found \[0\.5\]$"),
    ],
)
def test_a_metric_that_does_not_work_is_named_with_its_error(metric: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        checked_metric("my:m", metric)([Q], [], 0)


def failing(question: Question, text: str) -> ExtractedAnswer:
    """A rule with a mistake."""
    raise ValueError("bad pattern")


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        (failing, EXTRACTOR.value, r"^--extractor my:e, question q7: raised ValueError: bad pattern \("),
        (lambda q, t: "red", EXTRACTOR.value, r"question q7: expected a fathom\.records\.ExtractedAnswer"),
        (EXTRACTOR.read, lambda q, r: "yes", "question q7: expected a value from 0 to 1, found 'yes'$"),
    ],
)
def test_an_extractor_that_does_not_work_is_named_with_the_question(
    read: Callable[[Question, str], ExtractedAnswer],
    value: Callable[[Question, ExtractedAnswer], float],
    said: str,
) -> None:
    found = checked_extractor("my:e", Extractor(name="e", version="1", read=read, value=value))
    with pytest.raises(InputError, match=said):
        found.value(Q, found.read(Q, "it is red"))


def test_one_that_works_is_as_it_was() -> None:
    found = checked_extractor("my:e", EXTRACTOR)
    assert found.read(Q, "it is red") == EXTRACTOR.read(Q, "it is red")
    assert (found.name, found.value(Q, found.read(Q, "red"))) == ("last-word", 1.0)


def test_scores_of_ones_own_metric_are_printed() -> None:
    (metric,) = metrics_named(["tests.extending.metric:answer_length"])
    wrong = SampleScore(
        question="q7", task="t", extractor="e-1", status="ok", value=0, how="x", picked="blue"
    )
    table = own_table(metric([Q], [wrong], 0), "a model")
    assert table is not None
    assert [row[:2] for row in table.rows] == [
        ("answer_length, answers right", "–"),
        ("answer_length, answers wrong", "4"),
    ]
    assert "Metrics of your own: a model" in as_text(table)
    assert own_table([], "a model") is None
