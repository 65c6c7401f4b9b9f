"""From the mask of a thing to the polygons that outline it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.records import Outline

Points = NDArray[np.float64]

_TOLERANCE_PX = 0.7
_SMALLEST_AREA_PX = 4.0
# Directions as steps of (x, y) in the picture, clockwise: right, down, left, up.
_STEP = ((1, 0), (0, 1), (-1, 0), (0, -1))
# A left turn first joins pixels that touch at a corner, so that spokes and aerials stay in one piece.
_TURNS = (3, 0, 1)


def outlines_of(
    ids: NDArray[np.integer], things: tuple[str, ...], scene: str, view: int = 0
) -> list[Outline]:
    """Return the outline of every thing that can be seen, in the order of `things`.

    Parameters
    ----------
    ids : (H, W) integer
        Which thing each pixel shows, as an index into `things`; negative where it shows none.
    """
    outlines = []
    for index, thing in enumerate(things):
        if paths := outline_paths(ids == index):
            outlines.append(
                Outline(scene=scene, thing=thing, view=view, paths=tuple(tuple(path) for path in paths))
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
    return [(_simplified(rings[i], tolerance_px) + offset).ravel().tolist() for i in kept]


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
    open_sides = {
        (int(x), int(y), direction): None
        for direction, begin in enumerate(starts)
        for y, x in np.argwhere(begin)
    }
    rings = []
    while open_sides:
        x, y, direction = first = next(iter(open_sides))
        ring = []
        side: tuple[int, int, int] | None = first
        while side is not None:
            del open_sides[side]
            x, y, direction = side
            dx, dy = _STEP[direction]
            ring.append((x + dx / 2, y + dy / 2))
            turns = ((x + dx, y + dy, (direction + turn) % 4) for turn in _TURNS)
            side = next((s for s in turns if s in open_sides or s == first), None)
            if side == first:
                side = None
        rings.append(np.array(ring, float))
    return rings


def _area(ring: Points) -> float:
    """Return the signed area of a ring in square pixels; positive where it runs clockwise on the screen."""
    x, y = ring[:, 0], ring[:, 1]
    return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def _simplified(ring: Points, tolerance_px: float) -> Points:
    """Return the ring without the vertices that lie within `tolerance_px` of the line without them."""
    if tolerance_px <= 0 or len(ring) <= 4:
        return ring
    # A ring has no ends: cut it at its first vertex and at the one farthest from there.
    far = int(np.argmax(((ring - ring[0]) ** 2).sum(axis=1)))
    closed = np.vstack([ring, ring[:1]])
    keep = np.zeros(len(closed), bool)
    keep[[0, far, -1]] = True
    spans = [(0, far), (far, len(ring))]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        between = closed[first + 1 : last]
        distance = _distance(between, closed[first], closed[last])
        worst = int(np.argmax(distance))
        if distance[worst] > tolerance_px:
            middle = first + 1 + worst
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    kept = closed[:-1][keep[:-1]]
    return kept if len(kept) >= 3 else ring


def _distance(points: Points, start: Points, end: Points) -> Points:
    """Return the distance (n,) of each point from the segment between `start` and `end`, in pixels."""
    along = end - start
    length2 = float(along @ along)
    if length2 == 0:
        nearest = start
    else:
        nearest = start + np.clip((points - start) @ along / length2, 0, 1)[:, None] * along
    return np.asarray(np.linalg.norm(points - nearest, axis=1))
