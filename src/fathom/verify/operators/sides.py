"""The operators about the sides of the actor, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed import sides
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import PartSet, Value


def _camera(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    first, last = inputs[0].begun, inputs[0].done
    upright(attempt.observed, first, last)
    return known(sides.facing(attempt.observed, int(args[0]), first, last))


def _way_seen(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(sides.way_seen(attempt.observed, int(args[0]), inputs[0].begun, inputs[0].done))


def _only_on(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> PartSet:
    upright(attempt.observed, inputs[0].done, inputs[0].done)
    found = sides.on_one_side(attempt.observed, args[0], inputs[0].done)
    if found is None:
        raise InsufficientEvidence
    return PartSet(tuple(n for n, alone in found.items() if attempt.holds(alone, "on one side alone", n)))


def _painted(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, 0, 0)
    return known(sides.painted_sides(attempt.observed))


declare(
    ANIMATION,
    {
        "camera_side": _camera,
        "goes_seen": _way_seen,
        "only_on": _only_on,
        "painted_sides": _painted,
    },
)
