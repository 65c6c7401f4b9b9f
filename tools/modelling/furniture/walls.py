"""What hangs on walls: pictures, a clock, a lamp, a shelf, a board; backs towards -x, metres, feet at 0."""

from __future__ import annotations

import math

from fathom.assets.furniture.finishes import (
    CARDBOARD,
    DARK,
    OAK,
    PAINTED,
    PALE,
    SHADE,
    STEEL,
    TAPE,
    WALNUT,
    Parts,
    slab,
)
from fathom.assets.model import Material
from fathom.assets.shapes import Shell, box, ellipsoid, lathe, merged, moved, part, tube, turned

SUN = Material("sun", (0.93, 0.86, 0.66), roughness=0.9)
HILL = Material("hill", (0.17, 0.18, 0.20), roughness=0.9)
CORK = Material("cork", (0.62, 0.45, 0.28), roughness=1.0)


def _frame(wide: float, high: float, bar: float, deep: float) -> Shell:
    """Return a frame round an opening, its back at x = 0."""
    y = wide / 2
    return merged(
        slab((0, -y, 0), (deep, -y + bar, high), 0.003),
        slab((0, y - bar, 0), (deep, y, high), 0.003),
        slab((0, -y, 0), (deep, y, bar), 0.003),
        slab((0, -y, high - bar), (deep, y, high), 0.003),
    )


def _disc(radius: float, deep: float, sides: int = 40) -> Shell:
    """Return a disc that stands upright about the origin, from x = 0 to `deep`."""
    return lathe([(0.001, 0), (radius, 0), (radius, deep), (0.001, deep)], "x", sides)


def wide_picture() -> Parts:
    """Return a framed picture in one colour: a pale sun over dark hills."""
    hills = merged(
        slab((0.010, -0.31, 0.05), (0.0142, -0.02, 0.16)),
        slab((0.010, -0.10, 0.05), (0.0146, 0.31, 0.12)),
    )
    return (
        part("frame", _frame(0.70, 0.50, 0.03, 0.03), DARK, 20),
        part("sheet", slab((0.0, -0.34, 0.01), (0.011, 0.34, 0.49)), PALE),
        part("field", slab((0.010, -0.31, 0.05), (0.013, 0.31, 0.45)), PAINTED),
        part("hills", hills, HILL),
        part("sun", moved(_disc(0.055, 0.0045), (0.010, 0.14, 0.32)), SUN, 40),
    )


def tall_picture() -> Parts:
    """Return a framed picture in one colour: a pale vase on a dark table."""
    vase = ellipsoid((0.0135, 0, 0.29), (0.0012, 0.07, 0.11), 24, 9)
    neck = slab((0.010, -0.025, 0.36), (0.0142, 0.025, 0.45))
    return (
        part("frame", _frame(0.46, 0.64, 0.03, 0.03), WALNUT, 20),
        part("sheet", slab((0.0, -0.22, 0.01), (0.011, 0.22, 0.63)), PALE),
        part("field", slab((0.010, -0.19, 0.05), (0.013, 0.19, 0.59)), PAINTED),
        part("table", slab((0.010, -0.19, 0.05), (0.0138, 0.19, 0.20)), HILL),
        part("vase", merged(vase, neck), SUN, 40),
    )


def wall_clock() -> Parts:
    """Return a round clock; it shows ten past ten."""
    middle = (0.0, 0.0, 0.16)
    rim = [(0.13, 0), (0.16, 0), (0.16, 0.035), (0.148, 0.045), (0.135, 0.035), (0.13, 0.02), (0.13, 0)]
    marks = []
    for k in range(12):
        long = 0.026 if k % 3 == 0 else 0.014
        mark = box((0.0215, 0, 0.122 - long / 2), (0.004, 0.008, long))
        marks.append(turned(mark, "x", k * math.pi / 6))
    # Seen from ahead, what is turned about x by a positive angle goes to the right.
    hour = turned(box((0.024, 0, 0.032), (0.004, 0.013, 0.064)), "x", math.radians(-55))
    minute = turned(box((0.027, 0, 0.048), (0.003, 0.009, 0.096)), "x", math.radians(60))
    pin = _disc(0.011, 0.031, 16)
    return (
        part("rim", moved(lathe(rim, "x", 48), middle), PAINTED, 40),
        part("face", moved(_disc(0.132, 0.02, 48), middle), PALE, 40),
        part("marks", moved(merged(*marks), middle), DARK, 20),
        part("hands", moved(merged(hour, minute, pin), middle), DARK, 20),
    )


def wall_lamp() -> Parts:
    """Return a lamp on an arm, its shade open above and below."""
    plate = slab((0.0, -0.045, 0.0), (0.014, 0.045, 0.15), 0.004)
    arm = tube([(0.01, 0, 0.05), (0.12, 0, 0.05), (0.13, 0, 0.10)], 0.009, 10)
    loop = [(0.075, 0.09), (0.055, 0.25), (0.051, 0.25), (0.071, 0.09), (0.075, 0.09)]
    shade = moved(lathe(loop, "z", 32), (0.13, 0, 0.0))
    return part("arm", merged(plate, arm), STEEL, 40), part("shade", shade, SHADE)


def wall_shelf() -> Parts:
    """Return a board on two brackets, its top level."""
    board = slab((0.0, -0.40, 0.14), (0.24, 0.40, 0.168), 0.002)
    brackets = []
    for y in (-0.26, 0.26):
        upright = slab((0.0, y - 0.012, 0.0), (0.012, y + 0.012, 0.14))
        strut = tube([(0.008, y, 0.012), (0.19, y, 0.142)], 0.007, 8)
        brackets += [upright, strut]
    return part("board", board, PAINTED, 20), part("brackets", merged(*brackets), STEEL, 40)


def notice_board() -> Parts:
    """Return a board of cork with sheets of paper pinned to it."""
    sheets = ((-0.20, 0.14, 0.14, 0.20), (0.02, 0.10, 0.18, 0.13), (0.20, 0.26, 0.12, 0.16),
              (-0.05, 0.33, 0.15, 0.11))  # fmt: skip
    papers = [slab((0.012, y, z), (0.0150 + 0.0004 * k, y + w, z + h))
              for k, (y, z, w, h) in enumerate(sheets)]  # fmt: skip
    pins = [ellipsoid((0.018, y + w / 2, z + h - 0.02), (0.008, 0.008, 0.008), 10, 6)
            for y, z, w, h in sheets]  # fmt: skip
    return (
        part("frame", _frame(0.80, 0.58, 0.028, 0.026), OAK, 20),
        part("cork", slab((0.0, -0.39, 0.01), (0.013, 0.39, 0.57)), CORK),
        part("papers", merged(*papers[:2]), PALE),
        part("notes", merged(*papers[2:]), TAPE),
        part("pins", merged(*pins), CARDBOARD, 60),
    )
