"""The camera behind a car's windscreen: it goes where the car goes, and nods and leans with it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.driving import Moved
from fathom.store.seeds import Name

BEFORE_M = 0.35
"""How far before the car's middle the camera is."""

NODS_DEG, LEANS_DEG = 0.45, 0.4
"""How far a car nods and leans, in degrees for each m/s²."""

SPRING_S = 0.5
"""How long its springs take."""

SHAKES_HZ = (0.5, 1.8)


@dataclass(frozen=True)
class Mount:
    """How a camera is mounted: its height, angle of view, how far it looks down, how much it shakes."""

    height_m: float
    fov_deg: float
    down_deg: float
    shake_m: float
    shake_deg: float


def filmed(
    moved: Moved, mount: Mount, width: int, height: int, times_s: Array, seed: Name, *names: Name
) -> Camera:
    """Return the camera on the first of the vehicles, one pose a frame."""
    driver = moved.vehicles[0].driver
    places, heading = driver.centres(moved.lengths_m[0])
    forward = np.column_stack([np.cos(heading), np.sin(heading), np.zeros(len(heading))])
    pull, lean = felt(moved, times_s)
    speed = _slow(moved.speeds[0] / 10.0, times_s)
    bounce = routes.sway(mount.shake_m, 1, times_s, SHAKES_HZ, seed, *names, "bounce")[:, 0] * speed
    eyes = np.column_stack([places, np.full(len(places), mount.height_m) + bounce]) + BEFORE_M * forward
    shake = routes.sway(math.radians(mount.shake_deg), 3, times_s, SHAKES_HZ, seed, *names, "turn")
    shake = shake * np.minimum(0.15 + speed, 1.2)[:, None] * (1.0, 0.4, 1.0)
    shake[:, 0] += np.radians(NODS_DEG * pull - mount.down_deg)
    shake[:, 2] += np.radians(LEANS_DEG * lean)
    poses = routes.looking(eyes, eyes + 10.0 * forward, times_s, shake)
    return cameras.pinhole(width, height, math.radians(mount.fov_deg), poses)


def felt(moved: Moved, times_s: Array) -> tuple[Array, Array]:
    """Return (F,) how much a car accelerates forwards and to the left, m/s², as its springs pass it on."""
    driver = moved.vehicles[0].driver
    curve = np.interp(moved.lengths_m[0], driver.way.s_m, driver.way.curvatures)
    pull = np.gradient(moved.speeds[0], times_s)
    return _slow(pull, times_s), _slow(moved.speeds[0] ** 2 * curve, times_s)


def jolt(camera: Camera) -> float:
    """Return the largest acceleration of a camera, m/s², from frame to frame."""
    eyes, times = np.array([p.position_m for p in camera.poses]), np.array([p.time_s for p in camera.poses])
    step = np.diff(times)
    velocity = np.diff(eyes, axis=0) / step[:, None]
    gain = np.linalg.norm(np.diff(velocity, axis=0), axis=1) / ((step[1:] + step[:-1]) / 2)
    return float(gain.max())


def _slow(values: Array, times_s: Array) -> Array:
    """Return values (F,) evened out over the time that springs take."""
    half = max(1, round(SPRING_S / float(times_s[1] - times_s[0])))
    kernel = 1 + np.cos(np.linspace(-math.pi, math.pi, 2 * half + 1))
    padded = np.concatenate([np.full(half, values[0]), values, np.full(half, values[-1])])
    return np.asarray(np.convolve(padded, kernel / kernel.sum(), mode="valid"))
