"""How often a model says what is known of the world, where what it is shown says otherwise.

A question about something counterfactual (a spider with six legs) has among its options what world knowledge
would say (eight). Whoever picks that one has answered without looking, or against what he saw.

Ref: 4D-Bench §4.3, Figure 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fathom.pages.priors import BY_CHANCE, KIND, OF_WRONG, PRIOR, RIGHT
from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import Answers
from fathom.stats.intervals import accuracy_interval

PRIOR_ANSWER = "prior_answer"
"""The tag that holds what world knowledge would say; `KIND` says how the object differs from it."""


def prior_choice(answers: Answers) -> list[Score]:
    """Return how often the option of world knowledge was picked, and how often the right one.

    Of wrong answers it also says how many were that option, and how many would be if one of the wrong options
    were drawn. Nothing where no question is counterfactual.
    """
    asking = answers.where(is_counterfactual)
    if not asking.questions:
        return []
    scores = _scores(asking, {})
    for kind, some in asking.by(lambda q: q.tags[KIND]).items():
        scores += _scores(some, {KIND: kind})
    return scores


def is_counterfactual(question: Question) -> bool:
    """Return whether a question offers what world knowledge would say, and that is wrong."""
    prior = question.tags.get(PRIOR_ANSWER, "")
    return bool(question.tags.get(KIND)) and prior in question.choices and prior != question.answer


def _scores(answers: Answers, group: Mapping[str, str]) -> list[Score]:
    wrong = [
        (question, sample_score, cluster)
        for question, sample_scores, cluster in _rows(answers)
        for sample_score in sample_scores
        if sample_score.picked in question.choices and sample_score.picked != question.answer
    ]
    hit = [float(_is_prior(q, m)) for q, m, _ in wrong]
    drawn = [1 / (len(q.choices) - 1) for q, _, _ in wrong]
    return [
        _share(PRIOR, answers, _is_prior, group),
        _share(RIGHT, answers, lambda q, m: m.picked == q.answer, group),
        _interval(OF_WRONG, hit, [cluster for _, _, cluster in wrong], group),
        Score(
            name=BY_CHANCE,
            value=float(np.mean(drawn)) if drawn else None,
            n=len(drawn),
            method="mean of 1 / number of wrong options",
            group=dict(group),
        ),
    ]


def _rows(answers: Answers) -> list[tuple[Question, tuple[SampleScore, ...], str]]:
    return list(zip(answers.questions, answers.sample_scores, answers.clusters, strict=True))


def _is_prior(question: Question, sample_score: SampleScore) -> bool:
    return sample_score.picked == question.tags[PRIOR_ANSWER]


def _share(
    name: str, answers: Answers, found: Callable[[Question, SampleScore], bool], group: Mapping[str, str]
) -> Score:
    values = [float(np.mean([found(q, m) for m in sample_scores])) for q, sample_scores, _ in _rows(answers)]
    return _interval(name, values, answers.clusters, group)


def _interval(name: str, values: Sequence[float], clusters: Sequence[str], group: Mapping[str, str]) -> Score:
    if not values:
        return Score(name=name, value=None, n=0, method="no wrong answer", group=dict(group))
    found = accuracy_interval(values, clusters)
    return Score(
        name=name,
        value=found.value,
        n=found.n,
        method=f"Wilson interval, 95 %, {found.clusters} clusters",
        group=dict(group),
        low=found.low,
        high=found.high,
    )
