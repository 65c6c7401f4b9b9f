"""The built-in bicycles: road, utility, mountain and tandem.

Tubes, lamps and saddles are thicker than life, so that the colour and the heading can be made out in a
picture sixty pixels wide. The (first) bottom bracket stands at x = 0.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fathom.assets.model import Material, Model, Points
from fathom.assets.shapes import box, extrude, loft, merged, moved, tube
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.bicycleparts import (
    Frame,
    Path3,
    belt,
    bottle,
    bracket_shell,
    cables,
    carrier,
    diamond,
    drive,
    drop_bar,
    fork,
    gears,
    grips,
    handlebar,
    pedals,
    post,
    saddle,
    stays,
    stem,
    wheels,
)
from tools.modelling.vehicles.materials import CHROME, PAINT, RUBBER, TRIM
from tools.modelling.vehicles.twowheelers import (
    Piece,
    Wheel,
    across,
    assembled,
    blade,
    headlamp,
    mudguard,
    offset,
    pairs,
    pod,
    rod,
    sheet,
    smooth,
    taillamp,
)

WICKER = Material("wicker", (0.80, 0.74, 0.62), roughness=0.8)
TAN = Material("tan", (0.24, 0.13, 0.07), roughness=0.6)

_FRAMES = {
    "road": Frame(
        back=-0.41,
        front=0.58,
        radius=0.34,
        crank=0.275,
        head=(0.73, 0.87),
        head_deg=73,
        rake=0.045,
        seat_deg=73.5,
        seat_top=0.80,
        saddle=0.97,
    ),
    "mountain": Frame(
        back=-0.43,
        front=0.70,
        radius=0.36,
        crank=0.32,
        head=(0.79, 0.91),
        head_deg=69,
        rake=0.045,
        seat_deg=73,
        seat_top=0.74,
        saddle=0.98,
    ),
    "utility": Frame(
        back=-0.46,
        front=0.62,
        radius=0.345,
        crank=0.29,
        head=(0.74, 0.93),
        head_deg=69,
        rake=0.06,
        seat_deg=69,
        seat_top=0.72,
        saddle=0.93,
    ),
    "tandem": Frame(
        back=-1.13,
        front=0.60,
        radius=0.34,
        crank=0.28,
        head=(0.72, 0.87),
        head_deg=73,
        rake=0.045,
        seat_deg=73.5,
        seat_top=0.80,
        saddle=0.97,
    ),
}

_WHEELS = {
    "road": Wheel(
        radius=0.34,
        half_width=0.015,
        tyre=0.024,
        rim=0.055,
        spokes=16,
        hub=0.022,
        hub_half=0.045,
        rim_material=PAINT,
        spoke=0.0032,
    ),
    "mountain": Wheel(
        radius=0.36,
        half_width=0.038,
        tyre=0.062,
        rim=0.036,
        spokes=16,
        hub=0.03,
        hub_half=0.05,
        knobs=44,
        rim_material=PAINT,
        spoke=0.0032,
        disc=0.09,
    ),
    "utility": Wheel(
        radius=0.345,
        half_width=0.022,
        tyre=0.04,
        rim=0.03,
        spokes=16,
        hub=0.028,
        hub_half=0.045,
        rim_material=PAINT,
        spoke=0.003,
    ),
    "tandem": Wheel(
        radius=0.34,
        half_width=0.022,
        tyre=0.036,
        rim=0.048,
        spokes=16,
        hub=0.028,
        hub_half=0.045,
        rim_material=PAINT,
        spoke=0.0035,
    ),
}

_PANNIER = (
    (-0.20, 0.10, 0.30, 0.03),
    (-0.19, 0.05, 0.34, 0.055),
    (0.0, 0.02, 0.36, 0.065),
    (0.16, 0.08, 0.34, 0.055),
    (0.17, 0.14, 0.30, 0.03),
)
"""A bag about the back axle, as a pod."""


def road() -> Model:
    """Return a racing bicycle: drop bars, thin tyres on deep painted rims, no mudguards."""
    f = _FRAMES["road"]
    held, clamp = stem(f, 0.10, 0.03)
    pieces = [
        *wheels(f, _WHEELS["road"]),
        *diamond(f, 0.032, 0.025, 0.013),
        *fork(f, 0.021, 0.05),
        *drive(f.back_axle, 0.045, f.bracket, 0.105),
        *pedals(f),
        *post(f),
        *saddle(f, 0.075),
        *held,
        *drop_bar(clamp),
        *gears(f, 0.05),
        *cables(f, clamp, 0.16),
        *bottle((0.12, 0, 0.455), f.steering(0.78) - f.bracket),
        *headlamp(offset(clamp, 0.07, 0, -0.05), 0.046, 0.06, TRIM),
        *taillamp(offset(f.seat(0.885), -0.055, 0, 0), 0.045, 0.035),
    ]
    return assembled("bicycle", "road", pieces)


def mountain() -> Model:
    """Return a mountain bicycle: fat knobbly tyres, a suspension fork, a flat broad bar."""
    f = _FRAMES["mountain"]
    held, clamp = stem(f, 0.06, 0.03)
    flat: Path3 = [(0, 0, 0), (0.0, 0.05, 0.0), (-0.01, 0.14, 0.03), (-0.03, 0.36, 0.04)]
    pieces = [
        *wheels(f, _WHEELS["mountain"]),
        *diamond(f, 0.043, 0.032, 0.018),
        *_suspension(f),
        *drive(f.back_axle, 0.06, f.bracket, 0.09),
        *pedals(f),
        *post(f, 0.018),
        *saddle(f, 0.07),
        *held,
        ("handle", handlebar(clamp, flat, 0.017), TRIM),
        *grips(offset(clamp, -0.019, 0.25, 0.037), offset(clamp, -0.031, 0.375, 0.041), RUBBER, 0.022),
        *_mud_blades(f),
        *gears(f, 0.06),
        *cables(f, clamp, 0.20),
        *headlamp(offset(clamp, 0.065, 0, 0.02), 0.05, 0.06, TRIM),
    ]
    return assembled("bicycle", "mountain", pieces)


def _suspension(f: Frame) -> list[Piece]:
    """Return a telescopic fork: bright upper tubes in painted lowers joined by an arch."""
    y, crown, tip = 0.065, f.steering(f.head[0] - 0.015), f.front_axle
    down = tip - crown - (f.rake, 0, 0)
    split, low = offset(crown + 0.36 * down, 0.02, 0, 0), offset(crown + down, 0.04, 0, 0)
    out = (0, y, 0)
    upper = rod(offset(crown, 0.02, y, 0.02), split + out, 0.019, 12)
    lower = tube([split + out, low + out, tip + out], [0.031, 0.029, 0.025], 14)
    bridge = box(offset(crown, 0.012, 0, 0), (0.06, 2 * y + 0.055, 0.045), 0.012)
    over = across(np.array([(0.03, 0, 0.05), (0.03, 0.04, 0.045), (0.01, y, 0.0)]) + split)
    arch = tube(smooth(over, 3), 0.016, 10)
    return [
        ("fork", both_sides(upper), CHROME),
        ("fork", merged(both_sides(lower), arch, bridge), PAINT),
    ]


def _mud_blades(f: Frame) -> list[Piece]:
    """Return the open mudguards of a mountain bicycle: over the front tyre, and behind the saddle."""
    x, _, z = f.seat(f.seat_top + 0.07)
    rows = [(x, z, 0.02), (x - 0.12, z, 0.05), (x - 0.34, z + 0.01, 0.055), (x - 0.52, z - 0.03, 0.04)]
    front = mudguard(f.front_axle, f.radius + 0.025, (52, 138), 0.05, 0.02, 14)
    return [
        ("back_mudguard", blade(rows, 0.03, 0.008), PAINT),
        ("front_mudguard", front, PAINT),
        *taillamp((x - 0.49, 0, z - 0.045), 0.048, 0.03),
    ]


def utility() -> Model:
    """Return a town bicycle: step-through frame, basket ahead, rack, skirt guard and mudguards."""
    f = _FRAMES["utility"]
    held, clamp = stem(f, 0.03, 0.10, CHROME)
    crest = offset(f.front_axle, 0.04, 0, f.radius)
    swept: Path3 = [
        (0, 0, 0),
        (0.05, 0.08, 0.02),
        (0.05, 0.19, 0.05),
        (-0.04, 0.27, 0.05),
        (-0.20, 0.29, 0.03),
    ]
    pieces = [
        *wheels(f, _WHEELS["utility"]),
        *_step_through(f),
        *fork(f, 0.028, 0.062),
        *pedals(f),
        *_chain_case(f),
        *post(f),
        *saddle(f, 0.115, 0.28, TAN),
        *held,
        ("handle", handlebar(clamp, swept, 0.015), CHROME),
        *grips(offset(clamp, -0.09, 0.28, 0.045), offset(clamp, -0.21, 0.291, 0.028), TAN, 0.022),
        *_guards(f),
        *carrier(f),
        *_basket(clamp),
        *headlamp(offset(crest, 0.06, 0, 0.075), 0.065, 0.09, PAINT),
        ("head_light", rod(crest, offset(crest, 0, 0, 0.06), 0.012, 8), CHROME),
    ]
    return assembled("bicycle", "utility", pieces)


def _step_through(f: Frame) -> list[Piece]:
    """Return the painted tubes of a frame with a low, curved way through."""
    high, low = f.steering(f.head[1] - 0.05), f.steering(f.head[0] + 0.04)
    swan = smooth(np.array([high, offset(high, -0.13, 0, -0.21), (0.13, 0, 0.47), f.seat(0.47)]), 6)
    down = smooth(np.array([low, offset(low, -0.13, 0, -0.21), (0.16, 0, 0.335), f.bracket]), 6)
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), 0.033, 14),
        tube(swan, 0.025, 12),
        tube(down, 0.031, 12),
        rod(f.bracket, f.seat(f.seat_top), 0.027, 14),
        bracket_shell(f),
    ]
    return [("frame", s, PAINT) for s in [*tubes, stays(f, 0.014, f.seat(f.seat_top - 0.02))]]


def _chain_case(f: Frame) -> list[Piece]:
    """Return the painted case around the chain."""
    loop = belt((f.back, f.radius), 0.06, (0.0, f.crank), 0.115)
    return [("chain_case", moved(extrude(loop, -0.018, 0.018), (0, -0.062, 0)), PAINT)]


def _guards(f: Frame) -> list[Piece]:
    """Return the painted mudguards, and the skirt guard over the back wheel."""
    r = f.radius + 0.022
    back = mudguard(f.back_axle, r, (35, 205), 0.052, 0.035, 26)
    front = mudguard(f.front_axle, r, (15, 165), 0.052, 0.035, 24)
    angle = np.radians(np.linspace(48, 172, 18))[:, None]
    out = np.linspace(r - 0.012, 0.14, 4)[None, :]
    skirt = np.stack([out * np.cos(angle), np.full((18, 4), 0.062), out * np.sin(angle)], -1)
    return [
        ("back_mudguard", back, PAINT),
        ("front_mudguard", front, PAINT),
        ("skirt_guard", moved(both_sides(sheet(skirt, 0.005)), f.back_axle), PAINT),
    ]


def _basket(clamp: Points) -> list[Piece]:
    """Return a wicker basket that hangs ahead of the handlebar: woven bands, a lip, a hollow."""
    low, top = clamp[2] - 0.18, clamp[2] + 0.01
    t = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    x = np.sign(np.cos(t)) * np.sqrt(np.abs(np.cos(t)))
    y = np.sign(np.sin(t)) * np.sqrt(np.abs(np.sin(t)))

    def ring(z: float, grow: float, inset: float) -> Points:
        a, b = 0.095 + 0.03 * grow - inset, 0.125 + 0.035 * grow - inset
        return np.stack([clamp[0] + 0.19 + a * x, b * y, np.full(24, z)], axis=-1)

    rings = []
    for grow in np.arange(6) / 6:
        z = low + (top - low) * grow
        rings += [ring(z, grow, 0.004), ring(z + 0.01, grow, 0.0), ring(z + 0.028, grow, 0.0)]
    rings += [ring(top, 1, -0.006), ring(top + 0.014, 1, -0.006), ring(top + 0.014, 1, 0.016)]
    rings.append(ring(low + 0.02, 0, 0.016))
    hooks = both_sides(rod(offset(clamp, 0, 0.05, 0), offset(clamp, 0.11, 0.06, -0.02), 0.009, 8))
    return [("basket", loft(np.array(rings)), WICKER), ("basket", hooks, CHROME)]


def tandem() -> Model:
    """Return a bicycle for two: two saddles, two handlebars, a long frame."""
    f = _FRAMES["tandem"]
    g = replace(f, seat_top=0.74, saddle=0.95, seat_x=-0.70)
    held, clamp = stem(f, 0.08, 0.05)
    bar: Path3 = [(0, 0, 0), (0.0, 0.06, 0.0), (0.01, 0.16, 0.02), (-0.03, 0.26, 0.03), (-0.12, 0.28, 0.02)]
    rear = f.seat(0.90)
    clamp2 = offset(rear, -0.16, 0, 0.04)
    pieces = [
        *wheels(f, _WHEELS["tandem"]),
        *_long_frame(f, g),
        *fork(f, 0.029, 0.058),
        *drive(f.back_axle, 0.045, g.bracket, 0.10),
        *pedals(f),
        *pedals(g, tag="_2"),
        *drive(g.bracket, 0.075, f.bracket, 0.075, y=0.062),
        *post(f),
        *post(g),
        *saddle(f, 0.085, 0.28),
        *saddle(g, 0.085, 0.28, tag="_2"),
        *held,
        ("handle", handlebar(clamp, bar, 0.022), TRIM),
        *grips(offset(clamp, -0.04, 0.262, 0.03), offset(clamp, -0.13, 0.281, 0.019)),
        ("stem_2", rod(rear, clamp2, 0.018, 12), TRIM),
        ("handle_2", handlebar(clamp2, bar, 0.022), TRIM),
        *grips(offset(clamp2, -0.04, 0.262, 0.03), offset(clamp2, -0.13, 0.281, 0.019)),
        ("back_mudguard", mudguard(f.back_axle, 0.365, (40, 195), 0.045, 0.03, 20), PAINT),
        ("front_mudguard", mudguard(f.front_axle, 0.365, (20, 160), 0.045, 0.03, 18), PAINT),
        *carrier(f),
        *pairs("pannier", moved(pod(_PANNIER, 16, 2, 3.4), (f.back - 0.03, 0.125, f.radius)), PAINT),
        *headlamp(offset(f.steering(0.82), 0.15, 0, 0), 0.08, 0.09, CHROME),
        ("head_light", rod(f.steering(0.80), offset(f.steering(0.80), 0.08, 0, 0.01), 0.014, 8), CHROME),
    ]
    return assembled("bicycle", "tandem", pieces)


def _long_frame(f: Frame, g: Frame) -> list[Piece]:
    """Return the painted tubes of a tandem: two triangles on one keel, and a brace through both."""
    low, high = f.steering(f.head[0] + 0.04), f.steering(f.head[1] - 0.03)
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), 0.042, 12),
        rod(f.bracket, low, 0.041, 12),
        rod(high, f.seat(f.seat_top - 0.03), 0.033, 12),
        rod(f.bracket, f.seat(f.seat_top + 0.03), 0.035, 12),
        rod(f.bracket, g.bracket, 0.041, 12),
        rod(g.bracket, g.seat(g.seat_top + 0.03), 0.035, 12),
        rod(f.seat(f.seat_top - 0.06), g.seat(g.seat_top - 0.04), 0.033, 12),
        rod(f.steering(f.head[0] + 0.07), g.bracket, 0.029, 12),
        bracket_shell(f, 0.052),
        bracket_shell(g, 0.052),
        stays(g, 0.018, g.seat(g.seat_top - 0.02)),
    ]
    return [("frame", s, PAINT) for s in tubes]
