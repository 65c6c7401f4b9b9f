"""A robot on two legs, and what it can do."""

from __future__ import annotations

import math
from functools import cache

from fathom.assets.model import Material
from fathom.assets.shapes import box, ellipsoid, lathe, merged, tube
from tools.modelling.creatures.rigs import (
    SIDES,
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


def _robot_walk(u: float, swing: float, lift: float) -> Posture:
    s = wave(u)
    return {
        "move": (0.0, 0.0, 0.02 * abs(wave(u, 1, 0.25))),
        "left thigh": (0, -swing * s, 0),
        "right thigh": (0, swing * s, 0),
        "left shin": (0, lift * max(0.0, wave(u, 1, 0.25)), 0),
        "right shin": (0, lift * max(0.0, -wave(u, 1, 0.25)), 0),
        "left arm": (0, swing * s, 0),
        "right arm": (0, -swing * s, 0),
        "left forearm": (0, -0.3 - 0.5 * lift, 0),
        "right forearm": (0, -0.3 - 0.5 * lift, 0),
        "torso": (0, 0.12 * lift, 0.06 * s),
    }


def _robot_jump(u: float) -> Posture:
    dip, up = bump(u, 0.0, 0.4) + bump(u, 0.72, 1.0), bump(u, 0.3, 0.8)
    bend = 0.7 * min(dip, 1.0)
    legs = {f"{s} thigh": (0.0, -bend, 0.0) for s, _ in SIDES} | {
        f"{s} shin": (0.0, 2 * bend, 0.0) for s, _ in SIDES
    }
    arms = {f"{s} arm": (0.0, 0.8 * dip - 2.6 * up, 0.0) for s, _ in SIDES}
    drop = 0.78 * (1 - math.cos(bend)) + 0.0
    return {"move": (0.0, 0.0, 0.55 * up - drop), "torso": (0.0, 0.35 * dip, 0.0)} | legs | arms


def _robot_clips() -> tuple[RigClip, ...]:
    return (
        RigClip("Walk", "walk", 1.0, lambda u: _robot_walk(u, 0.55, 0.7)),
        RigClip("Run", "run", 0.6, lambda u: _robot_walk(u, 0.95, 1.5)),
        RigClip("Jump", "jump", 1.25, _robot_jump),
        RigClip(
            "Wave",
            "wave",
            2.0,
            lambda u: {
                "right arm": (-2.6 * rise(u, 0, 0.2) * rise(1 - u, 0, 0.2), 0, 0),
                "right forearm": (-0.5 * wave(u, 4) * bump(u), 0, 0),
            },
            cycles=4,
        ),
        RigClip("Nod", "nod", 1.0, lambda u: {"head": (0, 0.5 * bump(u), 0)}),
        RigClip("ShakeHead", "shake_head", 1.0, lambda u: {"head": (0, 0, 0.8 * wave(u))}),
        RigClip("Spin", "spin", 1.5, lambda u: {"hips": (0, 0, TURN * rise(u))}),
        RigClip(
            "Kick",
            "kick",
            1.25,
            lambda u: {
                "right thigh": (0, 0.5 * bump(u, 0, 0.4) - 1.5 * bump(u, 0.3, 0.9), 0),
                "right shin": (0, 1.0 * bump(u, 0, 0.5), 0),
                "torso": (0, -0.25 * bump(u, 0.3, 0.9), 0),
                "left arm": (0.5 * bump(u), 0, 0),
                "right arm": (-0.5 * bump(u), 0, 0),
            },
        ),
        RigClip(
            "Bow", "bow", 2.0, lambda u: {"torso": (0, 1.15 * rise(u, 0, 0.35) * rise(1 - u, 0, 0.35), 0)}
        ),
        RigClip(
            "Death",
            "fall",
            1.5,
            lambda u: {
                "hips": (0, -math.pi / 2 * rise(u, 0.1, 0.8) ** 2, 0),
                "move": (0.25 * rise(u), 0, -0.66 * rise(u, 0.1, 0.8) ** 2),
            },
            loops=False,
        ),
    )


@cache
def robot() -> Rig:
    """Return a robot on two legs."""
    paint, face = body_paint("body", "cyan"), Material("eyes", (1.0, 0.9, 0.55), roughness=0.3, emission=0.5)
    joints = [
        Joint("hips", "", (0, 0, 0.82), "body"),
        Joint("torso", "hips", (0, 0, 0.88), "body"),
        Joint("head", "torso", (0, 0, 1.42), "head"),
    ]
    pieces = [
        Piece("hips", "joints", DARK, box((0, 0, 0.82), (0.26, 0.36, 0.18), 0.04)),
        Piece("torso", "body", paint, box((0, 0, 1.14), (0.36, 0.52, 0.50), 0.07)),
        Piece("torso", "chest", WHITE, box((0.17, 0, 1.17), (0.05, 0.30, 0.22), 0.02)),
        Piece("torso", "joints", DARK, lathe([(0.08, 1.36), (0.08, 1.46)], "z", 12)),
        Piece("head", "body", paint, box((0, 0, 1.60), (0.36, 0.42, 0.34), 0.07)),
        Piece("head", "chest", WHITE, box((0.165, 0, 1.60), (0.06, 0.34, 0.20), 0.03)),
        Piece(
            "head",
            "eyes",
            face,
            merged(*(lathe([(0.045, 0.0), (0.045, 0.215)], "x", 12, (0, y, 1.61)) for y in (-0.08, 0.08))),
        ),
        Piece(
            "head",
            "joints",
            DARK,
            merged(
                tube([(0, 0, 1.76), (0, 0, 1.86)], 0.015, 6), ellipsoid((0, 0, 1.88), (0.035,) * 3, 10, 7)
            ),
        ),
    ]
    for side, s in SIDES:
        joints += [
            Joint(f"{side} arm", "torso", (0, 0.33 * s, 1.30), f"{side} arm"),
            Joint(f"{side} forearm", f"{side} arm", (0, 0.34 * s, 1.02), f"{side} arm"),
            Joint(f"{side} hand", f"{side} forearm", (0, 0.34 * s, 0.78), f"{side} hand"),
            Joint(f"{side} thigh", "hips", (0, 0.14 * s, 0.80), f"{side} leg"),
            Joint(f"{side} shin", f"{side} thigh", (0, 0.14 * s, 0.44), f"{side} leg"),
        ]
        pieces += [
            Piece(f"{side} arm", "joints", DARK, ellipsoid((0, 0.32 * s, 1.30), (0.10,) * 3, 12, 8)),
            Piece(f"{side} arm", "body", paint, box((0, 0.34 * s, 1.15), (0.13, 0.13, 0.24), 0.03)),
            Piece(f"{side} forearm", "joints", DARK, ellipsoid((0, 0.34 * s, 1.02), (0.065,) * 3, 10, 7)),
            Piece(f"{side} forearm", "body", paint, box((0, 0.34 * s, 0.90), (0.15, 0.15, 0.20), 0.03)),
            Piece(f"{side} hand", "joints", DARK, ellipsoid((0, 0.34 * s, 0.75), (0.07, 0.06, 0.075), 12, 8)),
            Piece(
                f"{side} thigh", "joints", DARK, tube([(0, 0.14 * s, 0.80), (0, 0.14 * s, 0.40)], 0.06, 10)
            ),
            Piece(f"{side} shin", "body", paint, box((0, 0.14 * s, 0.26), (0.18, 0.18, 0.32), 0.03)),
            Piece(f"{side} shin", "joints", DARK, box((0.05, 0.14 * s, 0.05), (0.32, 0.20, 0.10), 0.03)),
        ]
    colors = {"body": "cyan", "chest": "white", "eyes": "", "joints": "black"}
    return Rig("Robot", "robot", "robot", "robots", tuple(joints), tuple(pieces), _robot_clips(), colors)
