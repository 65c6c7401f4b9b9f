"""Oriented rectangles on the ground: corners, separation, and what a straight drive would touch."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array


def footprint(
    x_m: float, y_m: float, heading_rad: float, length_m: float, width_m: float, scale: float = 1.0
) -> Array:
    """Return the (4, 2) corners, counter-clockwise, of a rectangle `length_m` along the heading."""
    half = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (0.5 * scale * np.array([length_m, width_m]))
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (x_m, y_m))


def crossing(
    at_m: NDArray[np.floating],
    heading_rad: float,
    size_m: tuple[float, float],
    others_m: NDArray[np.floating],
    headings_rad: NDArray[np.floating],
    sizes_m: NDArray[np.floating],
) -> NDArray[np.bool_]:
    """Return (s, m): whether a rectangle at each of (s, 2) places crosses each of m others.

    `size_m` and `sizes_m` (m, 2) are lengths along the headings and widths.
    """
    d = np.asarray(others_m)[None, :, :] - np.asarray(at_m)[:, None, :]
    turn = np.asarray(headings_rad) - heading_rad
    c, s = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    own, half = np.asarray(size_m) / 2, np.asarray(sizes_m) / 2
    ca, sa = math.cos(heading_rad), math.sin(heading_rad)
    cb, sb = np.cos(headings_rad), np.sin(headings_rad)
    apart = np.abs(d[..., 0] * ca + d[..., 1] * sa) >= own[0] + c * half[:, 0] + s * half[:, 1]
    apart |= np.abs(d[..., 1] * ca - d[..., 0] * sa) >= own[1] + s * half[:, 0] + c * half[:, 1]
    apart |= np.abs(d[..., 0] * cb + d[..., 1] * sb) >= half[:, 0] + c * own[0] + s * own[1]
    apart |= np.abs(d[..., 1] * cb - d[..., 0] * sb) >= half[:, 1] + s * own[0] + c * own[1]
    return np.asarray(~apart)
