"""A panel van and a lorry with a box, at real sizes, their fronts towards +x."""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Part
from fathom.assets.shapes import Shell, box, extrude, merged, part
from fathom.assets.street import finishes as f
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.materials import GLASS, HEADLAMP, INDICATOR, PLATE, TAILLAMP, TRIM
from tools.modelling.vehicles.wheels import Wheel, wheel

Parts = tuple[Part, ...]
STEEL_WHEEL = Wheel(0.34, 0.22, 0.21, spokes=0)
LORRY_WHEEL = Wheel(0.46, 0.28, 0.28, spokes=0)


def _side(outline: list[tuple[float, float]], y: float, thick: float = 0.012) -> Shell:
    """Return a panel on both sides of the body at half-width y."""
    return both_sides(extrude(np.array(outline), y, y + thick, "xz"))


def _slope(low: tuple[float, float], high: tuple[float, float], half: float, lift: float) -> Shell:
    """Return a pane across the front between two points (x, z) of the outline, lifted off it."""
    (x0, z0), (x1, z1) = low, high
    way = np.array([x1 - x0, z1 - z0])
    out = np.array([way[1], -way[0]]) / np.linalg.norm(way) * lift
    points = [(x0, z0), (x1, z1), (x1 + out[0], z1 + out[1]), (x0 + out[0], z0 + out[1])]
    return extrude(np.array(points), -half, half, "xz")


def van() -> Parts:
    """Return a panel van, 5.4 m long, 2.5 m high."""
    outline = [(-2.68, 0.42), (2.60, 0.40), (2.68, 0.62), (2.62, 1.00), (2.42, 1.16), (1.86, 1.30),
               (1.02, 2.30), (0.70, 2.44), (-2.50, 2.50), (-2.66, 2.36)]  # fmt: skip
    body = extrude(np.array(outline), -0.95, 0.95, "xz")
    narrow = body[0][:, 2] > 1.5
    body[0][narrow, 1] *= 0.93
    skirt = box((0, 0, 0.36), (5.2, 1.84, 0.16))
    glass = merged(
        _slope((1.80, 1.36), (1.08, 2.23), 0.80, 0.012),
        _side([(1.66, 1.36), (1.10, 2.06), (0.42, 2.06), (0.42, 1.36)], 0.936),
        both_sides(box((-2.672, 0.45, 1.85), (0.02, 0.72, 0.55))),
    )
    seams = merged(_side([(-1.3, 0.7), (-1.3, 2.2), (-1.28, 2.2), (-1.28, 0.7)], 0.948),
                   _side([(0.3, 0.6), (0.3, 2.2), (0.32, 2.2), (0.32, 0.6)], 0.948),
                   box((-2.675, 0, 1.4), (0.02, 0.02, 1.7)))  # fmt: skip
    mirrors = both_sides(box((1.42, 1.06, 1.48), (0.12, 0.2, 0.3), 0.03))
    bumpers = [box((x, 0, 0.52), (0.1, 1.88, 0.23), 0.03) for x in (2.66, -2.66)]
    trim = merged(*bumpers, box((2.63, 0, 0.86), (0.06, 1.0, 0.16)), mirrors)
    plates = merged(box((2.715, 0, 0.52), (0.012, 0.5, 0.11)), box((-2.715, 0, 0.62), (0.012, 0.5, 0.11)))
    wheels = [p for x in (1.72, -1.62) for y in (0.84, -0.84) for p in wheel("wheel", STEEL_WHEEL, x, y, 20)]
    return (
        part("body", body, f.PAINT, 30), part("skirt", skirt, TRIM), part("glass", glass, GLASS),
        part("seams", seams, TRIM), part("trim", trim, TRIM),
        part("head lights", both_sides(box((2.60, 0.74, 0.92), (0.12, 0.3, 0.18), 0.03)), HEADLAMP),
        part("signals", both_sides(box((2.56, 0.91, 0.92), (0.12, 0.07, 0.16), 0.02)), INDICATOR),
        part("tail lights", both_sides(box((-2.67, 0.87, 1.15), (0.06, 0.12, 0.6), 0.02)), TAILLAMP),
        part("plates", plates, PLATE),
        *wheels,
    )  # fmt: skip


def lorry() -> Parts:
    """Return a lorry with a white box, 7.6 m long, 3.3 m high."""
    outline = [
        (2.05, 0.55),
        (3.72, 0.50),
        (3.80, 0.80),
        (3.78, 1.45),
        (3.46, 2.52),
        (3.25, 2.62),
        (2.05, 2.62),
    ]
    cab = extrude(np.array(outline), -1.12, 1.12, "xz")
    cargo = box((-0.92, 0, 2.06), (5.7, 2.42, 2.45), 0.03)
    rails = merged(both_sides(box((-0.6, 1.216, 3.2), (5.0, 0.02, 0.05))),
                   both_sides(box((-0.7, 1.0, 0.62), (2.4, 0.06, 0.35))),
                   box((0.2, 0, 0.68), (7.0, 0.9, 0.28)), box((-3.75, 0, 0.55), (0.1, 2.3, 0.14)),
                   box((3.80, 0, 0.62), (0.1, 2.2, 0.24), 0.03), box((3.79, 0, 1.06), (0.05, 1.5, 0.3)),
                   both_sides(box((3.55, 1.28, 1.9), (0.1, 0.2, 0.5), 0.03)))  # fmt: skip
    glass = merged(_slope((3.745, 1.56), (3.49, 2.42), 1.0, 0.012),
                   _side([(3.55, 1.55), (3.32, 2.3), (2.5, 2.3), (2.5, 1.55)], 1.115))  # fmt: skip
    doors = merged(box((-3.775, 0, 2.06), (0.012, 0.03, 2.3)), box((-3.775, 0.5, 2.06), (0.03, 0.03, 2.2)),
                   box((-3.775, -0.5, 2.06), (0.03, 0.03, 2.2)))  # fmt: skip
    plates = merged(box((3.856, 0, 0.62), (0.012, 0.5, 0.11)), box((-3.806, 0, 0.55), (0.012, 0.5, 0.11)))
    wheels = [p for x in (2.75, -2.05) for y in (1.0, -1.0) for p in wheel("wheel", LORRY_WHEEL, x, y, 20)]
    return (
        part("cab", cab, f.PAINT, 30), part("cargo", cargo, f.WHITE), part("frame", rails, TRIM),
        part("glass", glass, GLASS), part("doors", doors, f.STEEL),
        part("head lights", both_sides(box((3.80, 0.86, 0.82), (0.06, 0.34, 0.18), 0.02)), HEADLAMP),
        part("signals", both_sides(box((3.79, 1.07, 1.02), (0.06, 0.08, 0.14), 0.02)), INDICATOR),
        part("tail lights", both_sides(box((-3.80, 0.95, 0.72), (0.04, 0.3, 0.14), 0.01)), TAILLAMP),
        part("plates", plates, PLATE),
        *wheels,
    )  # fmt: skip
