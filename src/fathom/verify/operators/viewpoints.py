"""Heights, distances and turns of objects in one picture, in the second derivation.

docs/benchmarks/3dsrbench-questions.md says what is meant. Everything comes from the poses and the extents
that the pictures give; angles are differences of directions on the ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import CAMERA, SCALES, ObservedVideo
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import DerivedAnswer, word

LEAST_M = 0.1
"""Two heights that differ by less are not told apart."""

TOLD = {"room": (0.28, 0.18, 1.16), "street": (0.65, 0.45, 1.16)}
"""Where: by how much one middle, and one nearest point, is nearer at least, and how many times as far the
other middle is."""

NEXT_M, FAR_M = {"room": 0.42, "street": 0.85}, {"room": 1.95, "street": 3.6}
"""Up to the first gap objects are next to each other, from the second on they are far apart; in a street also
where the gap is no more than a quarter of the shorter one, and far only where it is as long as the longer."""

UNDER_SHARE, CLEAR_M = 0.5, 0.2
"""How much of the smaller one is over, or under, the other; how far beside it is what is not above."""

BORDER_DEG, CORNER_DEG = 25.0, 10.0
"""So far from the border between two halves, or between two of four sides, something has to lie."""

TOWARDS_DEG, PASSED_DEG = 26.0, 43.0
"""What is faced lies within the first angle, what is not so much farther off."""

ALONG_DEG = 14.0
"""So far from parallel, or from a right angle, at most."""

ALIKE_DEG, UNLIKE_DEG = 35.0, 112.0


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


def least_height_m(video: ObservedVideo) -> float:
    """Return by how much a middle is higher at least: more in streets."""
    return 0.2 if where(video) == "street" else 0.85 * LEAST_M


def higher(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is higher: by its middle, and neither its top nor its foot says otherwise."""
    heights = {k: float(middle(video, k, frame)[2]) for k in (one, other)}
    up, low = sorted((one, other), key=lambda k: -heights[k])
    halves = {k: float(video.size(k)[2]) / 2 for k in (one, other)}
    feet = heights[up] - halves[up] - heights[low] + halves[low]
    tops = heights[up] + halves[up] - heights[low] - halves[low]
    clear = heights[up] - heights[low] >= least_height_m(video) and min(feet, tops) >= -0.6 * LEAST_M
    return _decided("first" if up == one else "second", clear)


def where(video: ObservedVideo) -> str:
    """Return whether a scene is a street or a room."""
    return "street" if video.scale is SCALES["outdoor"] else "room"


def corners(video: ObservedVideo, obj: int, frame: int) -> Array:
    """Return (4, 2) the corners of an object's footprint, round about."""
    ahead, left = (video.turn(obj, frame)[:2, k] * video.size(obj)[k] / 2 for k in (0, 1))
    at = middle(video, obj, frame)[:2]
    return np.array([at + ahead + left, at - ahead + left, at - ahead - left, at + ahead - left])


def shared(one: Array, other: Array) -> float:
    """Return which share of the smaller of two footprints the other one covers, by cutting it along the
    other's sides.
    """
    left = [tuple(map(float, p)) for p in one]
    for a, b in zip(other, np.roll(other, -1, axis=0), strict=True):
        side = [float((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) for p in left]
        kept: list[tuple[float, ...]] = []
        for k, (p, d) in enumerate(zip(left, side, strict=True)):
            q, e = left[k - 1], side[k - 1]
            if d * e < 0:
                t = e / (e - d)
                kept.append(tuple(u + t * (v - u) for u, v in zip(q, p, strict=True)))
            kept += [p] if d >= 0 else []
        left = kept
    return area(left) / max(min(area(one), area(other)), 1e-9)


def area(polygon: Sequence[Sequence[float]] | Array) -> float:
    """Return what a polygon holds."""
    points = [(float(p[0]), float(p[1])) for p in polygon]
    around = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in around)) / 2


def clear_of(one: Array, other: Array) -> float:
    """Return how far two footprints that do not meet are apart, by the corners of each."""
    ways = []
    for points, polygon in ((one, other), (other, one)):
        for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            along = np.clip((points - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0, 1)
            ways.append(float(np.linalg.norm(points - a - along[:, None] * (b - a), axis=1).min()))
    return min(ways)


def is_above(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether an object's middle is over another's box, one of the two well over the other, and it
    begins where that ends, or higher.
    """
    off = video.turn(other, frame).T @ (middle(video, one, frame) - middle(video, other, frame))
    own, theirs = video.size(one) / 2, video.size(other) / 2
    plan = corners(video, one, frame), corners(video, other, frame)
    inside = float((np.abs(off[:2]) / theirs[:2]).max()) <= 0.95 and shared(*plan) >= UNDER_SHARE
    if inside and float(off[2] - own[2] - theirs[2]) >= -0.05:
        return word("yes")
    beside = shared(*plan) == 0 and clear_of(*plan) >= CLEAR_M
    return _decided("no", beside or off[2] <= -0.85 * LEAST_M)


def nearer(video: ObservedVideo, body: int, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is nearer to a body, by its middle and by its nearest point."""
    by_middle, by_point, times = TOLD[where(video)]
    at = middle(video, body, frame)
    ways = {k: float(np.linalg.norm(middle(video, k, frame) - at)) for k in (one, other)}
    near, far = sorted(ways, key=lambda k: ways[k])
    points = box_gap_m(video, body, far, frame) - box_gap_m(video, body, near, frame)
    clear = ways[far] >= max(ways[near] + by_middle, times * ways[near]) and points >= by_point
    return _decided("first" if near == one else "second", clear)


def together(video: ObservedVideo, one: int, other: int, frame: int) -> tuple[bool, bool]:
    """Return whether two objects are next to each other, and whether they are far apart."""
    place, gap = where(video), box_gap_m(video, one, other, frame)
    if place == "room":
        return gap <= NEXT_M[place], gap >= FAR_M[place]
    short, long = sorted(float(video.size(k).max()) for k in (one, other))
    return gap <= max(NEXT_M[place], 0.3 * short), gap >= max(FAR_M[place], 0.9 * long)


def near(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether two objects are next to each other, or far apart."""
    beside, apart = together(video, one, other, frame)
    return _decided("near" if beside else "far", beside or apart)


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
