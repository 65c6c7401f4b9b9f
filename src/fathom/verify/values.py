"""What flows between the steps of a program, what one comes to, and whether another answer is the same.

docs/benchmarks/sti-bench-proof.md has the tolerance of each quantity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Span = tuple[int, int]
"""The first and the last of some frames."""

Value = Any
"""What flows between the steps of a program: one of the following, a truth, a count, a word, or an answer."""


@dataclass(frozen=True)
class ObjectRef:
    """One object, by its place in the scene; −1 is the camera of a video."""

    index: int


@dataclass(frozen=True)
class ObjectSet:
    """A set of objects, those of which it cannot be told whether they belong to it (`perhaps`) included."""

    members: tuple[int, ...]
    perhaps: frozenset[int] = frozenset()


@dataclass(frozen=True)
class EventRef:
    """One event, by its place in the animation's list."""

    index: int


@dataclass(frozen=True)
class EventSet:
    """Several events, by their places in the animation's list."""

    members: tuple[int, ...]


@dataclass(frozen=True)
class PartSet:
    """A set of parts of the actor, by their names."""

    members: tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    """A frame of a video."""

    index: int


@dataclass(frozen=True)
class FrameSpan:
    """The first and the last frame of a stretch of a video."""

    first: int
    last: int


@dataclass(frozen=True)
class TimePoint:
    """A stretch of time: between which frames it begins and ends, and its first and last frame looked at.

    `begins` and `ends` are the places among the frames looked at between which these two can lie.
    """

    first: Span
    last: Span
    begun: int
    done: int
    begins: Span
    ends: Span


def instant(frame: Span, index: int) -> TimePoint:
    """Return the moment of a single frame that lies in a span, and how objects stand then."""
    return TimePoint(frame, frame, index, index, (index, index), (index, index))


SPREAD = 2.0
"""So many times as far as the ways between two frames differ is what is not seen taken to be off."""


@dataclass(frozen=True)
class DerivedAnswer:
    """What a program comes to.

    kind : "number" (one or more), "word", or "none": the program has no answer
    units : for each number
    rooms : how far another derivation's number may be off to be the same: 1 % or the size of a pixel
    unsure : how far this derivation's may be off
    form : the parts of a described trajectory, to which the numbers belong
    """

    kind: str
    word: str = ""
    numbers: tuple[float, ...] = ()
    units: tuple[str, ...] = ()
    rooms: tuple[float, ...] = ()
    unsure: tuple[float, ...] = ()
    form: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether every number is as sure as its tolerance is wide."""
        return all(u <= r for u, r in zip(self.unsure, self.rooms, strict=True))


NONE = DerivedAnswer("none")


def text_of(value: Value) -> str:
    """Return a truth, a count or a word as an answer is written."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def word(said: str) -> DerivedAnswer:
    """Return a word as an answer."""
    return DerivedAnswer("word", said)


def number(values: Sequence[float], unit: str, room: float, unsure: float = 0.0) -> DerivedAnswer:
    """Return a number from what it comes to on each way that the frames allow, the likeliest first."""
    spread = SPREAD * max(abs(v - values[0]) for v in values)
    return DerivedAnswer(
        "number", "", (float(values[0]),), (unit,), (float(room),), (float(spread + unsure),)
    )


def together(parts: Sequence[DerivedAnswer]) -> DerivedAnswer:
    """Return several answers of numbers as one."""
    return DerivedAnswer(
        "number",
        "",
        *(tuple(v for p in parts for v in getattr(p, k)) for k in ("numbers", "units", "rooms", "unsure")),
    )


def divided(answer: DerivedAnswer, by: float) -> DerivedAnswer:
    """Return numbers ÷ seconds."""
    numbers, rooms, unsure = (
        tuple(v / by for v in getattr(answer, k)) for k in ("numbers", "rooms", "unsure")
    )
    return DerivedAnswer("number", "", numbers, tuple(f"{u}/s" for u in answer.units), rooms, unsure)


def off_by(derived: DerivedAnswer, numbers: Sequence[float]) -> tuple[float, ...]:
    """Return how far other numbers are off, each in its own unit.

    Angles of a box or a pose are compared around the circle, quaternions up to their sign.
    """
    return tuple(abs(off) for off in _offs(derived, numbers))


def _offs(derived: DerivedAnswer, numbers: Sequence[float]) -> tuple[float, ...]:
    theirs = list(numbers)
    around = len(derived.numbers) > 1 and not derived.form
    if "-" in derived.units:
        first = derived.units.index("-")
        if np.dot(derived.numbers[first:], theirs[first:]) < 0:
            theirs[first:] = [-v for v in theirs[first:]]
    return tuple(
        math.remainder(other - own, 360.0) if unit == "deg" and around else other - own
        for own, other, unit in zip(derived.numbers, theirs, derived.units, strict=True)
    )


def agrees(
    derived: DerivedAnswer, numbers: Sequence[float] = (), said: str = "", form: Sequence[str] = ()
) -> bool:
    """Return whether another derivation's answer is the same, to within the tolerance of each number."""
    if derived.kind == "word":
        return derived.word == said
    if derived.kind == "none":
        return not numbers and not said
    if len(numbers) != len(derived.numbers) or tuple(form) != derived.form:
        return False
    return all(o <= r for o, r in zip(off_by(derived, numbers), derived.rooms, strict=True))


def nearest(derived: DerivedAnswer, choices: Sequence[Sequence[float]]) -> int | None:
    """Return which choice's numbers are nearest to the answer, None where that cannot be told.

    How far a choice is off is the sum of its numbers' offs, each in tolerances. It is the nearest one
    wherever the true numbers lie within what is unsure of these.
    """
    if derived.kind != "number" or not choices or not np.isfinite(derived.unsure).all():
        return None
    weights = 1 / np.maximum(derived.rooms, 1e-12)
    offs = np.array([_offs(derived, c) for c in choices])
    unsure = np.array(derived.unsure)
    best = int((np.abs(offs) @ weights).argmin())
    for k in range(len(choices)):
        # How much farther this one is than the best falls, or grows, all the way from one to the other.
        more = [np.abs(offs[k] + u) - np.abs(offs[best] + u) for u in (-unsure, unsure)]
        if k != best and float(np.minimum(*more) @ weights) <= 0:
            return None
    return best
