"""From the mask of an object to the polygons that outline it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.records import Outline

Points = NDArray[np.float64]

_TOLERANCE_PX = 0.7
_SMALLEST_AREA_PX = 4.0
# Directions as steps of (x, y) in the picture, clockwise: right, down, left, up.
_STEPS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
# A left turn first joins pixels that touch at a corner, so that spokes and aerials stay in one piece.
_TURNS = (3, 0, 1)


def outlines_of(
    ids: NDArray[np.integer], objects: tuple[str, ...], scene: str, view: int = 0
) -> list[Outline]:
    """Return the outline of every object that can be seen, in the order of `things`.

    Parameters
    ----------
    ids : (H, W) integer
        Which object each pixel shows, as an index into `things`; negative where it shows none.
    """
    outlines = []
    for index, obj in enumerate(objects):
        if paths := outline_paths(ids == index):
            outlines.append(
                Outline(scene=scene, object_id=obj, view=view, paths=tuple(tuple(path) for path in paths))
            )
    return outlines


def outline_paths(
    mask: NDArray[np.bool_], tolerance_px: float = _TOLERANCE_PX, smallest_area_px: float = _SMALLEST_AREA_PX
) -> list[list[float]]:
    """Return the closed polygons around `mask`, largest first, as flat lists x0, y0, x1, y1, … in pixels.

    The polygons run through the middles of the pixel sides that part inside from outside, then lose the
    vertices that lie within `tolerance_px` of the line without them (Douglas and Peucker). Outer polygons run
    clockwise on the screen and holes the other way. Those smaller than `smallest_area_px` are left out, but
    never the largest.

    Parameters
    ----------
    mask : (H, W) bool
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if rows.size == 0:
        return []
    top, left = int(rows[0]), int(columns[0])
    rings = _rings(mask[top : rows[-1] + 1, left : columns[-1] + 1])
    areas = [abs(_area(ring)) for ring in rings]
    by_area = sorted(range(len(rings)), key=lambda i: (-areas[i], i))
    kept = [i for i in by_area if areas[i] >= smallest_area_px] or by_area[:1]
    offset = np.array([left, top], float)
    return [(ring + offset).ravel().tolist() for ring in _simplified([rings[i] for i in kept], tolerance_px)]


def svg_path(paths: tuple[tuple[float, ...], ...] | list[list[float]]) -> str:
    """Return `paths` as the value of an SVG path's `d`."""
    return "".join("M" + " ".join(f"{v:g}" for v in path) + "Z" for path in paths if path)


def _rings(mask: NDArray[np.bool_]) -> list[Points]:
    """Return the rings (n, 2) through the middles of the pixel sides between inside and outside."""
    inside = np.pad(mask, 1)
    # Sides by the grid corner (row, column) at which they begin, the inside on their right.
    above, below = inside[:-1, 1:], inside[1:, 1:]
    left, right = inside[1:, :-1], inside[1:, 1:]
    starts = (
        below & ~above,
        left & ~right,
        inside[:-1, :-1] & ~inside[1:, :-1],
        inside[:-1, 1:] & ~inside[:-1, :-1],
    )
    direction, y, x = np.nonzero(np.stack(starts))
    middles = np.stack([x, y], axis=1) + _STEPS[direction] / 2
    return [middles[ring] for ring in _cycles(_followers(direction, y, x, inside.shape))]


def _followers(
    direction: NDArray[np.intp], y: NDArray[np.intp], x: NDArray[np.intp], shape: tuple[int, ...]
) -> list[int]:
    """Return for each side the one that goes on from its end: no two sides go on in the same."""
    number = np.full((4, *shape), -1)
    number[direction, y, x] = np.arange(len(direction))
    right, down = _STEPS[direction].T
    found = np.full(len(direction), -1)
    for turn in reversed(_TURNS):
        there = number[(direction + turn) % 4, y + down, x + right]
        found = np.where(there >= 0, there, found)
    following: list[int] = found.tolist()
    return following


def _cycles(following: list[int]) -> list[list[int]]:
    """Return the rings that sides go round in, each from its first side on, in the order of these."""
    passed = [False] * len(following)
    rings = []
    for first in range(len(following)):
        ring = []
        side = first
        while not passed[side]:
            passed[side] = True
            ring.append(side)
            side = following[side]
        if ring:
            rings.append(ring)
    return rings


def _area(ring: Points) -> float:
    """Return the signed area of a ring in square pixels; positive where it runs clockwise on the screen."""
    x, y = ring[:, 0], ring[:, 1]
    return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def _simplified(rings: list[Points], tolerance_px: float) -> list[Points]:
    """Return each ring without the vertices that lie within `tolerance_px` of the line without them.

    Spans of all rings are looked at side by side: one after the other takes several times as long.
    """
    long = [ring for ring in rings if len(ring) > 4]
    if tolerance_px <= 0 or not long:
        return rings
    # A ring has no ends: cut it at its first vertex and at the one farthest from there.
    closed = np.concatenate([np.vstack([ring, ring[:1]]) for ring in long])
    ends = np.cumsum([len(ring) + 1 for ring in long]) - 1
    begins = ends - [len(ring) for ring in long]
    far = begins + [int(np.argmax(((ring - ring[0]) ** 2).sum(axis=1))) for ring in long]
    keep = np.zeros(len(closed), bool)
    keep[np.concatenate([begins, far])] = True
    first, last = np.concatenate([begins, far]), np.concatenate([far, ends])
    while first.size:
        first, last, middle = _split(closed, first, last, tolerance_px)
        keep[middle] = True
        first, last = np.concatenate([first, middle]), np.concatenate([middle, last])
    short = iter([closed[b:e][keep[b:e]] for b, e in zip(begins, ends, strict=True)])
    return [kept if len(ring) > 4 and len(kept := next(short)) >= 3 else ring for ring in rings]


def _split(
    points: Points, first: NDArray[np.intp], last: NDArray[np.intp], tolerance_px: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the spans with a vertex beyond the tolerance from their segment, and the farthest of each."""
    inner = last - first - 1
    first, last, inner = first[inner > 0], last[inner > 0], inner[inner > 0]
    if not first.size:
        return first, last, first
    begins = np.cumsum(inner) - inner
    span = np.repeat(np.arange(len(first)), inner)
    point = np.arange(len(span)) + (first + 1 - begins)[span]
    distance = _distance(points[point], points[first[span]], points[last[span]])
    most = np.maximum.reduceat(distance, begins)
    of_most = np.flatnonzero(distance == most[span])
    middle = point[of_most[np.searchsorted(of_most, begins)]]
    far = most > tolerance_px
    return first[far], last[far], middle[far]


def _distance(points: Points, start: Points, end: Points) -> Points:
    """Return the distance (n,) of each point from the segment between its `start` and `end`, in pixels."""
    along = end - start
    length2 = (along**2).sum(axis=1)
    share = ((points - start) * along).sum(axis=1) / np.where(length2 > 0, length2, 1.0)
    nearest = start + np.clip(share, 0, 1)[:, None] * along
    return np.asarray(np.linalg.norm(points - nearest, axis=1))
