"""What can be told of candidates, column by column, as numbers.

Values are numbered in the order in which they first come up, so that sums over them have one order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """One thing that can be told of candidates: of each, in their order, the place of its value in `values`,
    which stand in the order in which they first come up.
    """

    codes: Ints
    values: Sequence[Any]

    def of(self, tell: Callable[[Any], Hashable]) -> Column:
        """Return what is told of the values."""
        told = column(list(map(tell, self.values)))
        return Column(told.codes.take(self.codes), told.values)

    def some(self, rows: Ints) -> Column:
        """Return the column of some of the candidates."""
        codes, places = _numbered(self.codes.take(rows), len(self.values))
        return Column(codes, [self.values[k] for k in places.tolist()])


def column(values: Sequence[Hashable]) -> Column:
    """Return a column of values."""
    places: defaultdict[Hashable, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(places.__getitem__, values), np.int64, len(values))
    return Column(codes, list(places))


def constant(value: Hashable, size: int) -> Column:
    """Return a column of one value."""
    return Column(np.zeros(size, dtype=np.int64), [value])


def paired(one: Column, two: Column) -> Column:
    """Return a column of pairs."""
    k = len(two.values)
    codes, places = _numbered(one.codes * k + two.codes, len(one.values) * k)
    return Column(codes, [(one.values[p // k], two.values[p % k]) for p in places.tolist()])


def summed(one: Column, two: Column) -> Column:
    """Return a column of the sums of two columns of numbers."""
    return paired(one, two).of(sum)


def end_to_end(parts: Sequence[Column]) -> Column:
    """Return one column of the candidates of several lots."""
    firsts = accumulate((len(part.values) for part in parts), initial=0)
    codes = np.concatenate([part.codes + first for part, first in zip(parts, firsts, strict=False)])
    together = column([v for part in parts for v in part.values])
    return Column(together.codes.take(codes), together.values)


def _numbered(codes: Ints, size: int) -> tuple[Ints, Ints]:
    """Return numbers below `size` numbered anew in the order in which they first come up, and which number
    each of the new ones was.
    """
    first = np.full(size, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    seen = np.flatnonzero(first < len(codes))
    places = seen[first[seen].argsort()]
    new = np.empty(size, dtype=np.int64)
    new[places] = np.arange(len(places))
    return new.take(codes), places
