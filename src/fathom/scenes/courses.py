"""Where an actor is while it acts: the body goes as far as what stands on the ground slides under it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.geometry.poses import yaw_quaternion
from fathom.records import Pose
from fathom.scenes.actions import BLEND, PlannedAction, ends, goes
from fathom.scenes.animated_assets import hovers, unit_m
from fathom.scenes.attachments import rounded
from fathom.scenes.footing import STANDS_STILL, Footing, footing

Floats = NDArray[np.float64]

ROOM = 0.9
"""How far an actor gets in a film at most, in its longest side: so it stays large in the picture."""

HOVERS_MPS, HOVERS_FAR = 0.45, 0.6
"""How fast what hovers goes, in its unit a second, and how far, in its longest side: nothing slides."""

SLIDES = 0.5
"""A clip gets nobody along the ground of whose standing vertices this share of the way still slides."""

DRIFTS = 0.15
"""A clip after which its actor's middle is so far off, in its unit, has gone there: the next begins there."""

STILL = ((0.0, 0.0), 0.0)


def gets_along(asset: AnimatedAsset, clip: AssetClip) -> bool:
    """Return whether a clip takes its actor forward."""
    if not goes(clip) or hovers(asset):
        return goes(clip)
    found = _footing(asset, clip)
    still = found.speed_mps < STANDS_STILL * max(asset.extents_m)
    return not still and found.slid <= SLIDES * found.slides


def fits(acts: Sequence[PlannedAction], asset: AnimatedAsset, fps: float) -> bool:
    """Return whether the ways of acts leave an actor large in a picture that holds all of them."""
    return _far(acts, asset, fps) <= ROOM * max(asset.extents_m)


def speed_mps(asset: AnimatedAsset, clip: AssetClip) -> float:
    """Return how fast a clip takes its actor forward, in metres a second."""
    return HOVERS_MPS * unit_m(asset) if hovers(asset) else _footing(asset, clip).speed_mps


def _far(acts: Sequence[PlannedAction], asset: AnimatedAsset, fps: float) -> float:
    """Return how long the ways of acts are together, in metres."""
    return sum(float(np.linalg.norm(_gone(a, asset, fps))) for a in acts if a.way)


def _gone(act: PlannedAction, asset: AnimatedAsset, fps: float) -> Floats:
    first, last = (act.time_s(f, fps) for f in act.span)
    if hovers(asset):
        return np.zeros(2)  # as far as there is room
    return _footing(asset, act.clip).between(first, last, act.loop)


def _footing(asset: AnimatedAsset, clip: AssetClip) -> Footing:
    return footing(asset, clip.name, clip.start_s, clip.end_s)


def poses_of(
    acts: Sequence[PlannedAction],
    asset: AnimatedAsset,
    frames: int,
    fps: float,
    height_m: float,
    turn_rad: float,
) -> tuple[Pose, ...]:
    """Return where the actor stands, one pose for all frames where it stays, else one a frame.

    It begins over the origin with heading 0; `turn_rad` is how far it comes round going left or right.
    """
    share = min(1.0, ROOM * max(asset.extents_m) / max(_far(acts, asset, fps), 1e-9))
    steps = [_step(f, acts, asset, fps, turn_rad, share) for f in range(frames - 1)]
    if all(step == STILL for step in steps):
        return (rounded(np.array([0.0, 0.0, height_m]), (1.0, 0.0, 0.0, 0.0)),)
    at, heading, poses = np.zeros(2), 0.0, []
    for step, turn in (*steps, STILL):
        poses.append(rounded(np.array([*at, height_m]), yaw_quaternion(heading)))
        c, s = math.cos(heading), math.sin(heading)
        at = at + np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
        heading += turn
    return tuple(poses)


def _step(
    frame: int,
    acts: Sequence[PlannedAction],
    asset: AnimatedAsset,
    fps: float,
    turn_rad: float,
    part: float,
) -> tuple[tuple[float, float], float]:
    """Return how far the actor gets until the next frame, forward and to the left, and how far it turns."""
    k = next(k for k, a in enumerate(acts) if a.span[0] <= frame < a.span[1])
    act, left = acts[k], acts[k].span[1] - frame
    gone, turn = np.zeros(2), 0.0
    if act.way:
        gone, turn = _along(act, asset, frame, fps, turn_rad, sum(bool(a.way) for a in acts))
        gone = gone * part
    if k + 1 < len(acts) and left <= BLEND:
        share = (left - 0.5) / BLEND
        gone, turn = gone * share, turn * share
        gone = gone + _drift(act, acts[k + 1], asset, fps) / BLEND
    return (float(gone[0]), float(gone[1])), turn


def _along(
    act: PlannedAction, asset: AnimatedAsset, frame: int, fps: float, turn_rad: float, ways: int
) -> tuple[Floats, float]:
    """Return the step of an actor that goes somewhere, and its turn: about what stands on the ground."""
    count = act.span[1] - act.span[0]
    sign = {"left": 1.0, "right": -1.0}.get(act.way, 0.0)
    turn = sign * turn_rad / count
    if hovers(asset):
        far = min(HOVERS_MPS * unit_m(asset) * count / fps, HOVERS_FAR * max(asset.extents_m) / ways)
        return np.array([math.copysign(far / count, act.rate), 0.0]), turn
    ground = _footing(asset, act.clip)
    one, other = act.time_s(frame, fps), act.time_s(frame + 1, fps)
    stands = ground.stands_at(ground.wound(one, act.loop))
    c, s = math.cos(turn), math.sin(turn)
    left = stands - ground.between(one, other, act.loop)
    return stands - np.array([c * left[0] - s * left[1], s * left[0] + c * left[1]]), turn


def _drift(act: PlannedAction, then: PlannedAction, asset: AnimatedAsset, fps: float) -> Floats:
    """Return how far a clip itself has taken its actor in an act, from where the next one begins."""
    if ends(act.clip):
        return np.zeros(2)
    one, other = _footing(asset, act.clip), _footing(asset, then.clip)
    at, begins = act.time_s(act.span[1], fps), then.time_s(then.span[0], fps)
    drift = one.middle_at(one.wound(at, act.loop)) - other.middle_at(other.wound(begins, then.loop))
    return drift if float(np.linalg.norm(drift)) > DRIFTS * unit_m(asset) else np.zeros(2)
