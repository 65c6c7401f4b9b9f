"""How little is enough to answer a question: the smallest sets of cells, views and times that meet its needs.

A set of cells meets all needs where it has a cell of each. The smallest ones are found by trying, for the
need that the fewest cells meet, each of these; cells that meet the same needs are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fathom.programs.needs import frames_in
from fathom.records import Need

Cell = tuple[int, int]
"""A view and a frame."""

MOST_TRIED = 20_000
"""After so many sets the smallest that was found stands: a smaller one may exist."""


def cells_in(need: Need) -> frozenset[Cell]:
    """Return the cells (view, frame) that meet a need."""
    return frozenset((view, frame) for view, text in need.cells.items() for frame in frames_in(text))


def fewest_cells(needs: Sequence[Need]) -> int:
    """Return how many cells are enough."""
    return _fewest(needs, lambda cell: cell)


def fewest_views(needs: Sequence[Need]) -> int:
    """Return how many views are enough, with as many frames as one likes."""
    return _fewest(needs, lambda cell: cell[0])


def fewest_times(needs: Sequence[Need]) -> int:
    """Return how many frames are enough, in as many views as one likes."""
    return _fewest(needs, lambda cell: cell[1])


def _fewest(needs: Sequence[Need], of: Callable[[Cell], object]) -> int:
    meets: dict[object, int] = {}
    for k, need in enumerate(needs):
        for one in {of(cell) for cell in cells_in(need)}:
            meets[one] = meets.get(one, 0) | 1 << k
    return smallest_cover(meets.values(), (1 << len(needs)) - 1)


def smallest_cover(sets: Iterable[int], everything: int) -> int:
    """Return how many of some sets, as bit masks, have everything together; 0 where all of them do not."""
    search = _Search(_undominated(sets))
    if everything and not everything & ~_union(search.sets):
        search.go(everything, 0)
        return search.best
    return 0


def _union(sets: Sequence[int]) -> int:
    out = 0
    for one in sets:
        out |= one
    return out


def _undominated(sets: Iterable[int]) -> list[int]:
    """Return the sets that are no part of another one, the largest first."""
    kept: list[int] = []
    for one in sorted(set(sets), key=lambda s: (-s.bit_count(), s)):
        if not any(one & ~other == 0 for other in kept):
            kept.append(one)
    return kept


@dataclass
class _Search:
    """The smallest number of sets that was found so far, and how many ways were tried."""

    sets: list[int]
    best: int = field(default=1 << 30)
    tried: int = 0

    def go(self, left: int, taken: int) -> None:
        """Take sets until nothing is left; only ways that could be better than the best are followed."""
        if not left:
            self.best = min(self.best, taken)
            return
        self.tried += 1
        if taken + self._apart(left) >= self.best or (self.tried > MOST_TRIED and self.best < 1 << 30):
            return
        rarest = min(_bits(left), key=lambda b: sum(s & b != 0 for s in self.sets))
        fitting = [s for s in self.sets if s & rarest]
        for one in sorted(fitting, key=lambda s: -(s & left).bit_count()):
            self.go(left & ~one, taken + 1)

    def _apart(self, left: int) -> int:
        """Return a number of sets that it takes at least: of needs of which no set meets two."""
        count, blocked = 0, 0
        for bit in _bits(left):
            if not bit & blocked:
                count += 1
                blocked |= _union([s for s in self.sets if s & bit])
        return count


def _bits(mask: int) -> list[int]:
    return [1 << k for k in range(mask.bit_length()) if mask >> k & 1]
