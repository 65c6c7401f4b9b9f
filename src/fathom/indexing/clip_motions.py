"""What is done in a clip whose name says nothing, as far as its motion tells: less sure than a name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.animated.motion import Measures, measures, thinned
from fathom.geometry.rigid import best_rotation
from fathom.indexing.clip_names import NOTHING, NamedVerb

Floats = NDArray[np.float64]

STEPS = 24
LOW, FEET = 0.12, 40
"""What is no higher than this share of the height are feet; so many vertices a side tell how they go."""

APART, REACH = -0.6, 0.08
"""Feet that take turns correlate so little at most, and each goes so far, in lengths of the model."""

LIFTS, RUNS = 0.02, 0.07
"""What walks lifts most of what its feet are by such a share of the height; where all feet are so high above
the ground at some moment, what takes turns runs.
"""

TOGETHER, PITCHES_DEG, GOES = 0.3, 15.0, 0.3
"""Feet of both sides that go together correlate so much, while the body pitches so far and gets on so far, in
lengths of the model, each time: a gallop.
"""

FALLS_DEG, LIES, LYING_DEG, OVER_DEG = 60.0, 0.3, 75.0, 150.0
TURNS_DEG, SPINS_DEG, LEFT_OVER, LEFT_LYING = 60.0, 150.0, 0.3, 0.5
"""What turns or lies down does so as a whole: at most such a share of its motion is left over without it."""

RISES, RETURNS, LEANS_DEG, HARDLY = 0.12, 0.05, 45.0, 0.06
SIDEWAYS, ALONG, AS_HIGH, LYING, BENDS = 0.75, 0.35, 0.2, 0.4, 0.2
"""What swims waves sideways, by such a share of its motion; what lies lowest does so as well, by such a share
of that; it is so high, in lengths, and less than such a share of it lies low: a snake does. It bends: so much
of its motion at least is left over without the turn of the whole, as is not of a skull that is shaken.
"""

LEVEL_DEG, AS_ONE = 15.0, 0.7
"""What has no legs jumps where it leans no farther, and its lowest point rises as its middle does."""

GAIT, WING, FALL, TURN, JUMP, IDLE, SWIM = 0.7, 0.6, 0.7, 0.6, 0.6, 0.6, 0.65
"""How sure each of them is: somebody has to look."""


def moved_verb(asset: AnimatedAsset, clip: AssetClip) -> NamedVerb:
    """Return what a clip's motion tells, of a few things that are plain; nothing of all else.

    Falling over, turning over, walking, running or galloping (by what the feet of both sides do), flying
    (wings move most, again and again), swimming (all of it waves sideways), jumping, turning around and
    hardly moving.
    """
    m = measures(asset, clip)
    rows = thinned(np.arange(sum(len(p.joint) for p in asset.moving.pieces)))
    poses = asset.vertices_over(clip.name, np.linspace(clip.start_s, clip.end_s, STEPS + 1), rows)
    if not clip.loops and (found := _down(m, poses)):
        return NamedVerb(found, FALL, "it ends upside down" if found == "turn_over" else "it ends lying")
    jumps = m.rise >= RISES and m.lift >= RETURNS and abs(m.ends_up) < RETURNS
    if jumps and m.tilted_most_deg < LEANS_DEG and (_has_legs(asset) or _rises_as_one(m)):
        return NamedVerb("jump", JUMP, "it leaves the ground and comes back")
    if clip.loops and m.tilted_most_deg < FALLS_DEG:
        if found := _gait(asset, poses[:-1], m):
            return NamedVerb(
                found, GAIT, f"feet of both sides {'go together' if found == 'gallop' else 'take turns'}"
            )
        if "wing" in m.busiest and clip.cycles > 1 and m.lift >= 0:
            return NamedVerb("fly", WING, "its wings move most")
        if _waves(asset, poses) and not m.treads > RETURNS:
            return NamedVerb("swim", SWIM, "all of it waves sideways")
    return _of_the_whole(m, poses)


def _has_legs(asset: AnimatedAsset) -> bool:
    return any(limb.split(" ")[-1].startswith("leg") for limb in asset.limbs)


def _rises_as_one(m: Measures) -> bool:
    """Return whether all of an object goes up: what arches, or tips over, as a fish does, has not jumped."""
    return m.tilted_most_deg < LEVEL_DEG and m.lift >= AS_ONE * m.rise


def _down(m: Measures, poses: Floats) -> str:
    """Return fall or turn_over where the whole ends lying or upside down, else "".

    Some clips snap back in their very last pose: the one before counts as well.
    """
    before = float(np.degrees(np.arccos(np.clip(best_rotation(poses[0], poses[-2])[2, 2], -1, 1))))
    leans = max(m.tilted_deg, before)
    if leans >= OVER_DEG:
        return "turn_over"
    lies = m.sink >= LIES or (leans >= LYING_DEG and _left_over(poses) < LEFT_LYING)
    return "fall" if leans >= FALLS_DEG and lies else ""


def _of_the_whole(m: Measures, poses: Floats) -> NamedVerb:
    if m.turned_most_deg >= TURNS_DEG and m.tilted_most_deg < FALLS_DEG / 2 and _left_over(poses) < LEFT_OVER:
        return NamedVerb("spin" if m.turned_most_deg >= SPINS_DEG else "turn_around", TURN, "the whole turns")
    if m.motion < HARDLY:
        return NamedVerb("idle", IDLE, "it hardly moves")
    return NOTHING


def _left_over(poses: Floats) -> float:
    """Return how much of the motion to the pose that moved most is not the turn of the whole, as a share."""
    flat = poses - poses.mean(axis=1, keepdims=True)
    moved = np.linalg.norm(flat - flat[0], axis=2).mean(axis=1)
    most = int(moved.argmax())
    turned = flat[0] @ best_rotation(poses[0], poses[most]).T
    return float(np.linalg.norm(flat[most] - turned, axis=1).mean() / max(float(moved[most]), 1e-12))


def _waves(asset: AnimatedAsset, poses: Floats) -> bool:
    """Return whether a body as a whole, the lowest parts of it too, goes from side to side."""
    length, _, height = asset.extents_m
    if height < AS_HIGH * length or any(limb.endswith((" leg", " legs", " arm")) for limb in asset.limbs):
        return False
    if _left_over(poses) < BENDS:
        return False
    ways = np.ptp(poses, axis=0)
    rest = poses.mean(axis=0)
    low = ways[rest[:, 2] <= np.quantile(rest[:, 2], 0.1)]
    if float((rest[:, 2] < rest[:, 2].min() + LOW * height).mean()) > LYING:
        return False
    side = float(ways[:, 1].mean())
    return (
        side > SIDEWAYS * float(np.linalg.norm(ways, axis=1).mean())
        and float(low[:, 1].mean()) > ALONG * side
    )


def _gait(asset: AnimatedAsset, poses: Floats, m: Measures) -> str:
    """Return walk or run where the feet of the left and of the right go forward and back in turn, gallop
    where they go together; else "".
    """
    rest, (length, width, height) = poses.mean(axis=0), asset.extents_m
    low = poses[:, :, 2].min(axis=0) < LOW * height
    sides = [_ahead(poses, low & (sign * rest[:, 1] > 0.02 * width)) for sign in (1.0, -1.0)]
    if any(s is None or float(np.ptp(s)) < REACH * max(length, height) for s in sides):
        return ""
    one, other = (s - s.mean() for s in sides if s is not None)
    together = float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12)
    if together > TOGETHER and m.tilted_most_deg > PITCHES_DEG and m.treads > GOES:
        return "gallop"
    # What goes back on feet that take turns does so backwards; what lifts none of them goes on tracks.
    lifted = float(np.median(np.ptp(poses[:, low, 2], axis=0)))
    if together > APART or m.treads < -RETURNS or lifted < LIFTS * height:
        return ""
    aloft = float(poses[:, low, 2].min(axis=1).max()) - float(poses[:, low, 2].min())
    return "run" if aloft > RUNS * height else "walk"


def _ahead(poses: Floats, chosen: NDArray[np.bool_]) -> Floats | None:
    """Return (k,) how far ahead the lowest of some vertices are, on average; None where there are too few."""
    which = np.flatnonzero(chosen)
    if len(which) < 3:
        return None
    lowest = which[np.argsort(poses[:, which, 2].min(axis=0), kind="stable")[:FEET]]
    return np.asarray(poses[:, lowest, 0].mean(axis=1))
