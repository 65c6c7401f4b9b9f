"""Exact tests of a paired difference, and several of them at once.

Two models that are equally good can be swapped: under that hypothesis the sign of what a scene says in favour
of one of them is a coin's. Signs are flipped scene by scene, since answers on one scene hang together. Where
each scene has one question that is right or wrong, this is the exact test of McNemar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.stats.intervals import beta_cdf
from fathom.store.seeds import rng

Floats = NDArray[np.float64]

DRAWS = 20_000
"""How often signs are drawn where they cannot all be counted."""
LARGEST_SUM = 400_000
"""Up to this sum of all scenes, in units of the smallest part of a mark, every way of signs is counted."""
SMALLEST = 1e-12
"""Below this a p-value counted by Fourier transform is rounding error."""

_PARTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 40, 60)


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p-value of McNemar's test, from what one run alone got right."""
    n, k = first_only + second_only, min(first_only, second_only)
    if 2 * k >= n:
        return 1.0
    return min(1.0, 2 * beta_cdf(0.5, n - k, k + 1))


def sign_flips(sums: ArrayLike, seed: int | str = 0) -> tuple[float, bool]:
    """Return the two-sided p-value of the total of `sums` (scenes,) under flips of sign, and if it is exact.

    It is where all sums are multiples of one part of a mark and not too large; else signs are drawn, and the
    drawing itself counts as one, so that the test keeps its level.
    """
    s = np.abs(np.asarray(sums, dtype=float))
    total = abs(float(np.sum(np.asarray(sums, dtype=float))))
    s = s[s > 1e-12]
    if not len(s) or total <= 1e-12:
        return 1.0, True
    whole = _whole(s)
    if whole is None:
        return _drawn(s, total, seed), False
    if (whole == 1).all():
        lost = (len(s) - round(total / float(s[0]))) // 2
        return mcnemar(lost, len(s) - lost), True
    return _counted(whole, round(total / float(s[0]) * float(whole[0]))), True


def _whole(s: Floats) -> NDArray[np.int64] | None:
    """Return the sums as whole numbers of one part of a mark, None where there is no such part."""
    for parts in _PARTS:
        scaled = s * parts
        near = np.round(scaled)
        if np.abs(scaled - near).max() < 1e-6:
            found = near.astype(np.int64)
            found //= np.gcd.reduce(found)
            return found if found.sum() <= LARGEST_SUM else None
    return None


def _counted(whole: NDArray[np.int64], total: int) -> float:
    """Return the share of all ways of signs whose sum is at least `total` from 0.

    A sum of independent ±v has the characteristic function Π cos(v t); its inverse on as many points as there
    are possible sums is the distribution.
    """
    largest = int(whole.sum())
    points = 2 * largest + 1
    values, counts = np.unique(whole, return_counts=True)
    t = 2 * np.pi * np.arange(points) / points
    characteristic = np.ones(points)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        characteristic *= np.cos(value * t) ** count
    probability = np.fft.fft(characteristic).real / points
    # Index d holds the sum d, and the last ones the negative sums; both tails are alike.
    tail = float(probability[total : largest + 1].sum())
    least = max(SMALLEST, 2.0 ** (1 - min(len(whole), 1_000)))
    return min(1.0, max(2 * tail, least))


def _drawn(s: Floats, total: float, seed: int | str) -> float:
    generator = rng(seed, "sign flips")
    reached = 0
    step = max(1, 4_000_000 // len(s))
    for start in range(0, DRAWS, step):
        rows = min(step, DRAWS - start)
        signs = generator.integers(0, 2, size=(rows, len(s)), dtype=np.int8) * 2 - 1
        reached += int((np.abs(signs @ s) >= total - 1e-9 * max(1.0, total)).sum())
    return (reached + 1) / (DRAWS + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted so that among all of them a false alarm is as rare as in one.

    Ref: Holm 1979.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = highest
    return adjusted
