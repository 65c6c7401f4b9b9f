"""The tracks of a video as a noisy eye estimates them from the frames that it is shown.

Errors are drawn at the frames shown and lie on straight lines between them: of the place of the camera and of
every object (each coordinate), of their directions (about each axis), and of the time of each frame. What
stands still is known by one error, being seen all the time. A size is the distance of two places, and its
error √2 times theirs.

An error of the camera's roll and pitch is one of how it is held: what is seen stays where it is before the
camera, and the world around it tips. Who takes pictures to be upright is off by all of the roll.

The same seed draws the same errors at every size of them, so that curves over it are smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import rotation_matrices
from fathom.programs.views.video import VideoView
from fathom.store.seeds import rng

Array = NDArray[np.float64]

LEAST_M = 1e-4
"""No size is estimated to be smaller."""


@dataclass(frozen=True)
class Noise:
    """Standard deviations of the errors: of each coordinate, of a frame's time, of a turn about each axis,
    and of the camera's roll and pitch; `upright`: the camera is taken not to be rolled.
    """

    position_sigma_m: float = 0.0
    time_sigma_s: float = 0.0
    angle_sigma_rad: float = 0.0
    roll_sigma_rad: float = 0.0
    pitch_sigma_rad: float = 0.0
    upright: bool = False

    @property
    def of_camera(self) -> bool:
        """Whether it is not known how the camera is held."""
        return bool(self.roll_sigma_rad or self.pitch_sigma_rad or self.upright)

    @property
    def is_none(self) -> bool:
        """Whether nothing is off."""
        return not (self.position_sigma_m or self.time_sigma_s or self.angle_sigma_rad or self.of_camera)


def with_errors(tracks: VideoView, noise: Noise, frames: Sequence[int], seed: str) -> VideoView:
    """Return the tracks as they are estimated from these frames; all of them, where none is given."""
    if noise.is_none:
        return tracks
    knots = np.asarray(sorted(set(frames)) or range(tracks.frames))
    objects = len(tracks.objects)
    g = rng(seed, "oracle of tracks", tracks.scene)
    moved = noise.position_sigma_m * g.standard_normal((objects + 1, len(knots), 3))
    turned = noise.angle_sigma_rad * g.standard_normal((objects + 1, len(knots), 3))
    late = noise.time_sigma_s * g.standard_normal((len(knots), 1))
    grown = noise.position_sigma_m * np.sqrt(2.0) * g.standard_normal((objects, 3))
    stands = _stands_still(tracks)
    moved[1:][stands], turned[1:][stands] = moved[1:][stands][:, :1], turned[1:][stands][:, :1]
    places = np.stack([_between(knots, row, tracks.frames) for row in moved])
    turns = np.stack([_turns(_between(knots, row, tracks.frames)) for row in turned])
    times = tracks.times_s + _between(knots, late, tracks.frames)[:, 0]
    found = replace(
        tracks,
        times_s=_increasing(times),
        eyes_m=tracks.eyes_m + places[0],
        views=turns[0] @ tracks.views,
        positions_m=tracks.positions_m + places[1:],
        rotations=turns[1:] @ tracks.rotations,
        sizes_m=np.maximum(tracks.sizes_m + grown, LEAST_M),
        memo={},
    )
    return tipped(found, noise, seed) if noise.of_camera else found


def tipped(tracks: VideoView, noise: Noise, seed: str) -> VideoView:
    """Return the tracks around a camera of which roll and pitch are known with an error, one a frame."""
    g = rng(seed, "oracle's camera", tracks.scene)
    roll = noise.roll_sigma_rad * g.standard_normal(tracks.frames)
    pitch = noise.pitch_sigma_rad * g.standard_normal(tracks.frames)
    if noise.upright:
        roll -= rolls_rad(tracks.views)
    zero = np.zeros(tracks.frames)
    held = tracks.views @ _turns(np.column_stack([zero, zero, roll]))
    held = held @ _turns(np.column_stack([pitch, zero, zero]))
    tip = held @ np.swapaxes(tracks.views, 1, 2)
    seen = tracks.positions_m - tracks.eyes_m
    return replace(
        tracks,
        views=held,
        positions_m=tracks.eyes_m + np.einsum("fij,tfj->tfi", tip, seen),
        rotations=tip @ tracks.rotations,
        memo={},
    )


def rolls_rad(views: Array) -> Array:
    """Return how far cameras (F, 3, 3), axes as columns, are rolled about where they look, clockwise.

    Of a camera that looks straight up or down it is 0.
    """
    forward = views[:, :, 2]
    level = np.cross(forward, (0.0, 0.0, 1.0))
    down = np.cross(forward, level)
    right = views[:, :, 0]
    angles = np.arctan2((right * down).sum(axis=1), (right * level).sum(axis=1))
    return np.where(np.linalg.norm(level, axis=1) < 1e-6, 0.0, angles)


def _stands_still(tracks: VideoView) -> NDArray[np.bool_]:
    """Return which objects (T,) neither move nor turn in all the video."""
    if not len(tracks.objects):
        return np.zeros(0, dtype=bool)
    ways = np.abs(tracks.positions_m - tracks.positions_m[:, :1]).max(axis=(1, 2))
    turns = np.abs(tracks.rotations - tracks.rotations[:, :1]).max(axis=(1, 2, 3))
    return np.asarray((ways < 1e-6) & (turns < 1e-6))


def _between(knots: NDArray[np.intp], values: Array, frames: int) -> Array:
    """Return values (F, d) at all frames from those (K, d) at knots, on straight lines."""
    every = np.arange(frames)
    return np.column_stack([np.interp(every, knots, column) for column in values.T])


def _turns(vectors: Array) -> Array:
    """Return the rotations (F, 3, 3) about vectors (F, 3), by their lengths in radians."""
    half = np.linalg.norm(vectors, axis=1, keepdims=True) / 2
    return rotation_matrices(np.hstack([np.cos(half), np.sinc(half / np.pi) / 2 * vectors]))


def _increasing(times: Array) -> Array:
    """Return the times with none before the one before it: no eye sees a clock run backwards."""
    found: Array = np.maximum.accumulate(times) + 1e-6 * np.arange(len(times))
    return found
