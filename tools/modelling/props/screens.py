"""Furniture that hides what stands in it from all sides but one: pale, so that nobody gives it a colour.

It is about as deep and as wide as it is high; the open side is towards +x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fathom.assets.model import Part, Points
from fathom.assets.props.screens import TIP
from fathom.assets.shapes import Shell, box, extrude, lathe, loft, merged, moved, part, tube, turned
from tools.modelling.props.finishes import CREAM, LATH, SAND

Parts = tuple[Part, ...]


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


def _roof(outline: Points, profile: Sequence[tuple[float, float]], stripes: int) -> tuple[Shell, Shell]:
    """Return a roof over a closed outline (n, 2) and the stripes on it, drawn together towards the middle.

    `profile` are shares of the outline and heights, from the eaves up.
    """
    rings = [np.column_stack([outline * share, np.full(len(outline), z)]) for share, z in profile]
    body = loft(np.array(rings))
    steps = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    closed = np.concatenate([outline, outline[:1]])
    bands = []
    for k in range(stripes):
        span = (np.array([k, k + 0.5]) / stripes) * at[-1]
        inner = at[(at > span[0]) & (at < span[1])]
        along = np.concatenate([span[:1], inner, span[1:]])
        edge = np.column_stack([np.interp(along, at, closed[:, c]) for c in range(2)])
        low = [np.column_stack([edge * share, np.full(len(edge), z)]) for share, z in profile]
        high = [p + (0.0, 0.0, 0.012) + (p - (0.0, 0.0, p[0, 2])) * 0.012 for p in low]
        bands.append(loft(np.array([np.concatenate([a, b[::-1]]) for a, b in zip(low, high, strict=True)])))
    return body, merged(*bands)


def _valance(outline: Points, low: float, high: float, thick: float = 0.03) -> Shell:
    """Return a strip of cloth that hangs all around a closed outline (n, 2)."""
    closed = np.concatenate([outline, outline[:1]])
    rings = [
        [(x, y, low), (x * (1 + thick), y * (1 + thick), low), (x * (1 + thick), y * (1 + thick), high),
         (x, y, high)]
        for x, y in closed
    ]  # fmt: skip
    return loft(np.array(rings), caps=False)


def _oblong(half_x: float, half_y: float, steps: int) -> Points:
    """Return (4 · steps, 2) points around an oblong, counter-clockwise."""
    corners = [(half_x, -half_y), (half_x, half_y), (-half_x, half_y), (-half_x, -half_y), (half_x, -half_y)]
    along = np.linspace(0, 4, 4 * steps, endpoint=False)
    return np.column_stack([np.interp(along, range(5), [c[k] for c in corners]) for k in range(2)])


def market_stall() -> Parts:
    """Return three boarded walls between four posts under a striped ridge roof."""
    t = 0.06
    # Behind the boards, so that nothing shows through the gaps.
    boards = [box((0.0, side * 1.015, 0.98), (2.0, 0.03, 1.84), 0.0) for side in (1, -1)]
    boards.append(box((-1.015, 0.0, 0.98), (0.03, 2.0, 1.84), 0.0))
    for k in range(4):
        z = 0.14 + 0.46 * k + 0.22
        boards += [box((0.0, side * (1 + t / 2), z), (2.0, t, 0.44), 0.0) for side in (1, -1)]
        boards.append(box((-1 - t / 2, 0.0, z), (t, 2.0, 0.44), 0.0))
    corners = [(TIP, 1 + t / 2), (TIP, -1 - t / 2), (-1 - t / 2, 1 + t / 2), (-1 - t / 2, -1 - t / 2)]
    frame = [_post(c, 0.12, 2.0) for c in corners]
    frame += [box((0.0, side * (1 + t / 2), 0.07), (2.0, 0.1, 0.1), 0.015) for side in (1, -1)]
    frame.append(box((-1 - t / 2, 0.0, 0.07), (0.1, 2.0, 0.1), 0.015))
    gable = np.array([(-1.16, 1.94), (1.16, 1.94), (1.16, 1.99), (0.0, 2.28), (-1.16, 1.99)])
    roof = extrude(gable, -1.12, 1.1, "yz")
    slope, bands = math.atan2(0.29, 1.16), []
    bow = np.radians(np.linspace(180, 360, 9))
    flap = 0.12 * np.column_stack([np.cos(bow), np.sin(bow)])
    for k in range(5):
        x = -0.9 + 0.445 * k
        for side in (1, -1):
            band = box((0.0, 0.0, 0.0), (0.24, math.hypot(1.16, 0.29) + 0.02, 0.03), 0.0)
            bands.append(moved(turned(band, "x", -side * slope), (x, side * 0.6, 2.14)))
            bands.append(moved(extrude(flap, -0.015, 0.015), (x, side * 1.165, 1.98)))
    return (
        part("walls", merged(*boards), SAND),
        part("frame", merged(*frame), LATH),
        part("roof", roof, CREAM),
        part("stripes", merged(*bands), SAND),
    )


def tent() -> Parts:
    """Return a tent with a roof that sweeps up to its pole, open on one side."""
    t = 0.05
    corner = 0.12
    course = np.array([(TIP, 1.0), (-1 + corner, 1.0), (-1.0, 1 - corner)])
    course = np.concatenate([course, course[::-1] * (1.0, -1.0)])
    canvas = _wall(course, t, 0.0, 1.96)
    outline = _oblong(1.08, 1.08, 6)
    bell = [(1.0, 1.96), (0.8, 2.0), (0.6, 2.06), (0.4, 2.14), (0.2, 2.24), (0.06, 2.32), (0.02, 2.34)]
    roof, bands = _roof(outline, bell, 12)
    skirt = _valance(outline, 1.86, 1.97)
    frame = [tube([(TIP, s * 1.03, 0.0), (TIP, s * 1.03, 1.96)], 0.045, 10) for s in (1, -1)]
    frame.append(lathe([(1e-4, 2.32), (0.05, 2.35), (0.06, 2.39), (0.03, 2.43), (1e-4, 2.45)], "z", 12))
    return (
        part("canvas", canvas, CREAM, 50),
        part("roof", merged(roof, skirt), CREAM, 25),
        part("stripes", bands, SAND, 25),
        part("frame", merged(*frame), LATH, 50),
    )


def pavilion() -> Parts:
    """Return a rounded wall with columns at its ends, under a dome with a ball on it."""
    course = _course(19)
    wall = _wall(course, 0.08, 0.0, 1.9)
    plinth = _wall(course * 0.985 + (0.015, 0), 0.13, 0.0, 0.12)
    back = np.radians(np.linspace(90, 270, 15))
    front = np.column_stack([(1.0, 1.18, 1.24, 1.18, 1.0), (-1.02, -0.55, 0.0, 0.55, 1.02)])
    outline = 1.1 * np.concatenate([front, np.column_stack([np.cos(back), np.sin(back)])])
    arch = np.radians((0, 25, 50, 70, 83))
    dome = [(float(np.cos(a)), 1.98 + 0.3 * float(np.sin(a))) for a in arch]
    roof, bands = _roof(outline, dome, 12)
    rim = extrude(outline * 1.03, 1.9, 2.0, "xy")
    columns = [
        lathe([(0.1, 0.0), (0.1, 0.1), (0.06, 0.14), (0.055, 1.8), (0.09, 1.86), (0.09, 1.92)], "z", 12,
              (TIP, s * 1.04, 0.0))
        for s in (1, -1)
    ]  # fmt: skip
    ball = lathe([(0.17, 2.26), (0.06, 2.3), (0.08, 2.35), (0.08, 2.37), (0.05, 2.41), (1e-4, 2.42)], "z", 12)
    return (
        part("wall", wall, SAND, 50),
        part("trim", merged(plinth, rim, *columns, ball), LATH, 50),
        part("roof", roof, CREAM, 50),
        part("stripes", bands, SAND, 50),
    )


def alcove() -> Parts:
    """Return a rounded wall with a rim on top and a plinth."""
    course = _course(25)
    wall = _wall(course, 0.09, 0.1, 1.92)
    trim = [_wall(course * 0.985 + (0.015, 0), 0.15, low, high) for low, high in ((0.0, 0.12), (1.9, 2.0))]
    return part("wall", wall, SAND, 50), part("trim", merged(*trim), LATH, 50)


def folding_screen() -> Parts:
    """Return five framed panels on hinges that stand about a place."""
    points = np.array([(TIP, 1.0), (0.1, 1.08), (-0.95, 0.62), (-0.95, -0.62), (0.1, -1.08), (TIP, -1.0)])
    panels, frames = [], []
    for (ax, ay), (bx, by) in pairwise(points):
        length, angle = math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)
        middle = ((ax + bx) / 2, (ay + by) / 2, 0.0)
        half = length / 2 - 0.03
        panel = box((0, 0, 0.99), (2 * half, 0.03, 1.94), 0.0)
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
    cloth = _wall(line + out * (folds + 0.05), 0.03, 0.015, 1.9)
    # Points of the rail that coincide would have no direction.
    rail = tube(np.column_stack([line[::4], np.full(len(line[::4]), 1.93)]), 0.035, 6)
    feet = []
    for x, y in ((TIP, 1.05), (TIP, -1.05), (-1.06, 0.0)):
        feet.append(tube([(x, y, 0.03), (x, y, 1.97)], 0.04, 8))
        feet.append(lathe([(0.13, 0.0), (0.12, 0.04), (0.05, 0.07)], "z", 14, (x, y, 0.0)))
        feet.append(lathe([(0.05, 1.94), (0.065, 1.97), (0.04, 2.0)], "z", 10, (x, y, 0.0)))
    return part("cloth", cloth, SAND, 70), part("frame", merged(rail, *feet), LATH, 50)
