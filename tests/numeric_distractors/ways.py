"""Cameras that are carried through rooms: all alike, as far as anybody who has not seen them knows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.camera_poses import CameraPath
from fathom.store.seeds import rng

TIMES = np.arange(300) / 30.0


def carried(seed: int | str) -> NDArray[np.float64]:
    """Return the poses (300, 6) of one that goes along a bend, looks about, tilts as it goes and sways."""
    g = rng(seed, "carried")
    speed = 0.4 * np.exp(g.normal(0, 0.25)) * (1 + 0.2 * np.sin(g.uniform(0, 6) + TIMES))
    course = np.radians(g.normal(0, 12)) * TIMES
    steps = speed / 30.0
    x, z = np.cumsum(-np.sin(course) * steps), np.cumsum(np.cos(course) * steps)
    yaw = np.degrees(course) + g.normal(0, 4) * TIMES
    sway = 0.01 * np.sin(g.uniform(0, 6) + g.uniform(4, 7) * TIMES)
    pitch, roll = -15 + g.normal(0, 1) * TIMES, 30 * sway
    return np.column_stack([x - x[0], sway - sway[0], z - z[0], yaw - yaw[0], pitch, roll])


def ways(cameras: int, each: int, seed: str) -> tuple[list[CameraPath], list[str]]:
    """Return ways of many cameras, each asked about at several times, and which camera it is."""
    g = rng(seed, "times")
    found, names = [], []
    for k in range(cameras):
        poses = carried(f"{seed} {k}")
        for frame in g.choice(np.arange(50, 270), each, replace=False):
            found.append(CameraPath(poses, TIMES, int(frame)))
            names.append(f"camera {k}")
    return found, names
