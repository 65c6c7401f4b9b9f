"""The operator about the pieces in which a part comes, in the second derivation."""

from __future__ import annotations

from fathom.verify.observed import pieces
from fathom.verify.operators.choices import Animated, known
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.values import Value


def _pieces(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(pieces.counted(attempt.observed, args[0]))


declare(ANIMATION, {"pieces": _pieces})
