"""The walls of a house's stage as boxes, so that it can be told what they hide and where nothing can stand.

Places all over the triangles are counted in small cells of space; cells that are taken become boxes, as
large as they can be joined. What is exact is the truth of a scene; these boxes choose cameras and moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array

CELL_M, SLICE_M = 0.12, 0.3
"""How wide cells are, and how high."""

BETWEEN_M = (0.15, 2.4)
"""Between which heights walls hide anything that is asked about."""

STEP_M = 0.06
"""How far apart places on a triangle are."""

Box = tuple[Array, Array]
"""The lowest and the highest corner (3,) of a box along the axes."""

Cells = NDArray[np.bool_]


def wall_boxes(triangles: Array) -> list[Box]:
    """Return boxes along the axes around what triangles (n, 3, 3), in metres, z up, take up of a room."""
    low, high = BETWEEN_M
    near = (triangles[:, :, 2].max(axis=1) > low) & (triangles[:, :, 2].min(axis=1) < high)
    places = [p for t in triangles[near] for p in (_places(t),)]
    if not places:
        return []
    points = np.concatenate(places)
    points = points[(points[:, 2] > low) & (points[:, 2] < high)]
    if not len(points):
        return []
    origin = np.array([*points[:, :2].min(axis=0), low])
    cells = np.floor((points - origin) / (CELL_M, CELL_M, SLICE_M)).astype(int)
    taken = np.zeros(cells.max(axis=0) + 1, dtype=bool)
    taken[tuple(cells.T)] = True
    size = np.array([CELL_M, CELL_M, SLICE_M])
    return [(origin + np.array(a) * size, origin + np.array(b) * size) for a, b in _joined(taken)]


def _places(triangle: Array) -> Array:
    """Return (m, 3) places all over a triangle (3, 3)."""
    a, b, c = triangle
    long = max(np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b))
    steps = max(int(np.ceil(long / STEP_M)), 1)
    u, v = np.meshgrid(np.arange(steps + 1), np.arange(steps + 1))
    inside = u + v <= steps
    share = np.stack([u[inside], v[inside]], axis=1) / steps
    return np.asarray(a + share[:, :1] * (b - a) + share[:, 1:] * (c - a))


def _joined(taken: Cells) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield blocks of cells that are taken, the first and the one after the last along each axis, each as
    large as it grows along z, then x, then y; together they are all that are taken.
    """
    left = taken.copy()
    for i, j, k in np.argwhere(taken):
        if not left[i, j, k]:
            continue
        top, end, side = k + 1, i + 1, j + 1
        while top < taken.shape[2] and left[i, j, top]:
            top += 1
        while end < taken.shape[0] and left[end, j, k:top].all():
            end += 1
        while side < taken.shape[1] and left[i:end, side, k:top].all():
            side += 1
        left[i:end, j:side, k:top] = False
        yield (int(i), int(j), int(k)), (int(end), int(side), int(top))
