"""Running a program on a story: its answer, how firm it is, what each step came to, which steps it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fathom.programs.steps import Key, key_of, operators_of
from fathom.programs.stories.facts import Story
from fathom.programs.stories.operators import OPERATORS
from fathom.programs.stories.values import SURE, Grade, Kind, Operator, Run, Stop, Value, members
from fathom.records import InputError, Margin, Step

MOMENTS = ("start", "end")
MEASURES = ("limb_most", "limb_first", "repeats", "travels", "turns", "goes", "within", "around")
SETS = (Kind.HAPPENINGS, Kind.THINGS)
SELECTORS = ("first", "last", "nth")
UNJUDGED = ("there", "place")
"""Filters that may be without effect: "there" says no more than its moment, and whether that is needed is
told by other moments; and on which place of the actor something is belongs to saying what it carries.
"""
COURSES = ("actions", "events", "happenings")


@dataclass(frozen=True)
class Trace:
    """What a program came to: the key of its answer, or None, and then `why`; the values of the steps that
    ran, the kinds of all steps, and the least firm grade that the answer hangs on.
    """

    answer: str | None
    values: tuple[Value, ...]
    kinds: tuple[Kind, ...]
    least: Grade = SURE
    why: str = ""

    @property
    def margin(self) -> Margin | None:
        """The margin of the answer, None where it hangs on no threshold."""
        return self.least.margin

    def selected(self, story: Story) -> tuple[tuple[str, ...], ...]:
        """Return for each step the ids of the things that it selects."""
        out = []
        for value, kind in zip(self.values, self.kinds, strict=False):
            found: tuple[int, ...] = ()
            if kind is Kind.THING:
                found = (value,)
            elif kind is Kind.THINGS:
                found = members(value)
            elif kind is Kind.HAPPENING:
                found = (story.happenings[value].thing,)
            elif kind is Kind.HAPPENINGS:
                found = tuple(sorted({story.happenings[k].thing for k in members(value)}))
            out.append(tuple(story.things[k] for k in found))
        return tuple(out)


@lru_cache(maxsize=65536)
def _resolved(program: Key) -> tuple[Operator, ...]:
    return operators_of(program, OPERATORS, _check_args)


def _check_args(here: str, operator: Operator, args: Sequence[str]) -> None:
    if operator.args >= 0 and len(args) != operator.args:
        raise InputError(f"{here}: takes {operator.args} argument(s), but has {list(args)}")


def resolved(program: Sequence[Step]) -> tuple[Operator, ...]:
    """Return the operator of every step. Raises InputError at the first step that does not fit."""
    return _resolved(key_of(program))


def run(program: Sequence[Step], story: Story, without: int = -1) -> Trace:
    """Return what a program comes to on a story; the step `without` lets everything pass.

    Raises InputError for a program that does not fit together, or that does not end in a choice.
    """
    operators = resolved(program)
    kinds = tuple(o.gives for o in operators)
    if kinds[-1] is not Kind.ANSWER:
        raise InputError(f"the last step ({program[-1].op}) gives a {kinds[-1].value}, which is no answer")
    return _run(program, operators, story, without)


def value_of(program: Sequence[Step], story: Story) -> Trace:
    """Return what a program that ends in no choice comes to: its last value is the trace's; `answer` is the
    value as text where it is one.
    """
    return _run(program, resolved(program), story, -1)


def _run(
    program: Sequence[Step],
    operators: Sequence[Operator],
    story: Story,
    without: int,
    forced: Mapping[int, Value] | None = None,
) -> Trace:
    kinds = tuple(o.gives for o in operators)
    work = Run(story)
    values: list[Value] = []
    for k, (step, operator) in enumerate(zip(program, operators, strict=True)):
        inputs = [values[i] for i in step.inputs]
        if k == without:
            values.append(inputs[0])
            continue
        if forced and k in forced:
            values.append(forced[k])
            continue
        try:
            values.append(operator.act(work, inputs, step.args))
        except Stop as stop:
            return Trace(None, tuple(values), kinds, work.least, f"step {k} ({step.op}): {stop}")
    last = values[-1]
    return Trace(last if isinstance(last, str) else None, tuple(values), kinds, work.least)


def filters(program: Sequence[Step]) -> tuple[int, ...]:
    """Return the steps that narrow a set: what they take first is of the kind that they give."""
    operators = resolved(program)
    return tuple(k for k, o in enumerate(operators) if o.gives in SETS and o.takes and o.takes[0] is o.gives)


def unneeded(program: Sequence[Step], story: Story, answer: str) -> tuple[int, ...]:
    """Return the steps without which the answer would be the same: filters, moments of which any other would
    do, and "first" or "last" of all that happens where that is one thing.
    """
    dull = [
        k
        for k in filters(program)
        if program[k].op not in UNJUDGED and run(program, story, without=k).answer == answer
    ]
    operators = resolved(program)
    moments = [k for k, o in enumerate(operators) if o.gives is Kind.TIME and o.name != "whole"]
    # A moment that only measures motion is what is asked about.
    moments = [k for k in moments if not any(k in s.inputs and s.op in MEASURES for s in program)]
    dull += [k for k in moments if _any_would_do(program, story, k, answer)]
    values = run(program, story).values
    for k, step in enumerate(program):
        if step.op in SELECTORS and program[step.inputs[0]].op in COURSES:
            dull += [k] * (len(members(values[step.inputs[0]])) == 1)
    return tuple(dull)


def _any_would_do(program: Sequence[Step], story: Story, at: int, answer: str) -> bool:
    """Return whether the answer is the same at both ends of the film, whatever moment is named."""
    return all(_at_moment(program, story, at, m) == answer for m in MOMENTS)


def _at_moment(program: Sequence[Step], story: Story, at: int, moment: str) -> str | None:
    """Return the answer with one moment exchanged for an end of the film."""
    steps: list[Step] = []
    for k, step in enumerate(program):
        steps.append(Step(op=moment) if k == at else step)
    needed = {len(steps) - 1}
    for k in range(len(steps) - 1, -1, -1):
        if k in needed:
            needed |= set(steps[k].inputs)
    places = {k: n for n, k in enumerate(sorted(needed))}
    kept = [
        Step(op=s.op, inputs=tuple(places[i] for i in s.inputs), args=s.args)
        for k, s in enumerate(steps)
        if k in needed
    ]
    return run(kept, story).answer


def steady(program: Sequence[Step], story: Story) -> bool:
    """Return whether what is asked of the whole film is the same at every frame that follows a change."""
    wholes = [k for k, s in enumerate(program) if s.op == "whole"]
    if not wholes:
        return True
    answer = run(program, story).answer
    return all(_at_moment(program, story, k, m) in (answer,) for k in wholes for m in MOMENTS)


def constant(program: Sequence[Step], story: Story) -> bool:
    """Return whether what is asked of the course of something is the same at every frame of it."""
    operators = resolved(program)
    trace = _run(program, operators, story, -1)
    for k, step in enumerate(program):
        if step.op != "while" or all(s.op in MEASURES for s in program if k in s.inputs):
            continue
        first, last = trace.values[k]
        for f in range(first, last + 1):
            if _run(program, operators, story, -1, {k: (f, f)}).answer != trace.answer:
                return False
    return True
