"""Which questions one blind guesser can learn together: by the text of the answer, or by its place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.records import UnansweredQuestion
from fathom.stats.cues import candidates

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

RECURRING = 20
"""An option's text is worth learning when at least so many questions offer it."""


@dataclass(frozen=True)
class GuesserView:
    """Questions whose answers a single forest can tell apart.

    `classes` are texts ("red") or, where `by_place`, places among the options ("option 2"). `rows` are the
    indices of the questions, and `columns` (rows, most candidates) holds the class of each candidate, −1
    where there is none.
    """

    classes: tuple[str, ...]
    by_place: bool
    rows: Ints
    columns: Ints

    @property
    def name(self) -> str:
        """What tells this view from the others."""
        return f"{len(self.classes)} options" if self.by_place else ", ".join(self.classes)

    @property
    def options(self) -> int:
        """How many options each question shows, 0 in a view by text."""
        return len(self.classes) if self.by_place else 0

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Which classes each row can have, (rows, classes)."""
        padded = np.zeros((len(self.rows), len(self.classes) + 1), dtype=bool)
        np.put_along_axis(padded, self.columns, True, axis=1)
        return padded[:, :-1]

    def labels(self, right: Ints) -> Ints:
        """Return the class of each row's right answer, from the place of it among the candidates of all."""
        return self.columns[np.arange(len(self.rows)), right[self.rows]]


def views(asked: Sequence[UnansweredQuestion]) -> list[GuesserView]:
    """Return the views of these questions, each of which has at least two candidates.

    Answers that some question offers side by side belong to one view by text. A question with options is
    also seen by place; its texts count only when each of them recurs often enough to be learnt.
    """
    offered = Counter(text for a in asked for text in set(candidates(a)))
    least = min(RECURRING, max(2, len(asked) // 10))
    by_text = [i for i, a in enumerate(asked) if not a.choices or all(offered[t] >= least for t in a.choices)]
    group_of = _groups({candidates(asked[i]) for i in by_text})
    rows: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for i in by_text:
        rows[group_of[candidates(asked[i])[0]]].append(i)
    counts = sorted({len(a.choices) for a in asked} - {0})
    return [
        *(view_by_text(classes, asked, rows[classes]) for classes in sorted(rows)),
        *(view_by_place(count, asked) for count in counts),
    ]


def view_by_text(
    classes: tuple[str, ...], asked: Sequence[UnansweredQuestion], rows: Sequence[int] | None = None
) -> GuesserView:
    """Return the view of `rows` (default: of all questions that offer one of these texts)."""
    place = {text: i for i, text in enumerate(classes)}
    if rows is None:
        rows = [i for i, a in enumerate(asked) if not place.keys().isdisjoint(candidates(a))]
    return _view(
        classes, False, rows, [[place.get(t, -1) for t in candidates(asked[i])] for i in rows], asked
    )


def view_by_place(count: int, asked: Sequence[UnansweredQuestion]) -> GuesserView:
    """Return the view of all questions that show `count` options."""
    rows = [i for i, a in enumerate(asked) if len(a.choices) == count]
    return _view(
        tuple(f"option {i}" for i in range(count)), True, rows, [list(range(count))] * len(rows), asked
    )


def _view(
    classes: tuple[str, ...],
    by_place: bool,
    rows: Sequence[int],
    columns: Sequence[Sequence[int]],
    asked: Sequence[UnansweredQuestion],
) -> GuesserView:
    padded = np.full((len(rows), most_candidates(asked)), -1, dtype=np.intp)
    for row, found in zip(padded, columns, strict=True):
        row[: len(found)] = found
    return GuesserView(classes, by_place, np.array(rows, dtype=np.intp), padded)


def most_candidates(asked: Sequence[UnansweredQuestion]) -> int:
    """Return the largest number of candidates that one of these questions has."""
    return max((len(candidates(a)) for a in asked), default=0)


def _groups(sets: set[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return for each text all that are linked with it by being offered together, sorted."""
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while parent.setdefault(text, text) != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for texts in sorted(sets):
        for text in texts:
            parent[root(text)] = root(texts[0])
    members: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(parent):
        members[root(text)].append(text)
    return {text: tuple(group) for group in members.values() for text in group}


def candidate_shares(guess: Floats, columns: Ints) -> Floats:
    """Return the probability of each candidate from those of the classes; rows sum to 1."""
    padded = np.hstack([guess, np.zeros((len(guess), 1))])
    shares = np.take_along_axis(padded, columns, axis=1)
    return normalised(shares, columns >= 0)


def normalised(shares: Floats, possible: NDArray[np.bool_]) -> Floats:
    """Return rows that sum to 1: where nothing is known, all that is possible is equally likely."""
    total = shares.sum(axis=1, keepdims=True)
    even = possible / np.maximum(possible.sum(axis=1, keepdims=True), 1)
    known: Floats = np.where(total > 0, shares / np.where(total > 0, total, 1), even)
    return known
