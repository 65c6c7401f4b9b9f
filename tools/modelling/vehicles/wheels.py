"""Wheels of cars and buses: a tyre, a rim and a hub, with the outer face towards +y."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Material, Part
from fathom.assets.shapes import Shell, extrude, lathe, merged, mirrored, moved, part, turned
from tools.modelling.vehicles.materials import ALLOY, TRIM, TYRE


@dataclass(frozen=True)
class Wheel:
    """A wheel's measures, in metres; `spokes` of 0 means a plain disc with holes, as on a bus."""

    radius: float
    width: float
    rim: float
    spokes: int = 5
    spoke_width: float = 0.36
    metal: Material = ALLOY


def _tyre(w: Wheel, sides: int) -> Shell:
    half, r, rim = w.width / 2, w.radius, w.rim
    wall = r - rim
    profile = [
        (rim, -half * 0.80),
        (r - 0.15 * wall, -half),
        (r, -half * 0.80),
        (r, half * 0.72),
        (r - 0.12 * wall, half * 0.94),
        (rim + 0.5 * wall, half),
        (rim, half * 0.80),
        (rim, -half * 0.80),
    ]
    return lathe(profile, "y", sides)


def _spoke(w: Wheel, index: int) -> Shell:
    """Return one tapering spoke; it dips from the rim to the hub."""
    half, r = w.width / 2, w.rim * 0.95
    y0, y1 = half * 0.30, half * 0.78
    wide, narrow = w.spoke_width * w.rim * 0.5, w.spoke_width * w.rim * 0.36
    outline = np.array([(-wide, 0.10 * r), (-narrow, r), (narrow, r), (wide, 0.10 * r)])
    shell = extrude(outline, y0, y1, "xz")
    v = shell[0].copy()
    top = v[:, 1] > (y0 + y1) / 2
    v[top, 1] -= half * 0.16 * (1 - np.clip(v[top, 2] / r, 0, 1))
    v[top, 0] *= 0.72
    return turned((v, shell[1]), "y", index * 2 * math.pi / w.spokes)


def _face(w: Wheel, sides: int) -> Shell:
    half, r = w.width / 2, w.rim
    lip = [
        (r * 0.88, half * 0.55),
        (r * 0.90, half * 0.84),
        (r * 1.005, half * 0.88),
        (r * 0.88, half * 0.55),
    ]
    hub = [(1e-4, half * 0.30), (r * 0.26, half * 0.30), (r * 0.24, half * 0.72), (r * 0.14, half * 0.80)]
    hub.append((1e-4, half * 0.80))
    if w.spokes:
        return merged(lathe(lip, "y", sides), lathe(hub, "y", 10), *(_spoke(w, i) for i in range(w.spokes)))
    disc = [(1e-4, half * 0.2), (r * 0.90, half * 0.2), (r * 0.90, half * 0.42), (r * 0.62, half * 0.52)]
    disc += [(r * 0.40, half * 0.65), (r * 0.26, half * 0.66), (r * 0.20, half * 0.82), (1e-4, half * 0.82)]
    nut = lathe([(r * 0.05, 0), (r * 0.05, half * 0.12)], "y", 5)
    angles = np.arange(6) * math.pi / 3
    nuts = [moved(nut, (0.34 * r * math.cos(a), half * 0.62, 0.34 * r * math.sin(a))) for a in angles]
    return merged(lathe(lip, "y", sides), lathe(disc, "y", max(16, sides - 8)), *nuts)


def _well(w: Wheel, sides: int) -> Shell:
    half, r = w.width / 2, w.rim
    return lathe(
        [(1e-4, -half * 0.72), (r * 1.01, -half * 0.72), (r * 1.01, half * 0.3), (1e-4, half * 0.26)],
        "y",
        sides,
    )


def wheel(
    name: str, w: Wheel, x: float, y: float, sides: int = 24, z: float | None = None
) -> tuple[Part, ...]:
    """Return the parts of a wheel that stands at x, its middle at y, its face away from the middle line."""
    shells = [(_tyre(w, sides), TYRE), (_well(w, max(12, sides // 2)), TRIM), (_face(w, sides), w.metal)]
    centre = (x, y, w.radius if z is None else z)
    return tuple(part(name, moved(s if y > 0 else mirrored(s), centre), m) for s, m in shells)
