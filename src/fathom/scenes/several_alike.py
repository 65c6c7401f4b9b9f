"""Several objects of a noun in a pictured room, each of them clear in the picture, so that one can count.

add_several(picture)        # the picture has its camera

How many there are to be is drawn first. Each is put where all of it is seen, and where the rectangle around
it in the picture is clear of those around the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array, quaternion
from fathom.programs.synonyms import taken_for
from fathom.records import Camera, Pose
from fathom.scenes.estimated_views import EDGE, rectangle_px, shown
from fathom.scenes.room_picture import RoomPicture, on_top_of
from fathom.scenes.videos import routes
from fathom.scenes.videos.arrangements import TRINKETS
from fathom.scenes.videos.boxes import Boxes
from fathom.scenes.videos.cameras import framed
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.viewpoints import COMMON, RANGES, room_for_eye, turned_view

ON_FURNITURE = (*TRINKETS, "plate", "can", "table lamp")
ON_FLOOR = ("stool", "chair", "pouf", "floor cushion", "cardboard box", "basket", "suitcase", "toy truck")
ALIKE = (*ON_FURNITURE, *ON_FLOOR)
"""Of which nouns there are several in a room, on furniture and on the floor."""

MOST = 7
"""So many are put there of one noun at most."""

NUMBERS = ((5, MOST), (3, 5), (2, 4))
"""How many there are to be of one noun after the other: most of them first, since these find least room."""

NOUNS, TRIES, PLACES = 6, 24, 40
"""So many nouns are tried for each number, and so often it is tried to put an object where it is seen; on the
floor it is looked for such a place among so many."""

CARRIERS = 2
"""So many pieces of furniture are filled, the nearest ones."""

TOP_M2, TOP_HIGH_M = 0.2, 1.1
"""How large their tops are at least, and how high they are at most."""

SCREENS = ("television", "monitor")
"""What hides much of a top that it stands on."""

LOOKS, NEAR_M, ABOVE_DEG, YAW_RAD = 80, (1.5, 3.4), (2.0, 19.0), 0.3
"""So many cameras look at it from so far off, the middle of the picture so far above it, and so far beside
it."""

ACROSS_M, ACROSS_PX, TOP_SEEN = 0.13, 18.0, 0.8
"""How wide what stands there is, how large it is seen from where one can count it, and how much of the top
shows."""

RECTANGLE_PX, ASIDE_PX = 440.0, 2.0
"""How large the rectangle around each is in the picture at least, and how far from those around the
others."""


def surfaces_in(layout: RoomLayout) -> list[Stand]:
    """Return the furniture on which several objects find room."""
    shows = {s.on for s in layout.stands if s.asset.noun in SCREENS}
    tops = (s for k, s in enumerate(layout.stands) if k not in shows and s.on in (-1, -2))
    wide = (s for s in tops if s.size_m[0] * s.size_m[1] * s.asset.carries**2 >= TOP_M2)
    return [s for s in wide if s.size_m[2] <= TOP_HIGH_M]


def near_looks(g: np.random.Generator, layout: RoomLayout, boxes: Boxes, surface: Stand) -> Iterator[Pose]:
    """Yield cameras in a room, clear of some boxes, that look at the top of some furniture from near by."""
    middle = np.add(surface.place_m, (0.0, 0.0, surface.size_m[2]))
    for _ in range(LOOKS):
        way, away = float(g.uniform(-math.pi, math.pi)), float(g.uniform(*NEAR_M))
        x, y = middle[:2] - away * np.array([math.cos(way), math.sin(way)])
        eye = np.array([x, y, float(g.uniform(*RANGES[COMMON].height_m))])
        if room_for_eye(layout, boxes, eye):
            yaw = way + float(g.normal(0, YAW_RAD))
            pitch = math.atan2(middle[2] - eye[2], away) + math.radians(float(g.uniform(*ABOVE_DEG)))
            yield routes.rounded(eye, quaternion(turned_view(yaw, pitch, 0.0)), 0.0)


def counts_from(layout: RoomLayout, surface: Stand, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose of a camera sees all of the top of some furniture, and from near by."""
    eyes = np.array([p.position_m for p in camera.poses])
    away = np.linalg.norm(eyes - np.array(surface.place_m), axis=1)
    seen = shown(on_top_of(surface), layout.stands, camera).mean(axis=1) >= TOP_SEEN
    return np.asarray(seen & (camera.fx * ACROSS_M >= ACROSS_PX * away))


def surfaces_of(picture: RoomPicture) -> list[Stand]:
    """Return the furniture that is to be filled: the nearest with a top that shows from near by."""
    layout, camera = picture.layout, picture.camera
    assert camera is not None
    free = (s for s in surfaces_in(layout) if all(s is not one for one in picture.bearers))
    seen = [s for s in free if counts_from(layout, s, camera).all()]
    return sorted(seen, key=picture.away_m)[:CARRIERS]


def add_several(picture: RoomPicture) -> None:
    """Put several objects of each of some nouns into a room, where its camera sees every one of them."""
    counted: list[Stand] = []
    for least, most in NUMBERS:
        _add_alike(picture, int(picture.layout.g.integers(least, most + 1)), counted)


def _add_alike(picture: RoomPicture, number: int, counted: list[Stand]) -> None:
    """Put so many objects of one noun there, or as many as find room, and nothing that may be taken for them;
    from then on nothing is put before them. They are added to those that are `counted` already.
    """
    layout = picture.layout
    there = {s.asset.noun for s in layout.stands}
    carriers = surfaces_of(picture)
    every = ALIKE if carriers else ON_FLOOR
    nouns = [n for n in every if not any(n == own or taken_for(n, own) for own in there)]
    before, best = list(layout.stands), list(layout.stands)
    for noun in [nouns[int(k)] for k in layout.g.permutation(len(nouns))[:NOUNS]]:
        under = carriers if noun in ON_FURNITURE else []
        while len(layout.stands) < len(before) + number:
            found = layout.stands[len(before) :]
            if not _one_more(picture, noun, under, [*counted, *found]):
                break
        best = max(best, list(layout.stands), key=len)
        layout.stands[:] = before
        if len(best) == len(before) + number:
            break
    layout.stands[:] = best
    if len(best) > len(before):
        counted += best[len(before) :]
        picture.keep(*best[len(before) :])


def _one_more(picture: RoomPicture, noun: str, carriers: list[Stand], found: list[Stand]) -> bool:
    """Return whether an object of a noun found room where all of it is seen, on a carrier or on the floor."""
    layout, camera = picture.layout, picture.camera
    assert camera is not None
    layout.most = max(layout.most, len(layout.stands) + 1)
    taken = [rectangle_px(s, camera) for s in found]
    for _ in range(TRIES):
        if carriers:
            put = partial(layout.on_top, (noun,), carriers[int(layout.g.integers(len(carriers)))])
        else:
            put = partial(on_floor, layout, noun, camera)
        spot = picture.added(put)
        if spot is None:
            continue
        own = rectangle_px(spot, camera)
        beside = all(apart_in_picture(own, other) for other in taken)
        if large_in_picture(own) and beside and picture.shows_all_of(spot):
            return True
        layout.stands.remove(spot)
    return False


def on_floor(layout: RoomLayout, noun: str, camera: Camera) -> Stand | None:
    """Return an object put on the floor within the picture, turned any way; None where it has no room."""
    obj = layout.drawn((noun,))
    if obj is None:
        return None
    corners = np.array([s.a for s in layout.room.sides])
    places = layout.g.uniform(corners.min(axis=0), corners.max(axis=0), (PLACES, 2))
    middles = np.column_stack([places, np.full(PLACES, obj.size_m[2] / 2)])
    for at in places[framed(camera, middles, EDGE)[0] > 0][:TRIES]:
        spot = layout.put(obj, at, float(layout.g.uniform(-math.pi, math.pi)))
        if spot is not None:
            return spot
    return None


def large_in_picture(rectangle: Array) -> bool:
    """Return whether a rectangle (4,) of a picture is so large that an object in it can be counted."""
    left, top, right, bottom = rectangle
    return bool((right - left) * (bottom - top) >= RECTANGLE_PX)


def apart_in_picture(one: Array, other: Array) -> bool:
    """Return whether two rectangles (4,) of a picture are apart."""
    return bool((np.maximum(one[:2] - other[2:], other[:2] - one[2:]) >= ASIDE_PX).any())
