"""How objects and cameras move: smooth tracks, one place and one rotation a frame.

Moves begin and end at rest with a minimum-jerk profile: of all ways from rest to rest the smoothest, and
close to what hands do. Times are seconds, (F,) increasing; places metres, (F, 3) in the world (z up); angles
radians.

    times = frame_times(10, 30)
    object = moved(start, end, times, 2.0, 3.5)            # (F,) poses
    eyes = orbited(centre, 0.8, 0.6, minimum_jerk(times / 10) * 1.2, ...)
    camera = looking(eyes, targets, times)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.geometry.poses import Array, heading_rad, quaternion, yaw_quaternion
from fathom.records import Pose
from fathom.store.seeds import Name, rng

PEAK_SPEED = 1.875
"""The highest speed of a minimum-jerk move from rest to rest, as a multiple of its mean speed."""

PEAK_ACCELERATION = 10 / math.sqrt(3)
"""Its highest acceleration, as a multiple of distance ÷ duration²."""

WAVES = 16
"""How many sines make a sway."""


def frame_times(seconds: float, fps: float) -> Array:
    """Return the (F,) times of all frames of a video, in seconds; the first is at 0."""
    return np.asarray(np.arange(round(seconds * fps)) / fps, dtype=np.float64)


def minimum_jerk(share: NDArray[np.floating] | float) -> Array:
    """Return how much of a way from rest to rest is gone after a share of the time; clipped to 0..1."""
    s = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0)
    return np.asarray(s * s * s * (10 + s * (6 * s - 15)))


def least_duration_s(distance: float, top_speed: float, top_acceleration: float) -> float:
    """Return the shortest time of a minimum-jerk move within a speed and an acceleration (any one unit)."""
    by_speed = PEAK_SPEED * distance / top_speed
    return max(by_speed, math.sqrt(PEAK_ACCELERATION * distance / top_acceleration))


def moved(start: Pose, end: Pose, times_s: Array, begin_s: float, end_s: float) -> tuple[Pose, ...]:
    """Return poses of what moves straight between two upright poses and turns by the shorter way."""
    share = minimum_jerk((times_s - begin_s) / (end_s - begin_s))
    a, b = np.asarray(start.position_m), np.asarray(end.position_m)
    turn = math.remainder(heading_rad(end) - heading_rad(start), 2 * math.pi)
    return upright_poses(a + share[:, None] * (b - a), heading_rad(start) + share * turn, times_s)


def turned(start: Pose, turn_rad: float, times_s: Array, begin_s: float, end_s: float) -> tuple[Pose, ...]:
    """Return poses of what turns where it stands, counter-clockwise seen from above."""
    share = minimum_jerk((times_s - begin_s) / (end_s - begin_s))
    places = np.broadcast_to(np.asarray(start.position_m), (len(times_s), 3))
    return upright_poses(places, heading_rad(start) + share * turn_rad, times_s)


def arced(
    start: Pose,
    way_rad: float,
    radius_m: float,
    turn_rad: float,
    times_s: Array,
    begin_s: float,
    end_s: float,
) -> tuple[Pose, ...]:
    """Return poses of what moves along an arc on the level and turns with it.

    `way_rad` is the direction in which it sets out, from world +x; `turn_rad` how far the way turns, above 0
    to the left.
    """
    share = minimum_jerk((times_s - begin_s) / (end_s - begin_s))
    side = math.copysign(1.0, turn_rad)
    angle = way_rad + share * turn_rad
    offset = (
        radius_m
        * side
        * np.column_stack(
            [np.sin(angle) - math.sin(way_rad), math.cos(way_rad) - np.cos(angle), np.zeros(len(times_s))]
        )
    )
    places = np.asarray(start.position_m) + offset
    return upright_poses(places, heading_rad(start) + share * turn_rad, times_s)


def lifted(
    start: Pose, end: Pose, rise_m: float, times_s: Array, begin_s: float, end_s: float
) -> tuple[Pose, ...]:
    """Return poses of what is lifted `rise_m` above the higher of two poses, carried across and set down.

    Up takes the first 40 % of the time, across from 25 to 75 %, down the last 40 %: it goes straight up at
    first and straight down in the end.
    """
    share = (times_s - begin_s) / (end_s - begin_s)
    a, b = np.asarray(start.position_m), np.asarray(end.position_m)
    top = max(a[2], b[2]) + rise_m
    across = minimum_jerk((share - 0.25) / 0.5)
    places = a + across[:, None] * (b - a)
    places[:, 2] = (
        a[2] + minimum_jerk(share / 0.4) * (top - a[2]) - minimum_jerk((share - 0.6) / 0.4) * (top - b[2])
    )
    turn = math.remainder(heading_rad(end) - heading_rad(start), 2 * math.pi)
    return upright_poses(places, heading_rad(start) + across * turn, times_s)


def joined(first: tuple[Pose, ...], then: tuple[Pose, ...], at: int) -> tuple[Pose, ...]:
    """Return the poses of `first` before frame `at` and those of `then` from it on."""
    return first[:at] + then[at:]


def sway(
    amount: float, axes: int, times_s: Array, band_hz: tuple[float, float], seed: Name, *names: Name
) -> Array:
    """Return (F, axes) band-limited noise whose standard deviation over all time is `amount`, in its unit.

    Sines whose frequencies are spread evenly on a logarithmic scale, weaker the faster they are (1/f), as of
    somebody who stands and holds something.
    """
    g = rng(seed, "sway", *names)
    low, high = band_hz
    f = low * (high / low) ** g.random((WAVES, axes))
    phase = g.uniform(0, 2 * math.pi, (WAVES, axes))
    weight = 1 / f
    weight *= amount * math.sqrt(2) / np.sqrt((weight**2).sum(axis=0))
    waves = np.sin(2 * math.pi * f[None] * times_s[:, None, None] + phase[None])
    return np.asarray((weight[None] * waves).sum(axis=1))


def orbited(
    centre_m: ArrayLike, radii_m: Array | float, elevations_rad: Array | float, azimuths_rad: Array
) -> Array:
    """Return (F, 3) places around a centre: azimuths counter-clockwise from world +x, seen from above."""
    radii, up, around = np.broadcast_arrays(radii_m, elevations_rad, azimuths_rad)
    level = np.cos(up)
    toward = np.column_stack([level * np.cos(around), level * np.sin(around), np.sin(up)])
    return np.asarray(np.asarray(centre_m) + radii[:, None] * toward)


def strolled(stations_m: NDArray[np.floating], times_s: Array, knots_s: Array) -> Array:
    """Return (F, 3) places on a smooth way through (n, 3) stations at (n,) times, at rest at both ends.

    A clamped quintic through the stations: speed and acceleration do not jump anywhere.
    """
    from scipy.interpolate import make_interp_spline

    if len(stations_m) == 2:
        share = minimum_jerk((times_s - knots_s[0]) / (knots_s[-1] - knots_s[0]))
        return np.asarray(stations_m[0] + share[:, None] * (stations_m[1] - stations_m[0]))
    still = np.zeros(stations_m.shape[1])
    ends: Any = [(1, still), (2, still)]
    spline = make_interp_spline(knots_s, stations_m, k=5, bc_type=(ends, ends))
    return np.asarray(spline(np.clip(times_s, knots_s[0], knots_s[-1])))


def looking(
    eyes_m: Array, targets_m: Array, times_s: Array, shake_rad: Array | None = None
) -> tuple[Pose, ...]:
    """Return the poses of a camera at (F, 3) places that looks at (F, 3) points with world z up.

    `shake_rad` (F, 3) turns it further about its own x, y and z by small angles. Never straight up or down.
    """
    forward = targets_m - eyes_m
    forward = forward / np.linalg.norm(forward, axis=1, keepdims=True)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    views = np.stack([right, np.cross(forward, right), forward], axis=-1)
    if shake_rad is not None:
        views = views @ _small_turns(shake_rad)
    return tuple(
        rounded(place, quaternion(view), float(t))
        for place, view, t in zip(eyes_m, views, times_s, strict=True)
    )


def upright_poses(places_m: Array, headings_rad: Array, times_s: Array) -> tuple[Pose, ...]:
    """Return the poses of what stays upright, as they are written to a file."""
    return tuple(
        rounded(place, yaw_quaternion(float(h)), float(t))
        for place, h, t in zip(places_m, headings_rad, times_s, strict=True)
    )


def rounded(
    place_m: NDArray[np.floating], rotation: tuple[float, float, float, float], time_s: float
) -> Pose:
    """Return a pose as it is written to a file: micrometres, and as fine in its rotation."""
    x, y, z = (round(float(v), 6) for v in place_m)
    w, i, j, k = (round(v, 9) for v in rotation)
    return Pose(position_m=(x, y, z), rotation_wxyz=(w, i, j, k), time_s=round(time_s, 6))


def _small_turns(angles_rad: Array) -> Array:
    """Return (F, 3, 3) rotations by the vectors (F, 3), about their own directions."""
    angle = np.linalg.norm(angles_rad, axis=1)
    axis = angles_rad / np.maximum(angle, 1e-12)[:, None]
    k = np.zeros((len(angle), 3, 3))
    k[:, 0, 1], k[:, 0, 2], k[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    k -= np.swapaxes(k, 1, 2).copy()
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.asarray(np.eye(3) + s * k + (1 - c) * (k @ k))
