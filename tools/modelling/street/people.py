"""People who stand, and who ride bicycles, towards +x."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fathom.assets.model import Model, Part
from fathom.assets.shapes import Shell, ellipsoid, merged, part, tube
from fathom.assets.street import finishes as f
from fathom.assets.street.finishes import CLOTH
from fathom.geometry.poses import Array
from tools.modelling.street.bodies import (
    HEAD_M,
    HIP_M,
    SHOE,
    SHOULDER_M,
    Parts,
    Place,
    head,
    knee,
    looks_of,
    shoulder_ball,
    shoulder_of,
    torso,
)


def _leg(hip: Place, foot: Place) -> Shell:
    bent = knee(np.array(hip), np.array(foot))
    return tube(np.array([hip, bent, foot]), [0.085, 0.062, 0.045], 8)


def _shoe(foot: Place) -> Shell:
    (x, z), (long, high) = SHOE
    v, faces = ellipsoid((x, 0, z), (long, 0.048, high), 10, 7)
    return v + np.array(foot), faces


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
        shoulder = shoulder_of(0.03, (0, 0, HIP_M), y)
        arms.append(tube([shoulder, elbow, hand], [0.064, 0.05, 0.038], 10))
        arms.append(shoulder_ball(shoulder))
        palms.append(ellipsoid(hand, (0.045, 0.03, 0.06), 8, 6))
    return (
        part("jacket", merged(torso(0.03, (0, 0, HIP_M)), *arms), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((0.03, 0, HEAD_M), skin, hair, looks == "a"),
    )


PALM_M = (0.265, 0.205, 1.045)
"""Where the middle of the hand is of somebody who holds something before them, on their left."""

PALM = (0.062, 0.044, 0.022)


def holding(looks: str) -> Parts:
    """Return somebody who stands, the left forearm level and the palm up, the other arm hanging."""
    feet = ((-0.02, 0.10, 0.07), (0.0, -0.10, 0.07))
    skin, hair, trousers = looks_of(looks)
    x, y, z = PALM_M
    wrist, hanging = (x - 0.06, y, z - 0.018), (0.04, -0.255, 0.80)
    left, right = (shoulder_of(0.03, (0, 0, HIP_M), side) for side in (1, -1))
    arms = [
        tube([left, (-0.045, 0.235, 1.06), wrist], [0.064, 0.05, 0.036], 10),
        tube([right, (-0.02, -0.235, 1.07), hanging], [0.064, 0.05, 0.038], 10),
    ]
    palms = [ellipsoid(PALM_M, PALM, 12, 7), ellipsoid(hanging, (0.045, 0.03, 0.06), 8, 6)]
    legs = [_leg((0, y, HIP_M), foot) for y, foot in zip((0.09, -0.09), feet, strict=True)]
    balls = [shoulder_ball(left), shoulder_ball(right)]
    return (
        part("jacket", merged(torso(0.03, (0, 0, HIP_M)), *arms, *balls), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*(_shoe(foot) for foot in feet)), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((0.03, 0, HEAD_M), skin, hair, looks == "a"),
    )


def lying(looks: str) -> Parts:
    """Return somebody who lies on the back, the feet towards +x, the head a little raised as on a pillow."""
    skin, hair, trousers = looks_of(looks)
    legs, shoes, sleeves, palms = [], [], [], []
    for side in (1, -1):
        foot = (-0.05, 0.11 * side, 0.07)
        legs.append(_leg((-0.02, 0.09 * side, HIP_M), foot))
        shoes.append(_shoe(foot))
        shoulder, hand = shoulder_of(0.0, (0, 0, HIP_M), side), (-0.06, 0.27 * side, 0.83)
        sleeves.append(tube([shoulder, (-0.06, 0.25 * side, 1.08), hand], [0.064, 0.05, 0.038], 10))
        sleeves.append(shoulder_ball(shoulder))
        palms.append(ellipsoid(hand, (0.032, 0.042, 0.06), 8, 6))
    upright = (
        part("jacket", merged(torso(0.0, (0, 0, HIP_M)), *sleeves), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((0.065, 0, HEAD_M), skin, hair, looks == "a"),
    )
    turn = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return tuple(_turned(p, turn) for p in upright)


def _turned(p: Part, turn: Array) -> Part:
    normals = None if p.normals is None else p.normals @ turn.T
    return replace(p, vertices=p.vertices @ turn.T, normals=normals)


def cyclist(bicycle: Model) -> Parts:
    """Return somebody on a bicycle 1.75 m long."""
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
    arms = [tube([shoulder_of(lean, hip, y), (shoulder[0] + 0.13, y * 1.2, shoulder[2] - 0.22),
                  (shoulder[0] + 0.30, y, height + 0.0)], [0.06, 0.047, 0.036], 10)
            for y in (0.2, -0.2)]  # fmt: skip
    arms += [shoulder_ball(shoulder_of(lean, hip, y)) for y in (1, -1)]
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


def seated(looks: str) -> Parts:
    """Return somebody who sits on the ground, the knees drawn up and the hands on them."""
    skin, hair, trousers = looks_of(looks)
    base = (-0.22, 0.0, 0.17)
    legs, shoes, sleeves, palms = [], [], [], []
    for side in (1, -1):
        hip, foot = np.array([-0.20, 0.09 * side, 0.12]), np.array([0.36, 0.12 * side, 0.07])
        bent = knee(hip, foot)
        legs.append(tube(np.array([hip, bent, foot]), [0.092, 0.07, 0.05], 10))
        shoes.append(_shoe((float(foot[0]), float(foot[1]), float(foot[2]))))
        hand = bent + np.array([0.0, 0.0, 0.085])
        shoulder = np.array([base[0] + 0.03, 0.2 * side, base[2] + SHOULDER_M - HIP_M])
        elbow = (shoulder + hand) / 2 + np.array([-0.05, 0.06 * side, -0.08])
        top = shoulder_of(0.06, base, side)
        sleeves.append(tube(np.array([top, elbow, hand]), [0.064, 0.05, 0.038], 10))
        sleeves.append(shoulder_ball(top))
        palms.append(ellipsoid(hand, (0.055, 0.035, 0.03), 8, 6))
    return (
        part("jacket", merged(torso(0.06, base), *sleeves), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((base[0] + 0.05, 0, base[2] + HEAD_M - HIP_M), skin, hair, looks == "a"),
    )


SEAT_M = 0.46
"""How high what people sit on is, who sit on seats."""


def on_seat(looks: str) -> Parts:
    """Return somebody who sits upright on a seat that is none of theirs, the hands on the thighs."""
    skin, hair, trousers = looks_of(looks)
    base = (0.0, 0.0, SEAT_M + 0.06)
    legs, shoes, sleeves, palms = [], [], [], []
    for side in (1, -1):
        y = 0.095 * side
        # The thigh lies on the seat; the shin hangs down to the shoe.
        bends = [
            (0.02, y, 0.085),
            (0.34, y, 0.083),
            (0.41, y, 0.062),
            (0.432, y, -0.01),
            (0.43, y, 0.07 - SEAT_M),
        ]
        leg = np.array(bends) + np.array([0.0, 0.0, SEAT_M])
        legs.append(tube(leg, [0.085, 0.074, 0.07, 0.062, 0.048], 12))
        shoes.append(_shoe((0.43, y, 0.07)))
        shoulder = (0.012, 0.165 * side, base[2] + 0.435)
        elbow, hand = (0.085, 0.19 * side, base[2] + 0.235), (0.31, 0.105 * side, SEAT_M + 0.185)
        sleeves.append(tube(np.array([shoulder, elbow, hand]), [0.066, 0.05, 0.038], 10))
        sleeves.append(ellipsoid(shoulder, (0.07, 0.07, 0.062), 12, 8))
        palms.append(ellipsoid(hand, (0.055, 0.035, 0.03), 8, 6))
    return (
        part("jacket", merged(torso(0.02, base), *sleeves), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head((0.03, 0, base[2] + HEAD_M - HIP_M), skin, hair, looks == "a"),
    )


PUSH_M, PUSH_AHEAD_M = 0.76, 0.74
"""How high the palms are of somebody who pushes, and how far ahead of the hips they reach."""


def pushing(looks: str) -> Parts:
    """Return somebody who leans forward with stretched arms, both palms upright against what comes ahead."""
    skin, hair, trousers = looks_of(looks)
    base, lean = (0.0, 0.0, 0.86), 0.55
    legs, shoes, sleeves, palms = [], [], [], []
    for side, back in ((1, -0.12), (-1, -0.56)):
        foot = (back, 0.10 * side, 0.07)
        legs.append(_leg((base[0], 0.09 * side, base[2]), foot))
        shoes.append(_shoe(foot))
        up = 0.47
        shoulder = (base[0] + up * math.sin(lean), 0.18 * side, base[2] + up * math.cos(lean))
        wrist = (PUSH_AHEAD_M - 0.035, 0.13 * side, PUSH_M - 0.03)
        elbow = (np.array(shoulder) + wrist) / 2 + (0.0, 0.05 * side, -0.04)
        sleeves.append(tube(np.array([shoulder, elbow, wrist]), [0.064, 0.05, 0.038], 10))
        sleeves.append(ellipsoid(shoulder, (0.07, 0.07, 0.065), 12, 8))
        palms.append(ellipsoid((PUSH_AHEAD_M - 0.02, 0.13 * side, PUSH_M), (0.02, 0.04, 0.075), 10, 8))
    neck = 0.68
    face = (base[0] + neck * math.sin(lean) + 0.02, 0.0, base[2] + neck * math.cos(lean) + 0.02)
    return (
        part("jacket", merged(torso(lean, base), *sleeves), CLOTH, 70),
        part("legs", merged(*legs), trousers, 70),
        part("shoes", merged(*shoes), f.SHOES, 70),
        part("hands", merged(*palms), skin, 70),
        *head(face, skin, hair, looks == "a"),
    )
