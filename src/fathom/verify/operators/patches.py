"""The operators about patches of paint, in the second derivation."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.verify.observed.patches import (
    FEW,
    SIDE_NAMES,
    Arrival,
    arrivals,
    placed,
    seen_patches,
    side,
)
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import TimePoint, Value, instant


def _count(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = seen_patches(attempt.observed)
    if not found or min(p.most_px for p in found.values()) <= FEW or not all(p.color for p in found.values()):
        raise InsufficientEvidence
    return str(len(found))


def _side(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, 0, 0)
    own = seen_patches(attempt.observed).get(args[0])
    if own is None:
        raise InsufficientEvidence
    quarter = side(own)
    return known(None if quarter is None else SIDE_NAMES[quarter])


def _on_side(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    upright(attempt.observed, 0, 0)
    by_side = placed(attempt.observed)
    if not by_side:
        raise InsufficientEvidence
    if SIDE_NAMES.index(args[0]) not in by_side:
        raise NoAnswer
    return known(by_side[SIDE_NAMES.index(args[0])].color)


def _towards(attempt: Animated, name: str, turns: Sequence[int]) -> str:
    """Return the colour of the first patch one of these quarter turns on from another, "none" without one."""
    upright(attempt.observed, 0, 0)
    by_side, own = placed(attempt.observed), seen_patches(attempt.observed).get(name)
    if by_side is None or own is None:
        raise InsufficientEvidence
    start = next(k for k, p in by_side.items() if p == own)
    for turn in turns:
        if (start + turn) % 4 in by_side:
            return known(by_side[(start + turn) % 4].color)
    return "none"


def _across(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return _towards(attempt, args[0], (2,))


def _arrivals(attempt: Animated) -> tuple[Arrival, ...]:
    found = arrivals(attempt.observed)
    if found is None:
        raise InsufficientEvidence
    return found


def _place(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _arrivals(attempt)
    if len(found) < 2:
        raise InsufficientEvidence
    return found[0 if args[0] == "first" else -1].color


def _come_side(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _arrivals(attempt)
    if not found or (len(found) == 1) != (args[0] == "only"):
        raise NoAnswer
    return _side(attempt, [], (found[-1 if args[0] == "last" else 0].name,))


def _then(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _arrivals(attempt)
    names = [a.name for a in found]
    if args[0] not in names:
        raise InsufficientEvidence
    later = found[names.index(args[0]) + 1 :]
    return later[0].color if later else "none"


def _come(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _arrivals(attempt)
    if not found:
        raise InsufficientEvidence
    return str(len(found))


def _there(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found, (first, last) = _arrivals(attempt), inputs[0].last
    every = seen_patches(attempt.observed)
    if not found or any(first < a.latest and a.earliest <= last for a in found):
        raise InsufficientEvidence
    _count(attempt, [], ())
    return str(len(every) - sum(a.earliest > last for a in found))


def _time(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
    own = [a for a in _arrivals(attempt) if a.name == args[0]]
    if not own:
        raise InsufficientEvidence
    return instant((own[0].earliest, own[0].latest), own[0].look)


declare(
    ANIMATION,
    {
        "patches": _count,
        "patch_side": _side,
        "patch_on": _on_side,
        "patch_across": _across,
        "patch_order": _place,
        "patch_come_side": _come_side,
        "patch_then": _then,
        "patches_come": _come,
        "patches_there": _there,
        "patch_time": _time,
    },
)
