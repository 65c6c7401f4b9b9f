"""How far each object moves straight ahead, or back, until it touches another: found with rays.

From points on the mover's surface rays go along its way at the other, and from points on the other's surface
the opposite way at the mover; the shortest of them is the way until contact. Both are needed: a thin object
may pass between the rays of one.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.geometry.poses import rotation_matrix
from fathom.ground_truth.solids import Solid, cast_from
from fathom.records import Pose

Ways = NDArray[np.float32]
Cloud = NDArray[np.float32]

SPACING_M = 0.05
"""About how far apart the points on large faces are."""

RAYS = 3000
"""At most so many rays are cast from one object at another."""

CLEAR_M = 1e-3
"""Rays begin this far on, so that none meets the face on which it begins."""

_points: weakref.WeakKeyDictionary[Solid, Cloud] = weakref.WeakKeyDictionary()
_leads: weakref.WeakKeyDictionary[Solid, NDArray[np.int8]] = weakref.WeakKeyDictionary()


def ways_m(solids: Sequence[Solid], poses: Sequence[Pose]) -> Ways:
    """Return (2, n, n) float32: how far i moves forward, and backward, until it touches j, in metres.

    Infinite where it never does. Other things in the way are not asked after. A thing that is not there, with
    a pose that is not valid, touches nothing.
    """
    n = len(solids)
    ways = np.full((2, n, n), np.inf, dtype=np.float32)
    there = [i for i in range(n) if poses[i].valid]
    for i in there:
        axes, place = rotation_matrix(poses[i].rotation_wxyz), np.asarray(poses[i].position_m)
        for j in there:
            if i == j:
                continue
            # The other's frame in the mover's.
            turn = axes.T @ rotation_matrix(poses[j].rotation_wxyz)
            shift = axes.T @ (np.asarray(poses[j].position_m) - place)
            ways[:, i, j] = _until_contact(solids[i], solids[j], turn, shift)
    return ways


def _until_contact(mover: Solid, other: Solid, turn: Points, shift: Points) -> tuple[float, float]:
    """Return how far a mover at the origin moves along x, and against it, until it touches the other."""
    turn, shift = turn.astype(np.float32), shift.astype(np.float32)
    corners = other.hull @ turn.T + shift
    own_low, own_high = mover.hull.min(axis=0), mover.hull.max(axis=0)
    low, high = corners.min(axis=0), corners.max(axis=0)
    if (low[1:] > own_high[1:]).any() or (high[1:] < own_low[1:]).any():
        return np.inf, np.inf
    theirs: NDArray[np.floating] | None = None
    found = []
    for k, sign in enumerate((1.0, -1.0)):
        if (high[0] if sign > 0 else -low[0]) <= (own_low[0] if sign > 0 else -own_high[0]):
            found.append(np.inf)
            continue
        way = np.array([sign, 0.0, 0.0])
        mine = _thinned(_leading_points(mover, k, low, high))
        nearest = _nearest(other, (mine - shift) @ turn, way @ turn)
        if theirs is None:
            every = _surface(other) @ turn.T + shift
            theirs = _thinned(every[_beside(every, own_low, own_high)])
        found.append(min(nearest, _nearest(mover, theirs, -way)))
    return found[0], found[1]


def _nearest(solid: Solid, origins: NDArray[np.floating], direction: Points) -> float:
    """Return how long the shortest of parallel rays is until they meet a solid; infinite where none does."""
    if not len(origins):
        return np.inf
    return float(cast_from(solid, origins, direction).distance.min())


def _thinned(points: NDArray[np.floating]) -> NDArray[np.floating]:
    return points[:: -(-len(points) // RAYS)] if len(points) > RAYS else points


def _surface(solid: Solid) -> Cloud:
    """Return (k, 3) points on a solid's surface: corners and middles of its faces, and more on large ones.

    They follow a sequence that fills a face evenly, in an order that is spread over the whole surface.
    """
    if solid not in _points:
        corners = solid.vertices[solid.faces]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        many = np.ceil(area / SPACING_M**2).astype(int)
        owner = np.repeat(np.arange(len(corners)), many)
        # Plastic-number sequence: two irrational steps that never line up.
        u, v = (np.arange(1, len(owner) + 1)[None] * np.array([[0.7548776662], [0.5698402910]])) % 1.0
        fold = u + v > 1
        u, v = np.where(fold, 1 - u, u)[:, None], np.where(fold, 1 - v, v)[:, None]
        spread = a[owner] + u * (b - a)[owner] + v * (c - a)[owner]
        every = np.concatenate([solid.vertices, spread])
        shuffle = np.argsort((np.arange(len(every)) * 0.6180339887498949) % 1.0, kind="stable")
        _points[solid] = every[shuffle].astype(np.float32)
    return _points[solid]


def _leading_points(solid: Solid, k: int, low: Points, high: Points) -> Cloud:
    """Return the surface points between two corners, sideways and in height, that nothing of the solid itself
    lies ahead of: forward (k = 0) or backward.

    What lies behind another part of the same object never touches first. Rays are cast once a point, and only
    from those that were asked after.
    """
    points = _surface(solid)
    if solid not in _leads:
        _leads[solid] = np.full((2, len(points)), -1, np.int8)
    leads = _leads[solid][k]
    chosen = np.flatnonzero(_beside(points, low, high))
    unknown = chosen[leads[chosen] < 0]
    way = np.array([1.0 - 2.0 * k, 0.0, 0.0])
    leads[unknown] = cast_from(solid, points[unknown] + CLEAR_M * way, way).face < 0
    return np.asarray(points[chosen[leads[chosen] > 0]])


def _beside(points: NDArray[np.floating], low: Points, high: Points) -> NDArray[np.bool_]:
    """Return which points lie between two corners, sideways and in height."""
    y, z = points[:, 1], points[:, 2]
    return np.asarray((y >= low[1]) & (y <= high[1]) & (z >= low[2]) & (z <= high[2]))
