"""The paper's adjustment: one weight draws all distractors towards the answer, until the nearest is as wrong
as it was sampled to be.

Ref: STI-Bench §3.2, steps 2 and 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.measures import QuantityMeasure

Floats = NDArray[np.float64]

POINTS = 5
JITTER = 0.05
"""By how much a point of a pattern is moved along each axis at most, where points are 1 apart."""


def sampled_errors(measure: QuantityMeasure, u: Floats) -> Floats:
    """Return the errors (n,) that belong to uniform numbers (n,): least · (most / least)^u."""
    errors: Floats = measure.least * (measure.most / measure.least) ** u
    return errors


def adjusted(answer: Floats, initial: Floats, error: float, weights: Floats) -> tuple[Floats, float]:
    """Return the distractors (k, d) moved towards the answer (d,), and the weight w that moved them all.

    The nearest then lies at `error`, in the norm that counts a difference in each number times its part of
    `weights` (d,). A negative w moves them away. Raises ValueError where an initial one is the answer itself.
    """
    nearest = float(distances(answer, initial, weights).min())
    if nearest <= 0:
        raise ValueError("an initial distractor is the answer itself: no weight moves it away")
    w = 1.0 - error / nearest
    # (1 − w) · initial + w · answer, in the form that leaves equal numbers equal to the last bit.
    return answer + (1.0 - w) * (initial - answer), w


def distances(answer: Floats, others: Floats, weights: Floats) -> Floats:
    """Return how far others (…, d) are from the answer (d,), in the weighted norm."""
    out: Floats = np.sqrt((((others - answer) * weights) ** 2).sum(axis=-1))
    return out


def nearest_of_each(points: Floats) -> Floats:
    """Return the distance from each of the points (n, k, d) to the nearest other one, (n, k)."""
    apart: Floats = np.sqrt(((points[:, :, None] - points[:, None]) ** 2).sum(axis=-1))
    apart[:, np.arange(apart.shape[1]), np.arange(apart.shape[1])] = np.inf
    nearest: Floats = apart.min(axis=2)
    return nearest


def patterns(g: np.random.Generator, count: int, dimensions: int) -> Floats:
    """Return patterns of five points, (count, 5, dimensions), in each of which all are about 1 from the next.

    On a line they are a row, in a plane a pentagon, in space a double pyramid, and beyond that a simplex in
    a subspace; turned at random, and jittered, so that no place in a pattern is told by its neighbours.
    """
    base = _base(min(dimensions, 4))
    points = np.broadcast_to(base, (count, *base.shape))
    if dimensions > 1:
        axes = np.linalg.qr(g.standard_normal((count, dimensions, base.shape[1])))[0]
        points = points @ axes.transpose(0, 2, 1)
    jittered: Floats = points + g.uniform(-JITTER, JITTER, points.shape)
    return jittered


def _base(dimensions: int) -> Floats:
    if dimensions == 1:
        return np.arange(POINTS, dtype=np.float64)[:, None]
    if dimensions == 2:
        turn = 2 * np.pi * np.arange(POINTS) / POINTS
        pentagon: Floats = np.column_stack([np.cos(turn), np.sin(turn)]) / (2 * np.sin(np.pi / POINTS))
        return pentagon
    if dimensions == 3:
        turn = 2 * np.pi * np.arange(3) / 3
        ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(3)])
        double: Floats = np.vstack([ring, [[0, 0, np.sqrt(2)], [0, 0, -np.sqrt(2)]]]) / np.sqrt(3)
        return double
    # The corners of a simplex: unit vectors seen from their centre, in four numbers instead of five.
    corners = np.eye(POINTS) - 1 / POINTS
    flat: Floats = (corners @ np.linalg.svd(corners)[2][:4].T) / np.sqrt(2)
    return flat
