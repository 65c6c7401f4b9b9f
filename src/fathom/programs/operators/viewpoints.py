"""Which of two is higher or nearer, and how objects are turned: towards the camera, towards one another.

Everything but distances from the camera, and the side that it sees, is the same from wherever the scene is
looked at. Sides here are an object's own: its front is where its x axis points. Of each answer there is a
ratio: how far it is from its threshold, in tolerances; from 1 on nobody would say otherwise.

Ref: 3DSRBench §3.1; docs/benchmarks/3dsrbench-questions.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.once import once
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, TruthValue, Unanswerable, ValueType
from fathom.programs.views.video import CAMERA, Array, VideoView

HIGHER_M, HIGHER_OUTDOORS_M = 0.1, 0.25
"""By how much the middle of one object is at least higher than that of another, in a room and in a street."""

OVER_SHARE, OVER_CLEAR = 0.9, 1.3
"""Directly above: the middle within this share of the half sides below it; surely not: from the second
on."""

COVERED, COVERED_TOLERANCE = 0.3, 0.3
"""And the sum of these, as a share of the smaller one's footprint, within the larger one's."""

Least = tuple[float, float, float]

BESIDE_IT_M = 0.25
"""Not directly above: footprints so far apart."""

ON_TOP_M = 0.04
"""What is above may reach so far below the top of what it stands on."""

OVER_ITSELF_M = 0.12
"""What is no farther from an object's middle on the ground is at none of its sides."""

INDOOR = "indoor"
NEARER = MappingProxyType({INDOOR: (0.35, 0.25, 0.2), "outdoor": (0.8, 0.6, 0.2)})
"""Setting → by how much (metres) one middle, and one nearest point, is at least nearer than the other, and by
which share of the shorter distance."""

CLOSER = MappingProxyType({INDOOR: (0.35, 0.25, 0.25), "outdoor": (1.0, 0.7, 0.35)})
"""The same between objects, where nothing shows how far it is."""

BESIDE = MappingProxyType({INDOOR: (0.35, 0.0, 2.2, 0.0), "outdoor": (0.7, 0.25, 4.0, 1.0)})
"""Setting → next to each other: gaps up to so many metres, or this share of the shorter one's longest side;
far apart: from so many on, and this share of the longer one's."""

BESIDE_TOLERANCE = 0.8
"""From gaps on that are by this share larger than those of what is next to each other nothing is."""

HALF_DEG = 30.0
"""How far the direction of something is at least from the border between front and behind, left and right."""

QUARTER_DEG = 12.0
"""How far it is at least from the border between two of four sides."""

FACES_DEG, FACES_TOLERANCE_DEG = 35.0, 12.0
"""Towards what an object faces: within the difference of the two; what it does not: that much more."""

PARALLEL_DEG = 10.0
"""How far an angle is at least from halfway between parallel and at right angles."""

SAME_DEG, DIFFERENT_DEG, SAME_BORDER_DEG = 30.0, 120.0, 60.0
"""Facing the same way: up to the first angle apart; very different ways: from the second on; in between it
turns."""

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
    least = HIGHER_M if tracks.rules.name == INDOOR else HIGHER_OUTDOORS_M
    ratio = abs(off) / least if min(ends) >= -HIGHER_M / 2 else 0.0
    return _word(tracks, "first" if off > 0 else "second", ratio, abs(off), "m", one, other)


def above(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is directly above another: its middle over the other's box, one of both well
    over the other, and higher up.
    """
    _checked(tracks, frame, one, other)
    off = tracks.rotations[other, frame].T @ (tracks.centres_m[one, frame] - tracks.centres_m[other, frame])
    out = float((np.abs(off[:2]) / (tracks.sizes_m[other, :2] / 2)).max())
    lifted = float(off[2] - (tracks.sizes_m[one, 2] + tracks.sizes_m[other, 2]) / 2)
    within = (OVER_CLEAR + OVER_SHARE) / 2
    over = min((within - out) / (within - OVER_SHARE), _covering(tracks, one, other, frame))
    on_top = (lifted + 2 * ON_TOP_M) / ON_TOP_M
    ratio = min(over, on_top)
    if ratio > 0:
        return _word(tracks, "yes", ratio, out, "half sides", one, other)
    # Where it is not: clearly beside the other, or not above it by the height of its own half.
    beside = float(gap_m(_flat(tracks, one, frame), _flat(tracks, other, frame))[0]) / BESIDE_IT_M
    beneath = -float(off[2]) / HIGHER_M
    return _word(tracks, "no", max(beside, beneath), out, "half sides", one, other)


def _covering(tracks: VideoView, one: int, other: int, frame: int) -> float:
    """Return how much of the smaller one's footprint is over, or under, that of the larger one, in
    tolerances.
    """
    small, large = sorted((one, other), key=lambda k: float(np.prod(tracks.sizes_m[k, :2])))
    steps = (np.arange(12) + 0.5) / 12 - 0.5
    grid = np.stack([*np.meshgrid(steps, steps), np.zeros((12, 12))], axis=-1).reshape(-1, 3)
    points = (grid * tracks.sizes_m[small]) @ tracks.rotations[small, frame].T
    points += tracks.centres_m[small, frame] - tracks.centres_m[large, frame]
    own = np.abs(points @ tracks.rotations[large, frame])[:, :2]
    share = float((own <= tracks.sizes_m[large, :2] / 2).all(axis=1).mean())
    return (share - COVERED) / COVERED_TOLERANCE


def _flat(tracks: VideoView, body: int, frame: int) -> tuple[Array, Array, Array]:
    """Return the footprint of an object as a box on the ground, as `gap_m` takes it."""
    centres, turns, size = _box(tracks, body, frame)
    return centres * (1.0, 1.0, 0.0), turns, size * (1.0, 1.0, 0.0)


def nearer_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects is nearer to the camera, by middles and by nearest points: "first" or
    "second".
    """
    return _nearer(tracks, CAMERA, one, other, frame, NEARER)


def closer_of(tracks: VideoView, obj: int, one: int, other: int, frame: int) -> Measured:
    """Return to which of two objects a third one is closer, by middles and by nearest points: "first" or
    "second".
    """
    return _nearer(tracks, obj, one, other, frame, CLOSER)


def _nearer(
    tracks: VideoView, body: int, one: int, other: int, frame: int, least: Mapping[str, Least]
) -> Measured:
    _checked(tracks, frame, body, one, other)
    by_middle, by_point, share = least.get(tracks.rules.name, least[INDOOR])
    at = _place(tracks, body, frame)
    a, b = (float(np.linalg.norm(tracks.centres_m[k, frame] - at)) for k in (one, other))
    order = (one, other) if a < b else (other, one)
    ratio = abs(a - b) / max(by_middle, share * min(a, b))
    # Who goes by the nearest points must come to the same.
    near, far = (_gap_m(tracks, body, k, frame) for k in order)
    ratio = min(ratio, (far - near) / max(by_point, share * near))
    return _word(tracks, "first" if a < b else "second", ratio, abs(a - b), "m", one, other)


@once
def _gap_m(tracks: VideoView, one: int, other: int, frame: int) -> float:
    """Return how far the boxes of two bodies are apart."""
    return float(gap_m(_box(tracks, one, frame), _box(tracks, other, frame))[0])


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
    gap = _gap_m(tracks, one, other, frame)
    near_m, near_share, far_m, far_share = BESIDE.get(tracks.rules.name, BESIDE[INDOOR])
    short, long = sorted(float(tracks.sizes_m[k].max()) for k in (one, other))
    near, far = max(near_m, near_share * short), max(far_m, far_share * long)
    border = near * (1 + BESIDE_TOLERANCE)
    ratio = (border - gap) / (border - near) if gap < border else (gap - border) / (far - border)
    return _word(tracks, "near" if gap < border else "far", ratio, gap, "m", one, other)


def bearing_deg(tracks: VideoView, obj: int, body: int, frame: int) -> float:
    """Return the angle on the ground from where an object's front points to a body, to its left above 0."""
    local = tracks.rotations[obj, frame].T @ (_place(tracks, body, frame) - tracks.centres_m[obj, frame])
    if math.hypot(local[0], local[1]) < OVER_ITSELF_M:
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
    alike = turned < SAME_BORDER_DEG
    ratio = (turned - SAME_BORDER_DEG) / ((SAME_DEG if alike else DIFFERENT_DEG) - SAME_BORDER_DEG)
    return _word(tracks, "same" if alike else "different", ratio, turned, "deg", one, other)


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
