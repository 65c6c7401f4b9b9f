"""The body of somebody in any posture: trunk, hips, head, and limbs that reach to given hands and feet.

parts = body("woman", standing())
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from fathom.assets.acting.hands import fingers_along, hand
from fathom.assets.acting.postures import Foot, Palm, Posture, standing
from fathom.assets.model import SWINGING, Material, Model, Part, fingerprint
from fathom.assets.shapes import Shell, ellipsoid, loft, merged, tube
from fathom.assets.street import finishes as f
from fathom.geometry.poses import Array

LOOKS = {"woman": (f.SKIN, f.FAIR_HAIR, f.JEANS), "man": (f.DARK_SKIN, f.HAIR, f.TROUSERS)}
"""What people are called → skin, hair and trousers."""

EYES = Material("eyes", (0.05, 0.04, 0.04), roughness=0.3)
LIPS = {
    "woman": Material("lips", (0.58, 0.24, 0.22), roughness=0.6),
    "man": Material("lips", (0.28, 0.13, 0.11), roughness=0.6),
}

THIGH_M, SHIN_M, UPPER_ARM_M, FOREARM_M = 0.44, 0.45, 0.30, 0.27
SHOULDER = (0.005, 0.162, 0.43)
"""Where the left shoulder is from the hips, along the trunk."""

WRIST_M = 0.052
"""How far the end of the sleeve is from the middle of the hand."""

NECK_M, NOD = 0.60, 0.5
"""How far up the trunk the neck ends; which share of the trunk's lean the head takes part in."""

TRUNK = (
    (-0.005, 0.126, 0.176), (0.01, 0.13, 0.18), (0.06, 0.124, 0.172), (0.2, 0.107, 0.152),
    (0.34, 0.12, 0.18), (0.43, 0.115, 0.192), (0.47, 0.104, 0.186), (0.5, 0.091, 0.158),
    (0.53, 0.074, 0.108), (0.57, 0.055, 0.058), (0.58, 0.045, 0.045),
)  # fmt: skip
"""The trunk as rings: how high over the hips, and half as deep and half as wide as it is there."""

PELVIS = (
    (-0.14, 0.05, 0.08),
    (-0.11, 0.095, 0.145),
    (-0.05, 0.113, 0.166),
    (0.0, 0.113, 0.164),
    (0.04, 0.1, 0.15),
)
SIDES = 18

FACE_AHEAD_M, FACE = 0.012, (0.095, 0.082, 0.122)
"""How far the middle of the face is before that of the head, and half its length, width and height."""

BROW = ((0.017, 0.044), (0.035, 0.049), (0.053, 0.041))
"""Where an eyebrow is: to the left of the middle of the head, and over it."""


def body(looks: str, posture: Posture) -> tuple[Part, ...]:
    """Return somebody in a posture: the same triangles in every one, in metres of somebody of usual size."""
    skin, hair, trousers = LOOKS[looks]
    ahead, up = posture.hips_m
    hips = np.array([ahead, 0.0, up])
    arms = [
        _arm(side, palm, hips, posture.lean_rad) for side, palm in zip((1, -1), posture.palms, strict=True)
    ]
    legs = [_leg(side, foot, hips) for side, foot in zip((1, -1), posture.feet, strict=True)]
    trunk = _leaning(_rings(TRUNK), posture.lean_rad, hips)
    sleeves = [shell for sleeve, _ in arms for shell in sleeve]
    pelvis = _leaning(_rings(PELVIS), 0.3 * posture.lean_rad, hips)
    return (
        _soft("jacket", merged(trunk, *sleeves), f.CLOTH),
        _soft("hips", pelvis, trousers),
        _soft("legs", merged(*(leg for leg, _ in legs)), trousers),
        _soft("shoes", merged(*(shoe for _, shoe in legs)), f.SHOES),
        _soft("left hand", arms[0][1], skin),
        _soft("right hand", arms[1][1], skin),
        *_head(looks, hips, posture.lean_rad, skin, hair),
    )


def _rings(rows: tuple[tuple[float, float, float], ...]) -> Shell:
    angle = np.linspace(0, 2 * math.pi, SIDES, endpoint=False)
    return loft(
        [np.column_stack([rx * np.cos(angle), ry * np.sin(angle), np.full(SIDES, z)]) for z, rx, ry in rows]
    )


def _turn(lean: float) -> Array:
    """Return (3, 3) what leans forward by an angle."""
    c, s = math.cos(lean), math.sin(lean)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def _leaning(shell: Shell, lean: float, hips: Array) -> Shell:
    vertices, faces = shell
    return vertices @ _turn(lean).T + hips, faces


def shoulder_m(side: int, hips: Array, lean: float) -> Array:
    """Return where a shoulder is, (3,), on the left (1) or the right (−1)."""
    x, y, z = SHOULDER
    return np.asarray(_turn(lean) @ np.array([x, side * y, z]) + hips)


def _bend(start: Array, end: Array, first: float, second: float, pole: Array) -> Array:
    """Return where a limb bends between two ends, towards a direction; one that is too short is longer."""
    way = end - start
    far = max(float(np.linalg.norm(way)), 1e-6)
    longer = max(1.0, far / (first + second - 1e-3))
    first, second = first * longer, second * longer
    along = float(np.clip((first**2 - second**2 + far**2) / (2 * far), -first, first))
    unit = way / far
    out = pole - unit * float(pole @ unit)
    out = out / max(float(np.linalg.norm(out)), 1e-6)
    return np.asarray(start + unit * along + out * math.sqrt(max(first**2 - along**2, 0.0)))


def _arm(side: int, palm: Palm, hips: Array, lean: float) -> tuple[tuple[Shell, ...], Shell]:
    """Return a sleeve with its shoulder, and the hand."""
    shoulder, middle = shoulder_m(side, hips, lean), np.array(palm.place_m)
    pole = np.array([-0.8, 0.4 * side, -0.5])
    way = (middle - shoulder) / max(float(np.linalg.norm(middle - shoulder)), 1e-6)
    for _ in range(2):  # the hand goes on along the forearm, which ends where the hand begins
        wrist = middle - WRIST_M * way
        elbow = _bend(shoulder, wrist, UPPER_ARM_M, FOREARM_M, pole)
        along = (wrist - elbow) / max(float(np.linalg.norm(wrist - elbow)), 1e-6)
        way = fingers_along(along, palm.looks)
    points = np.array([shoulder, (shoulder + elbow) / 2, elbow, (elbow + wrist) / 2, wrist])
    sleeve = tube(points, [0.056, 0.054, 0.048, 0.042, 0.034], 10)
    joint = ellipsoid(shoulder, (0.058, 0.058, 0.058), 16, 10)
    return (sleeve, joint), hand(side, middle, along, palm.looks)


def _leg(side: int, foot: Foot, hips: Array) -> tuple[Shell, Shell]:
    """Return a leg and its shoe."""
    hip, ankle = hips + np.array([0.0, 0.088 * side, -0.02]), np.array(foot.place_m)
    c, s = math.cos(foot.turn_rad), math.sin(foot.turn_rad)
    knee = _bend(hip, ankle, THIGH_M, SHIN_M, np.array([c, s, 0.12]))
    points = np.array([hip, (hip + knee) / 2, knee, (2 * knee + ankle) / 3, ankle])
    leg = tube(points, [0.092, 0.082, 0.066, 0.062, 0.05], 12)
    down, turn = _turn(foot.down_rad), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    vertices, faces = ellipsoid((0.06, 0, -0.02), (0.14, 0.05, 0.05), 12, 8)
    return leg, (vertices @ (turn @ down).T + ankle, faces)


def _head(looks: str, hips: Array, lean: float, skin: Material, hair: Material) -> tuple[Part, ...]:
    """Return head, hair, eyes and mouth."""
    neck = _turn(lean) @ np.array([0.005, 0.0, NECK_M]) + hips
    turn = _turn(NOD * lean)
    middle = neck + turn @ np.array([0.02, 0.0, 0.1])

    def at(*shells: Shell) -> Shell:
        vertices, faces = merged(*shells)
        return vertices @ turn.T + middle, faces

    face = [ellipsoid((FACE_AHEAD_M, 0, 0), FACE, 18, 12),
            ellipsoid((0.105, 0, -0.012), (0.018, 0.013, 0.02), 8, 6),
            *(ellipsoid((0.0, 0.083 * s, -0.005), (0.022, 0.012, 0.032), 8, 6) for s in (1, -1)),
            tube([(-0.025, 0, -0.2), (-0.01, 0, -0.06)], 0.05, 10)]  # fmt: skip
    locks = [ellipsoid((-0.02, 0, 0.035), (0.105, 0.092, 0.112), 18, 12)]
    if looks == "woman":
        locks.append(ellipsoid((-0.062, 0, -0.075), (0.06, 0.095, 0.17), 14, 9))
    eyes = [ellipsoid((0.094, 0.034 * s, 0.022), (0.009, 0.015, 0.009), 8, 6) for s in (1, -1)]
    brows = [tube([_on_face(y * s, z) for y, z in BROW], [0.004, 0.006, 0.004], 6) for s in (1, -1)]
    mouth = ellipsoid((0.092, 0, -0.057), (0.01, 0.026, 0.008), 8, 6)
    return (
        _soft("head", at(*face), skin),
        _soft("hair", at(*locks, *brows), hair),
        _soft("eyes", at(*eyes), EYES),
        _soft("mouth", at(mouth), LIPS[looks]),
    )


def _on_face(left: float, up: float) -> tuple[float, float, float]:
    """Return the place on the front of the face so far to the left of the middle of the head and over it."""
    long, wide, high = FACE
    return FACE_AHEAD_M + long * math.sqrt(1 - (left / wide) ** 2 - (up / high) ** 2), left, up


def _soft(name: str, shell: Shell, material: Material) -> Part:
    """Return a part that moves against the rest: its vertices stay in order, its normals are smooth."""
    vertices, faces = shell
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], across)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    return Part(f"{SWINGING} {name}", vertices, faces.astype(np.int32), material, normals)


@cache
def body_hash() -> str:
    """Return the SHA-256 of the bodies as they stand: it changes when their shapes do."""
    parts = tuple(part for looks in LOOKS for part in body(looks, standing()))
    return fingerprint(Model("body", "person", "body", parts))
