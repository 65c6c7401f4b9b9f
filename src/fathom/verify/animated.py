"""Answers about films derived a second time, from what the cells of the truth pass show.

    film = observed_animation(scene, cells, repertoire)
    derive(question.program, film)            # the key of a choice, "" for none, None: cannot decide

The operators are written here again, from their meaning (docs/benchmarks/4d-bench-questions.md). What lies
too close to a threshold is taken both ways, and only what comes out either way is an answer.

docs/second-derivation.md has the table of what each operator uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.records import DataError, Step
from fathom.verify.observed.animation import ObservedAnimation, observed_animation
from fathom.verify.operators.animated_values import Asked, Operator, Value, chosen
from fathom.verify.operators.events import MOMENTS
from fathom.verify.operators.motion import MOTION
from fathom.verify.operators.objects import THINGS
from fathom.verify.undecided import Assumptions, every_outcome

__all__ = ["derive", "observed_animation"]

OPERATORS: dict[str, Operator] = {**MOMENTS, **THINGS, **MOTION, **chosen()}


def derive(program: Sequence[Step], film: ObservedAnimation) -> str | None:
    """Return the key that the cells give, "" where the program has no answer on them, None: cannot decide.

    Raises DataError for an operator that is not known here.
    """
    for number, step in enumerate(program):
        if step.op not in OPERATORS:
            raise DataError(f"step {number}: the second derivation does not know the operator {step.op!r}")

    def run(taking: Assumptions) -> str:
        asked = Asked(film, taking)
        values: list[Value] = []
        for step in program:
            values.append(OPERATORS[step.op](asked, [values[i] for i in step.inputs], step.args))
        return str(values[-1])

    return every_outcome(run)
