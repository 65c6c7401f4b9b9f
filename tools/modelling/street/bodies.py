"""What people are made of: trunks, heads, knees; people look towards +x."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Material, Part
from fathom.assets.shapes import Shell, ellipsoid, loft, merged, part, tube
from fathom.assets.street import finishes as f
from fathom.geometry.poses import Array

Parts = tuple[Part, ...]
Place = tuple[float, float, float]

HIP_M, SHOULDER_M, HEAD_M = 0.90, 1.40, 1.60
THIGH_M, SHIN_M = 0.43, 0.42

SHOE = ((0.06, -0.02), (0.14, 0.05))
"""The middle of a shoe from the ankle along x and z, and how far it reaches from there."""


def torso(lean: float, base: Place) -> Shell:
    """Return the trunk from the hips `base` up, leaning forward by an angle."""
    rings = []
    for z, rx, ry in ((-0.06, 0.10, 0.15), (0.05, 0.115, 0.165), (0.22, 0.105, 0.15), (0.38, 0.125, 0.19),
                      (0.48, 0.115, 0.20), (0.55, 0.06, 0.09), (0.58, 0.05, 0.05)):  # fmt: skip
        a = np.linspace(0, 2 * math.pi, 14, endpoint=False)
        x, y = rx * np.cos(a) + z * math.sin(lean), ry * np.sin(a)
        rings.append(np.column_stack([x, y, np.full(14, z * math.cos(lean))]) + base)
    return loft(np.stack(rings))


SHOULDER_UP_M, SHOULDER_ASIDE_M = 0.435, 0.165
"""How far up the trunk a shoulder is, from the hips, and how far to the side."""


def shoulder_of(lean: float, base: Place, side: float) -> Place:
    """Return where a shoulder is of a trunk as `torso` has it, on the left (side > 0) or on the right."""
    x, y, z = base
    up = SHOULDER_UP_M
    return (
        x + 0.01 + up * math.sin(lean),
        y + math.copysign(SHOULDER_ASIDE_M, side),
        z + up * math.cos(lean),
    )


def shoulder_ball(at: Place) -> Shell:
    """Return what rounds off a sleeve at the shoulder."""
    return ellipsoid(at, (0.07, 0.07, 0.062), 12, 8)


def knee(hip: Array, foot: Array) -> Array:
    """Return where the knee is: bent forwards; a leg that is too short is longer."""
    way = foot - hip
    far = float(np.linalg.norm(way))
    longer = max(1.0, far / (THIGH_M + SHIN_M - 1e-3))
    thigh, shin = THIGH_M * longer, SHIN_M * longer
    along = (thigh**2 - shin**2 + far**2) / (2 * far)
    out = math.sqrt(max(thigh**2 - along**2, 0))
    unit = way / far
    forward = np.array([1.0, 0, 0]) - unit * unit[0]
    return np.asarray(hip + unit * along + forward / np.linalg.norm(forward) * out)


def looks_of(looks: str) -> tuple[Material, Material, Material]:
    """Return the skin, the hair and the trousers of one of two people, "a" or "b"."""
    return (f.DARK_SKIN, f.HAIR, f.TROUSERS) if looks == "b" else (f.SKIN, f.FAIR_HAIR, f.JEANS)


def head(at: Place, skin: Material, hair: Material, long: bool) -> Parts:
    """Return a head and its hair, the middle of the face at a place."""
    x, y, z = at
    scalp = ellipsoid((x - 0.018, y, z + 0.035), (0.105, 0.092, 0.115), 14, 9)
    locks = [scalp, *([ellipsoid((x - 0.07, y, z - 0.08), (0.06, 0.095, 0.17), 12, 7)] if long else [])]
    face = merged(ellipsoid((x + 0.012, y, z), (0.095, 0.082, 0.125), 14, 9),
                  ellipsoid((x + 0.105, y, z - 0.015), (0.02, 0.015, 0.022), 6, 5),
                  tube([(x - 0.02, y, z - 0.2), (x, y, z - 0.06)], 0.05, 8))  # fmt: skip
    return part("head", face, skin, 70), part("hair", merged(*locks), hair, 70)
