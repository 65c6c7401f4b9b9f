"""The operators of programs over films: what each takes and gives, and the choice that ends a program.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.stories import actor_steps, happening_steps, thing_steps
from fathom.programs.stories.values import NEVER, SURE, Act, Grade, Kind, Operator, Run, Stop, Value, members


def _count(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    for grade in inputs[0].values():
        run.hang_on(grade.firmness)
    return str(len(members(inputs[0])))


def grade_of(run: Run, kind: Kind, value: Value, key: str) -> Grade:
    """Return how firmly a choice's key is, is among, or fits a value."""
    story = run.story
    if kind is Kind.THING:
        return SURE if story.fits(key, value) else NEVER
    if kind is Kind.THINGS:
        return max((g for k, g in value.items() if story.fits(key, k)), key=_ratio, default=NEVER)
    if kind is Kind.HAPPENING:
        return SURE if story.happenings[value].key == key else NEVER
    if kind is Kind.HAPPENINGS:
        fitting = (g for k, g in value.items() if story.happenings[k].key == key)
        return max(fitting, key=_ratio, default=NEVER)
    return SURE if (key in value if kind is Kind.PARTS else key == value) else NEVER


def _ratio(grade: Grade) -> float:
    return grade.ratio


def _choose(kind: Kind, wanted: bool) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
        if len(set(args)) != len(args):
            raise Stop("two choices are the same")
        grades = {key: grade_of(run, kind, inputs[0], key) for key in args}
        found = [key for key, grade in grades.items() if (grade.ratio > 0) == wanted]
        if len(found) != 1:
            raise Stop(f"{len(found)} of the choices fit")
        for grade in grades.values():
            run.hang_on(grade.firmness)
        return found[0]

    return act


def _choices() -> tuple[Operator, ...]:
    many = (Kind.THINGS, Kind.HAPPENINGS)
    said = (Kind.WORD, Kind.NUMBER, Kind.WORDS, Kind.THING, Kind.HAPPENING, Kind.PARTS, *many)
    return (
        *(Operator("choose", (kind,), Kind.ANSWER, _choose(kind, True), 4) for kind in said),
        *(Operator("choose_other", (kind,), Kind.ANSWER, _choose(kind, False), 4) for kind in many),
    )


_COUNTS = tuple(Operator("count", (kind,), Kind.NUMBER, _count) for kind in (Kind.HAPPENINGS, Kind.THINGS))


def _by_name(steps: Sequence[Operator]) -> dict[str, tuple[Operator, ...]]:
    out: dict[str, tuple[Operator, ...]] = {}
    for step in steps:
        out[step.name] = (*out.get(step.name, ()), step)
    return out


OPERATORS = _by_name((*happening_steps.STEPS, *thing_steps.STEPS, *actor_steps.STEPS, *_COUNTS, *_choices()))
"""Name → its signatures."""
