"""Cameras that film a place: round it on a rail, or in somebody's hand; and what they see of it."""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.poses import Array
from fathom.geometry.poses import rotation_matrix as rotation_of
from fathom.records import Camera, Pose
from fathom.scenes.videos import routes
from fathom.store.seeds import Name

BAND_HZ = (0.15, 1.5)
"""How fast a hand sways."""


def pinhole(width: int, height: int, fov_rad: float, poses: tuple[Pose, ...]) -> Camera:
    """Return a camera with square pixels and its axis in the middle; `fov_rad` spans the picture's width."""
    focal = round(width / 2 / math.tan(fov_rad / 2), 6)
    return Camera(width=width, height=height, fx=focal, fy=focal, cx=width / 2, cy=height / 2, poses=poses)


def on_a_rail(
    g: np.random.Generator,
    focus_m: Array,
    times_s: Array,
    distance_m: tuple[float, float],
    elevation_deg: tuple[float, float],
    sweep_deg: tuple[float, float],
) -> tuple[Pose, ...]:
    """Return a smooth way part of the way round a place, looking at it, nearer or farther."""
    share = _shares(g, times_s)
    radius = np.interp(share, (0, 1), g.uniform(*distance_m, 2))
    up = np.radians(np.interp(share, (0, 1), g.uniform(*elevation_deg, 2)))
    sweep = math.radians(float(g.uniform(*sweep_deg))) * (1 if g.random() < 0.5 else -1)
    around = float(g.uniform(0, 2 * math.pi)) + share * sweep
    return routes.looking(routes.orbited(focus_m, radius, up, around), _focus(g, focus_m, share), times_s)


def in_hand(
    g: np.random.Generator,
    focus_m: Array,
    times_s: Array,
    distance_m: tuple[float, float],
    elevation_deg: tuple[float, float],
    sweep_deg: tuple[float, float],
    sway_m: float,
    sway_deg: float,
    seed: Name,
    *names: Name,
) -> tuple[Pose, ...]:
    """Return the way of a camera in a hand: from station to station about a place, never quite still."""
    count = int(g.integers(2, 5))
    knots = np.linspace(0, float(times_s[-1]), count)
    sweep = math.radians(float(g.uniform(*sweep_deg))) * (1 if g.random() < 0.5 else -1)
    around = float(g.uniform(0, 2 * math.pi)) + sweep * np.sort(g.random(count))
    stations = routes.orbited(
        focus_m, g.uniform(*distance_m, count), np.radians(g.uniform(*elevation_deg, count)), around
    )
    eyes = routes.strolled(stations, times_s, knots)
    eyes = eyes + routes.sway(sway_m, 3, times_s, BAND_HZ, seed, *names, "place")
    shake = routes.sway(math.radians(sway_deg), 3, times_s, BAND_HZ, seed, *names, "turn")
    return routes.looking(
        eyes, _focus(g, focus_m, routes.minimum_jerk(times_s / times_s[-1])), times_s, shake
    )


def _shares(g: np.random.Generator, times_s: Array) -> Array:
    """Return how much of its way a camera has gone: evenly from the first frame on, or from rest to rest."""
    even = times_s / times_s[-1]
    return even if g.random() < 0.5 else routes.minimum_jerk(even)


def _focus(g: np.random.Generator, focus_m: Array, share: Array) -> Array:
    """Return what is looked at: near the focus, moving a little."""
    a, b = g.normal(0, 0.02, (2, 3))
    return np.asarray(focus_m + a + share[:, None] * (b - a))


def framed(camera: Camera, points_m: Array, margin: float = 0.04) -> Array:
    """Return (F, n) whether points (n, 3), or (F, n, 3), are in the picture and in front of the camera.

    `margin` is the share of each side of the picture that does not count.
    """
    turns = np.stack([rotation_of(p.rotation_wxyz) for p in camera.poses])
    eyes = np.array([p.position_m for p in camera.poses])
    local = (np.asarray(points_m) - eyes[:, None]) @ turns
    depth = np.maximum(local[..., 2], 1e-9)
    x = (camera.fx * local[..., 0] / depth + camera.cx) / camera.width
    y = (camera.fy * local[..., 1] / depth + camera.cy) / camera.height
    inside = (np.abs(x - 0.5) <= 0.5 - margin) & (np.abs(y - 0.5) <= 0.5 - margin)
    return np.asarray(inside & (local[..., 2] > 0.01))
