"""A quick look at how much of each object would show: points instead of triangles, cells instead of pixels.

Positions are searched with it; what it lets through is measured exactly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model, Points
from fathom.geometry.cameras import project
from fathom.records import Camera
from fathom.store.seeds import rng

POINTS = 900
CELL_PX = 4
FILLED = 0.62
"""The share of a cell that a small or thin object fills on average, of the cells that it touches."""

_ROW = 100_000
_MIDDLE = _ROW // 2


@dataclass(frozen=True, eq=False)
class ObjectCells:
    """One object alone: the cells of the picture that it touches, and how near it is in each.

    count : how many cells it touches, those beyond the picture's edges included
    cells : (k,) int64, those in the picture, ascending, row by row
    depth_m : (k,) along the optical axis
    of : how many cells the picture has
    """

    count: int
    cells: NDArray[np.int64]
    depth_m: NDArray[np.float64]
    of: int


@dataclass(frozen=True, eq=False)
class ApproximateVisibility:
    """What a quick look finds: shares of each object's own cells.

    whole_px : (n,) about how many pixels each would have alone, if it is small; too few if it is large
    shown : (n,) that show it
    inside : (n,) that lie in the picture
    hidden : (n, n) of i's cells that show j instead
    """

    whole_px: NDArray[np.float64]
    shown: NDArray[np.float64]
    inside: NDArray[np.float64]
    hidden: NDArray[np.float64]


def sample_points(model: Model) -> Points:
    """Return (POINTS, 3) points spread evenly over the model's surface, in its own frame."""
    corners = np.concatenate([p.vertices[p.faces] for p in model.parts])
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    g = rng("glance", model.subtype)
    edges = np.cumsum(area)
    chosen = np.searchsorted(edges, (np.arange(POINTS) + g.random(POINTS)) / POINTS * edges[-1])
    chosen = np.minimum(chosen, len(area) - 1)
    u, v = g.random((2, POINTS))
    flip = u + v > 1
    u, v = np.where(flip, 1 - u, u)[:, None], np.where(flip, 1 - v, v)[:, None]
    return np.asarray(a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen])


def cells_of(camera: Camera, cloud: Points) -> ObjectCells:
    """Return the cells that a cloud of world points falls into."""
    wide, high = camera.width // CELL_PX, camera.height // CELL_PX
    pixels, depth = project(camera, cloud)
    ahead = depth > 0
    if not ahead.all():
        pixels, depth = pixels[ahead], depth[ahead]
    if not len(depth):
        return ObjectCells(0, np.zeros(0, np.int64), depth, wide * high)
    cell = np.floor(pixels / CELL_PX).astype(np.int64).clip(-_MIDDLE + 1, _MIDDLE - 1)
    key = (cell[:, 1] + _MIDDLE) * _ROW + cell[:, 0] + _MIDDLE
    order = key.argsort()
    key = key[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    nearest = np.minimum.reduceat(depth[order], first)
    row, column = np.divmod(key[first], _ROW)
    x, y = column - _MIDDLE, row - _MIDDLE
    inside = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    return ObjectCells(len(first), (y * wide + x)[inside], nearest[inside], wide * high)


def approximate_visibility(objects: Sequence[ObjectCells]) -> ApproximateVisibility:
    """Return what shows of each object when all of them stand there; where two are as near, the first."""
    n = len(objects)
    sizes = np.array([c.count for c in objects])
    cell = np.concatenate([c.cells for c in objects])
    depth = np.concatenate([c.depth_m for c in objects])
    owner = np.repeat(np.arange(n), [len(c.cells) for c in objects])
    least = np.full(objects[0].of, np.inf)
    np.minimum.at(least, cell, depth)
    nearest = np.full(objects[0].of, n)
    first = depth == least[cell]
    np.minimum.at(nearest, cell[first], owner[first])
    seen = np.bincount(
        owner * n + nearest[cell], minlength=n * n
    ).reshape(n, n) / np.maximum(sizes, 1)[:, None]  # fmt: skip
    shown = np.diag(seen).copy()
    return ApproximateVisibility(
        whole_px=FILLED * CELL_PX**2 * sizes,
        shown=shown,
        inside=seen.sum(axis=1),
        hidden=seen - np.diag(shown),
    )
