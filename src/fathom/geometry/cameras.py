"""Pinhole cameras: where a point appears, and where a pixel looks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array, from_world, quaternion, rotation_matrix
from fathom.records import Camera, Pose


def look_at(eye_m: tuple[float, float, float], target_m: tuple[float, float, float]) -> Pose:
    """Return the pose of a camera at `eye_m` that looks at `target_m` with world z up.

    The pose takes camera axes (x right, y down, z forward) to the world.
    """
    eye = np.asarray(eye_m, dtype=np.float64)
    forward = np.asarray(target_m, dtype=np.float64) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    return Pose(position_m=eye_m, rotation_wxyz=quaternion(np.column_stack([right, down, forward])))


def project(camera: Camera, points_m: NDArray[np.floating], frame: int = 0) -> tuple[Array, Array]:
    """Return (n, 2) pixel positions (x, y) and (n,) depths in metres of (n, 3) world points.

    Pixel (0, 0) covers [0, 1) × [0, 1): its centre is at (0.5, 0.5). Depth is along the optical axis;
    points at a depth of 0 or less have no meaningful pixel position (they are NaN).
    """
    local = from_world(camera.poses[frame], points_m)
    depth = local[:, 2]
    safe = np.where(depth > 1e-9, depth, np.nan)
    x = camera.fx * local[:, 0] / safe + camera.cx
    y = camera.fy * local[:, 1] / safe + camera.cy
    return np.column_stack([x, y]), depth


def unproject(
    camera: Camera, pixels: NDArray[np.floating], depth_m: NDArray[np.floating], frame: int = 0
) -> Array:
    """Return the (n, 3) world points seen at (n, 2) pixel positions with (n,) depths in metres."""
    pose = camera.poses[frame]
    local = np.column_stack(
        [
            (pixels[:, 0] - camera.cx) / camera.fx * depth_m,
            (pixels[:, 1] - camera.cy) / camera.fy * depth_m,
            depth_m,
        ]
    )
    return np.asarray(local @ rotation_matrix(pose.rotation_wxyz).T + np.asarray(pose.position_m))


def pixel_rays(camera: Camera, frame: int = 0) -> tuple[Array, Array]:
    """Return the camera's position (3,) and the world directions (height, width, 3) through pixel centres.

    Directions have unit length along the optical axis, so that a hit's ray parameter is its depth.
    """
    pose = camera.poses[frame]
    x = (np.arange(camera.width) + 0.5 - camera.cx) / camera.fx
    y = (np.arange(camera.height) + 0.5 - camera.cy) / camera.fy
    local = np.stack(
        [
            np.broadcast_to(x[None, :], (camera.height, camera.width)),
            np.broadcast_to(y[:, None], (camera.height, camera.width)),
            np.ones((camera.height, camera.width)),
        ],
        axis=-1,
    )
    return np.asarray(pose.position_m), np.asarray(local @ rotation_matrix(pose.rotation_wxyz).T)
