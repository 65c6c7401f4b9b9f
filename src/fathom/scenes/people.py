"""People in a room: somebody walks to something, stands beside something, holds something, or sits.

add_people(picture, drawn_people(g, 2))    # its layout has them, and what they hold, with on == IN_HAND
objects = told(objects)                    # their records say what they do
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import INDOORS, furniture_model, room_assets
from fathom.assets.furniture.living import PERSON
from fathom.assets.sizes import drawn_size
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import Array
from fathom.records import SceneObject
from fathom.scenes.estimated_views import called_alone
from fathom.scenes.room_picture import WAY_HIGH_M, RoomPicture, way_box
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

IN_HAND = -4
"""What `Stand.on` says of what somebody holds."""

LOOKS = ("woman", "man")
DOES = {"walking": "walks", "standing": "stands", "seated": "sits"}
"""How the names of models begin → what they do."""

WAYS = ("walks", "walks", "walks", "walks", "stands", "stands", "holds", "sits")
"""What somebody does: of who walks it is seldom seen where they go."""

FAR_M, BESIDE_M = (0.3, 1.5), (0.06, 0.2)
"""How far somebody who walks is from where they go, and somebody who stands from what they stand beside."""

ALONE_M = 0.45
"""Who stands beside something is so far from all else at first."""

FREE_M, BEYOND_M = 0.35, 0.32
"""How far aside of somebody's way all else is, and as far behind the middle of what they walk to."""

ASTRAY_RAD, STRIDE = 0.03, 1.3
TRIES = 120

HELD = ("suitcase", "basket", "bottle", "teapot", "book", "photo camera", "toy truck")
"""What is held, by nouns."""

HAND_HIGH, HAND_ASIDE_M, GRIP_M = 0.475, 0.3, 0.03
"""How high the hand of somebody who stands is, ÷ their height; how far to the side; and by how much it
reaches over what it holds."""


@dataclass(frozen=True)
class Somebody:
    """A person to come: what they are called, and what they do."""

    looks: str
    way: str


def drawn_people(g: np.random.Generator, count: int) -> list[Somebody]:
    """Return so many people, no two of whom are called the same."""
    return [
        Somebody(looks, WAYS[int(g.integers(len(WAYS)))]) for looks in g.permutation(LOOKS)[:count].tolist()
    ]


def add_people(picture: RoomPicture, people: Sequence[Somebody]) -> None:
    """Put people into a room as far as they have room; what they have to do with is to be seen with them."""
    layout = picture.layout
    for one in people:
        way = one.way
        layout.most += 2
        stand = _person(layout, one.looks, "stands" if way == "holds" else way)
        if way in ("walks", "sits"):
            found = _walking(picture, stand) if way == "walks" else None
        else:
            found = _beside(picture, stand, held=way == "holds")
        if found is None:
            layout.set_down(stand, True, 0.1)


def told(objects: Sequence[SceneObject]) -> list[SceneObject]:
    """Return the objects of a room; what people do is among their attributes."""
    known = {n: spec for n, spec in room_assets(None).items() if spec.category == PERSON and not spec.seat[0]}
    out = []
    for obj in objects:
        spec = known.get(obj.asset.name)
        if spec is not None:
            said = {**obj.attributes, "does": DOES[spec.name.split()[0]]}
            obj = msgspec.structs.replace(obj, attributes=said)
        out.append(obj)
    return out


def _person(layout: RoomLayout, looks: str, does: str) -> Stand:
    every = {**INDOORS, **room_assets(None)}.values()
    named = [s for s in every if s.category == PERSON and s.noun == looks and not s.seat[0]]
    kinds = [s for s in named if DOES[s.name.split()[0]] == does and (does != "walks" or _strides(s))]
    return _drawn(layout, kinds[int(layout.g.integers(len(kinds)))])


def _strides(asset: AssetSpec) -> bool:
    """Return whether somebody is seen with one foot well before the other."""
    long, wide, _ = furniture_model(asset).extents
    return long >= STRIDE * wide


def _drawn(layout: RoomLayout, asset: AssetSpec) -> Stand:
    g = layout.g
    color = asset.colors[int(g.integers(len(asset.colors)))] if asset.colors else ""
    size = drawn_size(g, furniture_model(asset).extents, asset.varies, layout.spread)
    return Stand(asset, color, size, (0.0, 0.0, 0.0), 0.0)


def _targets(picture: RoomPicture) -> list[Stand]:
    """Return what on the floor somebody can have to do with, is seen, and has a name of its own."""
    stands = picture.layout.stands
    floor = (s for s in stands if s.on == -1 and s.asset.category != PERSON and s.size_m[2] > 0.3)
    return [s for s in floor if called_alone(picture.layout.stands, s) and picture.sees(s)]


def _around(g: np.random.Generator, target: Stand, gap_m: float) -> tuple[Array, float]:
    """Return a place (2,) so far from the edge of an object, in any direction, and that direction."""
    way = float(g.uniform(-math.pi, math.pi))
    return target.aside(way, gap_m), way


def _walking(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put on a free way to something; the way is kept free."""
    layout, there = picture.layout, _targets(picture)
    g = layout.g
    for _ in range(TRIES if there else 0):
        target = there[int(g.integers(len(there)))]
        at, way = _around(g, target, person.size_m[0] / 2 + float(g.uniform(*FAR_M)))
        between = way_box(at, np.array(target.place_m[:2]), FREE_M, BEYOND_M)
        if not layout.beside_all(between, 0.0, (target,)):
            continue
        heading = way + math.pi + float(g.uniform(-ASTRAY_RAD, ASTRAY_RAD))
        spot = _stood(picture, person, at, heading, target)
        if spot is not None:
            picture.keep(spot, target)
            layout.keep_free(between)
            return spot
    return None


def _stood(picture: RoomPicture, person: Stand, at: Array, heading: float, target: Stand) -> Stand | None:
    """Return somebody put at a place; None where the picture does not show them and their target."""
    spot = picture.added(lambda: picture.layout.put(person, at, heading))
    if spot is None:
        return None
    if not picture.sees(spot, target):
        picture.layout.stands.remove(spot)
        return None
    return spot


def _beside(picture: RoomPicture, person: Stand, held: bool) -> Stand | None:
    """Return somebody put beside something and away from all else, which is kept so; with something in a hand
    where they find room for it.
    """
    layout, there = picture.layout, _targets(picture)
    g = layout.g
    for _ in range(TRIES if there else 0):
        target = there[int(g.integers(len(there)))]
        at, _ = _around(g, target, max(person.size_m[:2]) / 2 + float(g.uniform(*BESIDE_M)))
        heading = float(g.uniform(-math.pi, math.pi))
        near = replace(person, place_m=(float(at[0]), float(at[1]), 0.0), heading_rad=heading)
        if not layout.beside_all(near.box, ALONE_M, (target,)):
            continue
        spot = _stood(picture, person, at, heading, target)
        if spot is not None:
            long, wide, _ = spot.size_m
            around = (long + 2 * ALONE_M, wide + 2 * ALONE_M, WAY_HIGH_M)
            layout.keep_free(replace(spot, size_m=around).box)
            given = _given(picture, spot) if held else None
            picture.keep(spot, given if given is not None else target)
            return spot
    return None


def _given(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return what was put into a hand of somebody who stands, where it has room and is seen."""
    layout = picture.layout
    names = [n for n in HELD if all(s.asset.noun != n for s in layout.stands)]
    for side in layout.g.permutation([1.0, -1.0]).tolist():
        held = layout.drawn(names) if names else None
        if held is None:
            return None
        x, y = person.ahead(0.02, side * HAND_ASIDE_M)
        z = HAND_HIGH * person.size_m[2] + GRIP_M - held.size_m[2]
        heading = person.heading_rad + (math.pi / 2 if held.size_m[1] > held.size_m[0] else 0.0)
        place = (round(float(x), 6), round(float(y), 6), round(z, 6))
        spot = replace(held, place_m=place, heading_rad=math.remainder(heading, 2 * math.pi), on=IN_HAND)
        free = layout.room.holds(spot.box.corners).all() and layout.beside_all(spot.box, 0.02, (person,))
        if z > 0.1 and free and picture.sees(spot):
            layout.stands.append(spot)
            return spot
    return None
