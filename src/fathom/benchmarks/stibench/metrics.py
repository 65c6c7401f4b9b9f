"""The scores that are STI-Bench's own: numbers on a scale, tasks by kind of scene, and the sampled error.

Ref: STI-Bench §3.2 (sampled error), Table 3 and Figure 5 (tasks and scenes); VSI-Bench §3 (numbers).
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.benchmarks.stibench.tasks import setting_of
from fathom.extraction.numeric_answers import is_measured
from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import Answers, gather
from fathom.scoring.metrics.accuracy import accuracy, outcomes
from fathom.scoring.metrics.relative import relative_scores
from fathom.scoring.metrics.sampled_error import error_scores

NUMBERS = {"answers": "numbers"}
"""What the group of the outcomes of questions without options has."""


def scores(questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int) -> list[Score]:
    """Return what is made of answers in numbers, of each task in each setting, and of sampled errors.

    Questions with options and their twins without any are never put together.
    """
    every = gather(questions, sample_scores)
    measured = every.where(is_measured)
    chosen = every.where(lambda q: not is_measured(q))
    found = relative_scores(questions, sample_scores, seed)
    found += outcomes(measured, NUMBERS) if measured.questions else []
    return [*found, *by_task_and_setting(chosen), *error_scores(chosen, setting_of, seed)]


def by_task_and_setting(answers: Answers) -> list[Score]:
    """Return the accuracy of each task in each kind of scene that has questions of it."""
    return [
        accuracy(some, {"task": task, "setting": setting})
        for task, of_task in answers.by(lambda q: q.task).items()
        for setting, some in of_task.by(setting_of).items()
    ]
