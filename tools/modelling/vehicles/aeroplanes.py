"""The four aeroplanes: a business jet, a fighter, a biplane and an airliner, all standing on their wheels.

Tables are in metres at about the size of the real object. Hulls: aft, axis height, half width, up, down,
squareness. Foils: aft, y, z of the leading edge, chord, thickness over chord, cant in degrees. Stripes:
aft, and the angles of their two borders.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Material, Model
from fathom.assets.shapes import ellipsoid, extrude, lathe, merged, tube
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.aeroparts import (
    Piece,
    assembled,
    intake,
    lamp,
    leg,
    missile,
    nacelle,
    nozzle,
    open_cockpits,
    pair,
    pole,
    radial_engine,
    strut,
    wheel,
    with_right,
)
from tools.modelling.vehicles.airframe import (
    Hull,
    band,
    edge,
    foil,
    hull,
    on_hull,
    pane,
    sash,
    seam,
    skin,
    stretch,
)
from tools.modelling.vehicles.materials import GLASS, PAINT, STEEL, TAILLAMP, TRIM, WHITE, WOOD

STARBOARD = Material("starboard_lamp", (0.05, 0.75, 0.25), roughness=0.2, clearcoat=0.6, emission=0.25)
POLISHED = Material("polished_metal", (0.80, 0.81, 0.83), metallic=0.9, roughness=0.24)

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners on a hull: metres aft, degrees from the top towards the left."""


def _oblong(aft: float, angle: float, length: float, height_deg: float) -> Quad:
    a, b, c, d = aft - length / 2, aft + length / 2, angle - height_deg / 2, angle + height_deg / 2
    return (a, c), (b, c), (b, d), (a, d)


def _windows(body: Hull, places: Sequence[Quad], points: int) -> list[Piece]:
    row = [pane(body, q, points=points, rings=1, rounding=0.7) for q in places]
    return pair("windows", merged(*row), GLASS)


def _windscreen(body: Hull, panes: Sequence[Quad], lift: float) -> list[Piece]:
    return [("cockpit", both_sides(pane(body, q, lift, 0.28, points=20)), GLASS) for q in panes]


def _gap(
    name: str, stations: ArrayLike, first: float, last: float, chord: float, width: float
) -> list[Piece]:
    """Return the dark lines ahead of the flaps (or behind the slats) of both sides; `width` in metres."""
    rows = stretch(stations, first, last)
    share = width / rows[:, 3].mean()
    return pair(name, band(rows, (chord, chord + share), 0.4 * width), TRIM)


def _lights(x: float, y: float, z: float, radius: float) -> list[Piece]:
    return [
        lamp("left_light", (x, y, z), radius, TAILLAMP),
        lamp("right_light", (x, -y, z), radius, STARBOARD),
    ]


_AIRLINER_BODY = [
    (0, -0.62, 0.04, 0.04, 0.04, 2), (0.18, -0.62, 0.50, 0.46, 0.46, 2), (0.70, -0.56, 0.98, 0.90, 0.92, 2),
    (1.70, -0.40, 1.48, 1.36, 1.40, 2), (3.10, -0.16, 1.88, 1.86, 1.84, 2), (5.20, 0.00, 2.12, 2.20, 2.14, 2),
    (9.00, 0.00, 2.15, 2.24, 2.18, 2), (21.0, 0.00, 2.15, 2.24, 2.18, 2), (26.0, 0.24, 1.98, 2.02, 1.90, 2),
    (31.0, 0.78, 1.28, 1.34, 1.16, 2), (34.6, 1.24, 0.56, 0.62, 0.52, 2), (35.8, 1.40, 0.24, 0.26, 0.24, 2),
]  # fmt: skip
_AIRLINER_WING = [
    (10.2, 1.2, -1.25, 8.6, 0.13, 3), (13.6, 5.8, -0.85, 5.0, 0.12, 4), (19.3, 15.4, -0.05, 2.3, 0.10, 5),
    (19.9, 16.1, 0.10, 2.0, 0.09, 25), (20.6, 16.5, 0.60, 1.65, 0.08, 62), (21.9, 16.9, 2.3, 0.85, 0.07, 78),
]  # fmt: skip
_AIRLINER_TAILPLANE = [(30.2, 0.4, 1.25, 4.2, 0.10, 6), (33.3, 6.2, 1.80, 1.9, 0.09, 6)]
_AIRLINER_FIN = [(26.2, 0, 1.5, 7.8, 0.10, 90), (28.4, 0, 2.7, 6.0, 0.11, 90), (32.8, 0, 8.2, 3.1, 0.10, 90)]
_AIRLINER_STRIPE = [
    (3.2, 92, 92.5), (6.5, 90, 99), (15, 90, 99), (24, 90, 99), (31, 84, 92), (34, 80, 81),
]  # fmt: skip
_AIRLINER_SCREEN: tuple[Quad, ...] = (
    ((1.22, 3), (1.42, 36), (2.80, 27), (2.62, 3)),
    ((1.50, 41), (2.25, 67), (3.30, 52), (2.92, 31)),
    ((2.42, 69), (3.75, 73), (3.90, 59), (3.45, 55)),
)
_FLAP_TRACKS = ((17.9, 4.0, -1.15), (19.3, 8.0, -0.8), (20.8, 11.8, -0.5))


def airliner() -> Model:
    """Return an airliner with two engines under the wings."""
    body = hull(_AIRLINER_BODY, 3)
    pylon = extrude([(-10.6, -1.2), (-12.2, -0.85), (-15.8, -0.95), (-14.4, -1.75), (-11, -1.6)], 5.52, 5.88)
    tracks = [ellipsoid((-s, y, z), (1.5, 0.2, 0.26), 8, 7) for s, y, z in _FLAP_TRACKS]
    exhaust = [(0.02, -36.0), (0.14, -35.95), (0.17, -35.7), (0.17, -35.5)]
    return assembled("airliner", [
        ("fuselage", skin(body, 32), PAINT),
        ("fuselage", ellipsoid((-15.2, 0, -1.5), (5.6, 2.0, 1.25), 18, 9), PAINT),
        ("tail", lathe(exhaust, "x", 12, (0, 0, 1.40)), TRIM),
        *pair("stripe", sash(body, _AIRLINER_STRIPE, 0.02), WHITE),
        *pair("door", merged(*(seam(body, _oblong(s, 72, 0.95, 46), 0.035) for s in (4.75, 28.0))), TRIM),
        *_windows(body, [_oblong(6.4 + 0.9 * k, 72, 0.52, 19) for k in range(23)], 12),
        *_windscreen(body, _AIRLINER_SCREEN, 0.02),
        *pair("wing", foil(_AIRLINER_WING, tip=0.25), PAINT),
        *pair("wing", edge(_AIRLINER_WING, lift=0.02), POLISHED),
        *_gap("wing", _AIRLINER_WING, 0.3, 1.85, 0.72, 0.05),
        *pair("wing", merged(*tracks), PAINT),
        *pair("tailplane", foil(_AIRLINER_TAILPLANE, tip=0.35), PAINT),
        *_gap("tailplane", _AIRLINER_TAILPLANE, 0.15, 0.95, 0.66, 0.05),
        ("fin", foil(_AIRLINER_FIN, tip=0.4), PAINT),
        ("fin", band(stretch(_AIRLINER_FIN, 1.30, 1.60), (0, 1), 0.025), WHITE),
        ("fin", band(stretch(_AIRLINER_FIN, 1.67, 1.73), (0, 1), 0.025), WHITE),
        *with_right([*nacelle("left_engine", 9.3, 5.7, -2.28, 5.0, 1.5), ("left_engine", pylon, PAINT)]),
        *leg("front_wheel", (-4.6, 0, -4.05), (-4.6, 0, -1.6), 0.15, (0.45, 0.3), 0.28),
        *with_right(leg("back_left_wheel", (-17.2, 3.6, -3.84), (-17, 3.6, -0.9), 0.22, (0.66, 0.44), 0.44)),
        *_lights(-20.35, 16.25, 0.2, 0.16),
    ])  # fmt: skip


_JET_BODY = [
    (0, -0.30, 0.03, 0.03, 0.03, 2), (0.10, -0.30, 0.20, 0.18, 0.18, 2), (0.60, -0.26, 0.45, 0.40, 0.42, 2),
    (1.50, -0.16, 0.72, 0.66, 0.68, 2), (2.60, -0.04, 0.94, 1.02, 0.88, 2), (3.80, 0.00, 1.02, 1.14, 0.98, 2),
    (6.00, 0.00, 1.04, 1.15, 1.00, 2), (9.20, 0.00, 1.04, 1.15, 1.00, 2), (11.4, 0.16, 0.84, 0.92, 0.76, 2),
    (13.4, 0.40, 0.46, 0.52, 0.42, 2), (15.0, 0.56, 0.10, 0.12, 0.10, 2),
]  # fmt: skip
_JET_WING = [
    (6.2, 0.5, -0.78, 4.2, 0.13, 3), (7.4, 2.2, -0.68, 3.1, 0.12, 4), (9.6, 7.3, -0.25, 1.5, 0.11, 5),
    (9.9, 7.7, -0.17, 1.3, 0.10, 30), (10.2, 7.92, 0.08, 1.12, 0.09, 62), (10.9, 8.2, 1.05, 0.55, 0.08, 76),
]  # fmt: skip
_JET_TAILPLANE = [(13.0, 0.0, 3.9, 2.2, 0.10, 0), (14.3, 3.4, 4.0, 1.1, 0.09, 0)]
_JET_FIN = [(9.6, 0, 0.7, 4.7, 0.10, 90), (10.9, 0, 1.5, 3.4, 0.11, 90), (13.0, 0, 3.85, 2.2, 0.12, 90)]
_JET_STRIPE = [
    (0.75, 88, 92), (2.5, 94, 103), (6, 95, 105), (9.5, 92, 102), (12, 72, 84), (13.6, 42, 54),
]  # fmt: skip
_JET_SCREEN: tuple[Quad, ...] = (
    ((1.52, 3), (1.66, 44), (2.66, 35), (2.50, 3)),
    ((1.78, 50), (2.75, 72), (3.30, 54), (2.80, 40)),
)


def jet() -> Model:
    """Return a business jet with engines at the rear and a T-tail."""
    body = hull(_JET_BODY, 3)
    pylon = foil([(10.1, 0.5, 0.42, 2.0, 0.16, 0), (10.1, 1.4, 0.5, 1.9, 0.16, 0)])
    return assembled("jet", [
        ("fuselage", skin(body, 36), PAINT),
        ("fuselage", ellipsoid((-8.2, 0, -0.72), (2.9, 1.0, 0.55), 18, 11), PAINT),
        *pair("stripe", sash(body, _JET_STRIPE), WHITE),
        ("left_door", seam(body, _oblong(3.55, 72, 0.75, 66), 0.018), TRIM),
        *_windows(body, [_oblong(4.5 + 0.8 * k, 66, 0.50, 27) for k in range(6)], 20),
        *_windscreen(body, _JET_SCREEN, 0.012),
        *pair("wing", foil(_JET_WING, tip=0.12), PAINT),
        *pair("wing", edge(_JET_WING, lift=0.01), POLISHED),
        *_gap("wing", _JET_WING, 0.3, 1.85, 0.72, 0.025),
        *pair("tailplane", foil(_JET_TAILPLANE, tip=0.2), PAINT),
        *pair("tailplane", edge(_JET_TAILPLANE, lift=0.01), POLISHED),
        *_gap("tailplane", _JET_TAILPLANE, 0.1, 0.95, 0.66, 0.025),
        ("fin", foil(_JET_FIN, tip=0.1), PAINT),
        ("fin", band(stretch(_JET_FIN, 1.35, 1.65), (0, 1), 0.012), WHITE),
        ("fin", ellipsoid((-14.0, 0, 3.91), (1.4, 0.18, 0.18), 12, 9), PAINT),
        *with_right([*nacelle("left_engine", 9.2, 1.80, 0.54, 3.6, 0.70), ("left_engine", pylon, PAINT)]),
        *leg("front_wheel", (-2.6, 0, -1.75), (-2.7, 0, -0.7), 0.07, (0.24, 0.15), 0.14),
        *with_right(leg("back_left_wheel", (-9.0, 1.9, -1.66), (-8.9, 1.9, -0.6), 0.1, (0.33, 0.22), 0.21)),
        *_lights(-10.22, 7.82, -0.05, 0.08),
    ])  # fmt: skip


_FIGHTER_BODY = [
    (0, -0.10, 0.02, 0.02, 0.02, 2), (0.50, -0.10, 0.17, 0.17, 0.17, 2), (1.60, -0.07, 0.42, 0.42, 0.42, 2),
    (3.00, -0.02, 0.66, 0.66, 0.64, 2.1), (4.60, 0, 0.84, 0.78, 0.78, 2.3), (6.40, 0, 1.02, 0.88, 0.82, 2.5),
    (8.60, 0, 1.40, 0.92, 0.82, 2.7), (11.0, 0, 1.60, 0.82, 0.78, 3), (13.6, 0, 1.55, 0.70, 0.70, 3),
    (15.6, 0, 1.36, 0.60, 0.60, 3),
]  # fmt: skip
_FIGHTER_CANOPY = [
    (3.0, 0.48, 0.05, 0.03, 0.3, 2), (3.3, 0.50, 0.30, 0.24, 0.3, 2), (4.0, 0.52, 0.50, 0.62, 0.3, 2),
    (5.0, 0.55, 0.59, 0.86, 0.3, 2), (6.2, 0.58, 0.55, 0.74, 0.3, 2), (7.4, 0.64, 0.36, 0.42, 0.3, 2),
    (8.4, 0.70, 0.05, 0.12, 0.3, 2),
]  # fmt: skip
_FIGHTER_WING = [
    (4.6, 0.75, 0.22, 10.2, 0.02, 0), (6.6, 1.25, 0.22, 8.2, 0.032, 0), (8.5, 2.0, 0.22, 6.3, 0.042, 0),
    (12.3, 6.0, 0.16, 2.1, 0.045, 0),
]  # fmt: skip
_FIGHTER_TAILPLANE = [(13.4, 1.3, 0.0, 3.7, 0.05, 0), (15.7, 4.1, 0.0, 1.5, 0.045, 0)]
_FIGHTER_FIN = [(11.0, 1.30, 0.45, 4.2, 0.06, 68), (13.8, 2.33, 3.0, 1.9, 0.05, 68)]


def fighter() -> Model:
    """Return a fighter with a bubble canopy, twin fins and two nozzles."""
    body, canopy = hull(_FIGHTER_BODY), hull(_FIGHTER_CANOPY)
    arc = np.linspace(-100, 100, 15)
    bows = [tube(on_hull(canopy, np.full(15, s), arc), 0.045, 6) for s in (4.25, 6.6)]
    pylon = extrude([(-10.2, 0.2), (-12.6, 0.2), (-12.4, -0.28), (-10.6, -0.28)], 3.55, 3.65)
    return assembled("fighter", [
        ("nose", skin(body, 36, last=1.7), TRIM),
        ("nose", pole((0.7, 0, -0.1), (-0.1, 0, -0.1), 0.035), STEEL),
        ("fuselage", skin(body, 36, first=1.7), PAINT),
        ("cockpit", skin(canopy, 24), GLASS),
        ("cockpit", merged(*bows), PAINT),
        *intake(),
        *nozzle(),
        *pair("wing", foil(_FIGHTER_WING), PAINT),
        *_gap("wing", _FIGHTER_WING, 2.05, 2.96, 0.80, 0.035),
        *_gap("wing", _FIGHTER_WING, 2.05, 2.96, 0.12, 0.035),
        *pair("wing", pylon, PAINT),
        *missile((-11.2, 6.1, 0.16), 3.4),
        *missile((-9.4, 3.6, -0.36), 3.6),
        *pair("tailplane", foil(_FIGHTER_TAILPLANE), PAINT),
        *pair("fin", foil(_FIGHTER_FIN), PAINT),
        *pair("fin", band(stretch(_FIGHTER_FIN, 0.72, 0.90), (0, 1), 0.014), WHITE),
        *leg("front_wheel", (-4.9, 0, -1.55), (-5.0, 0, -0.5), 0.09, (0.34, 0.2)),
        *with_right(leg("back_left_wheel", (-10.6, 1.75, -1.47), (-10.4, 1.4, -0.4), 0.12, (0.42, 0.28))),
        *_lights(-9.45, 2.75, 0.25, 0.07),
    ])  # fmt: skip


_BIPLANE_BODY = [
    (0.90, 0, 0.46, 0.46, 0.46, 2.0), (1.10, 0, 0.54, 0.54, 0.54, 2.1), (1.80, 0, 0.56, 0.58, 0.60, 2.3),
    (3.00, 0, 0.54, 0.60, 0.60, 2.4), (4.20, 0.04, 0.44, 0.50, 0.48, 2.2), (5.60, 0.08, 0.25, 0.31, 0.29, 2),
    (7.00, 0.12, 0.06, 0.14, 0.12, 2),
]  # fmt: skip
_BIPLANE_UPPER = [(1.10, 0, 1.42, 1.55, 0.10, 0), (1.10, 4.05, 1.48, 1.55, 0.10, 0)]
_BIPLANE_LOWER = [(1.80, 0, -0.44, 1.45, 0.10, 3), (1.80, 3.75, -0.24, 1.45, 0.10, 3)]
_BIPLANE_TAILPLANE = [(5.85, 0, 0.22, 1.20, 0.07, 0), (6.00, 1.0, 0.22, 1.05, 0.07, 0)]
_BIPLANE_FIN = [
    (5.75, 0, 0.15, 1.50, 0.07, 90), (5.98, 0, 0.50, 1.33, 0.07, 90), (6.22, 0, 0.86, 1.10, 0.07, 90),
    (6.44, 0, 1.10, 0.82, 0.07, 90), (6.66, 0, 1.24, 0.46, 0.07, 90), (6.84, 0, 1.29, 0.16, 0.07, 90),
]  # fmt: skip
_BIPLANE_STRIPE = [(1.1, 84, 108), (2.4, 84, 106), (4.2, 86, 102), (6.2, 88, 94)]
_BIPLANE_STRUTS = [
    ((-2.05, 2.95, -0.27), (-1.40, 2.95, 1.45), 0.15), ((-2.95, 2.95, -0.27), (-2.30, 2.95, 1.45), 0.15),
    ((-2.05, 2.95, -0.27), (-2.30, 2.95, 1.45), 0.11), ((-1.65, 0.40, 0.40), (-1.40, 0.62, 1.45), 0.12),
    ((-2.50, 0.40, 0.40), (-2.25, 0.62, 1.45), 0.12),
]  # fmt: skip
_TAIL_DOWN_RAD = math.atan2(1.09, 5.05)
"""The pitch at which the main wheels and the tail wheel both touch the ground."""


def biplane() -> Model:
    """Return a biplane with a radial engine and two open cockpits, standing on its tail wheel."""
    body = hull(_BIPLANE_BODY)
    axle = (-1.55, 0.98, -1.25)
    main = [strut(axle, (x, 0.36, -0.42), 0.14, 0.07) for x in (-1.25, -2.15)]
    return assembled("biplane", [
        *open_cockpits(body, (2.45, 3.55)),
        *pair("stripe", sash(body, _BIPLANE_STRIPE, 0.012), WHITE),
        *radial_engine(),
        *pair("upper_wing", foil(_BIPLANE_UPPER, tip=0.5), PAINT),
        *_gap("upper_wing", _BIPLANE_UPPER, 0.45, 1.0, 0.76, 0.025),
        *pair("lower_wing", foil(_BIPLANE_LOWER, tip=0.5), PAINT),
        *pair("strut", merged(*(strut(a, b, c, 0.48 * c) for a, b, c in _BIPLANE_STRUTS)), WOOD),
        *pair("tailplane", foil(_BIPLANE_TAILPLANE, tip=0.5), PAINT),
        *_gap("tailplane", _BIPLANE_TAILPLANE, 0, 1, 0.55, 0.025),
        ("fin", foil(_BIPLANE_FIN), PAINT),
        ("rudder", band(_BIPLANE_FIN, (0.55, 1.0)), WHITE),
        *pair("strut", merged(*main), PAINT),
        *with_right(wheel("front_left_wheel", (-1.55, 1.0, -1.25), 0.40, 0.22)),
        ("back_wheel", pole((-6.55, 0, -0.35), (-6.4, 0, 0.0), 0.05), STEEL),
        *wheel("back_wheel", (-6.6, 0, -0.40), 0.16, 0.10),
    ], _TAIL_DOWN_RAD)  # fmt: skip
