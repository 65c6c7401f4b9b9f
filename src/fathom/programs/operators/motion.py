"""Operators on motion: of an animated scene's actor and its limbs, and of what moves in a video.

Ref: docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from fathom.programs import motion
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, between, clear, limb_cells
from fathom.programs.evidence.outlook import OUTLOOKS, outlook
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.values import TruthValue, Unanswerable, Value, ValueType
from fathom.programs.views.animated import AnimatedView, Moment


def _measured(measure: Callable[..., motion.MeasuredMotion]) -> Act:
    def act(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
        found = measure(run.view, inputs[0], *args)
        if not found.word:
            raise Unanswerable(f"{found.relation}: it does not move enough to tell")
        run.hang_on(TruthValue(found.ratio, found.relation, found.value, found.unit))
        return found.word

    return act


_times = _measured(motion.repeats)


def _repeats(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(_times(run, inputs, args))


# What shows it


def _first_way(timeline: AnimatedView, moment: Moment, limb: str) -> tuple[Condition, ...]:
    rest, way = motion.first_way(timeline, moment, limb)
    return tuple(
        Condition(
            f"{limb} {what}, {look}",
            limb_cells(timeline, limb) & outlook(timeline, look) & between(timeline, *span),
        )
        for what, span in (("at first", rest), ("on its way", way))
        for look in OUTLOOKS
    )


def _shows_moving(w: Walk) -> Conditions:
    timeline, moment = w.timeline, w.inputs[0]
    if w.step.op == "limb_first":
        return Conditions((*w.before, *_first_way(timeline, moment, w.step.args[0])))
    if w.step.op == "limb_most":
        limbs = [w.value]
    else:
        limbs = [next(iter(motion.paths(timeline, moment)))]
    pieces = 2 * int(w.value) if w.step.op == "repeats" else 2
    edges = np.linspace(moment[0], moment[1] + 1, pieces + 1).round().astype(int)
    conditions = [
        Condition(
            f"{limb} moving ({n + 1})", limb_cells(timeline, limb) & between(timeline, a, max(b - 1, a))
        )
        for limb in limbs
        for n, (a, b) in enumerate(pairwise(edges))
    ]
    return Conditions((*w.before, *conditions))


def _shows_going(w: Walk) -> Conditions:
    first, last = w.inputs[0]
    third = max((last - first) // 3, 0)
    seen = clear(w.timeline, 0)
    return Conditions(
        (
            *w.before,
            Condition("where it sets out", seen & between(w.timeline, first, first + third)),
            Condition("where it gets to", seen & between(w.timeline, last - third, last)),
        )
    )


_OF_ACTOR = (ValueType.SPAN,), ValueType.WORD

declare(
    Operator("limb_most", *_OF_ACTOR, _measured(motion.limb_most), ANIMATED, evidence=_shows_moving),
    Operator(
        "limb_first", *_OF_ACTOR, _measured(motion.limb_first), ANIMATED, ("text",), evidence=_shows_moving
    ),
    Operator("repeats", (ValueType.SPAN,), ValueType.NUMBER, _repeats, ANIMATED, evidence=_shows_moving),
    Operator("travels", *_OF_ACTOR, _measured(motion.travels), ANIMATED, evidence=_shows_going),
    Operator("turns", *_OF_ACTOR, _measured(motion.turns), ANIMATED, evidence=_shows_going),
    Operator("goes", *_OF_ACTOR, _measured(motion.goes), ANIMATED, evidence=_shows_going),
)
