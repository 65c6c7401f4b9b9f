"""What is done in a clip whose name says nothing, as far as its motion tells: less sure than a name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.animated.motion import Measures, measures, thinned
from fathom.indexing.clip_names import NOTHING, NamedVerb

Floats = NDArray[np.float64]

STEPS = 24
LOW, FEET = 0.12, 40
"""What is no higher than this share of the height are feet; so many vertices a side tell how they go."""

APART, REACH = -0.6, 0.08
"""Feet that take turns correlate so little at most, and each goes so far, in lengths of the model."""

RUNS = 0.03
"""Where all feet are this share of the height above the ground at some moment, what takes turns runs."""

FALLS_DEG, LIES = 60.0, 0.3
TURNS_DEG, SPINS_DEG = 60.0, 150.0
RISES, RETURNS, HARDLY = 0.12, 0.05, 0.06

GAIT, WING, FALL, TURN, JUMP, IDLE = 0.7, 0.7, 0.7, 0.6, 0.6, 0.6
"""How sure each of them is: somebody has to look."""


def moved_verb(asset: AnimatedAsset, clip: AssetClip) -> NamedVerb:
    """Return what a clip's motion tells, of a few things that are plain; nothing of all else.

    Falling over, walking or running (feet of both sides take turns), flying (wings move most), jumping,
    turning around and hardly moving.
    """
    m = measures(asset, clip)
    if m.tilted_deg >= FALLS_DEG and m.sink >= LIES:
        return NamedVerb("fall", FALL, "it ends lying")
    if (gait := _gait(asset, clip)) and m.tilted_most_deg < FALLS_DEG:
        return NamedVerb(gait, GAIT, "feet of both sides take turns")
    if "wing" in m.busiest:
        return NamedVerb("fly", WING, "its wings move most")
    return _of_the_whole(m)


def _of_the_whole(m: Measures) -> NamedVerb:
    if m.rise >= RISES and m.lift >= RETURNS and abs(m.ends_up) < RETURNS and m.tilted_most_deg < FALLS_DEG:
        return NamedVerb("jump", JUMP, "it leaves the ground and comes back")
    if m.turned_most_deg >= TURNS_DEG and m.tilted_most_deg < FALLS_DEG / 2:
        return NamedVerb("spin" if m.turned_most_deg >= SPINS_DEG else "turn_around", TURN, "the whole turns")
    if m.motion < HARDLY:
        return NamedVerb("idle", IDLE, "it hardly moves")
    return NOTHING


def _gait(asset: AnimatedAsset, clip: AssetClip) -> str:
    """Return walk or run where the feet of the left and of the right go forward and back in turn, else ""."""
    if not clip.loops:
        return ""
    times = np.linspace(clip.start_s, clip.end_s, STEPS, endpoint=False)
    rows = thinned(np.arange(sum(len(p.joint) for p in asset.moving.pieces)))
    poses = asset.vertices_over(clip.name, times, rows)
    rest, (length, width, height) = poses.mean(axis=0), asset.extents_m
    low = poses[:, :, 2].min(axis=0) < LOW * height
    sides = [_ahead(poses, low & (sign * rest[:, 1] > 0.02 * width)) for sign in (1.0, -1.0)]
    if any(s is None or float(np.ptp(s)) < REACH * max(length, height) for s in sides):
        return ""
    one, other = (s - s.mean() for s in sides if s is not None)
    together = float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12)
    if together > APART:
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
