"""Props that are worn, held or carried: the origin is where they touch, z points away from there.

What goes on a head stands on its brim; what is held has its origin in the grip; a pack hangs behind x = 0.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Part
from fathom.assets.shapes import (
    box,
    ellipsoid,
    extrude,
    lathe,
    loft,
    merged,
    mirrored,
    moved,
    part,
    stretched,
    tube,
    turned,
)
from tools.modelling.props.finishes import DARK, PAINT, STRING, WHITE
from tools.modelling.props.standing import star_shell
from tools.modelling.solids import both_sides

Parts = tuple[Part, ...]


def top_hat() -> Parts:
    """Return a top hat with a white band."""
    brim = [(0.3, 0.0), (0.5, 0.03), (0.52, 0.05), (0.5, 0.065), (0.3, 0.04)]
    crown = [(0.31, 0.02), (0.30, 0.3), (0.35, 0.72), (0.33, 0.75)]
    band = lathe([(0.318, 0.05), (0.312, 0.19)], "z", 28)
    return part("hat", merged(lathe(brim, "z", 32), lathe(crown, "z", 28)), PAINT), part("band", band, WHITE)


def crown() -> Parts:
    """Return a crown of eight points with white pearls."""
    n = 8
    a = np.arange(2 * n) * math.pi / n
    high = np.where(np.arange(2 * n) % 2 == 0, 0.50, 0.24)
    outer = np.column_stack([0.40 * np.cos(a), 0.40 * np.sin(a)])
    flare = np.where(np.arange(2 * n) % 2 == 0, 1.14, 1.05)[:, None]
    rings = [
        np.column_stack([outer * 0.93, np.zeros(2 * n)]),
        np.column_stack([outer, np.zeros(2 * n)]),
        np.column_stack([outer * flare, high]),
        np.column_stack([outer * (flare - 0.07), high]),
        np.column_stack([outer * 0.93, np.zeros(2 * n)]),
    ]
    rim = lathe([(0.37, 0.0), (0.425, 0.0), (0.43, 0.09), (0.37, 0.09), (0.37, 0.0)], "z", 32)
    pearls = [ellipsoid((0.445 * math.cos(t), 0.445 * math.sin(t), 0.53), (0.045,) * 3, 8, 6) for t in a[::2]]
    return part("crown", merged(loft(np.stack(rings), caps=False), rim), PAINT, 20), part(
        "pearls", merged(*pearls), WHITE
    )


def party_hat() -> Parts:
    """Return a pointed paper hat with white dots and a pompom."""
    cone = lathe([(0.36, 0.0), (0.36, 0.02), (0.02, 0.95)], "z", 28)
    dots = []
    for k in range(9):
        z, turn = 0.16 + 0.19 * (k // 3), 2.1 * k + 0.7 * (k // 3)
        r = 0.36 * (1 - z / 0.985)
        dot = stretched(ellipsoid((0, 0, 0), (1, 1, 1), 10, 6), (0.02, 0.06, 0.06))
        dots.append(turned(moved(turned(dot, "y", -0.36), (r, 0, z)), "z", turn))
    pompom = ellipsoid((0, 0, 0.96), (0.10, 0.10, 0.10), 12, 8)
    return part("hat", cone, PAINT, 50), part("pompom", merged(pompom, *dots), WHITE, 60)


def sword() -> Parts:
    """Return a sword, its blade upwards."""
    rings = []
    for z, w in ((0.14, 0.085), (0.9, 0.07), (1.0, 0.045), (1.08, 0.002)):
        rings.append(
            [(w, 0, z), (0, 0.028 * min(1.0, w / 0.03), z), (-w, 0, z), (0, -0.028 * min(1.0, w / 0.03), z)]
        )
    blade = loft(np.array(rings))
    guard = box((0, 0, 0.12), (0.34, 0.07, 0.055), 0.015)
    grip = merged(
        lathe([(0.03, -0.12), (0.036, 0.0), (0.03, 0.12)], "z", 10),
        ellipsoid((0, 0, -0.15), (0.05,) * 3, 10, 7),
    )
    return part("blade", blade, PAINT, 12), part("hilt", merged(guard, grip), DARK, 40)


def shield() -> Parts:
    """Return a round shield that faces ahead, with a white rim and boss."""
    disc = lathe(
        [(1e-4, 0.085), (0.2, 0.07), (0.38, 0.03), (0.46, 0.0), (0.46, -0.02), (0.3, -0.005), (1e-4, 0.03)],
        "x",
        32,
    )
    rim = lathe([(0.45, -0.025), (0.5, -0.02), (0.5, 0.015), (0.45, 0.02), (0.45, -0.025)], "x", 32)
    boss = lathe([(0.14, 0.05), (0.12, 0.11), (0.06, 0.145), (1e-4, 0.15)], "x", 20)
    grip = tube([(-0.0, 0, -0.15), (-0.07, 0, -0.1), (-0.07, 0, 0.1), (-0.0, 0, 0.15)], 0.02, 6)
    forward = [moved(s, (0.06, 0, 0)) for s in (disc, rim, boss, grip)]
    return (
        part("disc", forward[0], PAINT, 50),
        part("rim", merged(forward[1], forward[2]), WHITE, 50),
        part("grip", forward[3], DARK),
    )


def flag() -> Parts:
    """Return a flag that flies behind its pole."""
    pole = merged(tube([(0, 0, -0.12), (0, 0, 1.05)], 0.02, 8), ellipsoid((0, 0, 1.07), (0.035,) * 3, 8, 6))
    x = np.linspace(-0.015, -0.66, 9)
    wave = 0.05 * np.sin(np.linspace(0, 2 * math.pi, 9)) * np.linspace(0.2, 1, 9)
    rings = [
        [(a, w - 0.008, 0.58), (a, w + 0.008, 0.58), (a, w + 0.008, 1.02), (a, w - 0.008, 1.02)]
        for a, w in zip(x, wave, strict=True)
    ]
    return part("cloth", loft(np.array(rings)), PAINT), part("pole", pole, DARK, 60)


def wand() -> Parts:
    """Return a wand with a star at its tip."""
    stick = tube([(0, 0, -0.15), (0, 0, 0.72)], 0.022, 8)
    tip = moved(star_shell(0.26, 0.115, 0.075), (0, 0, 0.88))
    return part("star", tip, PAINT, 12), part("stick", stick, DARK, 60)


def balloon() -> Parts:
    """Return a balloon on a string."""
    t = np.linspace(0, math.pi, 15)
    r = 0.30 * np.sin(t) ** 0.92 * (1 - 0.14 * np.cos(t))
    skin = lathe(np.column_stack([r.clip(1e-4), 0.95 - 0.36 * np.cos(t)])[::1], "z", 24)
    knot = lathe([(0.012, 0.61), (0.045, 0.55), (0.02, 0.555)], "z", 10)
    z = np.linspace(-0.02, 0.57, 10)
    string = tube(np.column_stack([0.018 * np.sin(z * 9), 0.018 * np.sin(z * 7), z]), 0.008, 5)
    return part("balloon", merged(skin, knot), PAINT, 70), part("string", string, STRING)


def backpack() -> Parts:
    """Return a backpack with a white pocket."""
    bag = box((-0.19, 0, 0.0), (0.34, 0.62, 0.84), 0.09)
    lid = box((-0.20, 0, 0.36), (0.38, 0.64, 0.20), 0.06)
    pocket = box((-0.38, 0, -0.14), (0.12, 0.42, 0.36), 0.04)
    straps = both_sides(
        tube(
            [(-0.03, 0.2, 0.36), (0.10, 0.2, 0.30), (0.13, 0.2, 0.0), (0.06, 0.2, -0.3), (-0.05, 0.2, -0.36)],
            0.04,
            6,
        )
    )
    roll = tube([(-0.19, -0.36, -0.48), (-0.19, 0.36, -0.48)], 0.085, 12)
    return (
        part("bag", merged(bag, lid), PAINT),
        part("pocket", merged(pocket, roll), WHITE),
        part("straps", straps, DARK),
    )


def hammer() -> Parts:
    """Return a big hammer, its head up."""
    handle = lathe([(0.035, -0.15), (0.04, 0.0), (0.032, 0.75)], "z", 10)
    head = lathe(
        [
            (0.15, -0.28),
            (0.17, -0.26),
            (0.17, -0.18),
            (0.135, -0.15),
            (0.135, 0.15),
            (0.17, 0.18),
            (0.17, 0.26),
            (0.15, 0.28),
        ],
        "x",
        20,
    )
    return part("head", moved(head, (0, 0, 0.78)), PAINT, 30), part("handle", handle, DARK, 60)


def wings() -> Parts:
    """Return a pair of wings that spread from a back."""
    feathers = []
    for k in range(5):
        length, turn = 0.72 - 0.085 * k, math.radians(52 - 27 * k)
        along, half = np.array([0.0, 0.55, 0.92]), np.array([-0.05, -0.105, -0.06])
        edge = [*zip(along * length, half, strict=True), (length, 0.0)]
        edge += [(0.9 * length, 0.07), (0.5 * length, 0.1), (0.0, 0.06)]
        feather = extrude(edge, -0.014, 0.014, "yz")
        feathers.append(moved(turned(feather, "x", turn), (-0.03 - 0.02 * k, 0.06, 0)))
    left = turned(merged(*feathers), "z", math.radians(18))
    return part("wings", merged(left, mirrored(left)), PAINT), part(
        "root", ellipsoid((-0.03, 0, 0), (0.07, 0.12, 0.12), 10, 7), WHITE
    )


def wheels() -> Parts:
    """Return four wheels on two axles, to roll on: they reach from z = -0.42 up to 0."""
    tyre = lathe(
        [(0.10, -0.07), (0.2, -0.07), (0.22, -0.04), (0.22, 0.04), (0.2, 0.07), (0.10, 0.07), (0.10, -0.07)],
        "y",
        24,
    )
    hub = lathe([(0.12, -0.05), (0.12, 0.06), (0.04, 0.075)], "y", 16)
    places = [(x, 0.40, -0.20) for x in (-0.42, 0.42)]
    axles = [tube([(x, -0.4, -0.2), (x, 0.4, -0.2)], 0.03, 8) for x in (-0.42, 0.42)]
    beam = box((0, 0, -0.13), (0.98, 0.16, 0.10), 0.02)
    struts = [box((x, 0, -0.06), (0.14, 0.14, 0.16), 0.02) for x in (-0.3, 0.3)]
    return (
        part("hubs", both_sides(merged(*(moved(hub, p) for p in places))), PAINT, 40),
        part("tyres", both_sides(merged(*(moved(tyre, p) for p in places))), DARK, 40),
        part("frame", merged(beam, *struts, *axles), WHITE),
    )
