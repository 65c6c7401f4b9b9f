"""Shelves, cupboards, and what stands in kitchens: fronts towards +x, metres, on the ground."""

from __future__ import annotations

import numpy as np

from fathom.assets.furniture.finishes import (
    DARK,
    GREY,
    OAK,
    PAINTED,
    PALE,
    SCREEN,
    STEEL,
    Parts,
    slab,
)
from fathom.assets.model import Material
from fathom.assets.shapes import Shell, box, lathe, merged, moved, part, tube

_BOOKS = ((0.55, 0.14, 0.12), (0.15, 0.26, 0.42), (0.80, 0.74, 0.62), (0.17, 0.36, 0.24), (0.70, 0.50, 0.20))
"""The colours of books' spines, sRGB."""


def _case(depth: float, width: float, height: float, levels: int, thick: float = 0.022) -> Shell:
    """Return an open case with so many levels, its back behind."""
    x, y = depth / 2, width / 2
    gaps = np.linspace(0.06, height - thick, levels + 1)
    boards = [slab((-x, -y, z), (x, y, z + thick)) for z in gaps]
    sides = [slab((-x, s * (y - thick / 2) - thick / 2, 0), (x, s * (y - thick / 2) + thick / 2, height))
             for s in (-1, 1)]  # fmt: skip
    return merged(*boards, *sides, slab((-x, -y, 0.0), (-x + 0.008, y, height)))


def bookshelf() -> Parts:
    """Return a tall case of five levels, with books on them."""
    case = part("case", _case(0.30, 0.80, 1.90, 5), PAINTED, 20)
    rows: list[list[Shell]] = [[] for _ in _BOOKS]
    floors = np.linspace(0.06, 1.878, 6)[:5] + 0.022
    step = 0
    for level, z in enumerate(floors):
        y, end = -0.37, 0.36 - 0.11 * (level * 7 % 4)
        while y < end:
            # Widths and heights repeat with periods that have no factor in common.
            wide, high = 0.024 + 0.006 * (step * 5 % 4), 0.20 + 0.022 * (step * 3 % 5)
            deep = 0.10 + 0.014 * (step % 3)
            rows[step * 2 % 5].append(slab((-0.13, y, z), (deep, y + wide - 0.0015, z + high)))
            y, step = y + wide, step + 1
    books = [
        part(f"books{k}", merged(*row), Material(f"cover{k}", _BOOKS[k], roughness=0.8), 20)
        for k, row in enumerate(rows)
    ]
    return (case, *books)


def open_shelf() -> Parts:
    """Return a low case of two levels, two drawers below.

    Loose boxes would be counted among the cardboard boxes of a room.
    """
    case = _case(0.34, 1.10, 0.80, 2)
    fronts, grips = _doors(0.12, 0.525, 0.086, 0.404, 2)
    return part("case", case, PAINTED, 20), part("drawers", fronts, OAK, 20), part("grips", grips, STEEL)


def _doors(x: float, half: float, low: float, high: float, count: int) -> tuple[Shell, Shell]:
    """Return so many doors side by side, and their grips."""
    wide = 2 * half / count
    doors, grips = [], []
    for k in range(count):
        y = -half + k * wide
        doors.append(slab((x, y + 0.003, low), (x + 0.018, y + wide - 0.003, high), 0.005))
        at = y + (wide - 0.05 if k % 2 == 0 else 0.05)
        middle = (low + high) / 2
        grips.append(tube([(x + 0.03, at, middle - 0.07), (x + 0.03, at, middle + 0.07)], 0.007, 8))
    return merged(*doors), merged(*grips)


def wardrobe() -> Parts:
    """Return a tall wardrobe with two doors."""
    body = slab((-0.30, -0.60, 0.06), (0.28, 0.60, 2.05))
    doors, grips = _doors(0.28, 0.595, 0.07, 2.03, 2)
    plinth = slab((-0.28, -0.58, 0.0), (0.25, 0.58, 0.06))
    return (
        part("body", body, PAINTED, 20),
        part("doors", doors, PAINTED, 20),
        part("grips", grips, STEEL, 40),
        part("plinth", plinth, DARK, 20),
    )


def cabinet() -> Parts:
    """Return a sideboard with three doors on short legs."""
    body = slab((-0.22, -0.75, 0.14), (0.20, 0.75, 0.78))
    doors, grips = _doors(0.20, 0.745, 0.15, 0.77, 3)
    top = slab((-0.225, -0.76, 0.78), (0.225, 0.76, 0.80), 0.004)
    legs = [box((x, y, 0.075), (0.04, 0.04, 0.15)) for x in (-0.17, 0.15) for y in (-0.66, 0.66)]
    return (
        part("body", merged(body, top), PAINTED, 20),
        part("doors", doors, PAINTED, 20),
        part("grips", grips, STEEL, 40),
        part("legs", merged(*legs), OAK, 20),
    )


def dresser() -> Parts:
    """Return a chest of four drawers."""
    body = slab((-0.23, -0.42, 0.05), (0.20, 0.42, 0.96))
    top = slab((-0.235, -0.43, 0.96), (0.235, 0.43, 0.985), 0.004)
    faces, grips = [], []
    for k in range(4):
        z = 0.07 + k * 0.222
        faces.append(slab((0.20, -0.41, z), (0.22, 0.41, z + 0.212), 0.005))
        grips += [tube([(0.232, y - 0.06, z + 0.11), (0.232, y + 0.06, z + 0.11)], 0.008, 8)
                  for y in (-0.21, 0.21)]  # fmt: skip
    plinth = slab((-0.22, -0.40, 0.0), (0.18, 0.40, 0.05))
    return (
        part("body", merged(body, top), PAINTED, 20),
        part("drawers", merged(*faces), PAINTED, 20),
        part("grips", merged(*grips), STEEL, 40),
        part("plinth", plinth, DARK, 20),
    )


def tv_stand() -> Parts:
    """Return a long low stand with an open level and two doors."""
    case = merged(
        slab((-0.20, -0.75, 0.07), (0.20, 0.75, 0.09)), slab((-0.20, -0.75, 0.43), (0.20, 0.75, 0.45)),
        *(slab((-0.20, y - 0.01, 0.07), (0.20, y + 0.01, 0.44)) for y in (-0.74, -0.28, 0.28, 0.74)),
        slab((-0.20, -0.75, 0.07), (-0.19, 0.75, 0.45)), slab((-0.19, -0.28, 0.25), (0.19, 0.28, 0.265)),
    )  # fmt: skip
    doors = [slab((0.185, s * 0.51 - 0.22, 0.095), (0.20, s * 0.51 + 0.22, 0.425), 0.004) for s in (-1, 1)]
    legs = [box((x, y, 0.035), (0.04, 0.04, 0.07)) for x in (-0.16, 0.16) for y in (-0.68, 0.68)]
    return (
        part("case", case, PAINTED, 20),
        part("doors", merged(*doors), PAINTED, 20),
        part("legs", merged(*legs), DARK, 20),
    )


def television() -> Parts:
    """Return a flat screen on a foot."""
    case = box((0, 0, 0.42), (0.035, 1.12, 0.66), 0.006)
    glass = box((0.0182, 0, 0.425), (0.002, 1.095, 0.625))
    foot = merged(slab((-0.11, -0.25, 0.0), (0.11, 0.25, 0.012), 0.004),
                  slab((-0.03, -0.05, 0.01), (-0.01, 0.05, 0.20)))  # fmt: skip
    return part("case", merged(case, foot), DARK, 20), part("screen", glass, SCREEN)


def monitor() -> Parts:
    """Return a computer's screen on a foot."""
    case = box((0, 0, 0.31), (0.03, 0.58, 0.35), 0.006)
    glass = box((0.0155, 0, 0.315), (0.002, 0.56, 0.325))
    foot = merged(slab((-0.10, -0.12, 0.0), (0.10, 0.12, 0.012), 0.004),
                  slab((-0.035, -0.03, 0.01), (-0.015, 0.03, 0.30)))  # fmt: skip
    return part("case", merged(case, foot), PAINTED, 20), part("screen", glass, SCREEN)


def fridge() -> Parts:
    """Return a refrigerator with a freezer below."""
    body = slab((-0.32, -0.30, 0.03), (0.27, 0.30, 1.80), 0.006)
    doors = merged(slab((0.275, -0.30, 0.05), (0.32, 0.30, 0.62), 0.012),
                   slab((0.275, -0.30, 0.632), (0.32, 0.30, 1.80), 0.012))  # fmt: skip
    grips = merged(tube([(0.345, 0.24, 0.72), (0.345, 0.24, 1.12)], 0.011, 8),
                   tube([(0.345, 0.24, 0.30), (0.345, 0.24, 0.57)], 0.011, 8))  # fmt: skip
    feet = slab((-0.30, -0.27, 0.0), (0.24, 0.27, 0.035))
    return (
        part("body", body, PAINTED, 20),
        part("doors", doors, PAINTED, 20),
        part("grips", grips, STEEL, 40),
        part("feet", feet, DARK),
    )


def stove() -> Parts:
    """Return an oven with a window, knobs, and four plates on top."""
    body = slab((-0.30, -0.30, 0.03), (0.28, 0.30, 0.88), 0.004)
    feet = slab((-0.28, -0.27, 0.0), (0.22, 0.27, 0.035))
    hob = slab((-0.30, -0.30, 0.88), (0.29, 0.30, 0.90), 0.003)
    door = slab((0.28, -0.28, 0.16), (0.30, 0.28, 0.70), 0.006)
    window = slab((0.30, -0.20, 0.28), (0.3025, 0.20, 0.58))
    plates = [moved(lathe([(0.001, 0), (r, 0), (r, 0.004), (0.001, 0.004)], "z", 28), (x, y, 0.90))
              for x, y, r in ((-0.14, -0.14, 0.09), (-0.14, 0.14, 0.075),
                              (0.12, -0.14, 0.075), (0.12, 0.14, 0.09))]  # fmt: skip
    knobs = [moved(lathe([(0.001, 0), (0.022, 0), (0.018, 0.025), (0.001, 0.025)], "x", 16), (0.28, y, 0.80))
             for y in (-0.21, -0.07, 0.07, 0.21)]  # fmt: skip
    grip = tube([(0.325, -0.22, 0.66), (0.325, 0.22, 0.66)], 0.010, 8)
    return (
        part("body", body, PAINTED, 20),
        part("door", door, PAINTED, 20),
        part("hob", merged(hob, window, feet), SCREEN, 20),
        part("plates", merged(*plates), GREY, 30),
        part("knobs", merged(grip, *knobs), STEEL, 40),
    )


def washing_machine() -> Parts:
    """Return a washing machine with a round door."""
    body = slab((-0.28, -0.30, 0.0), (0.28, 0.30, 0.85), 0.01)
    ring = moved(lathe([(0.15, 0.0), (0.20, 0.0), (0.19, 0.03), (0.155, 0.03), (0.15, 0.0)], "x", 36),
                 (0.28, 0, 0.44))  # fmt: skip
    glass = moved(lathe([(0.001, 0.0), (0.155, 0.0), (0.12, 0.02), (0.001, 0.025)], "x", 30), (0.28, 0, 0.44))
    knob = moved(lathe([(0.001, 0), (0.028, 0), (0.024, 0.02), (0.001, 0.02)], "x", 18), (0.28, 0, 0.76))
    drawer = slab((0.28, -0.28, 0.71), (0.285, -0.10, 0.81), 0.002)
    return (
        part("body", body, PAINTED, 20),
        part("ring", ring, STEEL, 40),
        part("glass", glass, SCREEN, 40),
        part("knob", knob, GREY, 40),
        part("drawer", drawer, PALE, 20),
    )
