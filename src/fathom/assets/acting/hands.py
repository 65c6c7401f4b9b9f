"""Hands with four fingers and a thumb: flat ones, or with bent fingers, by where the palm looks.

shell = hand(1, middle, along, (0.0, -1.0, 0.0))       # a left hand whose palm looks to the right
"""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.shapes import Shell, loft, merged, tube
from fathom.geometry.poses import Array

THICK_M = 0.023
"""How far before the middle of a hand its palm is."""

PALM = ((-0.058, 0.026, 0.013), (-0.035, 0.037, 0.015), (-0.005, 0.042, 0.015), (0.022, 0.041, 0.012))
"""The palm as rings: how far from the middle of the hand towards the fingers, half as wide and half as thick
as it is there."""

FINGERS = ((0.031, 0.05), (0.0105, 0.057), (-0.0105, 0.054), (-0.031, 0.042))
"""Where fingers begin beside the middle, on the thumb's side first, and how long they are."""

FINGER_M, THUMB_M = 0.0095, 0.0105
"""How thick fingers and the thumb are, from the middle."""

THUMB = ((-0.038, 0.028), (-0.01, 0.049), (0.018, 0.056))
"""The thumb: how far from the middle of the hand towards the fingers, and beside it."""

BENT_RAD = 0.5
"""How far each joint of fingers is bent that hang, or lie at the side of something."""

CORNERS = 12


def hand(side: int, middle: Array, along: Array, looks: tuple[float, float, float]) -> Shell:
    """Return the left (1) or right (−1) hand around a middle (3,), which goes on along the forearm as far as
    its palm lets it. Fingers of palms that look up or ahead are straight.
    """
    normal, long = _unit(looks), fingers_along(along, looks)
    bent = BENT_RAD * abs(float(normal[1]))
    fingers = [_finger(side * beside, length, bent) for beside, length in FINGERS]
    up = THICK_M - THUMB_M
    thumb = tube([(x, side * y, up) for x, y in THUMB], [0.013, THUMB_M, 0.007], 6)
    vertices, faces = merged(_palm(), *fingers, thumb)
    axes = np.column_stack([long, np.cross(normal, long), normal])
    return vertices @ axes.T + middle, faces


def fingers_along(along: Array, looks: tuple[float, float, float]) -> Array:
    """Return (3,) where straight fingers point of a hand at a forearm that goes `along` a direction."""
    normal = _unit(looks)
    long = along - normal * float(along @ normal)
    if float(np.linalg.norm(long)) < 0.05:
        long = np.cross(normal, np.array([0.0, 1.0, 0.0])) + 1e-3
        long = long - normal * float(long @ normal)
    return np.asarray(long / float(np.linalg.norm(long)))


def _unit(looks: tuple[float, float, float]) -> Array:
    normal = np.array(looks, dtype=np.float64)
    return np.asarray(normal / max(float(np.linalg.norm(normal)), 1e-6))


def _palm() -> Shell:
    angle = np.linspace(0, 2 * math.pi, CORNERS, endpoint=False)
    # Squarer than an ellipse: its face is flat, and as far ahead all over.
    c, s = (np.sign(v) * np.sqrt(np.abs(v)) for v in (np.cos(angle), np.sin(angle)))
    return loft(
        [
            np.column_stack([np.full(CORNERS, x), wide * c, THICK_M - thick + thick * s])
            for x, wide, thick in PALM
        ]
    )


def _finger(beside: float, length: float, bent: float) -> Shell:
    """Return a finger that bends towards the palm at its root and in its middle."""
    x, z = PALM[-1][0] - 0.006, THICK_M - FINGER_M
    points, lean = [(x, beside, z)], 0.0
    for part, turn in ((0.45, 0.5), (0.35, 1.0), (0.2, 1.0)):
        lean += turn * bent
        x, z = x + part * length * math.cos(lean), z + part * length * math.sin(lean)
        points.append((x, beside * 0.97, z))
    return tube(points, [FINGER_M, FINGER_M, 0.0085, 0.006], 6)
