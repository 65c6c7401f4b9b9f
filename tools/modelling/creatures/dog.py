"""A dog, and what it can do."""

from __future__ import annotations

import math
from functools import cache

from fathom.assets.model import Material
from fathom.assets.shapes import ellipsoid, lathe, merged, mirrored, tube, turned
from tools.modelling.creatures.rigs import (
    SIDES,
    Angles,
    Joint,
    Piece,
    Posture,
    Rig,
    RigClip,
    bump,
    rise,
    wave,
)
from tools.modelling.props.finishes import DARK, body_paint


def _dog_legs(u: float, swing: float, phases: tuple[float, float, float, float]) -> Posture:
    out: dict[str, Angles] = {}
    for (end, side), phase in zip(
        (("front", "left"), ("front", "right"), ("back", "left"), ("back", "right")), phases, strict=True
    ):
        out[f"{end} {side} leg"] = (0.0, -swing * wave(u, 1, phase), 0.0)
        out[f"{end} {side} shin"] = (0.0, swing * 1.2 * max(0.0, wave(u, 1, phase + 0.25)), 0.0)
    return out


def _dog_jump(u: float) -> Posture:
    up, dip = bump(u, 0.2, 0.85), bump(u, 0.0, 0.35)
    legs = {
        f"{e} {s} leg": (0.0, (0.9 if e == "back" else -0.9) * up, 0.0)
        for e in ("front", "back")
        for s, _ in SIDES
    }
    return {
        "move": (0.0, 0.0, 0.4 * up - 0.03 * dip),
        "body": (0.0, -0.35 * bump(u, 0.15, 0.55) + 0.3 * bump(u, 0.5, 0.95), 0.0),
    } | legs


def _dog_sit(u: float) -> Posture:
    t = rise(u, 0.0, 0.3) * rise(1 - u, 0.0, 0.3)
    out: dict[str, Angles] = {
        "body": (0, -0.62 * t, 0),
        "head": (0, 0.5 * t, 0),
        "move": (0.0, 0, -0.14 * t),
    }
    for side, _ in SIDES:
        out[f"front {side} leg"] = (0, 0.62 * t, 0)
        out[f"back {side} leg"] = (0, -0.75 * t, 0)
        out[f"back {side} shin"] = (0, 1.35 * t, 0)
    return out


def _dog_clips() -> tuple[RigClip, ...]:
    def wag(u: float, posture: Posture) -> Posture:
        return {**posture, "tail": (0, 0, 0.5 * wave(u, 2))}

    return (
        RigClip("Walk", "walk", 1.0, lambda u: wag(u, _dog_legs(u, 0.42, (0.0, 0.5, 0.75, 0.25)))),
        RigClip(
            "Gallop",
            "gallop",
            0.6,
            lambda u: {
                **_dog_legs(u, 0.85, (0.0, 0.08, 0.5, 0.58)),
                "body": (0, 0.14 * wave(u), 0),
                "move": (0, 0, 0.05 + 0.05 * wave(u, 1, 0.3)),
            },
        ),
        RigClip("Jump", "jump", 1.25, _dog_jump),
        RigClip("Sit", "sit", 2.5, _dog_sit),
        RigClip(
            "Eat",
            "eat",
            2.0,
            lambda u: {
                "neck": (0, 1.25 * rise(u, 0, 0.2) * rise(1 - u, 0, 0.2), 0),
                "head": (0, 0.2 * wave(u, 5) * bump(u), 0),
            },
            cycles=5,
        ),
        RigClip(
            "ShakeHead",
            "shake_head",
            1.0,
            lambda u: {"neck": (0.3 * wave(u), 0, 0), "head": (0, 0, 0.7 * wave(u))},
        ),
        RigClip("Wag", "wag_tail", 0.75, lambda u: {"tail": (0, 0, 0.85 * wave(u))}),
        RigClip(
            "Death",
            "fall",
            1.25,
            lambda u: {
                "body": (math.pi / 2 * rise(u, 0.1, 0.8) ** 2, 0, 0),
                "move": (0, 0.1 * rise(u), -0.40 * rise(u, 0.1, 0.8) ** 2),
            },
            loops=False,
        ),
    )


@cache
def dog() -> Rig:
    """Return a dog."""
    fur, light = body_paint("coat", "brown"), Material("muzzle", (0.90, 0.86, 0.78), roughness=0.7)
    joints = [
        Joint("body", "", (0, 0, 0.55), "body"),
        Joint("neck", "body", (0.36, 0, 0.66), "head"),
        Joint("head", "neck", (0.47, 0, 0.82), "head"),
        Joint("tail", "body", (-0.42, 0, 0.66), "tail"),
    ]
    trunk = tube(
        [
            (-0.45, 0, 0.57),
            (-0.42, 0, 0.57),
            (-0.25, 0, 0.575),
            (0.0, 0, 0.56),
            (0.25, 0, 0.56),
            (0.4, 0, 0.59),
            (0.44, 0, 0.6),
        ],
        [0.03, 0.12, 0.155, 0.155, 0.19, 0.13, 0.03],
        16,
    )
    ear = turned(ellipsoid((0.42, 0.13, 0.92), (0.06, 0.03, 0.12), 10, 8), "x", 0.5, (0.42, 0.10, 0.98))
    eye = ellipsoid((0.63, 0.075, 0.90), (0.025, 0.025, 0.03), 8, 6)
    pieces = [
        Piece("body", "coat", fur, trunk, 60),
        Piece(
            "neck",
            "coat",
            fur,
            tube([(0.30, 0, 0.60), (0.40, 0, 0.72), (0.48, 0, 0.84)], [0.14, 0.115, 0.10], 14),
            60,
        ),
        Piece("head", "coat", fur, ellipsoid((0.52, 0, 0.88), (0.16, 0.135, 0.13), 16, 11), 60),
        Piece("head", "muzzle", light, ellipsoid((0.68, 0, 0.83), (0.13, 0.075, 0.07), 14, 9), 60),
        Piece(
            "head",
            "nose",
            DARK,
            merged(ellipsoid((0.80, 0, 0.86), (0.035, 0.04, 0.03), 10, 7), eye, mirrored(eye)),
            60,
        ),
        Piece("head", "ears", DARK, merged(ear, mirrored(ear)), 60),
        Piece(
            "tail",
            "coat",
            fur,
            tube(
                [(-0.40, 0, 0.64), (-0.55, 0, 0.74), (-0.66, 0, 0.88), (-0.70, 0, 0.97)],
                [0.05, 0.045, 0.035, 0.015],
                10,
            ),
            60,
        ),
        Piece(
            "neck",
            "collar",
            body_paint("collar", "red"),
            turned(
                lathe(
                    [(0.125, -0.025), (0.14, -0.025), (0.135, 0.025), (0.12, 0.025), (0.125, -0.025)],
                    "z",
                    20,
                    (0.40, 0, 0.725),
                ),
                "y",
                0.6,
                (0.40, 0, 0.725),
            ),
            60,
        ),
    ]
    for end, x in (("front", 0.27), ("back", -0.29)):
        for side, s in SIDES:
            leg = f"{end} {side} leg"
            joints += [
                Joint(leg, "body", (x, 0.11 * s, 0.52), leg),
                Joint(f"{end} {side} shin", leg, (x, 0.12 * s, 0.27), leg),
            ]
            pieces += [
                Piece(
                    leg,
                    "coat",
                    fur,
                    tube(
                        [(x, 0.10 * s, 0.58), (x, 0.115 * s, 0.42), (x, 0.12 * s, 0.25)],
                        [0.10, 0.085, 0.055],
                        12,
                    ),
                    60,
                ),
                Piece(
                    f"{end} {side} shin",
                    "coat",
                    fur,
                    tube([(x, 0.12 * s, 0.28), (x - 0.01, 0.12 * s, 0.06)], [0.055, 0.045], 10),
                    60,
                ),
                Piece(
                    f"{end} {side} shin",
                    "paws",
                    light,
                    ellipsoid((x + 0.025, 0.12 * s, 0.04), (0.085, 0.06, 0.04), 12, 8),
                    60,
                ),
            ]
    colors = {"coat": "brown", "muzzle": "", "nose": "black", "ears": "black", "collar": "red", "paws": ""}
    return Rig("Dog", "animal", "dog", "dogs", tuple(joints), tuple(pieces), _dog_clips(), colors)
