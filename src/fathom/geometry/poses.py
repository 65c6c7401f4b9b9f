"""Rotations and rigid transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.records import Pose

Array = NDArray[np.float64]


def rotation_matrix(rotation_wxyz: tuple[float, float, float, float]) -> Array:
    """Return the (3, 3) rotation matrix of a unit quaternion (w, x, y, z)."""
    q = np.array(rotation_wxyz, dtype=np.float64)
    # Python's floats: numpy's, one at a time, take several times as long.
    w, x, y, z = (q / math.sqrt(q.dot(q))).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rotation_matrices(rotations_wxyz: Array) -> Array:
    """Return (n, 3, 3) rotation matrices of (n, 4) quaternions (w, x, y, z) of any length but 0."""
    unit = rotations_wxyz / np.maximum(np.linalg.norm(rotations_wxyz, axis=1, keepdims=True), 1e-12)
    w, x, y, z = unit.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def pose_at(poses: Sequence[Pose], frame: int) -> Pose:
    """Return the pose at a frame of what has one pose for every frame, or one for all."""
    return poses[min(frame, len(poses) - 1)]


def quaternion(matrix: Array) -> tuple[float, float, float, float]:
    """Return the unit quaternion (w, x, y, z), w ≥ 0, of a (3, 3) rotation matrix."""
    m = np.asarray(matrix, dtype=np.float64)
    # The eigenvector of the largest eigenvalue of Davenport's K is the quaternion, and is stable everywhere.
    k = np.array(
        [
            [m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1]],
        ]
    )
    w, x, y, z = np.linalg.eigh(k)[1][:, -1]
    sign = -1.0 if w < 0 else 1.0
    return (sign * float(w), sign * float(x), sign * float(y), sign * float(z))


def yaw_quaternion(heading_rad: float) -> tuple[float, float, float, float]:
    """Return the quaternion of a turn about world z by `heading_rad` (0: forward is world x)."""
    return (math.cos(heading_rad / 2), 0.0, 0.0, math.sin(heading_rad / 2))


def heading_rad(pose: Pose) -> float:
    """Return the angle in [0, 2π) of the pose's forward axis on the ground, from world x towards world y."""
    forward = rotation_matrix(pose.rotation_wxyz)[:, 0]
    return math.atan2(float(forward[1]), float(forward[0])) % (2 * math.pi)


def to_world(pose: Pose, points_m: NDArray[np.floating]) -> Array:
    """Return (n, 3) points of the pose's own frame in the world frame, in metres."""
    return np.asarray(points_m @ rotation_matrix(pose.rotation_wxyz).T + np.asarray(pose.position_m))


def from_world(pose: Pose, points_m: NDArray[np.floating]) -> Array:
    """Return (n, 3) world points in the pose's own frame, in metres."""
    return np.asarray((points_m - np.asarray(pose.position_m)) @ rotation_matrix(pose.rotation_wxyz))
