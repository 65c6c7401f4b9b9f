"""The built-in motorbikes: chopper, dirtbike, scooter and cruiser.

Headlamps, tail lamps and painted masses are larger than life, so that the colour and the heading can be
made out in a picture sixty pixels wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.build.assets.model import Material, Model
from fathom.build.assets.shapes import Shell, both_sides, box, ellipsoid, extrude, lathe, merged, moved, tube, turned
from fathom.build.assets.vehicles.materials import (
    CHROME,
    HEADLAMP,
    INDICATOR,
    LEATHER,
    PAINT,
    PLATE,
    RUBBER,
    STEEL,
    TAILLAMP,
    TRIM,
    WHITE,
)
from fathom.build.assets.vehicles.twowheelers import (
    Piece,
    Wheel,
    across,
    assembled,
    bent,
    lamp,
    mudguard,
    pairs,
    pod,
    rod,
    sheet,
    smooth,
    wheel,
)

GOLD = Material("gold", (0.80, 0.62, 0.28), metallic=1.0, roughness=0.3)


def _side(shell: Shell, y: float) -> Shell:
    """Return the shell on both sides, `y` metres out."""
    return both_sides(moved(shell, (0, y, 0)))


def _finned(at: ArrayLike, lean_deg: float, radius: float, height: float, fins: int = 6) -> list[Piece]:
    """Return an air-cooled cylinder that stands on `at`, leaning forward, with its bright head."""
    step = height / fins
    profile = [(0.001, 0.0)]
    for i in range(fins):
        z = i * step
        profile += [(0.78 * radius, z), (radius, z), (radius, z + 0.45 * step), (0.78 * radius, z + 0.45 * step)]
    profile += [(0.78 * radius, height)]
    head = [(0.95 * radius, height), (0.95 * radius, height + 0.03), (0.7 * radius, height + 0.06), (0.001, height + 0.06)]
    lean = math.radians(lean_deg)
    return [
        ("engine", moved(turned(lathe(profile, "z", 20), "y", lean), at), STEEL),
        ("engine", moved(turned(lathe(head, "z", 20), "y", lean), at), CHROME),
    ]


def _twin(x: float, z: float, size: float = 1.0) -> list[Piece]:
    """Return a V-twin engine whose crankshaft lies at (x, z), with its air cleaner on the right."""
    s = size
    case = pod([(-0.26, -0.06, 0.02, 0.06), (-0.24, -0.12, 0.06, 0.11), (0.0, -0.14, 0.12, 0.13), (0.14, -0.13, 0.10, 0.12),
                (0.18, -0.06, 0.02, 0.06)], 18, 3, 3.0)  # fmt: skip
    cover = lathe([(0.001, -0.03), (0.08, -0.03), (0.095, -0.01), (0.095, 0.02), (0.001, 0.02)], "y", 24)
    clean = lathe([(0.001, -0.035), (0.07, -0.03), (0.085, -0.01), (0.085, 0.03), (0.001, 0.03)], "y", 24)
    at = np.array([x, 0.0, z])
    return [
        ("engine", moved((case[0] * s, case[1]), at), STEEL),
        ("engine", moved((cover[0] * s, cover[1]), at + (0.02 * s, -0.13 * s, 0)), CHROME),
        ("engine", moved((cover[0] * s, cover[1]), at + (0.02 * s, 0.14 * s, 0)), CHROME),
        ("engine", moved((clean[0] * s, clean[1]), at + (0.02 * s, -0.13 * s, 0.24 * s)), CHROME),
        *_finned(at + (0.04 * s, 0, 0.06 * s), 24, 0.095 * s, 0.21 * s),
        *_finned(at + (-0.06 * s, 0, 0.06 * s), -24, 0.095 * s, 0.21 * s),
    ]


def _pipe(path: Sequence[tuple[float, float, float]], radius: float, end: float, corner: float = 0.1) -> Piece:
    """Return a chromed exhaust along the path, widening towards its end."""
    line = bent(path, corner)
    far = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    radii = np.interp(far / far[-1], [0, 0.45, 0.62, 1], [radius, radius, end, end])
    return ("exhaust", tube(line, list(radii), 14), CHROME)


def _legs(head: ArrayLike, axle: ArrayLike, y: float, radius: float, lower: float, split: float) -> tuple[Shell, Shell]:
    """Return the upper tubes and the lower sliders of a fork from the head to the axle, parted at `split`."""
    a, b = np.asarray(head, dtype=np.float64), np.asarray(axle, dtype=np.float64)
    mid = a + split * (b - a)
    off = np.array([0, y, 0])
    return both_sides(rod(a + off, mid + off, radius, 12)), both_sides(rod(mid + off, b + off, [lower, lower * 0.9], 12))


def _yoke(at: ArrayLike, y: float, size: float = 0.05) -> Shell:
    """Return a bar that joins both legs of a fork."""
    return box(at, (1.3 * size, 2 * y + 1.6 * size, 0.8 * size), 0.2 * size)


def _bars(clamp: ArrayLike, half: Sequence[tuple[float, float, float]], radius: float, grip: float) -> list[Piece]:
    """Return a handlebar through its left half, given from the clamp, with grips and levers at its ends."""
    points = np.asarray(half, dtype=np.float64) + np.asarray(clamp)
    path = smooth(across(points), 4)
    way = (path[-1] - path[-2]) / np.linalg.norm(path[-1] - path[-2])
    start, end = path[-1] - grip * way, path[-1] + 0.02 * way
    lever = tube(smooth([start + (0.03, -0.02, 0), start + (0.07, 0.03, 0), end + (0.05, -0.02, 0)], 3), 0.009, 8)
    return [
        ("handle", tube(path, radius, 10), CHROME),
        *pairs("grip", rod(start, end, [radius * 1.45, radius * 1.55], 12), RUBBER),
        *pairs("brake", lever, STEEL),
    ]


def _mirrors(at: ArrayLike, foot: ArrayLike, radius: float = 0.06) -> list[Piece]:
    """Return round mirrors around `at` (left) on stalks from `foot`."""
    p = np.asarray(at, dtype=np.float64)
    bowl = lathe([(0.001, 0.04), (0.7 * radius, 0.03), (radius, 0.0), (0.9 * radius, -0.005), (0.001, -0.005)], "x", 18)
    return pairs("mirror", merged(moved(bowl, p), rod(foot, p + (0.01, 0, -0.2 * radius), 0.007, 8)), CHROME)


def _winkers(x: float, y: float, z: float, way: float) -> list[Piece]:
    """Return orange indicators on both sides."""
    return pairs("indicator", ellipsoid((x, y, z), (0.035, 0.028, 0.028), 12, 7), INDICATOR) + pairs(
        "indicator", rod((x - 0.02 * way, 0.02, z), (x - 0.01 * way, y, z), 0.009, 8), TRIM
    )


def _plate(x: float, z: float, lean_deg: float = 20.0) -> Piece:
    """Return the number plate at the back."""
    return ("number_plate", moved(turned(box((0, 0, 0), (0.012, 0.20, 0.15), 0.003), "y", math.radians(lean_deg)), (x, 0, z)), PLATE)


def cruiser() -> Model:
    """Return a heavy touring motorbike: fat tank, deep mudguards, saddlebags, a low seat."""
    front, back, r = 0.86, -0.80, 0.33
    head = (0.44, 0, 0.98)
    axle = (front, 0, r)
    upper, lower = _legs((0.47, 0, 0.93), axle, 0.12, 0.036, 0.032, 0.45)
    tank = [(0.42, 0.80, 0.88, 0.03), (0.40, 0.76, 0.95, 0.10), (0.28, 0.72, 1.02, 0.17), (0.08, 0.71, 1.01, 0.185), (-0.10, 0.71, 0.93, 0.14),
            (-0.24, 0.72, 0.82, 0.06), (-0.28, 0.74, 0.78, 0.02)]  # fmt: skip
    seat = [(-0.08, 0.74, 0.82, 0.05), (-0.16, 0.66, 0.80, 0.12), (-0.34, 0.64, 0.75, 0.18), (-0.50, 0.66, 0.80, 0.19), (-0.60, 0.70, 0.90, 0.15), (-0.64, 0.74, 0.86, 0.1)]  # fmt: skip
    rear = [(-0.56, 0.74, 0.82, 0.08), (-0.60, 0.72, 0.86, 0.13), (-0.76, 0.70, 0.86, 0.14), (-0.92, 0.68, 0.83, 0.12), (-0.98, 0.70, 0.78, 0.06)]
    bag = [(-0.52, 0.46, 0.58, 0.05), (-0.55, 0.38, 0.66, 0.10), (-0.80, 0.36, 0.70, 0.115), (-1.05, 0.38, 0.68, 0.10), (-1.10, 0.46, 0.60, 0.05)]
    w = Wheel(r, 0.075, 0.11, 0.03, 20, 0.05, 0.08, spoke=0.006, rim_material=CHROME, disc=0.13)
    pieces: list[Piece] = [
        *wheel("front_wheel", w, front),
        *wheel("back_wheel", w, back),
        ("fork", upper, CHROME),
        ("fork", merged(lower, _yoke((0.47, 0, 0.93), 0.12, 0.06), _yoke((0.53, 0, 0.82), 0.12, 0.06)), CHROME),
        ("front_mudguard", mudguard(axle, r + 0.04, (-5, 175), 0.105, 0.11, 24), PAINT),
        ("back_mudguard", mudguard((back, 0, r), r + 0.05, (30, 195), 0.13, 0.13, 26), PAINT),
        ("tank", pod(tank, 24, 4, 2.3), PAINT),
        ("saddle", merged(pod(seat, 20, 3, 2.6), pod(rear, 20, 3, 2.6)), LEATHER),
        *pairs("saddlebag", moved(pod(bag, 20, 3, 3.6), (0, 0.255, 0)), PAINT),
        *_twin(0.12, 0.40, 1.1),
        _pipe([(0.30, -0.13, 0.58), (0.34, -0.17, 0.40), (0.20, -0.19, 0.24), (-1.12, -0.20, 0.25)], 0.032, 0.045),
        _pipe([(-0.06, -0.13, 0.58), (-0.08, -0.19, 0.36), (-0.20, -0.21, 0.35), (-1.06, -0.22, 0.33)], 0.030, 0.04),
        ("exhaust", rod((-0.3, 0.2, 0.25), (-1.1, 0.2, 0.25), 0.045, 14), CHROME),
        *_frame_cradle(head, 0.30, -0.42, 0.22, TRIM, (back, r)),
        *_bars((0.42, 0, 1.04), [(0, 0, 0), (0.02, 0.10, 0.06), (0.0, 0.30, 0.14), (-0.12, 0.40, 0.13), (-0.26, 0.44, 0.10)], 0.017, 0.13),
        *_mirrors((0.36, 0.42, 1.32), (0.36, 0.36, 1.18)),
        *lamp("head_light", (0.66, 0, 0.90), 0.125, 0.16, HEADLAMP, CHROME),
        *_winkers(0.60, 0.19, 0.80, 1),
        *_winkers(-1.10, 0.20, 0.62, -1),
        *lamp("tail_light", (-1.14, 0, 0.64), 0.075, 0.05, TAILLAMP, CHROME, ahead=False),
        _plate(-1.20, 0.48),
        ("footboard", _side(box((0.30, 0, 0.28), (0.32, 0.11, 0.02), 0.008), 0.25), TRIM),
        ("crash_bar", both_sides(tube(bent([(0.42, 0.04, 0.70), (0.44, 0.30, 0.62), (0.44, 0.30, 0.34), (0.40, 0.06, 0.26)], 0.1), 0.018, 10)), CHROME),
    ]
    return assembled("motorbike", "cruiser", pieces)


def _frame_cradle(
    head: ArrayLike, ahead: float, behind: float, low: float, material: Material, back: tuple[float, float], radius: float = 0.026
) -> list[Piece]:
    """Return a cradle frame: a backbone, two tubes around the engine, and a swinging arm to the back axle."""
    h = np.asarray(head, dtype=np.float64)
    spine = rod(h - (0, 0, 0.06), (behind, 0, 0.60), radius * 1.3, 12)
    neck = rod(h - (-0.03, 0, 0.12), h + (-0.03, 0, 0.06), radius * 1.7, 14)
    loop = bent([h - (0, -0.03, 0.10), (ahead + 0.08, 0.09, low + 0.04), (ahead - 0.06, 0.10, low), (behind, 0.10, low), (behind, 0.08, 0.62)], 0.12)
    arm = rod((behind, 0.11, low + 0.1), (back[0], 0.11, back[1]), radius, 10)
    return [("frame", merged(spine, neck, both_sides(merged(tube(loop, radius, 10), arm))), material)]


def chopper() -> Model:
    """Return a long-forked motorbike: raked chrome fork, high bars, small tank, sissy bar, fat back wheel."""
    front, back = 1.22, -0.72
    fr, br = 0.36, 0.33
    axle = (front, 0, fr)
    head = (0.40, 0, 1.02)
    top = (0.34, 0, 1.12)
    upper, lower = _legs(top, axle, 0.10, 0.026, 0.033, 0.62)
    tank = [(0.36, 0.92, 1.0, 0.02), (0.33, 0.88, 1.06, 0.075), (0.20, 0.84, 1.07, 0.125), (0.02, 0.78, 1.00, 0.12), (-0.14, 0.74, 0.87, 0.07), (-0.20, 0.74, 0.80, 0.02)]
    seat = [(-0.16, 0.72, 0.78, 0.06), (-0.24, 0.66, 0.74, 0.12), (-0.40, 0.64, 0.72, 0.16), (-0.54, 0.68, 0.80, 0.15), (-0.60, 0.74, 0.84, 0.09)]
    w1 = Wheel(fr, 0.042, 0.06, 0.03, 20, 0.035, 0.06, spoke=0.0045, rim_material=CHROME)
    w2 = Wheel(br, 0.105, 0.10, 0.04, 20, 0.06, 0.09, spoke=0.006, rim_material=CHROME, disc=0.14)
    sissy = across([(-0.94, 0, 1.26), (-0.94, 0.06, 1.255), (-0.93, 0.12, 1.18), (-0.86, 0.135, 0.90), (-0.74, 0.14, 0.36)])
    pieces: list[Piece] = [
        *wheel("front_wheel", w1, front),
        *wheel("back_wheel", w2, back),
        ("fork", merged(upper, _yoke((0.36, 0, 1.09), 0.10, 0.05), _yoke((0.47, 0, 0.98), 0.10, 0.05)), CHROME),
        ("fork", lower, CHROME),
        ("front_mudguard", mudguard(axle, fr + 0.03, (50, 150), 0.06, 0.04, 16), PAINT),
        ("back_mudguard", mudguard((back, 0, br), br + 0.045, (35, 185), 0.14, 0.09, 26), PAINT),
        ("tank", pod(tank, 22, 4, 2.2), PAINT),
        ("saddle", pod(seat, 20, 3, 2.6), LEATHER),
        ("backrest", moved(turned(pod([(-0.03, -0.14, 0.12, 0.09), (0.0, -0.18, 0.17, 0.12), (0.03, -0.14, 0.12, 0.09)], 20, 3, 3), "y", math.radians(-8)), (-0.895, 0, 1.05)), LEATHER),
        ("sissy_bar", tube(smooth(sissy, 4), 0.016, 10), CHROME),
        *_twin(0.08, 0.40, 1.05),
        *_hardtail(head, back, br),
        ("oil_tank", pod([(-0.40, 0.42, 0.56, 0.08), (-0.37, 0.38, 0.60, 0.13), (-0.26, 0.38, 0.60, 0.13), (-0.22, 0.44, 0.56, 0.08)], 20, 3, 3), PAINT),
        _pipe([(0.26, -0.12, 0.60), (0.33, -0.17, 0.46), (0.20, -0.20, 0.28), (-1.02, -0.20, 0.33)], 0.030, 0.042),
        _pipe([(-0.08, -0.12, 0.60), (-0.10, -0.19, 0.40), (-0.24, -0.20, 0.41), (-1.0, -0.20, 0.44)], 0.028, 0.038),
        *_bars((0.31, 0, 1.13), [(0, 0, 0), (0.0, 0.10, 0.03), (0.0, 0.24, 0.36), (-0.02, 0.30, 0.42), (-0.18, 0.37, 0.40)], 0.017, 0.12),
        *_mirrors((0.28, 0.38, 1.66), (0.27, 0.33, 1.55), 0.05),
        *lamp("head_light", (0.62, 0, 0.99), 0.105, 0.15, HEADLAMP, CHROME),
        *lamp("tail_light", (-1.06, 0, 0.56), 0.07, 0.05, TAILLAMP, CHROME, ahead=False),
        *_winkers(-1.03, 0.17, 0.62, -1),
        _plate(-1.12, 0.42),
        ("pegs", _side(rod((0.46, 0.0, 0.32), (0.46, 0.2, 0.32), 0.02, 10), 0.08), CHROME),
    ]
    return assembled("motorbike", "chopper", pieces)


def _hardtail(head: ArrayLike, back: float, r: float) -> list[Piece]:
    """Return the painted rigid frame of a chopper."""
    h = np.asarray(head, dtype=np.float64)
    spine = tube(bent([h - (0.02, 0, 0.04), (-0.20, 0, 0.74), (-0.42, 0, 0.60)], 0.1), 0.034, 12)
    neck = rod(h + (0.03, 0, -0.10), h + (-0.05, 0, 0.07), 0.045, 14)
    low = bent([h + (0.0, 0.02, -0.09), (0.40, 0.11, 0.30), (0.32, 0.12, 0.24), (-0.36, 0.12, 0.24), (back, 0.155, r)], 0.1)
    stay = bent([(-0.36, 0.02, 0.64), (-0.42, 0.12, 0.58), (back, 0.155, r)], 0.08)
    post = rod((-0.36, 0.10, 0.26), (-0.36, 0.06, 0.62), 0.026, 10)
    return [("frame", merged(spine, neck, both_sides(merged(tube(low, 0.027, 10), tube(stay, 0.026, 10), post))), PAINT)]


def dirtbike() -> Model:
    """Return an enduro motorbike: high mudguards, knobbly tyres, number boards, a long flat seat."""
    front, back = 0.76, -0.70
    fr, br = 0.37, 0.345
    axle = (front, 0, fr)
    top = (0.34, 0, 1.10)
    upper, lower = _legs(top, axle, 0.105, 0.034, 0.026, 0.62)
    tank = [(0.30, 0.78, 0.94, 0.04), (0.26, 0.74, 0.98, 0.12), (0.10, 0.72, 0.99, 0.15), (-0.10, 0.72, 0.93, 0.12), (-0.2, 0.74, 0.9, 0.08)]
    seat = [(0.16, 0.93, 1.0, 0.05), (0.10, 0.90, 1.02, 0.07), (-0.10, 0.86, 0.97, 0.085), (-0.40, 0.85, 0.95, 0.10), (-0.70, 0.88, 0.98, 0.09), (-0.80, 0.92, 0.98, 0.05)]
    w1 = Wheel(fr, 0.045, 0.075, 0.028, 18, 0.035, 0.06, knobs=40, spoke=0.0045, disc=0.12)
    w2 = Wheel(br, 0.060, 0.09, 0.028, 18, 0.04, 0.065, knobs=36, spoke=0.005, disc=0.11)
    pieces: list[Piece] = [
        *wheel("front_wheel", w1, front),
        *wheel("back_wheel", w2, back),
        ("fork", merged(upper, _yoke((0.36, 0, 1.07), 0.105, 0.05), _yoke((0.44, 0, 0.91), 0.105, 0.05)), GOLD),
        ("fork", lower, STEEL),
        *_dirt_plastics(axle, top),
        ("tank", pod(tank, 20, 3, 2.6), PAINT),
        ("saddle", pod(seat, 18, 3, 3.0), RUBBER),
        ("engine", pod([(-0.24, 0.34, 0.46, 0.06), (-0.20, 0.30, 0.52, 0.11), (0.05, 0.28, 0.54, 0.12), (0.22, 0.32, 0.48, 0.08)], 16, 3, 3), STEEL),
        *_finned((0.08, 0, 0.50), 12, 0.085, 0.16, 5),
        *_frame_cradle((0.36, 0, 1.02), 0.22, -0.28, 0.27, PAINT, (back, br), 0.024),
        _pipe([(0.18, -0.05, 0.62), (0.30, -0.10, 0.50), (0.14, -0.15, 0.56), (-0.30, -0.17, 0.66), (-0.86, -0.19, 0.84)], 0.026, 0.06, 0.08),
        *_bars((0.33, 0, 1.16), [(0, 0, 0), (0.0, 0.08, 0.01), (0.0, 0.18, 0.08), (-0.06, 0.42, 0.09)], 0.016, 0.12),
        ("handle", rod((0.33, -0.15, 1.225), (0.33, 0.15, 1.225), 0.022, 12), TRIM),
        *lamp("tail_light", (-1.04, 0, 0.975), 0.05, 0.04, TAILLAMP, TRIM, ahead=False),
        _plate(-1.00, 0.86, -20),
        ("shock", rod((-0.26, 0, 0.44), (-0.22, 0, 0.80), 0.045, 14), TAILLAMP),
        ("pegs", _side(box((-0.14, 0.05, 0.36), (0.05, 0.12, 0.02), 0.005), 0.1), STEEL),
    ]
    return assembled("motorbike", "dirtbike", pieces)


def _dirt_plastics(axle: tuple[float, float, float], top: tuple[float, float, float]) -> list[Piece]:
    """Return the painted mudguards, shrouds, fork guards and hand guards, and the white number boards."""

    def blade(rows: Sequence[tuple[float, float, float]], crown: float) -> Shell:
        line = smooth(rows, 4)
        over = np.linspace(-1, 1, 7)
        grid = np.stack([np.stack([np.full(7, x), w * over, z - crown * over**2], -1) for x, z, w in line])
        return sheet(grid, 0.012)

    nose = blade([(0.36, 0.83, 0.09), (0.55, 0.87, 0.10), (0.85, 0.89, 0.10), (1.05, 0.83, 0.08), (1.14, 0.78, 0.05)], 0.035)
    tail = blade([(-0.40, 0.86, 0.10), (-0.70, 0.90, 0.11), (-0.95, 0.99, 0.095), (-1.10, 1.06, 0.07)], 0.035)
    shroud = extrude([(0.46, 0.86), (0.40, 0.98), (0.10, 0.98), (-0.16, 0.86), (0.06, 0.74), (0.22, 0.56), (0.32, 0.58)], -0.012, 0.012)
    shroud = turned(shroud, "z", math.radians(-8))
    side = extrude([(-0.20, 0.84), (-0.78, 0.95), (-0.72, 0.84), (-0.36, 0.60), (-0.24, 0.62)], -0.01, 0.01)
    board = [(0.0, -0.13, 0.10), (0.0, 0.0, 0.13), (0.0, 0.14, 0.10)]
    rows = smooth(board, 4)
    over = np.linspace(-1, 1, 7)
    face = np.stack([np.stack([0.03 * (1 - over**2), w * over, np.full(7, z)], -1) for _, z, w in rows])
    plate = moved(turned(sheet(face, 0.012), "y", math.radians(-20)), (0.50, 0, 1.06))
    guard = both_sides(rod(np.add(axle, (0.03, 0.115, 0.0)), (0.60, 0.115, 0.74), [0.042, 0.036], 12))
    hand = both_sides(tube(smooth([(0.28, 0.44, 1.25), (0.38, 0.43, 1.26), (0.44, 0.30, 1.26), (0.40, 0.18, 1.25)], 4), 0.028, 10))
    return [
        ("front_mudguard", nose, PAINT),
        ("back_mudguard", tail, PAINT),
        ("shroud", _side(shroud, 0.155), PAINT),
        ("side_panel", _side(side, 0.11), WHITE),
        ("number_board", plate, WHITE),
        ("fork", guard, PAINT),
        ("hand_guard", hand, PAINT),
        *lamp("head_light", (0.57, 0, 1.00), 0.085, 0.08, HEADLAMP, TRIM),
    ]


def scooter() -> Model:
    """Return a step-through scooter: leg shield, flat floor, round cowls over small wheels."""
    front, back, r = 0.68, -0.56, 0.235
    axle = (front, 0, r)
    w = Wheel(r, 0.055, 0.075, 0.05, 10, 0.07, 0.05, spoke=0.012, rim_material=WHITE)
    tail = [(-0.02, 0.34, 0.62, 0.05), (-0.08, 0.28, 0.72, 0.15), (-0.30, 0.27, 0.76, 0.18), (-0.60, 0.34, 0.76, 0.19), (-0.85, 0.44, 0.70, 0.15), (-0.98, 0.52, 0.64, 0.07)]
    cowl = [(-0.12, 0.42, 0.52, 0.02), (-0.18, 0.34, 0.62, 0.08), (-0.45, 0.26, 0.68, 0.12), (-0.75, 0.32, 0.66, 0.11), (-0.95, 0.44, 0.60, 0.05), (-0.99, 0.50, 0.56, 0.01)]
    seat = [(0.0, 0.76, 0.80, 0.05), (-0.06, 0.74, 0.85, 0.11), (-0.30, 0.73, 0.86, 0.14), (-0.44, 0.74, 0.88, 0.14), (-0.70, 0.73, 0.89, 0.13), (-0.84, 0.74, 0.84, 0.06)]
    pieces: list[Piece] = [
        *wheel("front_wheel", w, front),
        *wheel("back_wheel", w, back),
        ("front_mudguard", mudguard(axle, r + 0.035, (-10, 185), 0.085, 0.10, 24), PAINT),
        ("fork", both_sides(rod((0.50, 0.075, 0.62), (front, 0.075, r), 0.024, 10)), STEEL),
        ("body", pod(tail, 22, 4, 2.8), PAINT),
        *pairs("cowl", moved(pod(cowl, 20, 4, 2.2), (0, 0.17, 0)), PAINT),
        ("saddle", pod(seat, 20, 4, 2.8), LEATHER),
        *_leg_shield(),
        *_headset(),
        *lamp("tail_light", (-0.97, 0, 0.64), 0.07, 0.06, TAILLAMP, CHROME, ahead=False),
        *_winkers(-0.95, 0.16, 0.62, -1),
        _plate(-1.00, 0.44, 15),
        ("carrier", merged(*(rod((-0.80, y, 0.84), (-1.06, y, 0.88), 0.012, 8) for y in (-0.09, 0.0, 0.09)), tube(bent([(-0.80, -0.11, 0.84), (-1.06, -0.11, 0.88), (-1.06, 0.11, 0.88), (-0.80, 0.11, 0.84)], 0.06), 0.013, 8)), CHROME),
        _pipe([(-0.40, -0.10, 0.22), (-0.60, -0.14, 0.20), (-0.92, -0.15, 0.24)], 0.04, 0.05),
    ]
    return assembled("motorbike", "scooter", pieces)


def _leg_shield() -> list[Piece]:
    """Return the leg shield with its lip, and the floor with its mat."""
    rows = smooth([(0.28, 0.34, 0.17, 0.02), (0.34, 0.42, 0.22, 0.05), (0.50, 0.47, 0.26, 0.08), (0.75, 0.43, 0.27, 0.09), (0.92, 0.39, 0.20, 0.06), (0.98, 0.38, 0.10, 0.02)], 4)
    over = np.linspace(-1, 1, 13)
    grid = np.stack([np.stack([x - sweep * np.abs(over) ** 2.2, w * over, np.full(13, z)], -1) for z, x, w, sweep in rows])
    rim = np.concatenate([grid[:, 0], grid[-1, 1:], grid[-2::-1, -1]])
    floor = pod([(0.44, 0.26, 0.32, 0.16), (0.36, 0.24, 0.335, 0.21), (-0.05, 0.24, 0.335, 0.20), (-0.2, 0.24, 0.335, 0.17)], 16, 2, 5.0)
    return [
        ("leg_shield", sheet(grid, 0.02), PAINT),
        ("leg_shield", tube(rim, 0.014, 8), CHROME),
        ("leg_shield", pod([(0.44, 0.36, 0.9, 0.05), (0.50, 0.34, 0.94, 0.06), (0.55, 0.45, 0.8, 0.03)], 14, 3, 2.4), PAINT),
        ("floor", floor, PAINT),
        ("floor", box((0.14, 0, 0.34), (0.40, 0.30, 0.014), 0.005), RUBBER),
        *pairs("indicator", ellipsoid((0.455, 0.15, 0.80), (0.03, 0.035, 0.045), 12, 7), INDICATOR),
    ]


def _headset() -> list[Piece]:
    """Return the painted head over the steering with lamp, bars and mirrors."""
    head = [(0.27, 1.02, 1.09, 0.05), (0.30, 0.98, 1.13, 0.11), (0.42, 0.96, 1.15, 0.13), (0.50, 0.97, 1.13, 0.11), (0.53, 1.0, 1.1, 0.08)]
    return [
        ("head", pod(head, 20, 3, 2.6), PAINT),
        ("head", rod((0.44, 0, 0.88), (0.40, 0, 1.02), 0.055, 14), PAINT),
        *_bars((0.38, 0, 1.06), [(0, 0, 0), (0.0, 0.12, 0.0), (-0.02, 0.22, 0.01), (-0.07, 0.34, 0.01)], 0.019, 0.12),
        *_mirrors((0.36, 0.30, 1.30), (0.36, 0.22, 1.08), 0.062),
        *lamp("head_light", (0.53, 0, 1.06), 0.10, 0.10, HEADLAMP, CHROME),
    ]
