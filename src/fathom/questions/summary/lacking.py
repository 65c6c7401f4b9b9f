"""What is wanted of a set of videos and is not asked: questions of a task, and questions of a level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fathom.questions.candidate import AnySelection
from fathom.questions.mix import VideoMix
from fathom.records import Question

LEVEL_SHORT = 0.05
"""A level is short of questions where it lacks more than this share of those of its setting."""


def levels_of(questions: Sequence[Question]) -> Counter[tuple[str, str]]:
    """Return how many questions of a level there are in a setting: (level, setting) → number.

    Of those about numbers: relations and orders are as clear as they are.
    """
    return Counter(
        (q.tags["difficulty"], q.tags["setting"])
        for q in questions
        if q.choices and "nearest_error" in q.tags and "difficulty" in q.tags
    )


def lacking_levels(questions: Sequence[Question], mix: VideoMix) -> dict[tuple[str, str], int]:
    """Return how many questions of a level are missing in a setting, by more than chance leaves over."""
    had = levels_of(questions)
    found: dict[tuple[str, str], int] = {}
    for setting in sorted({s for _, s in had}):
        total = sum(n for (_, s), n in had.items() if s == setting)
        for level, share in mix.levels.items():
            missing = share * total - had[level, setting]
            if missing > LEVEL_SHORT * total and missing >= 1:
                found[level, setting] = int(missing)
    return found


def lacking_in(selection: AnySelection) -> Counter[str]:
    """Return how many questions each setting lacks: those of a task, and those of a level."""
    out: Counter[str] = Counter()
    for (_, setting), n in (*selection.short.items(), *selection.levels.items()):
        out[setting] += n
    return +out
