"""The operators about how limbs move, in the second derivation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fathom.assets.model import Points
from fathom.verify.observed import limb_motion, repeats
from fathom.verify.operators.choices import Animated, event_fits, event_key, known, upright
from fathom.verify.operators.limbs import spans_of
from fathom.verify.registry import ANIMATION, Act, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import EventRef, PartSet, Value

STILL = "still"


def _of_limbs(tell: Callable[[list[Points]], str | None]) -> Act:
    """Return what an operator does that tells something of the ways of the limbs that are its arguments."""

    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        return known(limb_motion.each(attempt.observed, inputs[0], args, tell))

    return run


def _line(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film = attempt.observed
    limbs = limb_motion.both_called(film, args[0]) or args
    ways = {known(limb_motion.each(film, inputs[0], (limb,), limb_motion.line)) for limb in limbs}
    found = known(ways.pop() if len(ways) == 1 else None)
    if found != STILL:
        upright(attempt.observed, inputs[0].begun, inputs[0].done)
    return found


def _steps(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    both = ("left leg", "right leg")
    return _number(limb_motion.each(attempt.observed, inputs[0], both, limb_motion.steps))


def _strokes(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, inputs[0].begun, inputs[0].done)
    tell = partial(limb_motion.strokes, way=args[1])
    return _number(limb_motion.each(attempt.observed, inputs[0], args[:1], tell))


def _raises(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return _number(limb_motion.each(attempt.observed, inputs[0], args, limb_motion.raises))


def _number(found: str | None) -> str:
    if found == "0":
        raise NoAnswer
    return known(found)


def _kept_still(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> PartSet:
    found = limb_motion.calm(attempt.observed, inputs[0])
    if found is None:
        raise InsufficientEvidence
    return PartSet(tuple(n for n, still in found.items() if attempt.holds(still, "keeps still", n)))


def _onset(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(limb_motion.first_to_move(attempt.observed, inputs[0]))


def _turning(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    found = [limb_motion.turning(attempt.observed, s) for s in spans_of(attempt, inputs[0])]
    if None in found:
        raise InsufficientEvidence
    turned = [k for k, way in zip(inputs[0].members, found, strict=True) if way == args[0]]
    if len(turned) != 1:
        raise NoAnswer
    return EventRef(turned[0])


def _sequence(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    """Return what the actor does, one thing after the other, by when each is first seen."""
    found = sorted(inputs[0].members, key=lambda k: attempt.observed.happenings[k].begun)
    return ">".join(known(event_key(attempt.observed, k)) for k in found)


def _deeds(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    """Return all that the actor is seen doing, each once, by when it is first seen."""
    found = sorted(inputs[0].members, key=lambda k: attempt.observed.happenings[k].begun)
    return "+".join(dict.fromkeys(known(event_key(attempt.observed, k)) for k in found))


def _times(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    own = [k for k in inputs[0].members if event_fits(attempt, k, args[0])]
    count = repeats.times_done(attempt.observed, [attempt.observed.happenings[k] for k in own])
    return known(None if count is None else str(count))


declare(
    ANIMATION,
    {
        "limb_line": _line,
        "limb_course": _of_limbs(limb_motion.course),
        "limb_onset": _onset,
        "limbs_still": _kept_still,
        "steps": _steps,
        "strokes": _strokes,
        "raises": _raises,
        "turning": _turning,
        "sequence": _sequence,
        "deeds": _deeds,
        "times": _times,
    },
)
