"""Intervals for means of questions that come in clusters (several questions on one scene).

An accuracy gets a Wilson interval in which the number of questions is replaced by the effective one: the
number of independent questions that would give the same standard error as the scenes do (Korn and Graubard
1998). The error is that of the jackknife by scene, the quantile Student's with the degrees of freedom that
scenes of unequal size leave. tests/stats/test_intervals.py simulates the coverage.

A difference of two runs gets the interval of Bonett and Price (2012) with the effective number of questions:
one question is added on which the first alone is right, and one on which the second alone is. So it has a
width even where no question, or each, tells the two apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


ASSUMED_CORRELATION = 0.3
"""Correlation of two answers on one scene, where the answers themselves cannot tell."""
ASSUMED_WEIGHT = 3.0
"""How many of the scenes that have one of the rarer answers (wrong ones, mostly) the assumption is worth."""
LEAST_EFFECT = 0.25
"""A mean over scenes is never taken to be surer than that of four times as many independent questions."""


@dataclass(frozen=True)
class Interval:
    """A mean with its interval; `degrees` are those of Student's t, `n` questions in `clusters` clusters."""

    value: float
    low: float
    high: float
    n: int
    clusters: int
    standard_error: float
    degrees: float


def t_cdf(t: float, degrees: float) -> float:
    """Return the probability that Student's t with `degrees` (any positive number) is at most `t`."""
    if t * t < degrees:
        return 0.5 + math.copysign(0.5, t) * beta_cdf(t * t / (degrees + t * t), 0.5, degrees / 2)
    tail = 0.5 * beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5)
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def t_quantile(probability: float, degrees: float) -> float:
    """Return the value that Student's t with `degrees` stays under with this probability."""
    if not 0 < probability < 1 or degrees <= 0:
        raise ValueError(
            f"t_quantile needs 0 < probability < 1 and degrees > 0, not {probability}, {degrees}"
        )
    if degrees > 1e7:
        return NormalDist().inv_cdf(probability)
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < probability:
        low, high = high, high * 2
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return 0.5 * (low + high)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    d = 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    c, fraction = 1.0, d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / _away(1 + term * d, tiny)
            c = _away(1 + term / c, tiny)
            step = c * d
            fraction *= step
        if abs(step - 1) < 1e-15:
            break
    return front * fraction / a


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def cluster_codes(clusters: Sequence[str], n: int) -> NDArray[np.intp]:
    """Return the number of each question's cluster (n,); one without a name is a cluster of its own."""
    if len(clusters) != n:
        raise ValueError(f"{n} values need as many cluster names, not {len(clusters)}")
    codes: dict[object, int] = {}
    return np.array([codes.setdefault(c or (i,), len(codes)) for i, c in enumerate(clusters)], dtype=np.intp)


def accuracy_interval(values: ArrayLike, clusters: Sequence[str], confidence: float = 0.95) -> Interval:
    """Return the mean of `values` (n,), each from 0 to 1, with a two-sided interval clustered by scene.

    With one question a scene it is Wilson's interval (with Student's t). Where all answers are right, or all
    wrong, it still has a width; on a single scene nothing is known of others, and it goes from 0 to 1.
    """
    y = np.asarray(values, dtype=float)
    if not len(y) or y.min() < 0 or y.max() > 1:
        raise ValueError("an accuracy needs at least one value, and all of them from 0 to 1")
    codes = cluster_codes(clusters, len(y))
    sizes: Floats = np.bincount(codes).astype(np.float64)
    sums: Floats = np.bincount(codes, weights=y).astype(np.float64)
    low, high, error, degrees = (float(a[0]) for a in clustered_wilson(sums[None], sizes, confidence))
    return Interval(float(y.mean()), low, high, len(y), len(sizes), error, degrees)


def interval_of_passes(
    values: ArrayLike, questions: Sequence[str], clusters: Sequence[str], confidence: float = 0.95
) -> Interval:
    """Return the mean of passes (n,), several of which may be of one question, with a two-sided interval.

    A question counts once, with the mean of its passes, however often it was put: asking again tells little
    of other questions. Where all have as many passes it is `accuracy_interval` of these means.
    """
    y = np.asarray(values, dtype=float)
    if len(set(questions)) == len(y):
        return accuracy_interval(y, clusters, confidence)
    of_question = cluster_codes(questions, len(y))
    passes = np.bincount(of_question).astype(np.float64)
    scene_of = np.empty(len(passes), dtype=np.intp)
    scene_of[of_question] = cluster_codes(clusters, len(y))
    weights: Floats = passes / passes.mean()
    means = np.bincount(of_question, weights=y) / passes
    sizes: Floats = np.bincount(scene_of, weights=weights).astype(np.float64)
    sums: Floats = np.bincount(scene_of, weights=weights * means).astype(np.float64)
    low, high, error, degrees = (float(a[0]) for a in clustered_wilson(sums[None], sizes, confidence))
    return Interval(float(y.mean()), low, high, len(y), len(sizes), error, degrees)


def clustered_wilson(
    sums: Floats, sizes: Floats, confidence: float = 0.95
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return low, high, standard error and degrees of freedom (r,) of r repetitions of one experiment.

    `sums` (r, scenes) are the right answers on each scene, out of `sizes` (scenes,) questions.
    """
    n, scenes = sizes.sum(), len(sizes)
    p = sums.sum(axis=1) / n
    if scenes < 2:
        return np.zeros_like(p), np.ones_like(p), np.full_like(p, np.inf), np.zeros_like(p)
    left_out = (sums - p[:, None] * sizes) / (n - sizes)
    variance = (scenes - 1) / scenes * (left_out**2).sum(axis=1)
    correlation = _correlation(variance, p, sums, sizes)
    effect = np.maximum(1 + ((sizes**2).sum() / n - 1) * correlation, LEAST_EFFECT)
    weights = sizes * (1 + (sizes - 1) * np.clip(correlation, 0, 1)[:, None])
    degrees = np.maximum(weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1) - 1, 1).round(1)
    t = np.array([t_quantile(0.5 + confidence / 2, d) for d in degrees.tolist()])
    k = t**2 * effect / (n - 1)
    middle = (p + k / 2) / (1 + k)
    half = np.sqrt(p * (1 - p) * k + k**2 / 4) / (1 + k)
    return np.clip(middle - half, 0, p), np.clip(middle + half, p, 1), np.sqrt(variance), degrees


def _correlation(variance: Floats, p: Floats, sums: Floats, sizes: Floats) -> Floats:
    """Return the correlation of answers on one scene that explains `variance` (r,), drawn to the assumed one.

    It is drawn the more, the fewer scenes have an answer that differs from the rest: from wrong answers on
    three scenes nobody can tell whether wrong answers come together, however many there are.
    """
    n = sizes.sum()
    larger = (sizes**2).sum() / n - 1
    if larger <= 0:
        return np.zeros_like(p)
    alone = p * (1 - p) / (n - 1)
    seen = np.where(alone > 0, variance / np.where(alone > 0, alone, 1) - 1, 0) / larger
    rarer = np.where(p[:, None] >= 0.5, sizes - sums, sums)
    telling = (rarer > 1e-9).sum(axis=1)
    drawn: Floats = (telling * seen + ASSUMED_WEIGHT * ASSUMED_CORRELATION) / (telling + ASSUMED_WEIGHT)
    return drawn


def difference_interval(values: ArrayLike, clusters: Sequence[str], confidence: float = 0.95) -> Interval:
    """Return the mean of paired differences `values` (n,), each from −1 to 1, with a two-sided interval.

    It is clustered by scene, and has a width however alike the differences are; on a single scene nothing is
    known of others, and it goes from −1 to 1.
    """
    y = np.asarray(values, dtype=float)
    found = mean_interval(y, clusters, confidence)
    if found.clusters < 2:
        return replace(found, low=-1.0, high=1.0)
    codes = cluster_codes(clusters, len(y))
    sizes: Floats = np.bincount(codes).astype(np.float64)
    correlation = _correlation_of_differences(y, codes, sizes, found.standard_error**2)
    independent = len(y) / max(1 + (float(sizes @ sizes) / len(y) - 1) * correlation, LEAST_EFFECT)
    weights = sizes * (1 + (sizes - 1) * min(max(correlation, 0.0), 1.0))
    degrees = max(1.0, round(float(weights.sum() ** 2 / (weights @ weights)) - 1, 1))
    middle = independent * found.value / (independent + 2)
    spread = (independent * float((y**2).mean()) + 2) / (independent + 2)
    half = t_quantile(0.5 + confidence / 2, degrees) * math.sqrt((spread - middle**2) / (independent + 2))
    return replace(
        found,
        low=max(-1.0, min(middle - half, found.value)),
        high=min(1.0, max(middle + half, found.value)),
        degrees=degrees,
    )


def _correlation_of_differences(y: Floats, codes: NDArray[np.intp], sizes: Floats, variance: float) -> float:
    """Return the correlation of differences on one scene that explains `variance`, drawn to the assumed one.

    It is drawn the more, the fewer scenes have a difference other than the commonest.
    """
    larger = float(sizes @ sizes) / len(y) - 1
    if larger <= 0:
        return 0.0
    alone = float(y.var()) / (len(y) - 1)
    seen = (variance / alone - 1) / larger if alone > 0 else 0.0
    kinds, counts = np.unique(y, return_counts=True)
    telling = len(np.unique(codes[y != kinds[counts.argmax()]]))
    return (telling * seen + ASSUMED_WEIGHT * ASSUMED_CORRELATION) / (telling + ASSUMED_WEIGHT)


def mean_interval(values: ArrayLike, clusters: Sequence[str], confidence: float = 0.95) -> Interval:
    """Return the mean of `values` (n,) with a two-sided interval from the cluster-robust standard error.

    For a one-sided bound of level c ask for the confidence 2c − 1. The scale is left as it is, and where all
    values are alike there is no width: for accuracies there is `accuracy_interval`, for paired differences
    `difference_interval`.
    """
    y = np.asarray(values, dtype=float)
    if not len(y):
        raise ValueError("a mean needs at least one value")
    codes = cluster_codes(clusters, len(y))
    sizes = np.bincount(codes).astype(np.float64)
    mean, groups = float(y.mean()), len(sizes)
    if groups < 2:
        return Interval(mean, -math.inf, math.inf, len(y), groups, math.inf, 0.0)
    left_out = np.bincount(codes, weights=y - mean) / (len(y) - sizes)
    error = math.sqrt((groups - 1) / groups * float(left_out @ left_out))
    degrees = max(1.0, round(float(sizes.sum() ** 2 / (sizes @ sizes)) - 1, 1))
    half = t_quantile(0.5 + confidence / 2, degrees) * error
    return Interval(mean, mean - half, mean + half, len(y), groups, error, degrees)
