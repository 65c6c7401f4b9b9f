"""How a clip gets its doer along the ground: so that what stands there stays where it stands.

Clips of walks and drives mostly run on the spot, as models for games do: their feet slide back under the
body. The body goes forward by as much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset

Floats = NDArray[np.float64]

PER_SECOND, FEWEST, MOST = 30.0, 9, 240
"""At so many moments a clip is looked at."""

DOWN, SOFT, LEAST = 0.05, 0.1, 0.02
"""What is no higher than this share of the actor's height may stand. It counts the more, the lower it is in
what it goes up and down itself, which is taken for at least such a share of the height.
"""

CANDIDATES = 240
"""So many of the lowest vertices at most are followed."""

STANDS_STILL = 0.05
"""A clip whose ground passes by less than this share of the actor's length in a second goes nowhere."""


@dataclass(frozen=True, eq=False)
class Footing:
    """Where a clip takes its doer.

    times_s : (k,) of the clip; way_m : (k, 2) how far forward and to the left the body has got by then
    stands_m : (k, 2) the middle of what stands on the ground, in the actor's own frame
    middle_m : (k, 2) the middle of the whole, which moves where the clip itself goes somewhere
    slides, slid : what stands goes so far back under a body on the spot on average from moment to moment, and
        along the ground under one that goes forward, in metres
    """

    times_s: Floats
    way_m: Floats
    stands_m: Floats
    middle_m: Floats
    slides: float
    slid: float

    @property
    def speed_mps(self) -> float:
        """How fast it goes forward on average."""
        return float(self.way_m[-1, 0] / max(self.times_s[-1] - self.times_s[0], 1e-9))

    def between(self, one_s: float, other_s: float, loops: bool) -> Floats:
        """Return (2,) how far the body gets from one time of the clip to another, which may lie beyond it."""
        return np.asarray(self._gone(other_s, loops) - self._gone(one_s, loops))

    def _gone(self, time_s: float, loops: bool) -> Floats:
        length = float(self.times_s[-1] - self.times_s[0])
        rounds = math.floor((time_s - self.times_s[0]) / length) if loops and length > 0 else 0
        return np.asarray(_at(self.times_s, self.way_m, self.wound(time_s, loops)) + rounds * self.way_m[-1])

    def wound(self, time_s: float, loops: bool) -> float:
        """Return the time of the clip that stands for one beyond its ends: wound round, or stopped there."""
        begin, length = float(self.times_s[0]), float(self.times_s[-1] - self.times_s[0])
        passed = (time_s - begin) % length if loops and length > 0 else min(max(time_s - begin, 0.0), length)
        return begin + passed

    def middle_at(self, time_s: float) -> Floats:
        """Return (2,) the middle of the whole at a time within the clip."""
        return _at(self.times_s, self.middle_m, time_s)

    def stands_at(self, time_s: float) -> Floats:
        """Return (2,) the middle of what stands at a time within the clip."""
        return _at(self.times_s, self.stands_m, time_s)


@lru_cache(maxsize=1024)
def footing(asset: AnimatedAsset, clip: str, start_s: float, end_s: float) -> Footing:
    """Return how a stretch of a clip gets its doer along the ground."""
    count = int(np.clip(round((end_s - start_s) * PER_SECOND) + 1, FEWEST, MOST))
    times = np.linspace(start_s, end_s, count)
    poses = asset.vertices_over(clip, times)
    middle = np.stack([p[:, :2].mean(axis=0) for p in poses])
    lows = poses[:, :, 2].min(axis=0)
    feet = np.argsort(lows, kind="stable")[
        : max(CANDIDATES, np.count_nonzero(lows < DOWN * asset.extents_m[2]))
    ]
    feet = feet[:: max(1, len(feet) // CANDIDATES)]
    placed = np.stack([p[feet] for p in poses])
    weight = _standing(placed[:, :, 2], asset.extents_m[2])
    both, back = np.minimum(weight[:-1], weight[1:]), placed[:-1, :, :2] - placed[1:, :, :2]
    found = np.stack([_step(b, w) for b, w in zip(back, both, strict=True)])
    # What goes forward under the body swings low: it does not stand.
    found[found[:, 0] < 0.0] = np.nan
    steps = _filled(found)
    total = weight.sum(axis=1)
    stands = np.einsum("kn,knx->kx", weight, placed[:, :, :2]) / np.where(total > 0, total, np.nan)[:, None]
    slides, slid = (_mean(np.linalg.norm(off, axis=2), both) for off in (back, back - steps[:, None]))
    way = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return Footing(times, way, _filled(stands), middle, slides, slid)


def _standing(height_m: Floats, actor_m: float) -> Floats:
    """Return (k, n) how much each vertex, so high above the ground at k moments, counts as standing."""
    z = height_m - max(float(height_m.min()), 0.0)
    own = z.min(axis=0)
    lift = np.maximum(z.max(axis=0) - own, LEAST * actor_m)
    return np.asarray(np.where(z < DOWN * actor_m, np.exp(-(z - own) / (SOFT * lift)), 0.0))


def _step(back: Floats, weight: Floats) -> Floats:
    """Return (2,) how far the body goes while (n, 2) goes back under it; NaN where nothing stands."""
    if not weight.any():
        return np.full(2, np.nan)
    return np.array([_middle_one(back[:, axis], weight) for axis in (0, 1)])


def _mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float((values * weights).sum()) / total if total > 0 else 0.0


def _middle_one(values: Floats, weights: Floats) -> float:
    """Return the weighted median."""
    order = np.argsort(values)
    passed = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(passed, passed[-1] / 2))])


def _filled(rows: Floats) -> Floats:
    """Return (k, 2) rows without NaN: between known ones what lies between them; 0 where none is known."""
    known = ~np.isnan(rows[:, 0])
    if not known.any():
        return np.zeros_like(rows)
    at = np.arange(len(rows))
    return np.column_stack([np.interp(at, at[known], rows[known, axis]) for axis in (0, 1)])


def _at(times_s: Floats, rows: Floats, time_s: float) -> Floats:
    return np.array([np.interp(time_s, times_s, rows[:, axis]) for axis in (0, 1)])
