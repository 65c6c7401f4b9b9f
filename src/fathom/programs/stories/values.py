"""What flows between the steps of a program over a film, and what an operator is.

A set maps each of its candidates to a grade: how firmly it belongs (ratio above 0) or does not. An operator
that gives a single thing keeps, in the run, the least firm grade on which that hangs. One that cannot answer
raises `Stop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from fathom.programs.stories.facts import Story
from fathom.records import Margin


class Kind(Enum):
    """What flows between the steps of a program."""

    TIME = "moment"
    HAPPENING = "happening"
    HAPPENINGS = "happenings"
    THING = "thing"
    THINGS = "set of things"
    PARTS = "set of parts"
    WORD = "word"
    WORDS = "order"
    NUMBER = "number"
    ANSWER = "answer"


class Stop(Exception):
    """Why a program has no answer on a story."""


@dataclass(frozen=True)
class Grade:
    """How firmly something holds: the distance from its threshold in tolerances, below 0 where it fails."""

    ratio: float
    relation: str = ""
    value: float = 0.0
    unit: str = ""
    between: tuple[str, ...] = ()

    def __neg__(self) -> Grade:
        """Return the grade of the opposite."""
        return Grade(-self.ratio, self.relation, self.value, self.unit, self.between)

    @property
    def margin(self) -> Margin | None:
        """The margin that a question carries, None where nothing hangs on a threshold."""
        if self.ratio >= SURE.ratio:
            return None
        return Margin(
            relation=self.relation,
            value=round(self.value, 6),
            unit=self.unit,
            ratio=round(self.ratio, 4),
            between=self.between,
        )

    @property
    def firmness(self) -> Grade:
        """How firm it is that it holds, or that it does not."""
        return self if self.ratio >= 0 else -self


SURE = Grade(1e9)
NEVER = Grade(-1e9)

Set = Mapping[int, Grade]
Value = Any
"""A moment, an index into the story's happenings or things, a set, a word, words or a number."""


def weaker(a: Grade, b: Grade) -> Grade:
    """Return the grade of both holding."""
    return a if a.ratio <= b.ratio else b


@dataclass
class Run:
    """A program at work on a story: `least` is the least firm grade that its answer hangs on so far."""

    story: Story
    least: Grade = field(default=SURE)

    def hang_on(self, grade: Grade) -> None:
        """Take note of a grade that the answer hangs on."""
        self.least = weaker(self.least, grade)


Act = Callable[[Run, Sequence[Value], Sequence[str]], Value]


@dataclass(frozen=True)
class Operator:
    """An operator: the kinds it takes and gives, how many arguments it has (−1: some), and what it does."""

    name: str
    takes: tuple[Kind, ...]
    gives: Kind
    act: Act
    args: int = 0


def members(value: Set) -> tuple[int, ...]:
    """Return what belongs to a set, in order."""
    return tuple(k for k in sorted(value) if value[k].ratio > 0)


def kept(value: Set, test: Callable[[int], Grade | bool]) -> dict[int, Grade]:
    """Return the set with each grade no firmer than the test's."""
    out = {}
    for k, grade in value.items():
        found = test(k)
        if isinstance(found, bool):
            found = SURE if found else NEVER
        out[k] = weaker(grade, found)
    return out


def the(run: Run, value: Set, what: str) -> int:
    """Return the only member of a set. Raises Stop where there is none, or several."""
    found = members(value)
    if len(found) != 1:
        raise Stop(f"{'no' if not found else 'more than one'} {what} fits")
    for k, grade in value.items():
        run.hang_on(grade if k == found[0] else -grade)
    return found[0]


def known(word: str, what: str) -> str:
    """Return a word that is not empty. Raises Stop that names what there is none of."""
    if not word:
        raise Stop(f"it has no {what}")
    return word
