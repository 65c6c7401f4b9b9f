"""How household things are made: parts in metres at their usual size, the front towards +x, on the ground."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import BODY, Material, Part
from fathom.assets.shapes import Shell, box, lathe, merged, moved, part, tube, turned
from tools.modelling.solids import both_sides

Parts = tuple[Part, ...]

CERAMIC = Material(BODY, (0.6, 0.6, 0.6), roughness=0.3, clearcoat=0.4)
PAPER = Material(BODY, (0.6, 0.6, 0.6), roughness=0.7)
PLASTIC = Material(BODY, (0.6, 0.6, 0.6), roughness=0.45)
PAGES = Material("pages", (0.92, 0.89, 0.80), roughness=0.9)
METAL = Material("metal", (0.72, 0.73, 0.75), metallic=0.9, roughness=0.32)
WAX = Material("wick", (0.12, 0.10, 0.09), roughness=0.9)
LABEL = Material("label", (0.94, 0.93, 0.90), roughness=0.6)
FACE = Material("face", (0.95, 0.95, 0.93), roughness=0.5)
HANDS = Material("hands", (0.05, 0.05, 0.06), roughness=0.5)


def _round(profile: list[tuple[float, float]], sides: int = 36) -> Shell:
    """Return the solid of revolution about z of (radius, height) pairs."""
    return lathe(profile, "z", sides)


def mug() -> Parts:
    """Return a mug whose handle is at its left."""
    wall = [(0.001, 0.0), (0.034, 0.0), (0.040, 0.006), (0.041, 0.090), (0.0395, 0.093)]
    inside = [(0.037, 0.090), (0.036, 0.010), (0.001, 0.008)]
    a = np.radians(np.linspace(-95, 95, 14))
    bow = np.column_stack([0 * a, 0.038 + 0.027 * np.cos(a), 0.048 + 0.029 * np.sin(a)])
    return (part("mug", merged(_round(wall + inside), tube(bow, 0.0055, 10)), CERAMIC, 45),)


def bowl() -> Parts:
    """Return an open bowl."""
    t = np.radians(np.linspace(25, 88, 9))
    outer = [(0.001, 0.0), (0.036, 0.0), (0.037, 0.005)]
    outer += [(0.082 * math.sin(x), 0.068 - 0.064 * math.cos(x)) for x in t]
    inner = [(0.078 * math.sin(x), 0.068 - 0.058 * math.cos(x)) for x in t[::-1]]
    return (part("bowl", _round([*outer, (0.081, 0.067), *inner, (0.001, 0.012)]), CERAMIC, 45),)


def plate() -> Parts:
    """Return a flat plate with a raised rim."""
    outer = [(0.001, 0.0), (0.062, 0.0), (0.070, 0.006), (0.108, 0.019), (0.109, 0.021)]
    return (part("plate", _round([*outer, (0.106, 0.0215), (0.069, 0.0095), (0.001, 0.008)], 48), CERAMIC),)


def bottle() -> Parts:
    """Return a bottle with a label and a metal cap."""
    body = [(0.001, 0.0), (0.034, 0.0), (0.036, 0.004), (0.036, 0.135), (0.032, 0.160), (0.016, 0.190)]
    band = [(0.0362, 0.045), (0.0365, 0.046), (0.0365, 0.104), (0.0362, 0.105)]
    cap = [(0.0145, 0.222), (0.0155, 0.223), (0.0155, 0.238), (0.0145, 0.240)]
    return (
        part("bottle", _round([*body, (0.0135, 0.205), (0.0135, 0.228)]), CERAMIC, 45),
        part("label", _round(band), LABEL),
        part("cap", _round(cap), METAL),
    )


def can() -> Parts:
    """Return a drink can with metal ends."""
    end = [(0.001, 0.004), (0.024, 0.0), (0.026, 0.002), (0.032, 0.012)]
    top = [(0.032, 0.106), (0.027, 0.116), (0.027, 0.119), (0.025, 0.119), (0.024, 0.116), (0.001, 0.116)]
    return (
        part("can", _round([(0.032, 0.0115), (0.033, 0.014), (0.033, 0.104), (0.032, 0.1065)]), PLASTIC, 45),
        part("ends", merged(_round(end), _round(top)), METAL, 45),
    )


def tin() -> Parts:
    """Return a biscuit tin: round, flat, its lid a little wider."""
    body = [(0.001, 0.0), (0.071, 0.0), (0.072, 0.001), (0.072, 0.048)]
    lid = [(0.0722, 0.046), (0.0745, 0.046), (0.0745, 0.064), (0.0735, 0.066), (0.001, 0.066)]
    return part("tin", _round(body, 48), METAL), part("lid", _round(lid, 48), PLASTIC)


def book() -> Parts:
    """Return a closed book that lies; its spine is behind, its pages show at the other sides."""
    covers = [box((0, 0, z), (0.215, 0.150, 0.003), 0.0004) for z in (0.0015, 0.0285)]
    spine = box((-0.1060, 0, 0.015), (0.003, 0.150, 0.030), 0.0004)
    pages = box((0.0005, 0, 0.015), (0.207, 0.144, 0.024))
    return part("cover", merged(*covers, spine), PAPER, 20), part("pages", pages, PAGES, 20)


def carton() -> Parts:
    """Return a closed cardboard box."""
    return (part("box", box((0, 0, 0.045), (0.16, 0.11, 0.09), 0.0012), PAPER, 20),)


def candle() -> Parts:
    """Return a thick candle with its wick."""
    wax = [(0.001, 0.0), (0.0335, 0.0), (0.035, 0.002), (0.035, 0.098), (0.033, 0.100), (0.008, 0.097)]
    wick = tube([(0, 0, 0.095), (0.0006, 0, 0.104), (0.002, 0, 0.110)], 0.0012, 6)
    return part("wax", _round([*wax, (0.001, 0.097)]), PLASTIC, 45), part("wick", wick, WAX)


def block() -> Parts:
    """Return a toy block: a cube with blunted edges."""
    return (part("block", box((0, 0, 0.025), (0.05, 0.05, 0.05), 0.002), PLASTIC, 20),)


def clock() -> Parts:
    """Return an alarm clock on two feet, its face in front."""
    case = moved(
        lathe([(0.046, -0.018), (0.05, -0.014), (0.05, 0.016), (0.047, 0.019)], "x", 40), (0, 0, 0.056)
    )
    feet = both_sides(tube([(0, 0.027, 0.020), (0, 0.034, 0.0045)], 0.0045, 8))
    bell = turned(lathe([(0.018, 0.0), (0.016, 0.009), (0.001, 0.015)], "z", 20), "x", -0.6)
    bells = both_sides(moved(bell, (0, 0.028, 0.101)))
    face = moved(lathe([(0.043, 0.0185), (0.043, 0.0200)], "x", 40), (0, 0, 0.056))
    hands = merged(
        box((0.0203, 0, 0.070), (0.0008, 0.003, 0.028)), box((0.0203, 0.009, 0.056), (0.0008, 0.018, 0.003))
    )
    return (
        part("case", merged(case, feet), PLASTIC, 45),
        part("bells", bells, METAL, 45),
        part("face", face, FACE),
        part("hands", hands, HANDS),
    )


def camera() -> Parts:
    """Return a photo camera, its lens in front."""
    body = box((-0.012, 0, 0.037), (0.040, 0.122, 0.074), 0.004)
    hump = box((-0.012, 0, 0.079), (0.034, 0.042, 0.016), 0.004)
    lens = moved(
        lathe([(0.030, 0.005), (0.031, 0.012), (0.031, 0.045), (0.028, 0.047)], "x", 32), (0, 0, 0.036)
    )
    glass = moved(lathe([(0.024, 0.044), (0.023, 0.0478)], "x", 28), (0, 0, 0.036))
    return (
        part("body", merged(body, hump), PLASTIC, 30),
        part("lens", lens, METAL),
        part("glass", glass, HANDS),
    )
