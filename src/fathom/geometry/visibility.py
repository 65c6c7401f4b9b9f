"""What a camera sees of triangles: a depth buffer in numpy, and how much of each object the others hide.

A pixel belongs to a triangle that covers its centre. Everything here works on silhouettes: one depth
buffer for each object alone, on a canvas larger than the picture, from which shares follow by comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project, unproject
from fathom.geometry.poses import Array, from_world
from fathom.geometry.triangles import covered, in_reach
from fathom.records import Camera, Cover, ObjectVisibility, SceneObject

FAR_PX = 64
"""Gaps between silhouettes are exact up to here; beyond, the gap between their boxes stands in."""


@dataclass(frozen=True)
class Silhouette:
    """One object alone before the camera.

    left, top : the crop's corner in picture pixels (may be negative: the canvas is larger than the picture)
    depth_m : (h, w) depth along the optical axis, inf where the object is not
    part : (h, w) index into the object's parts, -1 where the object is not
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
    pad = np.array([camera.width // 2, camera.height // 2])
    seen = in_reach(pixels, depth, faces, -pad, np.array([camera.width, camera.height]) + pad - 1)
    if not len(seen.of_face):
        return Silhouette(0, 0, np.full((0, 0), np.inf), np.full((0, 0), -1, np.int16))
    left, top = (int(v) for v in seen.low.min(axis=1))
    width, height = (int(v) for v in seen.high.max(axis=1) - (left, top) + 1)
    flat, values, triangles = covered(seen, left, top, width)
    nearest = np.zeros(width * height)
    np.maximum.at(nearest, flat, values)
    part = np.full(width * height, -1, np.int16)
    first = values >= nearest[flat]
    # Where two triangles tie the part with the higher index wins, whatever their order.
    owners = np.asarray(part_of_face)[seen.of_face[triangles[first]]].astype(np.int16)
    np.maximum.at(part, flat[first], owners)
    with np.errstate(divide="ignore"):
        depth_m = np.where(nearest > 0, 1.0 / nearest, np.inf)
    return Silhouette(left, top, depth_m.reshape(height, width), part.reshape(height, width))


def object_visibility(
    camera: Camera,
    silhouettes: Mapping[str, Silhouette],
    part_names: Mapping[str, Sequence[str]],
    headed: Mapping[str, SceneObject] | None = None,
) -> tuple[ObjectVisibility, ...]:
    """Return what the camera sees of each object when all of them stand there, in the mapping's order.

    Of the objects in `headed` it is told how well their fronts and rears show.
    """
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
                covers.append(Cover(object_id=names[other], over_px=int(over.sum()), seen_px=seen))
        parts = np.bincount(s.part[crop][visible], minlength=len(part_names[name]))
        part_px: dict[str, int] = {}
        for part, count in zip(part_names[name], parts, strict=True):
            part_px[part] = part_px.get(part, 0) + int(count)
        result.append(
            ObjectVisibility(
                object_id=name,
                full_px=int(np.isfinite(s.depth_m).sum()),
                amodal_px=int(there.sum()),
                visible_px=int(visible.sum()),
                box_px=_box(visible, window),
                covers=tuple(covers),
                gaps_px={n: round(float(gaps[index, k]), 1) for k, n in enumerate(names) if k != index},
                part_px=part_px,
                ends_px=_ends_px(camera, s, crop, visible, headed[name]) if headed else {},
            )
        )
    return tuple(result)


def _ends_px(
    camera: Camera, s: Silhouette, crop: tuple[slice, slice], visible: NDArray[np.bool_], obj: SceneObject
) -> dict[str, tuple[int, int]]:
    """Return for the front and the rear third of an object the pixels that show, and those that could."""
    depth = s.depth_m[crop]
    rows, columns = np.nonzero(np.isfinite(depth))
    corner = np.array([s.left + crop[1].start, s.top + crop[0].start])
    points = unproject(camera, np.column_stack([columns, rows]) + corner + 0.5, depth[rows, columns])
    ahead = from_world(obj.poses[0], points)[:, 0] / obj.size_m[0]
    shown = visible[rows, columns]
    ends = {"front": ahead > 1 / 6, "rear": ahead < -1 / 6}
    return {name: (int((end & shown).sum()), int(end.sum())) for name, end in ends.items()}


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
    # |a - b|^2 = |a|^2 + |b|^2 - 2 ab, which is exact for whole pixels.
    lengths_a, lengths_b = (near_a**2).sum(axis=1), (near_b**2).sum(axis=1)
    best = math.inf
    for start in range(0, len(near_a), 512):
        some = slice(start, start + 512)
        squares = near_a[some] @ (-2.0 * near_b.T)
        squares += lengths_b
        best = min(best, float((squares.min(axis=1) + lengths_a[some]).min()))
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
