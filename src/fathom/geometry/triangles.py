"""Which pixels triangles cover: those whose centres lie in them, found row by row.

Tests of pixels are exact; where rows are looked at is narrowed only as far as cannot lose one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles on the picture, m of them; the last axis is theirs, so that arithmetic runs along it.

    corners : (3, 2, m) pixels; inverse : (3, m) 1 / depth at the corners; of_face : (m,) which each is
    low, high : (2, m) the first and last column and row whose pixels' centres can lie in it
    """

    corners: Array
    inverse: Array
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    of_face: NDArray[np.intp]


def in_reach(
    pixels: Array,
    depth_m: Array,
    faces: NDArray[np.integer],
    least: NDArray[np.integer],
    most: NDArray[np.integer],
) -> Triangles:
    """Return the triangles before the camera in whose bounds, cut to `least` and `most`, a centre lies."""
    # Rounding keeps the order, so that corners are rounded once a vertex, not once a face.
    ahead = depth_m > 1e-3
    first = np.ceil(np.where(ahead[:, None], pixels, 0.0) - 0.5).T
    last = np.floor(np.where(ahead[:, None], pixels, 0.0) - 0.5).T
    corners = np.ascontiguousarray(faces.T)
    low = np.maximum(_over_corners(np.minimum, first, corners), least[:, None])
    high = np.minimum(_over_corners(np.maximum, last, corners), most[:, None])
    some = (high >= low).all(axis=0)
    if not ahead.all():
        some &= ahead[faces].all(axis=1)
    kept = np.flatnonzero(some)
    corners = corners.take(kept, axis=1)
    return Triangles(
        np.ascontiguousarray(pixels.T).take(corners, axis=1).swapaxes(0, 1),
        (1.0 / np.where(ahead, depth_m, 1.0)).take(corners),
        low.take(kept, axis=1).astype(np.int64),
        high.take(kept, axis=1).astype(np.int64),
        kept,
    )


def _over_corners(which: np.ufunc, values: Array, corners: NDArray[np.integer]) -> Array:
    """Return the least or greatest of (2, n) values over the three corners (3, m) of faces, (2, m)."""
    a, b, c = (values.take(k, axis=1) for k in corners)
    return np.asarray(which(which(a, b), c))


_SLIVER = 1e-6
"""Triangles with less area than this share of their longer side's square are thinner than arithmetic."""

_SLACK_PX = 1e-3
"""How much wider than a triangle a row is looked at: far beyond what arithmetic is off by."""


def covered(
    seen: Triangles, left: int, top: int, width: int
) -> tuple[NDArray[np.int64], Array, NDArray[np.intp]]:
    """Return the pixels (k,) that triangles cover, row by row in a crop, 1 / depth there, and whose each is.

    The crop is `width` wide and begins at (left, top).
    """
    a, b, c = seen.corners
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    of_row, down = _ragged(np.where(np.abs(area) > 1e-12, seen.high[1] - seen.low[1] + 1, 0))
    row = seen.low[1][of_row] + down
    first, last = _narrowed(seen, area, of_row, row)
    rows = _Rows(of_row, row, first, np.maximum(last - first + 1, 0))
    # Barycentric coordinates are affine in the pixel; so is 1 / depth.
    with np.errstate(divide="ignore", invalid="ignore"):
        wb = np.stack([c[1] - a[1], a[0] - c[0]]) / area
        wc = np.stack([a[1] - b[1], b[0] - a[0]]) / area
    found = [_inside(seen, rows, some, wb, wc) for some in _portions(rows.width)]
    x, y, values, triangles = (np.concatenate(column) for column in zip(*found, strict=True))
    return (y - top) * width + x - left, values, triangles


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of pixels to look at: whose each is, which row, its first column and how many."""

    triangle: NDArray[np.intp]
    y: NDArray[np.int64]
    first: NDArray[np.int64]
    width: NDArray[np.int64]


def _inside(
    seen: Triangles, rows: _Rows, some: slice, wb: Array, wc: Array
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array, NDArray[np.intp]]:
    """Return columns and rows of the covered pixels of some rows, 1 / depth there, and whose each is."""
    ax, ay = seen.corners[0]
    row_of, along = _ragged(rows.width[some])
    row_of += some.start
    triangle, x, y = rows.triangle[row_of], rows.first[row_of] + along, rows.y[row_of]
    dx, dy = x + 0.5 - ax[triangle], y + 0.5 - ay[triangle]
    u = dx * wb[0][triangle] + dy * wb[1][triangle]
    v = dx * wc[0][triangle] + dy * wc[1][triangle]
    inside = np.flatnonzero((u >= 0) & (v >= 0) & (u + v <= 1))
    triangle, i = triangle[inside], seen.inverse[:, triangle[inside]]
    value = i[0] + u[inside] * (i[1] - i[0]) + v[inside] * (i[2] - i[0])
    return x[inside], y[inside], value, triangle


_CELLS_AT_ONCE = 1 << 17


def _portions(widths: NDArray[np.int64]) -> list[slice]:
    """Return slices of the rows, so few cells in each that they do not fill the memory."""
    past = np.cumsum(widths) // _CELLS_AT_ONCE
    ends = [*(np.flatnonzero(np.diff(past)) + 1).tolist(), len(widths)]
    return [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def _narrowed(
    seen: Triangles, area: Array, of_row: NDArray[np.intp], row: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last column of each row of a triangle that need to be looked at."""
    y = row + 0.5
    least, most = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    xs = [corner[0] for corner in seen.corners]
    ys = [corner[1] for corner in seen.corners]
    tops = [top[of_row] for top in ys]
    above = [y < top for top in tops]
    for p, q in ((0, 1), (1, 2), (2, 0)):
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = (xs[q] - xs[p]) / (ys[q] - ys[p])
            x = xs[p][of_row] + (y - tops[p]) * slope[of_row]
        # A level side ends where the others do.
        met = (above[p] != above[q]) & np.isfinite(x)
        np.minimum(least, x, out=least, where=met)
        np.maximum(most, x, out=most, where=met)
    low, high = seen.low[0][of_row], seen.high[0][of_row]
    side = (seen.corners.max(axis=0) - seen.corners.min(axis=0)).max(axis=0)
    sure = (np.abs(area) > _SLIVER * side**2)[of_row] & np.isfinite(least)
    first = np.maximum(low, np.ceil(np.where(sure, least, low) - 0.5 - _SLACK_PX).astype(np.int64))
    last = np.minimum(high, np.floor(np.where(sure, most, high) - 0.5 + _SLACK_PX).astype(np.int64))
    return np.where(sure, first, low), np.where(sure, last, high)


def _ragged(counts: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return which list each of so many entries is of, the lists one after the other, and its place in it."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
