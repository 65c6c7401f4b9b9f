"""How the measures of a video become operators: their inputs first, then their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.programs.registry import VIDEO, Act, Operator, ProgramRun, declare
from fathom.programs.values import Measured, Value, ValueType
from fathom.programs.views.video import VideoView

BODIES = ValueType.OBJECT, ValueType.CAMERA


def measured(measure: Callable[..., Measured], *extra: object) -> Act:
    """Return the act of a measure: its inputs, then its arguments, then what is fixed."""

    def act(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        found = measure(run.view, *inputs, *args, *extra)
        run.hang_on(found.truth)
        return found

    return act


def windowed(measure: Callable[..., Measured]) -> Act:
    """Return the act of a measure whose argument, if any, is a number of seconds."""

    def act(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        return measure(run.view, *inputs, *(float(a) for a in args))

    return act


def of_bodies(name: str, act: Act, when: ValueType, unit: str, args: tuple[str, ...] = ()) -> None:
    """Declare an operator that takes a body and a time or a span; its arguments may be left out."""
    for body in BODIES:
        declare(Operator(name, (body, when), ValueType.QUANTITY, act, VIDEO, args, least=0, unit=unit))


def of_pairs(name: str, act: Act, when: ValueType, unit: str) -> None:
    """Declare an operator that takes two objects, or an object and the camera, and a time or a span."""
    for other in BODIES:
        declare(Operator(name, (ValueType.OBJECT, other, when), ValueType.QUANTITY, act, VIDEO, unit=unit))
