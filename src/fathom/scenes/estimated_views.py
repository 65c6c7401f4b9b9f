"""What a camera sees of a furnished place, estimated by boxes, and what has a name of its own there.

nameable(stands)                      # of which objects nothing else is called the same
shown(stands, hides, camera)          # (F, n) whose middles are in the pictures, with nothing before them
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.spec import PERSON
from fathom.geometry.cameras import project
from fathom.geometry.poses import Array
from fathom.programs.synonyms import colors_confused, confused
from fathom.records import Camera
from fathom.scenes.sitting import one_on_the_other, sits
from fathom.scenes.turned_answers import middle
from fathom.scenes.videos import cameras
from fathom.scenes.videos.furnishing_rooms import Stand

CLEAR_M = 0.25
"""How far a camera stays from furniture and walls."""

EDGE = 0.06
"""What is closer to the edge of a picture than this share of it is not counted as seen."""

IN_HAND, REACH_M = -4, 0.5
"""What `Stand.on` says of what somebody holds, and how far from their middle that is at most."""

LEAST_PX = 26.0
"""How long an object is in each picture at least, if nothing hides it."""


def nameable(stands: Sequence[Stand]) -> NDArray[np.bool_]:
    """Return (n,) whether nothing else might be called by each object's noun, or by its colour and noun."""
    counts = Counter(_names(stands))
    told = {name: _told_apart(name, counts) for name in counts}
    return np.array([told[name] for name in _names(stands)], bool)


def called_alone(stands: Sequence[Stand], one: Stand) -> bool:
    """Return whether nothing else among objects might be called as one of them is."""
    return _told_apart(_names([one])[0], Counter(_names(stands)))


def _told_apart(name: tuple[str, str], counts: Mapping[tuple[str, str], int]) -> bool:
    noun, color = name
    rivals = [(other, n) for other, n in counts.items() if confused(noun, other[0])]
    if sum(n for _, n in rivals) == 1:
        return True
    others = [hue for (other, hue), _ in rivals if (other, hue) != name]
    return bool(color) and counts[name] == 1 and all(h and not colors_confused(color, h) for h in others)


def _names(stands: Sequence[Stand]) -> list[tuple[str, str]]:
    return [(s.asset.noun, s.color if s.asset.color_told else "") for s in stands]


def in_pictures(stand: Stand, others: Sequence[Stand], camera: Camera) -> bool:
    """Return whether the middle of an object is in the pictures of all poses, with nothing before it."""
    eyes = np.array([p.position_m for p in camera.poses])
    px = camera.fx * max(stand.size_m) / np.linalg.norm(eyes - middle(stand), axis=1)
    return bool((px >= LEAST_PX).all() and shown([stand], others, camera).all())


def middles_of(stands: Sequence[Stand]) -> Array:
    """Return (n, 3) the middles of objects' boxes."""
    return np.array([middle(s) for s in stands])


def corners_of(stand: Stand) -> Array:
    """Return (8, 3) the corners of an object's box."""
    ends = np.repeat(stand.box.corners[0], 2, axis=0)
    return np.column_stack([ends, np.tile([stand.box.low[0], stand.box.high[0]], 4)])


def rectangle_px(stand: Stand, camera: Camera) -> Array:
    """Return (4,) the left, upper, right and lower end of the rectangle around an object in the first pose's
    picture; all of it has to be in front of the camera.
    """
    pixels, _ = project(camera, corners_of(stand))
    return np.concatenate([pixels.min(axis=0), pixels.max(axis=0)])


def shown(stands: Sequence[Stand], others: Sequence[Stand], camera: Camera) -> NDArray[np.bool_]:
    """Return (F, n) whether the middle of each object is in a pose's picture with no other box before it."""
    middles = middles_of(stands)
    eyes = np.array([p.position_m for p in camera.poses])
    boxes = _UprightBoxes(others)
    seated = [sits(o) for o in others]
    free = [~boxes.before(eyes, m, _others(s, others, seated)) for s, m in zip(stands, middles, strict=True)]
    return np.asarray((cameras.framed(camera, middles, EDGE) > 0) & np.stack(free, axis=1))


def _others(stand: Stand, others: Sequence[Stand], seated: Sequence[bool]) -> list[bool]:
    """Return which of other objects, of which it is told who sits on seats, are neither an object itself nor
    the seat that it is on, nor on it, nor who holds it.
    """
    own = sits(stand)
    return [
        o is not stand and (sat == own or not one_on_the_other(o, stand)) and not _holds(o, stand)
        for o, sat in zip(others, seated, strict=True)
    ]


def _holds(one: Stand, held: Stand) -> bool:
    """Return whether one is somebody at whose hand another object is."""
    if held.on != IN_HAND or one.asset.category != PERSON:
        return False
    return math.dist(one.place_m[:2], held.place_m[:2]) <= REACH_M


class _UprightBoxes:
    """The boxes of objects, each with axes of its own, and whether they are in the way of a look."""

    def __init__(self, stands: Sequence[Stand]) -> None:
        self.x, self.y, self.z = np.array([o.place_m for o in stands]).reshape(-1, 3).T
        self.half = (np.array([o.size_m for o in stands]).reshape(-1, 3) / 2).T
        headings = np.array([o.heading_rad for o in stands])
        self.c, self.s = np.cos(headings), np.sin(headings)

    def before(self, eyes: Array, middle: Array, which: Sequence[bool]) -> NDArray[np.bool_]:
        """Return (F,) whether any of those boxes is met on the way from an eye (F, 3) to a middle (3,)."""
        enters, leaves = -np.inf, np.inf
        for start, end, half in zip(self._own(eyes), self._own(middle), self.half, strict=True):
            way = end - start
            way = np.where(np.abs(way) < 1e-9, 1e-9, way)
            low, high = (-half - start) / way, (half - start) / way
            enters = np.maximum(enters, np.minimum(low, high))
            leaves = np.minimum(leaves, np.maximum(low, high))
        met = (enters < leaves) & (leaves > 0) & (enters < 1) & np.array(which, bool)
        return np.asarray(met.any(axis=-1))

    def _own(self, points: Array) -> tuple[Array, Array, Array]:
        """Return the coordinates (..., n) of points (..., 3) about the middle of each box, along its axes."""
        x, y, z = points[..., 0, None] - self.x, points[..., 1, None] - self.y, points[..., 2, None] - self.z
        return self.c * x + self.s * y, self.c * y - self.s * x, z - self.half[2]


def hit(stand: Stand, camera: Camera) -> bool:
    """Return whether any pose of the camera is in, or close to, an object."""
    box = stand.box
    eyes = np.array([p.position_m for p in camera.poses])
    level = (box.low < eyes[:, 2] + CLEAR_M) & (box.high > eyes[:, 2] - CLEAR_M)
    return bool((level & np.array([near(box.corners, eye[:2])[0] for eye in eyes])).any())


def near(corners: Array, place: Array) -> Array:
    """Return (n,) whether a place is within the clear distance of footprints (n, 4, 2)."""
    low, high = corners.min(axis=1) - CLEAR_M, corners.max(axis=1) + CLEAR_M
    return np.asarray(((place >= low) & (place <= high)).all(axis=1))
