"""A furnished room and the camera that pictures it, while more is put where the camera sees it.

picture = RoomPicture(layout)         # while no camera is chosen, all is taken for seen
picture.look(camera)
spot = picture.added(lambda: layout.somewhere(("stool",)))     # None where it would hide what has to be seen
picture.keep(spot)                                             # from now on nothing is put before it
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.estimated_views import CLEAR_M, corners_of, middles_of, shown
from fathom.scenes.videos.boxes import Boxes, boxes_at
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

ACROSS_PX = 20.0
"""From how many pixels on an object is seen well: the mean of its two longer sides."""

WAY_HIGH_M = 0.2
"""How high ways are that are kept free: what stands on furniture is above them."""

PARTS = 2
"""So many parts of an object, one above the other, are seen where all of it is."""


TINY_M, TOP = 0.01, 0.7
"""How large a place is where it is to be seen, and which part of an object's top all of it is taken for."""

NEARLY = 0.85
"""All of an object is seen where the corners of a box smaller by this factor are."""


@dataclass
class RoomPicture:
    """A furnished room, and the camera that pictures it.

    groups : what the picture has to show together, whatever else is put into the room
    bearers : furniture on which one thing stands, and nothing else is to stand
    places : (n, 3) places, in metres, that have to be seen as well
    profiles : people who are to be seen from one of their sides
    """

    layout: RoomLayout
    camera: Camera | None = None
    groups: list[tuple[Stand, ...]] = field(default_factory=list)
    bearers: list[Stand] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    profiles: list[Stand] = field(default_factory=list)

    @property
    def kept(self) -> list[Stand]:
        """All that the picture has to show."""
        return [s for group in self.groups for s in group]

    def look(self, camera: Camera) -> None:
        """Take a camera; its place is kept free, and what it does not see need not be seen any more."""
        self.camera = camera
        self.groups = [group for group in self.groups if self.shows(*group)]
        eye = np.array([camera.poses[0].position_m]) * np.array([1.0, 1.0, 0.0])
        size = (2 * CLEAR_M, 2 * CLEAR_M, self.layout.room.height_m)
        self.layout.keep_free(boxes_at(size, eye, np.zeros(1)))

    def shows(self, *some: Stand) -> bool:
        """Return whether the middles of objects are in the picture with no box before them."""
        return self.camera is None or bool(shown(some, self.layout.stands, self.camera).all())

    def shows_all_of(self, stand: Stand) -> bool:
        """Return whether an object is in the picture up to its corners, with no box before any of it."""
        if self.camera is None:
            return True
        dots = [_dot(stand, at) for at in _corners(stand, NEARLY)]
        return bool(shown(dots, [o for o in self.layout.stands if o is not stand], self.camera).all())

    def sees(self, *some: Stand) -> bool:
        """Return whether objects are in the picture, large enough, with no box before them."""
        return all(self._large(s) and self._free(s, self.layout.stands) for s in some)

    def away_m(self, stand: Stand) -> float:
        """Return how far an object is from the camera; 0 where there is none yet."""
        at = self.camera.poses[0].position_m if self.camera is not None else stand.place_m
        return float(np.linalg.norm(np.subtract(stand.place_m, at)))

    def keep(self, *some: Stand) -> None:
        """See to it that objects are seen together whatever is put into the room."""
        self.groups.append(some)

    def added(self, put: Callable[[], Stand | None]) -> Stand | None:
        """Return what was put into the room; None, and it is not there, where it hides what is kept."""
        spot = put()
        if spot is None or self.camera is None or self._hides_nothing(spot, self.camera):
            return spot
        self.layout.stands.remove(spot)
        return None

    def _large(self, stand: Stand) -> bool:
        _, wide, long = sorted(stand.size_m)
        across = math.sqrt(wide * long)
        return self.camera is None or self.camera.fx * across >= ACROSS_PX * self.away_m(stand)

    def _free(self, stand: Stand, others: list[Stand]) -> bool:
        if self.camera is None:
            return True
        rest = [o for o in others if o is not stand]
        return bool(shown(_parts(stand), rest, self.camera).all())

    def _hides_nothing(self, spot: Stand, camera: Camera) -> bool:
        dots = [_dot(spot, at) for at in self.places]
        parts = [part for s in self.kept for part in _parts(s)]
        if not dots and not parts:
            return True
        framed = shown([*dots, *parts], [], camera)
        return bool((shown([*dots, *parts], [spot], camera) | ~framed).all())


def _parts(stand: Stand) -> list[Stand]:
    """Return the parts of an object, one above the other."""
    high = stand.size_m[2] / PARTS
    x, y, z = stand.place_m
    return [
        replace(stand, size_m=(*stand.size_m[:2], high), place_m=(x, y, z + k * high)) for k in range(PARTS)
    ]


def on_top_of(stand: Stand) -> list[Stand]:
    """Return something tiny over each corner of an object's top, and over its middle."""
    top = _corners(stand, TOP)[1::2] * (1.0, 1.0, 0.0) + (
        0.0,
        0.0,
        stand.place_m[2] + stand.size_m[2] + TINY_M,
    )
    return [_dot(stand, at) for at in (*top, top.mean(axis=0))]


def _dot(stand: Stand, at: Array) -> Stand:
    """Return something tiny at a place (3,)."""
    return replace(stand, size_m=(TINY_M, TINY_M, TINY_M), place_m=tuple(at))


def _corners(stand: Stand, share: float) -> Array:
    """Return (8, 3) the corners of an object's box, made smaller about its middle."""
    middle = np.array(middles_of([stand]))
    return np.asarray(middle + share * (corners_of(stand) - middle))


def way_box(
    start: Array, end: Array, aside_m: float, beyond_m: float = 0.0, high_m: float = WAY_HIGH_M
) -> Boxes:
    """Return the low box (1,) around a straight way between two places (2,), so wide to either side."""
    off = end - start
    length = float(np.hypot(*off))
    middle = start + off / length * (length + beyond_m) / 2
    size = (length + beyond_m, 2 * aside_m, high_m)
    return boxes_at(size, np.array([[*middle, 0.0]]), np.array([math.atan2(off[1], off[0])]))
