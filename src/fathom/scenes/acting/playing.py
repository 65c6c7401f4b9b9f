"""A performance at the frames of a video: where the body is, how it holds itself, where what it holds is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fathom.assets.acting.postures import Foot, Palm, Posture
from fathom.geometry.poses import Array
from fathom.scenes.acting.performance import Performance

SWING, MOST_SWING_M = 0.34, 0.2
"""How far a hanging hand swings, ÷ how far the feet are apart, and at most, in metres."""


LEG_M, JOINT_M = 0.887, 0.02
"""How long a leg is that is nearly straight, and how far under the hips it begins."""


@dataclass(frozen=True, eq=False)
class PlayedActs:
    """A performance at F frames.

    roots : (F, 3) where the body is on the floor, metres, and its heading
    postures : (F,)
    things : (F, 4) where what it holds is, in the world, the middle of its underside, and its heading; NaN
        where it holds nothing
    """

    roots: Array
    postures: tuple[Posture, ...]
    things: Array


def played(show: Performance, times_s: Array) -> PlayedActs:
    """Return a performance at some times."""
    roots = show.steps.root(times_s)
    hips, lean = show.hips.at(times_s), show.lean.at(times_s)[:, 0]
    own = show.thing.at(times_s) if show.thing.keys else np.full((len(times_s), 3), np.nan)
    hands = [_hands(show, k, times_s, own) for k in (0, 1)]
    postures = []
    for n, time in enumerate(times_s.tolist()):
        feet = show.steps.feet(time, roots[n])
        apart = (feet[0].place_m[0] - feet[1].place_m[0]) * SWING
        swing = float(np.clip(apart, -MOST_SWING_M, MOST_SWING_M))
        palms = []
        for k, sign in ((0, -1.0), (1, 1.0)):
            x, y, z, *looks = hands[k][n].tolist()
            free = not any(a <= time <= b for a, b in show.grasps[k])
            palms.append(Palm((x + sign * swing * free, y, z), (looks[0], looks[1], looks[2])))
        up = min(float(hips[n, 1]), *(_reach_m(float(hips[n, 0]), foot) for foot in feet))
        postures.append(Posture((float(hips[n, 0]), up), float(lean[n]), feet, (palms[0], palms[1])))
    return PlayedActs(roots, tuple(postures), _things(show, times_s, roots, own))


def _reach_m(ahead_m: float, foot: Foot) -> float:
    """Return how high the hips are at most over a foot: who walks sinks with every step."""
    x, _, z = foot.place_m
    return z + JOINT_M + math.sqrt(max(LEG_M**2 - (x - ahead_m) ** 2, 0.0))


def _hands(show: Performance, k: int, times_s: Array, own: Array) -> Array:
    """Return (F, 6) where a hand is, and where its palm looks; `own` is where the held thing is."""
    out = show.hands[k].at(times_s)
    if show.grips[k].keys:
        held = show.grips[k].at(times_s)
        for a, b in show.grasps[k]:
            rows = (times_s >= a) & (times_s <= b)
            out[rows] = held[rows]
            out[rows, :3] += own[rows]
    return out


def _things(show: Performance, times_s: Array, roots: Array, own: Array) -> Array:
    out = np.full((len(times_s), 4), np.nan)
    c, s = np.cos(roots[:, 2]), np.sin(roots[:, 2])
    x, y, z = (show.scale * own).T
    world = np.column_stack([roots[:, 0] + c * x - s * y, roots[:, 1] + s * x + c * y, z, roots[:, 2]])
    for a, b in show.holds:
        rows = (times_s >= a) & (times_s <= b)
        out[rows] = world[rows]
    return out
