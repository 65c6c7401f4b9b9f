"""What the truth pass saw of each object, as evidence: where it is, where it faces, what covers it.

Positions and headings are found again by a rigid fit of visible surface points: where they lie on the
object (in its own frame) against where the depth picture puts them in the world. The scene's poses are not
read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.geometry import rigid
from fathom.geometry.cameras import unproject
from fathom.geometry.poses import Array
from fathom.ground_truth.views import ObjectTruth, Truth

FEWEST_POINTS = 24
"""From fewer visible surface points no position and no heading is derived."""

FEWEST_PIXELS = 60
"""From fewer visible pixels nothing is derived but the count of pixels itself."""

LARGEST_RESIDUAL_M = 0.01


@dataclass(frozen=True)
class Observation:
    """What the pixels say of one object; None where they cannot.

    position_m : (x, y) of the object's origin on the ground
    heading_rad : where it faces, in [0, 2π)
    column_px, row_px : the middle of its silhouette's columns and rows when it stands alone
    residual_m : the root mean square distance that the fit leaves
    ways_m : how far it moves forward, and backward, until it touches each thing, as rays between the two say;
        None where no rays were cast
    seen_along_m, alone_along_m : (k,) how far ahead of its middle each pixel of it lies, of those that show
        and of all that would if it stood alone; None without position and heading
    """

    object_id: str
    visible_px: int
    amodal_px: int
    column_px: float
    row_px: float
    position_m: tuple[float, float] | None
    heading_rad: float | None
    residual_m: float
    over_px: tuple[int, ...]
    seen_px: tuple[int, ...]
    ways_m: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    seen_along_m: Array | None = field(default=None, compare=False, repr=False)
    alone_along_m: Array | None = field(default=None, compare=False, repr=False)


def observations(truth: Truth) -> tuple[Observation, ...]:
    """Return the evidence of every object in the truth, in its order."""
    return tuple(_witness(truth, index, s) for index, s in enumerate(truth.objects))


def _witness(truth: Truth, index: int, s: ObjectTruth) -> Observation:
    rows, columns = np.nonzero(s.amodal)
    left, top, _, _ = s.window
    fit = rigid_fit(truth, s)
    seen, alone = _along(truth, index, s, fit[0], fit[1]) if fit else (None, None)
    return Observation(
        object_id=s.object_id,
        visible_px=int(np.count_nonzero(truth.ids == index)),
        amodal_px=len(rows),
        column_px=float(columns.min() + columns.max() + 1) / 2 + left if len(rows) else math.nan,
        row_px=float(rows.min() + rows.max() + 1) / 2 + top if len(rows) else math.nan,
        position_m=fit[0] if fit else None,
        heading_rad=fit[1] if fit else None,
        residual_m=fit[2] if fit else math.inf,
        over_px=tuple(int(v) for v in truth.over_px[index]),
        seen_px=tuple(int(v) for v in truth.seen_px[index]),
        seen_along_m=seen,
        alone_along_m=alone,
        ways_m=None if truth.ways_m is None else _both_ways(truth.ways_m[:, index]),
    )


def _along(
    truth: Truth, index: int, s: ObjectTruth, place: tuple[float, float], heading: float
) -> tuple[Array, Array]:
    """Return how far ahead of its middle each visible pixel of an object lies, and each of its silhouette."""
    rows, columns = np.nonzero(s.amodal)
    pixels = np.column_stack([columns + s.window[0], rows + s.window[1]]) + 0.5
    ground = unproject(truth.camera, pixels, s.depth_m[rows, columns].astype(np.float64))[:, :2] - place
    along = ground @ np.array([math.cos(heading), math.sin(heading)])
    return along[truth.visible(index)[rows, columns]], along


def _both_ways(rows: NDArray[np.float32]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    forward, backward = (tuple(float(v) for v in row) for row in rows)
    return forward, backward


def rigid_fit(truth: Truth, s: ObjectTruth) -> tuple[tuple[float, float], float, float] | None:
    """Return ground position, heading and residual of an object from its visible surface points.

    None where there are too few points, or they lie too close to one line to fix a rotation.
    """
    if len(s.pixels) < FEWEST_POINTS:
        return None
    pixels = s.pixels.astype(np.float64) + 0.5
    depth = truth.depth_m[s.pixels[:, 1], s.pixels[:, 0]].astype(np.float64)
    world = unproject(truth.camera, pixels, depth)
    own = s.points_m
    spread = np.linalg.svd((own - own.mean(axis=0)).T @ (world - world.mean(axis=0)), compute_uv=False)
    if spread[1] < 1e-3 * max(spread[0], 1e-12):
        return None
    turn, origin = rigid.rigid_fit(own, world)
    left_over = world - (own @ turn.T + origin)
    residual = float(np.sqrt((left_over**2).sum(axis=1).mean()))
    if residual > LARGEST_RESIDUAL_M:
        return None
    heading = math.atan2(float(turn[1, 0]), float(turn[0, 0])) % (2 * math.pi)
    return (float(origin[0]), float(origin[1])), heading, residual
