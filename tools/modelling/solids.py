"""Shells and places that only the modelling of built-in models needs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Points
from fathom.assets.shapes import Shell, lathe, merged, mirrored, moved, stretched


def both_sides(shell: Shell) -> Shell:
    """Return the shell and its mirror image."""
    return merged(shell, mirrored(shell))


def ellipsoid(centre: ArrayLike, radii: ArrayLike, sides: int = 16, rings: int = 9) -> Shell:
    """Return an ellipsoid with its poles along x."""
    t = np.linspace(0, math.pi, rings)
    unit = lathe(np.column_stack([np.sin(t).clip(1e-4), -np.cos(t)]), "x", sides)
    return moved(stretched(unit, radii), centre)


def corners_of(length: float, width: float, inset: float) -> Points:
    """Return the (4, 2) places of legs, `inset` metres from the sides of a rectangle."""
    x, y = length / 2 - inset, width / 2 - inset
    return np.array([(x, y), (-x, y), (-x, -y), (x, -y)])
