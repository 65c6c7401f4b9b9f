"""The cars: sedan, wagon, suv, minivan and pick-up truck, from one table of shapes and one builder."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fathom.build.assets.model import Model, Part
from fathom.build.assets.shapes import Shell, box, lathe, mirrored, part
from fathom.build.assets.vehicles.bodywork import (
    Body,
    Outline,
    body,
    bored,
    disc,
    grown,
    mirror_image,
    on_both_sides,
    outline,
    parts_of,
    raised,
    rectangle,
    rounded,
    scored,
    sunk,
    union,
)
from fathom.build.assets.vehicles.hulls import Cabin, Hull, along, cabin_shell, hull_shell
from fathom.build.assets.vehicles.materials import (
    CHROME,
    GLASS,
    HEADLAMP,
    INDICATOR,
    PAINT,
    PLATE,
    STEEL,
    TAILLAMP,
    TRIM,
)
from fathom.build.assets.vehicles.wheels import Wheel, wheel

@dataclass(frozen=True)
class Car:
    """Everything in which one car differs from another; lengths in metres."""

    subtype: str
    hull: Hull
    cabin: Cabin
    axles: tuple[float, float]
    wheel: Wheel
    track: float
    pillars: tuple[float, ...]
    doors: tuple[float, ...]
    belt: float
    head: Outline
    tail: Outline
    grille: Outline
    grille_trim: Outline | None = None
    front_post: float = 0.10
    back_post: float = 0.12
    arch_gap: float = 0.06
    cladding: float = 0.0
    screen: tuple[float, float] = (0.0, 0.09)
    rear_screen: tuple[float, float] = (0.0, 0.10)
    back_glass_from: float | None = None
    hood_from: float = 0.0
    bed: tuple[float, float, float, float] | None = None
    plate_back: tuple[float, float] = (0.0, 0.6)
    plate_front: float = 0.40
    extras: tuple[str, ...] = field(default=())


def _mirrored_pair(region: Outline) -> Outline:
    return region + mirror_image(region)


def _side_glass(c: Car) -> Outline:
    top = c.cabin.roof - 0.085
    zs = np.linspace(c.belt, top, 5)
    edges = [c.cabin.edge(float(z)) for z in zs]
    front = [(e[0] - c.front_post, z) for e, z in zip(edges, zs, strict=True)]
    back = [(e[1] + c.back_post, z) for e, z in zip(edges, zs, strict=True)]
    glass = outline([*front, *back[::-1]])
    for x in c.pillars:
        glass = glass - rectangle((x - 0.035, 0.0), (x + 0.035, 3.0))
    return rounded(glass, 0.04)


def _screen(c: Car, low: float, high: float, post: float, front: bool) -> Outline:
    zs = (low, c.cabin.roof - high)
    ws = [c.cabin.edge(z)[2] - post for z in zs]
    return outline([(-ws[0], zs[0]), (ws[0], zs[0]), (ws[1], zs[1]), (-ws[1], zs[1])], 0.05)


def _glazed(b: Body, c: Car) -> Body:
    side = _side_glass(c)
    b = on_both_sides(lambda b, s: sunk(b, s, side, 0.012, (f"{s}_windows", GLASS), 0.2), b)
    middle = sum(c.cabin.edge(c.cabin.roof)[:2]) / 2
    low = c.screen[0] or c.belt + 0.02
    b = sunk(b, "front", _screen(c, low, c.screen[1], 0.10, True), 0.012, ("windscreen", GLASS), middle)
    low = c.rear_screen[0] or c.belt + 0.03
    back = _screen(c, low, c.rear_screen[1], 0.11, False)
    return sunk(b, "back", back, 0.012, ("back_windscreen", GLASS), -middle)


def _door_region(c: Car, x0: float, x1: float) -> Outline:
    """Return the side view of a door between two joints, clear of the wheel arches."""
    low = float(along(c.hull.sill, (x0 + x1) / 2)) + 0.14
    f, b, _ = c.cabin.edge(c.cabin.roof - 0.05)
    top = c.cabin.roof - 0.055
    fb, bb, _ = c.cabin.edge(c.belt)
    whole = rectangle((x0, low), (x1, c.belt + 0.01)) + outline(
        [(fb - 0.06, c.belt), (f - 0.06, top), (b + 0.07, top), (bb + 0.07, c.belt)]
    ) ^ rectangle((x0, low), (x1, 3.0))
    for x in c.axles:
        whole = whole - disc((x, c.wheel.radius), c.wheel.radius + c.arch_gap + 0.09)
    return rounded(whole, 0.05)


def _doored(b: Body, c: Car) -> Body:
    names = ("front", "back")
    for name, x1, x0 in zip(names, c.doors[:-1], c.doors[1:], strict=False):
        region = _door_region(c, x0, x1)
        b = on_both_sides(
            lambda b, s, r=region, n=name: scored(b, s, r, f"{n}_{s}_door", ("joints", TRIM), start=0.3), b
        )
    return b


def _arched(b: Body, c: Car) -> Body:
    r = c.wheel.radius + c.arch_gap
    for x in c.axles:
        if c.cladding:
            low = float(along(c.hull.sill, x))
            ring = (disc((x, c.wheel.radius), r + c.cladding) - disc((x, c.wheel.radius), r - 0.02)) ^ rectangle(
                (x - 2, low + 0.01), (x + 2, 3)
            )
            b = on_both_sides(lambda b, s, g=ring: raised(b, s, g, 0.03, ("cladding", TRIM), 0.4), b)
    for x in c.axles:
        well = _well(x, c.wheel.radius, r, c.track / 2 - c.wheel.width / 2 - 0.12)
        b = bored(bored(b, well, ("wheel_arches", TRIM)), mirrored(well), ("wheel_arches", TRIM))
    return b


def _well(x: float, z: float, r: float, inner: float) -> Shell:
    return lathe([(1e-4, inner), (r, inner), (r, 3.0), (1e-4, 3.0)], "y", 40, (x, 0, z))


def _ends(b: Body, c: Car) -> Body:
    h = c.hull
    start = h.front - 0.62
    b = sunk(b, "front", c.grille, 0.02, ("grille", TRIM), start)
    if c.grille_trim is not None:
        b = raised(b, "front", c.grille_trim, 0.012, ("grille", CHROME), start)
    b = raised(b, "front", _mirrored_pair(c.head), 0.012, ("head_lights", HEADLAMP), start)
    b = raised(b, "back", _mirrored_pair(c.tail), 0.014, ("tail_lights", TAILLAMP), -(h.back + 0.42))
    w = 0.26
    plate = rectangle((-w, c.plate_front), (w, c.plate_front + 0.12), 0.01)
    b = raised(b, "front", plate, 0.02, ("front_license_plate", PLATE), start)
    y, z = c.plate_back
    plate = rectangle((y - w, z), (y + w, z + 0.13), 0.01)
    return raised(b, "back", plate, 0.02, ("back_license_plate", PLATE), -(h.back + 0.5))


def _bumpered(b: Body, c: Car) -> Body:
    h = c.hull
    low = float(along(h.sill, h.front))
    skirt = rectangle((-1.2, low - 0.1), (1.2, low + 0.10))
    b = raised(b, "front", skirt, 0.012, ("front_bumper", TRIM), h.front - 0.50)
    low = float(along(h.sill, h.back))
    skirt = rectangle((-1.2, low - 0.1), (1.2, low + 0.13))
    return raised(b, "back", skirt, 0.012, ("back_bumper", TRIM), -(h.back + 0.40))


def _hooded(b: Body, c: Car) -> Body:
    h = c.hull
    w = float(along(h.half_width, c.axles[0])) * 0.80
    hood = outline([(c.hood_from, -w), (h.front - 0.35, -w * 0.84), (h.front - 0.35, w * 0.84), (c.hood_from, w)], 0.08)
    return scored(b, "top", hood, "hood", ("joints", TRIM), start=0.5)


def _mirror(c: Car) -> Shell:
    z = c.belt + 0.09
    f, _, w = c.cabin.edge(c.belt)
    x = f - 0.62
    shell = box((x, w + 0.13, z), (0.12, 0.22, 0.15), 0.045)
    arm = box((x, w + 0.01, z - 0.06), (0.07, 0.16, 0.05), 0.02)
    return union(shell, arm)


def _details(c: Car) -> list[Part]:
    parts = []
    for s, flip in (("left", False), ("right", True)):
        m = _mirror(c)
        parts.append(part(f"{s}_mirror", mirrored(m) if flip else m, PAINT))
    return parts


def car(c: Car) -> Model:
    """Return the car that a table entry describes."""
    b = body(union(hull_shell(c.hull), cabin_shell(c.cabin)), PAINT)
    b = _bumpered(b, c)
    b = _hooded(_doored(b, c), c)
    b = _ends(_glazed(b, c), c)
    if c.bed is not None:
        x0, x1, w, floor = c.bed
        b = bored(b, box(((x0 + x1) / 2, 0, floor + 1), (x1 - x0, 2 * w, 2.0)), ("bed", TRIM))
    b = _arched(b, c)
    parts = [*parts_of(b), *_details(c)]
    for (end, x) in zip(("front", "back"), c.axles, strict=True):
        for side, sign in (("left", 1), ("right", -1)):
            parts += wheel(f"{end}_{side}_wheel", c.wheel, x, sign * c.track / 2)
    return Model(c.subtype, "car", c.subtype, tuple(parts))


def sedan() -> Model:
    """Return a three-box saloon."""
    return car(
        Car(
            subtype="sedan",
            hull=Hull(
                front=2.40, back=-2.35,
                half_width=((-2.35, 0.86), (-1.6, 0.92), (0, 0.935), (1.4, 0.925), (2.4, 0.84)),
                sill=((-2.35, 0.34), (-1.7, 0.24), (1.7, 0.20), (2.4, 0.22)),
                shoulder=((-2.35, 0.97), (-1.7, 0.99), (-0.5, 0.95), (0.9, 0.91), (1.6, 0.83), (2.2, 0.70), (2.4, 0.64)),
                nose=((0.20, 0.06), (0.35, 0.0), (0.55, 0.01), (0.68, 0.06), (0.8, 0.16)),
                tail=((0.30, 0.08), (0.50, 0.0), (0.70, 0.04), (0.85, 0.10), (1.02, 0.10)),
            ),
            cabin=Cabin(((0.75, 1.42, -2.05, 0.86), (0.95, 1.12, -1.90, 0.84), (1.43, 0.22, -1.02, 0.62))),
            axles=(1.45, -1.40), wheel=Wheel(0.335, 0.23, 0.235), track=1.62,
            pillars=(-0.20,), doors=(0.86, -0.20, -1.20), belt=0.975,
            hood_from=1.12, rear_screen=(1.09, 0.10),
            head=outline([(0.42, 0.58), (1.1, 0.56), (1.1, 0.74), (0.48, 0.68)], 0.02),
            tail=outline([(0.34, 0.70), (1.1, 0.66), (1.1, 0.88), (0.34, 0.84)], 0.02),
            grille=outline([(-0.36, 0.48), (0.36, 0.48), (0.42, 0.66), (-0.42, 0.66)], 0.03),
            front_post=0.22, back_post=0.24, plate_back=(0, 0.68), plate_front=0.30,
        )
    )  # fmt: skip


def wagon() -> Model:
    """Return an estate car: a saloon's front, and a long low roof to the tail."""
    return car(
        Car(
            subtype="wagon",
            hull=Hull(
                front=2.42, back=-2.42,
                half_width=((-2.42, 0.86), (-1.6, 0.92), (0, 0.935), (1.4, 0.925), (2.42, 0.84)),
                sill=((-2.42, 0.34), (-1.7, 0.24), (1.7, 0.20), (2.42, 0.22)),
                shoulder=((-2.42, 0.98), (-1.7, 0.98), (-0.5, 0.95), (0.9, 0.91), (1.6, 0.84), (2.2, 0.73), (2.42, 0.68)),
                nose=((0.20, 0.06), (0.35, 0.0), (0.60, 0.01), (0.72, 0.06), (0.8, 0.16)),
                tail=((0.30, 0.06), (0.50, 0.0), (0.70, 0.03), (0.85, 0.06), (1.02, 0.10)),
            ),
            cabin=Cabin(((0.75, 1.45, -2.30, 0.86), (0.95, 1.15, -2.26, 0.84), (1.46, 0.26, -1.86, 0.64)), arch=0.03),
            axles=(1.48, -1.38), wheel=Wheel(0.335, 0.23, 0.235, spokes=7, spoke_width=0.28), track=1.62,
            pillars=(-0.15, -1.15), doors=(0.88, -0.15, -1.15), belt=0.975,
            hood_from=1.16, rear_screen=(1.0, 0.13),
            head=outline([(0.50, 0.58), (1.1, 0.56), (1.1, 0.78), (0.50, 0.72)], 0.02),
            tail=outline([(0.62, 0.60), (1.1, 0.60), (1.1, 1.00), (0.66, 1.00)], 0.02),
            grille=outline([(-0.42, 0.52), (0.42, 0.52), (0.42, 0.70), (-0.42, 0.70)], 0.03),
            front_post=0.22, back_post=0.13, plate_back=(0, 0.70), plate_front=0.32,
            extras=("rails",),
        )
    )  # fmt: skip


def suv() -> Model:
    """Return a tall off-road car with clad arches, roof rails, and the spare wheel on its tailgate."""
    return car(
        Car(
            subtype="suv",
            hull=Hull(
                front=2.25, back=-2.20,
                half_width=((-2.2, 0.92), (-1.6, 0.96), (0, 0.97), (1.4, 0.965), (2.25, 0.92)),
                sill=((-2.2, 0.46), (-1.7, 0.36), (1.7, 0.34), (2.25, 0.40)),
                shoulder=((-2.2, 1.15), (-0.5, 1.13), (0.9, 1.12), (1.6, 1.09), (2.1, 1.04), (2.25, 1.00)),
                nose=((0.35, 0.08), (0.50, 0.0), (0.80, 0.0), (1.00, 0.04), (1.1, 0.08)),
                tail=((0.40, 0.05), (0.55, 0.0), (0.70, 0.04), (0.85, 0.06), (1.2, 0.08)),
                nose_bow=0.14, tail_bow=0.08, crown=0.05,
            ),
            cabin=Cabin(((0.9, 1.15, -2.12, 0.90), (1.15, 0.98, -2.09, 0.88), (1.80, 0.46, -1.98, 0.76)), arch=0.03, side_power=9, front_power=4.5),
            axles=(1.42, -1.36), wheel=Wheel(0.40, 0.26, 0.26, spokes=6, spoke_width=0.34), track=1.68,
            pillars=(-0.05, -1.10), doors=(0.92, -0.05, -1.10), belt=1.17,
            hood_from=1.06, cladding=0.09, rear_screen=(1.22, 0.13),
            head=outline([(0.56, 0.80), (1.1, 0.80), (1.1, 1.00), (0.56, 1.00)], 0.03),
            tail=outline([(0.72, 0.78), (1.1, 0.78), (1.1, 1.16), (0.74, 1.16)], 0.03),
            grille=outline([(-0.50, 0.76), (0.50, 0.76), (0.50, 1.00), (-0.50, 1.00)], 0.03),
            front_post=0.16, back_post=0.12, plate_back=(0.0, 0.52), plate_front=0.54,
            extras=("rails", "spare"),
        )
    )  # fmt: skip


def minivan() -> Model:
    """Return a one-box people carrier: short sloping bonnet, tall glass, sliding doors."""
    return car(
        Car(
            subtype="minivan",
            hull=Hull(
                front=2.38, back=-2.32,
                half_width=((-2.32, 0.90), (-1.6, 0.95), (0, 0.965), (1.4, 0.955), (2.38, 0.84)),
                sill=((-2.32, 0.34), (-1.7, 0.24), (1.7, 0.21), (2.38, 0.24)),
                shoulder=((-2.32, 1.06), (-0.5, 1.05), (0.9, 1.04), (1.5, 0.99), (2.1, 0.82), (2.38, 0.70)),
                nose=((0.20, 0.08), (0.35, 0.0), (0.55, 0.02), (0.72, 0.09), (0.9, 0.22)),
                tail=((0.30, 0.05), (0.50, 0.0), (0.80, 0.03), (1.1, 0.05)),
                nose_bow=0.30, tail_bow=0.10, crown=0.08,
            ),
            cabin=Cabin(((0.85, 1.98, -2.26, 0.90), (1.05, 1.72, -2.22, 0.88), (1.78, 0.52, -1.98, 0.74)), arch=0.07),
            axles=(1.50, -1.45), wheel=Wheel(0.335, 0.22, 0.235, spokes=9, spoke_width=0.24), track=1.66,
            pillars=(0.92, -0.10, -1.25), doors=(0.95, -0.10, -1.25), belt=1.10,
            hood_from=1.62, rear_screen=(1.16, 0.13),
            head=outline([(0.50, 0.64), (1.1, 0.72), (1.1, 0.96), (0.50, 0.76)], 0.02),
            tail=outline([(0.74, 0.80), (1.1, 0.80), (1.1, 1.50), (0.70, 1.50)], 0.02),
            grille=outline([(-0.42, 0.50), (0.42, 0.50), (0.36, 0.68), (-0.36, 0.68)], 0.03),
            front_post=0.26, back_post=0.14, plate_back=(0, 0.80), plate_front=0.34,
        )
    )  # fmt: skip


def truck() -> Model:
    """Return a pick-up truck: a cab, and an open bed behind it."""
    return car(
        Car(
            subtype="truck",
            hull=Hull(
                front=2.65, back=-2.70,
                half_width=((-2.7, 0.95), (-1.6, 0.97), (0, 0.98), (1.6, 0.98), (2.65, 0.93)),
                sill=((-2.7, 0.52), (-1.7, 0.40), (1.7, 0.38), (2.65, 0.42)),
                shoulder=((-2.7, 1.16), (-0.5, 1.15), (0.9, 1.14), (1.8, 1.11), (2.5, 1.06), (2.65, 1.02)),
                nose=((0.35, 0.08), (0.50, 0.0), (0.80, 0.0), (1.00, 0.02), (1.1, 0.06)),
                tail=((0.40, 0.02), (0.55, 0.0), (1.2, 0.02)),
                nose_bow=0.14, tail_bow=0.03, crown=0.05, round_m=0.07,
            ),
            cabin=Cabin(((0.9, 1.42, -0.66, 0.90), (1.15, 1.24, -0.62, 0.88), (1.80, 0.50, -0.48, 0.74)), arch=0.03, front_power=4.5),
            axles=(1.72, -1.62), wheel=Wheel(0.40, 0.27, 0.26, spokes=6, spoke_width=0.34), track=1.70,
            pillars=(0.16,), doors=(1.12, 0.16, -0.5), belt=1.19,
            hood_from=1.36, cladding=0.07, rear_screen=(1.24, 0.14),
            head=outline([(0.60, 0.84), (1.1, 0.84), (1.1, 1.04), (0.60, 1.04)], 0.03),
            tail=outline([(0.76, 0.72), (1.1, 0.72), (1.1, 1.10), (0.76, 1.10)], 0.03),
            grille=outline([(-0.54, 0.72), (0.54, 0.72), (0.54, 1.03), (-0.54, 1.03)], 0.03),
            front_post=0.16, back_post=0.10, plate_back=(0, 0.60), plate_front=0.52,
            bed=(-2.56, -0.78, 0.80, 0.72),
        )
    )  # fmt: skip
