"""The room in which somebody acts: seats, furniture with something on it, and little else.

stage = furnished_stage(layout)        # None where that finds no room
stage.before(seat)                     # where somebody stands who is about to sit down there
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.furniture.catalogue import furniture_model
from fathom.assets.model import stretched_to
from fathom.geometry.poses import Array
from fathom.scenes.acting.footsteps import FloorSpot
from fathom.scenes.acting.performance import PUSH_APART_M
from fathom.scenes.estimated_views import called_alone
from fathom.scenes.pushing import first_met_m, gone
from fathom.scenes.room_picture import way_box
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

SEATS = ("chair", "armchair", "office chair", "sofa", "stool", "bench")
BEARERS = (
    "dining table",
    "round table",
    "desk",
    "kitchen cabinet",
    "shelf",
    "cabinet",
    "dresser",
    "side table",
)
OTHERS = ("floor lamp", "potted plant", "fan", "bookshelf", "wardrobe", "fridge", "coat rack")
"""What people sit on, what things stand on at walls, and what else stands in the room."""

TABLES, ALONE, AWAY_M = ("dining table", "round table", "side table"), 0.5, 0.75
"""On what things stand in the middle of a room, how likely that is, and how far from walls."""

THINGS = (
    "teapot",
    "vase",
    "toy house",
    "box",
    "watering can",
    "ball",
    "biscuit tin",
    "handbag",
    "cactus",
    "book",
)
"""What is taken and put down."""

MOST_THINGS, MORE_TRIES, HANDS_M = 4, 6, 0.09
"""So many things stand on furniture at first, how often more are tried on each piece, and how far apart they
are: hands take them from both sides."""

PUSHED = ("chair", "armchair", "office chair")
"""What is pushed over the floor, from behind."""

FAR_M, BEHIND_M, SPOTS = (0.75, 1.3), 0.85, 20
"""How far it is pushed, how much room there is behind it, and how many places are tried for it."""

PALM_LOW_M, PALM_HIGH, MET_M, REACHED_M = 0.055, 0.95, 0.024, 0.5
"""How far under the top of what is pushed the palms are, in metres, how high at most; how far the middle of
a hand is before what it touches; how far ahead of who pushes that is. All others in metres of somebody of
usual size."""

FEET_M, TOES_M = 0.12, 0.29
"""How far before a seat, and before furniture, the middle of who stands there is."""

DEEP_M, PELVIS_M = 0.36, 0.13
"""How far the hips go back behind the edge of a seat at most, and how far the back is behind them."""

ASIDE_M, HIGH_M = 0.27, 1.7
"""How far beside somebody's way everything is, up to which height."""

NEAR_M, FRONT = 0.25, 0.05
"""How far who is about to sit down stands before a seat at most; how much the way there leads from before it
(cosine)."""

EDGE_M = 0.03
"""How far what stands on furniture is from its edge."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A furnished room, its seats, what bears things, these things, what can be pushed, and how far."""

    layout: RoomLayout
    seats: tuple[Stand, ...]
    bearers: tuple[Stand, ...]
    things: tuple[Stand, ...]
    pushed: Stand | None = None
    far_m: float = 0.0

    def name(self, stand: Stand) -> str:
        """Return the id of an object."""
        return f"thing{next(k for k, s in enumerate(self.layout.stands) if s is stand)}"

    def free(self, start: FloorSpot, end: FloorSpot) -> bool:
        """Return whether somebody can walk straight from one spot to another; of a seat before which one of
        them is the way leads away.
        """
        a, b = (np.array([s.x, s.y]) for s in (start, end))
        if math.dist(a, b) < 0.05:
            return True
        own = [s for s in self.seats if (_at(s, a) and _leads(s, a, b)) or (_at(s, b) and _leads(s, b, a))]
        way = way_box(a, b, ASIDE_M, 0.0, HIGH_M)
        return bool(self.layout.room.holds(way.corners).all()) and self.layout.beside_all(way, 0.0, own)


def _at(seat: Stand, place: Array) -> bool:
    """Return whether a place (2,) is right before a seat."""
    x, y = place - np.array(seat.place_m[:2])
    c, s = math.cos(seat.heading_rad), math.sin(seat.heading_rad)
    ahead, aside = c * x + s * y - seat.size_m[0] / 2, abs(c * y - s * x)
    return bool(-0.1 < ahead < NEAR_M and aside < 0.1)


def _leads(seat: Stand, start: Array, end: Array) -> bool:
    """Return whether a way from before a seat does not lead back over it."""
    way = (end - start) / math.dist(start, end)
    return bool(way @ np.array([math.cos(seat.heading_rad), math.sin(seat.heading_rad)]) >= FRONT)


def seat_of(seat: Stand, scale: float) -> tuple[FloorSpot, float, float]:
    """Return where somebody stands who sits down on a seat, how high it is, and how far back they sit; both
    in metres of somebody of usual size.
    """
    usual = furniture_model(seat.asset).extents
    high, behind, ahead = seat.asset.seat
    longer = seat.size_m[0] / usual[0]
    edge = ahead * longer
    deep = min(DEEP_M * scale, (ahead + behind) * longer - PELVIS_M * scale)
    x, y = seat.ahead(edge + FEET_M * scale)
    spot = FloorSpot(float(x), float(y), seat.heading_rad)
    return spot, high * seat.size_m[2] / usual[2] / scale, deep / scale + FEET_M


def before(bearer: Stand, left_m: float, scale: float) -> FloorSpot:
    """Return where somebody stands before furniture, so far to its own left of its middle, facing it."""
    x, y = bearer.ahead(bearer.size_m[0] / 2 + TOES_M * scale, left_m)
    return FloorSpot(float(x), float(y), bearer.heading_rad + math.pi)


def laid_on(g: np.random.Generator, layout: RoomLayout, bearer: Stand, thing: Stand) -> Stand | None:
    """Return something put near the front edge of furniture, turned as it likes; None without room."""
    turn = float(g.uniform(-math.pi, math.pi))
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    deep = (c * thing.size_m[0] + s * thing.size_m[1]) / 2
    wide = (s * thing.size_m[0] + c * thing.size_m[1]) / 2
    room = bearer.size_m[1] * bearer.asset.carries / 2 - wide
    if room <= 0 or 2 * deep > bearer.size_m[0] * bearer.asset.carries:
        return None
    ahead = bearer.size_m[0] / 2 * (0.55 + 0.45 * bearer.asset.carries) - deep - EDGE_M
    spot = bearer.ahead(ahead, float(g.uniform(-room, room)))
    index = next(k for k, one in enumerate(layout.stands) if one is bearer)
    return layout.put(thing, spot, bearer.heading_rad + turn, index)


def _to_be_pushed(layout: RoomLayout, far_m: float) -> Stand | None:
    """Return something put where it can be pushed so far, with room behind it, which is kept free."""
    for _ in range(SPOTS):
        spot = layout.somewhere(PUSHED, False)
        if spot is None:
            return None
        half = spot.size_m[0] / 2
        start, end = spot.ahead(-half - BEHIND_M), spot.ahead(far_m)
        way = way_box(start, end, spot.size_m[1] / 2 + EDGE_M, half + EDGE_M, HIGH_M)
        if layout.room.holds(way.corners).all():
            layout.keep_free(way)
            return spot
        layout.stands.remove(spot)
    return None


def furnished_stage(layout: RoomLayout, pushes: bool = False) -> Stage | None:
    """Return a room with two seats, two bearers with things on them, and where
    somebody `pushes` something to be pushed; None where they find no room.
    """
    g = layout.g
    far_m = float(g.uniform(*FAR_M)) if pushes else 0.0
    pushed = _to_be_pushed(layout, far_m) if pushes else None
    if pushes and pushed is None:
        return None
    bearers = [
        layout.somewhere(TABLES, False, AWAY_M) if g.random() < ALONE else layout.against_wall(BEARERS)
        for _ in range(2)
    ]
    seats = [layout.against_wall(SEATS) for _ in range(2)]
    if g.random() < 0.7:
        layout.against_wall(OTHERS, corner=True)
    things = []
    for bearer in bearers:
        if bearer is None:
            return None
        drawn = layout.drawn(left_of(layout, THINGS))
        laid = laid_on(g, layout, bearer, drawn) if drawn is not None else None
        if laid is None:
            return None
        things.append(laid)
    _lay_more(layout, [b for b in bearers if b is not None], things)
    named = [s for s in (*seats, *bearers, *things) if s is not None and called_alone(layout.stands, s)]
    if len(named) < len(seats) + len(bearers) + len(things):
        return None
    if pushed is not None and not called_alone(layout.stands, pushed):
        return None
    return Stage(
        layout, tuple(s for s in seats if s), tuple(b for b in bearers if b), tuple(things), pushed, far_m
    )


def _lay_more(layout: RoomLayout, bearers: list[Stand], things: list[Stand]) -> None:
    """Put more things beside those that lie on some furniture, each of a noun of its own."""
    for bearer in bearers * MORE_TRIES:
        if len(things) >= MOST_THINGS:
            break
        drawn = layout.drawn(left_of(layout, THINGS))
        laid = laid_on(layout.g, layout, bearer, drawn) if drawn is not None else None
        if laid is not None and not layout.beside_all(laid.box, HANDS_M, (bearer, laid)):
            layout.stands.remove(laid)
        elif laid is not None:
            things.append(laid)


def left_of(layout: RoomLayout, nouns: Sequence[str]) -> list[str]:
    """Return those of some nouns of which there is nothing in a room."""
    there = {s.asset.noun for s in layout.stands}
    return [n for n in nouns if n not in there]


def behind(stage: Stage, scale: float, aside_m: float) -> tuple[FloorSpot, tuple[float, float]] | None:
    """Return where somebody stands who pushes what can be pushed from behind, so far aside of its middle, and
    how far ahead and how high the palms are then, in metres of somebody of usual size; None where they would
    not both touch it.
    """
    target = stage.pushed
    assert target is not None
    model = stretched_to(furniture_model(target.asset), target.size_m)
    high = min(target.size_m[2] - PALM_LOW_M, PALM_HIGH * scale)
    heights = np.linspace(high - 0.015, high + 0.015, 5)
    met = [first_met_m(model, 0.0, aside_m + side * PUSH_APART_M * scale, heights) for side in (1.0, -1.0)]
    if not all(np.isfinite(m).all() for m in met):
        return None
    first = float(min(m.min() for m in met))
    x, y = target.ahead(first - (REACHED_M + MET_M) * scale, aside_m)
    return FloorSpot(float(x), float(y), target.heading_rad), (REACHED_M, high / scale)


def pushed_on(stage: Stage) -> Stage | None:
    """Return the room once what can be pushed was pushed ahead; None where its way is not free."""
    target = stage.pushed
    assert target is not None
    there = gone(target, 0.0, stage.far_m)
    start, end = (np.array(s.place_m[:2]) for s in (target, there))
    way = way_box(start, end, target.size_m[1] / 2 + EDGE_M, target.size_m[0] / 2 + EDGE_M, HIGH_M)
    if not (stage.layout.room.holds(way.corners).all() and stage.layout.beside_all(way, 0.0, (target,))):
        return None
    stands = [there if s is target else s for s in stage.layout.stands]
    return replace(stage, layout=stage.layout.with_stands(stands), pushed=there)


def lifted_off(stage: Stage, thing: Stand) -> Stage:
    """Return the room with something that somebody holds from the beginning taken off its bearer."""
    held = replace(thing, on=-4)
    stands = [held if s is thing else s for s in stage.layout.stands]
    things = tuple(held if s is thing else s for s in stage.things)
    return replace(stage, layout=stage.layout.with_stands(stands), things=things)


def local(spot: FloorSpot, place: Array, scale: float) -> tuple[float, float]:
    """Return a place (2,) in the frame of somebody at a spot, in metres of somebody of usual size."""
    c, s = math.cos(spot.heading_rad), math.sin(spot.heading_rad)
    dx, dy = float(place[0]) - spot.x, float(place[1]) - spot.y
    return (c * dx + s * dy) / scale, (c * dy - s * dx) / scale
