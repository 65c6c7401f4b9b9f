"""How far oriented boxes are apart, between their nearest points.

Of two convex bodies that do not touch, the nearest points lie on a corner and a face or on two edges, so that
8 corners against a box, both ways, and 12 × 12 pairs of edges are all there is to look at.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array

Mask = NDArray[np.bool_]

_CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
_EDGES = np.array(
    [(i, j) for i in range(8) for j in range(i) if np.abs(_CORNERS[i] - _CORNERS[j]).sum() == 1]
)


def corners_m(centres_m: Array, rotations: Array, size_m: Array) -> Array:
    """Return (F, 8, 3) corners of a box of `size_m` (3,) whose centre (F, 3) and axes (F, 3, 3) are given."""
    return np.asarray(np.einsum("fij,cj->fci", rotations, _CORNERS * size_m) + centres_m[:, None])


def gap_m(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array]) -> Array:
    """Return (F,) distances between the nearest points of two boxes, 0 where they touch or overlap.

    Each box is centres (F, 3), axes (F, 3, 3) as columns, and size (3,).
    """
    corners_a, corners_b = corners_m(*a), corners_m(*b)
    near = np.minimum(_to_box(corners_a, b), _to_box(corners_b, a)).min(axis=1)
    edges = _between_edges(corners_a[:, _EDGES], corners_b[:, _EDGES])
    return np.asarray(np.where(_touch(a, b), 0.0, np.minimum(near, edges)))


def _to_box(points: Array, box: tuple[Array, Array, Array]) -> Array:
    """Return (F, n) distances of points (F, n, 3) to a box."""
    centres, rotations, size = box
    own = np.einsum("fni,fij->fnj", points - centres[:, None], rotations)
    return np.asarray(np.linalg.norm(np.maximum(np.abs(own) - size / 2, 0.0), axis=-1))


def _between_edges(a: Array, b: Array) -> Array:
    """Return (F,) the least distance between segments (F, 12, 2, 3) of one lot and of the other."""
    p, q = a[:, :, None, 0], b[:, None, :, 0]
    u, v, w = a[:, :, None, 1] - p, b[:, None, :, 1] - q, p - q
    uu, vv, uv = (u * u).sum(-1), (v * v).sum(-1), (u * v).sum(-1)
    uw, vw = (u * w).sum(-1), (v * w).sum(-1)
    cross = uu * vv - uv * uv
    s = np.clip(np.where(cross > 1e-12, (uv * vw - vv * uw) / np.maximum(cross, 1e-12), 0.0), 0.0, 1.0)
    t = np.clip((uv * s + vw) / np.maximum(vv, 1e-18), 0.0, 1.0)
    s = np.clip((uv * t - uw) / np.maximum(uu, 1e-18), 0.0, 1.0)
    between = w + s[..., None] * u - t[..., None] * v
    return np.asarray(np.linalg.norm(between, axis=-1).min(axis=(1, 2)))


def _touch(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array]) -> Mask:
    """Return (F,) whether no axis parts two boxes: their six normals, and nine cross products of edges."""
    axes_a, axes_b = np.swapaxes(a[1], 1, 2), np.swapaxes(b[1], 1, 2)
    crossed = np.cross(axes_a[:, :, None], axes_b[:, None]).reshape(len(axes_a), 9, 3)
    axes = np.concatenate([axes_a, axes_b, crossed], axis=1)
    apart = np.abs(np.einsum("fki,fi->fk", axes, b[0] - a[0]))
    reach = sum(
        np.abs(np.einsum("fki,fij->fkj", axes, turned)) @ (size / 2)
        for turned, size in ((a[1], a[2]), (b[1], b[2]))
    )
    # Cross products of parallel edges are nought and part nothing.
    return np.asarray(~((apart > reach) & (np.linalg.norm(axes, axis=-1) > 1e-9)).any(axis=1))
