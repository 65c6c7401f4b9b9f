"""Upright boxes over time: footprints, heights, and how far they are apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.records import Pose, SceneObject

Corners = NDArray[np.float64]
"""(..., 4, 2) corners of footprints on the ground, counter-clockwise, metres."""

Size = tuple[float, float, float]

_SIGNS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
"""Of the corners of a footprint, counter-clockwise."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes, any number of axes in front: footprints (..., 4, 2), undersides and tops (...), metres."""

    corners: Corners
    low: Array
    high: Array

    @property
    def centres(self) -> Array:
        """The centres (..., 2) of the footprints."""
        return np.asarray(self.corners.mean(axis=-2))


def boxes_of(size_m: Size, poses: tuple[Pose, ...]) -> Boxes:
    """Return the boxes of one object at its poses, (F,); it is taken to stand upright."""
    rows = np.array([(*p.position_m, *p.rotation_wxyz) for p in poses], dtype=np.float64)
    w, x, y, z = rows[:, 3:].T
    heading = np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    return boxes_at(size_m, rows[:, :3], heading)


def boxes_at(size_m: Size, places_m: Array, headings_rad: Array) -> Boxes:
    """Return the boxes of one object at (F, 3) places and (F,) headings."""
    half = _SIGNS * (np.array(size_m[:2]) / 2)
    c, s = np.cos(headings_rad), np.sin(headings_rad)
    turns = np.empty((len(c), 2, 2))
    turns[:, 0, 0] = turns[:, 1, 1] = c
    turns[:, 0, 1], turns[:, 1, 0] = s, -s
    low = places_m[:, 2]
    return Boxes(half @ turns + places_m[:, None, :2], low, low + size_m[2])


def tracks_of_boxes(objects: tuple[SceneObject, ...], frames: int) -> Boxes:
    """Return the boxes (T, F) of objects at every frame; what stands still is repeated."""
    found = [boxes_of(t.size_m, t.poses) for t in objects]
    return Boxes(
        np.stack([np.broadcast_to(b.corners, (frames, 4, 2)) for b in found]),
        np.stack([np.broadcast_to(b.low, (frames,)) for b in found]),
        np.stack([np.broadcast_to(b.high, (frames,)) for b in found]),
    )


def apart_m(a: Corners, b: Corners) -> Array:
    """Return the signed gap (...) of footprints along the best separating axis; less than 0: they overlap.

    Where it is above 0 they are at least so far apart. Axes in front are broadcast.
    """
    # Of a rectangle two edges have all directions.
    edges = np.concatenate(
        np.broadcast_arrays(a[..., 1:3, :] - a[..., 0:2, :], b[..., 1:3, :] - b[..., 0:2, :]), axis=-2
    )
    x, y = edges[..., 0], edges[..., 1]
    lengths = np.maximum(np.sqrt(x * x + y * y), 1e-12)
    normals = np.stack([y / lengths, -x / lengths], axis=-2)
    pa, pb = a @ normals, b @ normals
    gaps = np.maximum(_least(pb) - _most(pa), _least(pa) - _most(pb))
    return _most(gaps[..., None])[..., 0]


def _least(values: Array) -> Array:
    """Return (..., n) the least of four (..., 4, n): numpy's own reduction is slow along so short an axis."""
    one, other = values[..., 0, :], values[..., 1, :]
    third, last = values[..., 2, :], values[..., 3, :]
    return np.asarray(np.minimum(np.minimum(one, other), np.minimum(third, last)))


def _most(values: Array) -> Array:
    one, other = values[..., 0, :], values[..., 1, :]
    third, last = values[..., 2, :], values[..., 3, :]
    return np.asarray(np.maximum(np.maximum(one, other), np.maximum(third, last)))


def above_m(a: Boxes, b: Boxes) -> Array:
    """Return the signed gap (...) of boxes in height; less than 0: they share heights."""
    return np.asarray(np.maximum(a.low - b.high, b.low - a.high))


def within(points_m: Array, corners: Corners, slack_m: float = 0.0) -> NDArray[np.bool_]:
    """Return (...) whether points (..., 2) lie in footprints, or at most `slack_m` outside an edge."""
    edges = np.roll(corners, -1, axis=-2) - corners
    lengths = np.maximum(np.linalg.norm(edges, axis=-1), 1e-12)
    to = points_m[..., None, :] - corners
    left = (edges[..., 0] * to[..., 1] - edges[..., 1] * to[..., 0]) / lengths
    return np.asarray((left >= -slack_m).all(axis=-1))


def joined_boxes(parts: list[Boxes]) -> Boxes:
    """Return single boxes, each (1,), as one row."""
    return Boxes(
        np.concatenate([p.corners for p in parts]),
        np.concatenate([p.low for p in parts]),
        np.concatenate([p.high for p in parts]),
    )
