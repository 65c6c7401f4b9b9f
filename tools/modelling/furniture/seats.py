"""What people sit and lie on: fronts towards +x, metres, on the ground."""

from __future__ import annotations

import math

from fathom.assets.furniture.finishes import CLOTH, DARK, LINEN, OAK, PAINTED, STEEL, WALNUT, Parts, slab
from fathom.assets.shapes import Shell, box, lathe, merged, moved, part, tube, turned
from tools.modelling.solids import corners_of


def _legs(length: float, width: float, inset: float, high: float, thick: float) -> Shell:
    return merged(*(box((x, y, high / 2), (thick, thick, high)) for x, y in corners_of(length, width, inset)))


def sofa(width: float = 2.05, depth: float = 0.92, seats: int = 3) -> Parts:
    """Return a sofa with arms, a back, and a cushion a seat."""
    back, front, half = -depth / 2, depth / 2, width / 2
    arm, foot = 0.17, 0.09
    frame = merged(
        slab((back, -half, foot), (front, half, 0.30), 0.02),
        slab((back, -half, foot), (back + 0.2, half, 0.80), 0.05),
        slab((back, -half, foot), (front, -half + arm, 0.60), 0.05),
        slab((back, half - arm, foot), (front, half, 0.60), 0.05),
    )
    inner = (width - 2 * arm) / seats
    cushions = []
    for k in range(seats):
        y = -half + arm + k * inner
        cushions.append(slab((back + 0.19, y + 0.006, 0.29), (front + 0.01, y + inner - 0.006, 0.45), 0.045))
        rest = slab((back + 0.17, y + 0.012, 0.44), (back + 0.34, y + inner - 0.012, 0.86), 0.06)
        cushions.append(turned(rest, "y", -0.12, (back + 0.2, 0, 0.44)))
    return (
        part("frame", frame, CLOTH, 30),
        part("cushions", merged(*cushions), CLOTH, 30),
        part("feet", _legs(depth, width, 0.09, foot + 0.01, 0.05), DARK, 20),
    )


def armchair() -> Parts:
    """Return a sofa for one."""
    return sofa(0.88, 0.86, 1)


def bed(width: float = 1.6) -> Parts:
    """Return a bed whose head end is behind and whose foot end is its front."""
    back, front, half = -1.05, 1.05, width / 2
    frame = merged(
        slab((back, -half, 0.10), (front, half, 0.32), 0.015),
        slab((back, -half, 0.0), (back + 0.07, half, 1.02), 0.015),
    )
    mattress = slab((back + 0.07, -half + 0.02, 0.32), (front - 0.02, half - 0.02, 0.50), 0.05)
    cover = slab((back + 0.72, -half - 0.012, 0.24), (front + 0.012, half + 0.012, 0.545), 0.05)
    count = 2 if width > 1.2 else 1
    wide = (width - 0.12) / count
    pillows = [
        turned(
            slab((back + 0.14, -half + 0.06 + k * wide + 0.03, 0.50),
                 (back + 0.56, -half + 0.06 + (k + 1) * wide - 0.03, 0.64), 0.06),
            "y", -0.16, (back + 0.35, 0, 0.55),
        )
        for k in range(count)
    ]  # fmt: skip
    return (
        part("frame", frame, OAK, 20),
        part("legs", _legs(2.1, width, 0.08, 0.11, 0.07), OAK, 20),
        part("mattress", mattress, LINEN, 30),
        part("cover", cover, CLOTH, 30),
        part("pillows", merged(*pillows), LINEN, 30),
    )


def single_bed() -> Parts:
    """Return a bed for one."""
    return bed(0.96)


def chair() -> Parts:
    """Return a wooden chair with an open back."""
    back, front = -0.23, 0.22
    legs = [box((front - 0.025, s * 0.19, 0.22), (0.038, 0.038, 0.44)) for s in (-1, 1)]
    bends = [(back + 0.03, 0.0), (back + 0.03, 0.45), (back - 0.035, 0.90)]
    legs += [tube([(x, s * 0.19, z) for x, z in bends], 0.021, 8) for s in (-1, 1)]
    rails = [
        turned(box((back - 0.012, 0, z), (0.022, 0.37, 0.07), 0.006), "y", -0.14, (back, 0, z))
        for z in (0.62, 0.74, 0.86)
    ]
    seat = slab((back, -0.215, 0.435), (front, 0.215, 0.475), 0.012)
    return part("seat", merged(seat, *rails), PAINTED, 30), part("legs", merged(*legs), PAINTED, 30)


def office_chair() -> Parts:
    """Return a chair on five castors with an upholstered seat and back."""
    seat = slab((-0.23, -0.24, 0.44), (0.25, 0.24, 0.52), 0.035)
    back = turned(slab((-0.27, -0.22, 0.56), (-0.20, 0.22, 1.02), 0.03), "y", -0.10, (-0.23, 0, 0.56))
    arms = [
        tube([(-0.05, s * 0.23, 0.46), (-0.05, s * 0.29, 0.50), (-0.05, s * 0.29, 0.66)], 0.016, 8)
        for s in (-1, 1)
    ]
    pads = [slab((-0.16, s * 0.29 - 0.03, 0.66), (0.12, s * 0.29 + 0.03, 0.69), 0.01) for s in (-1, 1)]
    spokes = []
    for k in range(5):
        a = 2 * math.pi * k / 5 + math.pi
        x, y = 0.27 * math.cos(a), 0.27 * math.sin(a)
        spokes.append(tube([(0, 0, 0.11), (x, y, 0.075)], 0.018, 8))
        wheel = lathe([(0.001, -0.015), (0.029, -0.015), (0.029, 0.015), (0.001, 0.015)], "y", 14)
        spokes.append(moved(wheel, (x, y, 0.029)))
    stem = tube([(0, 0, 0.09), (0, 0, 0.45)], 0.025, 10)
    brace = tube([(-0.15, 0, 0.45), (-0.27, 0, 0.48), (-0.275, 0, 0.70)], 0.02, 8)
    return (
        part("seat", merged(seat, back), CLOTH, 30),
        part("arms", merged(*arms, *pads), DARK, 30),
        part("base", merged(stem, brace, *spokes), DARK, 40),
    )


def stool() -> Parts:
    """Return a round stool on four legs."""
    seat = lathe([(0.001, 0.435), (0.155, 0.435), (0.17, 0.445), (0.17, 0.46), (0.16, 0.47), (0.001, 0.472)],
                 "z", 36)  # fmt: skip
    legs = [
        tube([(0.16 * sx, 0.16 * sy, 0.0), (0.10 * sx, 0.10 * sy, 0.44)], (0.014, 0.018), 10)
        for sx in (-1, 1) for sy in (-1, 1)
    ]  # fmt: skip
    return part("seat", seat, PAINTED, 40), part("legs", merged(*legs), OAK, 40)


def pouf() -> Parts:
    """Return a round cushion to sit on."""
    profile = [(0.001, 0.0), (0.20, 0.0), (0.245, 0.03), (0.26, 0.12), (0.26, 0.24), (0.245, 0.34),
               (0.20, 0.385), (0.001, 0.40)]  # fmt: skip
    return (part("pouf", lathe(profile, "z", 40), CLOTH, 60),)


def bench() -> Parts:
    """Return an upholstered bench without a back."""
    top = slab((-0.20, -0.58, 0.38), (0.20, 0.58, 0.47), 0.035)
    rail = slab((-0.18, -0.55, 0.33), (0.18, 0.55, 0.385))
    legs = _legs(0.36, 1.10, 0.04, 0.34, 0.045)
    return part("top", top, CLOTH, 30), part("legs", merged(rail, legs), WALNUT, 20)


def coat_rack() -> Parts:
    """Return a metal rack for coats: a post with arms on a round foot."""
    foot = lathe([(0.001, 0.0), (0.19, 0.0), (0.19, 0.015), (0.03, 0.03), (0.001, 0.03)], "z", 32)
    post = tube([(0, 0, 0.02), (0, 0, 1.72)], 0.018, 12)
    arms = []
    for k in range(6):
        a = 2 * math.pi * k / 6
        c, s, z = math.cos(a), math.sin(a), 1.60 if k % 2 else 1.42
        arms.append(tube([(0, 0, z - 0.06), (0.10 * c, 0.10 * s, z - 0.03), (0.17 * c, 0.17 * s, z + 0.06)],
                         0.010, 8))  # fmt: skip
    return part("rack", merged(foot, post, *arms), PAINTED, 50), part("cap", tube(
        [(0, 0, 1.71), (0, 0, 1.75)], 0.024, 12), STEEL)  # fmt: skip
