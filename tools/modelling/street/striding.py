"""People who walk towards +x: legs and arms at any phase of the stride, trunk and head always the same.

A foot on the ground stays where it is while the trunk goes on; so whoever poses a walker lets the phase grow
by 1 with every `STRIDE_M` walked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import SWINGING, Material, Part
from fathom.assets.shapes import Shell, ellipsoid, merged, part, tube
from fathom.assets.street import finishes as f
from fathom.assets.street.catalogue import STREET
from fathom.assets.street.finishes import CLOTH
from fathom.geometry.poses import Array
from tools.modelling.rigged import Bone, Keys, Rigged, quaternion
from tools.modelling.street.bodies import (
    SHOE,
    Parts,
    Place,
    head,
    knee,
    looks_of,
    shoulder_ball,
    shoulder_of,
    torso,
)

STRIDE_M = STREET["walker a"].stride_m

STANDS = 0.6
"""The share of a stride during which a foot is on the ground."""

HIP_M, HEAD_M, LEAN = 0.885, 1.585, 0.03
STRIKE_M = 0.30
"""How far before the hips the ankle is when the heel comes down."""

FLAT_FROM, FLAT_UNTIL = 0.08, 0.34
TOE_UP, HEEL_UP, TUCKED = math.radians(-13), math.radians(45), math.radians(62)
"""When in the stride the whole sole is on the ground; how far the foot is turned down before and after."""

LIFT_M = 0.05
BALL_M = (0.14, -0.06)
"""How high a foot is lifted as it swings, and where its ball is, from the ankle along x and z."""

UPPER_ARM_M, FOREARM_M, SWING = 0.29, 0.27, math.radians(25)
ASIDE = (0.26, 0.03)
"""How far upper arm and forearm go outwards, ÷ their length."""

PHASES = 128
"""At so many phases it is looked how far the limbs reach."""


def walker(looks: str, phase: float | None = None) -> Parts:
    """Return somebody at a phase of the stride, 0 where the left heel comes down; `looks` is "a" or "b".

    Without a phase every limb reaches as far as it ever does: the box is that of the whole stride. Either has
    the same triangles, and the origin in the middle of that box's underside.
    """
    skin, hair, trousers = looks_of(looks)
    left, right = _farthest() if phase is None else (phase % 1.0, (phase + 0.5) % 1.0)
    legs, shoes, sleeves, hands = [], [], [], []
    for side, at in ((1, left), (-1, right)):
        leg, shoe = _leg(side, at)
        sleeve, hand = _arm(side, (at + 0.5) % 1.0)
        legs.append(leg)
        shoes.append(shoe)
        sleeves.append(sleeve)
        hands.append(hand)
    upper = (
        part("jacket", merged(torso(LEAN, (0, 0, HIP_M)), *map(shoulder_ball, _shoulders())), CLOTH, 70),
        *head((0.03, 0, HEAD_M), skin, hair, looks == "a"),
    )
    limbs = (
        _soft("sleeves", merged(*sleeves), CLOTH), _soft("legs", merged(*legs), trousers),
        _soft("shoes", merged(*shoes), f.SHOES), _soft("hands", merged(*hands), skin),
    )  # fmt: skip
    origin = _origin()
    return tuple(replace(p, vertices=p.vertices - origin) for p in (*upper, *limbs))


def _ankle_m(down: float) -> float:
    """Return how high the ankle is above the lowest point of a shoe that is turned down by an angle."""
    (x, z), (long, high) = SHOE
    s, c = math.sin(down), math.cos(down)
    return x * s - z * c + math.hypot(long * s, high * c)


def _smooth(t: float) -> float:
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def _foot(at: float) -> tuple[float, float, float]:
    """Return where the ankle is before the hips and above the ground, and how far the foot is turned down."""
    if at < STANDS:
        along = STRIKE_M - STRIDE_M * at
        if at < FLAT_UNTIL:
            down = TOE_UP * (1 - _smooth(at / FLAT_FROM))
            return along, _ankle_m(down), down
        down = HEEL_UP * _smooth((at - FLAT_UNTIL) / (STANDS - FLAT_UNTIL))
        # The ball of the foot stays where it is.
        x, z = BALL_M
        return along + x - (x * math.cos(down) + z * math.sin(down)), _ankle_m(down), down
    first, t = _foot(STANDS - 1e-9), (at - STANDS) / (1 - STANDS)
    gone = _smooth(t)
    down = first[2] + (TUCKED - first[2]) * _smooth(t / 0.2) + (TOE_UP - TUCKED) * _smooth((t - 0.2) / 0.7)
    ankle = first[0] + (STRIKE_M - first[0]) * gone
    return ankle, _ankle_m(down) + LIFT_M * math.sin(math.pi * t), down


def _leg(side: int, at: float) -> tuple[Shell, Shell]:
    """Return a leg and its shoe."""
    x, z, down = _foot(at)
    hip, ankle = np.array([0.0, 0.085 * side, HIP_M]), np.array([x, 0.085 * side, z])
    leg = tube(np.array([hip, knee(hip, ankle), ankle]), [0.092, 0.07, 0.054], 10)
    (mx, mz), (long, high) = SHOE
    v, faces = ellipsoid((mx, 0, mz), (long, 0.048, high), 10, 7)
    c, s = math.cos(down), math.sin(down)
    return leg, (v @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) + ankle, faces)


def _shoulders() -> tuple[Place, Place]:
    """Return where the left and the right shoulder are."""
    left, right = (shoulder_of(LEAN, (0.0, 0.0, HIP_M), side) for side in (1, -1))
    return left, right


def _arm(side: int, at: float) -> tuple[Shell, Shell]:
    """Return a sleeve and its hand; `at` is the phase of the other side's leg."""
    ahead = math.cos(2 * math.pi * at)
    upper = SWING * ahead
    lower = upper + math.radians(22 + 14 * ahead)
    shoulder = np.array(_shoulders()[0 if side > 0 else 1])
    elbow = shoulder + UPPER_ARM_M * np.array([math.sin(upper), ASIDE[0] * side, -math.cos(upper)])
    wrist = elbow + FOREARM_M * np.array([math.sin(lower), ASIDE[1] * side, -math.cos(lower)])
    hand = wrist + 0.05 * np.array([math.sin(lower), 0.0, -math.cos(lower)])
    return tube(np.array([shoulder, elbow, wrist]), [0.064, 0.05, 0.038], 8), ellipsoid(
        hand, (0.042, 0.03, 0.058), 8, 6
    )


@cache
def _farthest() -> tuple[float, float]:
    """Return the phases at which a foot reaches farthest ahead, and farthest back."""
    phases = np.arange(PHASES) / PHASES
    shoes = [_leg(1, float(p))[1][0][:, 0] for p in phases]
    return float(phases[np.argmax([x.max() for x in shoes])]), float(
        phases[np.argmin([x.min() for x in shoes])]
    )


@cache
def _origin() -> Array:
    """Return (3,) the middle of the underside of the whole stride's box, as `_foot` counts."""
    shoes = np.concatenate([_leg(1, at)[1][0] for at in _farthest()])
    return np.array([(shoes[:, 0].max() + shoes[:, 0].min()) / 2, 0.0, shoes[:, 2].min()])


def _soft(name: str, shell: Shell, material: Material) -> Part:
    """Return a part that swings: its vertices stay in order, and its normals are smooth everywhere."""
    vertices, faces = shell
    corners = vertices[faces]
    across: Array = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], across)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    return Part(f"{SWINGING} {name}", vertices, faces.astype(np.int32), material, normals)


KEYS = sorted({*(k / PHASES for k in range(PHASES + 1)), FLAT_FROM, FLAT_UNTIL, STANDS})
"""The phases that a stride is written at: in between all goes evenly, as a foot on the ground does."""


def rigged_walker(looks: str) -> Rigged:
    """Return somebody who walks: one clip, a stride that takes a second; at rest all limbs reach farthest.

    Every ring of a sleeve or a leg is a bone, and so is every shoe and every hand: they keep their shapes.
    """
    rest = walker(looks)
    poses = [walker(looks, phase if phase < 1 else 0.0) for phase in KEYS]
    bones: list[Bone] = []
    parts, shifts, turns = [], [], []
    for number, p in enumerate(rest):
        joint = np.full(len(p.vertices), -1, dtype=np.int64)
        if p.name.startswith(SWINGING):
            for k, rows in enumerate(_stiff(p.name.removeprefix(f"{SWINGING} "), len(p.vertices))):
                joint[rows] = len(bones)
                at = p.vertices[rows].mean(axis=0)
                bones.append(Bone(f"{p.name.removeprefix(SWINGING).strip()} {k}", -1, at))
                there = [pose[number].vertices[rows] for pose in poses]
                shifts.append([v.mean(axis=0) for v in there])
                turns.append([quaternion(_turn(p.vertices[rows] - at, v - v.mean(axis=0))) for v in there])
        parts.append((p, joint))
    clip = Keys("Walk", np.array(KEYS), np.array(shifts).swapaxes(0, 1), np.array(turns).swapaxes(0, 1))
    return Rigged(f"walker {looks}", tuple(bones), tuple(parts), (clip,))


def _stiff(name: str, count: int) -> list[NDArray[np.int64]]:
    """Return the vertices of each piece of a swinging part that keeps its shape, left before right."""
    half = np.arange(count // 2)
    rings = {"legs": 10, "sleeves": 8}.get(name, 0)
    pieces = [half]
    if rings:
        # Three rings, then the middles of the two caps.
        pieces = [half[k * rings : (k + 1) * rings] for k in range(3)]
        pieces[0], pieces[2] = np.append(pieces[0], 3 * rings), np.append(pieces[2], 3 * rings + 1)
    return [p + side * (count // 2) for side in (0, 1) for p in pieces]


def _turn(before: Array, after: Array) -> Array:
    """Return the rotation (3, 3) that takes (n, 3) offsets from a middle best to others."""
    u, _, vt = np.linalg.svd(after.T @ before)
    return np.asarray(u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt)
