"""The four buses: regular, double-decker, articulated and school bus, as a table of shapes."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Model, Part
from fathom.assets.shapes import box, ellipsoid, extrude, lathe, merged, part, tube
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.busbody import Band, Bus, box_hull, bus
from tools.modelling.vehicles.hulls import Hull
from tools.modelling.vehicles.materials import (
    CHROME,
    GLASS,
    HEADLAMP,
    INDICATOR,
    PAINT,
    PLATE,
    SIGN,
    STOP,
    TAILLAMP,
    TRIM,
    WHITE,
)
from tools.modelling.vehicles.trims import Points2, Trim, block
from tools.modelling.vehicles.wheels import Wheel

HOOD_SECTION = np.array(
    [
        (0.00, 0.000), (0.50, 0.000), (0.94, 0.000), (0.99, 0.02), (1.00, 0.08), (1.00, 0.30), (0.995, 0.42),
        (0.97, 0.50), (0.92, 0.55), (0.84, 0.59), (0.79, 0.65), (0.77, 0.75), (0.755, 0.85), (0.73, 0.93),
        (0.68, 0.98), (0.60, 1.000), (0.40, 1.000), (0.20, 1.000),
    ]
)  # fmt: skip
"""Half a cross-section of a bonnet that rises between its wings."""


def _disc(y: float, z: float, r: float, sides: int = 20) -> Points2:
    return [(y + r * math.cos(a), z + r * math.sin(a)) for a in np.arange(sides) * 2 * math.pi / sides]


def _front(w: float, sign: tuple[float, float], lamp: float = 0.62) -> tuple[Trim, ...]:
    """Return bumper, lamps, plate and lit destination sign of a flat front of half-width w."""
    head = [(w * 0.46, lamp), (w + 1, lamp), (w + 1, lamp + 0.36), (w * 0.52, lamp + 0.28)]
    low, high = sign
    return (
        Trim("bumper_front", "front", block((-w - 1, 0.0), (w + 1, 0.48)), 0.03, TRIM, 0.0, 0.5),
        Trim("lamp_surround_{side}", "front", head, 0.008, TRIM, 0.04, 0.58, grow=0.04),
        Trim("head_light_{side}", "front", head, 0.02, HEADLAMP, 0.04, 0.55),
        Trim(
            "signal_{side}",
            "front",
            block((w * 0.80, lamp - 0.12), (w + 1, lamp - 0.02)),
            0.022,
            INDICATOR,
            0.01,
            0.42,
        ),
        Trim("license_plate_front", "front", block((-0.3, 0.50), (0.3, 0.63)), 0.03, PLATE, 0.01),
        Trim("badge", "front", _disc(0.0, lamp + 0.26, 0.10), 0.02, CHROME, 0.0),
        Trim("sign", "front", block((-w * 0.72, low), (w * 0.72, high)), 0.004, SIGN, 0.03, fill=True),
        *_wipers(w, 1.22, ((0.05, -1), (-0.05, 1))),
    )


def _sides(back: float, front: float, low: float, high: float, vent: float) -> tuple[Trim, ...]:
    """Return the driver's window, deeper than the others, and the vents of the engine in the rear corners."""
    window = [(front - 1.75, low), (front - 0.92, low - 0.22), (front - 0.92, high), (front - 1.75, high)]
    trims = [Trim("windows_left", "left", window, -0.02, GLASS, 0.07)]
    for x in (back + 0.42, back + 0.42 + vent / 2 + 0.03):
        trims.append(Trim("vents", "side", block((x, 1.22), (x + vent / 2 - 0.03, 1.72)), -0.02, TRIM, 0.03))
        trims += [
            Trim(
                "vents", "side", block((x, z), (x + vent / 2 - 0.03, z + 0.04)), -0.004, PAINT, 0.0, fill=True
            )
            for z in (1.30, 1.40, 1.50, 1.60)
        ]
    return tuple(trims)


def _wipers(w: float, z: float, pivots: tuple[tuple[float, int], ...]) -> tuple[Trim, ...]:
    trims = []
    for y, s in pivots:
        tip = y - 0.55 * s * w
        blade = [(y, z), (y + 0.04 * s, z), (tip + 0.03 * s * w, z + 0.62), (tip, z + 0.60)]
        trims.append(Trim("wipers", "front", blade, 0.0, TRIM, 0.0, 0.5, fill=True))
    return tuple(trims)


def _back(w: float) -> tuple[Trim, ...]:
    """Return bumper, lamps, plate and engine grille of a back of half-width w."""
    lamp = block((w * 0.74, 0.70), (w + 1, 1.62))
    trims = [
        Trim("bumper_back", "back", block((-w - 1, 0.0), (w + 1, 0.52)), 0.03, TRIM, 0.0, 0.45),
        Trim("lamp_surround_{side}", "back", lamp, 0.008, TRIM, 0.05, 0.45, grow=0.03),
        Trim("tail_light_{side}", "back", lamp, 0.02, TAILLAMP, 0.05, 0.42),
        Trim(
            "signal_{side}", "back", block((w * 0.77, 1.06), (w * 0.955, 1.20)), 0.024, INDICATOR, 0.01, 0.4
        ),
        Trim(
            "reversing_light_{side}",
            "back",
            block((w * 0.77, 0.88), (w * 0.955, 1.0)),
            0.024,
            WHITE,
            0.01,
            0.4,
        ),
        Trim("license_plate_back", "back", block((-0.3, 0.56), (0.3, 0.70)), 0.035, PLATE, 0.01),
    ]
    trims.append(Trim("trunk", "back", block((-w * 0.62, 0.78), (w * 0.62, 1.42)), -0.03, TRIM, 0.05))
    for z in np.arange(0.86, 1.40, 0.10):
        bar = block((-w * 0.58, float(z)), (w * 0.58, float(z) + 0.045))
        trims.append(Trim("trunk", "back", bar, -0.008, PAINT, 0.0, fill=True))
    return tuple(trims)


def _pod(x: float, z: float, length: float, width: float = 1.7) -> tuple[Part, ...]:
    """Return an air conditioner on the roof: a low case with two fans."""
    case = box((x, 0, z + 0.06), (length, width, 0.30), 0.09)
    fans = [
        lathe([(1e-4, 0), (0.30, 0), (0.30, 0.02), (1e-4, 0.03)], "z", 14,
            (x + dx, 0, z + 0.205))
        for dx in (-length * 0.22, length * 0.22)
    ]  # fmt: skip
    return (part("air_conditioner", case, PAINT), part("air_conditioner", merged(*fans), TRIM))


def regular() -> Model:
    """Return a single-decker city bus."""
    w = 1.275
    return bus(
        Bus(
            subtype="regular", hull=box_hull(-4.9, 4.9, 2 * w, 0.30, 2.98), axles=(2.25, -2.55),
            front_start=4.12,
            bands=(Band(1.22, 2.46, (-3.75, -2.25, -0.75, 0.70, 1.80, 2.90, 3.98)),),
            doors=(("door_front_right", (2.92, 3.98)), ("door_mid_right", (-0.70, 0.60))),
            screens=((1.12, 2.90),), rear_screens=((1.72, 2.62, w * 0.80),), mirrors=(4.72, w, 2.62, 0.28),
            stripe=(0.98, 1.08, WHITE), trims=(*_front(w, (2.60, 2.84)), *_back(w),
                *_sides(-4.9, 4.9, 1.22, 2.46, 0.62)),
            extras=_pod(-1.6, 3.0, 2.2),
        )
    )  # fmt: skip


def double() -> Model:
    """Return a double-decker bus."""
    w = 1.275
    return bus(
        Bus(
            subtype="double", hull=box_hull(-5.4, 5.4, 2 * w, 0.30, 4.28, rake=0.26), axles=(2.70, -2.75),
            bands=(
                Band(1.26, 2.16, (-3.6, -2.2, -0.8, 0.75, 2.05, 3.35, 4.48)),
                Band(2.80, 3.72, (-4.7, -3.4, -2.1, -0.8, 0.5, 1.8, 3.1, 4.48)),
            ),
            doors=(("door_front_right", (3.40, 4.48)), ("door_mid_right", (-0.75, 0.65))), door_high=2.30,
            screens=((1.12, 2.20), (2.76, 3.80)), rear_screens=((2.84, 3.70, w * 0.78),),
            mirrors=(5.3, w, 2.42, 0.28), front_start=4.62,
            stripe=(0.98, 1.08, WHITE), trims=(*_front(w, (2.30, 2.62)), *_back(w),
                *_sides(-5.4, 5.4, 1.26, 2.16, 1.20)),
        )
    )  # fmt: skip


def articulated() -> Model:
    """Return a long bus of two halves with bellows between them."""
    w = 1.275
    return bus(
        Bus(
            subtype="articulated", hull=box_hull(-8.4, 8.4, 2 * w, 0.30, 2.98), axles=(5.55, -0.1, -5.4),
            front_start=7.45,
            bands=(
                Band(1.22, 2.46, (-0.75, 0.65, 2.05, 3.45, 4.75, 6.05, 7.30)),
                Band(1.22, 2.46, (-7.3, -5.65, -3.95, -2.55)),
            ),
            doors=(("door_front_right", (6.22, 7.30)), ("door_mid_right", (2.05, 3.35)),
                ("door_back_right", (-3.95, -2.65))),
            screens=((1.12, 2.90),), rear_screens=((1.72, 2.62, w * 0.80),), mirrors=(8.22, w, 2.62, 0.28),
            stripe=(0.98, 1.08, WHITE), trims=(*_front(w, (2.60, 2.84)), *_back(w),
                *_sides(-8.4, 8.4, 1.22, 2.46, 0.62)), joint=-1.65,
            extras=(*_pod(4.2, 3.0, 2.2), *_pod(-5.4, 3.0, 2.2)),
        )
    )  # fmt: skip


def _stop_arm(x: float, y: float, z: float) -> tuple[Part, ...]:
    """Return the red octagon that stands out on the left of a school bus."""
    angle = (np.arange(8) + 0.5) * math.pi / 4
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    centre = np.array([x, z])
    white = extrude(centre + ring * 0.30, y + 0.05, y + 0.08)
    red = extrude(centre + ring * 0.26, y + 0.045, y + 0.095)
    word = box((x, y + 0.097, z), (0.36, 0.01, 0.09))
    hinge = box((x + 0.30, y + 0.03, z), (0.10, 0.10, 0.30), 0.01)
    return (
        part("stop_sign", merged(white, word), WHITE),
        part("stop_sign", red, STOP),
        part("stop_sign", hinge, TRIM),
    )


def _hatches(xs: tuple[float, ...], z: float) -> tuple[Part, ...]:
    """Return the escape hatches in the roof."""
    return (part("hatches", merged(*(box((x, 0, z + 0.02), (0.62, 0.62, 0.10), 0.04) for x in xs)), WHITE),)


def _crossing_mirrors(x: float, y: float, z: float) -> tuple[Part, ...]:
    arm = tube([(x - 0.35, y - 0.2, z - 0.35), (x - 0.05, y, z - 0.05), (x + 0.1, y + 0.08, z)], 0.025, 6)
    head = ellipsoid((x + 0.1, y + 0.1, z), (0.10, 0.15, 0.18), 12, 7)
    return (part("crossing_mirrors", both_sides(merged(arm, head)), TRIM),)


def school() -> Model:
    """Return a school bus: a bonnet ahead of the cab, rails along the sides, warning lamps on the roof."""
    w, wings = 1.22, 1.17
    lamps = [
        Trim("warning_lights{side}", view, _disc(y, z, 0.105), 0.04, material, 0.0, reach)
        for view, y, z, material, reach in (
            ("front", 0.92, 2.80, INDICATOR, 2.9),
            ("front", 0.66, 2.80, INDICATOR, 2.9),
            ("back", 0.92, 2.76, TAILLAMP, 0.6),
            ("back", 0.66, 2.76, TAILLAMP, 0.6),
        )
    ]
    rails = [
        Trim("rub_rails", side, block((x0, z), (x1, z + 0.075)), 0.03, TRIM, 0.0)
        for side, x0, x1 in (("left", -5.0, 2.40), ("right", -5.0, 1.05))
        for z in (0.72, 1.06, 1.42)
    ]
    bars = [
        Trim("grille", "front", block((-0.44, z), (0.44, z + 0.035)), 0.004, CHROME, 0.0, fill=True)
        for z in (0.87, 0.97, 1.07, 1.17)
    ]
    head = _disc(0.79, 0.88, 0.165)
    front = (
        Trim("bumper_front", "front", block((-2, 0.0), (2, 0.66)), 0.06, TRIM, 0.0, 0.45),
        Trim("grille", "front", block((-0.50, 0.74), (0.50, 1.32)), 0.02, CHROME, 0.06),
        Trim("grille", "front", block((-0.44, 0.79), (0.44, 1.27)), -0.03, TRIM, 0.03),
        *bars,
        Trim("lamp_surround_{side}", "front", head, 0.012, TRIM, 0.0, grow=0.05),
        Trim("head_light_{side}", "front", head, 0.035, HEADLAMP, 0.0),
        Trim("signal_{side}", "front", block((0.97, 0.80), (1.3, 0.95)), 0.02, INDICATOR, 0.01, 0.4),
        Trim("license_plate_front", "front", block((-0.28, 0.48), (0.28, 0.61)), 0.075, PLATE, 0.01),
        Trim("windscreen_post", "front", block((-0.05, 1.5), (0.05, 2.6)), 0.0, PAINT, 0.0, 2.9, fill=True),
        Trim("sign", "front", block((-0.52, 2.67), (0.52, 2.93)), 0.012, TRIM, 0.02, 2.9),
        Trim("sign", "front", block((-0.47, 2.71), (0.47, 2.89)), 0.022, SIGN, 0.02, 2.9),
    )  # fmt: skip
    back = (
        Trim("bumper_back", "back", block((-2, 0.0), (2, 0.66)), 0.05, TRIM, 0.0, 0.40),
        Trim("door_back", "back", block((-0.50, 0.72), (0.50, 2.62)), 0.02, PAINT, 0.05),
        Trim("door_back", "back", block((-0.40, 1.62), (0.40, 2.50)), -0.005, TRIM, 0.05),
        Trim("windscreen_back", "back", block((-0.36, 1.66), (0.36, 2.46)), -0.012, TRIM, 0.05),
        Trim("lamp_surround_{side}", "back", _disc(0.88, 1.20, 0.18), 0.012, TRIM, 0.0, grow=0.03),
        Trim("tail_light_{side}", "back", _disc(0.88, 1.20, 0.18), 0.03, TAILLAMP, 0.0),
        Trim("signal_{side}", "back", _disc(0.88, 0.88, 0.10), 0.03, INDICATOR, 0.0),
        Trim("license_plate_back", "back", block((-0.28, 0.48), (0.28, 0.61)), 0.065, PLATE, 0.01),
    )
    return bus(
        Bus(
            subtype="school", hull=box_hull(-5.3, 2.85, 2 * w, 0.46, 3.0, rake=0.22), axles=(3.75, -2.75),
            hood=Hull(
                front=5.0, back=1.6, half_width=((1.6, wings), (5.0, wings - 0.06)),
                sill=((1.6, 0.46), (5.0, 0.50)),
                shoulder=((1.6, 1.74), (2.9, 1.70), (4.5, 1.50), (5.0, 1.42)),
                nose=((0.5, 0.03), (0.8, 0.0), (1.2, 0.02), (1.5, 0.08)), tail=((0.5, 0.0), (1.8, 0.0)),
                nose_bow=0.12, tail_bow=0.0, crown=0.06, round_m=0.10, section=HOOD_SECTION, stations=14,
                ease=(0.7, 0.3),
            ),
            bands=(Band(1.68, 2.42, (-5.0, -4.15, -3.3, -2.45, -1.6, -0.75, 0.1, 0.95, 2.2), 0.12),),
            doors=(("door_front_right", (1.15, 2.10)),), door_high=2.48,
            screens=((1.82, 2.58),), rear_screens=((1.70, 2.45, 1.04),), mirrors=(2.62, w, 2.45, 0.34),
            front_start=2.45, wheel=Wheel(0.52, 0.30, 0.31, spokes=0), trims=(*front, *back, *lamps, *rails),
            extras=(*_hatches((-3.4, 0.2), 3.03), *_stop_arm(1.75, w, 1.30),
                *_crossing_mirrors(4.85, 1.12, 1.62)),
        )
    )  # fmt: skip
