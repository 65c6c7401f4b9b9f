"""What the motorbikes share: engines, exhausts, forks, frames, handlebars, mirrors, signals, plates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Material
from fathom.assets.shapes import Shell, box, ellipsoid, lathe, merged, moved, stretched, tube, turned
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.materials import CHROME, INDICATOR, PAINT, PLATE, RUBBER, STEEL, TRIM
from tools.modelling.vehicles.twowheelers import Piece, across, bent, offset, pairs, pod, rod, smooth

Path3 = Sequence[tuple[float, float, float]]


def aside(shell: Shell, y: float) -> Shell:
    """Return the shell on both sides, `y` metres out."""
    return both_sides(moved(shell, (0, y, 0)))


def cylinder(at: ArrayLike, lean_deg: float, radius: float, height: float, fins: int = 5) -> list[Piece]:
    """Return an air-cooled cylinder that stands on `at`, leaning forward, with its bright head."""
    step, waist = height / fins, 0.78 * radius
    profile = [(0.001, 0.0)]
    for i in range(fins):
        z = i * step
        profile += [(waist, z), (radius, z), (radius, z + 0.45 * step), (waist, z + 0.45 * step)]
    profile.append((waist, height))
    top = height + 0.06
    head = [(0.95 * radius, height), (0.95 * radius, top - 0.03), (0.7 * radius, top), (0.001, top)]
    lean = math.radians(lean_deg)
    return [
        ("engine", moved(turned(lathe(profile, "z", 14), "y", lean), at), STEEL),
        ("engine", moved(turned(lathe(head, "z", 14), "y", lean), at), CHROME),
    ]


_CRANKCASE = (
    (-0.26, -0.06, 0.02, 0.06),
    (-0.24, -0.12, 0.06, 0.11),
    (0.0, -0.14, 0.12, 0.13),
    (0.14, -0.13, 0.10, 0.12),
    (0.18, -0.06, 0.02, 0.06),
)


def v_twin(x: float, z: float, size: float = 1.0) -> list[Piece]:
    """Return a V-twin engine whose crankshaft lies at (x, z), with its air cleaner on the right."""
    s, at = size, np.array([x, 0.0, z])
    case = stretched(pod(_CRANKCASE, 16, 2, 3.0), (s, s, s))
    cover = lathe([(0.001, -0.03), (0.08, -0.03), (0.095, -0.01), (0.095, 0.02), (0.001, 0.02)], "y", 20)
    cleaner = lathe([(0.001, -0.035), (0.07, -0.03), (0.085, -0.01), (0.085, 0.03), (0.001, 0.03)], "y", 20)
    discs = [
        moved(cover, (0.02, -0.13, 0.0)),
        moved(turned(cover, "z", math.pi), (0.02, 0.13, 0.0)),
        moved(cleaner, (0.02, -0.13, 0.24)),
    ]
    return [
        ("engine", moved(case, at), STEEL),
        ("engine", moved(stretched(merged(*discs), (s, s, s)), at), CHROME),
        *cylinder(offset(at, 0.04 * s, 0, 0.06 * s), 24, 0.095 * s, 0.21 * s),
        *cylinder(offset(at, -0.06 * s, 0, 0.06 * s), -24, 0.095 * s, 0.21 * s),
    ]


def pipe(path: Path3, radius: float, end: float, corner: float = 0.1) -> Piece:
    """Return a chromed exhaust along the path, widening to the radius `end` of its silencer."""
    line = bent(path, corner)
    far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    radii = np.interp(far / far[-1], [0, 0.45, 0.62, 1], [radius, radius, end, end])
    return ("exhaust", tube(line, list(radii), 12), CHROME)


def legs(
    head: ArrayLike, axle: ArrayLike, y: float, upper: float, lower: float, split: float
) -> tuple[Shell, Shell]:
    """Return the upper tubes and the lower sliders of a fork from the head to the axle, parted at `split`."""
    a, b = offset(head, 0, y, 0), offset(axle, 0, y, 0)
    mid = a + split * (b - a)
    return both_sides(rod(a, mid, upper, 12)), both_sides(rod(mid, b, [lower, lower * 0.9], 12))


def yoke(at: ArrayLike, y: float, size: float) -> Shell:
    """Return a bar that joins both legs of a fork."""
    return box(at, (1.3 * size, 2 * y + 1.6 * size, 0.8 * size), 0.2 * size)


def bars(clamp: ArrayLike, half: Path3, radius: float, grip: float) -> list[Piece]:
    """Return a handlebar through its left half, given from the clamp, with grips and levers at its ends."""
    path = smooth(across(np.asarray(half, dtype=np.float64) + np.asarray(clamp)), 3)
    way = (path[-1] - path[-2]) / np.linalg.norm(path[-1] - path[-2])
    start, end = path[-1] - grip * way, path[-1] + 0.02 * way
    knee = [offset(start, 0.03, -0.02, 0), offset(start, 0.07, 0.03, 0), offset(end, 0.05, -0.02, 0)]
    return [
        ("handle", tube(path, radius, 8), CHROME),
        *pairs("grip", rod(start, end, [radius * 1.45, radius * 1.55], 12), RUBBER),
        *pairs("brake", tube(smooth(knee, 3), 0.009, 8), STEEL),
    ]


def mirrors(at: ArrayLike, foot: ArrayLike, radius: float = 0.06) -> list[Piece]:
    """Return round mirrors around `at` (left) on stalks from `foot`."""
    bowl = lathe([(0.001, 0.04), (0.7 * radius, 0.03), (radius, 0.0), (0.001, -0.005)], "x", 14)
    stalk = rod(foot, offset(at, 0.01, 0, -0.2 * radius), 0.007, 8)
    return pairs("mirror", merged(moved(bowl, at), stalk), CHROME)


def indicators(x: float, y: float, z: float) -> list[Piece]:
    """Return amber indicators on both sides, on one bar."""
    bulb = ellipsoid((x, y, z), (0.038, 0.032, 0.032), 8, 6)
    return [
        *pairs("indicator", bulb, INDICATOR),
        *pairs("indicator", rod((x, 0.0, z), (x, y, z), 0.009, 8), TRIM),
    ]


def number_plate(x: float, z: float, lean_deg: float = 20.0) -> Piece:
    """Return the number plate at the back, its top leaning forward."""
    board = turned(box((0, 0, 0), (0.012, 0.20, 0.15), 0.003), "y", math.radians(lean_deg))
    return ("number_plate", moved(board, (x, 0, z)), PLATE)


def cradle(
    head: ArrayLike,
    spread: tuple[float, float],
    low: float,
    back: tuple[float, float],
    material: Material,
    radius: float = 0.026,
) -> list[Piece]:
    """Return a backbone, two tubes around the engine, and a swinging arm to the back axle.

    spread : x of the cradle's front and back
    low : height of its lowest tubes
    back : x and z of the back axle
    """
    ahead, behind = spread
    spine = rod(offset(head, 0, 0, -0.06), (behind, 0, 0.60), radius * 1.3, 12)
    neck = rod(offset(head, 0.03, 0, -0.12), offset(head, -0.03, 0, 0.06), radius * 1.7, 14)
    corners = [
        offset(head, 0, 0.03, -0.10),
        (ahead + 0.08, 0.09, low + 0.04),
        (ahead - 0.06, 0.10, low),
        (behind, 0.10, low),
        (behind, 0.08, 0.62),
    ]
    arm = rod((behind, 0.11, low + 0.1), (back[0], 0.11, back[1]), radius, 10)
    loop = tube(bent(np.array(corners), 0.12, 3), radius, 8)
    return [("frame", merged(spine, neck, both_sides(merged(loop, arm))), material)]


def hardtail(head: ArrayLike, back: tuple[float, float]) -> list[Piece]:
    """Return the painted rigid frame of a chopper, from the head to the back axle at `back` (x, z)."""
    axle = (back[0], 0.155, back[1])
    ridge = np.array([offset(head, -0.02, 0, -0.04), (-0.20, 0, 0.74), (-0.42, 0, 0.60)])
    spine = tube(bent(ridge, 0.1), 0.034, 12)
    neck = rod(offset(head, 0.03, 0, -0.10), offset(head, -0.05, 0, 0.07), 0.045, 14)
    corners = [
        offset(head, 0, 0.02, -0.09),
        (0.40, 0.11, 0.30),
        (0.32, 0.12, 0.24),
        (-0.36, 0.12, 0.24),
        axle,
    ]
    low = tube(bent(np.array(corners), 0.1, 3), 0.027, 10)
    stay = tube(bent([(-0.36, 0.02, 0.64), (-0.42, 0.12, 0.58), axle], 0.08), 0.026, 10)
    post = rod((-0.36, 0.10, 0.26), (-0.36, 0.06, 0.62), 0.026, 10)
    return [("frame", merged(spine, neck, both_sides(merged(low, stay, post))), PAINT)]
