"""What a question asks, in a form that both its words and its program come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CAMERA = "the camera"

CAMERA_AXES = "x right, y down, z forward"
"""The axes of the frame of a camera."""


@dataclass(frozen=True)
class NamedObject:
    """An object as words name it: its noun, and what singles it out.

    `motion` is "moves", "rests", "turns left" or "turns right"; `relation` to the `other` object is "left",
    "right", "above", "below", "on", "nearer", "farther" (from the camera) or "closest".
    """

    noun: str
    color: str = ""
    motion: str = ""
    relation: str = ""
    other: NamedObject | None = None


Body = NamedObject | str
"""An object, or the camera."""


@dataclass(frozen=True)
class AskedQuantity:
    """What is asked: the quantity, of which bodies, when (no time, a time, or both ends of a span), in which
    frame, and over which window a quantity at one time is measured (0: none is said).
    """

    what: str
    bodies: tuple[Body, ...] = ()
    moment: tuple[float, ...] = ()
    frame: str = ""
    window_s: float = 0.0


@dataclass(frozen=True)
class TextMeaning:
    """A whole text: what it asks, and what it says besides.

    side : to which side the question says that the camera turns
    remarks : what the sentences beside the question say, by subject
    """

    asked: AskedQuantity
    side: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)


SYMMETRIC = frozenset({"centres apart", "boxes apart", "nearest approach"})
"""Quantities of two bodies of which neither comes first."""


def in_order(what: str, bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """Return the bodies in one order where a quantity is the same either way."""
    return tuple(sorted(bodies, key=str)) if what in SYMMETRIC else bodies
