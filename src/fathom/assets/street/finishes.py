"""The surfaces of the built-in street set."""

from __future__ import annotations

from fathom.assets.model import BODY, Material

PAINT = Material(BODY, (0.6, 0.6, 0.6), roughness=0.45, clearcoat=0.3)
CLOTH = Material(BODY, (0.6, 0.6, 0.6), roughness=0.9)
STEEL = Material("steel", (0.46, 0.48, 0.50), metallic=0.3, roughness=0.5)
DARK_STEEL = Material("dark steel", (0.13, 0.15, 0.16), roughness=0.5)
BLACK = Material("black", (0.05, 0.05, 0.055), roughness=0.6)
WHITE = Material("white", (0.92, 0.92, 0.91), roughness=0.5)
RED = Material("red", (0.75, 0.06, 0.06), roughness=0.5)
SIGN_BLUE = Material("sign blue", (0.05, 0.22, 0.62), roughness=0.5)
YELLOW = Material("yellow", (0.97, 0.76, 0.08), roughness=0.5)
ORANGE = Material("orange", (0.95, 0.38, 0.05), roughness=0.6)
GLOBE = Material("globe", (0.95, 0.94, 0.88), roughness=0.3, emission=0.15)
PLANK = Material("plank", (0.46, 0.29, 0.15), roughness=0.7)
CONCRETE = Material("concrete", (0.60, 0.59, 0.56), roughness=0.9)
BARK = Material("bark", (0.30, 0.22, 0.15), roughness=0.95)
NEEDLES = Material("needles", (0.11, 0.24, 0.12), roughness=0.95)
LEAVES = tuple(
    Material(f"leaves {k}", color, roughness=0.95)
    for k, color in enumerate(((0.22, 0.38, 0.10), (0.28, 0.44, 0.13), (0.17, 0.32, 0.09)))
)
SKIN = Material("skin", (0.80, 0.58, 0.45), roughness=0.7)
DARK_SKIN = Material("dark skin", (0.40, 0.26, 0.18), roughness=0.7)
HAIR = Material("hair", (0.16, 0.10, 0.07), roughness=0.8)
FAIR_HAIR = Material("fair hair", (0.62, 0.46, 0.22), roughness=0.8)
JEANS = Material("jeans", (0.13, 0.18, 0.30), roughness=0.9)
TROUSERS = Material("trousers", (0.14, 0.13, 0.13), roughness=0.9)
SHOES = Material("shoes", (0.08, 0.07, 0.07), roughness=0.7)
LAMPS = {
    "red": Material("lamp red", (0.95, 0.05, 0.04), roughness=0.4),
    "amber": Material("lamp amber", (0.98, 0.60, 0.05), roughness=0.4),
    "green": Material("lamp green", (0.05, 0.85, 0.35), roughness=0.4),
}
GLASS = Material("glass", (0.10, 0.13, 0.16), roughness=0.6)
FRAME = Material("frame", (0.88, 0.87, 0.84), roughness=0.6)
ROOF_TILE = Material("roof tile", (0.46, 0.20, 0.14), roughness=0.9)
ROOF_SLATE = Material("roof slate", (0.25, 0.26, 0.29), roughness=0.8)
DOOR = Material("door", (0.24, 0.15, 0.10), roughness=0.6)
PLINTH = Material("plinth", (0.44, 0.42, 0.40), roughness=0.9)
