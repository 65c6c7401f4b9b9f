"""What an operator is in the second derivation, and the one table of them all.

An operator is declared once for the kinds of scenes on which it means the same, in the module of
`fathom.verify.operators` that has its topic. Nothing is shared with what the first derivation makes of its
name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from fathom.verify.undecided import Assumptions, OpenPolicy
from fathom.verify.values import DerivedAnswer, Frame, FrameSpan, ObjectRef, Value


class SceneKind(Enum):
    """What was looked at: one time and one view, many times and views, many times and one view that moves."""

    STILL = "still"
    ANIMATION = "animation"
    VIDEO = "video"


class ObservedScene(Protocol):
    """What can be told of a scene from its truth cells: an ObservedStill, -Animation or -Video."""

    @property
    def kind(self) -> SceneKind:
        """Which operators run on it."""
        ...

    @property
    def policy(self) -> OpenPolicy:
        """How what is undecided is taken."""
        ...

    def object_id(self, index: int) -> str:
        """Return the id of an object."""
        ...


ObservedT = TypeVar("ObservedT", bound=ObservedScene)


@dataclass(frozen=True, eq=False)
class Attempt(Generic[ObservedT]):
    """A program at work on an observed scene, with one way of taking what is undecided."""

    observed: ObservedT
    assumptions: Assumptions

    def holds(self, verdict: bool | None, *about: object) -> bool:
        """Return a verdict, or how it is taken where there is none; `about` says what is asked."""
        return self.assumptions.take(about, verdict)


Act = Callable[[Attempt[Any], list[Value], tuple[str, ...]], Value]

STILL = frozenset({SceneKind.STILL})
ANIMATION = frozenset({SceneKind.ANIMATION})
VIDEO = frozenset({SceneKind.VIDEO})


@dataclass(frozen=True, eq=False)
class VerifyOperator:
    """An operator: its name, the kinds of scenes on which it runs, and what it does."""

    name: str
    scenes: frozenset[SceneKind]
    act: Act


OPERATORS: dict[SceneKind, dict[str, VerifyOperator]] = {kind: {} for kind in SceneKind}
"""Kind of scene → name → operator."""


def declare(scenes: frozenset[SceneKind], acts: Mapping[str, Act]) -> None:
    """Put operators into the table. Raises ValueError where a name is taken on one of the kinds of scenes."""
    enter(*(VerifyOperator(name, scenes, act) for name, act in acts.items()))


def enter(*operators: VerifyOperator) -> None:
    """Put operators into the table. Raises ValueError where a name is taken on one of the kinds of scenes."""
    for operator in operators:
        for kind in operator.scenes:
            if operator.name in OPERATORS[kind]:
                raise ValueError(
                    f"operator {operator.name} ({kind.value}): there are two declarations; keep one"
                )
            OPERATORS[kind][operator.name] = operator


def measure(function: Callable[..., DerivedAnswer], *extra: object) -> Act:
    """Return what an operator does that measures: `function` of the scene, its inputs and `extra`."""
    return lambda attempt, inputs, args: function(attempt.observed, *map(bare, inputs), *extra)


def bare(value: Value) -> Value:
    """Return an object's index, a frame's number, the first and last of frames; all else as it is."""
    if isinstance(value, ObjectRef | Frame):
        return value.index
    return (value.first, value.last) if isinstance(value, FrameSpan) else value
