"""The four aeroplanes: a business jet, a fighter, a biplane and an airliner, all standing on their wheels.

Tables are in metres at about the size of the real thing. Hulls: aft, axis height, half width, up, down,
squareness. Foils: aft, y, z of the leading edge, chord, thickness over chord, cant in degrees.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.build.assets.model import Material, Model
from fathom.build.assets.shapes import (
    Shell,
    box,
    cut,
    ellipsoid,
    extrude,
    inside_out,
    lathe,
    loft,
    merged,
    tube,
    turned,
)
from fathom.build.assets.vehicles.airframe import (
    Hull,
    Piece,
    assembled,
    band,
    edge,
    foil,
    hull,
    lamp,
    leg,
    nacelle,
    on_hull,
    pair,
    pane,
    pole,
    sash,
    seam,
    skin,
    stretch,
    strut,
    wheel,
    with_right,
)
from fathom.build.assets.vehicles.materials import (
    CHROME,
    GLASS,
    INTERIOR,
    LEATHER,
    PAINT,
    STEEL,
    TAILLAMP,
    TRIM,
    WHITE,
    WOOD,
)

STARBOARD = Material("starboard_lamp", (0.05, 0.75, 0.25), roughness=0.2, clearcoat=0.6, emission=0.25)
BURNT = Material("burnt_steel", (0.20, 0.18, 0.17), metallic=0.8, roughness=0.42)

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners on a hull: metres aft, degrees from the top towards the left."""


def _oblong(aft: float, angle: float, length: float, height_deg: float) -> Quad:
    a, b, c, d = aft - length / 2, aft + length / 2, angle - height_deg / 2, angle + height_deg / 2
    return (a, c), (b, c), (b, d), (a, d)


def _windows(body: Hull, first: float, pitch: float, count: int, angle: float, length: float, height_deg: float) -> list[Piece]:
    places = (_oblong(first + k * pitch, angle, length, height_deg) for k in range(count))
    shells = [pane(body, q, points=12, rings=1, rounding=0.7) for q in places]
    return pair("windows", merged(*shells), GLASS)


def _windscreen(body: Hull, panes: tuple[Quad, ...], lift: float) -> list[Piece]:
    shells = [pane(body, q, lift, rounding=0.28, points=20) for q in panes]
    return [("cockpit", s, GLASS) for left in shells for s in (left, pair("", left, GLASS)[1][1])]


def _wing(stations: list[tuple[float, ...]], tip: float, flap: float, fine: float, polished: bool = True) -> list[Piece]:
    """Return both wings with polished leading edges and the gap ahead of the flaps; `fine` is a gap's width."""
    camber = 0.015
    chord = stations[1][3]
    gap = band(stretch(stations, 0.3, 2.85), (flap, flap + fine / chord), 0.4 * fine, camber, points=2)
    out = pair("wing", foil(stations, camber, tip), PAINT) + pair("wing", gap, TRIM)
    if polished:
        out += pair("wing", edge(stations, 2, camber, lift=0.4 * fine), CHROME)
    return out


_AIRLINER_BODY = [
    (0.00, -0.62, 0.04, 0.04, 0.04, 2.0), (0.18, -0.62, 0.50, 0.46, 0.46, 2.0), (0.70, -0.56, 0.98, 0.90, 0.92, 2.0),
    (1.70, -0.40, 1.48, 1.36, 1.40, 2.0), (3.10, -0.16, 1.88, 1.86, 1.84, 2.0), (5.20, 0.00, 2.12, 2.20, 2.14, 2.0),
    (9.00, 0.00, 2.15, 2.24, 2.18, 2.0), (21.0, 0.00, 2.15, 2.24, 2.18, 2.0), (26.0, 0.24, 1.98, 2.02, 1.90, 2.0),
    (31.0, 0.78, 1.28, 1.34, 1.16, 2.0), (34.6, 1.24, 0.56, 0.62, 0.52, 2.0), (35.8, 1.40, 0.24, 0.26, 0.24, 2.0),
]  # fmt: skip
_AIRLINER_WING = [
    (10.2, 1.2, -1.25, 8.6, 0.13, 3), (13.6, 5.8, -0.85, 5.0, 0.12, 4), (19.3, 15.4, -0.05, 2.3, 0.10, 5),
    (19.9, 16.1, 0.10, 2.0, 0.09, 25), (20.6, 16.5, 0.60, 1.65, 0.08, 62), (21.9, 16.9, 2.3, 0.85, 0.07, 78),
]  # fmt: skip
_AIRLINER_TAILPLANE = [(30.2, 0.4, 1.25, 4.2, 0.10, 6), (33.3, 6.2, 1.80, 1.9, 0.09, 6)]
_AIRLINER_FIN = [(26.2, 0, 1.5, 7.8, 0.10, 90), (28.4, 0, 2.7, 6.0, 0.11, 90), (32.8, 0, 8.2, 3.1, 0.10, 90)]
_AIRLINER_SCREEN: tuple[Quad, ...] = (
    ((1.22, 3), (1.42, 36), (2.80, 27), (2.62, 3)),
    ((1.50, 41), (2.25, 67), (3.30, 52), (2.92, 31)),
    ((2.42, 69), (3.75, 73), (3.90, 59), (3.45, 55)),
)


def airliner() -> Model:
    """Return an airliner with two engines under the wings."""
    body = hull(_AIRLINER_BODY, 3)
    engine = nacelle("left_engine", 9.3, 5.7, -2.34, 5.0, 1.5)
    pylon = extrude([(-10.6, -1.2), (-12.2, -0.85), (-15.8, -0.95), (-14.4, -1.75), (-11.0, -1.6)], 5.52, 5.88)
    main = leg("back_left_wheel", (-17.2, 3.6, -3.55), (-17.0, 3.6, -0.9), 0.22, (0.66, 0.44), 0.44)
    doors = [seam(body, _oblong(s, 72, 0.95, 46), 0.035) for s in (4.75, 28.0)]
    canoes = [ellipsoid((-s, y, z), (1.5, 0.2, 0.26), 8, 7) for s, y, z in ((17.9, 4.0, -1.15), (19.3, 8.0, -0.8), (20.8, 11.8, -0.5))]
    return assembled("airliner", [
        ("fuselage", skin(body, 36), PAINT),
        ("fuselage", ellipsoid((-15.2, 0, -1.5), (5.6, 2.0, 1.25), 20, 11), PAINT),
        ("tail", lathe([(0.02, -36.0), (0.14, -35.95), (0.17, -35.7), (0.17, -35.5)], "x", 12, (0, 0, 1.40)), TRIM),
        *pair("stripe", sash(body, [(3.2, 92, 92.5), (6.5, 90, 99), (15, 90, 99), (24, 90, 99), (31, 84, 92), (34, 80, 81)], 0.02), WHITE),
        *pair("door", merged(*doors), TRIM),
        *_windows(body, 6.4, 0.86, 24, 72, 0.50, 19),
        *_windscreen(body, _AIRLINER_SCREEN, 0.02),
        *_wing(_AIRLINER_WING, 0.25, 0.72, 0.05),
        *pair("wing", merged(*canoes), PAINT),
        *pair("tailplane", foil(_AIRLINER_TAILPLANE, tip=0.35), PAINT),
        *pair("tailplane", band(stretch(_AIRLINER_TAILPLANE, 0.15, 0.95), (0.66, 0.68), 0.02, points=2), TRIM),
        ("fin", foil(_AIRLINER_FIN, tip=0.4), PAINT),
        ("fin", band(stretch(_AIRLINER_FIN, 1.30, 1.60), (0.0, 1.0), 0.025), WHITE),
        ("fin", band(stretch(_AIRLINER_FIN, 1.67, 1.73), (0.0, 1.0), 0.025), WHITE),
        *with_right([*engine, ("left_engine", pylon, PAINT)]),
        *leg("front_wheel", (-4.6, 0, -3.76), (-4.6, 0, -1.6), 0.15, (0.45, 0.3), 0.28),
        *with_right(main),
        lamp("left_light", (-20.0, 16.25, 0.2), 0.16, TAILLAMP),
        lamp("right_light", (-20.0, -16.25, 0.2), 0.16, STARBOARD),
    ])  # fmt: skip


_JET_BODY = [
    (0.00, -0.30, 0.03, 0.03, 0.03, 2.0), (0.10, -0.30, 0.20, 0.18, 0.18, 2.0), (0.60, -0.26, 0.45, 0.40, 0.42, 2.0),
    (1.50, -0.16, 0.72, 0.66, 0.68, 2.0), (2.60, -0.04, 0.94, 1.02, 0.88, 2.0), (3.80, 0.00, 1.02, 1.14, 0.98, 2.0),
    (6.00, 0.00, 1.04, 1.15, 1.00, 2.0), (9.20, 0.00, 1.04, 1.15, 1.00, 2.0), (11.4, 0.16, 0.84, 0.92, 0.76, 2.0),
    (13.4, 0.40, 0.46, 0.52, 0.42, 2.0), (15.0, 0.56, 0.10, 0.12, 0.10, 2.0),
]  # fmt: skip
_JET_WING = [
    (5.5, 0.5, -0.78, 4.2, 0.13, 3), (6.7, 2.2, -0.68, 3.1, 0.12, 4), (8.9, 7.3, -0.25, 1.5, 0.11, 5),
    (9.2, 7.7, -0.17, 1.3, 0.10, 30), (9.5, 7.92, 0.08, 1.12, 0.09, 62), (10.2, 8.2, 1.05, 0.55, 0.08, 76),
]  # fmt: skip
_JET_TAILPLANE = [(12.8, 0.0, 3.55, 2.2, 0.10, 0), (14.1, 3.4, 3.65, 1.1, 0.09, 0)]
_JET_FIN = [(9.6, 0, 0.7, 4.7, 0.10, 90), (10.9, 0, 1.5, 3.4, 0.11, 90), (12.8, 0, 3.5, 2.2, 0.12, 90)]
_JET_SCREEN: tuple[Quad, ...] = (
    ((1.52, 3), (1.66, 44), (2.66, 35), (2.50, 3)),
    ((1.78, 50), (2.75, 72), (3.30, 54), (2.80, 40)),
)


def jet() -> Model:
    """Return a business jet with engines at the rear and a T-tail."""
    body = hull(_JET_BODY, 3)
    engine = nacelle("left_engine", 9.0, 1.80, 0.54, 3.6, 0.70)
    pylon = foil([(9.9, 0.5, 0.42, 2.0, 0.16, 0), (9.9, 1.4, 0.5, 1.9, 0.16, 0)])
    main = leg("back_left_wheel", (-8.3, 1.9, -1.66), (-8.2, 1.9, -0.6), 0.1, (0.33, 0.22), 0.21)
    return assembled("jet", [
        ("fuselage", skin(body, 36), PAINT),
        ("fuselage", ellipsoid((-7.6, 0, -0.72), (2.9, 1.0, 0.55), 18, 11), PAINT),
        *pair("stripe", sash(body, [(0.75, 88, 92), (2.5, 94, 103), (6, 95, 105), (9.5, 92, 102), (12, 72, 84), (13.6, 42, 54)], 0.01), WHITE),
        ("left_door", seam(body, _oblong(3.55, 72, 0.75, 66), 0.018), TRIM),
        *_windows(body, 4.5, 0.80, 6, 66, 0.48, 26),
        *_windscreen(body, _JET_SCREEN, 0.012),
        *_wing(_JET_WING, 0.12, 0.72, 0.025),
        *pair("tailplane", foil(_JET_TAILPLANE, tip=0.2), PAINT),
        *pair("tailplane", band(stretch(_JET_TAILPLANE, 0.1, 0.95), (0.66, 0.68), 0.01, points=2), TRIM),
        ("fin", foil(_JET_FIN, tip=0.1), PAINT),
        ("fin", band(stretch(_JET_FIN, 1.35, 1.65), (0.0, 1.0), 0.012), WHITE),
        ("fin", ellipsoid((-13.8, 0, 3.56), (1.4, 0.18, 0.18), 12, 9), PAINT),
        *with_right([*engine, ("left_engine", pylon, PAINT)]),
        *leg("front_wheel", (-2.6, 0, -1.75), (-2.7, 0, -0.7), 0.07, (0.24, 0.15), 0.14),
        *with_right(main),
        lamp("left_light", (-9.4, 7.82, -0.05), 0.08, TAILLAMP),
        lamp("right_light", (-9.4, -7.82, -0.05), 0.08, STARBOARD),
    ])  # fmt: skip


_FIGHTER_BODY = [
    (0.00, -0.10, 0.02, 0.02, 0.02, 2.0), (0.50, -0.10, 0.17, 0.17, 0.17, 2.0), (1.60, -0.07, 0.42, 0.42, 0.42, 2.0),
    (3.00, -0.02, 0.66, 0.66, 0.64, 2.1), (4.60, 0.00, 0.84, 0.78, 0.78, 2.3), (6.40, 0.00, 1.02, 0.88, 0.82, 2.5),
    (8.60, 0.00, 1.40, 0.92, 0.82, 2.7), (11.0, 0.00, 1.60, 0.82, 0.78, 3.0), (13.6, 0.00, 1.55, 0.70, 0.70, 3.0),
    (15.6, 0.00, 1.36, 0.60, 0.60, 3.0),
]  # fmt: skip
_FIGHTER_CANOPY = [
    (3.0, 0.48, 0.05, 0.03, 0.3, 2.0), (3.3, 0.50, 0.30, 0.24, 0.3, 2.0), (4.0, 0.52, 0.50, 0.62, 0.3, 2.0),
    (5.0, 0.55, 0.59, 0.86, 0.3, 2.0), (6.2, 0.58, 0.55, 0.74, 0.3, 2.0), (7.4, 0.64, 0.36, 0.42, 0.3, 2.0),
    (8.4, 0.70, 0.05, 0.12, 0.3, 2.0),
]  # fmt: skip
_FIGHTER_WING = [
    (4.6, 0.75, 0.22, 10.2, 0.02, 0), (6.6, 1.25, 0.22, 8.2, 0.032, 0), (8.5, 2.0, 0.22, 6.3, 0.042, 0),
    (12.3, 6.0, 0.16, 2.1, 0.045, 0),
]  # fmt: skip
_FIGHTER_TAILPLANE = [(13.4, 1.3, 0.0, 3.7, 0.05, 0), (15.7, 4.1, 0.0, 1.5, 0.045, 0)]
_FIGHTER_FIN = [(11.0, 1.30, 0.45, 4.2, 0.06, 68), (13.8, 2.33, 3.0, 1.9, 0.05, 68)]


def _intake() -> list[Piece]:
    corners = np.array([(0.35, 0.78, 0.42), (0.35, 1.74, 0.30), (-0.35, 1.78, -0.74), (-0.35, 0.86, -0.84)])
    front = corners - (6.7, 0, 0)
    middle = corners * (0, 1, 1) - (9.0, 0, 0)
    rear = np.array([(-12.6, 0.7, 0.30), (-12.6, 1.5, 0.26), (-12.6, 1.5, -0.66), (-12.6, 0.7, -0.7)])
    mouth = (front - front.mean(axis=0)) * 0.86 + front.mean(axis=0) + (0.012, 0, 0)
    dark = loft(np.stack([mouth, mouth - (0.3, 0, 0)]))
    return pair("intake", loft(np.stack([front, middle, rear])), PAINT) + pair("intake", dark, TRIM)


def _nozzle() -> list[Piece]:
    at = (0, 0.72, 0)
    shroud = [(0.66, -15.2), (0.65, -15.9), (0.60, -16.1), (0.58, -15.9), (0.58, -15.2), (0.66, -15.2)]
    petals = [(0.61, -15.9), (0.58, -16.3), (0.46, -17.1), (0.42, -17.1), (0.52, -16.3), (0.54, -15.9), (0.61, -15.9)]
    flame = [(0.0, -15.8), (0.55, -15.8), (0.55, -16.0), (0.0, -16.0)]
    return [
        *pair("nozzle", lathe(shroud, "x", 24, at), STEEL),
        *pair("nozzle", lathe(petals, "x", 24, at), BURNT),
        *pair("nozzle", lathe(flame, "x", 24, at), TRIM),
    ]


def _missile(nose: tuple[float, float, float], length: float) -> list[Piece]:
    x, y, z = nose
    tip, shoulder = 0.06 * length, 0.16 * length
    path = [(x, y, z), (x - 0.3 * tip, y, z), (x - tip, y, z), (x - shoulder, y, z), (x - length, y, z)]
    pieces = [tube(path, [0.01, 0.05, 0.09, 0.12, 0.12], 10)]
    for a in (45, 135):
        for at, span in ((0.28, 0.42), (0.93, 0.56)):
            vane = box((x - at * length, y, z), (0.28, span, 0.03))
            pieces.append(turned(vane, "x", math.radians(a), (x, y, z)))
    return pair("missile", merged(*pieces), WHITE)


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
        *_intake(),
        *_nozzle(),
        *pair("wing", foil(_FIGHTER_WING), PAINT),
        *pair("wing", band(stretch(_FIGHTER_WING, 2.05, 2.96), (0.80, 0.808), 0.012, points=2), TRIM),
        *pair("wing", band(stretch(_FIGHTER_WING, 2.05, 2.96), (0.12, 0.128), 0.012, points=2), TRIM),
        *pair("wing", pylon, PAINT),
        *_missile((-11.2, 6.1, 0.16), 3.4),
        *_missile((-9.4, 3.6, -0.36), 3.6),
        *pair("tailplane", foil(_FIGHTER_TAILPLANE), PAINT),
        *pair("fin", foil(_FIGHTER_FIN), PAINT),
        *pair("fin", band(stretch(_FIGHTER_FIN, 0.72, 0.90), (0.0, 1.0), 0.014), WHITE),
        *leg("front_wheel", (-4.9, 0, -1.55), (-5.0, 0, -0.5), 0.09, (0.34, 0.2)),
        *with_right(leg("back_left_wheel", (-10.6, 1.75, -1.47), (-10.4, 1.4, -0.4), 0.12, (0.42, 0.28))),
        lamp("left_light", (-9.2, 2.75, 0.24), 0.07, TAILLAMP),
        lamp("right_light", (-9.2, -2.75, 0.24), 0.07, STARBOARD),
    ])  # fmt: skip


_BIPLANE_BODY = [
    (0.90, 0.00, 0.46, 0.46, 0.46, 2.0), (1.10, 0.00, 0.54, 0.54, 0.54, 2.1), (1.80, 0.00, 0.56, 0.58, 0.60, 2.3),
    (3.00, 0.00, 0.54, 0.60, 0.60, 2.4), (4.20, 0.04, 0.44, 0.50, 0.48, 2.2), (5.60, 0.08, 0.25, 0.31, 0.29, 2.0),
    (7.00, 0.12, 0.06, 0.14, 0.12, 2.0),
]  # fmt: skip
_BIPLANE_UPPER = [(1.10, 0, 1.42, 1.55, 0.10, 0), (1.10, 4.05, 1.48, 1.55, 0.10, 0)]
_BIPLANE_LOWER = [(1.80, 0, -0.44, 1.45, 0.10, 3), (1.80, 3.75, -0.24, 1.45, 0.10, 3)]
_BIPLANE_TAILPLANE = [(5.85, 0, 0.22, 1.20, 0.07, 0), (6.00, 1.0, 0.22, 1.05, 0.07, 0)]
_BIPLANE_FIN = [
    (5.75, 0, 0.15, 1.50, 0.07, 90), (5.98, 0, 0.50, 1.33, 0.07, 90), (6.22, 0, 0.86, 1.10, 0.07, 90),
    (6.44, 0, 1.10, 0.82, 0.07, 90), (6.66, 0, 1.24, 0.46, 0.07, 90), (6.84, 0, 1.29, 0.16, 0.07, 90),
]  # fmt: skip


def _radial_engine() -> list[Piece]:
    ring = [(0.54, -0.45), (0.61, -0.40), (0.65, -0.65), (0.63, -1.02), (0.58, -1.02), (0.60, -0.65), (0.54, -0.45)]
    crank = [(0.0, -0.45), (0.16, -0.5), (0.24, -0.62), (0.24, -0.95)]
    barrel = [(0.0, 0.2), (0.11, 0.2), (0.11, 0.54), (0.0, 0.54)]
    cylinders = [turned(lathe(barrel, "z", 10, (-0.72, 0, 0)), "x", 2 * math.pi * k / 9) for k in range(9)]
    blade = foil([(0.27, 0.0, 0.0, 0.12, 0.5, 0), (0.2, 0.25, 0, 0.24, 0.25, 0), (0.2, 0.85, 0, 0.25, 0.15, 0)], tip=0.4)
    blades = [turned(turned(blade, "y", 1.1, (-0.3, 0, 0)), "x", math.pi * k + 1.0) for k in range(2)]
    hub = [(0.001, -0.08), (0.11, -0.17), (0.15, -0.32), (0.15, -0.45)]
    return [
        ("engine", lathe(ring, "x", 28), PAINT),
        ("engine", lathe(crank, "x", 18), STEEL),
        ("engine", merged(*cylinders), TRIM),
        ("engine", tube([(-1.0, -0.35, -0.5), (-1.3, -0.45, -0.6), (-1.9, -0.48, -0.66)], 0.06, 8), CHROME),
        ("propeller", merged(*blades), WOOD),
        ("propeller", lathe(hub, "x", 16), CHROME),
    ]


def _open_cockpits(body: Hull, places: tuple[float, ...]) -> list[Piece]:
    """Return the fuselage with wells cut into it, their lining, padded rims, seats and windscreens."""
    wells = [ellipsoid((-s, 0, 0.62), (0.42, 0.36, 0.55), 20, 13) for s in places]
    out: list[Piece] = [("fuselage", cut(skin(body, 32), *wells), PAINT)]
    a = np.linspace(0, 2 * math.pi, 25)[:-1]
    for s, (v, f) in zip(places, wells, strict=True):
        low = f[v[f][:, :, 2].max(axis=1) < 0.50]
        shrunk = (v - v.mean(axis=0)) * 0.97 + v.mean(axis=0)
        out.append(("cockpit", inside_out((shrunk, low)), INTERIOR))
        out.append(("cockpit", box((-s - 0.24, 0, 0.42), (0.08, 0.42, 0.52), 0.03), LEATHER))
        rim = on_hull(body, s + 0.42 * np.cos(a), 37 * np.sin(a))
        out.append(("cockpit", tube(rim, 0.04, 6, closed=True), LEATHER))
        out += _screen(body, s - 0.44)
    return out


def _screen(body: Hull, aft: float) -> list[Piece]:
    angle = np.linspace(-36, 36, 9)
    foot = on_hull(body, aft + 0.10 * (angle / 36) ** 2, angle)
    top = foot * (1, 0.86, 1) + np.column_stack([np.full(9, -0.16), np.zeros(9), np.full(9, 0.27)])
    thick = np.array([0.02, 0, 0.01])
    rings: Shell = loft(np.stack([foot + thick, top + thick, top - thick, foot - thick], axis=1))
    return [("windscreen", rings, GLASS), ("windscreen", tube(top, 0.022, 6), CHROME)]


def biplane() -> Model:
    """Return a biplane with a radial engine and two open cockpits, standing on its tail wheel."""
    body = hull(_BIPLANE_BODY)
    gear = [strut((-1.55, 0.98, -1.25), (x, 0.36, -0.42), 0.14, 0.07) for x in (-1.25, -2.15)]
    main: list[Piece] = [("front_left_wheel", merged(*gear), PAINT), *wheel("front_left_wheel", (-1.55, 1.0, -1.25), 0.40, 0.22)]
    struts = [strut((-2.05, y, -0.27), (-1.4, y, 1.45), 0.15, 0.07) for y in (2.95,)]
    struts += [strut((-2.95, y, -0.27), (-2.3, y, 1.45), 0.15, 0.07) for y in (2.95,)]
    struts.append(strut((-2.05, 2.95, -0.27), (-2.3, 2.95, 1.45), 0.11, 0.05))
    struts += [strut((x - 0.25, 0.40, 0.4), (x, 0.62, 1.45), 0.12, 0.06) for x in (-1.4, -2.25)]
    return assembled("biplane", [
        *_open_cockpits(body, (2.45, 3.55)),
        *pair("stripe", sash(body, [(1.1, 84, 108), (2.4, 84, 106), (4.2, 86, 102), (6.2, 88, 94)], 0.012), WHITE),
        *_radial_engine(),
        *pair("upper_wing", foil(_BIPLANE_UPPER, 0.03, tip=0.5), PAINT),
        *pair("upper_wing", band(stretch(_BIPLANE_UPPER, 0.45, 1.0), (0.76, 0.775), 0.008, 0.03, points=2), TRIM),
        *pair("lower_wing", foil(_BIPLANE_LOWER, 0.03, tip=0.5), PAINT),
        *pair("strut", merged(*struts), WOOD),
        *pair("tailplane", foil(_BIPLANE_TAILPLANE, tip=0.5), PAINT),
        *pair("tailplane", band(_BIPLANE_TAILPLANE, (0.55, 0.57), 0.008, points=2), TRIM),
        ("fin", foil(_BIPLANE_FIN), PAINT),
        ("rudder", band(_BIPLANE_FIN, (0.55, 1.0), 0.01), WHITE),
        *with_right(main),
        ("back_wheel", pole((-6.55, 0, -0.35), (-6.4, 0, 0.0), 0.05), STEEL),
        *wheel("back_wheel", (-6.6, 0, -0.40), 0.16, 0.10),
    ], math.atan2(1.65 - 0.56, 5.05))  # fmt: skip
