"""The shells of airframes: hulls and what lies on them, and foils: wings, fins and tailplanes.

Shells here are in metres with x forward, y left and z up; tables of stations give the distance aft of the
nose, so that x = -aft.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Faces, Points
from fathom.assets.shapes import (
    Shell,
    inside_out,
    loft,
    merged,
    tube,
)

_HALF = 10
"""Points of a foil's section from its trailing to its leading edge."""


@dataclass(frozen=True)
class Hull:
    """A body of rounded sections, finely sampled: each array is (k,), metres, `power` the squareness.

    A section at x is |y / width|^power + |(z - axis) / (up or down)|^power = 1.
    """

    x: Points
    axis: Points
    width: Points
    up: Points
    down: Points
    power: Points


def eased(values: ArrayLike, per_span: int) -> Points:
    """Return (k, m) rows with `per_span` steps between each two, along monotone cubics.

    Ref: Fritsch and Carlson 1980, with harmonic mean slopes.
    """
    v = np.asarray(values, dtype=np.float64)
    d = np.diff(v, axis=0)
    product = d[:-1] * d[1:]
    total = d[:-1] + d[1:]
    slope = np.zeros_like(v)
    slope[1:-1] = np.where(product > 0, 2 * product / np.where(product > 0, total, 1.0), 0.0)
    slope[0], slope[-1] = 1.5 * d[0] - 0.5 * slope[1], 1.5 * d[-1] - 0.5 * slope[-2]
    t = (np.arange(per_span) / per_span)[None, :, None]
    h00, h10 = (1 + 2 * t) * (1 - t) ** 2, t * (1 - t) ** 2
    h01, h11 = t * t * (3 - 2 * t), t * t * (t - 1)
    rows = h00 * v[:-1, None] + h10 * slope[:-1, None] + h01 * v[1:, None] + h11 * slope[1:, None]
    return np.concatenate([rows.reshape(-1, v.shape[1]), v[-1:]])


def hull(stations: ArrayLike, per_span: int = 4) -> Hull:
    """Return the hull through (k, 6) rows: aft, axis height, half width, up, down, power."""
    s = eased(stations, per_span)
    return Hull(-s[:, 0], s[:, 1], s[:, 2], s[:, 3], s[:, 4], s[:, 5])


def on_hull(body: Hull, aft: ArrayLike, angle_deg: ArrayLike) -> Points:
    """Return (n, 3) points of the skin at distances aft and angles from the top towards the left."""
    x = -np.asarray(aft, dtype=np.float64)
    a = np.radians(np.asarray(angle_deg, dtype=np.float64))
    order = slice(None, None, -1)

    def at(column: Points) -> Points:
        return np.asarray(np.interp(x, body.x[order], column[order]))

    s, c = np.sin(a), np.cos(a)
    e = 2 / at(body.power)
    y = at(body.width) * np.sign(s) * np.abs(s) ** e
    z = at(body.axis) + np.where(c >= 0, at(body.up), at(body.down)) * np.sign(c) * np.abs(c) ** e
    return np.stack(np.broadcast_arrays(x, y, z), axis=-1)


def skin(body: Hull, sides: int = 32, first: float = -math.inf, last: float = math.inf) -> Shell:
    """Return the closed skin of a hull, or of its sections between two distances aft."""
    aft = -body.x
    inner = aft[(aft > first + 1e-6) & (aft < last - 1e-6)]
    ends = [[v] for v in (first, last) if math.isfinite(v)]
    stations = np.sort(np.concatenate([inner, *ends]))
    angle = np.linspace(0, 360, sides, endpoint=False)
    grid = on_hull(body, np.repeat(stations, sides), np.tile(angle, len(stations)))
    return loft(grid.reshape(len(stations), sides, 3))


def quad_rim(corners: ArrayLike, rounding: float, points: int) -> Points:
    """Return (points, 2) places (aft, angle) around the inside of four corners, in their order.

    `rounding` goes from 0 (a quadrilateral) to 1 (an ellipse).
    """
    return _in_quad(corners, _rounded(rounding, points))


def _rounded(rounding: float, points: int) -> Points:
    a = np.linspace(0, 2 * math.pi, points, endpoint=False) + math.pi / points
    power = 2 / max(rounding, 0.12)
    radius = (np.abs(np.cos(a)) ** power + np.abs(np.sin(a)) ** power) ** (-1 / power)
    return np.asarray(np.column_stack([np.cos(a), np.sin(a)]) * radius[:, None])


def _in_quad(corners: ArrayLike, st: Points) -> Points:
    q = np.asarray(corners, dtype=np.float64)
    s, t = (st[:, :1] + 1) / 2, (st[:, 1:] + 1) / 2
    return np.asarray((1 - s) * (1 - t) * q[0] + s * (1 - t) * q[1] + s * t * q[2] + (1 - s) * t * q[3])


def pane(
    body: Hull,
    corners: ArrayLike,
    lift: float = 0.012,
    rounding: float = 0.5,
    points: int = 24,
    rings: int = 3,
) -> Shell:
    """Return a raised panel that lies on a hull between four corners (aft, angle from the top in degrees).

    `rounding` goes from 0 (a quadrilateral) to 1 (an ellipse); the rim goes down through the skin.
    """
    rim = _rounded(rounding, points)
    st = np.concatenate([np.zeros((1, 2)), *(rim * (k + 1) / rings for k in range(rings)), rim])
    where = _in_quad(corners, st)
    normal = _hull_normals(body, where)
    height = np.full(len(where), lift)
    height[-points:] = -2 * lift
    shell = on_hull(body, where[:, 0], where[:, 1]) + normal * height[:, None], _disc_faces(points, rings + 1)
    v, f = shell
    facing = np.cross(v[f[0, 1]] - v[f[0, 0]], v[f[0, 2]] - v[f[0, 0]]) @ normal[0]
    return shell if facing > 0 else inside_out(shell)


def _hull_normals(body: Hull, where: Points) -> Points:
    aft, angle = where[:, 0], where[:, 1]
    d_aft = on_hull(body, aft + 1e-3, angle) - on_hull(body, aft - 1e-3, angle)
    d_angle = on_hull(body, aft, angle + 0.05) - on_hull(body, aft, angle - 0.05)
    normal = np.cross(d_angle, d_aft)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def sash(body: Hull, table: ArrayLike, lift: float = 0.01, per_span: int = 4, across: int = 3) -> Shell:
    """Return a stripe along a hull through (k, 3) rows: aft, and the angles of its two borders."""
    rows = eased(table, per_span)
    share = np.linspace(0, 1, across)
    aft = np.repeat(rows[:, 0], across)
    angle = (rows[:, 1:2] * (1 - share) + rows[:, 2:] * share).reshape(-1)
    at, normal = on_hull(body, aft, angle), _hull_normals(body, np.column_stack([aft, angle]))
    outer = (at + lift * normal).reshape(len(rows), across, 3)
    inner = (at - 2 * lift * normal).reshape(len(rows), across, 3)
    return loft(np.concatenate([outer, inner[:, ::-1]], axis=1))


def seam(body: Hull, corners: ArrayLike, radius: float, rounding: float = 0.25) -> Shell:
    """Return a fine line around four corners on a hull, such as the gap around a door."""
    rim = quad_rim(corners, rounding, 24)
    return tube(on_hull(body, rim[:, 0], rim[:, 1]), radius, 3, closed=True)


def _disc_faces(points: int, rings: int) -> Faces:
    j = np.arange(points)
    k = (j + 1) % points
    faces = [np.stack([np.zeros_like(j), 1 + j, 1 + k], -1)]
    for r in range(rings - 1):
        a, b = 1 + r * points + j, 1 + r * points + k
        faces += [np.stack([a, a + points, b + points], -1), np.stack([a, b + points, b], -1)]
    return np.concatenate(faces).astype(np.int32)


def _thickness(chord: Points) -> Points:
    """Return half the thickness of a NACA four-digit foil of thickness 1 at fractions of the chord."""
    c = chord
    return np.asarray(5 * (0.2969 * np.sqrt(c) - 0.126 * c - 0.3516 * c**2 + 0.2843 * c**3 - 0.1036 * c**4))


def _foil_points(row: Points, chord: Points, height: Points) -> Points:
    """Return (n, 3) points of one station at fractions of the chord, `height` metres off its plane."""
    aft, y, z, length, _, cant = row
    g = math.radians(cant)
    normal = (0.0, -math.sin(g), math.cos(g))
    return np.asarray(np.array([-aft, y, z]) + np.outer(chord, (-length, 0, 0)) + np.outer(height, normal))


def foil_rings(stations: ArrayLike) -> Points:
    """Return (k, 20, 3) rings of a wing, fin or tailplane, trailing edge first, then over the top.

    Rows are aft, y, z of the leading edge, chord, thickness over chord, and cant in degrees: 0 where the
    foil lies flat, 90 where it stands upright with its upper side to the right.
    """
    rows = np.asarray(stations, dtype=np.float64)
    beta = np.linspace(0, 2 * math.pi, 2 * _HALF, endpoint=False)
    c = (1 + np.cos(beta)) / 2
    t = _thickness(c) * np.sign(np.sin(beta) + 1e-12)
    return np.stack([_foil_points(r, c, r[3] * r[4] * t) for r in rows])


def stretch(stations: ArrayLike, first: float, last: float) -> Points:
    """Return the stations between two places along them: 1.5 is half way from row 1 to row 2."""
    rows = np.asarray(stations, dtype=np.float64)
    at = np.arange(len(rows), dtype=np.float64)
    want = np.unique(np.concatenate([[first], at[(at > first) & (at < last)], [last]]))
    return np.column_stack([np.interp(want, at, column) for column in rows.T])


def rounded_tip(stations: ArrayLike, length: float, steps: int = 4) -> Points:
    """Return the stations with a tip of `length` after the last one, elliptical in plan."""
    rows = np.asarray(stations, dtype=np.float64)
    last, run = rows[-1], rows[-1] - rows[-2]
    run = run / np.hypot(run[1], run[2])
    added = []
    for a in np.linspace(0, math.pi / 2, steps + 1)[1:]:
        row = last + run * length * math.sin(a)
        lost = 1 - max(math.cos(a), 0.12) ** 0.8
        row[0] += 0.55 * lost * row[3]
        row[3] *= 1 - lost
        row[4], row[5] = last[4] * max(math.cos(a), 0.3) ** 0.5, last[5]
        added.append(row)
    return np.concatenate([rows, added])


def foil(stations: ArrayLike, tip: float = 0.0) -> Shell:
    """Return a wing, fin or tailplane through stations as in `foil_rings`, rounded off over `tip` metres."""
    return loft(foil_rings(rounded_tip(stations, tip) if tip > 0 else stations))


def edge(stations: ArrayLike, reach: int = 2, lift: float = 0.012) -> Shell:
    """Return the sleeve over the leading edge of a foil: `reach` points of the section to each side."""
    rings = foil_rings(stations)
    front = slice(_HALF - reach, _HALF + reach + 1)
    swollen = rings + lift * _outward(rings)
    return loft(np.concatenate([swollen[:, front], rings[:, front][:, ::-1]], axis=1))


def _outward(rings: Points) -> Points:
    along = np.roll(rings, -1, axis=1) - np.roll(rings, 1, axis=1)
    span = np.gradient(rings, axis=0)
    n = np.cross(along, span)
    n /= np.maximum(np.linalg.norm(n, axis=2, keepdims=True), 1e-9)
    sign = np.sign(np.einsum("kij,kij->k", n, rings - rings.mean(axis=1, keepdims=True)))
    return np.asarray(n * sign[:, None, None])


def band(stations: ArrayLike, chords: tuple[float, float], lift: float = 0.01) -> Shell:
    """Return plates over both sides of a foil between two fractions of its chord, raised by `lift`.

    They are bent where the foil's own facets are, so that they lie above it everywhere.
    """
    rows = np.asarray(stations, dtype=np.float64)
    bends = (1 - np.cos(np.linspace(0, math.pi, _HALF + 1))) / 2
    first, last = chords
    c = np.array([first, *bends[(bends > first + 1e-3) & (bends < last - 1e-3)], last])
    half = np.interp(c, bends, _thickness(bends))

    def plate(side: float) -> Shell:
        rings = []
        for row in rows:
            skin_height = side * row[3] * row[4] * half
            over, under = (_foil_points(row, c, skin_height + side * h) for h in (lift, -lift))
            rings.append(np.concatenate([over, under[::-1]]))
        return loft(np.stack(rings))

    return merged(plate(1.0), plate(-1.0))
