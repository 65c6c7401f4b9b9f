"""What flows between the steps of a program, how firmly something holds, and why there is no answer.

A set of objects or events maps each candidate to a `Truth`. In stills, where millions of sets are tried, it
is a pair of bitmasks instead: what certainly belongs, and what certainly or possibly does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from fathom.records import Margin


class Scenes(Enum):
    """The scenes that a program can run on."""

    STILL = "stills"
    ANIMATED = "animated scenes"
    VIDEO = "videos"

    # That of an object, which costs no call: programs are looked up by their scenes.
    __hash__ = object.__hash__


class ValueType(Enum):
    """What flows between the steps of a program."""

    OBJECTS = "set of objects"
    OBJECT = "object"
    CAMERA = "camera"
    PARTS = "set of parts"
    PART = "part"
    EVENTS = "set of events"
    EVENT = "event"
    SPAN = "span"
    TIME = "time"
    SIZE = "size"
    COLOR = "color"
    SHAPE = "shape"
    POSE = "pose"
    PART_NAME = "part name"
    OCCLUSION = "occlusion"
    WORD = "word"
    ORDER = "order"
    NUMBER = "number"
    BOOL = "yes or no"
    CHOICE = "choice"
    QUANTITY = "quantity"

    __hash__ = object.__hash__


SELECTIONS = frozenset(
    {
        ValueType.OBJECTS,
        ValueType.OBJECT,
        ValueType.CAMERA,
        ValueType.PARTS,
        ValueType.PART,
        ValueType.EVENTS,
        ValueType.EVENT,
    }
    | {ValueType.SPAN, ValueType.TIME}
)
"""The kinds that are no answers: what a program selects on its way."""

ANSWERS = frozenset(ValueType) - SELECTIONS
"""The kinds that are answers in themselves."""

SETS = frozenset({ValueType.OBJECTS, ValueType.PARTS, ValueType.EVENTS})


class Unanswerable(Exception):
    """Why a program has no answer; `open` where that is only because a relation is undecided."""

    def __init__(self, why: str, open: bool = False) -> None:
        super().__init__(why)
        self.open = open


Pair = tuple[int, int]
"""Two masks: what certainly holds, and what may hold."""

Value = Any
"""A set, an index, some frames, a word, a number, a truth or a measurement, as the step's kind says."""

CERTAIN = 1e9
"""The ratio of what no measurement can change."""


@dataclass(frozen=True)
class TruthValue:
    """How firmly something holds: `ratio` is its distance from the threshold in tolerances.

    It holds from 1 on, fails from −1 down, and is undecided between. `value` is the distance itself in
    `unit`, `relation` and `between` say what of whom.
    """

    ratio: float
    relation: str = ""
    value: float = 0.0
    unit: str = ""
    between: tuple[str, ...] = ()

    def __neg__(self) -> TruthValue:
        """Return the truth of the opposite."""
        return TruthValue(-self.ratio, self.relation, self.value, self.unit, self.between)

    @property
    def holds(self) -> bool:
        """Whether it holds, clear of its threshold by its tolerance."""
        return self.ratio >= 1

    @property
    def fails(self) -> bool:
        """Whether it fails, clear of its threshold by its tolerance."""
        return self.ratio <= -1

    @property
    def undecided(self) -> bool:
        """Whether it is too close to its threshold to call."""
        return -1 < self.ratio < 1

    @property
    def margin(self) -> Margin | None:
        """The margin that a question carries, None where nothing hangs on a threshold."""
        if self.ratio >= CERTAIN:
            return None
        return Margin(
            relation=self.relation,
            value=round(self.value, 6),
            unit=self.unit,
            ratio=round(self.ratio, 4),
            between=self.between,
        )

    @property
    def firmness(self) -> TruthValue:
        """How firm it is that it holds, or that it does not."""
        return self if self.ratio >= 0 else -self


SURE = TruthValue(CERTAIN)
NEVER = TruthValue(-CERTAIN)

Set = Mapping[int, TruthValue]


def weaker(a: TruthValue, b: TruthValue) -> TruthValue:
    """Return the truth of both holding."""
    return a if a.ratio <= b.ratio else b


def members(value: Set) -> tuple[int, ...]:
    """Return what belongs to a set, in order."""
    return tuple(k for k in sorted(value) if value[k].ratio > 0)


def kept(value: Set, test: Callable[[int], TruthValue | bool]) -> dict[int, TruthValue]:
    """Return the set with each truth no firmer than the test's."""
    out = {}
    for k, truth in value.items():
        found = test(k)
        if isinstance(found, bool):
            found = SURE if found else NEVER
        out[k] = weaker(truth, found)
    return out


def known(word: str, what: str) -> str:
    """Return a word that is not empty. Raises Stop that names what there is none of."""
    if not word:
        raise Unanswerable(f"it has no {what}")
    return word


@dataclass(frozen=True)
class Measured:
    """What a quantity comes to.

    `value` is a number, several numbers or a word. `unit` has one word for each number ("m", "m m m deg").
    `tolerance` says, for each number in its unit, how far it may be off. `truth` is how firm a decision is on
    which the value hangs. `form` are the parts of a described trajectory.
    """

    value: float | tuple[float, ...] | str
    unit: str = ""
    tolerance: tuple[float, ...] = ()
    truth: TruthValue = SURE
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
