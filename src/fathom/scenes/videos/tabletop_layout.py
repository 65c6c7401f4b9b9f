"""Objects on a table: drawn, sized, and laid so that nothing touches anything but what it stands on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.sizes import drawn_size, steady
from fathom.assets.spec import AssetSpec
from fathom.assets.tabletop.catalogue import tabletop_model
from fathom.geometry.poses import Array
from fathom.scenes.videos.boxes import Boxes, Size, above_m, apart_m, boxes_at, joined_boxes

ROOM_M = 0.010
"""How far apart objects are laid at least."""

EDGE_M = 0.03
"""How far from the edges of the table they are laid."""

HIGHEST = 3
"""How many objects stand on one another at most."""

RECOLOURED = 0.3
"""How often the next object is of a kind that is there already, in another colour."""

KNOWN = 2
"""So many of the objects are of kinds whose size everybody knows, if there are twice as many; of the others
only looking tells."""

CARRIED_FROM = 4
"""From so many objects on, one of them can carry another."""


@dataclass(frozen=True, eq=False)
class TabletopObject:
    """An object on the table: where it is now, and what it stands on (-1: the table)."""

    asset: AssetSpec
    color: str
    size_m: Size
    place_m: tuple[float, float, float]
    heading_rad: float
    on: int = -1

    def boxes(self, places_m: Array | None = None, headings_rad: Array | None = None) -> Boxes:
        """Return its box where it is, (1,), or at other places (F, 3) with other headings (F,)."""
        if places_m is None or headings_rad is None:
            return boxes_at(self.size_m, np.array([self.place_m]), np.array([self.heading_rad]))
        return boxes_at(self.size_m, places_m, headings_rad)


@dataclass(frozen=True)
class Board:
    """The top of a table, centred over the origin: its sides and its height, metres."""

    length_m: float
    width_m: float
    height_m: float

    def inside(self, boxes: Boxes) -> bool:
        """Return whether all footprints lie on the board, away from its edges."""
        half = np.array([self.length_m, self.width_m]) / 2 - EDGE_M
        return bool((np.abs(boxes.corners) <= half).all())


def drawn_pieces(
    g: np.random.Generator,
    count: int,
    spread: float,
    assets: Mapping[str, AssetSpec],
    seen: Callable[[AssetSpec, str], bool] = lambda asset, color: True,
) -> list[TabletopObject]:
    """Return objects not laid yet: kinds, colours and sizes, no two of one kind and colour.

    Only those are taken of which `seen` says that a kind in a colour stands out.

    `spread` is by how much more than usual sizes differ (`assets/sizes.py`). Of what cannot take another
    colour there is one, and nothing else that a question would call the same. Some are
    of a size that everybody knows: else nobody could tell metres.
    """
    kinds = list(assets.values())
    known = [w for w in kinds if steady(w.varies)]
    others = [w for w in kinds if not steady(w.varies)] or kinds
    found: list[TabletopObject] = []
    taken: set[tuple[str, str]] = set()
    while len(found) < count:
        among = known if known and len(found) < min(KNOWN, count // 2) else others
        again = found and g.random() < RECOLOURED
        asset = found[int(g.integers(len(found)))].asset if again else among[int(g.integers(len(among)))]
        color = _color(g, asset)
        alike = {c for name, c in taken if name == asset.noun}
        if color in alike or (alike and not (color and all(alike))) or not seen(asset, color):
            continue
        taken.add((asset.noun, color))
        found.append(_drawn(g, asset, color, spread))
    if count >= CARRIED_FROM and not any(p.asset.carries for p in found):
        left = [(w, c) for w in kinds if w.carries for c in w.colors if seen(w, c)]
        found[-1] = _drawn(g, *left[int(g.integers(len(left)))], spread)
    return found


def _drawn(g: np.random.Generator, asset: AssetSpec, color: str, spread: float) -> TabletopObject:
    size = drawn_size(g, tabletop_model(asset).extents, asset.varies, spread)
    return TabletopObject(asset, color, size, (0.0, 0.0, 0.0), 0.0)


def _color(g: np.random.Generator, asset: AssetSpec) -> str:
    return asset.colors[int(g.integers(len(asset.colors)))]


def laid(
    g: np.random.Generator, pieces: list[TabletopObject], board: Board, stacked: float, reach_m: float
) -> list[TabletopObject] | None:
    """Return the objects laid within `reach_m` of a place on the board; None where they find no room.

    The larger come first. Each is put on one that is there with the chance `stacked` where one can carry it.
    """
    half = np.array([board.length_m, board.width_m]) / 2
    slack = np.maximum(half - reach_m - EDGE_M, 0)
    focus = g.uniform(-slack, slack)
    order = sorted(range(len(pieces)), key=lambda k: -pieces[k].size_m[0] * pieces[k].size_m[1])
    placed: dict[int, TabletopObject] = {}
    for k in order:
        spot = _carried(g, k, pieces, placed) if g.random() < stacked else None
        for _ in range(60):
            if spot is not None:
                break
            spot = _free(g, pieces[k], board, placed, focus, reach_m)
        if spot is None:
            return None
        placed[k] = spot
    return [placed[k] for k in range(len(pieces))]


def _carried(
    g: np.random.Generator, k: int, pieces: list[TabletopObject], placed: dict[int, TabletopObject]
) -> TabletopObject | None:
    carriers = [i for i in placed if level(i, placed) + 1 < HIGHEST and not tops(i, placed)]
    for i in (carriers[int(c)] for c in g.permutation(len(carriers))):
        spot = put_on(g, pieces[k], i, placed[i])
        if spot is not None and free({**placed, k: spot}, k):
            return spot
    return None


def _free(
    g: np.random.Generator,
    piece: TabletopObject,
    board: Board,
    placed: dict[int, TabletopObject],
    focus: Array,
    reach_m: float,
) -> TabletopObject | None:
    radius, angle = reach_m * math.sqrt(g.random()), g.uniform(0, 2 * math.pi)
    x, y = focus + radius * np.array([math.cos(angle), math.sin(angle)])
    spot = at(piece, float(x), float(y), board.height_m, float(g.uniform(-math.pi, math.pi)), -1)
    return spot if board.inside(spot.boxes()) and free({**placed, -1: spot}, -1) else None


def put_on(
    g: np.random.Generator, piece: TabletopObject, index: int, carrier: TabletopObject
) -> TabletopObject | None:
    """Return the object where it stands wholly on the flat top of another; None where that has no room."""
    if not carrier.asset.carries:
        return None
    top = np.array(carrier.size_m[:2]) * carrier.asset.carries / 2
    own = np.array(piece.size_m[:2]) * piece.asset.base / 2
    for _ in range(8):
        turn = float(g.uniform(-math.pi, math.pi))
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        room = top - np.array([c * own[0] + s * own[1], s * own[0] + c * own[1]])
        if (room < 0).any():
            continue
        aside = g.uniform(-room, room)
        h = carrier.heading_rad
        x = carrier.place_m[0] + math.cos(h) * aside[0] - math.sin(h) * aside[1]
        y = carrier.place_m[1] + math.sin(h) * aside[0] + math.cos(h) * aside[1]
        return at(piece, x, y, carrier.place_m[2] + carrier.size_m[2], h + turn, index)
    return None


def at(piece: TabletopObject, x: float, y: float, z: float, heading_rad: float, on: int) -> TabletopObject:
    """Return the object somewhere else, to the micrometre."""
    return replace(piece, place_m=(round(x, 6), round(y, 6), round(z, 6)), heading_rad=heading_rad, on=on)


def level(k: int, placed: dict[int, TabletopObject]) -> int:
    """Return how many objects are under an object."""
    return 0 if placed[k].on < 0 else 1 + level(placed[k].on, placed)


def tops(k: int, placed: dict[int, TabletopObject]) -> list[int]:
    """Return what stands on an object."""
    return [i for i, p in placed.items() if p.on == k]


def free(placed: dict[int, TabletopObject], k: int) -> bool:
    """Return whether an object keeps its distance from all others; what carries it, it touches."""
    return clear(placed[k].boxes(), [p for i, p in placed.items() if i != k])


def clear(boxes: Boxes, others: list[TabletopObject], room_m: float = ROOM_M) -> bool:
    """Return whether a thing's boxes (F,) are beside each of the others with some room, or above or below."""
    if not others:
        return True
    stood = joined_boxes([p.boxes() for p in others])
    moving = Boxes(boxes.corners[:, None], boxes.low[:, None], boxes.high[:, None])
    aside = apart_m(moving.corners, stood.corners[None]) >= room_m
    return bool((aside | (above_m(moving, stood) >= -2e-6)).all())
