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


@dataclass(frozen=True)
class Sums:
    """Values summed by scene and group: `totals` and `counts` are (scenes, groups)."""

    scenes: tuple[str, ...]
    groups: tuple[str, ...]
    totals: Floats
    counts: Floats

    def means(self, weights: Floats | None = None) -> Floats:
        """Return the mean of each group (groups,); with weights (draws, scenes) each draw’s (draws, groups).

        A group without questions, or with none in a draw, is NaN.
        """
        w = np.ones(len(self.scenes)) if weights is None else weights
        totals, counts = w @ self.totals, w @ self.counts
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


def scene_weights(scenes: int, draws: int, seed: int | str, *names: str) -> Floats:
    """Return how often each scene is drawn, (draws, scenes): each draw takes as many scenes as there are."""
    generator = rng(seed, "bootstrap by scene", *names)
    weights: Floats = generator.multinomial(scenes, np.full(scenes, 1 / scenes), size=draws).astype(float)
    return weights


def bootstrap(
    sums: Sums, statistic: Callable[[Floats], Floats], seed: int | str, draws: int = 2_000
) -> tuple[Floats, Floats]:
    """Return `statistic` of the group means, (k,), and of those of every draw, (draws, k).

    `statistic` takes means (..., groups) and gives (..., k); what it clips is clipped inside each draw.
    """
    weights = scene_weights(len(sums.scenes), draws, seed)
    return statistic(sums.means()), statistic(sums.means(weights))


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
