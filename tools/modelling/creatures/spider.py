"""A spider of eight legs, and what it can do."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from fathom.assets.shapes import ellipsoid, merged, mirrored, tube
from tools.modelling.creatures.rigs import (
    SIDES,
    TURN,
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
from tools.modelling.props.finishes import DARK, WHITE, body_paint

_LEGS = tuple((f"{side} leg {k + 1}", s, 0.9 - 0.6 * k) for side, s in SIDES for k in range(4))


def _spider_walk(u: float, swing: float) -> Posture:
    out: dict[str, Angles] = {}
    for k, (name, s, _) in enumerate(_LEGS):
        phase = 0.5 * ((k % 4 + (s > 0)) % 2)
        out[name] = (s * 0.35 * max(0.0, wave(u, 1, phase + 0.25)), 0.0, swing * wave(u, 1, phase) * s)
    return out


@cache
def spider() -> Rig:
    """Return a spider of eight legs."""
    skin, legs = body_paint("body", "brown"), DARK
    joints = [Joint("body", "", (0, 0, 0.42), "body")]
    eye = merged(
        *(ellipsoid((0.50, y, 0.52), (0.045, 0.04, 0.05), 10, 7) for y in (0.08, -0.08)),
        *(ellipsoid((0.47, y, 0.60), (0.03, 0.028, 0.03), 8, 6) for y in (0.045, -0.045)),
    )
    fang = tube([(0.48, 0.06, 0.38), (0.54, 0.06, 0.30), (0.53, 0.05, 0.22)], [0.035, 0.03, 0.008], 8)
    pieces = [
        Piece("body", "body", skin, ellipsoid((-0.38, 0, 0.52), (0.40, 0.33, 0.29), 20, 13), 60),
        Piece("body", "body", skin, ellipsoid((0.22, 0, 0.46), (0.32, 0.25, 0.20), 18, 11), 60),
        Piece("body", "eyes", WHITE, eye, 60),
        Piece("body", "fangs", DARK, merged(fang, mirrored(fang)), 60),
    ]
    for name, s, turn in _LEGS:
        c, d = math.sin(turn), math.cos(turn) * s
        base = np.array([0.18 + 0.10 * c, 0.16 * s, 0.44])
        out = np.array([c, d, 0.0])
        path = [
            base,
            base + out * 0.34 + (0, 0, 0.34),
            base + out * 0.48 + (0, 0, 0.30),
            base + out * 0.86 + (0, 0, -0.44),
        ]
        joints.append(Joint(name, "body", (float(base[0]), float(base[1]), float(base[2])), name))
        pieces.append(Piece(name, "legs", legs, tube(path, [0.05, 0.045, 0.04, 0.012], 8), 60))
    clips = (
        RigClip("Walk", "walk", 0.8, lambda u: _spider_walk(u, 0.3)),
        RigClip(
            "Jump",
            "jump",
            1.0,
            lambda u: {
                "move": (0, 0, 0.55 * bump(u, 0.15, 0.9) - 0.12 * bump(u, 0, 0.3)),
                **{n: (-s * 0.35 * bump(u, 0.2, 0.9), 0, 0) for n, s, _ in _LEGS},
            },
        ),
        RigClip(
            "Attack",
            "lunge",
            1.0,
            lambda u: {
                "body": (0, -0.45 * bump(u, 0, 0.8), 0),
                "left leg 1": (0.8 * bump(u), 0, 0),
                "right leg 1": (-0.8 * bump(u), 0, 0),
                "move": (0.15 * bump(u, 0.2, 1), 0, 0.16 * bump(u, 0, 0.8)),
            },
        ),
        RigClip(
            "Bob",
            "bounce",
            0.8,
            lambda u: {
                "move": (0, 0, -0.14 * bump(u)),
                **{n: (s * 0.22 * bump(u), 0, 0) for n, s, _ in _LEGS},
            },
        ),
        RigClip("Spin", "spin", 1.5, lambda u: {"body": (0, 0, TURN * rise(u))}),
    )
    colors = {"body": "brown", "eyes": "white", "fangs": "black", "legs": "black"}
    return Rig("Spider", "animal", "spider", "spiders", tuple(joints), tuple(pieces), clips, colors)
