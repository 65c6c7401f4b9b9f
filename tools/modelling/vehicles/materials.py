"""The surfaces of the built-in vehicles."""

from __future__ import annotations

from fathom.assets.model import BODY, Material

PAINT = Material(BODY, (0.6, 0.6, 0.6), metallic=0.0, roughness=0.35, clearcoat=0.6)
GLASS = Material("glass", (0.035, 0.045, 0.055), roughness=0.08, clearcoat=0.5)
TYRE = Material("tyre", (0.045, 0.045, 0.05), roughness=0.85)
RUBBER = Material("rubber", (0.07, 0.07, 0.075), roughness=0.7)
TRIM = Material("trim", (0.055, 0.055, 0.06), roughness=0.55)
CHROME = Material("chrome", (0.78, 0.79, 0.80), metallic=1.0, roughness=0.18)
STEEL = Material("steel", (0.50, 0.51, 0.53), metallic=0.9, roughness=0.38)
ALLOY = Material("alloy", (0.74, 0.75, 0.77), metallic=0.35, roughness=0.3)
BELLOWS = Material("bellows", (0.11, 0.11, 0.12), roughness=0.8)
LEATHER = Material("leather", (0.09, 0.06, 0.05), roughness=0.65)
INTERIOR = Material("interior", (0.16, 0.15, 0.15), roughness=0.8)
HEADLAMP = Material("headlamp", (0.97, 0.97, 0.95), roughness=0.1, clearcoat=0.6, emission=0.35)
TAILLAMP = Material("taillamp", (0.85, 0.02, 0.02), roughness=0.2, clearcoat=0.6, emission=0.25)
INDICATOR = Material("indicator", (0.95, 0.45, 0.05), roughness=0.25, clearcoat=0.5, emission=0.15)
PLATE = Material("plate", (0.93, 0.93, 0.91), roughness=0.45)
WHITE = Material("white", (0.92, 0.92, 0.92), roughness=0.4, clearcoat=0.3)
STOP = Material("stop", (0.72, 0.03, 0.03), roughness=0.45)
WOOD = Material("wood", (0.45, 0.27, 0.13), roughness=0.6)
SIGN = Material("sign", (0.98, 0.75, 0.10), roughness=0.4, emission=0.3)
