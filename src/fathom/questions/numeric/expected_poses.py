"""When one who knows how other cameras went would expect a camera at each place of its way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.questions.numeric.error_sampling import Floats

SAMPLES = 25
"""At how many places of its way a camera is looked at."""

SMOOTH = np.array([1, 2, 3, 2, 1]) / 9
"""The weights of the samples around each, by which expectations are smoothed."""

NEAREST = 8
"""By the distance of so manieth camera it is judged which ones come near."""


def expected_times(cameras: Sequence[Floats], times_s: Sequence[Floats], weights: Floats) -> list[Floats]:
    """Return for each camera (F, 6) the times (F,) at which others are near its pose, on the mean.

    What counts is how far aside, how far ahead and how far turned, whichever side that is; `weights` (6,)
    make one distance of it. Times never fall along a way. Of one camera alone they are its own.
    """
    if len(cameras) < 2:
        return [np.asarray(t, dtype=np.float64) for t in times_s]
    rows = [np.linspace(0, len(t) - 1, SAMPLES).round().astype(int) for t in times_s]
    spots = np.stack([_spot(c[r], weights) for c, r in zip(cameras, rows, strict=True)])
    clocks = np.stack([t[r] for t, r in zip(times_s, rows, strict=True)])
    k = min(NEAREST, len(cameras) - 1)
    out = []
    for own, (row, times) in enumerate(zip(rows, times_s, strict=True)):
        apart = np.linalg.norm(spots[own][:, None, None] - spots[None], axis=3)
        apart[:, own] = np.inf
        at = apart.argmin(axis=2)
        nearest = np.take_along_axis(apart, at[..., None], axis=2)[..., 0]
        then = clocks[np.arange(len(cameras))[None], at]
        reach = np.maximum(np.sort(nearest, axis=1)[:, k - 1 : k], 1e-9)
        near = np.exp(-0.5 * (nearest / reach) ** 2)
        expected = (near * then).sum(axis=1) / near.sum(axis=1)
        smooth = np.convolve(np.pad(expected, len(SMOOTH) // 2, mode="edge"), SMOOTH, mode="valid")
        out.append(np.interp(times, times[row], np.maximum.accumulate(smooth)))
    return out


def _spot(poses: Floats, weights: Floats) -> Floats:
    """Return (n, 3) how far aside, ahead and turned a camera is, in metres."""
    found: Floats = np.column_stack([np.abs(poses[:, 0]), poses[:, 2], np.abs(poses[:, 3])])
    return found * weights[[0, 2, 3]]
