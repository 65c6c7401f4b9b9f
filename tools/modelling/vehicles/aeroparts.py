"""What stands on and in the airframes: engines, undercarriages, cockpits, weapons, lamps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Material, Model, Part, Points
from fathom.assets.shapes import (
    Shell,
    box,
    cut,
    ellipsoid,
    inside_out,
    lathe,
    loft,
    merged,
    mirrored,
    part,
    tube,
    turned,
    volume,
)
from tools.modelling.vehicles.airframe import Hull, foil, on_hull, skin
from tools.modelling.vehicles.materials import (
    CHROME,
    GLASS,
    INTERIOR,
    LEATHER,
    PAINT,
    STEEL,
    TRIM,
    TYRE,
    WHITE,
    WOOD,
)

BURNT = Material("burnt_steel", (0.20, 0.18, 0.17), metallic=0.8, roughness=0.42)

Piece = tuple[str, Shell, Material]
"""A named shell of one material."""

SMOOTH_DEG = 50.0
"""Edges of aeroplanes blunter than this are shaded round."""


def pair(name: str, left: Shell, material: Material) -> list[Piece]:
    """Return the piece "left_NAME" and its mirror image "right_NAME"."""
    return [(f"left_{name}", left, material), (f"right_{name}", mirrored(left), material)]


def nacelle(name: str, aft: float, y: float, z: float, length: float, radius: float) -> list[Piece]:
    """Return a jet engine whose intake lies at (-aft, y, z): cowl, polished lip, fan, spinner, exhaust."""
    r, front, n = radius, -aft, length
    cowl = [
        (0.86 * r, front - 0.10 * n), (0.90 * r, front - 0.02 * n), (0.94 * r, front),
        (0.985 * r, front - 0.05 * n), (1.0 * r, front - 0.22 * n), (1.0 * r, front - 0.42 * n),
        (0.94 * r, front - 0.66 * n), (0.78 * r, front - 0.86 * n), (0.70 * r, front - 0.86 * n),
        (0.80 * r, front - 0.45 * n), (0.82 * r, front - 0.30 * n), (0.86 * r, front - 0.10 * n),
    ]  # fmt: skip
    lip = [
        (0.845 * r, front - 0.10 * n), (0.885 * r, front - 0.015 * n), (0.94 * r, front + 0.012 * n),
        (0.995 * r, front - 0.05 * n), (1.008 * r, front - 0.10 * n), (0.97 * r, front - 0.10 * n),
        (0.93 * r, front - 0.03 * n), (0.90 * r, front - 0.03 * n), (0.845 * r, front - 0.10 * n),
    ]  # fmt: skip
    fan = [
        (0.0, front - 0.17 * n), (0.845 * r, front - 0.17 * n),
        (0.845 * r, front - 0.25 * n), (0.0, front - 0.25 * n),
    ]  # fmt: skip
    spinner = [(0.001, front - 0.06 * n), (0.10 * r, front - 0.09 * n), (0.24 * r, front - 0.17 * n)]
    core = [
        (0.60 * r, front - 0.70 * n), (0.60 * r, front - 0.86 * n), (0.44 * r, front - 0.97 * n),
        (0.38 * r, front - 0.97 * n), (0.36 * r, front - 0.90 * n),
    ]  # fmt: skip
    plug = [(0.30 * r, front - 0.88 * n), (0.22 * r, front - 0.99 * n), (0.02 * r, front - 1.06 * n)]

    def turn(profile: Sequence[tuple[float, float]], sides: int = 26) -> Shell:
        shell = lathe(profile, "x", sides, (0.0, y, z))
        return shell if volume(shell) >= 0 else inside_out(shell)

    return [
        (name, turn(cowl), PAINT),
        (name, turn(lip), CHROME),
        (name, turn(fan), TRIM),
        (name, _blades(front - 0.16 * n, y, z, 0.84 * r), STEEL),
        (name, turn(spinner, 16), STEEL),
        (name, turn(core, 20), STEEL),
        (name, turn(plug, 16), TRIM),
    ]


def _blades(x: float, y: float, z: float, radius: float, count: int = 12) -> Shell:
    """Return the blades of a fan that stands at x, each a thin twisted plate."""
    blades = []
    for k in range(count):
        blade = box((0.0, 0.0, 0.58 * radius), (0.02 * radius, 0.13 * radius, 0.82 * radius))
        blade = turned(turned(blade, "z", math.radians(35)), "x", 2 * math.pi * k / count)
        blades.append((blade[0] + np.array([x, y, z]), blade[1]))
    return merged(*blades)


def wheel(name: str, centre: ArrayLike, radius: float, width: float) -> list[Piece]:
    """Return a tyre with its hub, turning about y."""
    r, w = radius, width / 2
    tyre = [
        (0.55 * r, -0.8 * w), (0.80 * r, -w), (0.95 * r, -0.75 * w), (r, -0.3 * w), (r, 0.3 * w),
        (0.95 * r, 0.75 * w), (0.80 * r, w), (0.55 * r, 0.8 * w), (0.55 * r, -0.8 * w),
    ]  # fmt: skip
    hub = [
        (0.0, -0.62 * w), (0.3 * r, -0.7 * w), (0.56 * r, -0.55 * w),
        (0.56 * r, 0.55 * w), (0.3 * r, 0.7 * w), (0.0, 0.62 * w),
    ]  # fmt: skip
    return [(name, lathe(tyre, "y", 16, centre), TYRE), (name, lathe(hub, "y", 10, centre), CHROME)]


def lamp(name: str, at: ArrayLike, radius: float, material: Material) -> Piece:
    """Return a small round lamp."""
    return name, ellipsoid(at, (radius * 1.4, radius, radius), 8, 6), material


def pole(start: ArrayLike, end: ArrayLike, radius: float, sides: int = 8) -> Shell:
    """Return a straight round bar."""
    return tube(np.array([start, end], dtype=np.float64), radius, sides)


def strut(start: ArrayLike, end: ArrayLike, chord: float, thickness: float) -> Shell:
    """Return a streamlined bar between two points, its longer section side along x."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    t = np.linspace(0, 2 * math.pi, 10, endpoint=False)
    along = (b - a) / np.linalg.norm(b - a)
    side = np.cross(along, (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    ring = np.outer(np.cos(t) * chord / 2, (1.0, 0.0, 0.0)) + np.outer(np.sin(t) * thickness / 2, side)
    return loft(np.stack([a + ring, b + ring]))


def leg(
    name: str, foot: ArrayLike, top: ArrayLike, radius: float, tyre: tuple[float, float], twin: float = 0.0
) -> list[Piece]:
    """Return a leg from its axle up, with one wheel or two ± `twin` aside; `tyre` is (radius, width)."""
    axle, r = np.asarray(foot, dtype=np.float64), radius
    side = np.array([0.0, twin, 0.0])
    out: list[Piece] = [(name, pole(axle, top, r), STEEL)]
    for centre in (axle - side, axle + side) if twin > 0 else (axle,):
        out += wheel(name, centre, *tyre)
    return out if twin <= 0 else [*out, (name, pole(axle - side, axle + side, r), STEEL)]


def with_right(left: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of the left side and their mirror images, "left" in each name read as "right"."""
    own = list(left)
    return own + [(n.replace("left", "right"), mirrored(s), m) for n, s, m in own]


def assembled(subtype: str, pieces: Iterable[Piece], nose_up_rad: float = 0.0) -> Model:
    """Return the model of an aeroplane from its pieces, pitched nose up by an angle."""

    def finished(piece: Piece) -> Part:
        name, shell, material = piece
        return part(name, turned(shell, "y", -nose_up_rad), material, SMOOTH_DEG)

    return Model(subtype, "aeroplane", subtype, tuple(finished(p) for p in pieces))


def intake() -> list[Piece]:
    """Return the raked boxes beside a fighter's cockpit, their mouths dark."""
    corners = np.array([(0.35, 0.78, 0.42), (0.35, 1.74, 0.30), (-0.35, 1.78, -0.74), (-0.35, 0.86, -0.84)])
    front = corners - (6.7, 0, 0)
    middle = corners * (0, 1, 1) - (9.0, 0, 0)
    rear = np.array([(-12.6, 0.7, 0.30), (-12.6, 1.5, 0.26), (-12.6, 1.5, -0.66), (-12.6, 0.7, -0.7)])
    mouth = (front - front.mean(axis=0)) * 0.86 + front.mean(axis=0) + (0.012, 0, 0)
    dark = loft(np.stack([mouth, mouth - (0.3, 0, 0)]))
    return pair("intake", loft(np.stack([front, middle, rear])), PAINT) + pair("intake", dark, TRIM)


def nozzle() -> list[Piece]:
    """Return a fighter's two exhausts: shroud, burnt petals, dark inside."""
    at = (0, 0.72, 0)
    shroud = [(0.66, -15.2), (0.65, -15.9), (0.60, -16.1), (0.58, -15.9), (0.58, -15.2), (0.66, -15.2)]
    petals = [
        (0.61, -15.9), (0.58, -16.3), (0.46, -17.1), (0.42, -17.1), (0.52, -16.3), (0.54, -15.9),
        (0.61, -15.9),
    ]  # fmt: skip
    flame = [(0.0, -15.8), (0.55, -15.8), (0.55, -16.0), (0.0, -16.0)]
    return [
        *pair("nozzle", lathe(shroud, "x", 24, at), STEEL),
        *pair("nozzle", lathe(petals, "x", 24, at), BURNT),
        *pair("nozzle", lathe(flame, "x", 24, at), TRIM),
    ]


def missile(nose: tuple[float, float, float], length: float) -> list[Piece]:
    """Return a missile of `length` metres whose tip is at `nose`, and its twin on the right."""
    x, y, z = nose
    tip, shoulder = 0.06 * length, 0.16 * length
    path = [(x, y, z), (x - 0.3 * tip, y, z), (x - tip, y, z), (x - shoulder, y, z), (x - length, y, z)]
    pieces = [tube(path, [0.01, 0.05, 0.09, 0.12, 0.12], 10)]
    for a in (45, 135):
        for at, span in ((0.28, 0.42), (0.93, 0.56)):
            vane = box((x - at * length, y, z), (0.28, span, 0.03))
            pieces.append(turned(vane, "x", math.radians(a), (x, y, z)))
    return pair("missile", merged(*pieces), WHITE)


def radial_engine() -> list[Piece]:
    """Return nine cylinders in a cowl ring behind a wooden propeller."""
    ring = [
        (0.54, -0.45), (0.61, -0.40), (0.65, -0.65), (0.63, -1.02), (0.58, -1.02), (0.60, -0.65),
        (0.54, -0.45),
    ]  # fmt: skip
    crank = [(0.0, -0.45), (0.16, -0.5), (0.24, -0.62), (0.24, -0.95)]
    barrel = [(0.0, 0.2), (0.11, 0.2), (0.11, 0.54), (0.0, 0.54)]
    cylinders = [turned(lathe(barrel, "z", 10, (-0.72, 0, 0)), "x", 2 * math.pi * k / 9) for k in range(9)]
    stations = [(0.27, 0, 0, 0.12, 0.5, 0), (0.2, 0.25, 0, 0.24, 0.25, 0), (0.2, 0.85, 0, 0.25, 0.15, 0)]
    blade = foil(stations, tip=0.4)
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


def _well(rim: Points, depth: float) -> tuple[Shell, Shell]:
    """Return the solid to cut below a rim, open upwards, and the lining of the hole it leaves."""
    centre = rim.mean(axis=0)
    steps = [(1.0, 0.3), (1.0, 0.0), (0.97, -0.3), (0.9, -0.7), (0.7, -0.94), (0.3, -1.0)]

    def rings(scale: float) -> list[Points]:
        inward = [(rim - centre) * (w * scale, w * scale, 1) + centre for w, _ in steps]
        heights = [h if h > 0 else h * depth for _, h in steps]
        return [r + np.array([0.0, 0.0, h]) for r, h in zip(inward, heights, strict=True)]

    vertices, faces = loft(np.stack(rings(0.985)[1:]))
    lid = (faces == (len(steps) - 1) * len(rim)).any(axis=1)
    return loft(np.stack(rings(1.0))), inside_out((vertices, faces[~lid]))


def open_cockpits(body: Hull, places: tuple[float, ...]) -> list[Piece]:
    """Return the fuselage with wells cut into it, their lining, padded rims, seats and windscreens."""
    a = np.linspace(0, 2 * math.pi, 25)[:-1]
    rims = [on_hull(body, s + 0.42 * np.cos(a), 37 * np.sin(a)) for s in places]
    wells = [_well(rim, 0.5) for rim in rims]
    out: list[Piece] = [("fuselage", cut(skin(body, 32), *(hole for hole, _ in wells)), PAINT)]
    for s, rim, (_, lining) in zip(places, rims, wells, strict=True):
        out.append(("cockpit", lining, INTERIOR))
        out.append(("cockpit", box((-s - 0.27, 0, 0.36), (0.09, 0.40, 0.5), 0.03), LEATHER))
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
