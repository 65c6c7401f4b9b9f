"""Lamps, plants, bins, and what drives about by itself: fronts towards +x, metres, on the ground."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.furniture.finishes import (
    BARK,
    BULB,
    CARDBOARD,
    CLOTH,
    DARK,
    GREY,
    LEAF,
    OAK,
    PAINTED,
    PALE,
    SCREEN,
    SHADE,
    SOIL,
    STEEL,
    TAPE,
    Parts,
    slab,
)
from fathom.assets.shapes import Shell, box, ellipsoid, lathe, loft, merged, moved, part, tube, turned
from tools.modelling.solids import both_sides


def _drum(low: float, high: float, wide: float, narrow: float, sides: int = 36) -> Shell:
    """Return a lamp's shade, open below and above, with some thickness."""
    loop = [(wide, low), (narrow, high), (narrow - 0.004, high), (wide - 0.004, low), (wide, low)]
    return lathe(loop, "z", sides)


def floor_lamp() -> Parts:
    """Return a lamp on a tall post."""
    foot = lathe([(0.001, 0), (0.14, 0), (0.14, 0.018), (0.02, 0.03), (0.001, 0.03)], "z", 32)
    post = tube([(0, 0, 0.02), (0, 0, 1.36)], 0.012, 10)
    return part("post", merged(foot, post), PAINTED, 40), part("shade", _drum(1.25, 1.56, 0.21, 0.15), SHADE)


def table_lamp() -> Parts:
    """Return a lamp with a round foot and a shade."""
    profile = [(0.001, 0), (0.07, 0), (0.075, 0.01), (0.09, 0.09), (0.06, 0.17), (0.02, 0.20), (0.012, 0.30)]
    foot = lathe([*profile, (0.001, 0.30)], "z", 32)
    return part("foot", foot, PAINTED, 50), part("shade", _drum(0.25, 0.43, 0.14, 0.09), SHADE)


def desk_lamp() -> Parts:
    """Return a lamp on a jointed arm; it shines forward."""
    foot = lathe([(0.001, 0), (0.085, 0), (0.085, 0.015), (0.001, 0.02)], "z", 28)
    arm = tube([(-0.02, 0, 0.015), (-0.09, 0, 0.24), (0.07, 0, 0.42)], 0.008, 8)
    hood = lathe([(0.02, 0.0), (0.03, 0.01), (0.075, 0.11), (0.071, 0.11), (0.02, 0.0)], "z", 26)
    hood = moved(turned(hood, "y", 2.5), (0.06, 0, 0.43))
    bulb = moved(
        turned(lathe([(0.001, 0.085), (0.05, 0.085), (0.001, 0.088)], "z", 20), "y", 2.5), (0.06, 0, 0.43)
    )
    return part("arm", merged(foot, arm, hood), PAINTED, 40), part("bulb", bulb, BULB, 40)


def plant() -> Parts:
    """Return a leafy plant in a pot."""
    pot = lathe([(0.001, 0), (0.12, 0), (0.17, 0.30), (0.155, 0.30), (0.15, 0.27), (0.001, 0.27)], "z", 28)
    soil = lathe([(0.001, 0.272), (0.15, 0.272), (0.001, 0.275)], "z", 20)
    leaves, stems = [], []
    for k in range(22):
        a, tilt = k * 2.39996, 0.25 + 0.85 * ((k * 7) % 22) / 22
        reach = 0.20 + 0.17 * ((k * 5) % 11) / 11
        out, up = math.sin(tilt) * reach, 0.30 + math.cos(tilt) * reach * 1.9
        stems.append(tube([(0.02 * math.cos(a), 0.02 * math.sin(a), 0.27),
                           (0.6 * out * math.cos(a), 0.6 * out * math.sin(a), 0.27 + 0.75 * (up - 0.27)),
                           (out * math.cos(a), out * math.sin(a), up)], 0.006, 6))  # fmt: skip
        leaf = turned(ellipsoid((0.08, 0, 0), (0.105, 0.05, 0.005), 10, 7), "y", 0.5 - 0.7 * math.cos(tilt))
        leaves.append(moved(turned(leaf, "z", a), (out * math.cos(a), out * math.sin(a), up)))
    return (
        part("pot", pot, PAINTED, 40),
        part("soil", soil, SOIL),
        part("stems", merged(*stems), LEAF, 50),
        part("leaves", merged(*leaves), LEAF, 60),
    )


def small_tree() -> Parts:
    """Return a slender tree in a woven basket."""
    profile = [(0.001, 0), (0.15, 0), (0.19, 0.12), (0.18, 0.32), (0.165, 0.32), (0.16, 0.29), (0.001, 0.29)]
    pot = lathe(profile, "z", 30)
    trunk = tube([(0, 0, 0.28), (0.02, 0.01, 0.7), (0, 0.02, 1.25)], (0.022, 0.018, 0.012), 8)
    crown = []
    for k in range(46):
        a, share = k * 2.39996, (k + 0.5) / 46
        z, r = 0.80 + 0.92 * share, 0.30 * math.sin(math.pi * (0.12 + 0.83 * share))
        leaf = turned(ellipsoid((0.07, 0, 0), (0.10, 0.05, 0.006), 8, 6), "y", 0.35 - 0.9 * (share - 0.3))
        out = r * (0.4 + 0.3 * (k % 3))
        crown.append(moved(turned(leaf, "z", a), (out * math.cos(a), out * math.sin(a), z)))
    return (
        part("pot", pot, PAINTED, 40),
        part("trunk", trunk, BARK, 50),
        part("leaves", merged(*crown), LEAF, 60),
    )


def bin_() -> Parts:
    """Return an open waste bin."""
    profile = [(0.001, 0), (0.115, 0), (0.145, 0.32), (0.139, 0.32), (0.110, 0.01), (0.001, 0.01)]
    return (part("bin", lathe(profile, "z", 32), PAINTED, 40),)


def cardboard_box() -> Parts:
    """Return a closed box for moving house, taped along its top."""
    body = slab((-0.20, -0.25, 0.0), (0.20, 0.25, 0.34), 0.003)
    tape = merged(
        slab((-0.025, -0.251, 0.25), (0.025, 0.251, 0.3408)),
        slab((-0.024, -0.249, 0.25), (0.024, 0.249, 0.341)),
    )
    return part("box", body, CARDBOARD, 20), part("tape", tape, TAPE)


def basket() -> Parts:
    """Return a basket for laundry, with two grips."""
    wall = lathe([(0.001, 0), (0.20, 0), (0.24, 0.40), (0.228, 0.40), (0.19, 0.012), (0.001, 0.012)], "z", 32)
    a = np.radians(np.linspace(0, 180, 10))
    bow = np.column_stack([0.08 * np.cos(a), 0.245 + 0 * a, 0.36 + 0.05 * np.sin(a)])
    cloth = ellipsoid((0, 0, 0.33), (0.19, 0.19, 0.07), 20, 9)
    return (
        part("basket", merged(wall, both_sides(tube(bow, 0.010, 8))), PAINTED, 40),
        part("cloth", cloth, PALE, 60),
    )


def suitcase() -> Parts:
    """Return a suitcase on wheels, its handle drawn in."""
    shell = slab((-0.13, -0.23, 0.05), (0.13, 0.23, 0.66), 0.035)
    ribs = merged(
        *(slab((-0.136, y - 0.012, 0.09), (0.136, y + 0.012, 0.62), 0.004) for y in (-0.13, 0.0, 0.13))
    )
    wheels = [moved(lathe([(0.001, -0.014), (0.026, -0.014), (0.026, 0.014), (0.001, 0.014)], "y", 14),
                    (x, y, 0.026)) for x in (-0.09, 0.09) for y in (-0.18, 0.18)]  # fmt: skip
    stays = merged(*(slab((x - 0.02, y - 0.02, 0.03), (x + 0.02, y + 0.02, 0.07)) for x in (-0.09, 0.09)
                     for y in (-0.18, 0.18)))  # fmt: skip
    grip = tube([(0, -0.10, 0.655), (0, -0.10, 0.70), (0, 0.10, 0.70), (0, 0.10, 0.655)], 0.012, 8)
    return part("shell", merged(shell, ribs), PAINTED, 30), part(
        "wheels", merged(*wheels, stays, grip), DARK, 40
    )


def fan() -> Parts:
    """Return a fan on a post."""
    foot = lathe([(0.001, 0), (0.19, 0), (0.19, 0.02), (0.03, 0.04), (0.001, 0.04)], "z", 32)
    post = tube([(-0.03, 0, 0.03), (-0.03, 0, 1.02)], 0.016, 10)
    a = np.linspace(0, 2 * math.pi, 28, endpoint=False)
    rings = [tube(np.column_stack([x + 0 * a, r * np.cos(a), 1.08 + r * np.sin(a)]), 0.005, 6, closed=True)
             for x, r in ((0.06, 0.21), (0.09, 0.15), (0.095, 0.08), (0.0, 0.21))]  # fmt: skip
    spokes = [tube([(0.095, 0.02 * math.cos(b), 1.08 + 0.02 * math.sin(b)),
                    (0.06, 0.21 * math.cos(b), 1.08 + 0.21 * math.sin(b)),
                    (0.0, 0.21 * math.cos(b), 1.08 + 0.21 * math.sin(b))], 0.0035, 5)
              for b in np.linspace(0, 2 * math.pi, 12, endpoint=False)]  # fmt: skip
    blade = box((0.045, 0.10, 1.08), (0.006, 0.16, 0.09), 0.002)
    blades = [turned(blade, "x", 2 * math.pi * k / 3, (0, 0, 1.08)) for k in range(3)]
    motor = moved(lathe([(0.001, -0.10), (0.06, -0.09), (0.065, 0.0), (0.03, 0.04), (0.001, 0.045)], "x", 24),
                  (-0.0, 0, 1.08))  # fmt: skip
    return (
        part("stand", merged(foot, post, motor), PAINTED, 40),
        part("cage", merged(*rings, *spokes), STEEL, 50),
        part("blades", merged(*blades), GREY, 30),
    )


def robot_vacuum() -> Parts:
    """Return a flat round vacuum cleaner that drives by itself; a dark bumper is in front."""
    profile = [(0.165, 0.008), (0.172, 0.02), (0.172, 0.075), (0.16, 0.088), (0.001, 0.09)]
    disc = lathe([(0.001, 0.008), *profile], "z", 48)
    eye = moved(lathe([(0.001, 0), (0.042, 0), (0.042, 0.012), (0.036, 0.016), (0.001, 0.016)], "z", 28),
                (-0.02, 0, 0.089))  # fmt: skip
    a = np.radians(np.linspace(-80, 80, 24))
    bumper = tube(np.column_stack([0.170 * np.cos(a), 0.170 * np.sin(a), 0.045 + 0 * a]), 0.016, 8)
    wheels = both_sides(box((0, 0.11, 0.02), (0.06, 0.02, 0.04)))
    button = slab((0.09, -0.02, 0.0885), (0.12, 0.02, 0.093), 0.002)
    return (
        part("disc", disc, PAINTED, 40),
        part("bumper", merged(bumper, wheels), DARK, 50),
        part("eye", merged(eye, button), SCREEN, 40),
    )


def toy_truck() -> Parts:
    """Return a large toy truck that is driven from afar."""
    bed_ = slab((-0.22, -0.10, 0.09), (0.06, 0.10, 0.21), 0.008)
    cab = slab((0.07, -0.095, 0.08), (0.22, 0.095, 0.25), 0.015)
    glass = merged(slab((0.215, -0.075, 0.17), (0.222, 0.075, 0.235)),
                   both_sides(slab((0.10, 0.092, 0.17), (0.20, 0.0965, 0.235))))  # fmt: skip
    chassis = slab((-0.22, -0.06, 0.05), (0.22, 0.06, 0.09))
    wheels = [moved(lathe([(0.001, -0.02), (0.05, -0.02), (0.052, -0.012), (0.052, 0.012), (0.05, 0.02),
                           (0.001, 0.02)], "y", 24), (x, y, 0.052))
              for x in (-0.14, 0.14) for y in (-0.09, 0.09)]  # fmt: skip
    lamps = both_sides(slab((0.219, 0.05, 0.10), (0.2235, 0.08, 0.125)))
    return (
        part("bodywork", merged(bed_, cab), PAINTED, 30),
        part("chassis", merged(chassis, *wheels), DARK, 40),
        part("glass", glass, SCREEN, 20),
        part("lamps", lamps, PALE, 20),
    )


def _rounded_square(half: float, high: float, sides: int = 40) -> list[tuple[float, float, float]]:
    """Return the points (3,) around a square with round corners that lies flat at a height."""
    angles = [2 * math.pi * k / sides for k in range(sides)]
    return [
        (half * math.copysign(abs(math.cos(a)) ** 0.4, math.cos(a)),
         half * math.copysign(abs(math.sin(a)) ** 0.4, math.sin(a)), high)
        for a in angles
    ]  # fmt: skip


def floor_cushion() -> Parts:
    """Return one thick square cushion with a seam around its middle and a button on its top."""
    profile = [(0.10, 0.0), (0.18, 0.006), (0.235, 0.028), (0.262, 0.065), (0.275, 0.118), (0.283757, 0.123),
               (0.283757, 0.131), (0.275, 0.136), (0.262, 0.189), (0.235, 0.226), (0.18, 0.248),
               (0.10, 0.254), (0.03, 0.252)]  # fmt: skip
    body = loft([_rounded_square(half, high) for half, high in profile])
    button = lathe([(0.001, 0.248), (0.017, 0.248), (0.014, 0.258), (0.001, 0.26)], "z", 16)
    return part("cushion", body, CLOTH, 40), part("button", button, OAK)
