"""Operators on how an actor looks: its limbs of a color, what it wears or holds.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs import looks
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, clear, limb_cells, name
from fathom.programs.operators.limbs import hung, of_film
from fathom.programs.operators.patches import sides_shown
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import Value, ValueType
from fathom.programs.views.animated import QUARTERS, AnimatedView


def _count(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, looks.count_colored(run.view, *args)))


def _worn(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return len(looks.worn(run.view))


# What shows it


def _shows_group(w: Walk) -> Conditions:
    """Every limb of the group."""
    names = looks.limbs_of(w.timeline, w.step.args[0])
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n)) for n in names)))


def _shows_one(w: Walk) -> Conditions:
    return Conditions((*w.before, Condition(w.value, limb_cells(w.timeline, w.value))))


def _shows_worn(w: Walk) -> Conditions:
    """Everything that it wears or holds, and all its sides, on which there could be more."""
    own = [Condition(name(w.timeline, k), clear(w.timeline, k)) for k in looks.worn(w.timeline)]
    return Conditions((*w.before, *own, *sides_shown(w.timeline, QUARTERS)))


_TWO = ("text", "text")

declare(
    Operator("limbs_painted", (), ValueType.NUMBER, _count, ANIMATED, _TWO, evidence=_shows_group),
    Operator(
        "limb_painted", (), ValueType.WORD, of_film(looks.only_colored), ANIMATED, _TWO, evidence=_shows_one
    ),
    Operator("worn", (), ValueType.NUMBER, _worn, ANIMATED, evidence=_shows_worn),
)
