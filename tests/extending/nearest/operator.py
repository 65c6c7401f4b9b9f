"""The operator `nearest`, from the exact poses: of a set of objects the one nearest to the camera."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.margins import Weighed
from fathom.programs.registry import STILL, Operator, ProgramRun
from fathom.programs.values import Unanswerable, Value, ValueType
from fathom.programs.views.still import StillView


def nearest(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    """Return the object that all others of a set are farther than. Raises Stop where there is none."""
    yes, maybe = inputs[0]
    if yes & (yes - 1) == 0:
        raise Unanswerable("nothing is nearest of fewer than two", open=yes != maybe)
    for k, (farther, _) in enumerate(run.view.relations["behind"].rows):
        if yes >> k & 1 and (yes | maybe) & ~(1 << k) & ~farther == 0:
            return k
    raise Unanswerable("two of them are about as near to the camera", open=True)


def firm(step: Weighed) -> float:
    """Return how firm the outcome is: each other is farther, or not in the set; in tolerances."""
    k, behind = step.value, step.facts.relations["behind"]
    ratios = step.consulted.add(behind, k, behind.ratios(k))
    others = [j for j in range(step.facts.n) if j != k]
    return min(step.members[k], *(max(-step.members[j], ratios[j]) for j in others))


OPERATORS = (Operator("nearest", (ValueType.OBJECTS,), ValueType.OBJECT, nearest, STILL, firm=firm),)
