"""Axes of files and ours: which way a model looks, and which way is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fathom.assets.model import Part, Points

AXES: dict[str, tuple[float, float, float]] = {
    "+x": (1.0, 0.0, 0.0), "-x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0), "-y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0), "-z": (0.0, 0.0, -1.0),
}  # fmt: skip
"""Axes of a file by name."""


def turn_of(front: str, up: str) -> Points:
    """Return the rotation (3, 3) from a file's frame to x forward, y left, z up.

    `front` and `up` are names of axes that stand at right angles to one another.
    """
    f, u = np.array(AXES[front]), np.array(AXES[up])
    return np.stack([f, np.cross(u, f), u])


def turned(parts: Sequence[Part], front: str, up: str) -> tuple[Part, ...]:
    """Return parts of a file's frame in ours."""
    m = turn_of(front, up)
    return tuple(
        replace(p, vertices=p.vertices @ m.T, normals=None if p.normals is None else p.normals @ m.T)
        for p in parts
    )
