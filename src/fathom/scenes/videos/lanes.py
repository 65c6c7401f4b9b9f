"""Ways on the ground that something can be driven or walked along: place, direction and curvature by length.

A way is drawn from its curvature, which is smoothed, so that neither a wheel nor a lane ever jumps. Lengths
are metres, headings radians from world +x counter-clockwise, curvatures 1/m, positive to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.geometry.poses import Array

STEP_M = 0.05
"""How finely ways are written down: fine enough that what follows one feels no corner."""


@dataclass(frozen=True, eq=False)
class LanePath:
    """A way: (n,) lengths from its begin, increasing; (n, 2) places; (n,) headings and curvatures."""

    s_m: Array
    places_m: Array
    headings_rad: Array
    curvatures: Array

    @property
    def length_m(self) -> float:
        """How long it is."""
        return float(self.s_m[-1])

    def at(self, s_m: ArrayLike) -> tuple[Array, Array]:
        """Return the places (..., 2) and headings (...) at lengths; before and after, straight on."""
        s = np.asarray(s_m, dtype=np.float64)
        inside = np.clip(s, self.s_m[0], self.s_m[-1])
        k = np.clip(np.searchsorted(self.s_m, inside, side="right") - 1, 0, len(self.s_m) - 2)
        step = self.s_m[k + 1] - self.s_m[k]
        share = (inside - self.s_m[k]) / step
        first, last = self.headings_rad[k], self.headings_rad[k + 1]
        heading = first + share * (last - first)
        # Between two points the way is an arc, which bulges from their chord.
        bulge = -(last - first) * step * share * (1 - share) / 2
        chord = (1 - share)[..., None] * self.places_m[k] + share[..., None] * self.places_m[k + 1]
        left = np.stack([-np.sin(heading), np.cos(heading)], axis=-1)
        over = np.stack([np.cos(heading), np.sin(heading)], axis=-1) * (s - inside)[..., None]
        return chord + bulge[..., None] * left + over, np.asarray(heading)

    def beside(self, s_m: ArrayLike, aside_m: ArrayLike) -> tuple[Array, Array]:
        """Return places (..., 2) at lengths, so far to the left of the way, and the headings there."""
        places, heading = self.at(s_m)
        left = np.stack([-np.sin(heading), np.cos(heading)], axis=-1)
        return places + np.asarray(aside_m, dtype=np.float64)[..., None] * left, heading

    def offset(self, aside_m: float) -> LanePath:
        """Return the way that runs beside this one, so far to its left."""
        places, _ = self.beside(self.s_m, np.full(len(self.s_m), aside_m))
        steps = np.diff(self.s_m) - aside_m * np.diff(self.headings_rad)
        s = np.concatenate([[0.0], np.cumsum(steps)])
        return LanePath(s, places, self.headings_rad, self.curvatures / (1 - aside_m * self.curvatures))

    def reversed(self) -> LanePath:
        """Return the same way in the other direction."""
        return LanePath(
            self.s_m[-1] - self.s_m[::-1],
            self.places_m[::-1],
            self.headings_rad[::-1] + math.pi,
            -self.curvatures[::-1],
        )

    def part(self, first_m: float, last_m: float) -> LanePath:
        """Return the piece between two lengths."""
        inner = (self.s_m > first_m + 1e-6) & (self.s_m < last_m - 1e-6)
        s = np.concatenate([[first_m], self.s_m[inner], [last_m]])
        places, headings = self.at(s)
        return LanePath(s - first_m, places, headings, np.interp(s, self.s_m, self.curvatures))

    def nearest(self, point_m: ArrayLike) -> float:
        """Return the length at which the way comes nearest to a point (2,)."""
        point = np.asarray(point_m, dtype=np.float64)
        k = int(np.argmin(np.linalg.norm(self.places_m - point, axis=1)))
        along = np.array([math.cos(self.headings_rad[k]), math.sin(self.headings_rad[k])])
        return float(self.s_m[k] + (point - self.places_m[k]) @ along)


def drawn_way(
    start_m: tuple[float, float], heading_rad: float, pieces: list[tuple[float, float]], smooth_m: float
) -> LanePath:
    """Return the way over pieces (length, curvature), its curvature smoothed over `smooth_m` metres.

    Within half of `smooth_m` of either end it is as straight or curved as there.
    """
    length = sum(m for m, _ in pieces)
    n = max(2, round(length / STEP_M) + 1)
    s = np.linspace(0.0, length, n)
    ends = np.cumsum([m for m, _ in pieces])
    which = np.minimum(np.searchsorted(ends, s, side="right"), len(pieces) - 1)
    raw = np.array([c for _, c in pieces])[which]
    half = max(1, round(smooth_m / 2 / (s[1] - s[0])))
    kernel = 1 + np.cos(np.linspace(-math.pi, math.pi, 2 * half + 1))
    padded = np.concatenate([np.full(half, raw[0]), raw, np.full(half, raw[-1])])
    curvature = np.convolve(padded, kernel / kernel.sum(), mode="valid")
    return _integrated(s, curvature, start_m, heading_rad)


def turn(angle_rad: float, radius_m: float, smooth_m: float) -> LanePath:
    """Return a turn from the origin along +x, of `radius_m` where it is tightest, by exactly this angle."""
    arc = abs(angle_rad) * radius_m
    curve = math.copysign(1 / radius_m, angle_rad)
    way = drawn_way((0.0, 0.0), 0.0, [(smooth_m / 2, 0.0), (arc, curve), (smooth_m / 2, 0.0)], smooth_m)
    return _integrated(way.s_m, way.curvatures * (angle_rad / way.headings_rad[-1]), (0.0, 0.0), 0.0)


def reach_m(bend: LanePath) -> float:
    """Return how far before the corner of two straight lines a turn between them has to begin."""
    x, y = bend.places_m[-1]
    return float(x - y / math.tan(float(bend.headings_rad[-1])))


def put(way: LanePath, start_m: ArrayLike, heading_rad: float) -> LanePath:
    """Return the way moved and turned so that it begins at a place in a direction."""
    turned_by = heading_rad - float(way.headings_rad[0])
    c, s = math.cos(turned_by), math.sin(turned_by)
    places = (way.places_m - way.places_m[0]) @ np.array([[c, s], [-s, c]]) + np.asarray(start_m)
    return LanePath(way.s_m, places, way.headings_rad + turned_by, way.curvatures)


def joined_paths(*ways: LanePath) -> LanePath:
    """Return ways one after the other; each begins where the one before ends."""
    s, places, headings, curvatures = [ways[0].s_m], [ways[0].places_m], [ways[0].headings_rad], []
    curvatures.append(ways[0].curvatures)
    for way in ways[1:]:
        full_turns = round((headings[-1][-1] - way.headings_rad[0]) / (2 * math.pi))
        s.append(way.s_m[1:] - way.s_m[0] + s[-1][-1])
        places.append(way.places_m[1:])
        headings.append(way.headings_rad[1:] + full_turns * 2 * math.pi)
        curvatures.append(way.curvatures[1:])
    return LanePath(*(np.concatenate(c) for c in (s, places, headings, curvatures)))


def _integrated(s: Array, curvature: Array, start_m: tuple[float, float], heading_rad: float) -> LanePath:
    step = np.diff(s)
    heading = heading_rad + np.concatenate([[0.0], np.cumsum(step * (curvature[1:] + curvature[:-1]) / 2)])
    middle = (heading[1:] + heading[:-1]) / 2
    x = start_m[0] + np.concatenate([[0.0], np.cumsum(step * np.cos(middle))])
    y = start_m[1] + np.concatenate([[0.0], np.cumsum(step * np.sin(middle))])
    return LanePath(s, np.column_stack([x, y]), heading, curvature)
