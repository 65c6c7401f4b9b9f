"""One bootstrap by scene that all scores share, so that ratios of accuracies keep their correlation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.stats.intervals import t_quantile
from fathom.store.seeds import rng

Floats = NDArray[np.float64]

_KIND_COSTS = 5
"""What drawing the number of one kind costs, in draws of one scene: measured."""
_AT_ONCE = 2_000_000
"""So many draws of a scene are held in memory at once."""


@dataclass(frozen=True)
class Sums:
    """Values summed by scene and group: `totals` and `counts` are (scenes, groups)."""

    scenes: tuple[str, ...]
    groups: tuple[str, ...]
    totals: Floats
    counts: Floats

    def means(self) -> Floats:
        """Return the mean of each group (groups,); one without questions is NaN."""
        return _ratio(self.totals.sum(axis=0), self.counts.sum(axis=0))

    def drawn_means(self, draws: int, seed: int | str) -> Floats:
        """Return the means of each draw of scenes, (draws, groups); a group with no question in it is NaN."""
        both = drawn_sums(np.hstack([self.totals, self.counts]), draws, seed)
        return _ratio(both[:, : len(self.groups)], both[:, len(self.groups) :])


def _ratio(totals: Floats, counts: Floats) -> Floats:
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)


def sums_by_scene(
    values: ArrayLike, scenes: Sequence[str], groups: Sequence[str], names: Sequence[str]
) -> Sums:
    """Return the sums of `values` (n,) by scene, in the order of their names, and by group."""
    y = np.asarray(values, dtype=float)
    order = sorted(set(scenes))
    row_of, column_of = {s: i for i, s in enumerate(order)}, {g: i for i, g in enumerate(names)}
    cells = np.array([row_of[s] * len(names) + column_of[g] for s, g in zip(scenes, groups, strict=True)],
                     dtype=np.intp)  # fmt: skip
    shape = len(order), len(names)
    # Summed in a fixed order, so that the order in which answers came in cannot change the last digit.
    ranked = np.lexsort((y, cells))
    size = shape[0] * shape[1]
    totals = np.bincount(cells[ranked], weights=y[ranked], minlength=size).astype(np.float64).reshape(shape)
    counts = np.bincount(cells, minlength=size).reshape(shape).astype(np.float64)
    return Sums(tuple(order), tuple(names), totals, counts)


def drawn_sums(rows: Floats, draws: int, seed: int | str) -> Floats:
    """Return the sums of each draw, (draws, k), of rows (scenes, k); each takes as many scenes as there are.

    Scenes with equal rows are alike, so only how often each kind of row is drawn matters: where there are
    few kinds that is drawn, else the scenes one by one.
    """
    scenes = len(rows)
    kinds, sizes = np.unique(rows, axis=0, return_counts=True)
    generator = rng(seed, "bootstrap by scene")
    if len(kinds) * _KIND_COSTS < scenes:
        chosen = generator.multinomial(scenes, sizes / scenes, size=draws)
        return np.asarray(chosen @ kinds, dtype=np.float64)
    # Rows in the order of their values, so that the names of scenes cannot change a draw.
    ordered = np.repeat(kinds, sizes, axis=0)
    found = np.empty((draws, rows.shape[1]))
    step = max(1, _AT_ONCE // max(scenes, 1))
    for start in range(0, draws, step):
        some = range(start, min(start + step, draws))
        chosen = generator.integers(scenes, size=(len(some), scenes))
        chosen += scenes * np.arange(len(some))[:, None]
        weights = np.bincount(chosen.ravel(), minlength=chosen.size).reshape(chosen.shape)
        found[start : some.stop] = weights.astype(np.float64) @ ordered
    return found


def bootstrap(
    sums: Sums, statistic: Callable[[Floats], Floats], seed: int | str, draws: int = 2_000
) -> tuple[Floats, Floats]:
    """Return `statistic` of the group means, (k,), and of those of every draw, (draws, k).

    `statistic` takes means (..., groups) and gives (..., k); what it clips is clipped inside each draw.
    """
    return statistic(sums.means()), statistic(sums.drawn_means(draws, seed))


def percentile_interval(
    draws: ArrayLike, scenes: int, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Return the percentiles of `draws` (n,) that bound the interval, None where it cannot be given.

    With few scenes a bootstrap spreads too little; the percentiles are moved outwards as far as Student's t
    with its degrees of freedom lies beyond the normal (Hesterberg 2015, "expanded percentile").
    """
    y = np.asarray(draws, dtype=float)
    y = y[np.isfinite(y)]
    if scenes < 2 or not len(y):
        return None
    t = t_quantile(0.5 + confidence / 2, scenes - 1)
    tail = NormalDist().cdf(-t * float(np.sqrt(scenes / (scenes - 1))))
    low, high = np.quantile(y, [tail, 1 - tail]).tolist()
    return low, high


def centred_interval(
    value: float, draws: ArrayLike, scenes: int, confidence: float = 0.95, least: float = -np.inf
) -> tuple[float, float] | None:
    """Return the percentiles of `draws` (n,), moved so that their median is `value`; none is below `least`.

    For a number that few answers push one way, such as a spread: drawing them again pushes it once more, so
    that the draws lie beside the value. What is bounded is what sets of as many scenes give on average. None
    where it cannot be given, or all draws are alike.
    """
    y = np.asarray(draws, dtype=float)
    bounds = percentile_interval(y, scenes, confidence)
    if bounds is None or bounds[0] == bounds[1]:
        return None
    away = value - float(np.median(y[np.isfinite(y)]))
    return max(least, min(bounds[0] + away, value)), max(bounds[1] + away, value)
