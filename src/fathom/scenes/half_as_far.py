"""Something beside a solid piece of furniture that this would hide if it stood half as far from the camera.

add_hidden(picture)        # the picture has its camera
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from fathom.geometry.poses import Array
from fathom.programs.operators.hiding import NEARER, SOLID
from fathom.programs.synonyms import taken_for
from fathom.records import Camera
from fathom.scenes.estimated_views import called_alone
from fathom.scenes.room_picture import RoomPicture, hides_all_of
from fathom.scenes.videos.furnishing_rooms import Stand

CHANCE, FAR_M = 0.4, 1.8
"""How likely it is tried, and how far such furniture is from the camera at least."""

NOUNS = ("basket", "bin", "toy truck", "stool", "robot vacuum", "floor cushion", "suitcase")
"""What is put there."""

ASIDE, BEHIND, TRIES = (0.35, 0.9), (0.85, 1.7), 16
"""At which part of what it would hide then, from its middle to its edge, and how far off, ÷ its distance; so
often it is tried."""

SURELY = 0.75
"""It is hidden also by furniture that is smaller by this factor."""


def add_hidden(picture: RoomPicture, chance: float = CHANCE) -> None:
    """Put one object beside furniture that would hide it, and nothing else, at half its distance."""
    layout, camera = picture.layout, picture.camera
    assert camera is not None
    if layout.g.random() >= chance:
        return
    there = [s for s in layout.stands if s.on == -1 and s.asset.noun in SOLID]
    covers = [s for s in there if called_alone(layout.stands, s) and picture.sees(s)]
    for k in layout.g.permutation(len(covers)).tolist():
        if picture.away_m(covers[k]) >= FAR_M and _beside(picture, covers[k], camera):
            return


def nearer(cover: Stand, camera: Camera, scale: float = 1.0) -> Stand:
    """Return an object at half its distance from a camera, larger by a factor."""
    eye, place = np.array(camera.poses[0].position_m[:2]), np.array(cover.place_m[:2])
    x, y = eye + NEARER * (place - eye)
    long, wide, high = (scale * side for side in cover.size_m)
    return replace(cover, size_m=(long, wide, high), place_m=(float(x), float(y), cover.place_m[2]))


def _beside(picture: RoomPicture, cover: Stand, camera: Camera) -> bool:
    """Return whether something found room there that a cover would hide, and would hide alone."""
    layout, whole = picture.layout, nearer(cover, camera)
    others = [s for s in layout.stands if s is not cover and picture.shows(s)]
    if any(hides_all_of(whole, s, camera) for s in others):
        return False
    surely = nearer(cover, camera, SURELY)
    own = {s.asset.noun for s in layout.stands}
    nouns = [n for n in NOUNS if not any(n == noun or taken_for(n, noun) for noun in own)]
    for _ in range(TRIES if nouns else 0):
        layout.most = max(layout.most, len(layout.stands) + 1)
        turn = float(layout.g.uniform(-math.pi, math.pi))
        place = _place(picture, cover, camera)
        spot = picture.added(partial(layout.put, layout.drawn(nouns), place, turn))
        if spot is None:
            continue
        seen = called_alone(layout.stands, spot) and picture.shows_all_of(spot) and picture.sees(spot)
        if seen and picture.sees(cover) and hides_all_of(surely, spot, camera):
            picture.keep(cover, spot)
            return True
        layout.stands.remove(spot)
    return False


def _place(picture: RoomPicture, cover: Stand, camera: Camera) -> Array:
    """Return a place (2,) to the left or to the right of a cover, behind where it would be."""
    g, eye = picture.layout.g, np.array(camera.poses[0].position_m[:2])
    off = np.array(cover.place_m[:2]) - eye
    away = float(np.hypot(*off))
    half = math.atan2(max(cover.size_m[:2]) / 2, NEARER * away)
    turn = float(g.uniform(*ASIDE)) * half * (1 if g.random() < 0.5 else -1)
    way = math.atan2(off[1], off[0]) + turn
    return eye + away * float(g.uniform(*BEHIND)) * np.array([math.cos(way), math.sin(way)])
