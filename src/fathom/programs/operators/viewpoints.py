"""Which of two is higher or nearer, and how objects are turned: towards the camera, towards one another.

Everything but distances from the camera, and the side that it sees, is the same from wherever the scene is
looked at. Sides here are an object's own: its front is where its x axis points. Of each answer there is a
ratio: how far it is from its threshold, in tolerances; from 1 on nobody would say otherwise.

Ref: 3DSRBench §3.1; docs/benchmarks/3dsrbench-questions.md.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, TruthValue, Unanswerable, ValueType
from fathom.programs.views.video import CAMERA, Array, VideoView

HIGHER_M = 0.1
"""By how much the middle of one object is at least higher than that of another."""

OVER_SHARE, OVER_CLEAR = 0.9, 1.3
"""Directly above: the middle within this share of the half sides below it; not: from the second on."""

ON_TOP_M = 0.04
"""What is above may reach so far below the top of what it stands on."""

NEARER_M, NEARER_SHARE = 0.12, 0.06
"""By how much, and by which share, one distance is at least shorter than another."""

NEAREST_M = 0.08
"""By how much the nearest point of what is nearer by its middle is at least nearer than that of the other."""

BESIDE_M, BESIDE_TOLERANCE_M = 0.65, 0.3
"""Next to each other: gaps up to the difference of the two; far apart: from their sum on."""

HALF_DEG = 30.0
"""How far the direction of something is at least from the border between front and behind, left and right."""

QUARTER_DEG = 12.0
"""How far it is at least from the border between two of four sides."""

FACES_DEG, FACES_TOLERANCE_DEG = 35.0, 12.0
"""Towards what an object faces: within the difference of the two; what it does not: that much more."""

PARALLEL_DEG = 10.0
"""How far an angle is at least from halfway between parallel and at right angles."""

SAME_DEG, SAME_TOLERANCE_DEG = 60.0, 30.0
"""Facing the same way: up to their difference apart; very different ways: from their sum on."""

SIDES = ("front", "left", "back", "right")
"""An object's sides, counter-clockwise: the middle of the k-th lies at k · 90° from its front."""


def _word(tracks: VideoView, word: str, ratio: float, value: float, unit: str, *objects: int) -> Measured:
    between = tuple("the camera" if k == CAMERA else tracks.objects[k] for k in objects)
    if ratio <= 0:
        raise Unanswerable(f"it is on the border between two answers about {' and '.join(between)}")
    return Measured(word, truth=TruthValue(ratio, word, value, unit, between))


def _checked(tracks: VideoView, frame: int, *bodies: int) -> None:
    for body in bodies:
        known(tracks, body, frame)


def _fronted(tracks: VideoView, *objects: int) -> None:
    for obj in objects:
        if not tracks.fronts[obj]:
            raise Unanswerable(f"it is not known which side of {tracks.objects[obj]} is its front")


def _place(tracks: VideoView, body: int, frame: int) -> Array:
    return np.asarray(tracks.eyes_m[frame] if body == CAMERA else tracks.centres_m[body, frame])


def higher_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects has its middle higher: "first" or "second".

    Neither where the one with the higher middle begins, or ends, clearly lower than the other.
    """
    _checked(tracks, frame, one, other)
    a, b = (tracks.centres_m[k, frame, 2] for k in (one, other))
    off = float(a - b)
    sign = 1.0 if off > 0 else -1.0
    halves = [float(tracks.sizes_m[k, 2]) / 2 for k in (one, other)]
    ends = (sign * (off - (halves[0] - halves[1])), sign * (off + (halves[0] - halves[1])))
    ratio = abs(off) / HIGHER_M if min(ends) >= -HIGHER_M / 2 else 0.0
    return _word(tracks, "first" if off > 0 else "second", ratio, abs(off), "m", one, other)


def above(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is directly above another: its middle over the other's box, or higher up."""
    _checked(tracks, frame, one, other)
    off = tracks.rotations[other, frame].T @ (tracks.centres_m[one, frame] - tracks.centres_m[other, frame])
    out = float((np.abs(off[:2]) / (tracks.sizes_m[other, :2] / 2)).max())
    lifted = float(off[2] - (tracks.sizes_m[one, 2] + tracks.sizes_m[other, 2]) / 2)
    within = (OVER_CLEAR + OVER_SHARE) / 2
    over = (within - out) / (within - OVER_SHARE)
    on_top = (lifted + 2 * ON_TOP_M) / ON_TOP_M
    ratio = min(over, on_top)
    if ratio > 0:
        return _word(tracks, "yes", ratio, out, "half sides", one, other)
    # Where it is not: beside the other, or not above it by the height of its own half.
    beneath = -float(off[2]) / HIGHER_M
    return _word(tracks, "no", max(-over, beneath), out, "half sides", one, other)


def nearer_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects is nearer to the camera, by middles and by nearest points: "first" or
    "second".
    """
    return _nearer(tracks, CAMERA, one, other, frame)


def closer_of(tracks: VideoView, obj: int, one: int, other: int, frame: int) -> Measured:
    """Return to which of two objects a third one is closer, by middles and by nearest points: "first" or
    "second".
    """
    return _nearer(tracks, obj, one, other, frame)


def _nearer(tracks: VideoView, body: int, one: int, other: int, frame: int) -> Measured:
    _checked(tracks, frame, body, one, other)
    at = _place(tracks, body, frame)
    a, b = (float(np.linalg.norm(tracks.centres_m[k, frame] - at)) for k in (one, other))
    ratio = abs(a - b) / max(NEARER_M, NEARER_SHARE * (a + b) / 2)
    # Who goes by the nearest points must come to the same.
    box, order = _box(tracks, body, frame), (one, other) if a < b else (other, one)
    near, far = (float(gap_m(box, _box(tracks, k, frame))[0]) for k in order)
    ratio = min(ratio, (far - near) / NEAREST_M)
    return _word(tracks, "first" if a < b else "second", ratio, abs(a - b), "m", one, other)


def _box(tracks: VideoView, body: int, frame: int) -> tuple[Array, Array, Array]:
    """Return the box of a body at a time, as `gap_m` takes it; the camera is a point."""
    if body == CAMERA:
        return tracks.eyes_m[None, frame], np.eye(3)[None], np.zeros(3)
    at = slice(frame, frame + 1)
    return tracks.centres_m[body, at], tracks.rotations[body, at], tracks.sizes_m[body]


def next_to(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether two objects are next to each other or far apart, by the gap between their boxes: "near"
    or "far".
    """
    _checked(tracks, frame, one, other)
    gap = float(gap_m(_box(tracks, one, frame), _box(tracks, other, frame))[0])
    ratio = abs(gap - BESIDE_M) / BESIDE_TOLERANCE_M
    return _word(tracks, "near" if gap < BESIDE_M else "far", ratio, gap, "m", one, other)


def bearing_deg(tracks: VideoView, obj: int, body: int, frame: int) -> float:
    """Return the angle on the ground from where an object's front points to a body, to its left above 0."""
    local = tracks.rotations[obj, frame].T @ (_place(tracks, body, frame) - tracks.centres_m[obj, frame])
    if math.hypot(local[0], local[1]) < NEARER_M:
        raise Unanswerable("one is above the other")
    return math.degrees(math.atan2(local[1], local[0]))


def front_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is in front of another or behind it, from the other's own front."""
    _fronted(tracks, other)
    _checked(tracks, frame, one, other)
    angle = bearing_deg(tracks, other, one, frame)
    ratio = min(abs(90.0 - abs(angle)) / HALF_DEG, _beyond(tracks, one, other, frame, 0))
    return _word(tracks, "front" if abs(angle) < 90 else "behind", ratio, angle, "deg", one, other)


def left_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is on the left or the right side of another, as the other one faces."""
    _fronted(tracks, other)
    _checked(tracks, frame, one, other)
    angle = bearing_deg(tracks, other, one, frame)
    ratio = min((90.0 - abs(abs(angle) - 90.0)) / HALF_DEG, _beyond(tracks, one, other, frame, 1))
    return _word(tracks, "left" if angle > 0 else "right", ratio, angle, "deg", one, other)


def _beyond(tracks: VideoView, one: int, other: int, frame: int, axis: int) -> float:
    """Return how far the middle of an object lies beyond the other's, along an axis of its box, ÷ half its
    side there: what stands within the box's width is on neither side.
    """
    off = tracks.rotations[other, frame].T @ (tracks.centres_m[one, frame] - tracks.centres_m[other, frame])
    return float(abs(off[axis]) / (tracks.sizes_m[other, axis] / 2))


def side_seen(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return which side of an object faces the camera: front, left, back or right."""
    return _side(tracks, obj, CAMERA, frame)


def side_towards(tracks: VideoView, obj: int, other: int, frame: int) -> Measured:
    """Return which side of an object faces another one: front, left, back or right."""
    return _side(tracks, obj, other, frame)


def _side(tracks: VideoView, obj: int, body: int, frame: int) -> Measured:
    _fronted(tracks, obj)
    _checked(tracks, frame, obj, body)
    angle = bearing_deg(tracks, obj, body, frame) % 360.0
    k = round(angle / 90.0) % 4
    inside = 45.0 - abs((angle - 90.0 * k + 180.0) % 360.0 - 180.0)
    return _word(tracks, SIDES[k], inside / QUARTER_DEG, inside, "deg", obj, body)


def faces_of(tracks: VideoView, obj: int, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects a third one faces: "first" or "second"."""
    _fronted(tracks, obj)
    _checked(tracks, frame, obj, one, other)
    a, b = (abs(bearing_deg(tracks, obj, k, frame)) for k in (one, other))
    near, far = sorted((a, b))
    within = (FACES_DEG - near) / FACES_TOLERANCE_DEG
    apart = (far - near - FACES_DEG) / FACES_TOLERANCE_DEG
    return _word(tracks, "first" if a < b else "second", min(within, apart), far - near, "deg", one, other)


def _turned_deg(tracks: VideoView, one: int, other: int, frame: int) -> float:
    """Return the angle on the ground between where two objects face, 0 to 180°."""
    _fronted(tracks, one, other)
    _checked(tracks, frame, one, other)
    a, b = (tracks.rotations[k, frame, :2, 0] for k in (one, other))
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], float(a @ b))))


def parallel(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether two objects are turned parallel to each other or at right angles."""
    turned = _turned_deg(tracks, one, other, frame)
    off = min(turned, 180.0 - turned)
    inside = 22.5 - min(off, 90.0 - off)
    word = "parallel" if off < 45.0 else "right angles"
    return _word(tracks, word, inside / PARALLEL_DEG, off, "deg", one, other)


def same_direction(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether two objects face the same way or very different ways."""
    turned = _turned_deg(tracks, one, other, frame)
    ratio = abs(turned - SAME_DEG) / SAME_TOLERANCE_DEG
    return _word(tracks, "same" if turned < SAME_DEG else "different", ratio, turned, "deg", one, other)


_ONE = ValueType.OBJECT, ValueType.TIME
_TWO = ValueType.OBJECT, *_ONE
_THREE = ValueType.OBJECT, *_TWO

declare(
    *(
        Operator(act.__name__, takes, ValueType.QUANTITY, measured(act), VIDEO)
        for takes, acts in (
            (_ONE, (side_seen,)),
            (_TWO, (higher_of, above, nearer_of, next_to, front_of, left_of)),
            (_TWO, (side_towards, parallel, same_direction)),
            (_THREE, (closer_of, faces_of)),
        )
        for act in acts
    )
)
