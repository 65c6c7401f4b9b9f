"""From a table entry to a bus: windows, doors, lamps and trim on a long hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Material, Model, Part
from fathom.assets.shapes import Shell, box, lathe, loft, mirrored, part, tube
from tools.modelling.vehicles.bodywork import (
    Body,
    Outline,
    body,
    bored,
    parts_of,
    raised,
    rectangle,
    rounded,
    sunk,
    union,
)
from tools.modelling.vehicles.hulls import Curve, Hull, hull_shell
from tools.modelling.vehicles.materials import BELLOWS, GLASS, PAINT, RUBBER, TRIM
from tools.modelling.vehicles.trims import Trim, trimmed
from tools.modelling.vehicles.wheels import Wheel, wheel

BUS_SECTION = np.array(
    [
        (0.00, 0.000), (0.50, 0.000), (0.93, 0.000), (0.975, 0.006), (0.995, 0.025), (1.000, 0.060),
        (1.000, 0.250), (1.000, 0.450), (0.995, 0.650), (0.985, 0.820), (0.975, 0.890), (0.955, 0.935),
        (0.920, 0.970), (0.87, 0.992), (0.80, 1.000), (0.60, 1.000), (0.40, 1.000), (0.20, 1.000),
    ]
)  # fmt: skip
"""Half a cross-section from the middle of the floor to the roof: share of half-width, share of height."""

DISC_WHEEL = Wheel(0.50, 0.30, 0.31, spokes=0)

Span = tuple[float, float]


@dataclass(frozen=True)
class Band:
    """A row of side windows: lower and upper edge, and the x of the posts from the back to the front."""

    low: float
    high: float
    posts: tuple[float, ...]
    post_width: float = 0.08


@dataclass(frozen=True)
class Bus:
    """Everything in which one bus differs from another; lengths in metres.

    axles : x of the wheels, from the front
    doors : name and x of the doors in the right-hand side; they cut into the lowest band of windows
    screens : lower and upper edges of the windows across the whole front
    rear_screens : lower and upper edges and half-widths of the windows in the back
    mirrors : x, half-width and z at which the arms of the mirrors are fixed, and how far they reach forward
    joint : x of the middle of the bellows
    """

    subtype: str
    hull: Hull
    axles: tuple[float, ...]
    bands: tuple[Band, ...]
    doors: tuple[tuple[str, Span], ...]
    screens: tuple[Span, ...]
    rear_screens: tuple[tuple[float, float, float], ...]
    mirrors: tuple[float, float, float, float]
    trims: tuple[Trim, ...]
    wheel: Wheel = DISC_WHEEL
    door_high: float = 2.55
    front_start: float | None = None
    stripe: tuple[float, float, Material] | None = None
    hood: Hull | None = None
    joint: float | None = None
    extras: tuple[Part, ...] = ()

    @property
    def w(self) -> float:
        """Half the width of the body."""
        return max(a for _, a in self.hull.half_width)


def box_hull(back: float, front: float, width: float, low: float, high: float, rake: float = 0.30) -> Hull:
    """Return the hull of a box with rounded edges; `rake` is how far the roof stays behind the nose."""
    flat: Curve = ((back, width / 2), (front, width / 2))
    return Hull(
        front=front,
        back=back,
        half_width=flat,
        sill=((back, low), (front, low)),
        shoulder=((back, high), (front, high)),
        nose=((low, 0.06), (0.7, 0.0), (1.2, 0.0), (high, rake)),
        tail=((low, 0.04), (0.7, 0.0), (1.6, 0.0), (high, 0.12)),
        nose_bow=0.20,
        tail_bow=0.08,
        crown=0.05,
        round_m=0.14,
        section=BUS_SECTION,
        stations=14,
        ease=(0.8, 0.6),
    )


def _panes(band: Band) -> Outline:
    glass = rectangle((band.posts[0], band.low), (band.posts[-1], band.high))
    for x in band.posts[1:-1]:
        half = band.post_width / 2
        glass = glass - rectangle((x - half, 0), (x + half, 9))
    return glass


def _without_doors(c: Bus, region: Outline, side: str) -> Outline:
    if side == "right":
        for _, (x0, x1) in c.doors:
            region = region - rectangle((x0 - 0.09, 0), (x1 + 0.09, c.door_high + 0.1))
    return region


def _glazed(b: Body, c: Bus) -> Body:
    glass = _panes(c.bands[0])
    for band in c.bands[1:]:
        glass = glass + _panes(band)
    for side in ("left", "right"):
        region = rounded(_without_doors(c, glass, side), 0.07)
        b = sunk(b, side, region, 0.02, (f"windows_{side}", GLASS), 0.3, RUBBER)
    w, start = c.w, c.hull.front - 0.45 if c.front_start is None else c.front_start
    for low, high in c.screens:
        region = rectangle((-w - 1, low), (w + 1, high))
        b = sunk(b, "front", region, 0.02, ("windscreen", GLASS), start, RUBBER)
    for low, high, half in c.rear_screens:
        region = rectangle((-half, low), (half, high), 0.12)
        b = sunk(b, "back", region, 0.02, ("windscreen_back", GLASS), -(c.hull.back + 0.5), RUBBER)
    return b


def _doored(b: Body, c: Bus) -> Body:
    low = float(c.hull.sill[0][1]) + 0.05
    for name, (x0, x1) in c.doors:
        frame = rectangle((x0, low), (x1, c.door_high), 0.06)
        b = sunk(b, "right", frame, 0.02, (name, TRIM), 0.3)
        middle = (x0 + x1) / 2
        for a, z in ((x0 + 0.05, middle - 0.025), (middle + 0.025, x1 - 0.05)):
            leaf = rectangle((a, low + 0.05), (z, c.door_high - 0.05), 0.06)
            pane = rectangle((a + 0.07, low + 0.30), (z - 0.07, c.door_high - 0.14), 0.05)
            b = raised(b, "right", leaf, -0.006, (name, PAINT), 0.3)
            b = sunk(b, "right", pane, 0.018, (name, GLASS), 0.3, RUBBER)
    return b


def _striped(b: Body, c: Bus) -> Body:
    if c.stripe is None:
        return b
    low, high, material = c.stripe
    region = rectangle((c.hull.back + 0.35, low), (c.hull.front - 0.55, high))
    for side in ("left", "right"):
        b = raised(b, side, _without_doors(c, region, side), 0.006, ("stripe", material), 0.3)
    return b


def _roofed(b: Body, c: Bus) -> Body:
    region = rectangle((c.hull.back + 0.35, -c.w + 0.2), (c.hull.front - 0.75, c.w - 0.2), 0.15)
    return raised(b, "top", region, 0.008, ("roof", PAINT), float(c.hull.shoulder[0][1]) - 0.4)


def _arched(b: Body, c: Bus) -> Body:
    r, inner = c.wheel.radius + 0.09, c.w - 0.80
    for x in c.axles:
        well = lathe([(1e-4, inner), (r, inner), (r, 3.0), (1e-4, 3.0)], "y", 40, (x, 0, c.wheel.radius))
        tag = ("wheel_arches", TRIM)
        b = bored(bored(b, well, tag), mirrored(well), tag)
    return b


def _parted(b: Body, c: Bus) -> tuple[Body, list[Part]]:
    """Return the body in two, and the bellows between them, where the bus has a joint."""
    if c.joint is None:
        return b, []
    low, high = c.hull.sill[0][1], c.hull.shoulder[0][1]
    half = 0.62
    gap = box((c.joint, 0, 2), (2 * half, 6, 6))
    y, z = BUS_SECTION[:, 0] * c.w, low + BUS_SECTION[:, 1] * (high - low)
    ring = np.concatenate([np.column_stack([y, z]), np.column_stack([-y[1:], z[1:]])[::-1]])
    middle = np.array([0.0, (low + high) / 2])
    folds = 5
    rings = []
    for i, x in enumerate(np.linspace(c.joint - half - 0.02, c.joint + half + 0.02, 2 * folds + 1)):
        inset = 0.03 if i % 2 else 0.17
        share = 1 - inset / np.array([c.w, (high - low) / 2])
        flat = middle + (ring - middle) * share
        rings.append(np.column_stack([np.full(len(flat), x), flat]))
    return bored(b, gap, ("joint", TRIM)), [part("bellows", loft(np.stack(rings)), BELLOWS, 20.0)]


def _mirror(c: Bus) -> tuple[Shell, Shell, Shell]:
    x, w, z, ahead = c.mirrors
    path = [(x - 0.05, w - 0.14, z), (x + ahead * 0.6, w - 0.02, z + 0.02)]
    path += [(x + ahead, w + 0.09, z - 0.04), (x + ahead, w + 0.10, z - 0.3)]
    arm = tube(path, 0.035, 6)
    head = box((x + ahead, w + 0.10, z - 0.42), (0.14, 0.24, 0.55), 0.05)
    glass = box((x + ahead - 0.066, w + 0.10, z - 0.42), (0.02, 0.19, 0.46), 0.005)
    return arm, head, glass


def bus(c: Bus) -> Model:
    """Return the bus that a table entry describes."""
    skin = hull_shell(c.hull) if c.hood is None else union(hull_shell(c.hull), hull_shell(c.hood))
    b = body(skin, PAINT)
    for step in (_roofed, _striped, _glazed, _doored):
        b = step(b, c)
    b = trimmed(b, c.trims, c.hull.back, (c.hood or c.hull).front)
    b, bellows = _parted(_arched(b, c), c)
    parts = [*parts_of(b), *bellows, *c.extras]
    for side, flip in (("left", lambda s: s), ("right", mirrored)):
        parts += [
            part(f"mirror_{side}", flip(s), m) for s, m in zip(_mirror(c), (TRIM, TRIM, GLASS), strict=True)
        ]
    ends = ("front", "back") if len(c.axles) == 2 else ("front", "mid", "back")
    for end, x in zip(ends, c.axles, strict=True):
        for side, sign in (("left", 1), ("right", -1)):
            parts += wheel(
                f"wheel_{end}_{side}", c.wheel, x, sign * (c.w - 0.19), 24 if len(c.axles) == 2 else 16
            )
    return Model(c.subtype, "bus", c.subtype, tuple(parts))
