"""Heights, distances and turns of objects in one picture, in the second derivation.

docs/benchmarks/3dsrbench-questions.md says what is meant. Everything comes from the poses and the extents
that the pictures give; angles are differences of directions on the ground.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import DerivedAnswer, word

LEAST_M, LEAST_SHARE = 0.1, 0.05
"""Two heights, or distances, that differ by less are not told apart."""

NEXT_M, FAR_M = 0.42, 0.88
"""Up to the first gap objects are next to each other, from the second on they are far apart."""

BORDER_DEG, CORNER_DEG = 25.0, 10.0
"""So far from the border between two halves, or between two of four sides, something has to lie."""

TOWARDS_DEG, PASSED_DEG = 26.0, 43.0
"""What is faced lies within the first angle, what is not so much farther off."""

ALONG_DEG = 14.0
"""So far from parallel, or from a right angle, at most."""

ALIKE_DEG, UNLIKE_DEG = 35.0, 85.0


def _decided(said: str, clear: bool) -> DerivedAnswer:
    if not clear:
        raise InsufficientEvidence
    return word(said)


def _heading(video: ObservedVideo, obj: int, frame: int) -> float:
    """Return where an object's front points on the ground, in degrees."""
    if not video.fronts[obj]:
        raise InsufficientEvidence
    ahead = video.turn(obj, frame)[:, 0]
    return math.degrees(math.atan2(ahead[1], ahead[0]))


def bearing_deg(video: ObservedVideo, obj: int, body: int, frame: int) -> float:
    """Return by how much a body lies to the left of where an object faces, −180 to 180°."""
    off = middle(video, body, frame) - middle(video, obj, frame)
    if math.hypot(off[0], off[1]) < LEAST_M:
        raise InsufficientEvidence
    return math.remainder(math.degrees(math.atan2(off[1], off[0])) - _heading(video, obj, frame), 360.0)


def reaches_past(video: ObservedVideo, one: int, other: int, frame: int, axis: int) -> bool:
    """Return whether a middle lies beyond the other object's side along one of its axes."""
    off = video.turn(other, frame)[:, axis] @ (middle(video, one, frame) - middle(video, other, frame))
    return bool(abs(off) > 0.85 * video.size(other)[axis] / 2)


def _first(a: float, b: float, least: float) -> DerivedAnswer:
    """Return whether the first or the second number is the smaller one."""
    return _decided("first" if a < b else "second", abs(a - b) >= least)


def higher(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is higher: by its middle, and neither its top nor its foot says otherwise."""
    heights = {k: float(middle(video, k, frame)[2]) for k in (one, other)}
    up, low = sorted((one, other), key=lambda k: -heights[k])
    halves = {k: float(video.size(k)[2]) / 2 for k in (one, other)}
    feet = heights[up] - halves[up] - heights[low] + halves[low]
    tops = heights[up] + halves[up] - heights[low] - halves[low]
    clear = heights[up] - heights[low] >= 0.85 * LEAST_M and min(feet, tops) >= -0.6 * LEAST_M
    return _decided("first" if up == one else "second", clear)


def is_above(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether an object's middle is over another's box, and it begins where that ends, or higher."""
    off = video.turn(other, frame).T @ (middle(video, one, frame) - middle(video, other, frame))
    own, theirs = video.size(one) / 2, video.size(other) / 2
    share = float((np.abs(off[:2]) / theirs[:2]).max())
    clearance = float(off[2] - own[2] - theirs[2])
    if share <= 0.95 and clearance >= -0.05:
        return word("yes")
    return _decided("no", share >= 1.25 or off[2] <= -0.85 * LEAST_M)


def nearer(video: ObservedVideo, body: int, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is nearer to a body."""
    at = middle(video, body, frame)
    a, b = (float(np.linalg.norm(middle(video, k, frame) - at)) for k in (one, other))
    return _first(a, b, max(LEAST_M, LEAST_SHARE * min(a, b)))


def near(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether two objects are next to each other, or far apart."""
    gap = box_gap_m(video, one, other, frame)
    return _decided("near" if gap < NEXT_M else "far", gap <= NEXT_M or gap >= FAR_M)


def in_front(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return on which side of an object, to its front or its back, another one is."""
    angle = abs(bearing_deg(video, other, one, frame))
    clear = abs(angle - 90.0) >= BORDER_DEG and reaches_past(video, one, other, frame, 0)
    return _decided("front" if angle < 90.0 else "behind", clear)


def to_the_left(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return on which side of an object, to its left or its right, another one is."""
    angle = bearing_deg(video, other, one, frame)
    clear = BORDER_DEG <= abs(angle) <= 180.0 - BORDER_DEG and reaches_past(video, one, other, frame, 1)
    return _decided("left" if angle > 0 else "right", clear)


def facing_side(video: ObservedVideo, obj: int, body: int, frame: int) -> DerivedAnswer:
    """Return which of an object's four sides faces a body."""
    angle = bearing_deg(video, obj, body, frame)
    for said, middle_deg in (("front", 0.0), ("left", 90.0), ("back", 180.0), ("right", -90.0)):
        if abs(math.remainder(angle - middle_deg, 360.0)) <= 45.0 - CORNER_DEG:
            return word(said)
    raise InsufficientEvidence


def faced(video: ObservedVideo, obj: int, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two an object faces."""
    a, b = (abs(bearing_deg(video, obj, k, frame)) for k in (one, other))
    clear = min(a, b) <= TOWARDS_DEG and abs(a - b) >= PASSED_DEG
    return _decided("first" if a < b else "second", clear)


def _turned(video: ObservedVideo, one: int, other: int, frame: int) -> float:
    return abs(math.remainder(_heading(video, one, frame) - _heading(video, other, frame), 360.0))


def lie_parallel(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether two objects are parallel, or at right angles."""
    off = abs(math.remainder(_turned(video, one, other, frame), 180.0))
    return _decided("parallel" if off < 45.0 else "right angles", min(off, 90.0 - off) <= ALONG_DEG)


def face_alike(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether two objects face the same way."""
    off = _turned(video, one, other, frame)
    return _decided("same" if off < ALIKE_DEG else "different", off <= ALIKE_DEG or off >= UNLIKE_DEG)


def _from_camera(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    return nearer(video, CAMERA, one, other, frame)


def _to_camera(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    return facing_side(video, obj, CAMERA, frame)


declare(
    VIDEO,
    {
        "higher_of": measure(higher),
        "above": measure(is_above),
        "nearer_of": measure(_from_camera),
        "closer_of": measure(nearer),
        "next_to": measure(near),
        "front_of": measure(in_front),
        "left_of": measure(to_the_left),
        "side_seen": measure(_to_camera),
        "side_towards": measure(facing_side),
        "faces_of": measure(faced),
        "parallel": measure(lie_parallel),
        "same_direction": measure(face_alike),
    },
)
