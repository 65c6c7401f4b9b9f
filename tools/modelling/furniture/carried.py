"""What people carry and hold: bags, balls, umbrellas, watering cans; in metres, on the ground."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.furniture.finishes import DARK, OAK, PAINTED, STEEL, Parts, slab
from fathom.assets.shapes import ellipsoid, lathe, merged, moved, part, tube, turned


def handbag() -> Parts:
    """Return a handbag with a flap and one handle."""
    body = slab((-0.065, -0.15, 0.0), (0.065, 0.15, 0.21), 0.03)
    flap = slab((-0.068, -0.145, 0.12), (0.074, 0.145, 0.222), 0.02)
    a = np.radians(np.linspace(0, 180, 13))
    handle = np.column_stack([0 * a, 0.085 * np.cos(a), 0.20 + 0.13 * np.sin(a)])
    clasp = slab((0.072, -0.018, 0.125), (0.081, 0.018, 0.155), 0.004)
    return (
        part("bag", merged(body, flap), PAINTED, 30),
        part("handle", tube(handle, 0.010, 8), DARK, 60),
        part("clasp", clasp, STEEL, 30),
    )


def ball() -> Parts:
    """Return a ball with a white band."""
    radius = 0.105
    band = lathe(
        [(0.001, -0.012), (radius + 0.001, -0.012), (radius + 0.001, 0.012), (0.001, 0.012)], "z", 36
    )
    return (
        part("ball", ellipsoid((0, 0, radius), (radius, radius, radius), 28, 16), PAINTED, 60),
        part("band", moved(turned(band, "y", 0.5), (0, 0, radius)), STEEL, 40),
    )


def umbrella() -> Parts:
    """Return an umbrella that is rolled up, its tip down and its handle a hook."""
    cloth = lathe([(0.001, 0.06), (0.012, 0.07), (0.034, 0.16), (0.046, 0.34), (0.034, 0.54), (0.02, 0.57),
                   (0.001, 0.57)], "z", 16)  # fmt: skip
    stick = tube([(0, 0, 0.0), (0, 0, 0.66)], 0.006, 8)
    a = np.radians(np.linspace(180, 0, 11))
    hook = np.column_stack([0.035 + 0.035 * np.cos(a), 0 * a, 0.68 + 0.035 * np.sin(a)])
    grip = tube([(0, 0, 0.60), *hook.tolist(), (0.07, 0, 0.65)], 0.012, 8)
    strap = lathe([(0.001, 0.42), (0.045, 0.42), (0.043, 0.445), (0.001, 0.445)], "z", 16)
    return (
        part("cloth", cloth, PAINTED, 40),
        part("stick", merged(stick, strap), DARK, 40),
        part("grip", grip, OAK, 60),
    )


def watering_can() -> Parts:
    """Return a watering can, its spout ahead and its handle above."""
    body = lathe([(0.001, 0.0), (0.10, 0.0), (0.095, 0.20), (0.085, 0.215), (0.001, 0.215)], "z", 28)
    spout = tube([(0.07, 0, 0.04), (0.17, 0, 0.13), (0.25, 0, 0.24)], [0.026, 0.017, 0.013], 10)
    rose = turned(lathe([(0.001, 0.0), (0.02, 0.0), (0.036, 0.03), (0.001, 0.034)], "z", 16), "y", 0.7)
    a = np.radians(np.linspace(200, -10, 12))
    handle = np.column_stack([-0.01 + 0.095 * np.cos(a), 0 * a, 0.205 + 0.11 * np.sin(a)])
    head = moved(rose, (0.25 - 0.01 * math.sin(0.7), 0, 0.235))
    return (
        part("can", merged(body, spout, head), PAINTED, 40),
        part("handle", tube(handle, 0.011, 8), DARK, 60),
    )
