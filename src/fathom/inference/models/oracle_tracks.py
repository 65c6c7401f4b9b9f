"""The tracks of a video as a noisy eye estimates them from the frames that it is shown.

Errors are drawn at the frames shown and lie on straight lines between them: of the place of the camera and of
every object (each coordinate), of their directions (about each axis), and of the time of each frame. What
stands still is known by one error, being seen all the time. A size is the distance of two places, and its
error √2 times theirs.

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
    """Standard deviations of the errors: of each coordinate, of a frame's time, of a turn about each axis."""

    position_sigma_m: float = 0.0
    time_sigma_s: float = 0.0
    angle_sigma_rad: float = 0.0

    @property
    def is_none(self) -> bool:
        """Whether nothing is off."""
        return not (self.position_sigma_m or self.time_sigma_s or self.angle_sigma_rad)


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
    return replace(
        tracks,
        times_s=_increasing(times),
        eyes_m=tracks.eyes_m + places[0],
        views=turns[0] @ tracks.views,
        positions_m=tracks.positions_m + places[1:],
        rotations=turns[1:] @ tracks.rotations,
        sizes_m=np.maximum(tracks.sizes_m + grown, LEAST_M),
        memo={},
    )


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
