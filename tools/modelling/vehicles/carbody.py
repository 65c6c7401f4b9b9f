"""From a table entry to a car: glass, doors, bonnet, lamps and trim on a hull and a cabin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Material, Model, Part
from fathom.assets.shapes import Shell, box, lathe, mirrored, part
from tools.modelling.vehicles.bodywork import (
    Body,
    Outline,
    body,
    bored,
    disc,
    grown,
    joined,
    outline,
    parts_of,
    raised,
    rectangle,
    rounded,
    scored,
    sunk,
    union,
)
from tools.modelling.vehicles.hulls import Cabin, Hull, along, cabin_shell, hull_shell
from tools.modelling.vehicles.materials import GLASS, PAINT, RUBBER, TRIM
from tools.modelling.vehicles.trims import Points2, Trim, trimmed
from tools.modelling.vehicles.wheels import Wheel, wheel

JOINT = ("joints", TRIM)


@dataclass(frozen=True)
class Bed:
    """The open box of a pick-up: back and front x, half-width, and the height of its floor."""

    back: float
    front: float
    half_width: float
    floor: float


@dataclass(frozen=True)
class Car:
    """Everything in which one car differs from another; lengths in metres.

    axles : x of the front and the back wheels
    track : distance between the middles of the left and the right wheels
    belt : lower edge of the side windows
    pillars : x of the posts between side windows
    doors : x of the joints, from the front of the front door to the back of the last
    posts : how far the side glass stays behind the windscreen, and ahead of the back one
    screens : (low z, distance below the roof) of the windscreen and of the back one
    bumpers : upper edges of the front and the back bumper
    hood : x from which the bonnet lid runs to the nose, and its share of the half-width
    trunk : the view in which the lid of the boot is drawn, its outline, and where the view starts
    """

    subtype: str
    hull: Hull
    cabin: Cabin
    axles: tuple[float, float]
    wheel: Wheel
    track: float
    belt: float
    pillars: tuple[float, ...]
    doors: tuple[float, ...]
    posts: tuple[float, float]
    screens: tuple[tuple[float, float], tuple[float, float]]
    bumpers: tuple[float, float]
    hood: tuple[float, float, float]
    trunk: tuple[str, Points2, float]
    trims: tuple[Trim, ...]
    bumper_material: Material = PAINT
    bumper_height: float = 0.01
    cladding: float = 0.0
    rocker: float = 0.10
    window_line: Material | None = None
    black_pillars: bool = True
    bed: Bed | None = None
    extras: tuple[Part, ...] = ()


def _glass_house(c: Car) -> Outline:
    """Return the side view of all glass with its posts."""
    f, b, _ = c.cabin.edge(c.cabin.roof)
    xs = np.linspace(f - 0.75 * c.posts[0], b + 0.75 * c.posts[1], 6)
    head = [(float(x), c.cabin.top(float(x)) - 0.085) for x in xs]
    front, back, _ = c.cabin.edge(c.belt)
    return outline([(front - c.posts[0], c.belt), *head, (back + c.posts[1], c.belt)])


def _windows(c: Car) -> list[tuple[str, Outline]]:
    glass = _glass_house(c)
    cuts = [9.0, *c.pillars, -9.0]
    names = ("front_{side}_window", "back_{side}_window", "{side}_quarter_window", "{side}_rear_window")
    if len(c.pillars) == 3:
        names = ("{side}_vent_window", *names[:3])
    out = []
    for name, x1, x0 in zip(names, cuts[:-1], cuts[1:], strict=False):
        half = 0.035
        out.append((name, rounded(glass ^ rectangle((x0 + half, 0), (x1 - half, 4)), 0.035)))
    return [(n, r) for n, r in out if not r.is_empty()]


def _screen(c: Car, low: float, below: float, post: float) -> Outline:
    high = c.cabin.roof - below
    ws = [c.cabin.edge(z)[2] - post for z in (low, high)]
    return outline([(-ws[0], low), (ws[0], low), (ws[1], high), (-ws[1], high)], 0.05)


def _glazed(b: Body, c: Car) -> Body:
    house = _glass_house(c)
    if c.window_line is not None:
        line, tag = grown(house, 0.022), ("window_line", c.window_line)
        b = raised(b, "side", line, 0.005, tag, 0.5)
    if c.black_pillars:
        b = sunk(b, "side", house, 0.003, ("pillars", TRIM), 0.5)
    for name, region in _windows(c):
        b = sunk(b, "side", region, 0.013, (name, GLASS), 0.5, RUBBER)
    middle = sum(c.cabin.edge(c.cabin.roof)[:2]) / 2
    for view, (low, below), name, start in (
        ("front", c.screens[0], "windscreen", middle),
        ("back", c.screens[1], "back_windscreen", -middle),
    ):
        post = 0.115 if view == "front" else 0.12
        b = sunk(b, view, _screen(c, low, below, post), 0.012, (name, GLASS), start, RUBBER)
    return b


def _wipers(b: Body, c: Car) -> Body:
    low, _ = c.screens[0]
    middle = sum(c.cabin.edge(c.cabin.roof)[:2]) / 2
    for y in (-0.02, 0.56):
        strip = outline(
            [(y, low + 0.01), (y - 0.02, low + 0.035), (y - 0.46, low + 0.12), (y - 0.46, low + 0.105)]
        )
        b = raised(b, "front", strip, 0.012, ("wipers", TRIM), middle)
    return b


def _doored(b: Body, c: Car) -> Body:
    for name, x1, x0 in zip(("front", "back"), c.doors[:-1], c.doors[1:], strict=False):
        low = float(along(c.hull.sill, (x0 + x1) / 2)) + c.rocker + 0.03
        region = rectangle((x0, low), (x1, c.belt + 0.02))
        for x in c.axles:
            region = region - disc((x, c.wheel.radius), c.wheel.radius + 0.15 + c.cladding, 20)
        region = rounded(region, 0.05)
        b = scored(b, "side", region, name + "_{side}_door", JOINT, start=0.5)
        z = c.belt - 0.10
        handle = rectangle((x0 + 0.07, z), (x0 + 0.27, z + 0.035), 0.015)
        cup = rectangle((x0 + 0.10, z - 0.035), (x0 + 0.24, z + 0.02), 0.02)
        b = sunk(b, "side", cup, 0.01, ("handles", TRIM), 0.4)
        b = raised(b, "side", handle, 0.03, ("handles", c.window_line or PAINT), 0.4)
    return b


def _clad(b: Body, c: Car) -> Body:
    """Return the body with sills, and with wide black arches where the car has them."""
    sill = [(x, float(along(c.hull.sill, x))) for x in np.linspace(c.axles[1], c.axles[0], 9)]
    low = [(x, z - 0.1) for x, z in sill]
    rocker = outline([*low, *[(x, z + c.rocker) for x, z in sill[::-1]]])
    b = raised(b, "side", rocker, 0.012, ("sills", TRIM), 0.4)
    if c.cladding:
        r = c.wheel.radius + 0.06
        for x in c.axles:
            z = float(along(c.hull.sill, x))
            ring = disc((x, c.wheel.radius), r + c.cladding, 36) - disc((x, c.wheel.radius), r - 0.02, 36)
            ring = ring ^ rectangle((x - 2, z + 0.02), (x + 2, 3))
            b = raised(b, "side", ring, 0.035, ("cladding", TRIM), 0.4)
    return b


def _arched(b: Body, c: Car) -> Body:
    r, inner = c.wheel.radius + 0.06, c.track / 2 - c.wheel.width / 2 - 0.10
    for x in c.axles:
        well = lathe([(1e-4, inner), (r, inner), (r, 3.0), (1e-4, 3.0)], "y", 36, (x, 0, c.wheel.radius))
        tag = ("wheel_arches", TRIM)
        b = bored(bored(b, well, tag), mirrored(well), tag)
    return b


def _bumpered(b: Body, c: Car) -> Body:
    h = c.hull
    reach = h.front - c.axles[0] - c.wheel.radius - 0.02
    region = rectangle((-2, 0), (2, c.bumpers[0]))
    b = raised(b, "front", region, c.bumper_height, ("front_bumper", c.bumper_material), h.front - reach)
    reach = c.axles[1] - h.back - c.wheel.radius - 0.02
    region = rectangle((-2, 0), (2, c.bumpers[1]))
    return raised(b, "back", region, c.bumper_height, ("back_bumper", c.bumper_material), -(h.back + reach))


def _lidded(b: Body, c: Car) -> Body:
    """Return the body with roof, bonnet and boot as parts of their own."""
    f, back, _ = c.cabin.edge(c.cabin.roof)
    w = c.cabin.edge(c.cabin.roof)[2] - 0.05
    roof = rectangle((back + 0.10, -w), (f - 0.10, w), 0.12)
    b = raised(b, "top", roof, 0.006, ("roof", PAINT), c.belt)
    h = c.hull
    x0, share, gap = c.hood
    w = float(along(h.half_width, c.axles[0])) * share
    lid = outline([(x0, -w), (h.front - gap, -w * 0.86), (h.front - gap, w * 0.86), (x0, w)], 0.07)
    b = scored(b, "top", lid, "hood", JOINT, start=0.5)
    view, points, start = c.trunk
    return scored(b, view, outline(points, 0.05), "trunk", JOINT, start=start)


def _trimmed(b: Body, c: Car) -> Body:
    return trimmed(b, c.trims, c.hull.back, c.hull.front)


def _mirror(c: Car) -> tuple[Shell, Shell]:
    f, _, w = c.cabin.edge(c.belt)
    x, z = f - c.posts[0] - 0.12, c.belt + 0.08
    shell = box((x, w + 0.13, z + 0.02), (0.14, 0.22, 0.17), 0.05)
    arm = box((x - 0.01, w, z - 0.055), (0.08, 0.18, 0.05))
    return union(shell, arm), box((x - 0.066, w + 0.13, z + 0.02), (0.02, 0.17, 0.12))


def _bedded(b: Body, c: Car) -> Body:
    if c.bed is None:
        return b
    d = c.bed
    hollow = box(((d.back + d.front) / 2, 0, d.floor + 1), (d.front - d.back, 2 * d.half_width, 2.0))
    b = bored(b, hollow, ("bed", TRIM))
    inner = c.track / 2 - c.wheel.width / 2 - 0.16
    wide = d.half_width - inner + 0.02
    housing = box(
        (c.axles[1], inner + wide / 2, 0.5 * (d.floor + c.wheel.radius * 2 + 0.16)),
        (1.05, wide, c.wheel.radius * 2 + 0.16 - d.floor + 0.1),
        0.06,
    )
    b = joined(joined(b, housing, ("bed", TRIM)), mirrored(housing), ("bed", TRIM))
    for y in np.arange(-0.42, 0.43, 0.12):
        rib = box(((d.back + d.front) / 2, y, d.floor), (d.front - d.back - 0.06, 0.05, 0.03))
        b = joined(b, rib, ("bed", TRIM))
    return b


def car(c: Car) -> Model:
    """Return the car that a table entry describes."""
    b = body(union(hull_shell(c.hull), cabin_shell(c.cabin)), PAINT)
    for step in (_bumpered, _clad, _lidded, _doored, _glazed, _wipers, _trimmed, _bedded, _arched):
        b = step(b, c)
    parts = [*parts_of(b), *c.extras]
    shell, glass = _mirror(c)
    for side, flip in (("left", lambda s: s), ("right", mirrored)):
        parts += [part(f"{side}_mirror", flip(shell), PAINT), part(f"{side}_mirror", flip(glass), GLASS)]
    for end, x in zip(("front", "back"), c.axles, strict=True):
        for side, sign in (("left", 1), ("right", -1)):
            parts += wheel(f"{end}_{side}_wheel", c.wheel, x, sign * c.track / 2)
    return Model(c.subtype, "car", c.subtype, tuple(parts))
