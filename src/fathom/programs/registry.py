"""What an operator is, and the one table of them all.

An operator is declared once, in the module of `fathom.programs.operators` that has its topic: what it takes
and gives, on which scenes it runs, its arguments, and what it does. What the second derivation makes of its
name shares nothing with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from fathom.programs.evidence.conditions import Evidence
from fathom.programs.margins import Firm
from fathom.programs.values import SURE, Scenes, TruthValue, Value, ValueType, weaker
from fathom.records import InputError


class View(Protocol):
    """A scene as operators see it: StillView, AnimatedView, VideoView."""

    @property
    def scenes(self) -> Scenes:
        """Which operators run on it."""
        ...

    @property
    def scene(self) -> str:
        """The scene's id."""
        ...

    @property
    def objects(self) -> tuple[str, ...]:
        """The ids of the objects."""
        ...

    @property
    def memo(self) -> dict[Hashable, Any] | None:
        """What steps came to, kept for other programs that have the same ones; None: nothing is kept."""
        ...

    def objects_of(self, kind: ValueType, value: Value) -> tuple[str, ...]:
        """Return the ids of the objects that a step's value selects."""
        ...


ViewT = TypeVar("ViewT", bound=View)


@dataclass
class ProgramRun(Generic[ViewT]):
    """A program at work on a scene: `least` is the least firm truth that its answer hangs on so far.

    Of stills nothing is noted on the way: how firm an answer is there, `fathom.programs.margins` says.
    """

    view: ViewT
    least: TruthValue = field(default=SURE)

    def hang_on(self, truth: TruthValue) -> None:
        """Take note of a truth that the answer hangs on."""
        self.least = weaker(self.least, truth)


Act = Callable[[ProgramRun[Any], Sequence[Value], Sequence[str]], Value]

STILL = frozenset({Scenes.STILL})
ANIMATED = frozenset({Scenes.ANIMATED})
VIDEO = frozenset({Scenes.VIDEO})


@dataclass(frozen=True, eq=False)
class Operator:
    """An operator: the kinds it takes and gives, on which scenes it runs, its arguments, and what it does.

    args : what each argument is: "word" (one of `words`), "number" (of seconds), "count" (1, 2, …) or "text"
    words : the words that an argument can be
    said : how questions say some of these words of an object: "mug to the left of …"
    least : how many of its arguments it needs at least; −1: all of them
    many : whether there may be any number of its last argument, even none
    unit : of quantities, one word for each number; "" where it depends on an argument or is a word
    firm : of stills, how firm its outcome is; None: as firm as can be
    evidence : of animated scenes, what has to be seen to know its value; None: what its inputs need
    judged : whether a question's words stand for it, so that each of them has to be needed
    """

    name: str
    takes: tuple[ValueType, ...]
    gives: ValueType
    act: Act
    scenes: frozenset[Scenes]
    args: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    least: int = -1
    many: bool = False
    judged: bool = False
    unit: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    firm: Firm | None = None
    evidence: Evidence | None = None

    def check(self, here: str, args: Sequence[str]) -> None:
        """Raise InputError where arguments are not those that it takes; `here` names the step."""
        most = len(self.args)
        least = most if self.least < 0 else self.least
        if not self.many and not least <= len(args) <= most:
            count = str(most) if least == most else f"{least} to {most}"
            raise InputError(f"{here}: takes {count} argument(s), but has {list(args)}")
        for kind, arg in zip(self.args, args, strict=False):
            if kind == "word" and arg not in self.words:
                raise InputError(f"{here}: argument {arg!r} is none of {', '.join(self.words)}")
            if kind == "number" and not _is_number(arg):
                raise InputError(f"{here}: argument {arg!r} must be a number of seconds")
            if kind == "count" and not (arg.isdecimal() and int(arg) > 0):
                raise InputError(f"{here}: argument {arg!r} must be 1, 2, 3 or more")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and float(text) >= 0
    except ValueError:
        return False


OPERATORS: dict[str, tuple[Operator, ...]] = {}
"""Name → its signatures, which differ in the kinds that they take."""

_ON: dict[Scenes, dict[str, tuple[Operator, ...]]] = {scenes: {} for scenes in Scenes}


def operators_on(scenes: Scenes) -> Mapping[str, tuple[Operator, ...]]:
    """Return the operators that run on some scenes: name → its signatures there. What is declared later comes
    into the same mapping.
    """
    return _ON[scenes]


def declare(*operators: Operator) -> None:
    """Put operators into the table. Raises ValueError where a signature is taken."""
    for operator in operators:
        others = OPERATORS.get(operator.name, ())
        if any(o.takes == operator.takes for o in others):
            kinds = ", ".join(k.value for k in operator.takes)
            raise ValueError(f"operator {operator.name} ({kinds}): there are two declarations; keep one")
        OPERATORS[operator.name] = (*others, operator)
        for scenes in operator.scenes:
            _ON[scenes][operator.name] = (*_ON[scenes].get(operator.name, ()), operator)
