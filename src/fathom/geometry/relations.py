"""Where objects are to one another on the ground, as arrays; nothing here knows a threshold.

Arrays may carry leading batch axes: `positions` (..., n, 2) metres on the ground, `headings` (..., n)
radians counter-clockwise from world x. Results for pairs are (..., n, n): entry [i, j] speaks of j as seen
from the anchor i.

Ref: PulseCheck457 §3.2; docs/benchmarks/pulsecheck457-questions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array, rotation_matrix
from fathom.records import Camera

FAR_M = 1000.0
"""How far a path reaches: beyond any world."""


def viewpoint(camera: Camera, frame: int = 0) -> tuple[Array, Array]:
    """Return the camera's position (2,) and the unit direction (2,) of its view on the ground."""
    pose = camera.poses[frame]
    ahead = ahead_on_ground(rotation_matrix(pose.rotation_wxyz))
    return np.asarray(pose.position_m[:2], dtype=np.float64), ahead


def ahead_on_ground(axes: Array) -> Array:
    """Return the unit direction (2,) on the ground in which a camera looks whose axes are the columns (3, 3).

    For a camera that looks straight down, the top of the picture stands for the direction of view.
    """
    ahead = axes[:2, 2]
    if np.hypot(*ahead) < 1e-6:
        ahead = -axes[:2, 1]
    return np.asarray(ahead / np.hypot(*ahead))


def offsets_along(positions: Array, directions: Sequence[Array]) -> Array:
    """Return how far j lies from i along each of the ground directions (2,), (k, ..., n, n) in metres."""
    along = np.array([positions @ direction for direction in directions])
    return np.asarray(along[..., None, :] - along[..., :, None])


def bearings(positions: Array, eye: Array, ahead: Array) -> Array:
    """Return the angle (..., n) of each object from the view direction, to the right, in radians."""
    rays = positions - eye
    right = np.array([ahead[1], -ahead[0]])
    return np.asarray(np.arctan2(rays @ right, rays @ ahead))


def ranges(positions: Array, eye: Array) -> Array:
    """Return the distance (..., n) of each object from the camera along the ground, in metres."""
    rays = positions - eye
    return np.asarray(np.hypot(rays[..., 0], rays[..., 1]))


def facing(positions: Array, headings: Array, eye: Array) -> Array:
    """Return the heading (..., n) as the camera sees it, in [0, 2π) radians, along the ray to each object.

    0 faces away from the camera, π/2 the right of the picture, π the camera, 3π/2 the left.
    """
    rays = positions - eye
    return np.asarray((np.arctan2(rays[..., 1], rays[..., 0]) - headings) % (2 * np.pi))


def apart(angles: Array, target: float | Array) -> Array:
    """Return the circular distance of angles from a target, in [0, π] radians."""
    d = np.abs(angles - target) % (2 * np.pi)
    return np.asarray(np.minimum(d, 2 * np.pi - d))


def turned(angles: Array) -> Array:
    """Return the circular distance between the angles of i and j, in [0, π] radians."""
    return apart(angles[..., None, :], angles[..., :, None])


@dataclass(frozen=True, eq=False)
class OwnFrames:
    """The footprint of j in the frame of i, with x ahead of i and y to its left. Arrays are (..., n, n).

    x, y : the centre of j, in metres
    cosine, sine : of the angle by which j is turned there
    along, across : how far j reaches from its centre along x and along y, in metres
    half_l, half_w : (n,) half of the length, along the heading, and of the width, in metres
    """

    x: Array
    y: Array
    cosine: Array
    sine: Array
    along: Array
    across: Array
    half_l: Array
    half_w: Array


def own_frames(positions: Array, headings: Array, sizes: Array) -> OwnFrames:
    """Return the footprints in each other's frames; `sizes` is (n, 2): length along the heading, width."""
    dx = positions[..., None, :, 0] - positions[..., :, None, 0]
    dy = positions[..., None, :, 1] - positions[..., :, None, 1]
    c, s = np.cos(headings)[..., :, None], np.sin(headings)[..., :, None]
    turn = headings[..., None, :] - headings[..., :, None]
    cosine, sine = np.cos(turn), np.sin(turn)
    half_l, half_w = sizes[:, 0] / 2, sizes[:, 1] / 2
    either, aside = np.abs(cosine), np.abs(sine)
    return OwnFrames(
        x=dx * c + dy * s,
        y=dy * c - dx * s,
        cosine=cosine,
        sine=sine,
        along=either * half_l + aside * half_w,
        across=aside * half_l + either * half_w,
        half_l=half_l,
        half_w=half_w,
    )


AHEAD_AND_BACK = np.array([1.0, -1.0])


def path_overlaps(frames: OwnFrames) -> Array:
    """Return by how much the footprint of j reaches into the paths of i, (2, ..., n, n) in metres.

    The paths are the strips, as wide as i, that i sweeps when it moves straight forward (first) or backward
    (second). The amount is the smallest move along a side of either that would part or join them, found on
    separating axes; it is negative where j stays out.
    """
    x, y, c, s = frames.x, frames.y, frames.cosine, frames.sine
    own = frames.half_w[:, None]
    sign = AHEAD_AND_BACK.reshape(-1, *(1,) * x.ndim)
    gap = np.maximum(-(sign * x + frames.along), np.abs(y) - frames.across - own)
    # The turn between the frames is the same after both are flipped, so c and s serve either direction.
    for axis_x, axis_y, half in ((c, s, frames.half_l), (-s, c, frames.half_w)):
        centre = sign * (x * axis_x + y * axis_y)
        side = np.abs(axis_y) * own + half
        low = np.minimum(axis_x, 0.0) * FAR_M - side
        high = np.maximum(axis_x, 0.0) * FAR_M + side
        gap = np.maximum(gap, np.maximum(centre - high, low - centre))
    return np.asarray(-gap)


def path_distances(frames: OwnFrames, widen_m: Sequence[float] = (0.0,)) -> Array:
    """Return how far i moves straight ahead, or back, until it touches j, (2, widths, ..., n, n) in metres.

    Infinite where j is not in the path; not below 0. For each value of `widen_m` that much is added to either
    side of the path (negative: taken away).
    """
    widths = np.array([np.maximum(frames.half_w + widen, 0.0) for widen in widen_m])
    # Most pairs have j nowhere near the widest path of i, and need no more work.
    room = np.abs(frames.y) - frames.across - widths.max(axis=0)[:, None]
    pairs = np.flatnonzero(room <= _ROUNDING_M)
    n = len(frames.half_w)
    anchors = pairs // n % n
    x, y = _corners(frames, pairs)
    ahead, back = x.max(axis=0) > 0, x.min(axis=0) < 0
    x2, y2 = x.take(_NEXT, axis=0), y.take(_NEXT, axis=0)
    rise = y2 - y
    slope = (x2 - x) / np.where(rise == 0, np.inf, rise)
    low, high = np.minimum(y, y2), np.maximum(y, y2)
    own, bumper = widths.take(anchors, axis=1)[:, None], frames.half_l[anchors]
    # The ends of what is left of each side when it is cut to the path.
    within = (low <= own) & (high >= -own)
    one = x + (np.minimum(np.maximum(y, -own), own) - y) * slope
    two = x2 + (np.minimum(np.maximum(y2, -own), own) - y2) * slope
    nearest = np.where(within, np.minimum(one, two), np.inf).min(axis=1)
    farthest = np.where(within, np.maximum(one, two), -np.inf).max(axis=1)
    out = np.full((2, len(widths), frames.x.size), np.inf)
    # What lies wholly on the other side is not touched; what reaches past the middle is touched at once.
    for k, (first, beyond) in enumerate(((nearest, ahead), (-farthest, back))):
        out[k][:, pairs] = np.where(beyond, np.maximum(first - bumper, 0.0), np.inf)
    return out.reshape(2, len(widths), *frames.x.shape)


def _corners(frames: OwnFrames, pairs: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return x and y of the corners of j in the frame of i, (4, pairs) metres, in their order around it."""
    x, y, c, s = (a.reshape(-1)[pairs] for a in (frames.x, frames.y, frames.cosine, frames.sine))
    others = pairs % len(frames.half_w)
    long, wide = frames.half_l[others], frames.half_w[others]
    ends = [(a * long, b * wide) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return np.array([x + c * u - s * v for u, v in ends]), np.array([y + s * u + c * v for u, v in ends])


_NEXT = (1, 2, 3, 0)
"""The corner that follows each corner."""

_ROUNDING_M = 1e-6
"""More than any rounding of lengths."""


def half_diagonals(sizes: NDArray[np.floating]) -> Array:
    """Return (n,) half diagonals in metres of footprints (n, 2)."""
    return np.asarray(np.hypot(sizes[:, 0], sizes[:, 1]) / 2)
