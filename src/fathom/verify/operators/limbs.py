"""The operators about where limbs and parts are, in the second derivation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from fathom.verify.observed import limb_positions, limbs
from fathom.verify.observed.limb_positions import FASTER
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, Act, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import EventRef, EventSet, Span, Value

TRUNKS = frozenset(("body",))
"""The limbs that are all of the actor."""

LEVEL = ("above", "below", "up", "down")

UP = 2
AXES = {"highest": (UP, 1), "lowest": (UP, -1), "farthest forward": (0, 1), "farthest back": (0, -1)}
SIGN = {"highest": 1, "lowest": -1, "fastest": 1, "slowest": -1}


def _level(find: Callable[..., str | None]) -> Act:
    """Return what an operator does that finds a way or place: where it leans only up or down."""

    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        found = known(find(attempt.observed, inputs[0], *args))
        if found not in LEVEL:
            for at in (inputs[0].begun, inputs[0].done):
                upright(attempt.observed, at, at)
        return found

    return run


def _extreme(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    axis, sign = AXES[args[0]]
    if axis != UP:
        upright(attempt.observed, inputs[0].done, inputs[0].done)
    return known(limb_positions.extreme(attempt.observed, inputs[0], axis, sign, TRUNKS))


def _legs_down(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limb_positions.legs_down(attempt.observed, inputs[0]))


def _when(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film = attempt.observed
    edges = [round(k * film.length / 4) for k in range(5)]
    spans = [(a, b - 1) for a, b in pairwise(edges)]
    found = limb_positions.highest_in(film, args[0], SIGN[args[1]], spans)
    return known(None if found is None else str(found + 1))


def spans_of(attempt: Animated, value: EventSet) -> list[Span]:
    """Return from when to when each of two or more actions goes on for sure. Raises NoAnswer."""
    found = [attempt.observed.happenings[k] for k in value.members]
    if len(found) < 2:
        raise NoAnswer
    return [(h.first[1], max(h.last[0], h.first[1])) for h in found]


def _peak(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    spans = spans_of(attempt, inputs[0])
    found = limb_positions.highest_in(attempt.observed, args[0], SIGN[args[1]], spans)
    if found is None:
        raise InsufficientEvidence
    return EventRef(inputs[0].members[found])


def _pace(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    found = limb_positions.paces(attempt.observed, spans_of(attempt, inputs[0]), TRUNKS)
    if found is None:
        raise InsufficientEvidence
    order = sorted(range(len(found)), key=lambda k: -SIGN[args[0]] * found[k])
    fast, slow = sorted((found[k] for k in order[:2]), reverse=True)
    if fast < FASTER * slow:
        raise InsufficientEvidence
    return EventRef(inputs[0].members[order[0]])


def _swings(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film, moment = attempt.observed, inputs[0]
    found = limbs.tracks(film, moment.begun, moment.done, moment.begun)
    if found is None or args[0] not in limbs.followed(film, moment.begun, moment.done):
        raise InsufficientEvidence
    count = limbs.swings(found[args[0]])
    return known(None if count is None else str(count or ""))


def _hidden_side(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, inputs[0].begun, inputs[0].done)
    return known(limb_positions.hidden_side(attempt.observed, inputs[0], *args))


def _color_most(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limb_positions.color_most(attempt.observed))


declare(
    ANIMATION,
    {
        "limb_shift": _level(limb_positions.shift),
        "limb_place": _level(limb_positions.place),
        "limb_extreme": _extreme,
        "legs_down": _legs_down,
        "limb_when": _when,
        "peak": _peak,
        "pace": _pace,
        "limb_swings": _swings,
        "hidden_side": _hidden_side,
        "color_most": _color_most,
    },
)
