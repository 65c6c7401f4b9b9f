"""Which answers a move of one object turns round: estimates by boxes, by which moves are compared.

counts = turned_answers((before, after), carriers, others, camera)    # kind of answer → what they count
worth = weighed(counts, "higher")

An answer that is turned round while the order in a picture stays as it is counts more: higher in the picture,
or lower, says nothing then.

Ref: 3DSRBench §3.2 (complementary pairs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.videos.furnishing_rooms import Stand

RISES_M, BESIDE_M, NEARER_M = (0.12, 0.58), (0.7, 1.4), 0.22
"""Between which differences one object is higher than another; up to which distance of their middles they are
next to each other, and from which on they are not; by how much one is nearer to the camera.
"""

ENDS_M = -0.04
"""The foot, and the top, of what is higher may be so far below the other's."""

KINDS = ("higher", "above", "next to", "nearer")
"""The kinds of answers that a move can turn round."""

FIRST = ("higher", "nearer", "higher", "above", "nearer")
"""Which of them a room is changed for: rooms take turns."""

COUNTS, MOST = 8, 6
"""An answer of the kind that a room is changed for counts as many of another kind; so much counts at most of
each kind.
"""

Moved = tuple[Stand, Stand]
"""An object before and after a move."""

Mask = NDArray[np.bool_]
Counts = NDArray[np.intp]


def weighed(counts: Mapping[str, int], first: str) -> int:
    """Return what turned answers are worth together in a room that is changed for one kind."""
    return sum((COUNTS if kind == first else 1) * min(counts.get(kind, 0), MOST) for kind in KINDS)


def turned_answers(
    move: Moved, carriers: Sequence[Stand], others: Sequence[Stand], camera: Camera
) -> Mapping[str, int]:
    """Return what the answers of each kind count that a move turns round beside others, which stay.

    `carriers` are those on which the object stands before and after, where they differ.
    """
    if not others:
        return {}
    higher, nearer = _heights(move, others), _ways(move, others, camera)
    near = _beside(move, others)
    return {
        "higher": int((higher * (1 + 2 * _kept(move, others, camera, 0.5))).sum()),
        "above": 2 * sum(any(s is carrier for s in others) for carrier in carriers),
        "next to": int(near.sum()),
        "nearer": int((nearer * (1 + 2 * _kept(move, others, camera, 0.0))).sum()),
    }


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


def _beside(move: Moved, others: Sequence[Stand]) -> Mask:
    """Return (n,) next to which objects the moved one is on one side of the move only."""
    gaps = np.array([np.linalg.norm(_at([s], 0.5) - _at(others, 0.5), axis=1) for s in move])
    return np.asarray((gaps.min(axis=0) < BESIDE_M[0]) & (gaps.max(axis=0) > BESIDE_M[1]))


def _ways(move: Moved, others: Sequence[Stand], camera: Camera) -> Mask:
    """Return (n,) of which objects the camera is farther than of the moved one on one side of the move only,
    at all its poses.
    """
    eyes = np.array([p.position_m for p in camera.poses])
    theirs = np.linalg.norm(_at(others, 0.5) - eyes[:, None], axis=2)
    off = np.array([np.linalg.norm(_at([s], 0.5) - eyes, axis=1)[:, None] - theirs for s in move])
    return np.asarray(((off[0] * off[1] < 0) & (np.abs(off) > NEARER_M).all(axis=0)).all(axis=0))


def _kept(move: Moved, others: Sequence[Stand], camera: Camera, share: float) -> Counts:
    """Return (n,) how many pictures show the moved object above another one both before and after, or below
    it both times, by places at a share of their heights.
    """
    kept = np.zeros(len(others), dtype=np.intp)
    for frame in range(len(camera.poses)):
        rows = project(camera, _at([*move, *others], share), frame)[0][:, 1]
        kept += (rows[0] > rows[2:]) == (rows[1] > rows[2:])
    return kept
