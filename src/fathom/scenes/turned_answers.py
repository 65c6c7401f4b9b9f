"""Which answers a move of one object turns round: estimates by boxes, by which moves are compared.

counts = turned_answers((before, after), carriers, others, camera)    # kind of answer → what they count
worth = weighed(counts, "higher")

An answer that is turned round while the order in a picture stays as it is counts more: higher in the picture,
or lower, says nothing then.

Ref: 3DSRBench §3.2 (complementary pairs).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.videos.boxes import above_m, apart_m, joined_boxes
from fathom.scenes.videos.furnishing_rooms import Stand

RISES_M = (0.12, 0.58)
"""Between which differences one object is higher than another."""

OFF_M, OFF_THE_FLOOR_M, NEAR_TOP_M = 0.25, 0.2, 0.28
"""What is not above another is so far beside it, so high at least, and no more than that below its top."""

ENDS_M = -0.04
"""The foot, and the top, of what is higher may be so far below the other's."""

SAME_RAD, DIFFERENT_RAD, PARALLEL_RAD, RIGHT_RAD = 0.5, 2.12, 0.2, math.pi / 2
"""Up to which angle two face the same way, and from which on very different ways; how far an angle is at most
from parallel, or from a right angle."""

KINDS = ("higher", "above", "next to", "nearer")
"""The kinds of answers that a move can turn round."""

FIRST = ("higher", "nearer", "higher", "nearer")
"""Which of them a room is changed for before others: rooms take turns; one object goes onto another, or off
it, in each.
"""

COUNTS, MOST = 8, 6
"""An answer of the kind that a room is changed for counts as many of another kind; so much counts at most of
each kind.
"""


@dataclass(frozen=True)
class Apart:
    """From when on answers are clear.

    nearer : by how many metres, and by which share, one object is nearer to the camera than another
    beside_m : up to which gap two are next to each other, and from which on they are far apart
    """

    nearer: tuple[float, float] = (0.37, 0.21)
    beside_m: tuple[float, float] = (0.35, 2.2)


IN_ROOMS = Apart()

Moved = tuple[Stand, Stand]
"""An object before and after a move."""

Mask = NDArray[np.bool_]
Counts = NDArray[np.intp]


def weighed(counts: Mapping[str, int], first: str) -> int:
    """Return what turned answers are worth together in a room that is changed for one kind."""
    return sum((COUNTS if kind == first else 1) * min(counts.get(kind, 0), MOST) for kind in KINDS)


def turned_answers(
    move: Moved,
    carriers: Sequence[Stand],
    others: Sequence[Stand],
    camera: Camera,
    apart: Apart = IN_ROOMS,
) -> Mapping[str, int]:
    """Return what the answers of each kind count that a move turns round beside others, which stay.

    `carriers` are those on which the object stands before and after, where they differ.
    """
    if not others:
        return {}
    higher, nearer = _heights(move, others), _ways(move, others, camera, apart)
    near = _beside(move, others, apart)
    return {
        "higher": int((higher * (1 + 2 * _kept(move, others, camera, 0.5))).sum()),
        "above": sum(_left(move, c, camera) for c in carriers if any(s is c for s in others)),
        "next to": int(near.sum()),
        "nearer": int((nearer * (1 + 2 * _kept(move, others, camera, 0.0))).sum()),
    }


def turned_directions(move: Moved, others: Sequence[Stand]) -> int:
    """Return what the answers count together that a turn of one object turns round beside others: whether two
    face the same way, and whether they are parallel.
    """
    found = 0
    for other in (o for o in others if o.asset.has_front):
        off = [abs(math.remainder(s.heading_rad - other.heading_rad, 2 * math.pi)) for s in move]
        alike = [a < SAME_RAD for a in off]
        unlike = [a > DIFFERENT_RAD for a in off]
        lines = [min(a % RIGHT_RAD, RIGHT_RAD - a % RIGHT_RAD) < PARALLEL_RAD for a in off]
        found += 2 * ((alike[0] and unlike[1]) or (alike[1] and unlike[0]))
        found += all(lines) and round(off[0] / RIGHT_RAD) % 2 != round(off[1] / RIGHT_RAD) % 2
    return found


def middle(stand: Stand) -> tuple[float, float, float]:
    """Return the middle of an object's box."""
    return _at([stand], 0.5)[0].tolist()  # type: ignore[no-any-return]


def _at(stands: Sequence[Stand], share: float) -> Array:
    """Return (n, 3) places at a share of the heights of objects."""
    return np.array([(x, y, z + share * s.size_m[2]) for s in stands for x, y, z in (s.place_m,)])


def _heights(move: Moved, others: Sequence[Stand]) -> Mask:
    """Return (n,) beside which objects the moved one is clearly higher on one side of the move, and clearly
    lower on the other.
    """
    signs, clear = [], []
    for stand in move:
        foot, centre, top = (_at([stand], s)[:, 2] - _at(others, s)[:, 2] for s in (0.0, 0.5, 1.0))
        sign = np.sign(centre)
        within = (np.abs(centre) > RISES_M[0]) & (np.abs(centre) < RISES_M[1])
        signs.append(sign)
        clear.append(within & (np.minimum(sign * foot, sign * top) >= ENDS_M))
    return np.asarray((signs[0] * signs[1] < 0) & clear[0] & clear[1])


def _left(move: Moved, carrier: Stand, camera: Camera) -> int:
    """Return what it counts that an object is on something on one side of the move only: nothing where nobody
    would take it to be above that on the other, and most where pictures look as if it were.
    """
    reach, top = max(carrier.size_m[:2]) / 2, carrier.place_m[2] + carrier.size_m[2]
    for stand in move:
        (x, y, z), (u, v, _) = stand.place_m, carrier.place_m
        far = float(np.hypot(x - u, y - v)) > reach + OFF_M + max(stand.size_m[:2]) / 2
        if far and z > max(OFF_THE_FLOOR_M, top - NEAR_TOP_M):
            return 1 + sum(_looks_over(stand, carrier, camera, f) for f in range(len(camera.poses))) ** 2
    return 0


def _looks_over(stand: Stand, carrier: Stand, camera: Camera, frame: int) -> bool:
    """Return whether a picture shows the middle of an object over that of another, between its sides."""
    (x, y), *_ = project(camera, _at([stand], 0.5), frame)[0]
    ground = np.concatenate([carrier.box.corners[0]] * 2)
    heights = np.repeat([carrier.place_m[2], carrier.place_m[2] + carrier.size_m[2]], 4)
    seen = project(camera, np.column_stack([ground, heights]), frame)[0]
    low, high = seen.min(axis=0), seen.max(axis=0)
    return bool(low[0] <= x <= high[0] and y < (low[1] + high[1]) / 2)


def _beside(move: Moved, others: Sequence[Stand], apart: Apart) -> Mask:
    """Return (n,) next to which objects the moved one is on one side of the move only."""
    there = joined_boxes([o.box for o in others])
    found = []
    for stand in move:
        aside = np.maximum(apart_m(stand.box.corners, there.corners), 0.0)
        found.append(np.hypot(aside, np.maximum(above_m(stand.box, there), 0.0)))
    gaps = np.array(found)
    near, far = apart.beside_m
    return np.asarray((gaps.min(axis=0) < near) & (gaps.max(axis=0) > far))


def _ways(move: Moved, others: Sequence[Stand], camera: Camera, apart: Apart) -> Mask:
    """Return (n,) of which objects the camera is farther than of the moved one on one side of the move only,
    at all its poses.
    """
    eyes = np.array([p.position_m for p in camera.poses])
    theirs = np.linalg.norm(_at(others, 0.5) - eyes[:, None], axis=2)
    own = np.array([np.linalg.norm(_at([s], 0.5) - eyes, axis=1)[:, None] for s in move])
    off, least = own - theirs, np.maximum(apart.nearer[0], apart.nearer[1] * np.minimum(own, theirs))
    return np.asarray(((off[0] * off[1] < 0) & (np.abs(off) > least).all(axis=0)).all(axis=0))


def _kept(move: Moved, others: Sequence[Stand], camera: Camera, share: float) -> Counts:
    """Return (n,) how many pictures show the moved object above another one both before and after, or below
    it both times, by places at a share of their heights.
    """
    kept = np.zeros(len(others), dtype=np.intp)
    for frame in range(len(camera.poses)):
        rows = project(camera, _at([*move, *others], share), frame)[0][:, 1]
        kept += (rows[0] > rows[2:]) == (rows[1] > rows[2:])
    return kept
