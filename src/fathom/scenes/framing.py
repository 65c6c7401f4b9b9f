"""Where the cameras of a film stand: around what is there at some time, which fills the picture and is in its
middle, and what they see of one object past others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fathom.assets.model import Points
from fathom.geometry.poses import heading_rad
from fathom.geometry.views import azimuths_rad, orbit
from fathom.records import Camera, SceneObject
from fathom.scenes.scene_at_time import Staging

MARGIN = 0.03
"""The share of the picture's side that stays free along each edge."""

NEAREST = 0.25
"""No point comes nearer to a camera than this share of how far points reach from what it looks at."""

LARGEST = 0.79
"""How much of the picture's side the box of an object alone takes up at most, in any view at any time: a
little less than 0.8, since not all of its points are looked at.
"""

ROUNDS, CLOSER = 40, 3


def framed(
    points_m: Points, staging: Staging, moments: Sequence[Points] = (), first_rad: float = 0.0
) -> tuple[Camera, ...]:
    """Return cameras that hold all of (n, 3) world points, as near as can be, as much free above as below.

    The first stands at azimuth `first_rad`, counter-clockwise from world +x.

    All look at one point: where the cameras can stand nearest, at the height that leaves the same margin at
    the top, in the view that has the least there, as at the bottom. They stand farther off where what is
    there at any one of some moments would take up more than `LARGEST` of a picture.
    """
    from scipy.spatial import ConvexHull

    points = points_m[ConvexHull(points_m).vertices]
    axes = _axes(staging, first_rad)
    tangent = math.tan(math.radians(staging.fov_deg) / 2) * (1 - 2 * MARGIN)
    low, high = points.min(axis=0), points.max(axis=0)
    at, step = (low + high) / 2, float((high - low)[:2].max()) / 8
    at[2] = _level(points, at, axes, tangent)
    radius = _radius(points - at, axes, tangent)
    while step > 1e-3 * radius:
        found = at
        for dx, dy in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
            other = at + np.array([dx, dy, 0.0])
            far = _radius(points - other, axes, tangent)
            if far < radius - 1e-9:
                found, radius = other, far
        at, step = (found, step) if found is not at else (at, step / 2)
    at[2] = _level(points, at, axes, tangent)
    x, y, z = (round(float(v), 6) for v in at)
    radius = _radius(points - np.array([x, y, z]), axes, tangent)
    side = 2 * math.tan(math.radians(staging.fov_deg) / 2)
    for _ in range(CLOSER if moments else 0):
        largest = max(_box(m - np.array([x, y, z]), axes, radius) for m in moments) / side
        radius *= max(largest / LARGEST, 1.0)
    size = (staging.size_px, staging.size_px)
    elevation, fov = math.radians(staging.elevation_deg), math.radians(staging.fov_deg)
    return orbit((x, y, z), max(radius, 1e-3), elevation, staging.views, size, fov, first_rad)


def _axes(staging: Staging, first_rad: float) -> tuple[Points, Points, Points]:
    """Return for each view the directions (V, 3) to the right, up and towards the camera."""
    azimuth, up = azimuths_rad(staging.views, first_rad), math.radians(staging.elevation_deg)
    flat = np.column_stack([np.cos(azimuth), np.sin(azimuth), np.zeros(staging.views)])
    back = flat * math.cos(up) + np.array([0.0, 0.0, math.sin(up)])
    right = np.column_stack([-flat[:, 1], flat[:, 0], flat[:, 2]])
    return right, np.cross(back, right), back


def _radius(offsets: Points, axes: tuple[Points, Points, Points], tangent: float) -> float:
    """Return how far cameras must stand from what they look at for offsets (n, 3) from it to be inside."""
    right, up, back = (offsets @ a.T for a in axes)
    reach = float(np.linalg.norm(offsets, axis=1).max())
    wide = np.maximum(np.abs(right), np.abs(up)) / tangent + back
    return max(float(wide.max()), float(back.max()) + NEAREST * reach)


def _box(offsets: Points, axes: tuple[Points, Points, Points], radius: float) -> float:
    """Return the longest side of boxes around offsets (n, 3) in any view, at distance 1 from the camera."""
    right, up, back = (offsets @ a.T for a in axes)
    away = radius - back
    return float(max(np.ptp(right / away, axis=0).max(), np.ptp(up / away, axis=0).max()))


def _level(points: Points, at: Points, axes: tuple[Points, Points, Points], tangent: float) -> float:
    """Return the height to look at over a place that leaves as much free above as below."""
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        offsets = points - np.array([at[0], at[1], middle])
        away = _radius(offsets, axes, tangent) - offsets @ axes[2].T
        rise = (offsets @ axes[1].T) / away
        low, high = (middle, high) if rise.max() > -rise.min() else (low, middle)
    return (low + high) / 2


def behind(
    points_m: Points, eyes_m: Points, screens: Sequence[SceneObject], reaches_m: Sequence[float]
) -> Points:
    """Return which share (V,) of world points is hidden from each eye by screens, taken to be solid.

    `reaches_m` is how far to the side each of them stands from its middle.
    """
    hidden = np.zeros((len(eyes_m), len(points_m)), dtype=bool)
    for screen, reach in zip(screens, reaches_m, strict=True):
        hidden |= _shadow(points_m, eyes_m, screen, reach)
    return np.asarray(hidden.mean(axis=1))


def _shadow(points: Points, eyes: Points, screen: SceneObject, reach: float) -> np.ndarray:
    """Return which points (V, n) an upright box, as wide as it is deep, stands before."""
    heading = heading_rad(screen.poses[0])
    c, s = math.cos(heading), math.sin(heading)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    middle = np.array([*screen.poses[0].position_m[:2], 0.0])
    p, e = (points - middle) @ turn.T, (eyes - middle) @ turn.T
    enter, leave = np.full((2, len(e), len(p)), [[[-np.inf]], [[np.inf]]])
    # Axis by axis: to reduce over the last axis of (V, n, 3) takes several times as long.
    for k, (low, high) in enumerate([(-reach, reach), (-reach, reach), (0.0, screen.size_m[2])]):
        way = e[:, k, None] - p[:, k]
        way[np.abs(way) < 1e-9] = 1e-9
        one, other = (low - p[:, k]) / way, (high - p[:, k]) / way
        enter, leave = np.maximum(enter, np.minimum(one, other)), np.minimum(leave, np.maximum(one, other))
    return np.asarray((enter < leave) & (leave > 0) & (enter < 1))
