"""The operators about the sides of the actor, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed import sides
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import PartSet, Value

WAYS_OF = {"front": "towards", "behind": "away", "left": "left", "right": "right"}
"""The side that one sees of something → the way that it faces in the picture."""


def _faces(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    first, last = inputs[0].begun, inputs[0].done
    upright(attempt.observed, first, last)
    return WAYS_OF[known(sides.facing(attempt.observed, int(args[0]), first, last))]


def _way_seen(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(sides.way_seen(attempt.observed, int(args[0]), inputs[0].begun, inputs[0].done))


def _only_on(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> PartSet:
    upright(attempt.observed, inputs[0].done, inputs[0].done)
    found = sides.on_one_side(attempt.observed, args[0], inputs[0].done)
    if found is None:
        raise InsufficientEvidence
    return PartSet(tuple(n for n, alone in found.items() if attempt.holds(alone, "on one side alone", n)))


declare(
    ANIMATION,
    {
        "faces_seen": _faces,
        "goes_seen": _way_seen,
        "only_on": _only_on,
    },
)
