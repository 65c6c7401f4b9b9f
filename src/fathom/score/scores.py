"""From marks to scores: what every benchmark has, then what is its own."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.records import Benchmark, Mark, Question, Score
from fathom.score.answers import Answers, gather
from fathom.score.metrics.accuracy import (
    accuracy,
    accuracy_by,
    accuracy_of_read,
    outcomes,
    ways_of_reading,
)
from fathom.score.metrics.margin import accuracy_by_margin, margin_slope
from fathom.score.metrics.position import position_bias


def score_marks(
    benchmark: Benchmark, questions: Sequence[Question], marks: Sequence[Mark], seed: int
) -> list[Score]:
    """Return all scores of a run; the order of questions and marks does not matter.

    Accuracy is over every question that has a mark: an answer that never came counts as wrong and is shown
    in a share of its own.
    """
    answers = gather(questions, marks)
    scores = [*_one_group(answers, {})]
    for task, some in sorted(answers.by(lambda q: q.task).items(), key=lambda t: _place(benchmark, t[0])):
        scores += _one_group(some, {"task": task})
    scores += accuracy_by(answers, "asks", lambda q: q.tags.get("asks", ""))
    scores += ways_of_reading(answers)
    scores += accuracy_by_margin(answers)
    scores += margin_slope(answers)
    scores += position_bias(answers)
    if benchmark.metrics:
        scores += benchmark.metrics(questions, marks, seed)
    return scores


def _one_group(answers: Answers, group: dict[str, str]) -> list[Score]:
    return [accuracy(answers, group), accuracy_of_read(answers, group), *outcomes(answers, group)]


def _place(benchmark: Benchmark, task: str) -> tuple[int, str]:
    tasks = list(benchmark.tasks)
    return (tasks.index(task) if task in tasks else len(tasks)), task
