"""Mean relative accuracy of answers in numbers, over all of them, by task and by kind of scene.

Ref: VSI-Bench (Thinking in Space) §3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fathom.extraction.numeric_answers import is_measured, worth
from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import Answers, gather
from fathom.stats.intervals import accuracy_interval

NAME = "mean_relative_accuracy"


def relative_scores(
    questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int
) -> list[Score]:
    """Return the mean relative accuracy of the questions that want a number: the `metrics` of a benchmark.

    Nothing where no question wants one. It is made of what was picked, whatever the extractor's own value.
    """
    answers = gather(questions, sample_scores).where(is_measured)
    if not answers.questions:
        return []
    found = [mean_relative_accuracy(answers, {})]
    for key, part in (("task", lambda q: q.task), ("setting", lambda q: q.tags.get("setting", ""))):
        found += [mean_relative_accuracy(some, {key: name}) for name, some in answers.by(part).items()]
    return found


def mean_relative_accuracy(answers: Answers, group: Mapping[str, str]) -> Score:
    """Return the mean over questions; what was not answered, or is no number, is worth 0."""
    values = [
        float(np.mean([worth(m.picked, question) for m in sample_scores]))
        for question, sample_scores in zip(answers.questions, answers.sample_scores, strict=True)
    ]
    found = accuracy_interval(values, answers.clusters)
    return Score(
        name=NAME,
        value=found.value,
        n=found.n,
        method=f"mean over 10 tolerances, Wilson interval, 95 %, {found.clusters} clusters",
        group=dict(group),
        low=found.low,
        high=found.high,
    )
