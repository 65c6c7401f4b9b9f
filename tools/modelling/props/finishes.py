"""The surfaces of the built-in props: the body's paint, and what does not take its colour."""

from __future__ import annotations

from fathom.assets.model import BODY, Material
from fathom.assets.palette import BODY_COLORS

PAINT = Material(BODY, (0.6, 0.6, 0.6), roughness=0.6)
WHITE = Material("white", (0.93, 0.93, 0.92), roughness=0.55)
DARK = Material("dark", (0.075, 0.075, 0.08), roughness=0.6)
BARK = Material("bark", (0.23, 0.17, 0.13), roughness=0.85)
STALK = Material("stalk", (0.25, 0.42, 0.18), roughness=0.7)
BEAK = Material("beak", (0.95, 0.48, 0.10), roughness=0.5)
GLOW = Material("glow", (1.0, 0.93, 0.72), roughness=0.4, emission=0.7)
STRING = Material("string", (0.30, 0.30, 0.31), roughness=0.8)
CREAM = Material("cream", (0.93, 0.925, 0.91), roughness=0.85)
SAND = Material("sand", (0.885, 0.875, 0.85), roughness=0.85)
LATH = Material("lath", (0.80, 0.785, 0.755), roughness=0.8)


def body_paint(name: str, color: str) -> Material:
    """Return the paint of a creature's part in a nameable colour."""
    return Material(name, BODY_COLORS[color], roughness=0.6)
