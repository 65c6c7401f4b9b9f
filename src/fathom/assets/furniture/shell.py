"""What rooms are made of: floors, ceilings, walls with holes, windows, doors, rugs, lamps and pictures.

Each is made from numbers that a scene keeps. Plans are rows of rectangles (x0, y0, x1, y1) in metres, about
the middle of their bounding box; walls, windows and doors have x into the room and y along the wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fathom.assets.furniture.finishes import (
    DARK,
    LIT,
    OAK,
    PANE,
    SHADE,
    STEEL,
    Parts,
    slab,
)
from fathom.assets.model import Material, Part, Rgb
from fathom.assets.shapes import Shell, lathe, merged, moved, part, tube
from fathom.store.seeds import rng

Rect = tuple[float, float, float, float]
Size = tuple[float, float, float]

FLOORS: dict[str, Rgb] = {
    "oak": (0.66, 0.50, 0.33),
    "walnut": (0.42, 0.29, 0.19),
    "ash": (0.76, 0.66, 0.52),
    "tile": (0.80, 0.79, 0.76),
    "slate": (0.40, 0.41, 0.42),
    "carpet": (0.60, 0.57, 0.53),
}
"""Floors by name → their mean colour, sRGB: three of wood, two of tiles, one carpet."""

WALLS: tuple[Rgb, ...] = (
    (0.92, 0.90, 0.86), (0.88, 0.89, 0.90), (0.85, 0.89, 0.85), (0.91, 0.86, 0.79), (0.83, 0.87, 0.91),
    (0.93, 0.91, 0.80),
)  # fmt: skip
"""The paints of walls, sRGB: all light."""

SLAB_M = 0.10
"""How thick floors and ceilings are."""

SKIRTING_M = 0.012
"""How far a skirting stands out from its wall."""

WHITEWASH: Rgb = (0.93, 0.93, 0.92)
TRIM = Material("trim", (0.93, 0.93, 0.91), roughness=0.5)


def floor(plan: Sequence[Rect], finish: str, name: str) -> Parts:
    """Return a floor whose top is SLAB_M up; `name` decides how the tone of its boards or tiles varies."""
    color = FLOORS[finish]
    base = merged(*(slab((x0, y0, 0), (x1, y1, SLAB_M - 0.002)) for x0, y0, x1, y1 in plan))
    joint = Material("joint", tuple(0.55 * c for c in color), roughness=0.9)  # type: ignore[arg-type]
    if finish == "carpet":
        top = merged(*(slab((x0, y0, 0), (x1, y1, SLAB_M)) for x0, y0, x1, y1 in plan))
        return (part("carpet", top, Material("carpet", color, roughness=1.0)),)
    pieces = [p for rect in plan for p in (_tiles(rect) if finish in ("tile", "slate") else _boards(rect))]
    return part("base", base, joint), _covered(pieces, color, finish, name)


def _tiles(rect: Rect, side: float = 0.45) -> list[Rect]:
    x0, y0, x1, y1 = rect
    return [
        (x, y, min(x + side - 0.004, x1), min(y + side - 0.004, y1))
        for x in np.arange(x0, x1 - 0.01, side) for y in np.arange(y0, y1 - 0.01, side)
    ]  # fmt: skip


def _boards(rect: Rect, wide: float = 0.14, long: float = 1.25) -> list[Rect]:
    x0, y0, x1, y1 = rect
    found = []
    for row, y in enumerate(np.arange(y0, y1 - 0.005, wide)):
        starts = [x0, *np.arange(x0 + long * (0.25 + 0.37 * (row * 3 % 7) / 3 % 1), x1 - 0.05, long), x1]
        found += [(a, y, b - 0.0025, min(y + wide - 0.0025, y1))
                  for a, b in pairwise(starts)]  # fmt: skip
    return found


def _covered(pieces: list[Rect], color: Rgb, finish: str, name: str) -> Part:
    """Return flat pieces at a floor's top, each of its own tone."""
    p = np.array(pieces)
    x, y = p[:, [0, 2, 2, 0]], p[:, [1, 1, 3, 3]]
    vertices = np.stack([x, y, np.full_like(x, SLAB_M)], axis=-1).reshape(-1, 3)
    first = 4 * np.arange(len(p))[:, None]
    faces = np.concatenate([first + np.array(c) for c in ((0, 1, 2), (0, 2, 3))]).astype(np.int32)
    spread = 0.05 if finish in ("tile", "slate") else 0.10
    tone = 1 + spread * rng("floor", name).uniform(-1, 1, len(p))
    tints = np.repeat((tone[:, None] * np.array([1.0, 1.0, 1.0])).clip(0, 1.2), 4, axis=0)
    shown = np.clip(tints * np.array(color), 0, 1)
    rough = 0.45 if finish in ("tile", "slate") else 0.55
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), vertices.shape).copy()
    return Part(
        "boards", vertices, faces, Material("boards", (1.0, 1.0, 1.0), roughness=rough), up, None, shown
    )


def ceiling(plan: Sequence[Rect]) -> Parts:
    """Return a white ceiling; it can shine, as one does that is lit from windows and lamps."""
    roof = merged(*(slab((x0, y0, 0.001), (x1, y1, SLAB_M)) for x0, y0, x1, y1 in plan))
    under = [_facing([(x0, y0, 0), (x0, y1, 0), (x1, y1, 0), (x1, y0, 0)]) for x0, y0, x1, y1 in plan]
    return part("roof", roof, TRIM), part("ceiling", merged(*under), Material(LIT, WHITEWASH, roughness=1.0))


def wall(size_m: Size, holes: Sequence[tuple[float, float, float, float]], color: Rgb) -> Parts:
    """Return a wall with a skirting; holes are (y0, y1, z0, z1), apart from one another along y."""
    thick, long, high = size_m
    x0, x1, half = -thick / 2, thick / 2 - SKIRTING_M, long / 2
    pieces, at = [], -half
    for y0, y1, z0, z1 in sorted(holes):
        pieces += [slab((x0, at, 0), (x1, y0, high)), slab((x0, y0, 0), (x1, y1, z0)),
                   slab((x0, y0, z1), (x1, y1, high))]  # fmt: skip
        at = y1
    pieces.append(slab((x0, at, 0), (x1, half, high)))
    skirting = slab((x1, -half, 0), (thick / 2, half, 0.08))
    return part("wall", merged(*pieces), Material("paint", color, roughness=0.95)), part(
        "skirting", skirting, TRIM
    )


def window(size_m: Size) -> Parts:
    """Return a window with a frame, a cross, and a pane that shines."""
    deep, wide, high = size_m
    x, y = deep / 2, wide / 2
    bar = 0.055
    frame = [
        slab((-x, -y, 0), (x, -y + bar, high)), slab((-x, y - bar, 0), (x, y, high)),
        slab((-x, -y, 0), (x, y, bar)), slab((-x, -y, high - bar), (x, y, high)),
        slab((-0.8 * x, -y, 0.68 * high - 0.02), (0.8 * x, y, 0.68 * high + 0.02)),
    ]  # fmt: skip
    casements = max(1, round(wide / 0.7))
    frame += [
        slab((-0.8 * x, s - 0.022, 0), (0.8 * x, s + 0.022, high))
        for s in np.linspace(-y, y, casements + 1)[1:-1]
    ]
    pane = _facing([(-0.3 * x, -y, 0), (-0.3 * x, y, 0), (-0.3 * x, y, high), (-0.3 * x, -y, high)])
    return part("frame", merged(*frame), TRIM, 20), part("pane", pane, PANE, 20)


def _facing(corners: Sequence[tuple[float, float, float]]) -> Shell:
    """Return a rectangle that faces whoever sees its corners run counter-clockwise."""
    return np.array(corners, dtype=np.float64), np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)


def door(size_m: Size, color: Rgb) -> Parts:
    """Return a closed door in its frame, with panels and a handle."""
    deep, wide, high = size_m
    back = -deep / 2
    y, bar = wide / 2, 0.07
    frame = merged(
        slab((back, -y, 0), (back + 0.035, -y + bar, high)),
        slab((back, y - bar, 0), (back + 0.035, y, high)),
        slab((back, -y, high - bar), (back + 0.035, y, high)),
    )  # fmt: skip
    leaf = [slab((back, -y + bar, 0.006), (back + 0.022, y - bar, high - bar), 0.002)]
    for z0, z1 in ((0.14, 0.92), (1.08, high - bar - 0.13)):
        leaf.append(slab((back, -y + bar + 0.13, z0), (back + 0.030, y - bar - 0.13, z1), 0.006))
    at = y - bar - 0.07
    x = back + 0.022
    grip = tube(
        [(x, at, 1.03), (deep / 2 - 0.010, at, 1.03), (deep / 2 - 0.010, at - 0.12, 1.03)], 0.0095, 10
    )
    plate = slab((x, at - 0.022, 0.93), (x + 0.006, at + 0.022, 1.12), 0.002)
    return (
        part("frame", frame, TRIM, 20),
        part("leaf", merged(*leaf), Material("leaf", color, roughness=0.5), 20),
        part("handle", merged(grip, plate), STEEL, 40),
    )


def rug(size_m: Size, colors: tuple[Rgb, Rgb]) -> Parts:
    """Return a rug with a border and a field."""
    length, width, thick = size_m
    x, y = length / 2, width / 2
    border = slab((-x, -y, 0), (x, y, thick - 0.001))
    field: Shell = slab((-x + 0.14, -y + 0.14, 0), (x - 0.14, y - 0.14, thick))
    return (
        part("border", border, Material("border", colors[0], roughness=1.0)),
        part("field", field, Material("field", colors[1], roughness=1.0)),
    )


def pendant(size_m: Size) -> Parts:
    """Return a lamp that hangs from the ceiling on a cable."""
    wide, high = size_m[0] / 2, size_m[2]
    dome = 0.26
    profile = [(wide, 0.0), (wide * 0.9, 0.10), (wide * 0.45, dome - 0.03), (0.04, dome), (0.035, dome),
               (wide * 0.43, dome - 0.035), (wide * 0.88, 0.09), (wide * 0.98, 0.0), (wide, 0.0)]  # fmt: skip
    bulb = moved(lathe([(0.001, -0.06), (0.04, -0.05), (0.055, 0.0), (0.03, 0.06), (0.001, 0.065)], "z", 20),
                 (0, 0, 0.09))  # fmt: skip
    rose = lathe([(0.001, -0.02), (0.05, -0.02), (0.05, 0), (0.001, 0)], "z", 20)
    cable = merged(tube([(0, 0, dome - 0.01), (0, 0, high)], 0.006, 6), moved(rose, (0, 0, high)))
    return (
        part("dome", lathe(profile, "z", 40), DARK, 40),
        part("bulb", bulb, SHADE),
        part("cable", cable, DARK),
    )


def ceiling_lamp(size_m: Size) -> Parts:
    """Return a flat round lamp under the ceiling."""
    wide, high = size_m[0] / 2, size_m[2]
    disc = lathe([(0.001, 0), (wide - 0.03, 0), (wide, 0.03), (wide, high), (0.001, high)], "z", 40)
    return (part("disc", disc, SHADE, 40),)


def painting(size_m: Size, colors: Sequence[Rgb], name: str) -> Parts:
    """Return a framed picture of a few fields of colour, laid out as `name` decides."""
    deep, wide, high = size_m
    x, y = deep / 2, wide / 2
    g = rng("painting", name)
    frame = merged(
        slab((-x, -y, 0), (x, -y + 0.025, high)), slab((-x, y - 0.025, 0), (x, y, high)),
        slab((-x, -y, 0), (x, y, 0.025)), slab((-x, -y, high - 0.025), (x, y, high)),
    )  # fmt: skip
    parts = [
        part("frame", frame, DARK if g.random() < 0.5 else OAK, 20),
        part("sheet", slab((-x, -y + 0.01, 0.01), (0.2 * x, y - 0.01, high - 0.01)), TRIM),
    ]
    for k, color in enumerate(colors):
        w, h = g.uniform(0.2, 0.55, 2) * (wide, high)
        left, low = g.uniform(-y + 0.06, y - 0.06 - w), g.uniform(0.06, high - 0.06 - h)
        field = slab((0, left, low), (0.2 * x + 0.0012 * (k + 1), left + w, low + h))
        parts.append(part(f"field{k}", field, Material(f"field{k}", color, roughness=0.9)))
    return tuple(parts)


def poster(size_m: Size) -> Parts:
    """Return a pale board with a dark edge, for words to stand on."""
    deep, wide, high = size_m
    x, y = deep / 2, wide / 2
    return (
        part("edge", slab((-x, -y, 0), (0.6 * x, y, high)), DARK, 20),
        part("sheet", slab((-x, -y + 0.02, 0.02), (x, y - 0.02, high - 0.02)), TRIM),
    )
