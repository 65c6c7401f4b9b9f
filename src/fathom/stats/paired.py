"""The difference between two runs on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.stats.intervals import mean_interval, t_cdf


@dataclass(frozen=True)
class Difference:
    """How much better the first of two runs is, with its interval; `p_value` is two-sided.

    `first_only` and `second_only` count the questions on which one run did better than the other.
    """

    value: float
    low: float
    high: float
    p_value: float
    n: int
    clusters: int
    first_only: int
    second_only: int


def paired_difference(
    first: ArrayLike, second: ArrayLike, clusters: Sequence[str], confidence: float = 0.95
) -> Difference:
    """Return the mean of `first` − `second` (n,), question by question, clustered by scene.

    Raises ValueError where the two are not as many, or none.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape:
        raise ValueError(f"a paired difference needs as many values of both runs, not {len(a)} and {len(b)}")
    difference = a - b
    interval = mean_interval(difference, clusters, confidence)
    p_value = 1.0
    if interval.clusters > 1 and interval.value:
        p_value = 0.0
        if interval.standard_error:
            p_value = 2 * t_cdf(-abs(interval.value) / interval.standard_error, interval.degrees)
    return Difference(
        value=interval.value,
        low=max(-1.0, interval.low),
        high=min(1.0, interval.high),
        p_value=p_value,
        n=interval.n,
        clusters=interval.clusters,
        first_only=int((difference > 0).sum()),
        second_only=int((difference < 0).sum()),
    )
