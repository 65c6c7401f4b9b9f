"""A fish, which hovers, and what it can do."""

from __future__ import annotations

from functools import cache

import numpy as np

from fathom.assets.shapes import ellipsoid, extrude, merged, mirrored, moved, tube, turned
from tools.modelling.creatures.rigs import (
    TURN,
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


def _fish_swim(u: float, swing: float) -> Posture:
    return {
        "body": (0, 0, -0.10 * swing * wave(u)),
        "tail": (0, 0, swing * 0.5 * wave(u, 1, -0.1)),
        "tail fin": (0, 0, swing * 0.7 * wave(u, 1, -0.25)),
        "left fin": (0.35 * wave(u, 1, 0.2), 0, 0),
        "right fin": (-0.35 * wave(u, 1, 0.2), 0, 0),
    }


@cache
def fish() -> Rig:
    """Return a fish, which hovers."""
    scales, fins = body_paint("scales", "yellow"), body_paint("fins", "blue")
    x = np.array([-0.42, -0.40, -0.30, -0.15, 0.05, 0.25, 0.42, 0.52, 0.56])
    r = [0.03, 0.10, 0.19, 0.27, 0.31, 0.28, 0.19, 0.09, 0.01]
    trunk = tube(np.column_stack([x, 0 * x, 0 * x + 0.6]), r, 20)
    trunk = trunk[0] * (1, 0.52, 1), trunk[1]
    rear = tube(
        [(-0.34, 0, 0.6), (-0.50, 0, 0.6), (-0.64, 0, 0.6), (-0.68, 0, 0.6)], [0.155, 0.10, 0.06, 0.02], 14
    )
    rear = rear[0] * (1, 0.5, 1), rear[1]
    caudal = extrude(
        [
            (-0.60, 0.62),
            (-0.82, 0.86),
            (-0.93, 0.88),
            (-0.82, 0.6),
            (-0.93, 0.32),
            (-0.82, 0.34),
            (-0.60, 0.58),
        ],
        -0.018,
        0.018,
    )
    dorsal = extrude(
        [(0.25, 0.84), (0.12, 1.02), (-0.12, 1.08), (-0.26, 0.98), (-0.28, 0.78), (0.0, 0.8)], -0.018, 0.018
    )
    belly = extrude([(-0.02, 0.34), (-0.12, 0.18), (-0.24, 0.16), (-0.26, 0.40)], -0.016, 0.016)
    side = extrude(
        [(0.20, 0.0), (0.02, 0.24), (-0.10, 0.28), (-0.06, 0.12), (0.06, 0.0)], -0.013, 0.013, "xy"
    )
    fin = moved(turned(side, "x", -0.55), (0.10, 0.135, 0.52))
    eye = ellipsoid((0.37, 0.093, 0.68), (0.05, 0.03, 0.055), 12, 8)
    pupil = ellipsoid((0.385, 0.112, 0.685), (0.03, 0.02, 0.034), 10, 7)
    band = tube([(0.10, 0, 0.6), (0.17, 0, 0.6), (0.24, 0, 0.6)], [0.3105, 0.304, 0.292], 20)
    band = band[0] * (1, 0.525, 1.004) + (0, 0, -0.0024), band[1]
    joints = (
        Joint("body", "", (0, 0, 0.6), "body"),
        Joint("tail", "body", (-0.36, 0, 0.6), "tail"),
        Joint("tail fin", "tail", (-0.60, 0, 0.6), "tail"),
        Joint("left fin", "body", (0.10, 0.14, 0.52), "left fin"),
        Joint("right fin", "body", (0.10, -0.14, 0.52), "right fin"),
        Joint("back fin", "body", (0, 0, 0.85), "back fin"),
        Joint("belly fin", "body", (-0.1, 0, 0.35), "belly fin"),
    )
    pieces = (
        Piece("body", "scales", scales, trunk, 60),
        Piece("tail", "scales", scales, rear, 60),
        Piece("body", "band", WHITE, band, 60),
        Piece("tail fin", "fins", fins, caudal),
        Piece("back fin", "fins", fins, dorsal),
        Piece("belly fin", "fins", fins, belly),
        Piece("left fin", "fins", fins, fin),
        Piece("right fin", "fins", fins, mirrored(fin)),
        Piece("body", "eyes", WHITE, merged(eye, mirrored(eye)), 60),
        Piece("body", "pupils", DARK, merged(pupil, mirrored(pupil)), 60),
    )
    clips = (
        RigClip("Swim", "swim", 1.0, lambda u: _fish_swim(u, 1.0)),
        RigClip("Swim_Fast", "swim", 0.5, lambda u: _fish_swim(u, 1.6)),
        RigClip("Flip", "flip", 1.5, lambda u: {"body": (0, -TURN * rise(u), 0)}),
        RigClip("Roll", "roll", 1.5, lambda u: {"body": (TURN * rise(u), 0, 0)}),
        RigClip(
            "Leap",
            "jump",
            1.25,
            lambda u: {
                "move": (0, 0, 0.6 * bump(u)),
                "body": (0, -0.6 * wave(u), 0),
                "tail": (0, 0, 0.4 * wave(u, 3)),
            },
        ),
        RigClip(
            "Flap",
            "flap",
            1.0,
            lambda u: {"left fin": (0.9 * wave(u, 2), 0, 0), "right fin": (-0.9 * wave(u, 2), 0, 0)},
            cycles=2,
        ),
    )
    colors = {"scales": "yellow", "band": "white", "fins": "blue", "eyes": "white", "pupils": "black"}
    return Rig("Fish", "fish", "fish", "fish", joints, pieces, clips, colors)
