"""From sample scores to scores: what every benchmark has, then what is its own."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.extraction.numeric_answers import is_measured
from fathom.pages.published import NOT_AVAILABLE
from fathom.records import Benchmark, Question, SampleScore, Score
from fathom.scoring.answers import Answers, gather
from fathom.scoring.caption_scores import CAPTIONS
from fathom.scoring.groups import Stopped, group_scores
from fathom.scoring.metrics.accuracy import (
    CUT_OFF,
    OUTCOMES,
    accuracy,
    accuracy_by,
    accuracy_of_read,
    outcomes,
    ways_of_reading,
)
from fathom.scoring.metrics.chance import chance
from fathom.scoring.metrics.margin import accuracy_by_margin, margin_slope
from fathom.scoring.metrics.position import position_bias


def aggregate_scores(
    benchmark: Benchmark,
    questions: Sequence[Question],
    sample_scores: Sequence[SampleScore],
    seed: int,
    stopped: Stopped | None = None,
) -> list[Score]:
    """Return all scores of a run; the order of questions and sample scores does not matter.

    Accuracy is over every question that has a sample score: an answer that never came counts as wrong and is
    shown in a share of its own. Captions are neither right nor wrong, and numbers nearer or farther: both are
    left to the benchmark's own metrics. `questions` are all that groups can be made of, so that of a mirror
    image which was not asked is known that it is there. Of a run that was `stopped` early, only the verdicts
    that this decided have a value.
    """
    every = gather(questions, sample_scores)
    answers, captions = every.where(is_right_or_wrong), every.where(lambda q: bool(q.references))
    scores = _one_group(answers, {})
    scores += outcomes(captions, CAPTIONS) if captions.questions else []
    for task, some in sorted(answers.by(lambda q: q.task).items(), key=lambda t: _place(benchmark, t[0])):
        scores += _one_group(some, {"task": task})
    for key, part_of in benchmark.facets.items():
        for part, some in answers.by(part_of).items():
            scores += [accuracy(some, {key: part}), chance(some, {key: part})]
    scores += accuracy_by(answers, "asks", lambda q: q.tags.get("asks", ""))
    scores += ways_of_reading(answers)
    scores += accuracy_by_margin(answers)
    scores += margin_slope(answers)
    scores += position_bias(answers)
    if benchmark.metrics:
        scores += benchmark.metrics(questions, sample_scores, seed)
    scores = as_known(scores, stopped)
    facets = {"task": lambda q: q.task, **benchmark.facets}
    chosen = [q for q in questions if not is_measured(q)]
    of_chosen = {q.id for q in chosen}
    return scores + group_scores(
        chosen, [m for m in sample_scores if m.question in of_chosen], facets, stopped
    )


def is_right_or_wrong(question: Question) -> bool:
    """Return whether an answer to a question is right or wrong: no caption, and no number on a scale."""
    return not question.references and not is_measured(question)


def _one_group(answers: Answers, group: dict[str, str]) -> list[Score]:
    return [
        accuracy(answers, group),
        chance(answers, group),
        accuracy_of_read(answers, group),
        *outcomes(answers, group),
    ]


def as_known(scores: Sequence[Score], stopped: Stopped | None) -> list[Score]:
    """Return scores, without the values of those that a run which was stopped early does not know."""
    return list(scores) if stopped is None else [_unknown(score, stopped) for score in scores]


def _unknown(score: Score, stopped: Stopped) -> Score:
    """Return the score without its value where that hangs on passes which were not asked."""
    if score.name in (*OUTCOMES, CUT_OFF, "chance") or score.value is None:
        return score
    return msgspec.structs.replace(
        score,
        value=None,
        low=None,
        high=None,
        method=NOT_AVAILABLE,
        note=f"the run was stopped early, once {stopped.grouping} groups were decided",
    )


def _place(benchmark: Benchmark, task: str) -> tuple[int, str]:
    tasks = list(benchmark.tasks)
    return (tasks.index(task) if task in tasks else len(tasks)), task
