"""The operators about how the actor moves, in the second derivation."""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed import limbs
from fathom.verify.observed.upright import wrapped
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import (
    TimePoint,
    Value,
)

STAYS, LEAVES = 0.15, 0.35
"""Up to, and from how far on the actor stays or leaves, as shares of its size."""

STRAIGHT, ROUND = math.radians(30.0), math.radians(150.0)
DEGREES = math.radians(6.0)
"""Within so much of a border a turn, or a way, cannot be told."""

WAYS = ("forward", "left", "backward", "right")


def _limb_most(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = limbs.most(attempt.observed, inputs[0])
    if found is None or len(found) > 1:
        raise InsufficientEvidence
    return known(found[0] if found else "")


def _limb_first(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, inputs[0].begun, inputs[0].begun)
    return known(limbs.first_way(attempt.observed, inputs[0], args[0]))


def _repeats(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limbs.repeats(attempt.observed, inputs[0]))


def _legs(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = limbs.legs(attempt.observed)
    return known(None if found is None else str(found) if found else "")


def _step(attempt: Animated, moment: TimePoint) -> tuple[float, float]:
    """Return how far the actor gets, as a share of its size, and which way from its heading at first."""
    film = attempt.observed
    if math.isnan(film.yaw[moment.begun]) or math.isnan(film.yaw[moment.done]):
        raise InsufficientEvidence
    x, y = film.spot_m[moment.done, :2] - film.spot_m[moment.begun, :2]
    return math.hypot(x, y) / film.size_m, float(wrapped(math.atan2(y, x) - film.yaw[moment.begun]))


def _travels(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, inputs[0].begun, inputs[0].done)
    far, way = _step(attempt, inputs[0])
    if far <= STAYS:
        return "none"
    quarter = round(way / (math.pi / 2))
    if far < LEAVES or abs(way - quarter * math.pi / 2) > math.pi / 4 - DEGREES:
        raise InsufficientEvidence
    return WAYS[quarter % 4]


def _turns(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    course = attempt.observed.yaw[inputs[0].begun : inputs[0].done + 1]
    if np.isnan(course).any():
        raise InsufficientEvidence
    turn = float(np.unwrap(course)[-1] - course[0])
    if min(abs(abs(turn) - STRAIGHT), abs(abs(turn) - ROUND)) <= DEGREES:
        raise InsufficientEvidence
    if abs(turn) < STRAIGHT:
        return "none"
    return "round" if abs(turn) > ROUND else "left" if turn > 0 else "right"


def _goes(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, inputs[0].begun, inputs[0].done)
    far, _ = _step(attempt, inputs[0])
    if far <= STAYS:
        return "none"
    if far < LEAVES:
        raise InsufficientEvidence
    turn = _turns(attempt, inputs, args)
    if turn in ("left", "right"):
        return turn
    way = _travels(attempt, inputs, args)
    if turn == "none" and way in ("forward", "backward"):
        return way
    raise NoAnswer


declare(
    ANIMATION,
    {
        "limb_most": _limb_most,
        "limb_first": _limb_first,
        "repeats": _repeats,
        "legs": _legs,
        "travels": _travels,
        "turns": _turns,
        "goes": _goes,
    },
)
