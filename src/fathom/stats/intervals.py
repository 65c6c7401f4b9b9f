"""Intervals for means of questions that come in clusters (several questions on one scene)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


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
    if t == 0:
        return 0.5
    tail = 0.5 * beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5)
    return 1 - tail if t > 0 else tail


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
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction (modified Lentz)."""
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
    """Return a code for the cluster of each of `n` questions; one without a cluster is a cluster of its own."""
    if len(clusters) != n:
        raise ValueError(f"{n} values need as many cluster names, not {len(clusters)}")
    codes: dict[object, int] = {}
    return np.array([codes.setdefault(c or (i,), len(codes)) for i, c in enumerate(clusters)], dtype=np.intp)


def mean_interval(values: ArrayLike, clusters: Sequence[str], confidence: float = 0.95) -> Interval:
    """Return the mean of `values` (n,) with a two-sided interval from the cluster-robust standard error.

    For a one-sided bound of level c ask for the confidence 2c − 1. The scale is left as it is, so use it for
    differences; for accuracies there is `accuracy_interval`.
    """
    y = np.asarray(values, dtype=float)
    if not len(y):
        raise ValueError("a mean needs at least one value")
    codes = cluster_codes(clusters, len(y))
    mean = float(y.mean())
    error, groups = robust_error(y, codes)
    if groups < 2:
        return Interval(mean, -math.inf, math.inf, len(y), groups, math.inf, 0.0)
    half = t_quantile(0.5 + confidence / 2, groups - 1) * error
    return Interval(mean, mean - half, mean + half, len(y), groups, error, groups - 1.0)


def robust_error(values: Floats, codes: NDArray[np.intp]) -> tuple[float, int]:
    """Return the cluster-robust standard error of the mean of `values`, and the number of clusters."""
    groups = int(codes.max()) + 1
    if groups < 2:
        return math.inf, groups
    sums = np.bincount(codes, weights=values - values.mean(), minlength=groups)
    return math.sqrt(groups / (groups - 1) * float(sums @ sums)) / len(values), groups
