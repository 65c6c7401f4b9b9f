"""How much of a clip's motion some of its moments show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip

PER_SECOND, MOST = 30.0, 240
SWING = 0.75
"""How much of what the frames show of the way from how a motion begins counts, against what they show of it
whatever it begins with: an action is seen where it has got far from how it began.
"""

VERTICES = 120
"""So many vertices at most, evenly drawn, stand for all of them."""


@dataclass(frozen=True, eq=False)
class ClipPoses:
    """A clip at (k,) evenly spaced times: (k, n, 3) places of some vertices in metres, in the actor's own
    frame.
    """

    times_s: NDArray[np.float64]
    points_m: NDArray[np.float32]
    loops: bool

    def at(self, times_s: Sequence[float]) -> NDArray[np.float64]:
        """Return (F, n, 3) the vertices at times of the clip; beyond its ends it is wound round, or stops."""
        begin, length = self.times_s[0], self.times_s[-1] - self.times_s[0]
        passed = np.asarray(times_s, dtype=np.float64) - begin
        passed = passed % length if self.loops and length > 0 else np.clip(passed, 0.0, length)
        place = passed / max(length, 1e-9) * (len(self.times_s) - 1)
        low = np.minimum(place.astype(np.int64), len(self.times_s) - 2)
        share = (place - low)[:, None, None]
        return np.asarray(self.points_m[low] * (1 - share) + self.points_m[low + 1] * share)


@lru_cache(maxsize=128)
def rest_points(asset: AnimatedAsset) -> NDArray[np.float64]:
    """Return (n, 3) the same vertices as those of `clip_poses` as the actor is modelled, in its own frame."""
    return np.asarray(asset.vertices_over("", np.zeros(1), _rows(asset))[0])


@lru_cache(maxsize=128)
def clip_poses(asset: AnimatedAsset, clip: AssetClip) -> ClipPoses:
    """Return the poses of a clip. They are kept for a while."""
    length = clip.end_s - clip.start_s
    times = np.linspace(clip.start_s, clip.end_s, int(np.clip(round(length * PER_SECOND) + 1, 2, MOST)))
    poses = asset.vertices_over(clip.name, times, _rows(asset))
    return ClipPoses(times, poses.astype(np.float32), clip.loops)


def _rows(asset: AnimatedAsset) -> NDArray[np.int64]:
    count = asset.moving.skinning.count
    return np.arange(0, count, max(1, -(-count // VERTICES)))


def shown_share(poses: NDArray[np.float64], shown: Sequence[int]) -> float:
    """Return how much of the motion of poses (F, n, 3) some of them show.

    It is how far the two that differ most lie apart, as a share of how far any two of all do, and no more
    than `SWING` times what they show of how far the poses get from the first one.
    """
    flat = poses.reshape(len(poses), -1)
    square = (flat * flat).sum(axis=1)
    apart = np.maximum(square[:, None] + square[None] - 2 * flat @ flat.T, 0.0)
    most = float(apart.max())
    chosen = np.asarray(shown, dtype=np.int64)
    if most <= 0.0 or not len(chosen):
        return 0.0
    pair = float(np.sqrt(apart[np.ix_(chosen, chosen)].max() / most))
    swing = float(np.sqrt(apart[0, chosen].max() / max(apart[0].max(), 1e-12)))
    return min(pair, SWING * swing)
