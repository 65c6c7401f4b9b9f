"""Rooms: a plan with walls all round, a door, windows, and the objects that they are made of.

World: the plan's bounding box is centred over the origin, the floor's top is z = 0. Everything here is
structure: no question is asked about it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from fathom.assets.furniture import shell
from fathom.assets.furniture.finishes import Parts
from fathom.assets.furniture.shell import SKIRTING_M, SLAB_M, Rect
from fathom.assets.model import Model, Rgb, fingerprint
from fathom.geometry.poses import Array, yaw_quaternion
from fathom.records import AssetRef, Pose, SceneObject
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.boxes import Size

WALL_M = 0.2
"""How thick walls are; windows stand in the middle of them."""

DOOR: Size = (0.075, 0.98, 2.06)
WINDOW_DEEP_M = 0.07
HOUSE = "house:"
"""What the names of structure's assets begin with."""

BLOCKS: dict[str, tuple[Rgb, Rgb]] = {
    "sand": ((0.55, 0.45, 0.34), (0.80, 0.74, 0.62)),
    "rust": ((0.42, 0.16, 0.10), (0.68, 0.36, 0.24)),
    "sea": ((0.13, 0.22, 0.32), (0.38, 0.50, 0.58)),
    "moss": ((0.24, 0.28, 0.18), (0.52, 0.56, 0.42)),
    "ash": ((0.25, 0.25, 0.26), (0.66, 0.66, 0.65)),
}
"""The two colours of rugs, and those of pictures on walls, by name."""


@dataclass(frozen=True)
class Side:
    """One wall: from `a` to `b` (2,) the room at its left; `door` or `windows` as (from, to) along it."""

    a: tuple[float, float]
    b: tuple[float, float]
    door: tuple[float, float] | None = None
    windows: tuple[tuple[float, float], ...] = ()

    @property
    def length_m(self) -> float:
        """How long it is."""
        return math.dist(self.a, self.b)

    @property
    def along(self) -> Array:
        """The unit vector (2,) from `a` to `b`."""
        return (np.array(self.b) - self.a) / self.length_m

    @property
    def inward(self) -> Array:
        """The unit vector (2,) into the room."""
        x, y = self.along
        return np.array([-y, x])

    @property
    def heading_rad(self) -> float:
        """The heading of what stands with its back to it."""
        x, y = self.inward
        return math.atan2(y, x)

    def at(self, along_m: float, inward_m: float) -> Array:
        """Return the place (2,) so far along it and so far from it."""
        return np.asarray(np.array(self.a) + along_m * self.along + inward_m * self.inward)


@dataclass(frozen=True)
class Room:
    """A room: its plan as rectangles and as walls, its height, and what its surfaces are."""

    plan: tuple[Rect, ...]
    sides: tuple[Side, ...]
    height_m: float
    sill_m: float
    head_m: float
    finish: str
    paint: int
    leaf: Rgb

    @property
    def area_m2(self) -> float:
        """The floor's area."""
        return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in self.plan)

    def holds(self, points: Array) -> Array:
        """Return (...) whether points (..., 2) lie in the plan."""
        x, y = points[..., 0], points[..., 1]
        inside = [(x >= x0) & (x <= x1) & (y >= y0) & (y <= y1) for x0, y0, x1, y1 in self.plan]
        return np.asarray(np.any(inside, axis=0))


def drawn_room(
    g: np.random.Generator, sides_m: tuple[float, float], height_m: float, bent: bool, floors: Sequence[str]
) -> Room:
    """Return a room of a length and a width, L-shaped where it is `bent`, with one door and some windows."""
    length, width = sides_m
    x, y = length / 2, width / 2
    plan: tuple[Rect, ...] = ((-x, -y, x, y),)
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    if bent:
        u, v = x - float(g.uniform(0.30, 0.42)) * length, y - float(g.uniform(0.28, 0.42)) * width
        plan = ((-x, -y, x, v), (-x, v, u, y))
        corners = [(-x, -y), (x, -y), (x, v), (u, v), (u, y), (-x, y)]
    if g.random() < 0.5:
        plan = tuple((-x1, y0, -x0, y1) for x0, y0, x1, y1 in plan)
        corners = [(-a, b) for a, b in reversed(corners)]
    walls = [Side(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return Room(
        plan=plan,
        sides=_opened(g, walls),
        height_m=height_m,
        sill_m=round(float(g.uniform(0.82, 1.0)), 3),
        head_m=round(float(g.uniform(2.05, 2.2)), 3),
        finish=floors[int(g.integers(len(floors)))],
        paint=int(g.integers(len(shell.WALLS))),
        leaf=((0.92, 0.91, 0.89), (0.50, 0.35, 0.22))[int(g.integers(2))],
    )


def _opened(g: np.random.Generator, walls: list[Side]) -> tuple[Side, ...]:
    """Return the walls with a door in one and windows in one or two others."""
    order = [int(k) for k in g.permutation(len(walls))]
    doors = [k for k in order if walls[k].length_m >= 1.6]
    k = doors[0]
    at = float(g.uniform(0.15, walls[k].length_m - DOOR[1] - 0.15))
    found = dict(enumerate(walls))
    found[k] = Side(walls[k].a, walls[k].b, (at, at + DOOR[1]))
    lit = [i for i in order if i != k and walls[i].length_m >= 1.8][: int(g.integers(1, 3))]
    for i in lit:
        long = walls[i].length_m
        count = 2 if long > 3.6 and g.random() < 0.6 else 1
        wide = min(float(g.uniform(1.0, 1.7)), (long - 0.8) / count - 0.3)
        middles = np.linspace(0, long, count + 2)[1:-1] + (g.uniform(-0.3, 0.3) if count == 1 else 0.0)
        spans = tuple((float(m - wide / 2), float(m + wide / 2)) for m in middles)
        found[i] = Side(walls[i].a, walls[i].b, None, spans)
    return tuple(found[i] for i in range(len(walls)))


def house_objects(room: Room, kind: str, name: str, daylight: float, fill: float) -> list[SceneObject]:
    """Return floor, ceiling, walls, door and windows; `daylight` and `fill` are what panes and ceiling shed.

    `kind` is what the room is, and `name` decides how the floor's boards differ from one another.
    """
    plan = ";".join(",".join(f"{v:.4f}" for v in r) for r in room.plan)
    x0, y0, x1, y1 = (f(r[k] for r in room.plan) for k, f in enumerate((min, min, max, max)))
    flat = (x1 - x0, y1 - y0, SLAB_M)
    floor = (f"plan:{plan}", f"finish:{room.finish}", f"name:{name}")
    above = (f"plan:{plan}", f"light:{fill:.3f}")
    found = [
        structure("floor", "floor", (0.0, 0.0, -SLAB_M), 0.0, flat, floor, {"room": kind}),
        structure("ceiling", "ceiling", (0.0, 0.0, room.height_m), 0.0, flat, above),
    ]
    for k, side in enumerate(room.sides):
        found += _wall_objects(room, k, side, daylight)
    return found


def _wall_objects(room: Room, k: int, side: Side, daylight: float) -> list[SceneObject]:
    # A wall reaches round an outer corner, and ends at an inner one.
    before, after = (_bulges(room, k), _bulges(room, (k + 1) % len(room.sides)))
    start, end = (0.0 if before else -WALL_M), side.length_m + (0.0 if after else WALL_M)
    middle, long = (start + end) / 2, end - start
    size = (WALL_M, long, room.height_m)
    holes = ";".join(
        f"{a - middle:.4f},{b - middle:.4f},{room.sill_m:.4f},{room.head_m:.4f}" for a, b in side.windows
    )
    color = ",".join(f"{c:.3f}" for c in shell.WALLS[room.paint])
    h = side.heading_rad
    x, y = side.at(middle, SKIRTING_M - WALL_M / 2)
    made = (f"size:{_numbers(size)}", f"holes:{_mirrored(holes)}", f"paint:{color}")
    found = [structure(f"wall{k}", "wall", (x, y, 0.0), h, size, made)]
    for i, (a, b) in enumerate(side.windows):
        size = (WINDOW_DEEP_M, b - a, room.head_m - room.sill_m)
        x, y = side.at((a + b) / 2, -WALL_M * 0.55)
        edits = (f"size:{_numbers(size)}", f"light:{daylight:.3f}")
        found.append(structure(f"window{k}_{i}", "window", (x, y, room.sill_m), h, size, edits))
    if side.door is not None:
        x, y = side.at(sum(side.door) / 2, DOOR[0] / 2)
        edits = (f"size:{_numbers(DOOR)}", f"paint:{','.join(f'{c:.3f}' for c in room.leaf)}")
        found.append(structure(f"door{k}", "door", (x, y, 0.0), h, DOOR, edits))
    return found


def _bulges(room: Room, k: int) -> bool:
    """Return whether the corner at which wall `k` begins points into the room."""
    (ax, ay), (bx, by) = room.sides[k - 1].along, room.sides[k].along
    return bool(ax * by - ay * bx < 0)


def _mirrored(holes: str) -> str:
    """Return holes along a wall as the wall's own y has them, which runs the other way."""
    rows = [[float(v) for v in h.split(",")] for h in holes.split(";") if h]
    return ";".join(f"{-b:.4f},{-a:.4f},{low:.4f},{high:.4f}" for a, b, low, high in rows)


def _numbers(values: Sequence[float]) -> str:
    return ",".join(f"{v:.6f}" for v in values)


def structure(
    name: str,
    kind: str,
    place: tuple[float, float, float],
    heading: float,
    size: Size,
    edits: tuple[str, ...],
    said: dict[str, str] | None = None,
) -> SceneObject:
    """Return an object of the structure; its edits alone give its model again."""
    x, y, z = (round(float(v), 6) for v in place)
    turn = yaw_quaternion(heading)
    w, i, j, k = (round(v, 9) for v in turn)
    length, width, height = (round(float(v), 6) for v in size)
    return SceneObject(
        id=name,
        category=STRUCTURE,
        subtype=kind,
        size_m=(length, width, height),
        poses=(Pose(position_m=(x, y, z), rotation_wxyz=(w, i, j, k)),),
        asset=AssetRef(name=HOUSE + kind, sha256=house_hash(), edits=edits),
        attributes={"name": kind, "color": "", "front": "unknown", **(said or {})},
    )


@cache
def house_hash() -> str:
    """Return the SHA-256 of one of each object of the structure: it changes when their shapes do."""
    size = (0.1, 1.0, 2.0)
    whole = (
        *shell.floor([(-1, -1, 1, 1)], "oak", "hash"), *shell.ceiling([(-1, -1, 1, 1)]),
        *shell.wall(size, [(-0.3, 0.3, 0.9, 1.8)], (0.9, 0.9, 0.9)), *shell.window(size),
        *shell.door(size, (0.5, 0.5, 0.5)), *shell.rug((2, 1, 0.01), BLOCKS["sand"]),
        *shell.pendant((0.4, 0.4, 0.8)), *shell.ceiling_lamp((0.4, 0.4, 0.1)),
        *shell.painting((0.03, 0.5, 0.7), BLOCKS["sand"], "hash"),
    )  # fmt: skip
    return fingerprint(Model("house", STRUCTURE, "house", whole))


def house_parts(kind: str, size: Size, edits: Mapping[str, str]) -> Parts:
    """Return the parts of an object of the structure from what its record says."""
    if kind in ("floor", "ceiling"):
        plan: list[Rect] = [_rect(r) for r in edits["plan"].split(";")]
        return shell.ceiling(plan) if kind == "ceiling" else shell.floor(plan, edits["finish"], edits["name"])
    if kind == "wall":
        holes = [_rect(h) for h in edits["holes"].split(";") if h]
        return shell.wall(size, holes, _rgb(edits["paint"]))
    if kind == "door":
        return shell.door(size, _rgb(edits["paint"]))
    if kind == "rug":
        return shell.rug(size, BLOCKS[edits["dye"]])
    if kind == "painting":
        return shell.painting(size, (*BLOCKS[edits["dye"]], (0.86, 0.83, 0.76)), edits["name"])
    makers = {
        "window": shell.window,
        "poster": shell.poster,
        "pendant": shell.pendant,
        "ceiling lamp": shell.ceiling_lamp,
    }
    return makers[kind](size)


def _rect(text: str) -> Rect:
    a, b, c, d = (float(v) for v in text.split(","))
    return a, b, c, d


def _rgb(text: str) -> Rgb:
    r, g, b = (float(v) for v in text.split(","))
    return r, g, b
