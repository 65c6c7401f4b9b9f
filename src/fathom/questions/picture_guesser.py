"""A player that sees boxes in the picture, and nothing of the room.

higher in the picture is higher; lower is nearer, and in front; what is near in the picture is near; left in
the picture is left; whatever has a front shows it. Whoever does no better has not understood the room.

Ref: 3DSRBench §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

BoxPx = tuple[float, float, float, float]
"""Left, top, right and bottom in a picture, y down."""

NEAR = 0.5
"""Boxes are near where the gap between them is less than this share of their mean diagonal."""


def _middle(box: BoxPx) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _apart(a: BoxPx, b: BoxPx) -> float:
    return math.dist(_middle(a), _middle(b))


def _higher(a: BoxPx, b: BoxPx) -> str:
    return "first" if _middle(a)[1] < _middle(b)[1] else "second"


def _above(a: BoxPx, b: BoxPx) -> str:
    x, y = _middle(a)
    return "yes" if b[0] <= x <= b[2] and y < _middle(b)[1] else "no"


def _nearer(a: BoxPx, b: BoxPx) -> str:
    return "first" if a[3] > b[3] else "second"


def _next_to(a: BoxPx, b: BoxPx) -> str:
    gap = math.hypot(max(a[0] - b[2], b[0] - a[2], 0.0), max(a[1] - b[3], b[1] - a[3], 0.0))
    size = (math.dist(a[:2], a[2:]) + math.dist(b[:2], b[2:])) / 2
    return "near" if gap < NEAR * size else "far"


def _front(a: BoxPx, b: BoxPx) -> str:
    return "front" if a[3] > b[3] else "behind"


def _left(a: BoxPx, b: BoxPx) -> str:
    return "left" if _middle(a)[0] < _middle(b)[0] else "right"


def _closer(a: BoxPx, b: BoxPx, c: BoxPx) -> str:
    return "first" if _apart(a, b) < _apart(a, c) else "second"


def _side(a: BoxPx, b: BoxPx) -> str:
    (ax, ay), (bx, by) = _middle(a), _middle(b)
    if abs(bx - ax) > abs(by - ay):
        return "left" if bx < ax else "right"
    return "front" if by > ay else "back"


_OTHER = {"first": "second", "second": "first"}


def _opposite(guess: Callable[..., str], words: Mapping[str, str]) -> Callable[..., str]:
    """Return what suggests the opposite of what another guess does."""
    return lambda *boxes: words[guess(*boxes)]


GUESSES: Mapping[str, Callable[..., str]] = MappingProxyType(
    {
        "higher_of": _higher,
        "above": _above,
        "nearer_of": _nearer,
        "next_to": _next_to,
        "front_of": _front,
        "left_of": _left,
        "side_seen": lambda a: "front",
        "closer_of": _closer,
        "faces_of": _closer,
        "side_towards": _side,
        "parallel": lambda a, b: "parallel",
        "same_direction": lambda a, b: "same",
        "lower_of": _opposite(_higher, _OTHER),
        "below": lambda a, b: _above(b, a),
        "farther_of": _opposite(_nearer, _OTHER),
        "far_apart": _opposite(_next_to, {"far": "yes", "near": "no"}),
        "behind_of": _opposite(_front, {"behind": "yes", "front": "no"}),
        "right_of": _opposite(_left, {"right": "yes", "left": "no"}),
        "farther_from": _opposite(_closer, _OTHER),
    }
)
"""Operator → what the boxes of its objects suggest."""


def guessed(op: str, boxes: Sequence[BoxPx]) -> str:
    """Return the answer that boxes in the picture suggest to a question about their objects."""
    return GUESSES[op](*boxes)
