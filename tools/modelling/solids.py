"""Shells and places that only the modelling of built-in models needs."""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Points
from fathom.assets.shapes import Shell, merged, mirrored


def both_sides(shell: Shell) -> Shell:
    """Return the shell and its mirror image."""
    return merged(shell, mirrored(shell))


def corners_of(length: float, width: float, inset: float) -> Points:
    """Return the (4, 2) places of legs, `inset` metres from the sides of a rectangle."""
    x, y = length / 2 - inset, width / 2 - inset
    return np.array([(x, y), (-x, y), (-x, -y), (x, -y)])
