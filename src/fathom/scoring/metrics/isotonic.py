"""Accuracies that never fall from bin to bin, and where they cross a level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def monotone(totals: Floats, counts: Floats) -> Floats:
    """Return the non-decreasing fit (…, k) to the means of k bins, weighted by their counts (…, k).

    It is the greatest, over all bins up to one, of the least mean from there to that one or beyond (the
    max-min form of isotonic regression). A bin without a question takes what the next one says.
    """
    bins = totals.shape[-1]
    ends = [np.zeros(totals.shape[:-1])]
    sizes = [np.zeros(counts.shape[:-1])]
    for k in range(bins):
        ends.append(ends[-1] + totals[..., k])
        sizes.append(sizes[-1] + counts[..., k])
    fitted = np.full(totals.shape, np.nan)
    for begin in range(bins):
        least = np.full(totals.shape[:-1], np.nan)
        for end in reversed(range(begin, bins)):
            size = sizes[end + 1] - sizes[begin]
            mean = np.full(size.shape, np.nan)
            np.divide(ends[end + 1] - ends[begin], size, out=mean, where=size > 0)
            least = np.fmin(least, mean)
            fitted[..., end] = np.fmax(fitted[..., end], least)
    return fitted


def crossing(fitted: Floats, middles: Floats, level: float, first: float) -> Floats:
    """Return where fits (…, k) over the middles (k,) of bins reach a level, (…,): half way to that bin.

    `first` where the first bin has reached it already, infinity where none does.
    """
    reached = fitted >= level
    k = reached.argmax(axis=-1)
    at = np.where(k == 0, first, (middles[np.maximum(k - 1, 0)] + middles[k]) / 2)
    return np.where(reached.any(axis=-1), at, np.inf)
