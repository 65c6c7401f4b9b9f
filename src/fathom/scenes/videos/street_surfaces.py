"""What lies on the ground of a street, as one model: pavements, kerbs, gutters, verges and markings."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from fathom.assets.model import Material, Model, Part
from fathom.assets.shapes import Shell, merged
from fathom.geometry.poses import Array
from fathom.scenes.videos.lanes import LanePath
from fathom.scenes.videos.streets import ZEBRA_M, Kerb, Street
from fathom.store.seeds import rng

KERB_M, KERB_WIDE_M = 0.10, 0.16
"""How high and how wide a kerb stone is; where people cross it is level with the road."""

DROPPED_M, RAMP_M = 0.5, 0.9
"""How far beyond a pedestrian crossing the kerb stays low, and over what length it rises."""

VERGE_M = 46.0
"""How far behind the kerb the ground is covered."""

VERGE_Z, GUTTER_Z, PAVEMENT_Z, PAINT_Z = 0.001, 0.002, 0.003, 0.004
"""How thick what lies on the road is: sheets that wheels and feet do not notice."""

DASH_M, GAP_M = 2.5, 4.5

PAVEMENT = Material("pavement", (0.66, 0.64, 0.61), roughness=0.95)
KERB = Material("kerb", (0.74, 0.73, 0.70), roughness=0.9)
GUTTER = Material("gutter", (0.40, 0.39, 0.38), roughness=0.95)
PAINTED = Material("road paint", (0.90, 0.90, 0.87), roughness=0.8)
LAWN = Material("lawn", (0.34, 0.45, 0.17), roughness=1.0)
YARD = Material("yard", (0.52, 0.50, 0.47), roughness=0.95)


@lru_cache(maxsize=8)
def paving(street: Street) -> tuple[Model, tuple[float, float]]:
    """Return what lies on the ground, over the origin, and the place (x, y) in the world of its middle."""
    kerbs = street.kerbs()
    covers = [_band(k, KERB_WIDE_M, VERGE_M, VERGE_Z, 4.0) for k in kerbs]
    slabs = [_band(k, KERB_WIDE_M, street.pavement_m, PAVEMENT_Z, 1.0) for k in kerbs]
    gutters = [_band(k, -0.3, 0.0, GUTTER_Z, 2.0) for k in kerbs]
    stones = [_stones(street, k) for k in kerbs]
    parts = [
        _part("verge", covers, LAWN if street.garden_m > 0 else YARD),
        _slabs(slabs),
        _part("gutter", gutters, GUTTER),
        _part("kerb", stones, KERB),
        _part("markings", _markings(street), PAINTED),
    ]
    points = np.concatenate([p.vertices for p in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    middle = np.round((low + high) / 2, 6)
    shift = np.array([middle[0], middle[1], 0.0])
    moved = tuple(
        Part(p.name, p.vertices - shift, p.faces, p.material, None, None, p.vertex_colors) for p in parts
    )
    return Model("street", "structure", "street", moved), (float(middle[0]), float(middle[1]))


def _part(name: str, shells: list[Shell], material: Material) -> Part:
    vertices, faces = merged(*shells)
    return Part(name, vertices, faces, material)


def _slabs(bands: list[Shell]) -> Part:
    """Return the pavements, each metre of them a little lighter or darker."""
    vertices, faces = merged(*bands)
    tints = np.repeat(1 - 0.10 * rng("pavement", "tints").random(len(vertices) // 4), 4)
    return Part("pavement", vertices, faces, PAVEMENT, None, None, np.tile(tints[:, None], (1, 3)))


def _band(kerb: Kerb, near_m: float, far_m: float, z: float, step_m: float) -> Shell:
    """Return a sheet along a kerb between two distances behind it, a rectangle every `step_m`."""
    n = max(2, math.ceil(kerb.way.length_m / step_m) + 1)
    s = np.linspace(0.0, kerb.way.length_m, n)
    return _sheet(kerb.behind(s, near_m)[0], kerb.behind(s, far_m)[0], z)


def _sheet(one: Array, other: Array, z: float) -> Shell:
    """Return rectangles between two rows of points (n, 2), each with corners of its own, seen from above."""
    corners = np.stack([one[:-1], one[1:], other[1:], other[:-1]], axis=1)
    a, b = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    down = (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) < 0
    corners[down] = corners[down][:, ::-1]
    vertices = np.concatenate([corners.reshape(-1, 2), np.full((4 * len(corners), 1), z)], axis=1)
    start = 4 * np.arange(len(corners))[:, None]
    faces = np.concatenate([start + np.array([0, 1, 2]), start + np.array([0, 2, 3])]).astype(np.int32)
    return vertices, faces


def _stones(street: Street, kerb: Kerb) -> Shell:
    """Return the kerb stones: face, top and back, low where people cross."""
    s = np.linspace(0.0, kerb.way.length_m, max(2, math.ceil(kerb.way.length_m / 0.6) + 1))
    high = KERB_M * _raised(street, kerb.way.at(s)[0])
    near, far = kerb.behind(s, 0.0)[0], kerb.behind(s, KERB_WIDE_M)[0]
    zero = np.zeros(len(s))
    rows = [np.column_stack([near, zero]), np.column_stack([near, high + PAINT_Z]),
            np.column_stack([far, high + PAINT_Z]), np.column_stack([far, zero])]  # fmt: skip
    shells = []
    for low, top in pairwise(rows):
        corners = np.stack([low[:-1], low[1:], top[1:], top[:-1]], axis=1)
        if kerb.side > 0:
            corners = corners[:, ::-1]
        start = 4 * np.arange(len(corners))[:, None]
        faces = np.concatenate([start + np.array([0, 1, 2]), start + np.array([0, 2, 3])]).astype(np.int32)
        shells.append((corners.reshape(-1, 3), faces))
    return merged(*shells)


def _raised(street: Street, points: Array) -> Array:
    """Return (n,) 0 at pedestrian crossings, 1 away from them."""
    share = np.ones(len(points))
    for zebra in street.zebras():
        (x, y), heading = street.road(zebra.line).at(zebra.at_m)
        off = points - np.array([float(x), float(y)])
        along = np.abs(off @ np.array([math.cos(float(heading)), math.sin(float(heading))]))
        aside = np.abs(off @ np.array([-math.sin(float(heading)), math.cos(float(heading))]))
        rise = np.clip((along - ZEBRA_M / 2 - DROPPED_M) / RAMP_M, 0, 1)
        share = np.where(aside < street.kerb_m + 1.5, np.minimum(share, rise), share)
    return share


def _markings(street: Street) -> list[Shell]:
    shells: list[Shell] = []
    shells += _dashes(street.main, _closed(street, "main"))
    if street.crossed:
        shells += _dashes(street.cross, _closed(street, "cross"))
        shells += [_stop_line(street, "main", sign) for sign in (-1, 1)]
        shells += [_stop_line(street, "cross", sign) for sign in (-1, 1)]
    for zebra in street.zebras():
        shells += _bars(street, street.road(zebra.line), zebra.at_m)
    if street.parking_m:
        shells += _bays(street)
    return shells


def _closed(street: Street, line: str) -> list[tuple[float, float]]:
    """Return stretches of a road, from one length to another, that have no line in their middle."""
    found = []
    if street.crossed:
        at = street.crossing_m if line == "main" else street.cross.length_m / 2
        found.append((at - street.line_m, at + street.line_m))
    if line == "main" and street.zebra_m >= 0:
        found.append((street.zebra_m - 2.4, street.zebra_m + 2.4))
    return found


def _line(way: LanePath, first_m: float, last_m: float, aside_m: float, wide_m: float) -> Shell:
    s = np.linspace(first_m, last_m, max(2, math.ceil((last_m - first_m) / 3.0) + 1))
    one, _ = way.beside(s, np.full(len(s), aside_m - wide_m / 2))
    other, _ = way.beside(s, np.full(len(s), aside_m + wide_m / 2))
    return _sheet(one, other, PAINT_Z)


def _dashes(way: LanePath, closed: list[tuple[float, float]]) -> list[Shell]:
    begins = np.arange(0.0, way.length_m - DASH_M, DASH_M + GAP_M)
    open_ones = [b for b in begins if all(b + DASH_M < low or b > high for low, high in closed)]
    return [_line(way, b, b + DASH_M, 0.0, 0.13) for b in open_ones]


def _stop_line(street: Street, line: str, sign: int) -> Shell:
    """Return the line to stop at on one arm of the crossing, over the lane that leads to it."""
    way = street.road(line)
    at = street.crossing_m if line == "main" else way.length_m / 2
    middle = at + sign * street.line_m
    s = np.array([middle - 0.2, middle + 0.2])
    edge = sign * (street.lane_m - 0.1)
    return _sheet(way.beside(s, np.full(2, sign * 0.15))[0], way.beside(s, np.full(2, edge))[0], PAINT_Z)


def _bars(street: Street, way: LanePath, at_m: float) -> list[Shell]:
    across = np.arange(-street.kerb_m + 0.6, street.kerb_m - 0.4, 1.0)
    across = across + (street.kerb_m - 0.3 - across[-1] - 0.3) / 2 - 0.15
    return [_line(way, at_m - ZEBRA_M / 2, at_m + ZEBRA_M / 2, float(a), 0.5) for a in across]


def parked_m(street: Street) -> list[tuple[float, float]]:
    """Return the stretches of the main road where cars may stand at the kerb."""
    breaks = [(-1.0, 2.0), (street.main.length_m - 2.0, math.inf)]
    if street.crossed:
        breaks.append((street.crossing_m - street.line_m - 5.0, street.crossing_m + street.line_m + 5.0))
    if street.zebra_m >= 0:
        breaks.append((street.zebra_m - 7.0, street.zebra_m + 7.0))
    breaks.sort()
    return [(a[1], b[0]) for a, b in pairwise(breaks) if b[0] - a[1] > 8.0]


def _bays(street: Street) -> list[Shell]:
    """Return the lines that part the lanes for parking from the others."""
    edge = street.lane_m + 0.05
    return [_line(street.main, a, b, side * edge, 0.1) for a, b in parked_m(street) for side in (-1, 1)]
