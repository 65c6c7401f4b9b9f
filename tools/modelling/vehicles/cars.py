"""The five cars: sedan, wagon, suv, minivan and pick-up truck, as a table of shapes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fathom.assets.model import Material, Model, Part
from fathom.assets.shapes import box, extrude, lathe, loft, merged, moved, part, tube
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.carbody import Bed, Car, car
from tools.modelling.vehicles.hulls import Cabin, Hull
from tools.modelling.vehicles.materials import (
    CHROME,
    HEADLAMP,
    INDICATOR,
    PAINT,
    PLATE,
    STEEL,
    TAILLAMP,
    TRIM,
    TYRE,
    WHITE,
)
from tools.modelling.vehicles.trims import Points2, Trim, block
from tools.modelling.vehicles.wheels import Wheel


def _head(points: Points2, signal: Points2, reach: float = 0.6) -> tuple[Trim, ...]:
    """Return a dark surround, a head light in it, and an amber signal in its outer corner."""
    return (
        Trim("head_light_surrounds{side}", "front", points, 0.006, TRIM, 0.02, reach, grow=0.018),
        Trim("{side}_head_light", "front", points, 0.016, HEADLAMP, 0.02, reach),
        Trim("{side}_signal", "front", signal, 0.018, INDICATOR, 0.01, reach),
    )


def _tail(points: Points2, white: Points2, reach: float = 0.42, rim: float = 0.024) -> tuple[Trim, ...]:
    """Return a dark surround, a tail light in it, and the white reversing light."""
    return (
        Trim("tail_light_surrounds{side}", "back", points, 0.006, TRIM, 0.02, reach, grow=rim),
        Trim("{side}_tail_light", "back", points, 0.018, TAILLAMP, 0.02, reach),
        Trim("{side}_reversing_light", "back", white, 0.021, WHITE, 0.008, reach),
    )


def _grille(
    low: tuple[float, float], high: tuple[float, float], bars: int, rim: Material | None
) -> tuple[Trim, ...]:
    """Return a sunk grille with level bars, in a rim of its own where one is given."""
    points = [(-high[0], high[1]), (-low[0], low[1]), low, high]
    trims = [] if rim is None else [Trim("grille", "front", points, 0.012, rim, 0.03, grow=0.03)]
    trims.append(Trim("grille", "front", points, -0.03, TRIM, 0.03))
    step = (high[1] - low[1]) / (bars + 1)
    for i in range(1, bars + 1):
        z, k = low[1] + i * step, i / (bars + 1)
        w = low[0] + (high[0] - low[0]) * k - 0.01
        bar = block((-w, z - step * 0.16), (w, z + step * 0.16))
        trims.append(Trim("grille", "front", bar, 0.002, rim or CHROME, 0.0, fill=True))
    return tuple(trims)


def _slats(heights: tuple[float, float], ys: Iterable[float]) -> tuple[Trim, ...]:
    """Return upright bars in a grille."""
    low, high = heights[0] + 0.01, heights[1] - 0.01
    return tuple(
        Trim("grille", "front", block((y - 0.025, low), (y + 0.025, high)), 0.004, CHROME, 0.0, fill=True)
        for y in ys
    )


def _plates(front: float, back: float) -> tuple[Trim, ...]:
    return (
        Trim("front_license_plate", "front", block((-0.26, front), (0.26, front + 0.12)), 0.02, PLATE, 0.01),
        Trim("back_license_plate", "back", block((-0.26, back), (0.26, back + 0.13)), 0.02, PLATE, 0.01),
    )


def _roof_z(c: Cabin, x: float, y: float) -> float:
    return c.top(x) + c.crown * (1 - (y / c.edge(c.roof)[2]) ** 2)


def _rails(c: Cabin, metal: Material, bars: Iterable[float] = ()) -> tuple[Part, ...]:
    """Return roof rails along both sides, and bars from one to the other at the given x."""
    front, back, w = c.edge(c.roof)
    y, lift = w - 0.11, 0.075
    xs = np.linspace(back + 0.16, front - 0.20, 6)
    path = [(x, y, _roof_z(c, x, y) + (lift if 0 < i < 5 else -0.02)) for i, x in enumerate(xs)]
    shells = [both_sides(tube(path, 0.024, 6))]
    for x in bars:
        z = _roof_z(c, x, y) + lift
        shells.append(box((x, 0, z + 0.02), (0.07, 2 * y + 0.06, 0.03), 0.008))
    return (part("roof_rails", merged(*shells), metal),)


def _spoiler(c: Cabin, length: float, share: float = 0.8) -> tuple[Part, ...]:
    """Return a spoiler that carries the roof on over the back window, with its brake light."""
    _, back, w = c.edge(c.roof)
    z, wide = c.top(back + 0.06), w * share
    across = np.linspace(-1, 1, 7)
    rings = []
    for x, lift, thick in (
        (back + 0.30, -0.03, 0.02),
        (back + 0.08, 0.012, 0.05),
        (back - length, 0.0, 0.028),
    ):
        upper = z + lift + c.crown * (1 - across**2) - 0.045 * across**4
        ys = across * (wide - 0.05 * (back + 0.08 - x if x < back else 0))
        lower = upper - thick * (1 - 0.5 * across**2)
        top = np.column_stack([np.full(7, x), ys, upper])
        rings.append(np.concatenate([top, np.column_stack([np.full(7, x), ys, lower])[::-1]]))
    lamp = box((back - length, 0, z + c.crown - 0.016), (0.02, 0.36, 0.022), 0.004)
    return (part("spoiler", loft(np.stack(rings)), PAINT), part("brake_light", lamp, TAILLAMP))


def _antenna(c: Cabin) -> tuple[Part, ...]:
    _, back, _ = c.edge(c.roof)
    x = back + 0.22
    z = _roof_z(c, x, 0.0) - 0.02
    fin = extrude([(x - 0.10, z), (x + 0.14, z), (x - 0.02, z + 0.10), (x - 0.08, z + 0.11)], -0.02, 0.02)
    return (part("antenna", fin, PAINT),)


def _exhausts(x: float, y: float, z: float, both: bool = True) -> tuple[Part, ...]:
    # The open end looks back: the profile runs over the lip into the pipe.
    pipe = lathe(
        [(1e-4, 0.15), (0.045, 0.15), (0.045, -0.04), (0.034, -0.04), (0.034, 0.06), (1e-4, 0.06)], "x", 10
    )
    shell = moved(pipe, (x, y, z))
    return (part("exhaust", both_sides(shell) if both else shell, CHROME),)


def sedan() -> Model:
    """Return a three-box saloon."""
    cabin = Cabin(
        ((0.75, 1.52, -2.06, 0.865), (0.96, 1.22, -1.90, 0.845), (1.45, 0.28, -1.02, 0.645)),
        arch=0.065,
        crown=0.03,
    )
    return car(
        Car(
            subtype="sedan",
            hull=Hull(
                front=2.40, back=-2.38,
                half_width=((-2.38, 0.86), (-1.6, 0.92), (0, 0.93), (1.4, 0.925), (2.4, 0.86)),
                sill=((-2.38, 0.32), (-1.7, 0.22), (1.7, 0.19), (2.4, 0.22)),
                shoulder=((-2.38, 0.99), (-1.7, 1.00), (-0.5, 0.96), (0.9, 0.92), (1.6, 0.85),
                    (2.2, 0.74), (2.4, 0.68)),
                nose=((0.20, 0.05), (0.35, 0.0), (0.55, 0.01), (0.70, 0.07), (0.8, 0.16)),
                tail=((0.30, 0.10), (0.50, 0.0), (0.72, 0.03), (0.90, 0.0), (1.04, 0.0)),
                nose_bow=0.24, tail_bow=0.15, crown=0.065,
            ),
            cabin=cabin, axles=(1.46, -1.40), wheel=Wheel(0.335, 0.23, 0.24), track=1.63,
            belt=0.995, pillars=(-0.12,), doors=(0.92, -0.12, -1.16), posts=(0.34, 0.44),
            screens=((1.03, 0.10), (1.10, 0.10)), bumpers=(0.48, 0.52), hood=(1.22, 0.80, 0.22),
            trunk=("top", block((-2.6, -0.66), (-1.86, 0.66)), 0.80),
            trims=(
                *_grille((0.30, 0.50), (0.38, 0.67), 3, CHROME),
                Trim("intake", "front", block((-0.55, 0.27), (0.55, 0.39)), -0.02, TRIM, 0.03),
                *_head([(0.46, 0.56), (1.1, 0.58), (1.1, 0.75), (0.50, 0.69)],
                    block((0.80, 0.54), (1.1, 0.60))),
                Trim("trunk_panel", "back", [(-0.50, 0.67), (0.50, 0.67), (0.50, 0.885), (-0.50, 0.885)],
                    0.005, TRIM, 0.0),
                *_tail([(0.36, 0.70), (1.1, 0.66), (1.1, 0.90), (0.36, 0.86)],
                    block((0.40, 0.71), (0.60, 0.77))),
                *_plates(0.40, 0.70),
            ),
            window_line=CHROME,
            extras=(*_antenna(cabin), *_exhausts(-2.30, 0.55, 0.30)),
        )
    )  # fmt: skip


def wagon() -> Model:
    """Return an estate car: a saloon's front, and a long low roof to the tail."""
    cabin = Cabin(
        ((0.75, 1.52, -2.36, 0.865), (0.96, 1.22, -2.31, 0.845), (1.46, 0.22, -1.98, 0.65)),
        arch=0.05,
        crown=0.03,
    )
    return car(
        Car(
            subtype="wagon",
            hull=Hull(
                front=2.42, back=-2.46,
                half_width=((-2.46, 0.88), (-1.6, 0.92), (0, 0.93), (1.4, 0.925), (2.42, 0.86)),
                sill=((-2.46, 0.32), (-1.7, 0.22), (1.7, 0.19), (2.42, 0.22)),
                shoulder=((-2.46, 0.98), (-1.7, 0.98), (-0.5, 0.96), (0.9, 0.92), (1.6, 0.86),
                    (2.2, 0.77), (2.42, 0.72)),
                nose=((0.20, 0.05), (0.35, 0.0), (0.60, 0.01), (0.74, 0.06), (0.8, 0.12)),
                tail=((0.30, 0.08), (0.50, 0.0), (0.72, 0.04), (0.90, 0.06), (1.04, 0.10)),
                nose_bow=0.22, tail_bow=0.12, crown=0.06,
            ),
            cabin=cabin, axles=(1.48, -1.38), wheel=Wheel(0.335, 0.23, 0.24, 8, 0.25), track=1.63,
            belt=0.995, pillars=(-0.12, -1.14), doors=(0.92, -0.12, -1.16), posts=(0.30, 0.15),
            screens=((1.03, 0.10), (1.02, 0.12)), bumpers=(0.48, 0.52), hood=(1.22, 0.80, 0.22),
            trunk=("back", block((-0.70, 0.56), (0.70, 1.28)), 1.5),
            trims=(
                *_grille((0.40, 0.52), (0.40, 0.72), 2, CHROME),
                Trim("intake", "front", block((-0.62, 0.27), (0.62, 0.37)), -0.02, TRIM, 0.03),
                *_head([(0.52, 0.55), (1.1, 0.56), (1.1, 0.79), (0.52, 0.74)],
                    block((0.82, 0.53), (1.1, 0.60))),
                *_tail([(0.66, 0.60), (1.1, 0.60), (1.1, 0.96), (0.66, 0.96)],
                    block((0.70, 0.62), (0.80, 0.70))),
                *_plates(0.40, 0.68),
            ),
            window_line=CHROME,
            extras=(*_rails(cabin, CHROME, (-0.05, -1.35)), *_spoiler(cabin, 0.08),
                *_exhausts(-2.38, 0.58, 0.28)),
        )
    )  # fmt: skip


def suv() -> Model:
    """Return a tall off-road car with clad arches, roof rails, and the spare wheel on its tailgate."""
    cabin = Cabin(
        ((0.9, 1.15, -2.12, 0.91), (1.15, 0.98, -2.09, 0.89), (1.82, 0.46, -1.98, 0.77)),
        arch=0.04,
        side_power=12,
        front_power=5,
        back_power=6,
    )
    spare = lathe(
        [(1e-4, 0.02), (0.37, 0.02), (0.385, -0.03), (0.385, -0.17), (0.36, -0.20), (1e-4, -0.20)],
        "x",
        24,
        (-2.20, 0, 1.02),
    )
    cover = lathe(
        [(1e-4, -0.19), (0.27, -0.19), (0.30, -0.205), (0.28, -0.225), (0.10, -0.235), (1e-4, -0.235)],
        "x",
        24,
        (-2.20, 0, 1.02),
    )
    return car(
        Car(
            subtype="suv",
            hull=Hull(
                front=2.28, back=-2.20,
                half_width=((-2.2, 0.93), (-1.6, 0.96), (0, 0.965), (1.4, 0.96), (2.28, 0.92)),
                sill=((-2.2, 0.46), (-1.7, 0.36), (1.7, 0.34), (2.28, 0.42)),
                shoulder=((-2.2, 1.15), (-0.5, 1.14), (0.9, 1.13), (1.6, 1.10), (2.1, 1.06), (2.28, 1.03)),
                nose=((0.35, 0.08), (0.50, 0.0), (0.80, 0.02), (1.00, 0.05), (1.1, 0.09)),
                tail=((0.40, 0.05), (0.55, 0.0), (0.75, 0.05), (1.2, 0.07)),
                nose_bow=0.14, tail_bow=0.08, crown=0.05,
            ),
            cabin=cabin, axles=(1.42, -1.36), wheel=Wheel(0.41, 0.27, 0.27, 6, 0.34), track=1.68,
            belt=1.19, pillars=(-0.05, -1.10), doors=(0.90, -0.05, -1.10), posts=(0.22, 0.16),
            screens=((1.23, 0.12), (1.25, 0.15)), bumpers=(0.66, 0.62), hood=(1.06, 0.80, 0.14),
            trunk=("back", block((-0.78, 0.66), (0.78, 1.55)), 1.5),
            trims=(
                Trim("skid_plate", "front", [(-0.45, 0.36), (0.45, 0.36), (0.36, 0.54), (-0.36, 0.54)],
                    0.05, STEEL, 0.02),
                Trim("skid_plate", "back", [(-0.40, 0.36), (0.40, 0.36), (0.32, 0.48), (-0.32, 0.48)],
                    0.05, STEEL, 0.02),
                *_grille((0.46, 0.76), (0.46, 0.99), 0, PAINT),
                *_slats((0.76, 0.99), (-0.33, -0.22, -0.11, 0.0, 0.11, 0.22, 0.33)),
                *_head(block((0.56, 0.78), (1.1, 0.99)), block((0.80, 0.70), (1.1, 0.76))),
                *_tail(block((0.78, 0.74), (1.1, 1.16)), block((0.80, 0.76), (0.90, 0.84))),
                Trim("front_license_plate", "front", block((-0.26, 0.56), (0.26, 0.68)), 0.06, PLATE, 0.01),
                Trim("back_license_plate", "back", block((-0.26, 0.49), (0.26, 0.61)), 0.06, PLATE, 0.01),
            ),
            bumper_material=TRIM, bumper_height=0.04, cladding=0.09, rocker=0.12, black_pillars=False,
            extras=(
                *_rails(cabin, TRIM, (0.05, -0.75, -1.55)),
                part("spare_wheel", spare, TYRE), part("spare_wheel", cover, PAINT),
            ),
        )
    )  # fmt: skip


def minivan() -> Model:
    """Return a one-box people carrier: short sloping bonnet, tall glass, sliding doors."""
    cabin = Cabin(
        ((0.85, 2.02, -2.28, 0.91), (1.05, 1.74, -2.24, 0.89), (1.78, 0.56, -2.02, 0.74)),
        arch=0.08,
        crown=0.03,
    )
    return car(
        Car(
            subtype="minivan",
            hull=Hull(
                front=2.42, back=-2.36,
                half_width=((-2.36, 0.91), (-1.6, 0.95), (0, 0.96), (1.4, 0.955), (2.42, 0.86)),
                sill=((-2.36, 0.32), (-1.7, 0.22), (1.7, 0.20), (2.42, 0.22)),
                shoulder=((-2.36, 1.07), (-0.5, 1.06), (0.9, 1.04), (1.5, 0.99), (2.1, 0.84), (2.42, 0.72)),
                nose=((0.20, 0.06), (0.35, 0.0), (0.55, 0.02), (0.74, 0.09), (0.9, 0.22)),
                tail=((0.30, 0.06), (0.50, 0.0), (0.80, 0.04), (1.1, 0.06)),
                nose_bow=0.30, tail_bow=0.10, crown=0.08,
            ),
            cabin=cabin, axles=(1.52, -1.45), wheel=Wheel(0.335, 0.22, 0.24, 7, 0.30), track=1.68,
            belt=1.09, pillars=(0.98, -0.08, -1.22), doors=(0.95, -0.08, -1.24), posts=(0.30, 0.14),
            screens=((1.14, 0.10), (1.14, 0.13)), bumpers=(0.46, 0.56), hood=(1.78, 0.76, 0.36),
            trunk=("back", block((-0.74, 0.60), (0.74, 1.55)), 1.5),
            trims=(
                Trim("{side}_door_track", "side", block((-2.02, 1.00), (-1.20, 1.03)), -0.014, TRIM, 0.0),
                *_grille((0.40, 0.48), (0.34, 0.64), 2, CHROME),
                Trim("intake", "front", block((-0.60, 0.26), (0.60, 0.36)), -0.02, TRIM, 0.03),
                *_head([(0.48, 0.58), (1.1, 0.66), (1.1, 0.90), (0.50, 0.74)],
                    block((0.80, 0.52), (1.1, 0.62)), 0.60),
                *_tail([(0.78, 0.84), (1.1, 0.84), (1.1, 1.58), (0.67, 1.58)],
                    block((0.80, 0.88), (0.90, 0.98)), rim=0.045),
                *_plates(0.38, 0.84),
            ),
            extras=(*_spoiler(cabin, 0.06, 0.76), *_antenna(cabin),
                *_exhausts(-2.28, 0.58, 0.28, both=False)),
        )
    )  # fmt: skip


def truck() -> Model:
    """Return a pick-up truck: a cab, and an open bed behind it."""
    cabin = Cabin(
        ((0.9, 1.42, -0.72, 0.91), (1.15, 1.24, -0.69, 0.89), (1.83, 0.52, -0.54, 0.76)),
        arch=0.04,
        side_power=12,
        front_power=5,
        back_power=7,
    )
    return car(
        Car(
            subtype="truck",
            hull=Hull(
                front=2.68, back=-2.72,
                half_width=((-2.72, 0.96), (-1.6, 0.97), (0, 0.975), (1.6, 0.975), (2.68, 0.94)),
                sill=((-2.72, 0.52), (-1.7, 0.40), (1.7, 0.38), (2.68, 0.42)),
                shoulder=((-2.72, 1.17), (-0.5, 1.16), (0.9, 1.15), (1.8, 1.13), (2.5, 1.09), (2.68, 1.06)),
                nose=((0.35, 0.08), (0.50, 0.0), (0.80, 0.0), (1.00, 0.02), (1.1, 0.05)),
                tail=((0.40, 0.02), (0.55, 0.0), (1.2, 0.02)),
                nose_bow=0.13, tail_bow=0.03, crown=0.05, round_m=0.07,
            ),
            cabin=cabin, axles=(1.74, -1.66), wheel=Wheel(0.41, 0.28, 0.27, 6, 0.36), track=1.71,
            belt=1.21, pillars=(0.14,), doors=(1.14, 0.14, -0.60), posts=(0.24, 0.13),
            screens=((1.25, 0.12), (1.27, 0.15)), bumpers=(0.66, 0.66), hood=(1.34, 0.80, 0.14),
            trunk=("back", block((-0.76, 0.70), (0.76, 1.30)), 2.55),
            trims=(
                *_grille((0.52, 0.72), (0.56, 1.03), 3, CHROME),
                *_head(block((0.64, 0.76), (1.1, 1.02)), block((0.82, 0.68), (1.1, 0.75))),
                *_tail(block((0.80, 0.72), (1.1, 1.10)), block((0.83, 0.74), (0.92, 0.82))),
                Trim("trunk_handle", "back", block((-0.13, 0.96), (0.13, 1.04)), 0.02, TRIM, 0.02),
                Trim("front_license_plate", "front", block((-0.26, 0.50), (0.26, 0.62)), 0.06, PLATE, 0.01),
                Trim("back_license_plate", "back", block((-0.26, 0.53), (0.26, 0.65)), 0.06, PLATE, 0.01),
            ),
            bumper_material=CHROME, bumper_height=0.045, cladding=0.05, black_pillars=False,
            bed=Bed(-2.60, -0.82, 0.82, 0.72),
        )
    )  # fmt: skip
