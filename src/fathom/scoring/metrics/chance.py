"""Chance: what guessing among the answers that each question has would score."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.records import Score
from fathom.scoring.answers import Answers


def chance(answers: Answers, group: Mapping[str, str]) -> Score:
    """Return the mean over questions of one over the number of their options, or of answers possible.

    Without a value where a question has neither.
    """
    counts = [len(q.choices or q.possible) for q in answers.questions]
    known = bool(counts) and min(counts) > 0
    return Score(
        name="chance",
        value=sum(1 / n for n in counts) / len(counts) if known else None,
        n=len(counts),
        method="mean of 1 / number of options" if known else "not available: questions without options",
        group=dict(group),
    )
