"""How a camera is held: how high, looking how far up or down, and turned by how much about its axis."""

from __future__ import annotations

import math

from fathom.geometry.poses import rotation_matrix
from fathom.records import Camera


def angles_of(camera: Camera) -> list[tuple[float, float, float]]:
    """Return height (metres), pitch (up above 0) and roll (clockwise above 0; degrees) of each pose."""
    found = []
    for pose in camera.poses:
        right, _, ahead = rotation_matrix(pose.rotation_wxyz).T
        level = math.asin(max(-1.0, min(1.0, float(ahead[2]))))
        roll = -math.asin(max(-1.0, min(1.0, float(right[2]) / max(math.cos(level), 1e-9))))
        found.append((float(pose.position_m[2]), math.degrees(level), math.degrees(roll)))
    return found
