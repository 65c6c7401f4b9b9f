"""Tables of any size: what objects on tables stand on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.assets.model import Material, Part, Points, Rgb
from fathom.assets.shapes import box, merged, part

TIMBER = Material("timber", (0.55, 0.38, 0.23), roughness=0.55)
LEGS = Material("legs", (0.32, 0.22, 0.14), roughness=0.6)


def table(size_m: tuple[float, float, float], top: Rgb) -> tuple[Part, ...]:
    """Return a table of a length, a width and a height: a board of a colour (sRGB) on four legs."""
    length, width, height = size_m
    thick, leg = 0.028, 0.055
    board = box((0, 0, height - thick / 2), (length, width, thick), 0.003)
    x, y = length / 2 - 0.08, width / 2 - 0.08
    high = height - thick
    legs = [box((sx * x, sy * y, high / 2), (leg, leg, high)) for sx, sy in _corners()]
    return part("board", board, replace(TIMBER, color=top), 20), part("legs", merged(*legs), LEGS, 20)


def _corners() -> Points:
    return np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], dtype=np.float64)
