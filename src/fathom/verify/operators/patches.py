"""The operators about patches of paint, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed.patches import (
    FEW,
    SIDE_NAMES,
    placed,
    seen_patches,
    side,
)
from fathom.verify.operators.choices import Animated, known, upright
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import Value


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


declare(
    ANIMATION,
    {
        "patches": _count,
        "patch_side": _side,
        "patch_on": _on_side,
    },
)
