"""People in a room: somebody walks to something, stands beside something, holds something, or sits.

add_people(layout, drawn_people(g, 2))     # layout.stands has them, and what they hold, with on == IN_HAND
objects = told(objects)               # their records say what they do
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
from fathom.records import SceneObject
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

IN_HAND = -4
"""What `Stand.on` says of what somebody holds."""

LOOKS = ("woman", "man")
DOES = {"walking": "walks", "standing": "stands", "seated": "sits"}
"""How the names of models begin → what they do."""

WAYS = ("walks", "stands", "stands", "holds", "holds", "sits")
"""What somebody does: who stands finds room more seldom."""

FIRST = ("walks", "sits")
"""Who does this needs room before all else; who stands beside something is put beside what is there."""

FAR_M, BESIDE_M = (0.4, 2.2), (0.06, 0.2)
"""How far somebody who walks is from where they go, and somebody who stands from what they stand beside."""

ALONE_M = 0.45
"""Who stands beside something is so far from all else at first."""

ASTRAY_RAD, STRIDE = 0.08, 1.3
TRIES = 80

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


def add_people(layout: RoomLayout, people: Sequence[Somebody]) -> None:
    """Put people into a room, as far as they have room."""
    for one in people:
        way = one.way
        layout.most += 2
        stand = _person(layout, one.looks, "stands" if way == "holds" else way)
        if way == "sits":
            layout.set_down(stand, True, 0.1)
        elif way == "holds":
            _give(layout, _near(layout, stand, BESIDE_M, toward=False))
        else:
            walks = way == "walks"
            _near(layout, stand, FAR_M if walks else BESIDE_M, toward=walks)


def told(objects: Sequence[SceneObject]) -> list[SceneObject]:
    """Return the objects of a room; what people do is among their attributes."""
    known = {name: spec for name, spec in room_assets(None).items() if spec.category == PERSON}
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
    named = [s for s in every if s.category == PERSON and s.noun == looks]
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


def _near(layout: RoomLayout, person: Stand, gaps_m: tuple[float, float], toward: bool) -> Stand | None:
    """Return somebody put near something on the floor, who goes `toward` it or looks anywhere."""
    g = layout.g
    there = [s for s in layout.stands if s.on == -1 and s.asset.category != PERSON and s.size_m[2] > 0.3]
    for _ in range(TRIES if there else 0):
        target = there[int(g.integers(len(there)))]
        way = float(g.uniform(-math.pi, math.pi))
        turned = way - target.heading_rad
        edge = (abs(math.cos(turned)) * target.size_m[0] + abs(math.sin(turned)) * target.size_m[1]) / 2
        own = (person.size_m[0] if toward else max(person.size_m[:2])) / 2
        far = edge + own + float(g.uniform(*gaps_m))
        at = np.array(target.place_m[:2]) + far * np.array([math.cos(way), math.sin(way)])
        heading = way + math.pi + float(g.uniform(-ASTRAY_RAD, ASTRAY_RAD))
        if not toward:
            heading = float(g.uniform(-math.pi, math.pi))
        near = replace(person, place_m=(float(at[0]), float(at[1]), 0.0), heading_rad=heading)
        rest = replace(layout, stands=[s for s in layout.stands if s is not target])
        if not toward and not rest.beside_all(near.box, ALONE_M):
            continue
        spot = layout.put(person, at, heading)
        if spot is not None:
            return spot
    return None


def _give(layout: RoomLayout, person: Stand | None) -> None:
    """Put something into a hand of somebody who stands, where it has room."""
    names = [n for n in HELD if all(s.asset.noun != n for s in layout.stands)]
    if person is None or not names:
        return
    held = layout.drawn(names)
    if held is None:
        return
    side = 1.0 if layout.g.random() < 0.5 else -1.0
    x, y = person.ahead(0.02, side * HAND_ASIDE_M)
    z = HAND_HIGH * person.size_m[2] + GRIP_M - held.size_m[2]
    heading = person.heading_rad + (math.pi / 2 if held.size_m[1] > held.size_m[0] else 0.0)
    place = (round(float(x), 6), round(float(y), 6), round(z, 6))
    spot = replace(held, place_m=place, heading_rad=math.remainder(heading, 2 * math.pi), on=IN_HAND)
    rest = replace(layout, stands=[s for s in layout.stands if s is not person])
    if z > 0.1 and layout.room.holds(spot.box.corners).all() and rest.beside_all(spot.box, 0.02):
        layout.stands.append(spot)
