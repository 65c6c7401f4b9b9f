"""People in a room: they walk to something, stand beside something, hold, push or look at something, sit on a
seat or on the floor, or lie on a bed.

add_people(picture, drawn_people(g, 2))    # its layout has them, and what they hold, with on == IN_HAND
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fathom.assets.spec import PERSON
from fathom.geometry.poses import Array
from fathom.scenes.estimated_views import called_alone
from fathom.scenes.holding import in_the_hand, on_the_palm
from fathom.scenes.person_kinds import person_of
from fathom.scenes.pushing import gone, put_to_push
from fathom.scenes.room_picture import WAY_HIGH_M, RoomPicture, way_box
from fathom.scenes.sitting import BEDS, laid_down, sat_down
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

LOOKS = ("woman", "man")
WAYS = (
    *["walks"] * 2, *["seated"] * 6, *["pushes"] * 13, *["looks"] * 12, *["holds"] * 7, "carries",
    "stands", "sits",
)  # fmt: skip
"""What somebody does: what it is seldom seen of, or seldom finds room, is drawn more often."""

FAR_M, BESIDE_M = (0.3, 1.5), (0.06, 0.2)
"""How far somebody who walks is from where they go, and somebody who stands from what they stand beside."""

ALONE_M = 0.45
"""Who stands beside something is so far from all else at first."""

FREE_M, BEYOND_M = 0.35, 0.32
"""How far aside of somebody's way all else is, and as far behind the middle of what they walk to."""

ASTRAY_RAD = 0.03
TRIES = 120

CHAIRS = ("chair", "armchair", "office chair", "sofa")
"""What people sit on, push, walk to and look at: of what they do to it, the word says nothing."""

PUSHED = (*CHAIRS, "dresser", "washing machine", "cabinet", "wardrobe", "bookshelf", "fridge", "suitcase")
"""What is put into a room to be pushed, where nothing there can be."""

SEATS = (*CHAIRS, "stool", "bench")
"""What is put there to be sat on."""

LOOKED = (*CHAIRS, "fan", "floor lamp", "coat rack", "potted plant", "suitcase", "bookshelf")
"""What is put there to be looked at."""

MORE = 8
"""So often something is put there for that."""

HOLDS_TRIES, BEFORE_M = 12, 1.1
"""So often it is tried to put somebody with something on the open hand, and how far before them is free."""

TO_BED = 0.3
"""How likely somebody lies on a bed, where there is one."""

TO_CHAIRS = 0.5
"""How likely somebody has to do with a chair, where there is one."""

LOOKS_M, PLAIN_RAD, OTHERS_M = (0.8, 2.4), math.radians(28.0), 6.0
"""How far what somebody looks at is from them, and how far all else, within so much, is off that way."""

LEVEL_RAD, EYES = math.radians(25.0), 0.93
"""How far below the eyes what somebody looks at is at most; how high these are, ÷ their height."""

PLAIN_HIGH_M = 2.5
"""Up to which height nothing else comes there."""


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
        layout.most += 3
        others = [INSTEAD[int(k)] for k in layout.g.permutation(len(INSTEAD))]
        bed = any(s.asset.noun in BEDS for s in layout.stands) and layout.g.random() < TO_BED
        for way in (*(["lies"] if bed else []), one.way, *others):
            stand = person_of(layout, one.looks, POSTURES.get(way, way))
            if PUT[way](picture, stand) is not None:
                break


def _targets(picture: RoomPicture) -> list[Stand]:
    """Return what on the floor somebody can have to do with, is seen, and has a name of its own."""
    stands = picture.layout.stands
    floor = (s for s in stands if s.on == -1 and s.asset.category != PERSON and s.size_m[2] > 0.3)
    return [s for s in floor if called_alone(picture.layout.stands, s) and picture.sees(s)]


def _one_of(g: np.random.Generator, there: list[Stand]) -> Stand:
    """Return one of some objects, a chair more often."""
    chairs = [s for s in there if s.asset.noun in CHAIRS]
    some = chairs if chairs and g.random() < TO_CHAIRS else there
    return some[int(g.integers(len(some)))]


def _seated(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put on a seat that has a name of its own; on another one, where there is none."""
    return _with_more(picture, partial(_sat, picture, person), SEATS, 0.2)


def _sat(picture: RoomPicture, person: Stand) -> Stand | None:
    layout = picture.layout
    for spot in sat_down(layout, person, beds=True):
        seat = layout.stands[spot.on]
        if called_alone(layout.stands, seat) and picture.sees(spot, seat):
            layout.stands.append(spot)
            picture.keep(spot, seat)
            return spot
    return None


def _lying(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put on a bed, on the back."""
    for spot in laid_down(picture.layout, person):
        bed = picture.layout.stands[spot.on]
        if picture.sees(spot, bed):
            picture.layout.stands.append(spot)
            picture.keep(spot, bed)
            return spot
    return None


def _pushing(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put where they push something that has a name of its own."""
    return _with_more(picture, partial(_pushed, picture, person), PUSHED, 0.8)


def _pushed(picture: RoomPicture, person: Stand) -> Stand | None:
    layout = picture.layout
    for target in _by_chance(layout.g, _targets(picture)):
        spot = picture.added(partial(put_to_push, layout, person, target))
        if spot is not None and picture.sees(spot, target):
            picture.keep(spot, target)
            picture.profiles.append(spot)
            layout.keep_free(gone(target, spot.heading_rad - target.heading_rad).box)
            return spot
        if spot is not None:
            layout.stands.remove(spot)
    return None


def _with_more(
    picture: RoomPicture, put: Callable[[], Stand | None], names: Sequence[str], wall_m: float
) -> Stand | None:
    """Return who was put there; where that fails, once something more of some nouns stands in the room."""
    layout, found = picture.layout, put()
    for _ in range(MORE):
        if found is not None:
            break
        added = layout.somewhere(names, wall_m=wall_m)
        found = put() if added is not None else None
        if added is not None and found is None:
            layout.stands.remove(added)
    return found


def _on_the_floor(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put anywhere on the floor."""
    spot = picture.layout.set_down(person, True, 0.1)
    if spot is not None:
        picture.keep(spot)
    return spot


def _looking(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put where they look straight at something that has a name of its own."""
    return _with_more(picture, partial(_looked, picture, person), LOOKED, 0.4)


def _looked(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put where they look straight at something, with all else well beside that direction."""
    layout, there = picture.layout, _targets(picture)
    g = layout.g
    for _ in range(TRIES if there else 0):
        target = _one_of(g, there)
        drop = EYES * person.size_m[2] - target.size_m[2]
        nearest = max(LOOKS_M[0], drop / math.tan(LEVEL_RAD))
        if nearest > LOOKS_M[1]:
            continue
        at, way = _around(g, target, person.size_m[0] / 2 + float(g.uniform(nearest, LOOKS_M[1])))
        heading = way + math.pi + float(g.uniform(-ASTRAY_RAD, ASTRAY_RAD))
        if not _plain(layout, at, heading, target):
            continue
        spot = _stood(picture, person, at, heading, target)
        if spot is not None:
            picture.keep(spot, target)
            picture.profiles.append(spot)
            middle = np.array(target.place_m[:2])
            aside = math.tan(PLAIN_RAD) * float(np.hypot(*(middle - at)))
            # Nothing is put there later, not on what is looked at either.
            layout.keep_free(way_box(at, 2 * middle - at, aside, high_m=PLAIN_HIGH_M))
            return spot
    return None


def _plain(layout: RoomLayout, at: Array, heading: float, target: Stand) -> bool:
    """Return whether nothing but a target is near the direction in which somebody looks from a place."""
    others = [s for s in layout.stands if s is not target]
    if not others:
        return True
    corners = np.concatenate([s.box.corners for s in others])
    steps = np.linspace(0.0, 1.0, 6)[:, None, None, None]
    edges = (corners + steps * (np.roll(corners, 1, axis=1) - corners) - at).reshape(-1, 2)
    off = np.arctan2(edges[:, 1], edges[:, 0]) - heading
    beside = np.abs(np.arctan2(np.sin(off), np.cos(off))) >= PLAIN_RAD
    return bool((beside | (np.hypot(*edges.T) > OTHERS_M)).all())


def _by_chance(g: np.random.Generator, there: list[Stand]) -> list[Stand]:
    """Return some objects by chance, chairs more often before others."""
    order = [there[int(k)] for k in g.permutation(len(there))]
    if g.random() < TO_CHAIRS:
        order.sort(key=lambda s: s.asset.noun not in CHAIRS)
    return order


def _around(g: np.random.Generator, target: Stand, gap_m: float) -> tuple[Array, float]:
    """Return a place (2,) so far from the edge of an object, in any direction, and that direction."""
    way = float(g.uniform(-math.pi, math.pi))
    return target.aside(way, gap_m), way


def _walking(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put on a free way to something; the way is kept free."""
    layout, there = picture.layout, _targets(picture)
    g = layout.g
    for _ in range(TRIES if there else 0):
        target = _one_of(g, there)
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
        target = _one_of(g, there)
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
            given = in_the_hand(picture, spot) if held else None
            picture.keep(spot, given if given is not None else target)
            return spot
    return None


def _holding(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return somebody put anywhere on the floor with something on the open hand, and room before them."""
    layout = picture.layout
    for _ in range(HOLDS_TRIES):
        spot = picture.added(partial(layout.set_down, person, True, 0.1))
        if spot is None:
            continue
        before = way_box(np.array(spot.place_m[:2]), spot.ahead(BEFORE_M), person.size_m[1] / 2)
        seen = layout.beside_all(before, 0.0, (spot,)) and layout.room.holds(before.corners).all()
        given = on_the_palm(picture, spot) if seen and picture.sees(spot) else None
        if given is not None:
            picture.keep(spot, given)
            layout.keep_free(before)
            return spot
        layout.stands.remove(spot)
    return None


Put = Callable[[RoomPicture, Stand], Stand | None]

PUT: Mapping[str, Put] = {
    "walks": _walking,
    "seated": _seated,
    "pushes": _pushing,
    "looks": _looking,
    "stands": partial(_beside, held=False),
    "carries": partial(_beside, held=True),
    "holds": _holding,
    "sits": _on_the_floor,
    "lies": _lying,
}
"""What somebody does → what puts them into a room."""

INSTEAD = ("walks", "seated", "looks", "looks", "stands", "pushes")
"""What somebody does instead, in any order, where there is no room for that."""

POSTURES = {"looks": "stands", "carries": "stands"}
"""What somebody does → how they stand, where that is not said by it."""
