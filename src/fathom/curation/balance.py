"""As even a mix of categories and kinds of motion as the pool allows.

Objects are taken one after the other, each time one whose (category, kind of motion) pairs are the rarest so
far. Where each object has one kind of motion, no choice of that many objects is more even.

Ref: 4D-Bench §3.3.3, Fig. 4.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fathom.records import InputError
from fathom.records.scene import Record
from fathom.store.seeds import Name, digest

STILL = "no known motion"
"""The kind of motion of objects of which none is known."""


class CategoryMotions(NamedTuple):
    """What an object counts as: its category and the kinds of motion in it."""

    category: str
    motions: tuple[str, ...]

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """The pairs of category and kind of motion, each once."""
        return tuple((self.category, m) for m in sorted(set(self.motions)) or (STILL,))


class Evenness(Record, frozen=True, kw_only=True):
    """How often each category, kind of motion and pair occurs, and how even that is.

    Evenness is the entropy of the counts over that of equal ones: 1 is perfectly even. It is taken over all
    that occurs in the whole pool, so that what was left out altogether counts against it.
    """

    categories: dict[str, int]
    motions: dict[str, int]
    cells: dict[str, int]
    categories_even: float
    motions_even: float
    cells_even: float


def balanced(kinds: Mapping[str, CategoryMotions], most: int, seed: Name) -> list[str]:
    """Return the names of at most `most` objects, in the order in which they were taken.

    Which of several alike objects are taken hangs on the seed and on their names alone. Raises InputError
    where `most` is negative.
    """
    if most < 0:
        raise InputError(f"balancing: expected 0 or more objects to pick, found {most}; give another number")
    groups: dict[CategoryMotions, list[str]] = {}
    for name in sorted(kinds, key=lambda n: (digest(seed, "balance", n), n), reverse=True):
        kind = kinds[name]
        groups.setdefault(CategoryMotions(kind.category, tuple(sorted(set(kind.motions)))), []).append(name)
    tally = _Tally()
    taken: list[str] = []
    # Costs only grow, so that a kind whose cost is still what it was when it was put down is the cheapest.
    waiting = [_entry(tally, kind, names, seed) for kind, names in groups.items()]
    heapq.heapify(waiting)
    while waiting and len(taken) < most:
        *_, kind = before = heapq.heappop(waiting)
        if (now := _entry(tally, kind, groups[kind], seed)) != before:
            heapq.heappush(waiting, now)
            continue
        taken.append(groups[kind].pop())
        tally.add(kind)
        if groups[kind]:
            heapq.heappush(waiting, _entry(tally, kind, groups[kind], seed))
    return taken


def _entry(
    tally: _Tally, kind: CategoryMotions, names: Sequence[str], seed: Name
) -> tuple[tuple[float, ...], bytes, CategoryMotions]:
    return tally.cost(kind), digest(seed, "balance", names[-1]), kind


class _Tally:
    """What was taken so far."""

    def __init__(self) -> None:
        self.cells: Counter[tuple[str, str]] = Counter()
        self.categories: Counter[str] = Counter()
        self.motions: Counter[str] = Counter()

    def add(self, kind: CategoryMotions) -> None:
        self.cells.update(kind.cells)
        self.categories[kind.category] += 1
        self.motions.update(motion for _, motion in kind.cells)

    def cost(self, kind: CategoryMotions) -> tuple[float, ...]:
        """Return how common a kind is so far: its pairs, then its category, then its motions.

        An object of several kinds of motion is judged by the mean over them, and of equals one that has
        fewer common ones comes first.
        """
        counts = [self.cells[cell] for cell in kind.cells]
        motions = [self.motions[motion] for _, motion in kind.cells]
        return (
            sum(counts) / len(counts),
            max(counts),
            self.categories[kind.category],
            sum(motions) / len(motions),
        )


def evenness(chosen: Iterable[CategoryMotions], pool: Sequence[CategoryMotions] = ()) -> Evenness:
    """Return how even the mix of `chosen` objects is, over everything that occurs in the `pool` or in it."""
    listed = list(chosen)
    everything = [*listed, *pool]
    categories = _count((k.category for k in listed), (k.category for k in everything))
    motions = _count((m for k in listed for _, m in k.cells), (m for k in everything for _, m in k.cells))
    cells = _count(
        (f"{c} · {m}" for k in listed for c, m in k.cells),
        (f"{c} · {m}" for k in everything for c, m in k.cells),
    )
    return Evenness(
        categories=categories,
        motions=motions,
        cells=cells,
        categories_even=_even(categories),
        motions_even=_even(motions),
        cells_even=_even(cells),
    )


def _count(found: Iterable[str], possible: Iterable[str]) -> dict[str, int]:
    """Return how often each possible value was found, the commonest first, then by name."""
    counts = Counter(found)
    return {name: counts[name] for name in sorted(set(possible), key=lambda n: (-counts[n], n))}


def _even(counts: Mapping[str, int]) -> float:
    """Return the entropy of counts over that of equal ones, 1 where there is only one value or none."""
    values = np.array(list(counts.values()), dtype=float)
    if len(values) < 2 or not values.sum():
        return 1.0
    shares = values[values > 0] / values.sum()
    return round(abs(float(-(shares * np.log(shares)).sum() / np.log(len(values)))), 4)
