"""What a camera sees of triangles: a depth buffer in numpy, and how much of each thing the others hide.

A pixel belongs to a triangle that covers its centre. Everything here works on silhouettes: one depth
buffer for each thing alone, on a canvas larger than the picture, from which shares follow by comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.geometry.poses import Array
from fathom.records import Camera, Cover, Sight

FAR_PX = 64
"""Gaps between silhouettes are exact up to here; beyond, the gap between their boxes stands in."""


@dataclass(frozen=True)
class Silhouette:
    """One thing alone before the camera.

    left, top : the crop's corner in picture pixels (may be negative: the canvas is larger than the picture)
    depth_m : (h, w) depth along the optical axis, inf where the thing is not
    part : (h, w) index into the thing's parts, -1 where the thing is not
    """

    left: int
    top: int
    depth_m: NDArray[np.float64]
    part: NDArray[np.int16]

    @property
    def right(self) -> int:
        """The first column to the right of the crop."""
        return self.left + int(self.depth_m.shape[1])

    @property
    def bottom(self) -> int:
        """The first row below the crop."""
        return self.top + int(self.depth_m.shape[0])


def silhouette(
    camera: Camera,
    points_m: NDArray[np.floating],
    faces: NDArray[np.integer],
    part_of_face: NDArray[np.integer],
    frame: int = 0,
) -> Silhouette:
    """Return the silhouette of triangles: `points_m` (n, 3) world, `faces` (m, 3), `part_of_face` (m,).

    The canvas reaches half a picture beyond each edge; triangles with a corner behind the camera are left
    out.
    """
    pixels, depth = project(camera, points_m, frame)
    corners, z = pixels[faces], depth[faces]
    keep = np.asarray((z > 1e-3).all(axis=1))
    corners, inverse, owner = corners[keep], 1.0 / z[keep], np.asarray(part_of_face)[keep]
    pad_x, pad_y = camera.width // 2, camera.height // 2
    low = np.maximum(np.ceil(corners.min(axis=1) - 0.5), (-pad_x, -pad_y)).astype(np.int64)
    high = np.minimum(
        np.floor(corners.max(axis=1) - 0.5), (camera.width + pad_x - 1, camera.height + pad_y - 1)
    ).astype(np.int64)
    some = (high >= low).all(axis=1)
    corners, inverse, owner, low, high = corners[some], inverse[some], owner[some], low[some], high[some]
    if not len(corners):
        return Silhouette(0, 0, np.full((0, 0), np.inf), np.full((0, 0), -1, np.int16))
    left, top = (int(v) for v in low.min(axis=0))
    width, height = (int(v) for v in high.max(axis=0) - (left, top) + 1)
    cells, values, owners = _covered(corners, inverse, owner, low, high)
    flat = (cells[:, 1] - top) * width + (cells[:, 0] - left)
    nearest = np.zeros(width * height)
    np.maximum.at(nearest, flat, values)
    part = np.full(width * height, -1, np.int16)
    first = values >= nearest[flat]
    # Where two triangles tie the part with the higher index wins, whatever their order.
    np.maximum.at(part, flat[first], owners[first].astype(np.int16))
    with np.errstate(divide="ignore"):
        depth_m = np.where(nearest > 0, 1.0 / nearest, np.inf)
    return Silhouette(left, top, depth_m.reshape(height, width), part.reshape(height, width))


_CELLS_AT_ONCE = 1 << 15


def _covered(
    corners: Array,
    inverse: Array,
    owner: NDArray[np.integer],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> tuple[NDArray[np.int64], Array, NDArray[np.integer]]:
    """Return the (k, 2) pixels that triangles cover, 1 / depth there, and the triangle's owner."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    solid = np.abs(area) > 1e-12
    a, b, c, area = a[solid], b[solid], c[solid], area[solid]
    inverse, owner, low, high = inverse[solid], owner[solid], low[solid], high[solid]
    # Barycentric coordinates are affine in the pixel; so is 1 / depth.
    wb = np.column_stack([(c[:, 1] - a[:, 1]), (a[:, 0] - c[:, 0])]) / area[:, None]
    wc = np.column_stack([(a[:, 1] - b[:, 1]), (b[:, 0] - a[:, 0])]) / area[:, None]
    span = high - low + 1
    bucket = np.ceil(np.log2(span.max(axis=1))).astype(np.int64)
    out: list[tuple[NDArray[np.int64], Array, NDArray[np.int64], NDArray[np.integer]]] = []
    for level in np.unique(bucket):
        side = 1 << int(level)
        chosen = np.flatnonzero(bucket == level)
        # So few at a time that they stay in the processor's cache.
        step = max(1, _CELLS_AT_ONCE // (side * side))
        for start in range(0, len(chosen), step):
            t = chosen[start : start + step]
            out.append((*_cells(side, low[t], high[t], a[t], wb[t], wc[t], inverse[t]), owner[t]))
    if not out:
        return np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0, np.int64)
    cells, values, triangles, owners = zip(*out, strict=True)
    of_cells = [o[k] for o, k in zip(owners, triangles, strict=True)]
    return np.concatenate(cells), np.concatenate(values), np.concatenate(of_cells)


def _cells(
    side: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    origin: Array,
    wb: Array,
    wc: Array,
    inverse: Array,
) -> tuple[NDArray[np.int64], Array, NDArray[np.int64]]:
    """Return the pixels that triangles of at most `side` pixels cover, 1 / depth there, and whose each is."""
    steps = np.arange(side)
    x, y = low[:, 0, None] + steps, low[:, 1, None] + steps
    dx, dy = x + 0.5 - origin[:, 0, None], y + 0.5 - origin[:, 1, None]
    # Axes: triangle, row, column.
    u = (dx * wb[:, 0, None])[:, None, :] + (dy * wb[:, 1, None])[:, :, None]
    v = (dx * wc[:, 0, None])[:, None, :] + (dy * wc[:, 1, None])[:, :, None]
    inside = (u >= 0) & (v >= 0) & (u + v <= 1)
    inside &= (x <= high[:, 0, None])[:, None, :] & (y <= high[:, 1, None])[:, :, None]
    k, row, column = np.nonzero(inside)
    i = inverse[k]
    value = i[:, 0] + u[inside] * (i[:, 1] - i[:, 0]) + v[inside] * (i[:, 2] - i[:, 0])
    return np.column_stack([x[k, column], y[k, row]]), value, k


def sights(
    camera: Camera, silhouettes: Mapping[str, Silhouette], part_names: Mapping[str, Sequence[str]]
) -> tuple[Sight, ...]:
    """Return what the camera sees of each thing when all of them stand there, in the mapping's order."""
    names = list(silhouettes)
    shapes = list(silhouettes.values())
    nearest = np.full((camera.height, camera.width), np.inf)
    shown = np.full((camera.height, camera.width), -1, np.int32)
    for index, s in enumerate(shapes):
        window, crop = _in_picture(camera, s)
        closer = s.depth_m[crop] < nearest[window]
        nearest[window] = np.where(closer, s.depth_m[crop], nearest[window])
        shown[window] = np.where(closer, index, shown[window])
    gaps = _gaps(shapes)
    result = []
    for index, (name, s) in enumerate(zip(names, shapes, strict=True)):
        window, crop = _in_picture(camera, s)
        depth = s.depth_m[crop]
        there = np.isfinite(depth)
        visible = shown[window] == index
        covers = []
        for other, t in enumerate(shapes):
            if other == index or gaps[index, other] > 0:
                continue
            over = there & (_depth_in(camera, t, window) < depth)
            if over.any():
                seen = int((over & (shown[window] == other)).sum())
                covers.append(Cover(thing=names[other], over_px=int(over.sum()), seen_px=seen))
        parts = np.bincount(s.part[crop][visible], minlength=len(part_names[name]))
        part_px: dict[str, int] = {}
        for part, count in zip(part_names[name], parts, strict=True):
            part_px[part] = part_px.get(part, 0) + int(count)
        result.append(
            Sight(
                thing=name,
                full_px=int(np.isfinite(s.depth_m).sum()),
                amodal_px=int(there.sum()),
                visible_px=int(visible.sum()),
                box_px=_box(visible, window),
                covers=tuple(covers),
                gaps_px={n: round(float(gaps[index, k]), 1) for k, n in enumerate(names) if k != index},
                part_px=part_px,
            )
        )
    return tuple(result)


def _in_picture(camera: Camera, s: Silhouette) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Return the silhouette's window in the picture, and the same window in its own crop."""
    x0, x1 = (min(max(v, 0), camera.width) for v in (s.left, s.right))
    y0, y1 = (min(max(v, 0), camera.height) for v in (s.top, s.bottom))
    crop = (slice(y0 - s.top, y1 - s.top), slice(x0 - s.left, x1 - s.left))
    return (slice(y0, y1), slice(x0, x1)), crop


def _depth_in(camera: Camera, s: Silhouette, window: tuple[slice, slice]) -> Array:
    """Return the depth of `s` in a window of the picture, inf where it is not."""
    rows, columns = window
    out = np.full((rows.stop - rows.start, columns.stop - columns.start), np.inf)
    y0, y1 = max(rows.start, s.top), min(rows.stop, s.bottom)
    x0, x1 = max(columns.start, s.left), min(columns.stop, s.right)
    if y0 < y1 and x0 < x1:
        out[y0 - rows.start : y1 - rows.start, x0 - columns.start : x1 - columns.start] = s.depth_m[
            y0 - s.top : y1 - s.top, x0 - s.left : x1 - s.left
        ]
    return out


def _box(visible: NDArray[np.bool_], window: tuple[slice, slice]) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(visible.any(axis=1)), np.flatnonzero(visible.any(axis=0))
    if not len(rows):
        return (0, 0, 0, 0)
    y, x = window[0].start, window[1].start
    return (int(columns[0]) + x, int(rows[0]) + y, int(columns[-1]) + x + 1, int(rows[-1]) + y + 1)


def _gaps(shapes: Sequence[Silhouette]) -> Array:
    """Return the (n, n) distances in pixels between silhouettes; 0 where they touch or overlap."""
    n = len(shapes)
    gaps = np.zeros((n, n))
    edges = [_edge(s) for s in shapes]
    for i in range(n):
        for j in range(i + 1, n):
            gaps[i, j] = gaps[j, i] = _gap(shapes[i], edges[i], shapes[j], edges[j])
    return gaps


def _gap(a: Silhouette, edge_a: Array, b: Silhouette, edge_b: Array) -> float:
    dx = max(a.left - b.right, b.left - a.right, -1) + 1
    dy = max(a.top - b.bottom, b.top - a.bottom, -1) + 1
    apart = math.hypot(dx, dy)
    if apart >= FAR_PX or not len(edge_a) or not len(edge_b):
        return apart if len(edge_a) and len(edge_b) else math.inf
    if _overlap(a, b):
        return 0.0
    near_a = edge_a[_within(edge_a, b)]
    near_b = edge_b[_within(edge_b, a)]
    if not len(near_a) or not len(near_b):
        return float(FAR_PX)
    best = math.inf
    for start in range(0, len(near_a), 512):
        d = near_a[start : start + 512, None, :] - near_b[None]
        best = min(best, float(np.einsum("ijk,ijk->ij", d, d).min()))
    return math.sqrt(best) if best > 2 else 0.0


def _overlap(a: Silhouette, b: Silhouette) -> bool:
    x0, x1, y0, y1 = max(a.left, b.left), min(a.right, b.right), max(a.top, b.top), min(a.bottom, b.bottom)
    if x0 >= x1 or y0 >= y1:
        return False
    in_a = a.part[y0 - a.top : y1 - a.top, x0 - a.left : x1 - a.left] >= 0
    in_b = b.part[y0 - b.top : y1 - b.top, x0 - b.left : x1 - b.left] >= 0
    return bool((in_a & in_b).any())


def _within(points: Array, s: Silhouette) -> NDArray[np.bool_]:
    x, y = points[:, 0], points[:, 1]
    return (x >= s.left - FAR_PX) & (x < s.right + FAR_PX) & (y >= s.top - FAR_PX) & (y < s.bottom + FAR_PX)


def _edge(s: Silhouette) -> Array:
    """Return the (k, 2) picture positions of the silhouette's outermost pixels."""
    there = np.pad(s.part >= 0, 1)
    core = there[1:-1, 1:-1]
    ring = core & ~(there[:-2, 1:-1] & there[2:, 1:-1] & there[1:-1, :-2] & there[1:-1, 2:])
    y, x = np.nonzero(ring)
    return np.column_stack([x + s.left, y + s.top]).astype(np.float64)
