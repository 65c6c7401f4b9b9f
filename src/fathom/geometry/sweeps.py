"""What an object's real shape sweeps when it moves straight along its heading, and what it meets there.

Surfaces are clouds of points in cells of sideways place and height, looked at along the way: how far forward
the mover reaches in each cell, and how near the other comes. The mover is shifted sideways cell by cell, and
by a cell up and down, because nobody sees five centimetres in a picture: what is met under all these heights
is met, what is met under none is missed, and the rest is open.

Ref: PulseCheck457 §3.2 (collision); docs/benchmarks/pulsecheck457-questions.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from fathom.geometry.poses import Array

CELL_M = 0.05
"""The side of a cell of sideways place and height."""

FARTHEST_M = 1.2
"""How far sideways the mover is shifted at most."""

SLACK_M = 0.18
"""Shifts up to this count for the soonest and the latest contact; not less than the rules' tolerance."""

STEP_M = 0.035
"""How far apart the points of a surface are at most, before they are thinned."""

GRAIN_M = 0.02
"""Of the points of a surface one is kept in each cube of this side."""

_SHIFTS = round(FARTHEST_M / CELL_M)
_SLACK = math.ceil(SLACK_M / CELL_M - 1e-9)
_HEIGHTS = 1
_MOST_PIECES = 400
_MOST_CUBES = 1 << 22

Grid = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Front:
    """How far an object reaches forward, and back, in each cell, in its own frame.

    reach_m : (2, rows, columns) float32 metres along the way it moves; row 0 stands on the ground, and the
        first column is cell `left`; the front is −inf in cells that hold nothing of it
    """

    reach_m: Grid
    left: int


@dataclass(frozen=True)
class Contact:
    """What one sweep comes to: see `fathom.records.Sweep`. Distances are infinite where nothing is met."""

    into_m: float
    soonest_m: float
    latest_m: float


def surface_points(triangles_m: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return (k, 3) points on (m, 3, 3) triangles, at most a few centimetres apart, in metres.

    Triangles are cut into pieces no longer than `STEP_M`; of the pieces' corners one is kept in each cube.
    """
    corners = np.asarray(triangles_m, dtype=np.float32)
    if not len(corners):
        return np.zeros((0, 3), np.float32)
    sides = (corners - np.roll(corners, 1, axis=1)).T  # (x, corner, triangle): arithmetic along triangles
    pieces = np.clip(np.ceil(np.sqrt((sides * sides).sum(axis=0).max(axis=0)) / STEP_M), 1, _MOST_PIECES)
    found = []
    for n in np.unique(pieces.astype(int)):
        if n == 1:
            found.append(corners[pieces == 1, ::-1].reshape(-1, 3))
            continue
        a, b = np.divmod(np.arange((n + 1) ** 2), n + 1)
        a, b = a[a + b <= n], b[a + b <= n]
        weights = (np.stack([a, b, n - a - b], axis=1) / n).astype(np.float32)
        found.append(np.einsum("kc,mcx->mkx", weights, corners[pieces == n]).reshape(-1, 3))
    points = np.concatenate(found)
    return points[_first_in_cubes(points)]


def _first_in_cubes(points: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return which of the points (k, 3) is the first in each cube of `GRAIN_M`, cube by cube."""
    cubes = [np.floor(column / GRAIN_M).astype(np.int64) for column in np.ascontiguousarray(points.T)]
    x, y, z = (c - c.min() for c in cubes)
    rows, columns = int(y.max()) + 1, int(z.max()) + 1
    key = (x * rows + y) * columns + z
    count = (int(x.max()) + 1) * rows * columns
    if count > _MOST_CUBES:
        return np.asarray(np.unique(key, return_index=True)[1])
    # Written last to first, the first is what stays; no sort.
    first = np.full(count, -1, np.intp)
    first[key[::-1]] = np.arange(len(key))[::-1]
    return first[first >= 0]


def front_of(points_m: NDArray[np.floating]) -> Front:
    """Return the front of an object whose surface points (k, 3) are given in its own frame, in metres."""
    if not len(points_m):
        return Front(np.full((2, 1, 1), -np.inf, np.float32), 0)
    column = np.floor(points_m[:, 1] / CELL_M).astype(np.int64)
    row = np.maximum(np.floor(points_m[:, 2] / CELL_M), 0).astype(np.int64)
    left, columns, rows = int(column.min()), int(np.ptp(column)) + 1, int(row.max()) + 1
    cell = row * columns + column - left
    reach = np.full((2, rows * columns), -np.inf, np.float32)
    for way, sign in enumerate((1, -1)):
        np.maximum.at(reach[way], cell, (sign * points_m[:, 0]).astype(np.float32))
    return Front(reach.reshape(2, rows, columns), left)


def swept(
    clouds_m: Sequence[NDArray[np.floating]],
    fronts: Sequence[Front],
    positions_m: Array,
    headings_rad: Array,
    wanted: NDArray[np.bool_],
) -> dict[tuple[int, int, int], Contact]:
    """Return the contact of every wanted (way, mover, other), way 0 forward and 1 backward.

    `clouds_m` are each object's surface points (k, 3) and `fronts` their fronts, both in its own frame,
    `positions_m` (n, 2) and `headings_rad` (n,) where they stand, and `wanted` is (2, n, n).
    """
    found = {}
    for i, j in np.argwhere(wanted.any(axis=0)):
        c, s = math.cos(headings_rad[i]), math.sin(headings_rad[i])
        turn = headings_rad[j] - headings_rad[i]
        dx, dy = positions_m[j] - positions_m[i]
        near, far = _seen_from(
            clouds_m[j], (dx * c + dy * s, dy * c - dx * s), math.cos(turn), math.sin(turn), fronts[i]
        )
        for way in np.flatnonzero(wanted[:, i, j]):
            ahead = (near, far) if way == 0 else (-far, -near)
            found[int(way), int(i), int(j)] = _contact(fronts[i].reach_m[way], *ahead)
    return found


def _seen_from(
    cloud: NDArray[np.floating], place: tuple[float, float], c: float, s: float, front: Front
) -> tuple[Grid, Grid]:
    """Return the least and the greatest distance ahead of the mover's origin at which a cloud lies in each
    cell.

    Cells are the mover's and as many more around them as it is shifted by; inf and −inf where it is in none.
    """
    _, rows, columns = front.reach_m.shape
    rows, columns = rows + 2 * _HEIGHTS, columns + 2 * _SHIFTS
    column = np.floor((cloud[:, 0] * s + cloud[:, 1] * c + place[1]) / CELL_M).astype(np.int64)
    column += _SHIFTS - front.left
    row = np.maximum(np.floor(cloud[:, 2] / CELL_M), 0).astype(np.int64) + _HEIGHTS
    inside = (column >= 0) & (column < columns) & (row < rows)
    cell = (row * columns + column)[inside]
    ahead = (cloud[:, 0] * c - cloud[:, 1] * s + place[0])[inside].astype(np.float32)
    near = np.full(rows * columns, np.inf, np.float32)
    far = np.full(rows * columns, -np.inf, np.float32)
    np.minimum.at(near, cell, ahead)
    np.maximum.at(far, cell, ahead)
    return near.reshape(rows, columns), far.reshape(rows, columns)


def _contact(reach: Grid, near: Grid, far: Grid) -> Contact:
    """Return what a mover that reaches so far forward meets of an object that lies so near and so far."""
    shape = reach.shape
    # (heights, shifts, rows, columns): every way in which the mover is shifted.
    gap = sliding_window_view(near, shape) - reach
    beyond = sliding_window_view(far, shape) > np.where(np.isfinite(reach), reach, np.inf)
    ahead = np.where(gap >= 0, gap, np.inf)
    way = ahead.min(axis=(2, 3))
    meets, may = np.isfinite(way), np.asarray(beyond.any(axis=(2, 3)))
    # What lies beside the mover's front, part of it ahead and part behind, may be touched at once.
    beside = np.asarray((beyond & (gap < 0)).any(axis=(2, 3)))
    close = slice(_SHIFTS - _SLACK, _SHIFTS + _SLACK + 1)
    soonest = 0.0 if beside[:, close].any() else float(way[:, close].min())
    into = _into(np.logical_and.reduce(meets), np.logical_or.reduce(may))
    return Contact(into, soonest, float(way[:, close].max()))


def _into(meets: NDArray[np.bool_], may: NDArray[np.bool_]) -> float:
    """Return how far the mover can be shifted and still meets the other, or, negative, until it may."""
    if meets[_SHIFTS]:
        runs = [
            int(np.argmin(np.append(side, False))) for side in (meets[_SHIFTS + 1 :], meets[:_SHIFTS][::-1])
        ]
        return round(min(runs) * CELL_M, 6)
    if may[_SHIFTS]:
        return 0.0
    off = np.abs(np.flatnonzero(may) - _SHIFTS)
    return -round(int(off.min(initial=_SHIFTS)) * CELL_M, 6)
