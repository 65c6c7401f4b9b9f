"""What drives about a room by itself: a robot vacuum that goes straight and turns, a toy truck in bends."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Pose
from fathom.scenes.videos import routes
from fathom.scenes.videos.boxes import Boxes, boxes_at

FINE = 8
"""How many steps a frame has while a bend is followed."""

Free = Callable[[Boxes], bool]
Start = tuple[tuple[float, float, float], float]
"""A place and a heading."""


def _fits(free: Free, size: tuple[float, float, float], places: Array, headings: Array) -> bool:
    """Return whether a way (F, 3) is free: at a few frames first, which tells for most that are not."""
    return all(free(boxes_at(size, places[::step], headings[::step])) for step in (24, 2))


def cleaned(
    g: np.random.Generator, start: Start, times_s: Array, size: tuple[float, float, float], free: Free
) -> tuple[Pose, ...] | None:
    """Return poses of what goes straight, turns on the spot, and goes on; None where it has no room."""
    (x, y, z), heading = start
    place = np.tile([x, y, z], (len(times_s), 1)).astype(float)
    turn = np.full(len(times_s), heading)
    at, end, legs = float(g.uniform(0.0, 1.2)), float(times_s[-1]), 0
    for _ in range(40):
        if at > end - 1.2:
            break
        way = float(g.uniform(0.35, 1.6))
        lasts = routes.least_duration_s(way, 0.33, 0.6) * float(g.uniform(1.0, 1.25))
        share = routes.minimum_jerk((times_s - at) / lasts)
        toward = np.array([math.cos(heading), math.sin(heading), 0.0])
        moved = place + share[:, None] * way * toward
        if _fits(free, size, moved, turn):
            place, at, legs = moved, at + lasts + float(g.uniform(0.1, 0.4)), legs + (at + lasts <= end)
        by = float(g.uniform(0.6, 2.4)) * (1 if g.random() < 0.5 else -1)
        lasts = abs(by) * routes.PEAK_SPEED / 1.6
        other = turn + by * routes.minimum_jerk((times_s - at) / lasts)
        if _fits(free, size, place, other):
            turn, heading, at = other, heading + by, at + lasts + float(g.uniform(0.1, 0.3))
    return routes.upright_poses(place, turn, times_s) if legs else None


LEAST_S = 3.0
"""How long what drives along bends does so at least."""


def driven(
    g: np.random.Generator, start: Start, times_s: Array, size: tuple[float, float, float], free: Free
) -> tuple[Pose, ...] | None:
    """Return poses of what drives along bends, as wheels let it; None where it has no room, or no time."""
    (x, y, z), heading = start
    for _ in range(30):
        begin = float(g.uniform(0.0, 2.0))
        left = float(times_s[-1]) - begin
        if left < LEAST_S:
            continue
        lasts = float(g.uniform(LEAST_S, left))
        way = float(g.uniform(0.8, 2.6)) * min(1.0, lasts / 5)
        way = min(way, lasts * 0.9 / routes.PEAK_SPEED)
        fine = np.interp(np.arange(len(times_s) * FINE) / FINE, np.arange(len(times_s)), times_s)
        gone = way * routes.minimum_jerk((fine - begin) / lasts)
        share = gone / way
        bend, sway = g.uniform(-1.5, 1.5), g.uniform(-1.0, 1.0)
        turn = heading + way * (bend * share + sway * (1 - np.cos(2 * math.pi * share)) / 2)
        step = np.diff(gone, prepend=0.0)
        middle = (turn + np.concatenate([turn[:1], turn[:-1]])) / 2
        place = np.column_stack([x + np.cumsum(step * np.cos(middle)), y + np.cumsum(step * np.sin(middle))])
        rows = np.column_stack([place, np.full(len(fine), z)])[::FINE]
        if _fits(free, size, rows, turn[::FINE]):
            return routes.upright_poses(rows, turn[::FINE], times_s)
    return None


ROAMERS = {"robot vacuum": cleaned, "toy truck": driven}
"""How each object that drives does so, by its noun."""
