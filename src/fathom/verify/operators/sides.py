"""The operators about the sides of the actor, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed import sides
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.values import Value

WAYS_OF = {"front": "towards", "behind": "away", "left": "left", "right": "right"}
"""The side that one sees of something → the way that it faces in the picture."""


def _faces(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    first, last = inputs[0].begun, inputs[0].done
    upright(attempt.observed, first, last)
    return WAYS_OF[known(sides.facing(attempt.observed, int(args[0]), first, last))]


def _way_seen(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(sides.way_seen(attempt.observed, int(args[0]), inputs[0].begun, inputs[0].done))


def _nearest(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    looks = range(inputs[0].begun, inputs[0].done + 1)
    upright(attempt.observed, looks[0], looks[-1])
    found = {sides.nearest_limb(attempt.observed, int(args[0]), look) for look in looks}
    return known(found.pop() if len(found) == 1 else None)


declare(
    ANIMATION,
    {
        "faces_seen": _faces,
        "goes_seen": _way_seen,
        "nearest_seen": _nearest,
    },
)
