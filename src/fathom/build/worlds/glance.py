"""A quick look at how much of each thing would show: points instead of triangles, cells instead of pixels.

Positions are searched with it; what it lets through is measured exactly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.build.assets.model import Model, Points
from fathom.geometry.cameras import project
from fathom.records import Camera
from fathom.store.seeds import rng

POINTS = 900
CELL_PX = 4


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


def visible_shares(camera: Camera, clouds: Sequence[Points]) -> np.ndarray:
    """Return for each cloud of world points about which share of its silhouette would show, (n,)."""
    points = np.concatenate(clouds)
    owner = np.repeat(np.arange(len(clouds)), [len(c) for c in clouds])
    pixels, depth = project(camera, points)
    cell = np.floor(np.nan_to_num(pixels, nan=-1e6) / CELL_PX).astype(np.int64)
    wide, high = camera.width // CELL_PX, camera.height // CELL_PX
    inside = (cell >= 0).all(axis=1) & (cell[:, 0] < wide) & (cell[:, 1] < high) & (depth > 0)
    key = (cell[:, 1] + 10_000) * 100_000 + cell[:, 0] + 10_000
    order = np.lexsort((depth, key))
    key, owner, inside = key[order], owner[order], inside[order]
    first = np.r_[True, key[1:] != key[:-1]]
    shown = np.bincount(owner[first & inside], minlength=len(clouds))
    alone = np.bincount(np.unique(key * len(clouds) + owner) % len(clouds), minlength=len(clouds))
    return np.asarray(shown / np.maximum(alone, 1))
