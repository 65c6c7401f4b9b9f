"""The buses: regular, double-decker, articulated and school bus, from one table of shapes and one builder."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fathom.build.assets.model import Model, Part
from fathom.build.assets.shapes import Shell, box, lathe, merged, mirrored, moved, part, tube
from fathom.build.assets.vehicles.bodywork import (
    Body,
    Outline,
    body,
    bored,
    on_both_sides,
    outline,
    parts_of,
    raised,
    rectangle,
    rounded,
    sunk,
    union,
)
from fathom.build.assets.vehicles.hulls import Curve, Hull, hull_shell
from fathom.build.assets.vehicles.materials import (
    GLASS,
    HEADLAMP,
    INDICATOR,
    PAINT,
    PLATE,
    RUBBER,
    SIGN,
    STEEL,
    TAILLAMP,
    TRIM,
)
from fathom.build.assets.vehicles.wheels import Wheel, wheel

BUS_SECTION = np.array(
    [
        (0.00, 0.000), (0.50, 0.000), (0.93, 0.000), (0.975, 0.006), (0.995, 0.025), (1.000, 0.060),
        (1.000, 0.250), (1.000, 0.450), (0.995, 0.650), (0.985, 0.820), (0.975, 0.890), (0.955, 0.935),
        (0.920, 0.970), (0.87, 0.992), (0.80, 1.000), (0.60, 1.000), (0.40, 1.000), (0.20, 1.000),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Bus:
    """Everything in which one bus differs from another; lengths in metres."""

    subtype: str
    hull: Hull
    axles: tuple[float, ...]
    bands: tuple[tuple[float, float], ...]
    panes: tuple[float, ...]
    screen: tuple[float, float]
    doors: tuple[tuple[float, float], ...]
    sign: tuple[float, float]
    rear_screen: tuple[float, float]
    wheel: Wheel = Wheel(0.50, 0.30, 0.30, spokes=0)
    extras: tuple[str, ...] = field(default=())

    @property
    def w(self) -> float:
        """Half the width of the body."""
        return max(a for _, a in self.hull.half_width)


def _windows(c: Bus, low: float, high: float, side: str) -> Outline:
    glass = rectangle((c.panes[0], low), (c.panes[-1], high))
    for x in c.panes[1:-1]:
        glass = glass - rectangle((x - 0.05, low - 1), (x + 0.05, high + 1))
    if side == "right":
        for x0, x1 in c.doors:
            glass = glass - rectangle((x0 - 0.08, low - 1), (x1 + 0.08, 2.6))
    return rounded(glass, 0.07)


def _glazed(b: Body, c: Bus) -> Body:
    def band(b: Body, s: str) -> Body:
        region = _windows(c, *c.bands[0], s)
        for low, high in c.bands[1:]:
            region = region + _windows(c, low, high, "left")
        return sunk(b, s, region, 0.02, (f"{s}_windows", GLASS), 0.3)

    b = on_both_sides(band, b)
    w = c.w
    low, high = c.screen
    screen = rectangle((-w - 1, low), (w + 1, high))
    b = sunk(b, "front", screen, 0.02, ("windscreen", GLASS), c.hull.front - 0.45)
    low, high = c.rear_screen
    rear = rectangle((-w * 0.78, low), (w * 0.78, high), 0.12)
    return sunk(b, "back", rear, 0.02, ("back_windscreen", GLASS), -(c.hull.back + 0.5))


def _doored(b: Body, c: Bus) -> Body:
    names = ("front", "mid", "back")
    low = 0.36
    for name, (x0, x1) in zip(names, c.doors, strict=False):
        frame = rectangle((x0, low), (x1, 2.55), 0.06)
        b = sunk(b, "right", frame, 0.02, (f"{name}_door", TRIM), 0.3)
        middle = (x0 + x1) / 2
        for a, z in ((x0 + 0.06, middle - 0.02), (middle + 0.02, x1 - 0.06)):
            leaf = rectangle((a, low + 0.12), (z, 2.47), 0.05)
            b = sunk(b, "right", leaf, 0.035, (f"{name}_door", GLASS), 0.3)
    return b


def _ends(b: Body, c: Bus) -> Body:
    w, h = c.w, c.hull
    start = h.front - 0.5
    low, high = c.sign
    b = raised(b, "front", rectangle((-w * 0.66, low), (w * 0.66, high), 0.03), 0.01, ("sign", SIGN), start)
    lamps = outline([(w * 0.52, 0.66), (w + 1, 0.66), (w + 1, 0.95), (w * 0.52, 0.90)], 0.03)
    for s in ("left", "right"):
        region = lamps if s == "left" else lamps.mirror((1.0, 0.0))
        b = raised(b, "front", region, 0.02, (f"{s}_head_light", HEADLAMP), start + 0.15)
    b = raised(b, "front", rectangle((-w - 1, 0.2), (w + 1, 0.50)), 0.02, ("front_bumper", TRIM), start)
    b = raised(b, "front", rectangle((-0.3, 0.54), (0.3, 0.68), 0.02), 0.03, ("front_license_plate", PLATE), start)
    back = -(h.back + 0.4)
    for s, k in (("left", 1), ("right", -1)):
        region = rectangle((w * 0.76, 0.75), (w * 0.97, 1.55), 0.05)
        region = region if k > 0 else region.mirror((1.0, 0.0))
        b = raised(b, "back", region, 0.02, (f"{s}_tail_light", TAILLAMP), back)
    b = sunk(b, "back", rectangle((-w * 0.6, 0.75), (w * 0.6, 1.35), 0.05), 0.03, ("engine_grille", TRIM), back)
    b = raised(b, "back", rectangle((-w - 1, 0.2), (w + 1, 0.55)), 0.02, ("back_bumper", TRIM), back)
    return raised(b, "back", rectangle((-0.3, 0.58), (0.3, 0.72), 0.02), 0.03, ("back_license_plate", PLATE), back)


def _arched(b: Body, c: Bus) -> Body:
    r = c.wheel.radius + 0.09
    for x in c.axles:
        well = lathe([(1e-4, c.w - 0.75), (r, c.w - 0.75), (r, 3.0), (1e-4, 3.0)], "y", 40, (x, 0, c.wheel.radius))
        tag = ("wheel_arches", TRIM)
        b = bored(bored(b, well, tag), mirrored(well), tag)
    return b


def _mirrors(c: Bus) -> list[Part]:
    x, z, w = c.hull.front, c.screen[1] - 0.25, c.w
    arm = tube([(x - 0.35, w - 0.1, z + 0.35), (x + 0.05, w + 0.08, z + 0.35), (x + 0.12, w + 0.12, z + 0.1)], 0.035, 6)
    glass = box((x + 0.12, w + 0.12, z - 0.2), (0.12, 0.24, 0.5), 0.04)
    shell = merged(arm, glass)
    return [part("left_mirror", shell, TRIM), part("right_mirror", mirrored(shell), TRIM)]


def bus(c: Bus) -> Model:
    """Return the bus that a table entry describes."""
    b = body(hull_shell(c.hull), PAINT)
    b = _arched(_ends(_doored(_glazed(b, c), c), c), c)
    parts = [*parts_of(b), *_mirrors(c)]
    names = ("front", "back") if len(c.axles) == 2 else ("front", "mid", "back")
    for end, x in zip(names, c.axles, strict=True):
        for side, sign in (("left", 1), ("right", -1)):
            parts += wheel(f"{end}_{side}_wheel", c.wheel, x, sign * (c.w - 0.20))
    return Model(c.subtype, "bus", c.subtype, tuple(parts))


def _box_hull(length: float, width: float, low: float, high: float, **more: float) -> Hull:
    x, w = length / 2, width / 2
    flat: Curve = ((-x, w), (x, w))
    return Hull(
        front=x, back=-x, half_width=flat, sill=((-x, low), (x, low)), shoulder=((-x, high), (x, high)),
        nose=((0.3, 0.06), (0.6, 0.0), (1.1, 0.01), (high, 0.30)), tail=((0.3, 0.05), (0.6, 0.0), (1.5, 0.0), (high, 0.12)),
        nose_bow=0.20, tail_bow=0.08, crown=0.05, round_m=0.14, section=BUS_SECTION, stations=14, ease=(0.8, 0.6),
    )  # fmt: skip


def regular() -> Model:
    """Return a single-decker city bus."""
    return bus(
        Bus(
            subtype="regular", hull=_box_hull(10.2, 2.55, 0.32, 3.0), axles=(2.75, -2.55),
            bands=((1.25, 2.40),), panes=(-4.85, -3.5, -2.1, -0.7, 0.7, 2.1, 3.5, 4.5),
            screen=(1.15, 2.62), doors=((3.45, 4.55), (-0.75, 0.55)), sign=(2.66, 2.92), rear_screen=(1.75, 2.6),
        )
    )  # fmt: skip


def double() -> Model:
    """Return a double-decker bus."""
    return bus(
        Bus(
            subtype="double", hull=_box_hull(10.9, 2.55, 0.32, 4.35), axles=(3.05, -2.75),
            bands=((1.30, 2.25), (2.85, 3.75)), panes=(-5.15, -3.8, -2.4, -1.0, 0.4, 1.8, 3.2, 4.8),
            screen=(1.15, 2.30), doors=((3.75, 4.85), (-0.75, 0.55)), sign=(2.38, 2.72), rear_screen=(2.9, 3.8),
        )
    )  # fmt: skip


def articulated() -> Model:
    """Return a long bus of two halves with bellows between them."""
    return bus(
        Bus(
            subtype="articulated", hull=_box_hull(17.0, 2.55, 0.32, 3.0), axles=(5.9, 0.2, -5.6),
            bands=((1.25, 2.40),), panes=(-8.2, -6.8, -5.4, -4.0, -2.6, -1.2, 0.2, 1.6, 3.0, 4.4, 5.8, 7.3, 8.0),
            screen=(1.15, 2.62), doors=((6.75, 7.85), (1.8, 3.1), (-4.2, -2.9)), sign=(2.66, 2.92), rear_screen=(1.75, 2.6),
        )
    )  # fmt: skip


def school() -> Model:
    """Return a school bus: a bonnet ahead of the cab, rails along the sides, warning lamps on the roof."""
    return bus(
        Bus(
            subtype="school", hull=_box_hull(10.2, 2.45, 0.40, 3.0), axles=(3.4, -2.55),
            bands=((1.65, 2.40),), panes=(-4.85, -3.9, -2.9, -1.9, -0.9, 0.1, 1.1, 2.1, 3.2),
            screen=(1.45, 2.62), doors=((2.2, 3.2),), sign=(2.66, 2.92), rear_screen=(1.75, 2.6),
        )
    )  # fmt: skip
