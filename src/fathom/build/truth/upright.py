"""Where a body stands and faces that only turns about the vertical, from points of its surface."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.model import Points

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stand:
    """One placing a row: heading (…,) radians, shift (…, 3) metres, and the root mean square left over."""

    yaw: Values
    shift_m: Values
    rms_m: Values


def upright_fit(own: Points, world: Points) -> Stand:
    """Return the turns about the vertical and the shifts that best take (…, k, 3) own points to the world."""
    a, b = own - own.mean(axis=-2, keepdims=True), world - world.mean(axis=-2, keepdims=True)
    cosine = (a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]).sum(axis=-1)
    sine = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(axis=-1)
    yaw = np.arctan2(sine, cosine)
    both = (a * a).sum(axis=(-2, -1)) + (b * b).sum(axis=(-2, -1))
    left = both - 2 * (np.hypot(cosine, sine) + (a[..., 2] * b[..., 2]).sum(axis=-1))
    shift = world.mean(axis=-2) - turned(own.mean(axis=-2), yaw)
    return Stand(yaw, shift, np.sqrt(np.maximum(left, 0.0) / own.shape[-2]))


def turned(points: Points, yaw: Values | float) -> Points:
    """Return (…, 3) points turned about the vertical by angles (…,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([c * x - s * y, s * x + c * y, z + 0 * c], axis=-1)


def wrapped(angle: Values | float) -> Values:
    """Return angles in −π..π."""
    return np.asarray((np.asarray(angle) + math.pi) % (2 * math.pi) - math.pi)
