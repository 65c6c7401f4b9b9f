"""How an object lies and how large it is, from the surface points that are seen of it.

A point that is seen is known twice: where it is in the world (from its depth and the camera), and where the
same point of the surface is in the object's own frame. The turn and the shift that take the one to the other
are the object's pose. The points in its own frame, of all frames together, reach as far as its box does.

docs/benchmarks/sti-bench-proof.md
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.geometry.rigid import best_rotation
from fathom.ground_truth.cells import REST_STEP_M, Glimpse
from fathom.records import Camera, Pose

Array = NDArray[np.float64]

FEWEST = 12
"""Points from which a pose is fitted."""

RIGID_M = 1e-3
"""By more than this, root mean square, the points of a rigid object never miss their places."""

NEAR_END = 8
"""So many points have to lie near an end for it to be an edge or a face, and no tip that reaches on between
points.
"""

REPEATED = 0.5
"""Points nearer to each other than this share of what lies between two rays count as one: a camera that
stands still meets the same places in every frame, and tells nothing new of a tip that lies between its rays.
"""

SEEN_SHARE, SEEN_FRAMES = 0.5, 2
"""An object has to show such a share of its silhouette in so many frames for its size to be told."""

WHOLE = 0.95
"""From such a share of its silhouette on an object is seen whole."""

_DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)])


@dataclass(frozen=True, eq=False)
class Fit:
    """A thing at one frame: its origin and its axes (columns), world; how far any point of it may be off."""

    place_m: Array
    turn: Array
    unsure_m: float


@dataclass(frozen=True, eq=False)
class Extent:
    """How far a thing reaches along its own axes, (3,), and how far that may be off; infinite: undecided."""

    size_m: Array
    unsure_m: Array


def fitted(rest_m: Array, points_m: Array) -> Fit | None:
    """Return the pose that takes (n, 3) points of an object's own frame to where they are seen, world.

    None where these are too few, lie on a line, or do not move as one.
    """
    if len(rest_m) < FEWEST or not np.isfinite(rest_m).all():
        return None
    own, seen = rest_m - rest_m.mean(axis=0), points_m - points_m.mean(axis=0)
    turn = best_rotation(own, seen)
    off = float(np.sqrt(((own @ turn.T - seen) ** 2).sum(axis=1).mean()))
    # Points on a line leave the turn about it open: what counts is the second of their spreads.
    spread = float(np.linalg.svd(own, compute_uv=False)[1]) / np.sqrt(len(own))
    if off > RIGID_M or spread < REST_STEP_M:
        return None
    lever = float(np.linalg.norm(rest_m, axis=1).max() + np.linalg.norm(rest_m.mean(axis=0)))
    unsure = 3 * max(off, REST_STEP_M / 4) / np.sqrt(len(own)) * (1 + lever / spread)
    return Fit(points_m.mean(axis=0) - turn @ rest_m.mean(axis=0), turn, float(unsure))


def extent_of(
    glimpses: Sequence[Glimpse],
    fits: Sequence[Fit | None],
    cameras: Sequence[Camera],
    visible_px: Sequence[float],
) -> Extent:
    """Return how large an object is, from its points and its silhouettes at all frames that are shown.

    Its own frame lies in the middle of its underside, so that either end of an axis tells where the other is.
    An end is as sure as points lie near it, as the camera gets beyond it, so that it faces the camera, and as
    two halves of the frames agree; and no silhouette may reach beyond the box. Where others cover the object
    in most frames, both ends have to be seen.
    """
    looks = [
        _Look(g, fit, camera, px)
        for g, fit, camera, px in zip(glimpses, fits, cameras, visible_px, strict=True)
        if fit is not None
    ]
    if not looks:
        return Extent(np.full(3, np.nan), np.full(3, np.inf))
    rest = np.concatenate([look.glimpse.rest_m for look in looks])
    if sum(look.share >= SEEN_SHARE for look in looks) < SEEN_FRAMES:
        return Extent(_reach(rest), np.full(3, np.inf))
    size = _reach(rest)
    spacing = np.repeat([look.pixel_m for look in looks], [len(look.glimpse.rest_m) for look in looks])
    ends = [
        [_end(looks, rest, spacing, size, axis, sign) for sign in (1.0, -1.0)[: 2 - axis // 2]]
        for axis in range(3)
    ]
    halves = np.abs(size - [_reach(np.concatenate(rows)) for rows in _halves(looks)]).max(axis=0)
    # Either end tells where the other is: the one that reaches less far may not have been seen to its end.
    least = [min(unsure + (max(r for r, _ in both) - reach) / 2 for reach, unsure in both) for both in ends]
    unsure = np.maximum(np.array(least) * (2, 2, 1), halves) + REST_STEP_M
    if np.mean([look.share >= WHOLE for look in looks]) < 0.5:
        unsure[:2] += np.abs(rest.max(axis=0) + rest.min(axis=0))[:2]
    return Extent(size, unsure + max(_beyond_m(size, look) for look in looks))


@dataclass(frozen=True, eq=False)
class _Look:
    """An object at one frame: what is seen of it, its pose, the camera, and how many pixels show it."""

    glimpse: Glimpse
    fit: Fit
    camera: Camera
    px: float

    @property
    def share(self) -> float:
        """The visible share of its silhouette; none of one that the edge of the picture cuts."""
        x0, y0, x1, y1 = self.glimpse.window
        inside = x0 > 0 and y0 > 0 and x1 < self.camera.width and y1 < self.camera.height
        return self.px / max(self.glimpse.full_px, 1) if inside else 0.0

    @property
    def eye(self) -> Array:
        """Where the camera is in the object's own frame, (3,)."""
        return np.asarray((np.array(self.camera.poses[0].position_m) - self.fit.place_m) @ self.fit.turn)

    @property
    def density(self) -> float:
        """How many of the points there are on a square metre that faces the camera."""
        return len(self.glimpse.rest_m) / (self.px * self.pixel_m**2)

    @property
    def pixel_m(self) -> float:
        """How wide a pixel is where the object stands."""
        return float(np.median(self.glimpse.depth_m)) / min(self.camera.fx, self.camera.fy)


def _halves(looks: Sequence[_Look]) -> Iterator[list[Array]]:
    for first in (0, 1):
        yield [look.glimpse.rest_m for look in looks[first::2]]


def _reach(rest: Array) -> Array:
    """Return (3,) how large a box in the middle of whose underside the frame lies is around (n, 3) points."""
    return np.array([*(2 * np.abs(rest[:, :2]).max(axis=0)), rest[:, 2].max()])


def _end(
    looks: Sequence[_Look], rest: Array, spacing: Array, size: Array, axis: int, sign: float
) -> tuple[float, float]:
    """Return how far a thing is seen to reach one way along an axis, and by how much it may reach farther.

    `spacing` (n,) is how far apart rays are where they meet each of the (n, 3) points.
    """
    along = sign * rest[:, axis]
    reach = float(along.max())
    # Places are rounded.
    tip = reach - _near_end(rest, along, REPEATED * spacing) + REST_STEP_M / 2
    # What lies between two points, all frames together, is not seen.
    apart = sum(look.density for look in looks) ** -0.5
    middle = np.median(rest, axis=0)
    beside = min(
        (reach - sign * float(look.eye[axis])) / float(np.linalg.norm(look.eye - middle))
        for look in looks
        if look.share >= SEEN_SHARE
    )
    # A round side is seen as far as it faces the camera, and no farther.
    turned = min(max(beside, 0.0), 0.99)
    hidden = abs(reach) * (1 / np.sqrt(1 - turned**2) - 1)
    behind = min(_behind_m(look, size, axis, sign * reach) for look in looks if look.share >= SEEN_SHARE)
    return reach, float(0.7 * tip + (0.3 * apart if tip > apart / 2 else 0.0) + 2 * hidden + behind)


def _near_end(rest: Array, along: Array, apart: Array) -> float:
    """Return how far along (n,) the last of `NEAR_END` points lies that are `apart` (n,) from each other."""
    order = np.argsort(-along, kind="stable")
    left, least = np.ones(len(rest), dtype=np.bool_), apart**2
    x, y, z = rest.T.copy()
    at = float(along[order[0]])
    for _ in range(NEAR_END):
        rows = order[left[order]]
        if not len(rows):
            break
        at = float(along[rows[0]])
        k = rows[0]
        left &= (x - x[k]) ** 2 + (y - y[k]) ** 2 + (z - z[k]) ** 2 >= least
        left[rows[0]] = False
    return at


def _behind_m(look: _Look, size: Array, axis: int, end: float) -> float:
    """Return how far an object may reach beyond an end along an axis behind what is seen of it in one frame.

    From beside the end nothing is hidden. From elsewhere all is that lies within the rays past the end where
    it is nearest, down to where the object is farthest; and less than a pixel more would not show.
    """
    over = (end - float(look.eye[axis])) * (1.0 if end > 0 else -1.0)
    if over <= 0:
        return 0.0
    toward = -look.eye * (np.arange(3) != axis)
    away = float(np.linalg.norm(toward))
    half = float(np.abs(toward[:2]) @ size[:2]) / 2 / max(away, 1e-9)
    if away <= half:
        return float("inf")
    far = away + half
    return over * (far / (away - half) - 1) + far / min(look.camera.fx, look.camera.fy)


def _beyond_m(size: Array, look: _Look) -> float:
    """Return by how much a silhouette reaches beyond the box in the picture, in metres at its distance."""
    glimpse, fit, camera = look.glimpse, look.fit, look.camera
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])
    corners, depth = project(camera, (signs * size) @ fit.turn.T + fit.place_m)
    if depth.min() <= 1e-6 or not glimpse.amodal.any():
        return 0.0
    rows = np.flatnonzero(glimpse.amodal.any(axis=1))
    first = glimpse.amodal[rows].argmax(axis=1)
    last = glimpse.amodal.shape[1] - 1 - glimpse.amodal[rows, ::-1].argmax(axis=1)
    edge = np.concatenate([np.column_stack([first, rows]), np.column_stack([last, rows])])
    pixels = edge + np.array(glimpse.window[:2]) + 0.5
    over = (pixels @ _DIRECTIONS.T).max(axis=0) - (corners @ _DIRECTIONS.T).max(axis=0)
    return max(float(over.max()), 0.0) * float(np.median(depth)) / min(camera.fx, camera.fy)


def turn_between_deg(a: Array, b: Array) -> float:
    """Return by how many degrees two rotations (3, 3) differ."""
    return float(np.degrees(2 * np.arcsin(min(float(np.linalg.norm(a - b)) / (2 * np.sqrt(2)), 1.0))))


def rotation_of(pose: Pose) -> Array:
    """Return the axes of a pose as columns (3, 3)."""
    from scipy.spatial.transform import Rotation

    w, x, y, z = pose.rotation_wxyz
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix())
