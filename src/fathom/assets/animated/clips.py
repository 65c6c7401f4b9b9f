"""What can be measured of a clip: the part that moves, whether it ends as it began, how often it repeats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class PosedClip:
    """A model in one of its clips, in units in which it is about 1 large.

    count : its vertices; at : the (t, r, 3) places at times (t,) of some of them, rows (r,)
    """

    count: int
    at: Callable[[Points, Rows], Points]

    def drawn(self, most: int) -> Rows:
        """Return at most so many rows, evenly drawn."""
        return np.unique(np.linspace(0, self.count - 1, min(self.count, most)).astype(np.int64))


@dataclass(frozen=True)
class ClipRules:
    """Thresholds; lengths are in sizes of the model (the longest side of its box).

    per_second : poses that are compared; at least `fewest` and at most `most` in one clip
    still_speed : a model none of whose vertices is faster (sizes per second) does not move
    fewest_motion : a clip in which no vertex ever gets further from its first place moves nothing
    same_pose : how far any vertex may be from its first place for the last pose to be the first
    frame_s, most_gap : what a vertex may move from the last pose to the first: as much as it usually moves
        in this time, and never more
    same_shape : the same between vertices and the nearest ones, for wheels that turn by a spoke
    return_ : how much of its whole way a movement must go back before it can be made again
    alike : how well (correlation) the second time must match the first
    """

    per_second: float = 30.0
    fewest: int = 9
    most: int = 240
    vertices: int = 1_500
    still_speed: float = 0.006
    fewest_motion: float = 0.008
    same_pose: float = 0.02
    frame_s: float = 1 / 24
    most_gap: float = 0.08
    same_shape: float = 0.004
    return_: float = 0.4
    alike: float = 0.8


RULES = ClipRules()

_ENOUGH = 100
"""How many vertices of a limb tell how it moves."""


@dataclass(frozen=True)
class MeasuredClip:
    """What was measured: `motion` is how far any vertex gets from its first place, in sizes of the model."""

    start_s: float
    end_s: float
    loops: bool
    motion: float


def measured(posed: PosedClip, begin_s: float, end_s: float, rules: ClipRules = RULES) -> MeasuredClip | None:
    """Return what is measured of the clip between two times; None where nothing moves."""
    times = moments(begin_s, end_s, rules)
    poses = posed.at(times, posed.drawn(rules.vertices))
    moved = _furthest(poses - poses[0])
    if float(moved.max()) < rules.fewest_motion:
        return None
    speed = _furthest(np.diff(poses, axis=0)) / np.diff(times)
    moving = np.flatnonzero(speed > rules.still_speed)
    if not len(moving):
        return None
    first, last = int(moving[0]), int(moving[-1]) + 1
    kept = poses[first : last + 1]
    return MeasuredClip(
        start_s=round(float(times[first]), 4),
        end_s=round(float(times[last]), 4),
        loops=loops(posed, float(times[first]), float(times[last]), kept, rules),
        motion=round(float(_furthest(kept - kept[0]).max()), 4),
    )


def moments(begin_s: float, end_s: float, rules: ClipRules = RULES) -> Points:
    """Return evenly spread times (k,) at which the poses of a clip are compared."""
    wanted = math.ceil((end_s - begin_s) * rules.per_second) + 1
    return np.linspace(begin_s, end_s, min(max(wanted, rules.fewest), rules.most))


def _furthest(offsets: Points) -> Points:
    """Return (k,) the largest length among the (k, n, 3) offsets of each pose."""
    return np.asarray(np.sqrt((offsets * offsets).sum(axis=-1).max(axis=-1)))


def loops(posed: PosedClip, start_s: float, end_s: float, poses: Points, rules: ClipRules = RULES) -> bool:
    """Return whether the last pose leads to the first, vertex by vertex or as a shape.

    The gap may be as large as what usually happens from one frame of a film to the next: nobody sees it.
    `poses` are samples of the clip.
    """
    step = float(np.median(_furthest(np.diff(poses, axis=0)))) * (len(poses) - 1) / (end_s - start_s)
    gap = float(_furthest((poses[-1] - poses[0])[None])[0])
    if gap <= max(rules.same_pose, min(step * rules.frame_s, rules.most_gap)):
        return True
    from scipy.spatial import cKDTree

    one, other = posed.at(np.array([start_s, end_s]), np.arange(posed.count))
    there, _ = cKDTree(one).query(other)
    back, _ = cKDTree(other).query(one)
    return bool(max(np.max(there), np.max(back)) <= rules.same_shape)


def telling(limb: Rows) -> Rows:
    """Return which of a limb's vertices tell how it moves."""
    return limb[:: max(1, len(limb) // _ENOUGH)]


def cycles(limbs: Sequence[Points], rules: ClipRules = RULES) -> int:
    """Return how many times a movement is made; 1 where it does not repeat.

    `limbs` are (k, n, 3) places of vertices over evenly spread times, one array a limb. Of the limb that
    moves most, the way that it moves most counts: how often it comes to the far end of it.
    """
    from scipy.signal import find_peaks

    ways = [_way(limb) for limb in limbs if limb.size]
    way = max(ways, key=lambda w: float(np.ptp(w)), default=np.zeros(1))
    reach = float(np.ptp(way))
    if reach < 1e-12:
        return 1
    apart = way - way[0]
    far = apart if apart.max() >= -apart.min() else -apart
    peaks, _ = find_peaks(far, prominence=rules.return_ * reach)
    return len(peaks) if len(peaks) > 1 and _repeats(np.diff(way), len(peaks), rules) else 1


def _repeats(speed: Points, times: int, rules: ClipRules) -> bool:
    """Return whether a speed (k,) is the same again after about one of so many parts of the whole.

    A swing back before a blow and the blow itself are two movements, not twice the same.
    """
    period = len(speed) / times
    lags = range(max(1, int(0.75 * period)), min(len(speed) - 2, math.ceil(1.25 * period)) + 1)
    return max((_alike(speed, lag) for lag in lags), default=0.0) >= rules.alike


def _alike(speed: Points, lag: int) -> float:
    """Return the correlation of a speed with itself `lag` samples later."""
    a, b = speed[: len(speed) - lag], speed[lag:]
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size > 1e-15 else 0.0


def _way(limb: Points) -> Points:
    """Return (k,) where a limb is along the way on which it moves most, in lengths of its mean vertex."""
    from scipy.linalg import eigh

    flat = limb.reshape(len(limb), -1)
    flat = flat - flat.mean(axis=0)
    last = len(limb) - 1
    energy, along = eigh(flat @ flat.T, subset_by_index=(last, last), check_finite=False)
    return np.asarray(along[:, -1] * math.sqrt(max(float(energy[-1]), 0.0) / limb.shape[1]))
