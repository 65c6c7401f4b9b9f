"""What flows between the steps of a program over tracks, and what a quantity comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from fathom.programs.stories.values import SURE, Grade, Set, Stop, members, weaker
from fathom.programs.tracks.facts import Tracks

Value = Any
"""A span, a frame, a body, a set of things, or what was measured."""


class Kind(Enum):
    """What flows between the steps of a program."""

    SPAN = "span"
    TIME = "time"
    THINGS = "set of things"
    THING = "thing"
    CAMERA = "camera"
    ANSWER = "answer"


@dataclass(frozen=True)
class Measured:
    """What a quantity comes to.

    `value` is a number, several numbers or a word. `unit` has one word for each number ("m", "m m m deg").
    `tolerance` says, for each number in its unit, how far it may be off. `grade` is how firm a decision is on
    which the value hangs. `form` are the parts of a described trajectory.
    """

    value: float | tuple[float, ...] | str
    unit: str = ""
    tolerance: tuple[float, ...] = ()
    grade: Grade = SURE
    form: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of the value, () for a word."""
        if isinstance(self.value, str):
            return ()
        return self.value if isinstance(self.value, tuple) else (self.value,)


def number(value: float, unit: str, tolerance: float) -> Measured:
    """Return one measured number with its tolerance."""
    return Measured(float(value), unit, (float(tolerance),))


@dataclass
class Run:
    """A program at work on tracks: `least` is the least firm grade that its answer hangs on so far."""

    tracks: Tracks
    least: Grade = field(default=SURE)

    def hang_on(self, grade: Grade) -> None:
        """Take note of a grade that the answer hangs on."""
        self.least = weaker(self.least, grade)


Act = Callable[[Run, Sequence[Value], Sequence[str]], Value]


@dataclass(frozen=True)
class Operator:
    """An operator: the kinds it takes and gives, the names of its arguments, and what it does.

    An argument is a number, or one of the words in `words`, or any text where its name is "text". Those
    after the first `least` may be left out (−1: none may).
    """

    name: str
    takes: tuple[Kind, ...]
    gives: Kind
    act: Act
    args: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    least: int = -1


def the(run: Run, value: Set) -> int:
    """Return the only member of a set. Raises Stop where there is none, or several."""
    found = members(value)
    if len(found) != 1:
        raise Stop(f"{'nothing' if not found else 'more than one thing'} fits")
    for k, grade in value.items():
        run.hang_on(grade if k == found[0] else -grade)
    return found[0]
