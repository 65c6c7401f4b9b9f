"""Furniture in a room as it stands there: against walls and in groups, with the ways through doors left free.

layout = Layout(room, g, FURNITURE)
layout.against_wall(("sofa",))
layout.stands          # what found room
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fathom.assets.furniture.catalogue import Furniture, furniture_model
from fathom.assets.sizes import drawn_size
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import Array
from fathom.scenes.videos.boxes import Boxes, Size, above_m, apart_m, boxes_at, joined_boxes
from fathom.scenes.videos.rooms import DOOR, WALL_M, Room, Side

GAP_M = 0.03
"""How far furniture stands from walls and from one another at least."""

WALL_GAP_M = 0.02
"""How far anything is from a wall at least, its skirting being thinner."""

TRIES = 24
"""How often a place for an object is drawn."""

DOORWAY_M = 0.9
"""How far into the room the way through a door is left free."""

RUG_M = 0.008

HOLDS = {"bookshelf": frozenset({"book"})}
"""Noun of a piece of furniture → nouns of what can be seen in it. The two do not stand in one room: nobody
could say how many there are."""


@dataclass(frozen=True, eq=False)
class Stand:
    """An object where it stands; `on` is the index of what carries it, -1 the floor, -2 the rug under it, -3
    the wall behind it.
    """

    asset: AssetSpec
    color: str
    size_m: Size
    place_m: tuple[float, float, float]
    heading_rad: float
    on: int = -1

    @cached_property
    def box(self) -> Boxes:
        """Its box, (1,)."""
        return boxes_at(self.size_m, np.array([self.place_m]), np.array([self.heading_rad]))

    def ahead(self, forward_m: float, left_m: float = 0.0) -> Array:
        """Return the place (2,) so far ahead of its middle and to its left."""
        c, s = math.cos(self.heading_rad), math.sin(self.heading_rad)
        aside = np.array([c * forward_m - s * left_m, s * forward_m + c * left_m])
        return np.asarray(np.array(self.place_m[:2]) + aside)

    def aside(self, way_rad: float, gap_m: float) -> Array:
        """Return the place (2,) in a direction from its middle that is about so far from its edge."""
        turned = way_rad - self.heading_rad
        edge = (abs(math.cos(turned)) * self.size_m[0] + abs(math.sin(turned)) * self.size_m[1]) / 2
        return np.array(self.place_m[:2]) + (edge + gap_m) * np.array([math.cos(way_rad), math.sin(way_rad)])


@dataclass(frozen=True, eq=False)
class Laid:
    """A part of the structure that lies or hangs in the room: what, where, how large, how made."""

    what: str
    place_m: tuple[float, float, float]
    heading_rad: float
    size_m: Size
    edits: tuple[str, ...]

    @cached_property
    def box(self) -> Boxes:
        """Its box, (1,)."""
        return boxes_at(self.size_m, np.array([self.place_m]), np.array([self.heading_rad]))


@dataclass
class RoomLayout:
    """A room that is being furnished.

    spread : by how much more than usual sizes differ (`assets/sizes.py`)
    most : how many objects there are at most
    kept_free : what is kept free, besides the ways through doors and what is before windows
    walls : walls within the room, as boxes that hide what is behind them and are in the way
    """

    room: Room
    g: np.random.Generator
    furniture: Furniture
    spread: float = 1.0
    most: int = 16
    stands: list[Stand] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    kept_free: list[Boxes] = field(default_factory=list)
    walls: tuple[Stand, ...] = ()

    def __post_init__(self) -> None:
        self.wall_boxes = [_wall_box(self.room, s) for s in self.room.sides]
        self._walls = joined_boxes(self.wall_boxes)
        self.door_boxes: list[Boxes] = []
        doorways: list[Boxes] = []
        for side in self.room.sides:
            if side.door is not None:
                self.door_boxes.append(_before(side, side.door, DOOR[0], 0.0, DOOR[2]))
                doorways.append(_before(side, side.door, DOORWAY_M, 0.0, 2.1))
            high = (self.room.sill_m + 0.02, self.room.head_m)
            doorways += [_before(side, span, 0.35, *high) for span in side.windows]
        self._doorways = doorways
        self._ways = joined_boxes([*doorways, *self.kept_free])

    @property
    def hides(self) -> list[Stand]:
        """What hides what is behind it, as boxes."""
        return [*self.stands, *self.walls] if self.walls else self.stands

    def with_stands(self, stands: list[Stand]) -> RoomLayout:
        """Return the room with other objects, or the same elsewhere."""
        found = copy(self)  # with what follows from its walls, which stay
        found.stands = stands
        return found

    def wall_ahead_m(self, places: Array, directions: Array) -> Array:
        """Return (k,) how far the walls are from places (k, 2) along directions (k,) in radians."""
        way = np.stack([np.cos(directions), np.sin(directions)], axis=-1)
        found = np.full(len(places), np.inf)
        for side in self.room.sides:
            across = way @ side.inward
            along = (places - np.array(side.a)) @ side.inward
            far = np.where(across < -1e-9, along / np.maximum(-across, 1e-9), np.inf)
            hit = (places + np.where(np.isfinite(far), far, 0)[:, None] * way - side.a) @ side.along
            met = (far > 0) & (hit >= 0) & (hit <= side.length_m)
            found = np.where(met, np.minimum(found, far), found)
        return np.asarray(found)

    def drawn(self, names: Sequence[str]) -> Stand | None:
        """Return an object of one of these nouns, unlike what is there; None without kinds."""
        loose = [k for k in self.furniture.values() if not k.needs_another]
        there = sorted({k.noun for k in loose if k.noun in names and self._countable(k.noun)})
        if not there or len(self.stands) >= self.most:
            return None
        name = there[int(self.g.integers(len(there)))]
        kinds = [k for k in loose if k.noun == name]
        kind = kinds[int(self.g.integers(len(kinds)))]
        taken = {(s.asset.noun, s.color) for s in self.stands}
        colors = [c for c in kind.colors if (kind.noun, c) not in taken] or list(kind.colors)
        color = colors[int(self.g.integers(len(colors)))] if colors else ""
        return Stand(
            kind,
            color,
            drawn_size(self.g, furniture_model(kind).extents, kind.varies, self.spread),
            (0.0, 0.0, 0.0),
            0.0,
        )

    def _countable(self, noun: str) -> bool:
        """Return whether objects of this noun can be counted beside what stands there."""
        present = {s.asset.noun for s in self.stands}
        return not (present & HOLDS.get(noun, frozenset()) or any(noun in HOLDS.get(k, ()) for k in present))

    def put(self, stand: Stand | None, at: Array, heading_rad: float, on: int = -1) -> Stand | None:
        """Return the object put there, on the floor or on another; None where it has no room."""
        if stand is None:
            return None
        z = 0.0 if on == -1 else RUG_M if on == -2 else _top(self.stands[on])
        spot = replace(
            stand,
            place_m=(round(float(at[0]), 6), round(float(at[1]), 6), round(z, 6)),
            heading_rad=math.remainder(heading_rad, 2 * math.pi),
            on=on,
        )
        if not self.free(spot.box, GAP_M):
            return None
        self.stands.append(spot)
        return spot

    def free(self, box: Boxes, gap_m: float) -> bool:
        """Return whether a box (1,) lies in the room, clear of walls, objects and ways kept free."""
        if (
            not self.room.holds(box.corners).all()
            or (apart_m(box.corners, self._walls.corners) < WALL_GAP_M).any()
        ):
            return False
        if not self.beside_all(box, gap_m):
            return False
        rugs = [r.box for r in self.laid if r.what == "rug"]
        on_rug = float(box.low[0]) > 0
        if rugs and not on_rug and (apart_m(box.corners, joined_boxes(rugs).corners) < 0.005).any():
            return False
        ways = self._ways
        return bool(((apart_m(box.corners, ways.corners) >= 0) | (above_m(box, ways) >= 0)).all())

    def keep_free(self, box: Boxes) -> None:
        """Leave the place of a box (1,) free of what is put into the room from now on."""
        self.kept_free = [*self.kept_free, box]
        self._ways = joined_boxes([*self._doorways, *self.kept_free])

    def beside_all(self, box: Boxes, gap_m: float, but: Sequence[Stand] = ()) -> bool:
        """Return whether a box (1,) is beside, above or below everything that stands or hangs there, some
        objects left out.
        """
        standing = (s.box for s in self.hides if all(s is not other for other in but))
        others = [*standing, *(r.box for r in self.laid if r.size_m[2] > RUG_M)]
        if not others:
            return True
        there = joined_boxes(others)
        apart = (apart_m(box.corners, there.corners) >= gap_m) | (above_m(box, there) >= -2e-6)
        return bool(apart.all())

    def against_wall(
        self, names: Sequence[str], sides: Sequence[int] | None = None, corner: bool = False
    ) -> Stand | None:
        """Return an object put with its back to a wall; in a `corner` where it is to be out of the way."""
        obj = self.drawn(names)
        if obj is None:
            return None
        choice = list(range(len(self.room.sides))) if sides is None else list(sides)
        for _ in range(TRIES):
            side = self.room.sides[choice[int(self.g.integers(len(choice)))]]
            half = obj.size_m[1] / 2 + GAP_M
            if side.length_m <= 2 * half:
                continue
            end = half + float(self.g.uniform(0.02, 0.15))
            along = float(self.g.uniform(half, side.length_m - half))
            if corner:
                along = end if self.g.random() < 0.5 else side.length_m - end
            back = obj.size_m[0] / 2 + GAP_M + float(self.g.uniform(0.0, 0.03))
            spot = self.put(obj, side.at(along, back), side.heading_rad)
            if spot is not None:
                return spot
        return None

    def somewhere(self, names: Sequence[str], turned: bool = True, wall_m: float = 0.0) -> Stand | None:
        """Return an object put anywhere, at least so far from walls, turned any way or along the walls."""
        return self.set_down(self.drawn(names), turned, wall_m)

    def set_down(self, obj: Stand | None, turned: bool, wall_m: float) -> Stand | None:
        """Return an object put anywhere on the floor, as `somewhere` puts those that it draws."""
        if obj is None:
            return None
        for _ in range(TRIES):
            x0, y0, x1, y1 = self.room.plan[int(self.g.integers(len(self.room.plan)))]
            reach = max(obj.size_m[:2]) / 2 + wall_m
            if x1 - x0 <= 2 * reach or y1 - y0 <= 2 * reach:
                continue
            at = np.array([self.g.uniform(x0 + reach, x1 - reach), self.g.uniform(y0 + reach, y1 - reach)])
            quarter = int(self.g.integers(4)) * math.pi / 2
            heading = float(self.g.uniform(-math.pi, math.pi)) if turned else quarter
            spot = self.put(obj, at, heading)
            if spot is not None:
                return spot
        return None

    def on_top(self, names: Sequence[str], carrier: Stand | None, facing: bool = False) -> Stand | None:
        """Return an object put on the flat top of another: anywhere, or `facing` as it does, at its back."""
        if carrier is None or not carrier.asset.carries:
            return None
        return self.set_on(self.drawn(names), carrier, facing)

    def set_on(self, obj: Stand | None, carrier: Stand, facing: bool = False) -> Stand | None:
        """Return an object put on the flat top of another, as `on_top` puts those that it draws."""
        if obj is None:
            return None
        index = next(k for k, s in enumerate(self.stands) if s is carrier)
        for _ in range(TRIES):
            turn = 0.0 if facing else float(self.g.uniform(-math.pi, math.pi))
            c, s = abs(math.cos(turn)), abs(math.sin(turn))
            own = np.array(obj.size_m[:2]) / 2
            top = np.array(carrier.size_m[:2]) * (0.96 if facing else carrier.asset.carries) / 2
            room = top - (c * own[0] + s * own[1], s * own[0] + c * own[1])
            if (room < 0).any():
                continue
            aside = self.g.uniform(-room, room)
            if facing:
                aside = np.array([-0.6 * room[0], 0.4 * aside[1]])
            spot = self.put(obj, carrier.ahead(*aside), carrier.heading_rad + turn, index)
            if spot is not None:
                return spot
        return None

    def spread_rug(self, at: Array, heading_rad: float, size_m: tuple[float, float], dye: str) -> bool:
        """Return whether a rug found room there; objects that stand wholly on it come later."""
        size = (round(size_m[0], 4), round(size_m[1], 4), RUG_M)
        edits = (f"size:{size[0]:.6f},{size[1]:.6f},{RUG_M:.6f}", f"dye:{dye}")
        rug = Laid("rug", (float(at[0]), float(at[1]), 0.0), heading_rad, size, edits)
        if not self.free(rug.box, 0.01):
            return False
        self.laid.append(rug)
        return True


def _top(stand: Stand) -> float:
    return stand.place_m[2] + stand.size_m[2]


def _wall_box(room: Room, side: Side) -> Boxes:
    """Return the box of a wall, reaching round its corners."""
    x, y = side.at(side.length_m / 2, -WALL_M / 2)
    return boxes_at(
        (WALL_M, side.length_m, room.height_m), np.array([[x, y, 0.0]]), np.array([side.heading_rad])
    )


def _before(side: Side, span: tuple[float, float], deep_m: float, low: float, high: float) -> Boxes:
    """Return the box before a stretch of a wall."""
    x, y = side.at(sum(span) / 2, deep_m / 2)
    size = (deep_m, span[1] - span[0], high - low)
    return boxes_at(size, np.array([[x, y, low]]), np.array([side.heading_rad]))
