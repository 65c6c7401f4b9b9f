"""Furniture that hides what stands in it from all sides but one: pale, so that nobody gives it a colour.

What stands inside does so around the origin, within a radius of `ROOM`; the open side is towards +x. Before
it is stretched to where it is used, a screen is about as deep and as wide as it is high.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from fathom.build.assets.library import fingerprint
from fathom.build.assets.model import Model, Part, Points
from fathom.build.assets.props.finishes import LATH, SAND
from fathom.build.assets.shapes import Shell, box, lathe, loft, merged, moved, part, tube, turned

Parts = tuple[Part, ...]

SCREEN = "screen"
"""The category of things that hide others: they are in the film, and no question counts or names them."""

ROOM = 0.9
"""The radius of what a screen has room for, against how far its sides stand from the middle."""

TIP = 1.0
"""How far ahead of the middle its sides reach."""


@dataclass(frozen=True)
class Screen:
    """One kind of screen: the noun that captions use, more than one of it, and what makes its parts."""

    name: str
    plural: str
    make: Callable[[], Parts]


def _course(steps: int) -> Points:
    """Return (n, 2) points of a U, from the tip on the left round the back to the one on the right."""
    a = np.radians(np.linspace(90, 270, steps))
    back = np.column_stack([np.cos(a), np.sin(a)])
    return np.concatenate([[(TIP, 1.0), (0.5 * TIP, 1.0)], back, [(0.5 * TIP, -1.0), (TIP, -1.0)]])


def _wall(course: Points, thick: float, low: float, high: float) -> Shell:
    """Return a wall over a course (n, 2), its inner face on it."""
    along = np.gradient(course, axis=0)
    out = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    # Out of the U: away from the middle.
    out *= np.where((out * (course - (0.3, 0.0))).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    outer = course + out * thick
    rings = [[(*i, low), (*o, low), (*o, high), (*i, high)] for i, o in zip(course, outer, strict=True)]
    return loft(np.array(rings))


def _post(at: Sequence[float], wide: float, high: float) -> Shell:
    return box((at[0], at[1], high / 2), (wide, wide, high), 0.02)


def booth() -> Parts:
    """Return three boarded walls between four posts, with a rail on top and one at the foot."""
    t = 0.06
    boards = [box((0.0, side * (1 + t / 2), 0.98), (2.0, t, 1.84), 0.0) for side in (1, -1)]
    boards.append(box((-1 - t / 2, 0.0, 0.98), (t, 2.0, 1.84), 0.0))
    corners = [(TIP, 1 + t / 2), (TIP, -1 - t / 2), (-1 - t / 2, 1 + t / 2), (-1 - t / 2, -1 - t / 2)]
    frame = [_post(c, 0.13, 2.0) for c in corners]
    for z in (0.08, 1.9):
        frame += [box((0.0, side * (1 + t / 2), z), (2.0, 0.1, 0.11), 0.015) for side in (1, -1)]
        frame.append(box((-1 - t / 2, 0.0, z), (0.1, 2.0, 0.11), 0.015))
    return part("walls", merged(*boards), SAND), part("frame", merged(*frame), LATH)


def alcove() -> Parts:
    """Return a rounded wall with a rim on top and a plinth."""
    course = _course(25)
    wall = _wall(course, 0.09, 0.1, 1.92)
    trim = [_wall(course * 0.985 + (0.015, 0), 0.15, low, high) for low, high in ((0.0, 0.12), (1.9, 2.0))]
    return part("wall", wall, SAND, 50), part("trim", merged(*trim), LATH, 50)


def folding_screen() -> Parts:
    """Return five framed panels on hinges that stand about a place."""
    points = np.array([(TIP, 0.97), (0.1, 1.06), (-0.84, 0.6), (-0.84, -0.6), (0.1, -1.06), (TIP, -0.97)])
    panels, frames = [], []
    for (ax, ay), (bx, by) in pairwise(points):
        length, angle = math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)
        middle = ((ax + bx) / 2, (ay + by) / 2, 0.0)
        half = length / 2 - 0.045
        panel = box((0, 0, 1.03), (2 * half, 0.03, 1.86), 0.0)
        bars = [box((s * half, 0, 1.0), (0.08, 0.07, 2.0), 0.01) for s in (1, -1)]
        bars += [box((0, 0, z), (2 * half, 0.06, 0.08), 0.01) for z in (0.12, 0.78, 1.95)]
        panels.append(moved(turned(panel, "z", angle), middle))
        frames += [moved(turned(b, "z", angle), middle) for b in bars]
    return part("panels", merged(*panels), SAND), part("frame", merged(*frames), LATH)


def curtain() -> Parts:
    """Return a curtain in folds that hangs from a rail on three posts."""
    course = _course(73)
    steps = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(course, axis=0), axis=1))])
    even = np.linspace(0.0, steps[-1], 97)
    line = np.column_stack([np.interp(even, steps, course[:, k]) for k in range(2)])
    along = np.gradient(line, axis=0)
    out = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    out *= np.where((out * (line - (0.3, 0.0))).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    folds = 0.045 * np.sin(even / steps[-1] * 2 * math.pi * 17)[:, None]
    cloth = _wall(line + out * (folds + 0.05), 0.03, 0.07, 1.9)
    # Points of the rail that coincide would have no direction.
    rail = tube(np.column_stack([line[::4], np.full(len(line[::4]), 1.93)]), 0.035, 6)
    feet = []
    for x, y in ((TIP, 1.05), (TIP, -1.05), (-1.06, 0.0)):
        feet.append(tube([(x, y, 0.03), (x, y, 1.97)], 0.04, 8))
        feet.append(lathe([(0.13, 0.0), (0.12, 0.04), (0.05, 0.07)], "z", 14, (x, y, 0.0)))
        feet.append(lathe([(0.05, 1.94), (0.065, 1.97), (0.04, 2.0)], "z", 10, (x, y, 0.0)))
    return part("cloth", cloth, SAND, 70), part("frame", merged(rail, *feet), LATH, 50)


_ALL = (
    Screen("booth", "booths", booth),
    Screen("alcove", "alcoves", alcove),
    Screen("folding screen", "folding screens", folding_screen),
    Screen("curtain", "curtains", curtain),
)

SCREENS: dict[str, Screen] = {s.name: s for s in _ALL}
"""Every screen by its name."""


@cache
def screen_model(name: str) -> Model:
    """Return a screen, its sides 1 from the middle of what it has room for, and 1 high."""
    made = Model(name=name, category=SCREEN, subtype=name, parts=SCREENS[name].make())
    return stretched_model(made, (1.0, 1.0, 0.5))


@cache
def screen_hash(name: str) -> str:
    """Return the SHA-256 of a screen's shape."""
    return hashlib.sha256(fingerprint(screen_model(name)).encode()).hexdigest()


def reach(name: str) -> float:
    """Return how far a screen reaches from the middle of its room, where its sides stand 1 from that."""
    points = np.concatenate([p.vertices for p in screen_model(name).parts])
    return float(np.hypot(points[:, 0], points[:, 1]).max())


def stretched_model(model: Model, factors: tuple[float, float, float]) -> Model:
    """Return a model stretched along x, y and z, its normals with it."""
    f = np.array(factors)
    parts = []
    for p in model.parts:
        normals = p.normals
        if normals is not None:
            normals = normals / f
            normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        parts.append(replace(p, vertices=p.vertices * f, normals=normals))
    return replace(model, parts=tuple(parts))
