"""Running a program on tracks: its answer with unit, tolerance and margin, and what each step came to."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fathom.programs.steps import Key, key_of, operators_of
from fathom.programs.stories.values import SURE, Grade, Stop, members
from fathom.programs.tracks.facts import Tracks
from fathom.programs.tracks.operators import OPERATORS
from fathom.programs.tracks.values import Kind, Measured, Operator, Run, Value
from fathom.records import InputError, Margin, Step

FILTERS = ("colored", "related", "moving")


@dataclass(frozen=True)
class Answered:
    """What a program came to.

    `value` is a number, several numbers, a word, or None; then `why` says why not. `unit` has one word for
    each number. `tolerance` is, for each number, what it may be off by. `form` are the parts of a described
    trajectory, to which its numbers belong. `least` is the least firm decision that the answer hangs on.
    """

    value: float | tuple[float, ...] | str | None
    unit: str = ""
    tolerance: tuple[float, ...] = ()
    form: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    kinds: tuple[Kind, ...] = ()
    least: Grade = SURE
    why: str = ""

    @property
    def margin(self) -> Margin | None:
        """The margin of the decisions that the answer hangs on, None where there are none."""
        return self.least.margin

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of the value, () for a word."""
        if self.value is None or isinstance(self.value, str):
            return ()
        return self.value if isinstance(self.value, tuple) else (self.value,)

    def selected(self, tracks: Tracks) -> tuple[tuple[str, ...], ...]:
        """Return for each step the ids of the things that it selects."""
        out = []
        for value, kind in zip(self.values, self.kinds, strict=False):
            found: tuple[int, ...] = ()
            if kind is Kind.THING:
                found = (value,)
            elif kind is Kind.THINGS:
                found = members(value)
            out.append(tuple(tracks.things[k] for k in found))
        return tuple(out)


def wrongness(answered: Answered, other: Sequence[float]) -> float:
    """Return by how many tolerances another answer's numbers are off: those of the number that is off most.

    Yaws, and all angles of a box or a pose, are compared around the circle; quaternions up to their sign.
    """
    found = 0.0
    around = answered.kinds and len(answered.numbers) > 1 and not answered.form
    own = answered.numbers
    units = answered.unit.split()
    if "-" in units and sum(a * b for a, b in zip(own[3:], other[3:], strict=True)) < 0:
        other = (*other[:3], *(-v for v in other[3:]))
    for a, b, unit, room in zip(own, other, units, answered.tolerance, strict=True):
        off = abs(a - b)
        if unit == "deg" and around:
            off = abs((a - b + 180.0) % 360.0 - 180.0)
        found = max(found, off / max(room, 1e-9))
    return found


def margin_against(answered: Answered, others: Sequence[Sequence[float]]) -> Margin | None:
    """Return the margin of a number among wrong ones: the weaker of the answer's own and the nearest
    rival's.
    """
    nearest = min((wrongness(answered, o) for o in others), default=math.inf)
    if nearest >= answered.least.ratio:
        return answered.margin
    return Margin(
        relation="nearest option",
        value=round(float(nearest), 6),
        unit="tolerance",
        ratio=round(float(nearest), 4),
    )


@lru_cache(maxsize=65536)
def _resolved(program: Key) -> tuple[Operator, ...]:
    return operators_of(program, OPERATORS, _check_args)


def _check_args(here: str, operator: Operator, args: Sequence[str]) -> None:
    most = len(operator.args)
    least = most if operator.least < 0 else operator.least
    if not least <= len(args) <= most:
        count = str(most) if least == most else f"{least} to {most}"
        raise InputError(f"{here}: takes {count} argument(s), but has {list(args)}")
    for kind, arg in zip(operator.args, args, strict=False):
        if kind == "word" and arg not in operator.words:
            raise InputError(f"{here}: argument {arg!r} is none of {', '.join(operator.words)}")
        if kind == "number" and not _is_number(arg):
            raise InputError(f"{here}: argument {arg!r} must be a number of seconds")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and float(text) >= 0
    except ValueError:
        return False


def resolved(program: Sequence[Step]) -> tuple[Operator, ...]:
    """Return the operator of every step. Raises InputError at the first step that does not fit."""
    return _resolved(key_of(program))


def run(program: Sequence[Step], tracks: Tracks) -> Answered:
    """Return what a program comes to on tracks.

    Raises InputError for a program that does not fit together, or that ends in no answer.
    """
    operators = resolved(program)
    if operators[-1].gives is not Kind.ANSWER:
        raise InputError(
            f"the last step ({program[-1].op}) gives a {operators[-1].gives.value}, which is no answer"
        )
    return _run(program, operators, tracks)


def trace(program: Sequence[Step], tracks: Tracks) -> Answered:
    """Return what a program that ends in a thing or a set comes to: its steps' values are the trace's."""
    return _run(program, resolved(program), tracks)


def _run(
    program: Sequence[Step], operators: Sequence[Operator], tracks: Tracks, without: int = -1
) -> Answered:
    kinds = tuple(o.gives for o in operators)
    work = Run(tracks)
    values: list[Value] = []
    keys: list[Hashable] = []
    for k, (step, operator) in enumerate(zip(program, operators, strict=True)):
        inputs = [values[i] for i in step.inputs]
        if k == without:
            values.append(inputs[0])
            keys.append(keys[step.inputs[0]])
            continue
        keys.append((step.op, step.args, *(keys[i] for i in step.inputs)))
        try:
            values.append(_done(work, operator, keys[-1], inputs, step.args))
        except Stop as stop:
            why = f"step {k} ({step.op}): {stop}"
            return Answered(None, values=tuple(values), kinds=kinds, least=work.least, why=why)
    last = values[-1]
    if not isinstance(last, Measured):
        return Answered(None, values=tuple(values), kinds=kinds, least=work.least)
    return Answered(last.value, last.unit, last.tolerance, last.form, tuple(values), kinds, work.least)


def _done(
    work: Run, operator: Operator, key: Hashable, inputs: Sequence[Value], args: Sequence[str]
) -> Value:
    """Return what a step comes to; who is meant is worked out once for all programs that mean it."""
    if operator.gives is Kind.ANSWER:
        return operator.act(work, inputs, args)
    memo = work.tracks.memo
    if ("step", key) not in memo:
        own = Run(work.tracks)
        memo["step", key] = operator.act(own, inputs, args), own.least
    value, least = memo["step", key]
    work.hang_on(least)
    return value


def unneeded(program: Sequence[Step], tracks: Tracks) -> tuple[int, ...]:
    """Return the filters without which every thing that a program speaks of would be the same one, as firmly.

    Nouns are not judged: something has to be called something.
    """
    operators = resolved(program)
    filters = [k for k, o in enumerate(operators) if o.name in FILTERS]
    things = [k for k, o in enumerate(operators) if o.gives is Kind.THING]

    def chosen(answered: Answered) -> tuple[Value, ...] | None:
        whole = len(answered.values) == len(operators) and answered.least.ratio >= 1
        return tuple(answered.values[k] for k in things) if whole else None

    wanted = chosen(_run(program, operators, tracks))
    return tuple(k for k in filters if chosen(_run(program, operators, tracks, k)) == wanted)


def joined(programs: Sequence[Sequence[Step]]) -> tuple[tuple[Step, ...], tuple[int, ...]]:
    """Return programs one after another as one, and where the last step of each is now.

    Steps that are the same are done once.
    """
    steps: list[Step] = []
    places: dict[Step, int] = {}
    ends: list[int] = []
    for program in programs:
        at: list[int] = []
        for s in program:
            moved = Step(op=s.op, inputs=tuple(at[i] for i in s.inputs), args=s.args)
            if moved not in places:
                places[moved] = len(steps)
                steps.append(moved)
            at.append(places[moved])
        ends.append(at[-1])
    return tuple(steps), tuple(ends)
