"""Which cells (view, frame) of a scene's videos are shown, and whether they are enough to answer.

A question about videos from several views carries what has to be seen as `records.Need`s: whoever is shown at
least one cell of every one of them can answer. Frames are written as ranges with both ends, "0-11,18".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from fathom.records import InputError, MediaOf, Need, Prompt, Question, pictures_of

Cells = Mapping[int, Collection[int]]
"""View → the frames of it that are shown."""

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


@lru_cache(maxsize=4096)
def frames_in(ranges: str) -> frozenset[int]:
    """Return the frames that "0-11,18" names; none for "".

    Raises InputError for anything else than ranges in ascending order that share no frame.
    """
    frames: set[int] = set()
    beyond = -1
    for part in ranges.split(",") if ranges else ():
        found = _RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        if found is None or not beyond < first <= last:
            raise InputError(
                f"frames {ranges!r}: expected ranges in ascending order, as in 0-11,18, found {part!r}; make "
                "the dataset again"
            )
        frames.update(range(first, last + 1))
        beyond = last
    return frozenset(frames)


def cells_shown(prompt: Prompt, media: Iterable[str], media_of: MediaOf) -> dict[int, frozenset[int]]:
    """Return the cells that a prompt shows of these media; pictures that are no frame of a video count for
    nothing.
    """
    view_of = {name: media_of(name).view for name in media}
    shown: dict[int, set[int]] = {}
    for part in pictures_of(prompt):
        if part.media in view_of and part.frame >= 0:
            shown.setdefault(view_of[part.media], set()).add(part.frame)
    return {view: frozenset(frames) for view, frames in shown.items()}


def hits(need: Need, shown: Cells) -> int:
    """Return how many of the cells shown are among those of a need."""
    return sum(
        sum(frame in wanted for frame in frames)
        for view, frames in shown.items()
        if view in need.cells and (wanted := frames_in(need.cells[view]))
    )


def can_answer(needs: Sequence[Need], shown: Cells) -> bool:
    """Return whether every need has a cell among those shown."""
    return all(hits(need, shown) for need in needs)


def needs_of(question: Question) -> tuple[Need, ...]:
    """Return what has to be seen to answer a question, () where it does not say."""
    return question.evidence.needs if question.evidence else ()


def expected_accuracy(questions: Sequence[Question], shown: Callable[[Question], Cells]) -> float:
    """Return how often somebody is right who answers what the cells shown can answer, and guesses the rest.

    Exact: 1 for a question of which every need is met, else one over the number of its options. Raises
    InputError where there is no question, or a guess has nothing to choose from.
    """
    if not questions:
        raise InputError("expected accuracy: expected at least one question, found none")
    return sum(_worth(q, shown(q)) for q in questions) / len(questions)


def _worth(question: Question, shown: Cells) -> float:
    if can_answer(needs_of(question), shown):
        return 1.0
    options = len(question.choices or question.possible)
    if not options:
        raise InputError(
            f"question {question.id}: has neither choices nor possible answers, so that guessing it has no "
            "chance; leave it out"
        )
    return 1 / options
