"""The difference between two runs on the same questions.

What is compared are units: a question, or all its passes (rotations of the options, the mirror image) where
they count as one. Intervals and tests take answers on one scene together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.stats.intervals import (
    Interval,
    accuracy_interval,
    cluster_codes,
    difference_interval,
    mean_interval,
)
from fathom.stats.significance import mcnemar, sign_flips

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """How much better the first of two runs is, with its interval; `p_value` is two-sided, by `test`.

    `first` and `second` are the means of the two. `first_only` and `second_only` count the units on which one
    run did better than the other; `odds_ratio` is their ratio, and `cohens_g` how far the share of the first
    among them lies from one half. `spread` is the mean squared difference of one unit, `design_effect` how
    many times the variance is that of as many units on scenes of their own.
    """

    value: float
    low: float
    high: float
    p_value: float
    test: str
    n: int
    clusters: int
    first: float
    second: float
    first_only: int
    second_only: int
    odds_ratio: float | None
    odds_low: float | None
    odds_high: float | None
    cohens_g: float | None
    spread: float
    design_effect: float


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[str],
    confidence: float = 0.95,
    seed: int | str = 0,
) -> Difference:
    """Return the mean of `first` − `second` (n,), unit by unit, clustered by scene.

    Raises ValueError where the two are not as many, or none.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape:
        raise ValueError(f"a paired difference needs as many values of both runs, not {len(a)} and {len(b)}")
    difference = a - b
    interval = difference_interval(difference, clusters, confidence)
    first_only, second_only = int((difference > 0).sum()), int((difference < 0).sum())
    p_value, test = _test(difference, clusters, seed)
    low, high = _as_tested(interval, p_value, 1 - confidence)
    g, odds = _odds(difference, clusters, confidence)
    return Difference(
        value=interval.value,
        low=low,
        high=high,
        p_value=p_value,
        test=test,
        n=interval.n,
        clusters=interval.clusters,
        first=float(a.mean()),
        second=float(b.mean()),
        first_only=first_only,
        second_only=second_only,
        odds_ratio=odds[0],
        odds_low=odds[1],
        odds_high=odds[2],
        cohens_g=g,
        spread=float((difference**2).mean()),
        design_effect=design_effect(difference, clusters),
    )


def _as_tested(found: Interval, p_value: float, level: float) -> tuple[float, float]:
    """Return the ends of an interval, the one nearer to 0 as the test has it.

    The interval is an approximation, the test exact; near the level they may disagree. An interval holds what
    no test rejects: where the test does not reject 0, it reaches to 0; where it does, it ends there.
    """
    low, high = found.low, found.high
    if p_value >= level:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if found.value > 0 else (low, min(high, 0.0))


def _test(difference: Floats, clusters: Sequence[str], seed: int | str) -> tuple[float, str]:
    codes = cluster_codes(clusters, len(difference))
    scenes = int(codes.max()) + 1
    alone = scenes == len(difference)
    if alone and np.isin(difference, (-1.0, 0.0, 1.0)).all():
        return mcnemar(int((difference > 0).sum()), int((difference < 0).sum())), "exact McNemar"
    p_value, exact = sign_flips(np.bincount(codes, weights=difference), seed)
    by = "question" if alone else "scene"
    return p_value, f"sign-flip permutation test by {by}, {'exact' if exact else 'drawn'}"


def _odds(
    difference: Floats, clusters: Sequence[str], confidence: float
) -> tuple[float | None, tuple[float | None, float | None, float | None]]:
    """Return Cohen's g, and the odds of the first run among the units that tell the two apart."""
    apart = np.flatnonzero(difference)
    if not len(apart):
        return None, (None, None, None)
    share = accuracy_interval(difference[apart] > 0, [clusters[i] for i in apart.tolist()], confidence)
    return share.value - 0.5, (_to_odds(share.value), _to_odds(share.low), _to_odds(share.high))


def _to_odds(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf


def design_effect(values: ArrayLike, clusters: Sequence[str]) -> float:
    """Return how many times the variance of the mean of `values` (n,) is that of as many independent ones.

    It is 1 where no two share a cluster, and where nothing can be told: less than two clusters, no variance.
    """
    y = np.asarray(values, dtype=float)
    found = mean_interval(y, clusters)
    alone = float(y.var(ddof=1)) / len(y) if len(y) > 1 else 0.0
    if found.clusters == len(y) or found.clusters < 2 or alone <= 0:
        return 1.0
    return found.standard_error**2 / alone
