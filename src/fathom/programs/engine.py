"""Running a question's program on a scene: still, animated or filmed.

    run(question.program, still_view(scene, FATHOM)).answer     # stills: "red", "3", "yes" …
    run(question.program, animated_view(scene, grid)).answer       # animated scenes
    run(question.program, video_view(scene)).value             # videos: a number, with unit and tolerance

`checked(program)` says what a program gives, or raises InputError; `traced` runs one that ends in no answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import fathom.programs.operators  # noqa: F401 (fills the table of operators)
from fathom.programs.margins import Firm, weigh
from fathom.programs.registry import OPERATORS, Act, Operator, ProgramRun, View
from fathom.programs.registry import operators_on as operators_on  # (importing this module fills its table)
from fathom.programs.steps import Key, args_of, key_of
from fathom.programs.values import ANSWERS, SURE, Measured, Scenes, TruthValue, Unanswerable, Value, ValueType
from fathom.programs.views.still import StillView
from fathom.records import InputError, Margin, Step

Answer = float | tuple[float, ...] | str
"""A number (a count, a truth), several numbers, or a word."""


@dataclass(frozen=True)
class Trace:
    """What a program came to.

    `value` is the answer: a number, several numbers, a word, or a truth; None where there is none, and then
    `why` says in words why not, and `open` is true where that is because a relation on which the answer hangs
    is undecided. A measured value has a `unit` with one word for each number, for each number a `tolerance`,
    and the parts of a described trajectory as its `form`. `values` are the values of the steps that ran,
    `kinds` the kinds of all steps. `least` is the least firm truth that the answer hangs on.
    """

    value: Answer | None = None
    unit: str = ""
    tolerance: tuple[float, ...] = ()
    form: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    kinds: tuple[ValueType, ...] = ()
    least: TruthValue = SURE
    why: str = ""
    open: bool = False

    @property
    def answer(self) -> str | None:
        """The answer's text ("yes", "no", a number, a word), None where there is none."""
        return None if self.value is None else text_of(self.value)

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

    def selected(self, view: View) -> tuple[tuple[str, ...], ...]:
        """Return for each step that ran the ids of the objects that it selects; () for words and numbers."""
        steps = zip(self.kinds, self.values, strict=False)
        return tuple([view.objects_of(kind, value) for kind, value in steps])


def text_of(value: Answer) -> str:
    """Return an answer as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def resolved(program: Sequence[Step], scenes: Scenes | None = None) -> tuple[Operator, ...]:
    """Return the operator of every step, on some scenes, or on those that its operators share.

    Every step may read earlier steps only (which rules out cycles), each step but the last must be read, and
    kinds, numbers of inputs and arguments must be those of the operator. Raises InputError at the first step
    that does not fit: arguments are looked at last.
    """
    return plan_of(program, scenes).operators


def checked(program: Sequence[Step], scenes: Scenes | None = None) -> ValueType:
    """Return the kind of answer that a program gives. Raises InputError where it does not fit together."""
    return resolved(program, scenes)[-1].gives


_Shape = tuple[tuple[str, tuple[int, ...]], ...]
"""A program without its arguments: operators and the earlier steps that they read."""


def _resolved(program: _Shape, scenes: Scenes | None) -> tuple[Operator, ...]:
    if not program:
        raise InputError("a program needs at least one step, and this one has none")
    shared = frozenset(Scenes) if scenes is None else frozenset({scenes})
    found: list[Operator] = []
    for k, (op, inputs) in enumerate(program):
        here = f"step {k} ({op})"
        known = [o for o in OPERATORS.get(op, ()) if not shared.isdisjoint(o.scenes)]
        if not known:
            there = [name for name, some in OPERATORS.items() if any(o.scenes & shared for o in some)]
            on = "" if len(shared) > 1 else f" for {next(iter(shared)).value}"
            raise InputError(f"{here}: no such operator{on}; there are {', '.join(there)}")
        if any(not 0 <= i < k for i in inputs):
            raise InputError(f"{here}: reads steps {list(inputs)}, but only steps before {k} can be read")
        kinds = tuple(found[i].gives for i in inputs)
        fitting = next((o for o in known if o.takes == kinds), None)
        if fitting is None:
            wanted = " or ".join(_listed(o.takes) for o in known)
            raise InputError(f"{here}: takes {wanted}, but reads {_listed(kinds)}")
        shared &= fitting.scenes
        found.append(fitting)
    read = {i for _, inputs in program for i in inputs}
    loose = [k for k in range(len(program) - 1) if k not in read]
    if loose:
        raise InputError(
            f"step {loose[0]} ({program[loose[0]][0]}): nothing reads it; leave it out or use it"
        )
    return tuple(found)


def _listed(kinds: Sequence[ValueType]) -> str:
    return "(" + ", ".join(k.value for k in kinds) + ")" if kinds else "nothing"


@dataclass(frozen=True, eq=False)
class CompiledProgram:
    """A program whose operators have been looked up, without its arguments."""

    operators: tuple[Operator, ...]
    inputs: tuple[tuple[int, ...], ...]

    @cached_property
    def steps(self) -> tuple[tuple[Act, int, int], ...]:
        """What each step does, and the first two steps that it reads: −1 where there is none, and −2 for the
        first where it reads more.
        """
        both = [(-2, -2) if len(reads) > 2 else (*reads, -1, -1)[:2] for reads in self.inputs]
        return tuple(
            [(o.act, first, second) for o, (first, second) in zip(self.operators, both, strict=True)]
        )

    def program(self, args: Sequence[tuple[str, ...]]) -> tuple[Step, ...]:
        """Return the steps, each with its arguments."""
        steps = zip(self.operators, self.inputs, args, strict=True)
        return tuple([Step(op=o.name, inputs=reads, args=given) for o, reads, given in steps])

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """The steps that read each step."""
        found: list[list[int]] = [[] for _ in self.operators]
        for reader, inputs in enumerate(self.inputs):
            for k in set(inputs):
                found[k].append(reader)
        return tuple(map(tuple, found))

    @cached_property
    def kinds(self) -> tuple[ValueType, ...]:
        """The kind that each step gives."""
        return tuple(o.gives for o in self.operators)

    @cached_property
    def firms(self) -> tuple[Firm | None, ...]:
        """How firm each step's outcome is, on stills."""
        return tuple(o.firm for o in self.operators)

    @cached_property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """The steps by which it is known what an answer can be seen in, each with the step that selects that:
        the objects it names, and those that it counts or finds.
        """
        named = (ValueType.OBJECT, ValueType.PART)
        return tuple(
            (k, k if o.gives in named else self.inputs[k][0])
            for k, o in enumerate(self.operators)
            if o.gives in named or o.name in ("count", "exist")
        )

    @cached_property
    def singled(self) -> tuple[int, ...]:
        """The steps that single out one object."""
        return tuple(k for k, o in enumerate(self.operators) if o.name == "unique")


@lru_cache(maxsize=65536)
def _plan(key: Key, scenes: Scenes | None) -> CompiledProgram:
    # Programs that differ in their arguments alone have one plan.
    plan = _planned(tuple([(op, inputs) for op, inputs, _ in key]), scenes)
    for k, (op, _, args) in enumerate(key):
        plan.operators[k].check(f"step {k} ({op})", args)
    return plan


@lru_cache(maxsize=65536)
def _planned(shape: _Shape, scenes: Scenes | None) -> CompiledProgram:
    return CompiledProgram(_resolved(shape, scenes), tuple(inputs for _, inputs in shape))


def plan_of(program: Sequence[Step], scenes: Scenes | None = None) -> CompiledProgram:
    """Return the plan of a program. Raises InputError for a malformed program."""
    return _plan(key_of(program), scenes)


(OTHERS,) = OPERATORS["others"]


def evaluate(
    plan: CompiledProgram,
    args: Sequence[Sequence[str]],
    run: ProgramRun[Any],
    values: list[Value],
    without: int = -1,
) -> list[Value]:
    """Append to `values` the values of the steps that are still missing, and return it.

    The step `without` is left out: a filter lets everything pass, a relation holds for all but its anchor.
    Raises Stop.
    """
    if run.view.memo is not None and not values:
        return _remembered(plan, args, run, values, without)
    k = len(values)
    # Plain cases, because all the work of a build comes through here.
    for act, first, second in plan.steps[k:] if k else plan.steps:
        if k == without:
            values.append(_let_through(plan, run, values[plan.inputs[k][0]], k))
        elif second >= 0:
            values.append(act(run, (values[first], values[second]), args[k]))
        elif first >= 0:
            values.append(act(run, (values[first],), args[k]))
        else:
            values.append(act(run, [values[i] for i in plan.inputs[k]], args[k]))
        k += 1
    return values


def _let_through(plan: CompiledProgram, run: ProgramRun[Any], first: Value, step: int) -> Value:
    """Return what a step gives that is left out, from what it reads first."""
    return OTHERS.act(run, [first], ()) if plan.operators[step].takes[0] is ValueType.OBJECT else first


def _remembered(
    plan: CompiledProgram,
    args: Sequence[Sequence[str]],
    run: ProgramRun[Any],
    values: list[Value],
    without: int,
) -> list[Value]:
    """Append the values of all steps; who is meant is worked out once for all programs that mean it."""
    memo = run.view.memo
    keys: list[Hashable] = []
    for k, operator in enumerate(plan.operators):
        reads = plan.inputs[k]
        if k == without:
            keys.append(keys[reads[0]])
            values.append(values[reads[0]])
            continue
        inputs = [values[i] for i in reads]
        keys.append((operator.name, args[k], *(keys[i] for i in reads)))
        if operator.gives in ANSWERS:
            values.append(operator.act(run, inputs, args[k]))
            continue
        if ("step", keys[k]) not in memo:
            own = ProgramRun(run.view)
            memo["step", keys[k]] = operator.act(own, inputs, args[k]), own.least
        value, least = memo["step", keys[k]]
        values.append(value)
        run.hang_on(least)
    return values


def run(program: Sequence[Step], view: View, without: int = -1, weighed: bool = True) -> Trace:
    """Return what a program comes to on a scene; the step `without` lets everything pass.

    How firm an answer about a still is takes as long as finding it: it is not `weighed` where nobody asks.

    Raises InputError for a program that does not fit together, or that ends in no answer.
    """
    plan = plan_of(program, view.scenes)
    last = plan.operators[-1]
    if last.gives not in ANSWERS:
        article = "an" if last.gives.value[0] in "aeiou" else "a"
        raise InputError(
            f"the last step ({last.name}) gives {article} {last.gives.value}, which is no answer"
        )
    return run_planned(plan, args_of(program), view, without, weighed)


def run_planned(
    plan: CompiledProgram,
    args: Sequence[tuple[str, ...]],
    view: View,
    without: int = -1,
    weighed: bool = True,
) -> Trace:
    """Return what a program comes to whose plan, which ends in an answer, is at hand: see `run`."""
    return _traced(plan, args, view, without, weighed=weighed and without < 0)


def traced(program: Sequence[Step], view: View, without: int = -1, given: Sequence[Value] = ()) -> Trace:
    """Return what a program comes to that may end in objects, events or a time; `given` are the values that
    its first steps are to have.
    """
    return _traced(plan_of(program, view.scenes), args_of(program), view, without, given)


def _traced(
    plan: CompiledProgram,
    args: Sequence[tuple[str, ...]],
    view: View,
    without: int = -1,
    given: Sequence[Value] = (),
    weighed: bool = False,
) -> Trace:
    work: ProgramRun[Any] = ProgramRun(view)
    values: list[Value] = list(given)
    try:
        evaluate(plan, args, work, values, without)
    except Unanswerable as stop:
        why = f"step {len(values)} ({plan.operators[len(values)].name}): {stop}"
        return Trace(values=tuple(values), kinds=plan.kinds, least=work.least, why=why, open=stop.open)
    found, last = tuple(values), values[-1]
    if isinstance(last, Measured):
        return Trace(last.value, last.unit, last.tolerance, last.form, found, plan.kinds, work.least)
    value = last if plan.kinds[-1] in ANSWERS else None
    least = work.least
    if weighed and isinstance(view, StillView):
        least = weigh(plan.firms, plan.inputs, args, found, view)
    return Trace(value, values=found, kinds=plan.kinds, least=least)
