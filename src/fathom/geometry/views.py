"""Cameras around a place: evenly spaced, all looking at one point, near enough that what plays there fills
the picture.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import look_at
from fathom.geometry.poses import Array
from fathom.records import Camera, InputError, Pose

MARGIN = 0.05
"""The share of the picture's side that stays free along each edge."""

NEAREST = 0.25
"""No point comes nearer to a camera than this share of how far points reach from what it looks at."""


def azimuths_rad(views: int, first_rad: float = 0.0) -> Array:
    """Return the azimuth (views,) of each camera: counter-clockwise from world +x, seen from above."""
    return np.asarray(first_rad + np.arange(views) * (2 * np.pi / views), dtype=np.float64)


def orbit(
    centre_m: tuple[float, float, float],
    radius_m: float,
    elevation_rad: float,
    views: int,
    size_px: tuple[int, int],
    fov_rad: float,
    first_rad: float = 0.0,
) -> tuple[Camera, ...]:
    """Return cameras at `radius_m` from `centre_m` that look at it; the first stands at azimuth `first_rad`.

    Where that is 0, towards world +x, a thing of heading 0 is seen from its front by view 0, from its left
    side by the view at a quarter of the way round, from behind by the one at half. `fov_rad` spans the
    shorter side of the picture.

    Raises InputError where there is no view, no size, or the field of view is not between 0 and 180 degrees.
    """
    width, height = size_px
    if views < 1 or min(size_px) < 1 or not 0 < fov_rad < math.pi or not abs(elevation_rad) < math.pi / 2:
        raise InputError(
            f"{views} views of {width} × {height} pixels, {math.degrees(fov_rad):g}° wide, from "
            f"{math.degrees(elevation_rad):g}° up: expected at least one view and one pixel, a width between "
            "0° and 180° and a height between -90° and 90°; correct the settings"
        )
    focal = min(size_px) / 2 / math.tan(fov_rad / 2)
    centre = np.asarray(centre_m, dtype=np.float64)
    cameras = []
    for azimuth in azimuths_rad(views, first_rad):
        eye = centre + radius_m * _toward(float(azimuth), elevation_rad)
        pose = look_at((float(eye[0]), float(eye[1]), float(eye[2])), centre_m)
        camera = Camera(
            width=width, height=height, fx=focal, fy=focal, cx=width / 2, cy=height / 2,
            poses=(_rounded(pose),),
        )  # fmt: skip
        cameras.append(camera)
    return tuple(cameras)


def fitted_orbit(
    points_m: NDArray[np.floating],
    elevation_rad: float,
    views: int,
    size_px: tuple[int, int],
    fov_rad: float,
    margin: float = MARGIN,
) -> tuple[Camera, ...]:
    """Return an orbit on which every view holds all of (n, 3) world points, and at least one only just.

    Points are where objects come to be at any time: corners of their boxes do. The cameras look at the middle
    of their box, moved up or down to where the cameras can stand nearest.

    Raises InputError where a point is not finite or there is none, and what `orbit` raises.
    """
    points = np.asarray(points_m, dtype=np.float64).reshape(-1, 3)
    if not len(points) or not np.isfinite(points).all() or not 0 <= margin < 0.5:
        raise InputError(
            f"cameras are to stand around {len(points)} points with a margin of {margin:g}: expected at "
            "least one, all of them finite, and a margin from 0 to below 0.5; leave the asset out"
        )
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    tangents, axes = _tangents(size_px, fov_rad, margin), _axes(elevation_rad, views)
    # The radius is convex in the height looked at: a search by thirds finds its least.
    a, b = float(low[2]), float(high[2])
    for _ in range(40):
        c, d = a + (b - a) / 3, b - (b - a) / 3
        radii = [_radius(points - (middle[0], middle[1], z), axes, tangents) for z in (c, d)]
        a, b = (a, d) if radii[0] <= radii[1] else (c, b)
    centre = np.round((middle[0], middle[1], (a + b) / 2), 6)
    radius = _radius(points - centre, axes, tangents)
    at = (float(centre[0]), float(centre[1]), float(centre[2]))
    return orbit(at, max(radius, 1e-3), elevation_rad, views, size_px, fov_rad)


def _axes(elevation_rad: float, views: int) -> tuple[Array, Array, Array]:
    """Return, each (views, 3), where each camera looks from, its right and its up."""
    azimuth = azimuths_rad(views)
    back = np.stack([_toward(float(a), elevation_rad) for a in azimuth])
    right = np.column_stack([-np.sin(azimuth), np.cos(azimuth), np.zeros(views)])
    return back, right, np.cross(back, right)


def _radius(offsets: Array, axes: tuple[Array, Array, Array], tangents: tuple[float, float]) -> float:
    """Return how far cameras must stand so that points (n, 3), relative to what they look at, are inside."""
    back, right, up = axes
    nearer = offsets @ back.T
    across = np.abs(offsets @ right.T) / tangents[0]
    along = np.abs(offsets @ up.T) / tangents[1]
    reach = float(np.linalg.norm(offsets, axis=1).max())
    return max(float((np.maximum(across, along) + nearer).max()), float(nearer.max()) + NEAREST * reach)


def _tangents(size_px: tuple[int, int], fov_rad: float, margin: float) -> tuple[float, float]:
    """Return the tangents of the half angles, across and along, of the picture within its margin."""
    t = math.tan(fov_rad / 2) * (1 - 2 * margin) / min(size_px)
    return t * size_px[0], t * size_px[1]


def _toward(azimuth_rad: float, elevation_rad: float) -> Array:
    """Return the unit direction (3,) from what is looked at to a camera."""
    level = math.cos(elevation_rad)
    return np.array([level * math.cos(azimuth_rad), level * math.sin(azimuth_rad), math.sin(elevation_rad)])


def _rounded(pose: Pose) -> Pose:
    """Return the pose as it is written to a file, so that reading it gives the same cameras."""
    x, y, z = (round(v, 6) for v in pose.position_m)
    w, i, j, k = (round(v, 9) for v in pose.rotation_wxyz)
    return Pose(position_m=(x, y, z), rotation_wxyz=(w, i, j, k))
