"""The operators of programs over films that speak of the actor's parts, its limbs and its motion.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.programs.stories import motion
from fathom.programs.stories.values import Act, Grade, Kind, Operator, Run, Stop, Value, known


def _part_color(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    if args[0] not in run.story.parts:
        raise Stop(f"the actor has no part {args[0]}")
    return known(run.story.parts[args[0]][inputs[0][1]], "colour")


def _part_colored(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n, course in run.story.parts.items() if course[inputs[0][1]] == args[0])


def _legs(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    found = motion.legs(run.story)
    if not found:
        raise Stop("the actor has no legs")
    return str(len(found))


def _measured(measure: Callable[..., motion.Measured]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
        found = measure(run.story, inputs[0], *args)
        if not found.word:
            raise Stop(f"{found.relation}: it does not move enough to tell")
        run.hang_on(Grade(found.ratio, found.relation, found.value, found.unit))
        return found.word

    return act


STEPS = (
    Operator("part_color", (Kind.TIME,), Kind.WORD, _part_color, 1),
    Operator("part_colored", (Kind.TIME,), Kind.PARTS, _part_colored, 1),
    Operator("legs", (), Kind.NUMBER, _legs),
    Operator("limb_most", (Kind.TIME,), Kind.WORD, _measured(motion.limb_most)),
    Operator("limb_first", (Kind.TIME,), Kind.WORD, _measured(motion.limb_first), 1),
    Operator("repeats", (Kind.TIME,), Kind.NUMBER, _measured(motion.repeats)),
    Operator("travels", (Kind.TIME,), Kind.WORD, _measured(motion.travels)),
    Operator("turns", (Kind.TIME,), Kind.WORD, _measured(motion.turns)),
    Operator("goes", (Kind.TIME,), Kind.WORD, _measured(motion.goes)),
)
"""The operators."""
