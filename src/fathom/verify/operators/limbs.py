"""The operators about where limbs and parts are, in the second derivation."""

from __future__ import annotations

from collections.abc import Callable

from fathom.verify.observed import limb_positions, limbs
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, Act, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import EventSet, Span, Value

LEVEL = ("above", "below", "up", "down")


def _level(find: Callable[..., str | None]) -> Act:
    """Return what an operator does that finds a way or place: where it leans only up or down."""

    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        found = known(find(attempt.observed, inputs[0], *args))
        if found not in LEVEL:
            for at in (inputs[0].begun, inputs[0].done):
                upright(attempt.observed, at, at)
        return found

    return run


def _legs_down(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limb_positions.legs_down(attempt.observed, inputs[0]))


def spans_of(attempt: Animated, value: EventSet) -> list[Span]:
    """Return from when to when each of two or more actions goes on for sure. Raises NoAnswer."""
    found = [attempt.observed.happenings[k] for k in value.members]
    if len(found) < 2:
        raise NoAnswer
    return [(h.first[1], max(h.last[0], h.first[1])) for h in found]


def _swings(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film, moment = attempt.observed, inputs[0]
    found = limbs.tracks(film, moment.begun, moment.done, moment.begun)
    if found is None or args[0] not in limbs.followed(film, moment.begun, moment.done):
        raise InsufficientEvidence
    count = limbs.swings(found[args[0]])
    return known(None if count is None else str(count or ""))


def _color_most(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limb_positions.color_most(attempt.observed))


declare(
    ANIMATION,
    {
        "limb_shift": _level(limb_positions.shift),
        "limb_place": _level(limb_positions.place),
        "legs_down": _legs_down,
        "limb_swings": _swings,
        "color_most": _color_most,
    },
)
