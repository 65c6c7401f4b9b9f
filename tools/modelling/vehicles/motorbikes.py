"""The built-in motorbikes: chopper, dirtbike, scooter and cruiser.

Headlamps, tail lamps and painted masses are larger than life, so that the colour and the heading can be
made out in a picture sixty pixels wide. The tables of hulls are pods: (x, lowest z, highest z, half width).
"""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Model
from fathom.assets.shapes import Shell, box, ellipsoid, lathe, merged, moved, stretched, tube, turned
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.materials import (
    CHROME,
    INDICATOR,
    LEATHER,
    PAINT,
    RUBBER,
    STEEL,
    TRIM,
    WHITE,
)
from tools.modelling.vehicles.motorparts import (
    Path3,
    aside,
    bars,
    cradle,
    cylinder,
    hardtail,
    indicators,
    legs,
    mirrors,
    number_plate,
    pipe,
    v_twin,
    yoke,
)
from tools.modelling.vehicles.twowheelers import (
    Piece,
    Wheel,
    across,
    assembled,
    bent,
    blade,
    headlamp,
    mudguard,
    offset,
    pairs,
    pod,
    rod,
    sheet,
    smooth,
    taillamp,
    wheel,
)

_CRUISER_TANK = (
    (0.42, 0.8, 0.88, 0.03),
    (0.4, 0.76, 0.95, 0.1),
    (0.28, 0.72, 1.02, 0.17),
    (0.08, 0.71, 1.01, 0.185),
    (-0.1, 0.71, 0.93, 0.14),
    (-0.24, 0.72, 0.82, 0.06),
    (-0.28, 0.74, 0.78, 0.02),
)
_CRUISER_SEAT = (
    (-0.08, 0.74, 0.82, 0.05),
    (-0.16, 0.66, 0.8, 0.12),
    (-0.34, 0.64, 0.75, 0.18),
    (-0.5, 0.66, 0.8, 0.19),
    (-0.6, 0.7, 0.9, 0.15),
    (-0.64, 0.74, 0.86, 0.1),
)
_CRUISER_PILLION = (
    (-0.56, 0.74, 0.82, 0.08),
    (-0.6, 0.72, 0.86, 0.13),
    (-0.76, 0.7, 0.86, 0.14),
    (-0.92, 0.68, 0.83, 0.12),
    (-0.98, 0.7, 0.78, 0.06),
)
_SADDLEBAG = (
    (-0.52, 0.46, 0.58, 0.05),
    (-0.55, 0.38, 0.66, 0.1),
    (-0.8, 0.36, 0.7, 0.115),
    (-1.05, 0.38, 0.68, 0.1),
    (-1.1, 0.46, 0.6, 0.05),
)
_SIDE_COVER = (
    (-0.5, 0.44, 0.6, 0.01),
    (-0.46, 0.4, 0.66, 0.05),
    (-0.3, 0.38, 0.66, 0.06),
    (-0.19, 0.42, 0.6, 0.04),
    (-0.16, 0.48, 0.54, 0.01),
)
_CHOPPER_TANK = (
    (0.36, 0.92, 1.0, 0.02),
    (0.33, 0.88, 1.06, 0.075),
    (0.2, 0.84, 1.07, 0.125),
    (0.02, 0.78, 1.0, 0.12),
    (-0.14, 0.74, 0.87, 0.07),
    (-0.2, 0.74, 0.8, 0.02),
)
_CHOPPER_SEAT = (
    (-0.16, 0.72, 0.78, 0.06),
    (-0.24, 0.66, 0.74, 0.12),
    (-0.4, 0.64, 0.72, 0.16),
    (-0.54, 0.68, 0.8, 0.15),
    (-0.6, 0.74, 0.84, 0.09),
)
_OIL_TANK = (
    (-0.4, 0.42, 0.56, 0.08),
    (-0.37, 0.38, 0.6, 0.13),
    (-0.26, 0.38, 0.6, 0.13),
    (-0.22, 0.44, 0.56, 0.08),
)
_BACKREST = (
    (-0.03, -0.14, 0.12, 0.09),
    (0.0, -0.18, 0.17, 0.12),
    (0.03, -0.14, 0.12, 0.09),
)
_DIRT_TANK = (
    (0.3, 0.78, 0.94, 0.04),
    (0.26, 0.74, 0.98, 0.12),
    (0.1, 0.72, 0.99, 0.15),
    (-0.1, 0.72, 0.93, 0.12),
    (-0.2, 0.74, 0.9, 0.08),
)
_DIRT_SEAT = (
    (0.16, 0.93, 1.0, 0.05),
    (0.1, 0.9, 1.02, 0.07),
    (-0.1, 0.86, 0.97, 0.085),
    (-0.4, 0.85, 0.95, 0.1),
    (-0.7, 0.88, 0.98, 0.09),
    (-0.8, 0.92, 0.98, 0.05),
)
_DIRT_CRANKCASE = (
    (-0.24, 0.34, 0.46, 0.06),
    (-0.2, 0.3, 0.52, 0.11),
    (0.05, 0.28, 0.54, 0.12),
    (0.22, 0.32, 0.48, 0.08),
)
_SCOOTER_BODY = (
    (-0.02, 0.34, 0.62, 0.05),
    (-0.08, 0.28, 0.72, 0.15),
    (-0.3, 0.27, 0.76, 0.18),
    (-0.6, 0.34, 0.76, 0.19),
    (-0.85, 0.44, 0.7, 0.15),
    (-0.98, 0.52, 0.64, 0.07),
)
_SCOOTER_COWL = (
    (-0.12, 0.42, 0.52, 0.02),
    (-0.18, 0.34, 0.62, 0.08),
    (-0.45, 0.26, 0.68, 0.12),
    (-0.75, 0.32, 0.66, 0.11),
    (-0.95, 0.44, 0.6, 0.05),
    (-0.99, 0.5, 0.56, 0.01),
)
_SCOOTER_SEAT = (
    (0.0, 0.76, 0.8, 0.05),
    (-0.06, 0.74, 0.85, 0.11),
    (-0.3, 0.73, 0.86, 0.14),
    (-0.44, 0.74, 0.88, 0.14),
    (-0.7, 0.73, 0.89, 0.13),
    (-0.84, 0.74, 0.84, 0.06),
)
_SCOOTER_FLOOR = (
    (0.44, 0.26, 0.32, 0.16),
    (0.36, 0.24, 0.335, 0.21),
    (-0.05, 0.24, 0.335, 0.2),
    (-0.2, 0.24, 0.335, 0.17),
)
_SCOOTER_HORN = (
    (0.44, 0.36, 0.9, 0.05),
    (0.5, 0.34, 0.94, 0.06),
    (0.55, 0.45, 0.8, 0.03),
)
_SCOOTER_HEAD = (
    (0.27, 1.02, 1.09, 0.05),
    (0.3, 0.98, 1.13, 0.11),
    (0.42, 0.96, 1.15, 0.13),
    (0.5, 0.97, 1.13, 0.11),
    (0.53, 1.0, 1.1, 0.08),
)
_LEG_SHIELD = (
    (0.28, 0.34, 0.17, 0.02),
    (0.34, 0.42, 0.22, 0.05),
    (0.5, 0.47, 0.26, 0.08),
    (0.75, 0.43, 0.27, 0.09),
    (0.92, 0.39, 0.2, 0.06),
    (0.98, 0.38, 0.1, 0.02),
)
"""The leg shield by height: (z, x, half width, how far its edges sweep back)."""

_SHROUD = (
    ((0.43, 0.15, 0.99), (0.47, 0.205, 0.90), (0.42, 0.20, 0.74), (0.33, 0.15, 0.58)),
    ((0.24, 0.14, 1.01), (0.22, 0.21, 0.90), (0.20, 0.21, 0.76), (0.22, 0.16, 0.60)),
    ((0.02, 0.13, 0.98), (0.00, 0.17, 0.90), (0.06, 0.17, 0.79), (0.14, 0.155, 0.66)),
    ((-0.18, 0.11, 0.90), (-0.17, 0.13, 0.87), (-0.10, 0.14, 0.82), (0.04, 0.145, 0.72)),
)
_SIDE_PANEL = (
    ((-0.17, 0.115, 0.86), (-0.20, 0.145, 0.76), (-0.22, 0.13, 0.62)),
    ((-0.45, 0.12, 0.89), (-0.46, 0.155, 0.79), (-0.42, 0.14, 0.66)),
    ((-0.80, 0.10, 0.95), (-0.78, 0.12, 0.90), (-0.72, 0.12, 0.85)),
)
_HAND_GUARD = (
    ((0.40, 0.17, 1.29), (0.42, 0.17, 1.26), (0.40, 0.17, 1.22)),
    ((0.43, 0.29, 1.32), (0.46, 0.29, 1.26), (0.43, 0.29, 1.20)),
    ((0.36, 0.44, 1.32), (0.39, 0.45, 1.26), (0.36, 0.44, 1.20)),
    ((0.29, 0.49, 1.29), (0.30, 0.495, 1.26), (0.29, 0.49, 1.23)),
)
"""The left plastics of a dirtbike, as grids of points to be smoothed both ways."""

_FRONT_BLADE = (
    (0.36, 0.83, 0.09),
    (0.55, 0.87, 0.10),
    (0.85, 0.89, 0.10),
    (1.05, 0.83, 0.08),
    (1.14, 0.78, 0.05),
)
_BACK_BLADE = ((-0.40, 0.85, 0.12), (-0.70, 0.90, 0.125), (-0.92, 0.98, 0.115), (-1.10, 1.07, 0.085))
"""The high mudguards of a dirtbike: (x, z, half width)."""

_SISSY_BAR = (
    (-0.94, 0, 1.26),
    (-0.94, 0.06, 1.255),
    (-0.93, 0.12, 1.18),
    (-0.86, 0.135, 0.90),
    (-0.74, 0.14, 0.36),
)
_CRASH_BAR = ((0.42, 0.04, 0.70), (0.44, 0.30, 0.62), (0.44, 0.30, 0.34), (0.40, 0.06, 0.26))
_COWL_LINE = (
    (-0.20, 0.262, 0.50),
    (-0.34, 0.289, 0.53),
    (-0.55, 0.292, 0.53),
    (-0.76, 0.272, 0.53),
    (-0.93, 0.222, 0.53),
)

_BARS: dict[str, Path3] = {
    "cruiser": [(0, 0, 0), (0.02, 0.10, 0.06), (0.0, 0.30, 0.14), (-0.12, 0.40, 0.13), (-0.26, 0.44, 0.10)],
    "chopper": [(0, 0, 0), (0.0, 0.10, 0.03), (0.0, 0.24, 0.36), (-0.02, 0.30, 0.42), (-0.18, 0.37, 0.40)],
    "dirtbike": [(0, 0, 0), (0.0, 0.08, 0.01), (0.0, 0.18, 0.08), (-0.06, 0.42, 0.09)],
    "scooter": [(0, 0, 0), (0.0, 0.12, 0.0), (-0.02, 0.22, 0.01), (-0.07, 0.34, 0.01)],
}
"""The left half of each handlebar, from its clamp."""

_PIPES: dict[str, Path3] = {
    "cruiser_front": [(0.30, -0.13, 0.58), (0.34, -0.17, 0.40), (0.20, -0.19, 0.24), (-1.12, -0.20, 0.25)],
    "cruiser_back": [(-0.06, -0.13, 0.58), (-0.08, -0.19, 0.36), (-0.20, -0.21, 0.35), (-1.06, -0.22, 0.33)],
    "chopper_front": [(0.26, -0.12, 0.60), (0.33, -0.17, 0.46), (0.20, -0.20, 0.28), (-1.02, -0.20, 0.33)],
    "chopper_back": [(-0.08, -0.12, 0.60), (-0.10, -0.19, 0.40), (-0.24, -0.20, 0.41), (-1.0, -0.20, 0.44)],
    "dirtbike": [
        (0.18, -0.05, 0.62),
        (0.30, -0.10, 0.50),
        (0.14, -0.16, 0.50),
        (-0.26, -0.18, 0.58),
        (-0.86, -0.20, 0.74),
    ],
    "scooter": [(-0.40, -0.10, 0.22), (-0.60, -0.14, 0.20), (-0.92, -0.15, 0.24)],
}

_WHEELS = {
    "cruiser": Wheel(
        radius=0.33,
        half_width=0.075,
        tyre=0.11,
        rim=0.03,
        spokes=12,
        hub=0.05,
        hub_half=0.08,
        spoke=0.007,
        rim_material=CHROME,
        disc=0.13,
        whitewall=True,
    ),
    "chopper_front": Wheel(
        radius=0.36,
        half_width=0.042,
        tyre=0.06,
        rim=0.03,
        spokes=16,
        hub=0.035,
        hub_half=0.06,
        spoke=0.0045,
        rim_material=PAINT,
    ),
    "chopper_back": Wheel(
        radius=0.33,
        half_width=0.105,
        tyre=0.10,
        rim=0.04,
        spokes=16,
        hub=0.06,
        hub_half=0.09,
        spoke=0.006,
        rim_material=PAINT,
        disc=0.12,
    ),
    "dirtbike_front": Wheel(
        radius=0.37,
        half_width=0.045,
        tyre=0.075,
        rim=0.028,
        spokes=18,
        hub=0.035,
        hub_half=0.06,
        knobs=38,
        spoke=0.0045,
        disc=0.12,
        rim_material=PAINT,
    ),
    "dirtbike_back": Wheel(
        radius=0.345,
        half_width=0.060,
        tyre=0.09,
        rim=0.028,
        spokes=18,
        hub=0.04,
        hub_half=0.065,
        knobs=34,
        spoke=0.005,
        disc=0.11,
        rim_material=PAINT,
    ),
    "scooter": Wheel(
        radius=0.235,
        half_width=0.055,
        tyre=0.075,
        rim=0.05,
        spokes=10,
        hub=0.07,
        hub_half=0.05,
        spoke=0.012,
        rim_material=WHITE,
    ),
}


def cruiser() -> Model:
    """Return a heavy touring motorbike: fat tank, deep mudguards, saddlebags, whitewalls, a low seat."""
    w, front, back = _WHEELS["cruiser"], 0.86, -0.80
    axle = (front, 0.0, w.radius)
    upper, lower = legs((0.47, 0, 0.93), axle, 0.12, 0.036, 0.032, 0.45)
    yokes = [yoke(at, 0.12, 0.06) for at in ((0.47, 0, 0.93), (0.53, 0, 0.82))]
    pieces: list[Piece] = [
        *wheel("front_wheel", w, front),
        *wheel("back_wheel", w, back),
        ("fork", merged(upper, *yokes), PAINT),
        ("fork", lower, CHROME),
        ("front_mudguard", mudguard(axle, w.radius + 0.04, (-5, 175), 0.105, 0.11, 20), PAINT),
        ("back_mudguard", mudguard((back, 0, w.radius), w.radius + 0.05, (30, 195), 0.13, 0.13, 20), PAINT),
        ("tank", pod(_CRUISER_TANK, 18, 3, 2.3), PAINT),
        ("saddle", merged(pod(_CRUISER_SEAT, 16, 2, 2.6), pod(_CRUISER_PILLION, 16, 2, 2.6)), LEATHER),
        *pairs("saddlebag", moved(pod(_SADDLEBAG, 16, 2, 3.4), (0, 0.255, 0)), PAINT),
        ("side_cover", aside(pod(_SIDE_COVER, 14, 2, 2.6), 0.13), PAINT),
        *v_twin(0.12, 0.40, 1.1),
        pipe(_PIPES["cruiser_front"], 0.032, 0.045),
        pipe(_PIPES["cruiser_back"], 0.030, 0.04),
        ("exhaust", rod((-0.3, 0.2, 0.25), (-1.1, 0.2, 0.25), 0.045, 12), CHROME),
        *cradle((0.44, 0, 0.98), (0.30, -0.42), 0.22, (back, w.radius), TRIM),
        *bars((0.42, 0, 1.04), _BARS["cruiser"], 0.017, 0.13),
        *mirrors((0.36, 0.42, 1.32), (0.36, 0.36, 1.18)),
        *headlamp((0.66, 0, 0.90), 0.13, 0.17, PAINT),
        *indicators(0.60, 0.19, 0.80),
        *indicators(-1.10, 0.20, 0.62),
        *taillamp((-1.14, 0, 0.64), 0.075, 0.05),
        number_plate(-1.20, 0.48),
        ("footboard", aside(box((0.30, 0, 0.28), (0.32, 0.11, 0.02), 0.008), 0.25), TRIM),
        ("crash_bar", both_sides(tube(bent(_CRASH_BAR, 0.1, 3), 0.018, 8)), CHROME),
    ]
    return assembled("motorbike", "cruiser", pieces)


def chopper() -> Model:
    """Return a long-forked motorbike: raked fork, high bars, small tank, sissy bar, fat back wheel."""
    slim, fat, head = _WHEELS["chopper_front"], _WHEELS["chopper_back"], (0.40, 0, 1.02)
    axle, back = (1.22, 0.0, slim.radius), (-0.72, 0.0, fat.radius)
    upper, lower = legs((0.34, 0, 1.12), axle, 0.10, 0.027, 0.042, 0.30)
    yokes = [yoke(at, 0.10, 0.05) for at in ((0.36, 0, 1.09), (0.47, 0, 0.98))]
    backrest = moved(turned(pod(_BACKREST, 20, 3, 3), "y", math.radians(-8)), (-0.895, 0, 1.05))
    pieces: list[Piece] = [
        *wheel("front_wheel", slim, axle[0]),
        *wheel("back_wheel", fat, back[0]),
        ("fork", upper, CHROME),
        ("fork", merged(lower, *yokes), PAINT),
        ("front_mudguard", mudguard(axle, slim.radius + 0.03, (20, 165), 0.085, 0.07, 18), PAINT),
        ("back_mudguard", mudguard(back, fat.radius + 0.045, (35, 185), 0.14, 0.09, 20), PAINT),
        ("tank", pod(_CHOPPER_TANK, 20, 3, 2.2), PAINT),
        ("saddle", pod(_CHOPPER_SEAT, 18, 2, 2.6), LEATHER),
        ("backrest", backrest, LEATHER),
        ("sissy_bar", tube(smooth(across(_SISSY_BAR), 3), 0.015, 8), CHROME),
        *v_twin(0.08, 0.40, 1.05),
        *hardtail(head, (back[0], back[2])),
        ("oil_tank", pod(_OIL_TANK, 16, 2, 3), PAINT),
        pipe(_PIPES["chopper_front"], 0.030, 0.042),
        pipe(_PIPES["chopper_back"], 0.028, 0.038),
        *bars((0.31, 0, 1.13), _BARS["chopper"], 0.017, 0.12),
        *mirrors((0.28, 0.38, 1.66), (0.27, 0.33, 1.55), 0.05),
        *headlamp((0.62, 0, 0.99), 0.11, 0.16, PAINT),
        *taillamp((-1.06, 0, 0.56), 0.07, 0.05),
        *indicators(-1.03, 0.17, 0.62),
        number_plate(-1.12, 0.42),
        ("pegs", aside(rod((0.46, 0.0, 0.32), (0.46, 0.2, 0.32), 0.02, 10), 0.08), CHROME),
    ]
    return assembled("motorbike", "chopper", pieces)


def dirtbike() -> Model:
    """Return an enduro motorbike: high mudguards, knobbly tyres, number boards, a long flat seat."""
    front, back = _WHEELS["dirtbike_front"], _WHEELS["dirtbike_back"]
    axle = (0.76, 0.0, front.radius)
    upper, lower = legs((0.34, 0, 1.10), axle, 0.105, 0.034, 0.026, 0.62)
    yokes = [yoke(at, 0.105, 0.05) for at in ((0.36, 0, 1.07), (0.44, 0, 0.91))]
    clutch = [(0.001, 0.15), (0.075, 0.15), (0.095, 0.13), (0.095, 0.08), (0.001, 0.08)]
    pieces: list[Piece] = [
        *wheel("front_wheel", front, axle[0]),
        *wheel("back_wheel", back, -0.70),
        ("fork", merged(upper, *yokes), CHROME),
        ("fork", lower, STEEL),
        (
            "fork",
            both_sides(rod(offset(axle, 0.03, 0.115, 0), (0.60, 0.115, 0.74), [0.042, 0.036], 12)),
            PAINT,
        ),
        *_plastics(),
        *_boards(),
        ("tank", pod(_DIRT_TANK, 20, 3, 2.6), PAINT),
        ("saddle", pod(_DIRT_SEAT, 18, 3, 3.0), RUBBER),
        ("engine", pod(_DIRT_CRANKCASE, 16, 3, 3), STEEL),
        *cylinder((0.08, 0, 0.50), 12, 0.095, 0.18),
        ("engine", both_sides(lathe(clutch, "y", 18, (-0.02, 0, 0.40))), TRIM),
        *cradle((0.36, 0, 1.02), (0.22, -0.28), 0.27, (-0.70, back.radius), PAINT, 0.024),
        pipe(_PIPES["dirtbike"], 0.026, 0.052, 0.08),
        *bars((0.33, 0, 1.16), _BARS["dirtbike"], 0.016, 0.12),
        ("handle", rod((0.33, -0.15, 1.225), (0.33, 0.15, 1.225), 0.022, 12), TRIM),
        *headlamp((0.575, 0, 1.00), 0.098, 0.08, TRIM),
        *taillamp((-1.05, 0, 0.945), 0.062, 0.05),
        number_plate(-1.04, 0.79, -6),
        ("number_plate", box((-1.005, 0, 0.885), (0.03, 0.05, 0.22), 0.008), TRIM),
        ("shock", rod((-0.26, 0, 0.44), (-0.22, 0, 0.80), 0.045, 12), STEEL),
        ("pegs", aside(box((-0.14, 0.05, 0.36), (0.05, 0.12, 0.02), 0.005), 0.1), STEEL),
    ]
    return assembled("motorbike", "dirtbike", pieces)


def _panel(grid: tuple[Path3, ...], across_steps: int, thickness: float) -> Shell:
    """Return a plastic panel on both sides, smooth along the bike and `across_steps` to a row across it."""
    rows = np.array(grid).swapaxes(0, 1)
    return both_sides(sheet(smooth(smooth(rows, across_steps).swapaxes(0, 1), 3), thickness))


def _plastics() -> list[Piece]:
    """Return the painted mudguards, shrouds, side panels and hand guards of a dirtbike."""
    return [
        ("front_mudguard", blade(_FRONT_BLADE, 0.035), PAINT),
        ("back_mudguard", blade(_BACK_BLADE, 0.035), PAINT),
        ("shroud", _panel(_SHROUD, 3, 0.014), PAINT),
        ("radiator", aside(box((0.33, 0.0, 0.80), (0.05, 0.10, 0.26), 0.01), 0.11), TRIM),
        ("side_panel", _panel(_SIDE_PANEL, 3, 0.012), PAINT),
        ("hand_guard", _panel(_HAND_GUARD, 1, 0.012), PAINT),
    ]


def _boards() -> list[Piece]:
    """Return the white number boards of a dirtbike: one ahead, an oval one on each side."""
    disc = lathe([(0.001, -0.02), (0.085, -0.02), (0.085, 0.02), (0.001, 0.02)], "y", 20)
    oval = moved(turned(stretched(disc, (1.45, 1, 1)), "z", math.radians(3)), (-0.45, 0.153, 0.785))
    over = np.linspace(-1, 1, 7)
    rows = smooth([(-0.13, 0.10), (0.0, 0.13), (0.14, 0.10)])
    face = [[(0.03 * (1 - v * v), w * v, z) for v in over] for z, w in rows]
    board = moved(turned(sheet(face, 0.012), "y", math.radians(-20)), (0.50, 0, 1.06))
    return [("number_board", board, WHITE), ("side_panel", both_sides(oval), WHITE)]


def scooter() -> Model:
    """Return a step-through scooter: leg shield, flat floor, round cowls over small wheels."""
    w = _WHEELS["scooter"]
    axle = (0.68, 0.0, w.radius)
    rails = [rod((-0.80, y, 0.84), (-1.06, y, 0.88), 0.012, 8) for y in (-0.09, 0.0, 0.09)]
    hoop = bent(across([(-1.06, 0.0, 0.88), (-1.06, 0.11, 0.88), (-0.80, 0.11, 0.84)]), 0.06)
    pieces: list[Piece] = [
        *wheel("front_wheel", w, axle[0]),
        *wheel("back_wheel", w, -0.56),
        ("front_mudguard", mudguard(axle, w.radius + 0.035, (-10, 185), 0.085, 0.10, 24), PAINT),
        ("fork", both_sides(rod((0.49, 0.07, 0.66), offset(axle, 0, 0.078, 0), [0.034, 0.028], 12)), PAINT),
        ("body", pod(_SCOOTER_BODY, 22, 4, 2.8), PAINT),
        *pairs("cowl", moved(pod(_SCOOTER_COWL, 20, 4, 2.2), (0, 0.17, 0)), PAINT),
        ("saddle", pod(_SCOOTER_SEAT, 20, 4, 2.8), LEATHER),
        *_leg_shield(),
        *_brightwork(),
        ("head", pod(_SCOOTER_HEAD, 20, 3, 2.6), PAINT),
        ("head", rod((0.44, 0, 0.88), (0.40, 0, 1.02), 0.055, 14), PAINT),
        *bars((0.38, 0, 1.06), _BARS["scooter"], 0.019, 0.12),
        *mirrors((0.36, 0.30, 1.30), (0.36, 0.22, 1.08), 0.062),
        *headlamp((0.53, 0, 1.06), 0.10, 0.10, CHROME),
        *taillamp((-0.97, 0, 0.64), 0.07, 0.06),
        *indicators(-0.95, 0.16, 0.62),
        number_plate(-1.00, 0.44, 15),
        ("carrier", merged(*rails, tube(hoop, 0.013, 8)), CHROME),
        pipe(_PIPES["scooter"], 0.04, 0.05),
    ]
    return assembled("motorbike", "scooter", pieces)


def _leg_shield() -> list[Piece]:
    """Return the leg shield with its lip and horn cover, and the floor with its mat."""
    over = np.linspace(-1, 1, 13)
    grid = np.array(
        [[(x - sweep * abs(v) ** 2.2, w * v, z) for v in over] for z, x, w, sweep in smooth(_LEG_SHIELD)]
    )
    rim = np.concatenate([grid[:, 0], grid[-1, 1:], grid[-2::-1, -1]])
    return [
        ("leg_shield", sheet(grid, 0.02), PAINT),
        ("leg_shield", tube(rim, 0.014, 8), CHROME),
        ("leg_shield", pod(_SCOOTER_HORN, 14, 3, 2.4), PAINT),
        ("floor", pod(_SCOOTER_FLOOR, 16, 2, 5.0), PAINT),
        ("floor", box((0.14, 0, 0.34), (0.40, 0.30, 0.014), 0.005), RUBBER),
        *pairs("indicator", ellipsoid((0.455, 0.15, 0.80), (0.03, 0.035, 0.045), 12, 7), INDICATOR),
    ]


def _brightwork() -> list[Piece]:
    """Return the chrome lines on the cowls, the crest on the leg shield and the grille under the saddle."""
    slats = [box((-0.045, 0, z), (0.05, 0.16, 0.018), 0.004) for z in (0.44, 0.48, 0.52, 0.56)]
    crest = [
        box((0.512 + 0.008 * k, 0, 0.84 - 0.035 * k), (0.03, 0.09 - 0.012 * k, 0.016), 0.004)
        for k in range(4)
    ]
    return [
        ("trim_line", both_sides(tube(smooth(_COWL_LINE, 3), 0.011, 8)), CHROME),
        ("grille", merged(*slats), TRIM),
        ("crest", merged(*crest), CHROME),
    ]
