"""What a pictured room holds beside its furniture: people, what is in the way of something, what stands alone
on something, and several of a noun.

begin(picture, drawn_people(g, 2), 3)     # before a camera is chosen
picture.look(camera)
fill(picture)                             # where the camera sees it
"""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import numpy as np

from fathom.assets.spec import PERSON
from fathom.geometry.poses import Array
from fathom.scenes.estimated_views import IN_HAND, called_alone
from fathom.scenes.misplaced import add_misplaced
from fathom.scenes.people import Somebody, add_people
from fathom.scenes.room_picture import RoomPicture, way_box
from fathom.scenes.several_alike import add_several, surfaces_of
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.viewpoints import add_loose

LARGER = ("table lamp", "basket", "teapot", "toy house", "vase", "biscuit tin")
"""What is put on a piece of furniture on which nothing stands."""

SINGLES = 2
"""So many of them at most."""

SEVERAL = 0.6
"""How likely the nearest furniture is left for several objects, even where nothing else is bare."""

BLOCKS = ("stool", "pouf", "chair", "office chair", "cardboard box", "suitcase", "fan", "potted plant")
"""What stands in the way from one object to another."""

WAY_M, ASIDE_M = (1.5, 4.5), 0.42
"""How long such a way is, from middle to middle, and how far aside of it all else is."""

ALONG = (0.35, 0.65)
"""At which part of it something stands."""

WAYS, TRIES = 30, 8
"""So many ways are looked at, and so often it is tried to put something in one."""


def begin(picture: RoomPicture, people: list[Somebody], loose: int) -> None:
    """Put people, something in a way, and loose objects into a room that no camera looks into yet."""
    add_people(picture, people)
    _in_a_way(picture)
    add_loose(picture.layout, loose)


def fill(picture: RoomPicture) -> None:
    """Put objects into a room where its camera sees them."""
    if all(len(group) < 3 for group in picture.groups):
        _in_a_way(picture)
    several = surfaces_of(picture)[:1] if picture.layout.g.random() < SEVERAL else []
    for _ in range(SINGLES):
        _single(picture, several)
    add_misplaced(picture)
    add_several(picture)


def _in_a_way(picture: RoomPicture) -> None:
    """Put one object in the straight way between two others, where nothing else is near that way."""
    layout = picture.layout
    layout.most += 1
    floor = [s for s in layout.stands if s.on == -1 and s.asset.category != PERSON]
    there = [s for s in floor if called_alone(layout.stands, s) and picture.sees(s)]
    pairs = list(combinations(there, 2))
    for k in layout.g.permutation(len(pairs))[:WAYS].tolist():
        ends = pairs[k]
        start, end = (np.array(s.place_m[:2]) for s in ends)
        way = way_box(start, end, ASIDE_M)
        long = WAY_M[0] <= float(np.hypot(*(end - start))) <= WAY_M[1]
        if long and layout.beside_all(way, 0.0, ends) and _blocked(picture, ends, start, end):
            layout.keep_free(way)
            return


def _blocked(picture: RoomPicture, ends: tuple[Stand, ...], start: Array, end: Array) -> bool:
    """Return whether something found room in the way between two objects, with all three in the picture."""
    layout = picture.layout
    for _ in range(TRIES):
        at = start + float(layout.g.uniform(*ALONG)) * (end - start)
        turn = float(layout.g.uniform(-math.pi, math.pi))
        spot = picture.added(partial(layout.put, layout.drawn(BLOCKS), at, turn))
        if spot is None:
            continue
        if called_alone(layout.stands, spot) and picture.sees(*ends, spot):
            picture.keep(*ends, spot)
            return True
        layout.stands.remove(spot)
    return False


def _single(picture: RoomPicture, but: list[Stand]) -> None:
    """Put one object on a piece of furniture on which nothing stands, both of them in the picture."""
    layout = picture.layout
    borne = {s.on for s in layout.stands}
    carriers = [s for k, s in enumerate(layout.stands) if s.asset.carries and k not in borne]
    left = [s for s in carriers if all(s is not one for one in but)]
    bare = [s for s in left if called_alone(layout.stands, s) and picture.shows(s)]
    layout.most += 1
    held = {s.asset.noun for s in layout.stands if s.on == IN_HAND}
    nouns = [noun for noun in LARGER if noun not in held]
    for k in layout.g.permutation(len(bare)).tolist():
        spot = picture.added(partial(layout.on_top, nouns, bare[k]))
        if spot is None:
            continue
        if called_alone(layout.stands, spot) and picture.sees(spot):
            picture.keep(bare[k], spot)
            picture.bearers.append(bare[k])
            return
        layout.stands.remove(spot)
