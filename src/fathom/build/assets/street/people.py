"""People who stand, and who ride bicycles, towards +x; and what people are made of."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fathom.build.assets.library import built_in
from fathom.build.assets.model import Material, Part
from fathom.build.assets.shapes import Shell, ellipsoid, loft, merged, part, tube
from fathom.build.assets.street import finishes as f
from fathom.build.assets.street.finishes import CLOTH
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


def _leg(hip: Place, foot: Place) -> Shell:
    bent = knee(np.array(hip), np.array(foot))
    return tube(np.array([hip, bent, foot]), [0.085, 0.062, 0.045], 8)


def _shoe(foot: Place) -> Shell:
    (x, z), (long, high) = SHOE
    v, faces = ellipsoid((x, 0, z), (long, 0.048, high), 10, 7)
    return v + np.array(foot), faces


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


def standing(looks: str) -> Parts:
    """Return somebody who stands; `looks` is "a" or "b"."""
    feet = ((0.0, 0.10, 0.07), (0.02, -0.10, 0.07))
    hands = ((0.06, 0.27, 0.82), (0.04, -0.27, 0.82))
    skin, hair, trousers = looks_of(looks)
    legs = [_leg((0, y, HIP_M), foot) for y, foot in zip((0.09, -0.09), feet, strict=True)]
    shoes = [_shoe(foot) for foot in feet]
    arms, palms = [], []
    for y, hand in zip((0.22, -0.22), hands, strict=True):
        elbow = (0.5 * hand[0] - 0.04, y * 1.1, (SHOULDER_M + hand[2]) / 2 - 0.02)
        arms.append(tube([(0.01, y * 0.9, SHOULDER_M), elbow, hand], [0.06, 0.048, 0.038], 8))
        palms.append(ellipsoid(hand, (0.045, 0.03, 0.06), 8, 6))
    return (
        part("jacket", merged(torso(0.03, (0, 0, HIP_M)), *arms), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((0.03, 0, HEAD_M), skin, hair, looks == "a"),
    )


def cyclist() -> Parts:
    """Return somebody on a bicycle 1.75 m long."""
    bicycle = built_in("utility")
    factor = 1.75 / bicycle.extents[0]
    black = replace(f.BLACK, name="frame")
    machine = tuple(
        replace(
            p, vertices=p.vertices * factor, material=black if p.material.name == CLOTH.name else p.material
        )
        for p in bicycle.parts
    )
    height = bicycle.extents[2] * factor
    hip = (-0.22, 0.0, height - 0.06)
    feet = ((0.02, 0.12, 0.34), (-0.02, -0.12, 0.18))
    legs = [_leg((hip[0], y * 0.7, hip[2]), foot) for y, foot in zip((0.12, -0.12), feet, strict=True)]
    shoulder, lean = (hip[0] + 0.24, 0.0, hip[2] + 0.44), 0.5
    arms = [tube([(shoulder[0], y, shoulder[2]), (shoulder[0] + 0.13, y * 1.2, shoulder[2] - 0.22),
                  (shoulder[0] + 0.30, y, height + 0.0)], [0.055, 0.045, 0.036], 8)
            for y in (0.2, -0.2)]  # fmt: skip
    face = (shoulder[0] + 0.12, 0.0, shoulder[2] + 0.24)
    helmet = ellipsoid((face[0] - 0.01, 0, face[2] + 0.06), (0.125, 0.1, 0.09), 12, 8)
    return (
        *machine,
        part("jacket", merged(torso(lean, hip), *arms), CLOTH, 70),
        part("legs", merged(*legs), f.TROUSERS, 70),
        part("shoes", merged(*(_shoe(p) for p in feet)), f.SHOES, 70),
        *head(face, f.SKIN, f.HAIR, False),
        part("helmet", helmet, f.WHITE, 70),
    )
