"""The surfaces of furniture and rooms: what takes the body's colour, and what keeps its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import BODY, Material, Part
from fathom.assets.shapes import Shell, box

Parts = tuple[Part, ...]

CLOTH = Material(BODY, (0.6, 0.6, 0.6), roughness=0.95)
PAINTED = Material(BODY, (0.6, 0.6, 0.6), roughness=0.6)
CUSHION = Material("cushion", (0.86, 0.83, 0.77), roughness=0.95)
LINEN = Material("linen", (0.90, 0.89, 0.86), roughness=0.95)
OAK = Material("oak", (0.72, 0.55, 0.36), roughness=0.6)
WALNUT = Material("walnut", (0.36, 0.24, 0.15), roughness=0.6)
DARK = Material("dark", (0.09, 0.09, 0.10), roughness=0.55)
STEEL = Material("steel", (0.70, 0.71, 0.73), metallic=0.85, roughness=0.38)
GREY = Material("grey", (0.52, 0.53, 0.55), roughness=0.6)
PALE = Material("pale", (0.90, 0.90, 0.88), roughness=0.5)
SCREEN = Material("screen", (0.025, 0.027, 0.03), roughness=0.25)
LEAF = Material("leaf", (0.16, 0.40, 0.13), roughness=0.75)
BARK = Material("bark", (0.33, 0.23, 0.15), roughness=0.9)
SOIL = Material("soil", (0.14, 0.10, 0.07), roughness=1.0)
CARDBOARD = Material("cardboard", (0.70, 0.54, 0.37), roughness=0.9)
TAPE = Material("tape", (0.78, 0.66, 0.48), roughness=0.5)

LIT = "lit"
"""The name of the material that gives off light where a lamp is on."""

SHADE = Material(LIT, (1.0, 0.88, 0.70), roughness=0.9)
BULB = Material(LIT, (1.0, 0.96, 0.90), roughness=0.9)
PANE = Material(LIT, (0.90, 0.95, 1.0), roughness=0.9)


def slab(low: ArrayLike, high: ArrayLike, bevel: float = 0.0) -> Shell:
    """Return a box between two opposite corners (3,), its edges cut by `bevel` metres."""
    a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    return box((a + b) / 2, b - a, bevel)
