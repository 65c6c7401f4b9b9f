"""Rays through pixel centres, cast at one object by itself and only where it can appear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.geometry.poses import from_world, rotation_matrix, to_world
from fathom.ground_truth.solids import Hits, Solid, cast
from fathom.ground_truth.views import STEP_M, Depth, Window, box_of
from fathom.records import Camera, Pose

NEAREST_M = 1e-6
"""What is nearer to the plane of the camera than this is behind it."""


@dataclass(frozen=True, eq=False)
class ObjectRays:
    """The rays that met one object by itself.

    window : (left, top, right, bottom), the smallest pixels inside the picture that hold the silhouette
    depth_m : (h, w) float32, infinite where the object was missed
    hits : the window's h * w hits, in raster order
    full_px : pixels of the whole silhouette, those beyond the edges of the picture included
    """

    window: Window
    depth_m: Depth
    hits: Hits
    solid: Solid
    pose: Pose
    full_px: int


def alone(camera: Camera, pose: Pose, solid: Solid, beyond: bool = True) -> ObjectRays:
    """Return what rays through the camera's pixel centres meet of the solid at `pose`.

    Without `beyond`, what is past the edges of the picture is not looked at, and not counted in `full_px`.
    """
    x0, y0, x1, y1 = _reach(camera, pose, solid, beyond) if pose.valid else (0, 0, 0, 0)
    hits = cast(solid, *_rays(camera, pose, (x0, y0, x1, y1)))
    hit = (hits.face >= 0).reshape(y1 - y0, x1 - x0)
    left, top, right, bottom = max(x0, 0), max(y0, 0), min(x1, camera.width), min(y1, camera.height)
    if left >= right or top >= bottom:
        window = (0, 0, 0, 0)
    else:
        window = box_of(hit[top - y0 : bottom - y0, left - x0 : right - x0], left, top)
    keep = np.arange((y1 - y0) * (x1 - x0)).reshape(y1 - y0, x1 - x0)
    inside = (
        keep[window[1] - y0 : window[3] - y0, window[0] - x0 : window[2] - x0]
        if any(window)
        else keep[:0, :0]
    )
    index = inside.reshape(-1)
    kept = Hits(hits.distance[index], hits.face[index], hits.u[index], hits.v[index])
    depth = (np.rint(kept.distance / STEP_M) * STEP_M).astype(np.float32).reshape(inside.shape)
    return ObjectRays(window, depth, kept, solid, pose, int(np.count_nonzero(hit)))


def _rays(camera: Camera, pose: Pose, window: Window) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return origin (3,) and directions (n, 3), raster order, in the frame of an object at `pose`.

    Directions have unit length along the optical axis, so that the distance along one is the depth.
    """
    x0, y0, x1, y1 = window
    eye = camera.poses[0]
    origin = from_world(pose, np.asarray(eye.position_m)[None])[0]
    axes = rotation_matrix(eye.rotation_wxyz).T @ rotation_matrix(pose.rotation_wxyz)
    x = (np.arange(x0, x1) + 0.5 - camera.cx) / camera.fx
    y = (np.arange(y0, y1) + 0.5 - camera.cy) / camera.fy
    directions = x[None, :, None] * axes[0] + (y[:, None, None] * axes[1] + axes[2])
    return origin, directions.reshape(-1, 3)


def _reach(camera: Camera, pose: Pose, solid: Solid, beyond: bool) -> Window:
    """Return the pixels in which the solid can appear, with `beyond` up to one picture beyond each edge."""
    w, h = camera.width, camera.height
    points = to_world(pose, solid.hull)
    pixels, depth = project(camera, points)
    if (depth <= NEAREST_M).all():
        return (0, 0, 0, 0)
    if (depth <= NEAREST_M).any():
        pixels, _ = project(camera, _in_front(points, depth))
    least, most = ((-w, -h), (2 * w, 2 * h)) if beyond else ((0, 0), (w, h))
    low = np.clip(np.floor(pixels.min(axis=0)) - 1, least, most).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)) + 1, least, most).astype(int)
    return (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def _in_front(points_m: NDArray[np.float64], depth_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points whose convex hull is the part of the hull of (n, 3) points that is before the camera."""
    ahead, back = depth_m > NEAREST_M, depth_m <= NEAREST_M
    # Where each way from a point ahead to one at the back meets the plane, a little before it.
    z, y = depth_m[ahead][:, None], depth_m[back][None]
    share = (z - 2 * NEAREST_M) / np.maximum(z - y, NEAREST_M)
    a, b = points_m[ahead][:, None], points_m[back][None]
    met = a + np.clip(share, 0, 1)[..., None] * (b - a)
    return np.concatenate([points_m[ahead], met.reshape(-1, 3)])
