"""Running a question's program on the facts of a scene.

`checked(program)` says what a program gives, or raises InputError; `run(program, facts)` answers it and
keeps what every step selected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fathom.programs.facts import Facts
from fathom.programs.operators import OPERATORS, Kind, Operator, Stop, Value
from fathom.programs.steps import Key, key_of, operators_of
from fathom.records import InputError, Step


@dataclass(frozen=True)
class Trace:
    """What a program came to.

    `answer` is the answer's text ("yes", "no", a number, a word), or None; then `why` says in words why not,
    and `open` is true where that is because a relation on which the answer hangs is undecided.
    `values` are the values of the steps that ran, `kinds` the kinds of all steps.
    """

    answer: str | None
    values: tuple[Value, ...]
    kinds: tuple[Kind, ...]
    why: str = ""
    open: bool = False

    def selected(self, facts: Facts) -> tuple[tuple[str, ...], ...]:
        """Return for each step the ids of the things that it selects; () for words, numbers and truths."""
        out = []
        for value, kind in zip(self.values, self.kinds, strict=False):
            if kind is Kind.SET:
                out.append(facts.ids(value[0]))
            elif kind is Kind.OBJECT:
                out.append((facts.things[value],))
            elif kind is Kind.PART:
                out.append((facts.things[facts.parts[value].thing],))
            elif kind is Kind.PARTS:
                owners = {p.thing for k, p in enumerate(facts.parts) if value[0] >> k & 1}
                out.append(tuple(facts.things[i] for i in sorted(owners)))
            else:
                out.append(())
        return tuple(out)


def resolved(program: Sequence[Step]) -> tuple[Operator, ...]:
    """Return the operator of every step. Raises InputError at the first step that does not fit."""
    return operators_of(key_of(program), OPERATORS, _check_args)


def _check_args(here: str, operator: Operator, args: Sequence[str]) -> None:
    wanted = 1 if operator.free_args or operator.args is not None else 0
    if len(args) != wanted:
        raise InputError(f"{here}: takes {wanted} argument(s), but has {list(args)}")
    if operator.args is not None and args[0] not in operator.args:
        raise InputError(f"{here}: argument {args[0]!r} is none of {', '.join(operator.args)}")


def checked(program: Sequence[Step]) -> Kind:
    """Return the kind of answer that a program gives. Raises InputError where it does not fit together."""
    return resolved(program)[-1].gives


def answer_text(value: Value, kind: Kind) -> str:
    """Return a value as the text of an answer."""
    if kind is Kind.BOOL:
        return "yes" if value else "no"
    return str(value)


ANSWERS = frozenset(Kind) - {Kind.SET, Kind.OBJECT, Kind.PARTS, Kind.PART}
"""The kinds that are answers in themselves."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A program whose operators have been looked up, without its arguments."""

    operators: tuple[Operator, ...]
    inputs: tuple[tuple[int, ...], ...]

    @cached_property
    def steps(self) -> tuple[tuple[Callable[[Facts, Sequence[Value], str], Value], int, int], ...]:
        """What each step does, and the one or two steps that it reads, -1 where there is none."""
        both = [(*reads, -1, -1)[:2] for reads in self.inputs]
        return tuple((o.act, first, second) for o, (first, second) in zip(self.operators, both, strict=True))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind that each step gives."""
        return tuple(o.gives for o in self.operators)


@lru_cache(maxsize=65536)
def _plan(key: Key) -> Plan:
    return Plan(operators_of(key, OPERATORS, _check_args), tuple(inputs for _, inputs, _ in key))


def plan_of(program: Sequence[Step]) -> Plan:
    """Return the plan of a program. Raises InputError for a malformed program."""
    return _plan(key_of(program))


OTHERS = OPERATORS["others"][0]


def evaluate(
    plan: Plan, args: Sequence[str], facts: Facts, values: list[Value], without: int = -1
) -> list[Value]:
    """Append to `values` the values of the steps that are still missing, and return it.

    The step `without` is left out: a filter lets everything pass, a relation holds for all but its anchor.
    Raises Stop.
    """
    steps = plan.steps
    for k in range(len(values), len(steps)):
        act, first, second = steps[k]
        # Two plain cases, because all the work of a build comes through here.
        inputs: Sequence[Value] = (
            () if first < 0 else (values[first],) if second < 0 else (values[first], values[second])
        )
        if k != without:
            values.append(act(facts, inputs, args[k]))
        elif plan.operators[k].takes[0] is Kind.OBJECT:
            values.append(OTHERS.act(facts, inputs, ""))
        else:
            values.append(inputs[0])
    return values


def args_of(program: Sequence[Step]) -> list[str]:
    """Return the argument of every step, "" where it has none."""
    return [s.args[0] if s.args else "" for s in program]


def run(program: Sequence[Step], facts: Facts) -> Trace:
    """Return the trace of a program on the facts of a scene. Raises InputError for a malformed program."""
    plan = plan_of(program)
    if plan.kinds[-1] not in ANSWERS:
        last = program[-1].op
        raise InputError(f"the last step ({last}) gives a {plan.kinds[-1].value}, which is no answer")
    values: list[Value] = []
    try:
        evaluate(plan, args_of(program), facts, values)
    except Stop as stop:
        where = f"step {len(values)} ({program[len(values)].op})"
        return Trace(None, tuple(values), plan.kinds, f"{where}: {stop}", stop.open)
    return Trace(answer_text(values[-1], plan.kinds[-1]), tuple(values), plan.kinds)
