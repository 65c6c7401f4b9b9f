"""Changes of a room that turn answers round: objects stand elsewhere, hang higher or lower, one is turned.

Whatever an answer hangs on that is turned round, it is one object alone that changed.

changed_room(g, layout, camera, "above").stands    # index among layout.stands → the object after the change

Ref: 3DSRBench §3.2 (complementary pairs).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from fathom.assets.furniture.living import KINDS as LIVING
from fathom.records import Camera
from fathom.scenes.estimated_views import hit, in_pictures, nameable, shown
from fathom.scenes.sitting import sat_down, sits
from fathom.scenes.turned_answers import FIRST, IN_ROOMS, Apart, turned_answers, turned_directions, weighed
from fathom.scenes.videos.furnishing_rooms import TRIES, RoomLayout, Stand
from fathom.scenes.wall_things import ON_WALL, hung_anew

LOOSE = ("chair", "armchair", "office chair", "fan", "toy truck", "desk", "cabinet", "dresser")
"""What stands in the middle of rooms as well, turned any way: something can be behind it."""


def stands_free(stand: Stand) -> bool:
    """Return whether an object stands anywhere, turned any way: furniture of some kinds, people, animals."""
    return stand.asset.noun in LOOSE or stand.asset.category in LIVING


LIGHT_M = 0.8
"""What is no longer, wider or higher than this is moved about as well."""

LEAST_M = 0.4
"""How far from where it stood an object is put at least."""

SMALL_SHARE = 0.75
"""How often what stands on furniture is tried before what stands on the floor."""

ENOUGH, TURN_WORTH = 110, 10
"""From which worth on of what is moved no other change is looked for; what a turn counts beside it."""

CARRIED = 2
"""So often what stands on furniture is tried all over."""

COMPARED, EACH, ROUNDS = 80, 16, 3
"""Of so many moves, so many of each object, the one is taken that turns most answers round; so often each
piece of furniture is tried.
"""

HEIGHTS = 6
"""So many heights are tried of each object on a wall."""

TURNS = 9
"""Of so many turns the one is taken that turns most answers round."""

TURNS_RAD = (math.pi / 2, math.pi, -math.pi / 2)


@dataclass(frozen=True)
class RoomChange:
    """What is elsewhere in a changed room: index among its objects → the object after the change.

    worth : what the answers that it turns round count together; `enough`, whether no more need be looked for
    meant : whether it turns answers round of all kinds that were asked for before others
    """

    stands: Mapping[int, Stand]
    worth: int
    enough: bool
    meant: bool


class Furnished(Protocol):
    """A place with objects in it: a room or a street."""

    @property
    def stands(self) -> list[Stand]:
        """The objects."""

    @property
    def hides(self) -> Sequence[Stand]:
        """What hides what is behind it, as boxes."""

    def with_stands(self, stands: list[Stand]) -> Self:
        """Return the place with other objects, or the same elsewhere."""


P = TypeVar("P", bound=Furnished)

Moves = Callable[[np.random.Generator, P, Sequence[int], Camera], Iterator[tuple[int, Stand]]]
"""What yields, of the objects that can be used, some elsewhere: which one, and where."""


def changed_room(
    g: np.random.Generator, layout: RoomLayout, camera: Camera, first: str = FIRST[0]
) -> RoomChange:
    """Return what is elsewhere in a changed room: up to three objects that are moved, up to two that hang
    elsewhere on their walls, and one that is turned.
    """
    higher = FIRST[0]
    kinds = (_carried, "above"), (_moved, first), (_moved, higher), (_hung_anew, higher), (_hung_anew, higher)
    return changed_place(g, layout, camera, ChangePlan(kinds, _turned, IN_ROOMS))


@dataclass(frozen=True)
class ChangePlan(Generic[P]):
    """Which changes are looked for.

    kinds : kinds of moves, one object after each, and what kind of answers each is to turn round first
    turns : what turns one object
    apart : from when on answers are clear
    """

    kinds: Sequence[tuple[Moves[P], str]]
    turns: Moves[P]
    apart: Apart


def changed_place(g: np.random.Generator, layout: P, camera: Camera, plan: ChangePlan[P]) -> RoomChange:
    """Return what is elsewhere in a changed place: one object after each of some kinds of moves, and one that
    is turned.

    Of the moves those are taken that turn most answers round. All are in the pictures of all poses of the
    camera before and after. Nothing where no object fits.
    """
    changes: dict[int, Stand] = {}
    worth, missed = 0, {first for _, first in plan.kinds}
    for moves, first in plan.kinds:
        now = _after(layout, changes)
        usable = [k for k in _usable(g, layout, now, camera) if k not in changes]
        others = _others(layout, now, changes, camera)
        spots = [
            (_turned_by(layout, k, spot, _but(others, k), camera, plan.apart), k, spot)
            for k, spot in islice(moves(g, now, usable, camera), COMPARED)
        ]
        counts, k, found = max(spots, key=lambda s: weighed(s[0], first), default=({}, -1, None))
        if found is not None and weighed(counts, first):
            changes[k] = found
            worth += weighed(counts, first)
            missed -= {first} if counts.get(first) else set()
    now = _after(layout, changes)
    usable = [k for k in _usable(g, layout, now, camera) if k not in changes]
    turns = list(islice(plan.turns(g, now, usable, camera), TURNS))
    seen = _others(layout, now, changes, camera)
    best = max(
        turns, key=lambda t: turned_directions((layout.stands[t[0]], t[1]), _but(seen, t[0])), default=None
    )
    turned = dict([best] if best is not None else [])
    enough = worth >= ENOUGH and bool(turned)
    return RoomChange({**changes, **turned}, worth + TURN_WORTH * len(turned), enough, not missed)


def _after(layout: P, changes: Mapping[int, Stand]) -> P:
    """Return the place with what was changed so far where it is then."""
    return layout.with_stands([changes.get(k, s) for k, s in enumerate(layout.stands)])


def _others(layout: P, now: P, changes: Mapping[int, Stand], camera: Camera) -> dict[int, Stand]:
    """Return what stays where it is, has a name of its own, and is seen at all poses before and after."""
    seen = nameable(layout.stands)
    for room in (layout, now):
        seen = seen & shown(room.stands, room.hides, camera).all(axis=0)
    return {k: s for k, s in enumerate(layout.stands) if seen[k] and k not in changes}


def _but(others: Mapping[int, Stand], k: int) -> list[Stand]:
    return [o for i, o in others.items() if i != k]


def _turned_by(
    layout: Furnished, k: int, spot: Stand, others: Sequence[Stand], camera: Camera, apart: Apart
) -> Mapping[str, int]:
    """Return what the answers of each kind count that a move of object `k` turns round beside others."""
    stand = layout.stands[k]
    carriers = [layout.stands[s.on] for s in (stand, spot) if s.on >= 0 and stand.on != spot.on]
    return turned_answers((stand, spot), carriers, others, camera, apart)


def _carried(
    g: np.random.Generator, now: RoomLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield what stands on furniture, or on a shelf, elsewhere."""
    small = [k for k in usable if now.stands[k].on >= 0 and not sits(now.stands[k])]
    for _ in range(CARRIED):
        yield from _moved(g, now, small, camera)


def _moved(
    g: np.random.Generator, now: RoomLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield what is neither large nor on a wall, elsewhere on the floor or on furniture."""
    small_first = bool(g.random() < SMALL_SHARE)
    for k in sorted(usable, key=lambda k: (now.stands[k].on >= 0) != small_first):
        stand = now.stands[k]
        heavy = not stands_free(stand) and max(stand.size_m) > LIGHT_M
        if stand.on == ON_WALL or (stand.on < 0 and heavy):
            continue
        rest = without(g, now, {k})
        if sits(stand):
            spots = sat_down(rest, stand)
        else:
            spots = _on_others(g, rest, stand) if stand.on >= 0 else _on_the_floor(g, rest, stand)
        for spot in islice(spots, EACH):
            far = math.dist(spot.place_m, stand.place_m) >= LEAST_M
            if far and in_pictures(spot, rest.hides, camera) and not hit(spot, camera):
                # The others are numbered without it there.
                yield k, replace(spot, on=spot.on + (spot.on >= k) if spot.on >= 0 else spot.on)


def _hung_anew(
    g: np.random.Generator, now: RoomLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield what hangs on a wall, higher or lower there."""
    for k in (k for k in usable if now.stands[k].on == ON_WALL):
        others = [s for s in now.hides if s is not now.stands[k]]
        for spot in islice(hung_anew(g, now, k), HEIGHTS):
            if in_pictures(spot, others, camera) and not hit(spot, camera):
                yield k, spot


def _turned(
    g: np.random.Generator, now: RoomLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield what stands free, turned in its place by a right angle or two."""
    for k in usable:
        stand = now.stands[k]
        if stand.on != -1 or not stands_free(stand):
            continue
        for turn in g.permutation(TURNS_RAD):
            rest = without(g, now, {k})
            spot = rest.put(stand, np.array(stand.place_m[:2]), stand.heading_rad + float(turn))
            if spot is not None and not hit(spot, camera):
                yield k, spot


def _usable(g: np.random.Generator, layout: P, now: P, camera: Camera) -> list[int]:
    """Return, by chance, what is in all pictures, has a name of its own, and carries nothing: as the room
    was, and as it is changed so far.
    """
    carrying = {s.on for room in (layout, now) for s in room.stands}
    named = nameable(layout.stands)
    return [
        int(k)
        for k in g.permutation(len(layout.stands))
        if named[k]
        and int(k) not in carrying
        and all(in_pictures(room.stands[k], room.hides, camera) for room in (layout, now))
    ]


def without(g: np.random.Generator, layout: RoomLayout, gone: set[int]) -> RoomLayout:
    """Return the layout without some of what stands there; `on` is of no use in it."""
    left = [s for k, s in enumerate(layout.stands) if k not in gone]
    rest = layout.with_stands(left)
    rest.g, rest.laid = g, list(layout.laid)
    return rest


def _on_others(g: np.random.Generator, rest: RoomLayout, stand: Stand) -> Iterator[Stand]:
    """Yield where a small object could stand: on each piece of furniture, and here and there on the floor."""
    carriers = [s for s in rest.stands if s.asset.carries]
    for k in [int(k) for _ in range(ROUNDS) for k in [*g.permutation(len(carriers) + 1), len(carriers)]]:
        again = without(g, rest, set())
        spot = again.set_on(stand, carriers[k]) if k < len(carriers) else again.set_down(stand, True, 0.3)
        if spot is not None:
            yield spot


def _on_the_floor(g: np.random.Generator, rest: RoomLayout, stand: Stand) -> Iterator[Stand]:
    """Yield other places on the floor for an object that stays turned as it is."""
    corners = np.array([s.a for s in rest.room.sides])
    for _ in range(TRIES):
        at = g.uniform(corners.min(axis=0), corners.max(axis=0))
        spot = without(g, rest, set()).put(replace(stand, on=-1), at, stand.heading_rad)
        if spot is not None:
            yield spot
