"""Accuracy with intervals clustered by scene, and how many answers never came or could not be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import Answers, is_read
from fathom.stats.intervals import accuracy_interval

OUTCOMES: dict[str, Callable[[SampleScore], bool]] = {
    "refused": lambda m: m.status == "refused",
    "failed": lambda m: m.status == "failed" and m.how != "missing",
    "missing": lambda m: m.status == "failed" and m.how == "missing",
    "empty": lambda m: m.status == "ok" and m.picked is None and m.how == "empty",
    "unreadable": lambda m: m.status == "ok" and m.picked is None and m.how != "empty",
}
"""What can become of an answer that picks nothing; each is of one kind."""

CUT_OFF = "cut_off"
"""The share of answers that came to the limit of their length, whatever was read in them."""


def accuracy(answers: Answers, group: Mapping[str, str]) -> Score:
    """Return the mean value over all questions, those without an answer counted as wrong."""
    return _score("accuracy", answers, group)


def accuracy_by(answers: Answers, key: str, name: Callable[[Question], str]) -> list[Score]:
    """Return the accuracy of each group that `name` makes, under `key`."""
    return [accuracy(some, {key: group}) for group, some in answers.by(name).items()]


def accuracy_of_read(answers: Answers, group: Mapping[str, str]) -> Score:
    """Return the mean value over the answers that could be read. It rewards silence: never the main score."""
    rows = np.flatnonzero(np.isfinite(answers.read_values)).tolist()
    read = answers.at(rows)
    return _score("accuracy_of_read", read, group, over_read=True)


def outcomes(answers: Answers, group: Mapping[str, str]) -> list[Score]:
    """Return the shares of answers that pick nothing, by what became of them, and of those cut off."""
    sample_scores = [m for ms in answers.sample_scores for m in ms]
    return [
        Score(
            name=name,
            value=sum(map(found, sample_scores)) / len(sample_scores) if sample_scores else None,
            n=len(sample_scores),
            method="share of all responses due",
            group=dict(group),
        )
        for name, found in {**OUTCOMES, CUT_OFF: lambda m: m.cut_off}.items()
    ]


def ways_of_reading(answers: Answers) -> list[Score]:
    """Return the share of the answers read by each rule of the extractor."""
    hows = [m.how for ms in answers.sample_scores for m in ms if is_read(m)]
    return [
        Score(name="read_by", value=hows.count(how) / len(hows), n=len(hows), method="share of answers read",
              group={"rule": how})
        for how in sorted(set(hows))
    ]  # fmt: skip


def _score(name: str, answers: Answers, group: Mapping[str, str], over_read: bool = False) -> Score:
    values = answers.read_values if over_read else answers.values
    if not len(values):
        return Score(name=name, value=None, n=0, method="no question", group=dict(group))
    found = accuracy_interval(values, answers.clusters)
    return Score(
        name=name,
        value=found.value,
        n=found.n,
        method=f"Wilson interval, 95 %, {found.clusters} clusters",
        group=dict(group),
        low=found.low,
        high=found.high,
        note="" if found.clusters > 1 else "one scene, picture or video says nothing about others",
    )
