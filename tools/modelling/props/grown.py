"""Parts that grow out of an actor: the origin is where they come out of it, z points away from there."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Part
from fathom.assets.shapes import ellipsoid, extrude, lathe, merged, moved, part, tube, turned
from tools.modelling.props.finishes import DARK, PAINT, STALK, WHITE

Parts = tuple[Part, ...]


def horn() -> Parts:
    """Return a horn that bends back, with a thicker root."""
    t = np.linspace(0.0, 1.0, 12)
    path = np.column_stack([-0.34 * t**2, np.zeros(12), -0.06 + 1.06 * t - 0.14 * t**2])
    radius = 0.15 * (1 - t) ** 0.8 + 0.012
    root = lathe([(0.17, -0.07), (0.175, 0.0), (0.14, 0.05)], "z", 16)
    return (part("horn", merged(tube(path, radius.tolist(), 16), root), PAINT, 50),)


def antenna() -> Parts:
    """Return an antenna: a thin stalk that ends in a ball."""
    t = np.linspace(0.0, 1.0, 9)
    path = np.column_stack([0.12 * t**2, np.zeros(9), -0.04 + 0.86 * t])
    ball = ellipsoid((0.12, 0.0, 0.86), (0.13,) * 3, 16, 10)
    return (part("antenna", merged(tube(path, (0.055 - 0.02 * t).tolist(), 10), ball), PAINT, 60),)


def spike() -> Parts:
    """Return a straight pointed spike with a broad foot."""
    profile = [(0.27, -0.08), (0.26, 0.0), (0.2, 0.14), (0.12, 0.45), (0.055, 0.75), (0.006, 1.0)]
    return (part("spike", lathe(profile, "z", 18), PAINT, 40),)


def fin() -> Parts:
    """Return an upright fin, its edge swept back."""
    t = np.linspace(0.0, math.pi / 2, 8)
    ahead = [(0.42 - 0.72 * float(np.sin(a)) ** 1.4, 0.82 * float(np.sin(a))) for a in t]
    behind = [(-0.24, 0.6), (-0.24, 0.38), (-0.31, 0.2), (-0.42, 0.0), (-0.42, -0.08), (0.42, -0.08)]
    return (part("fin", extrude([*ahead, *behind], -0.05, 0.05, "xz"), PAINT, 20),)


def flower() -> Parts:
    """Return a flower of seven petals that looks up and ahead."""
    t = np.linspace(0.0, 1.0, 7)
    stalk = tube(np.column_stack([0.05 * t**2, np.zeros(7), -0.05 + 0.5 * t]), 0.05, 8)
    petals = []
    for k in range(7):
        a = 2 * math.pi * k / 7
        petals.append(ellipsoid((0.31 * math.cos(a), 0.31 * math.sin(a), 0.0), (0.19, 0.19, 0.06), 12, 7))
    eye = ellipsoid((0.0, 0.0, 0.05), (0.19, 0.19, 0.1), 14, 8)
    head = [moved(turned(shell, "y", 0.35), (0.05, 0.0, 0.47)) for shell in (merged(*petals), eye)]
    return part("flower", head[0], PAINT, 60), part("eye", head[1], WHITE, 60), part("stalk", stalk, STALK)


def crystal() -> Parts:
    """Return a cluster of three six-sided crystals, the tallest in the middle."""
    shells = []
    for radius, high, lean, around in (
        (0.28, 1.0, 0.0, 0.0),
        (0.21, 0.74, 0.6, 0.4),
        (0.19, 0.62, 0.65, 2.9),
    ):
        profile = [(0.8 * radius, -0.1), (radius, 0.55 * high), (0.9 * radius, 0.7 * high), (0.004, high)]
        shells.append(turned(turned(lathe(profile, "z", 6), "y", lean), "z", around))
    return (part("crystal", merged(*shells), PAINT, 12),)


def cherry() -> Parts:
    """Return a round cherry on a short stalk, with a leaf beside it."""
    stalk = tube([(0.0, 0.0, -0.05), (0.02, 0.0, 0.2), (0.0, 0.0, 0.42)], 0.045, 8)
    leaf = turned(ellipsoid((0.2, 0.0, 0.0), (0.2, 0.1, 0.03), 12, 6), "y", -0.5)
    ball = ellipsoid((0.0, 0.0, 0.68), (0.34, 0.34, 0.32), 20, 12)
    return (
        part("cherry", ball, PAINT, 60),
        part("stalk", merged(stalk, moved(leaf, (0.02, 0.0, 0.16))), STALK, 60),
    )


def lamp() -> Parts:
    """Return a warning lamp: a colored dome on a dark socket."""
    socket = [(0.36, -0.1), (0.36, 0.16), (0.3, 0.24), (0.004, 0.24)]
    dome = [(0.27, 0.22), (0.29, 0.45), (0.27, 0.7), (0.19, 0.9), (0.09, 0.98), (0.004, 1.0)]
    return part("lamp", lathe(dome, "z", 20), PAINT, 60), part("socket", lathe(socket, "z", 20), DARK, 40)
