"""The operators about the pieces in which a part comes, or all of it, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed import pieces
from fathom.verify.operators.choices import Animated, known
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.values import Value


def _pieces(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(pieces.counted(attempt.observed, args[0]))


def _bodies(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(pieces.bodies(attempt.observed))


declare(ANIMATION, {"pieces": _pieces, "bodies": _bodies})
