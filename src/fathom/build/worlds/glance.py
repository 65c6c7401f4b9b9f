"""A quick look at how much of each thing would show: points instead of triangles, cells instead of pixels.

Positions are searched with it; what it lets through is measured exactly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.model import Model, Points
from fathom.geometry.cameras import project
from fathom.records import Camera
from fathom.store.seeds import rng

POINTS = 900
CELL_PX = 4
FILLED = 0.62
"""The share of a cell that a small or thin thing fills on average, of the cells that it touches."""

_ROW = 100_000
_MIDDLE = _ROW // 2


@dataclass(frozen=True, eq=False)
class Cells:
    """One thing alone: the (k,) cells of the picture that it touches, and how near it is in each.

    keys : int64, ascending; one a cell, those beyond the picture's edges included
    depth_m : along the optical axis
    inside : whether the cell lies in the picture
    """

    keys: NDArray[np.int64]
    depth_m: NDArray[np.float64]
    inside: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Glance:
    """What a quick look finds: shares of each thing's own cells.

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


def cells_of(camera: Camera, cloud: Points) -> Cells:
    """Return the cells that a cloud of world points falls into."""
    pixels, depth = project(camera, cloud)
    ahead = depth > 0
    cell = np.floor(pixels[ahead] / CELL_PX).astype(np.int64).clip(-_MIDDLE + 1, _MIDDLE - 1)
    key = (cell[:, 1] + _MIDDLE) * _ROW + cell[:, 0] + _MIDDLE
    order = np.lexsort((depth[ahead], key))
    key = key[order]
    first = order[np.r_[True, key[1:] != key[:-1]]] if len(order) else order
    x, y = cell[first, 0], cell[first, 1]
    inside = (x >= 0) & (y >= 0) & (x < camera.width // CELL_PX) & (y < camera.height // CELL_PX)
    return Cells((y + _MIDDLE) * _ROW + x + _MIDDLE, depth[ahead][first], inside)


def glance(things: Sequence[Cells]) -> Glance:
    """Return what shows of each thing when all of them stand there."""
    n = len(things)
    key = np.concatenate([c.keys for c in things])
    depth = np.concatenate([c.depth_m for c in things])
    sizes = np.array([len(c.keys) for c in things])
    owner = np.repeat(np.arange(n), sizes)
    order = np.lexsort((depth, key))
    sorted_key, sorted_owner = key[order], owner[order]
    first = np.r_[True, sorted_key[1:] != sorted_key[:-1]]
    nearest = sorted_owner[first][np.cumsum(first) - 1]
    inside = np.concatenate([c.inside for c in things])[order]
    seen = np.bincount(
        sorted_owner[inside] * n + nearest[inside], minlength=n * n
    ).reshape(n, n) / np.maximum(sizes, 1)[:, None]  # fmt: skip
    shown = np.diag(seen).copy()
    return Glance(
        whole_px=FILLED * CELL_PX**2 * sizes,
        shown=shown,
        inside=seen.sum(axis=1),
        hidden=seen - np.diag(shown),
    )
