"""Where a body stands and faces that only turns about the vertical, and how far one leans, from points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class UprightPose:
    """One placing a row: heading (…,) radians, shift (…, 3) metres, and the root mean square left over."""

    yaw: Values
    shift_m: Values
    rms_m: Values


def upright_fit(own: Points, world: Points) -> UprightPose:
    """Return the turns about the vertical and the shifts that best take (…, k, 3) own points to the world."""
    middle, place = middles(own), middles(world)
    a, b = own - middle[..., None, :], world - place[..., None, :]
    cosine = (a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]).sum(axis=-1)
    sine = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(axis=-1)
    yaw = np.arctan2(sine, cosine)
    both = np.einsum("...kx,...kx->...", a, a) + np.einsum("...kx,...kx->...", b, b)
    left = both - 2 * (np.hypot(cosine, sine) + (a[..., 2] * b[..., 2]).sum(axis=-1))
    shift = place - turned(middle, yaw)
    return UprightPose(yaw, shift, np.sqrt(np.maximum(left, 0.0) / own.shape[-2]))


def middles(points: Points) -> Points:
    """Return the (…, 3) means of (…, k, 3) points: as a product, since a sum over rows of three is slow."""
    k = points.shape[-2]
    return np.asarray(np.full(k, 1 / k) @ points)


def turned(points: Points, yaw: Values | float) -> Points:
    """Return (…, 3) points turned about the vertical by angles (…,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([c * x - s * y, s * x + c * y, z + 0 * c], axis=-1)


def wrapped(angle: Values | float) -> Values:
    """Return angles in −π..π."""
    return np.asarray((np.asarray(angle) + math.pi) % (2 * math.pi) - math.pi)


def lean_deg(rest: Points, world: Points) -> float:
    """Return how far a body leans whose (n, 3) points at rest are seen in the world at other places.

    It is the angle from the vertical of what was up, in the turn that fits best: the quaternion of the
    largest eigenvalue (Horn), which is never a mirror image.
    """
    m = (rest - rest.mean(axis=0)).T @ (world - world.mean(axis=0))
    skew = np.array([m[1, 2] - m[2, 1], m[2, 0] - m[0, 2], m[0, 1] - m[1, 0]])
    form = np.empty((4, 4))
    form[0, 0], form[0, 1:], form[1:, 0] = np.trace(m), skew, skew
    form[1:, 1:] = m + m.T - np.trace(m) * np.eye(3)
    _, x, y, _ = np.linalg.eigh(form)[1][:, -1]
    return math.degrees(math.acos(max(min(1.0 - 2.0 * (x * x + y * y), 1.0), -1.0)))
