"""How far two rectangles are apart, by separating axes: what crossings are held against."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def separation_m(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Return the signed gap along the best separating axis of two convex quadrilaterals, (4, 2) each.

    Positive: they are apart, by at least that much; negative: they overlap, and that much of a move along
    one edge normal would part them.
    """
    best = -math.inf
    for polygon in (a, b):
        edges = np.roll(polygon, -1, axis=0) - polygon
        lengths = np.hypot(edges[:, 0], edges[:, 1])
        normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / lengths[:, None]
        pa, pb = a @ normals.T, b @ normals.T
        gaps = np.maximum(pb.min(axis=0) - pa.max(axis=0), pa.min(axis=0) - pb.max(axis=0))
        best = max(best, float(gaps.max()))
    return best
