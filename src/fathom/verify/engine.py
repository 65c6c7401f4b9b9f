"""One interpreter for the second derivation: a program's steps, run on what can be told from truth cells.

    still = observed_still(scene, truth, "fathom")               # stills
    animation = observed_animation(scene, cells, motions)        # multi-view animations
    video = observed_video(scene, cells)                         # videos
    derive(question.program, still)         # what it comes to; None: the evidence is insufficient
    derived_text(question.program, still)   # the same as text: "" for no answer

Nothing of the first derivation is used: operators are written here again, from their meaning.
docs/second-derivation.md has the table of what each operator uses.
"""

from __future__ import annotations

from collections.abc import Sequence

import fathom.verify.operators  # noqa: F401 (fills the table of operators)
from fathom.records import DataError, Step
from fathom.verify.registry import OPERATORS, Attempt, ObservedScene, VerifyOperator
from fathom.verify.undecided import Assumptions, NoAnswer, settled
from fathom.verify.values import NONE, DerivedAnswer, ObjectRef, Value, text_of, word


def derive(program: Sequence[Step], observed: ObservedScene) -> DerivedAnswer | None:
    """Return what a program comes to: a word, numbers, each surer than its tolerance, or that there is no
    answer (`NONE`); None where the evidence cannot decide.

    Raises DataError for an operator that is not known here.
    """
    found = measured(program, observed)
    return found if found is not None and found.decided else None


def measured(program: Sequence[Step], observed: ObservedScene) -> DerivedAnswer | None:
    """Return what `derive` does, however unsure its numbers are."""
    operators = [_operator(number, step, observed) for number, step in enumerate(program)]

    def run(assumptions: Assumptions) -> DerivedAnswer:
        attempt = Attempt(observed, assumptions)
        values: list[Value] = []
        for operator, step in zip(operators, program, strict=True):
            values.append(operator.act(attempt, [values[i] for i in step.inputs], step.args))
        return _answer(values[-1], observed)

    return settled(run, NONE, observed.policy)


def derived_text(program: Sequence[Step], observed: ObservedScene) -> str | None:
    """Return a program's answer in words, "" where there is none, None where the evidence cannot decide."""
    return text_answer(derive(program, observed))


def text_answer(derived: DerivedAnswer | None) -> str | None:
    """Return the word that was derived, "" where there is no answer, None where it cannot be decided."""
    return None if derived is None else derived.word


def _operator(number: int, step: Step, observed: ObservedScene) -> VerifyOperator:
    operator = OPERATORS[observed.kind].get(step.op)
    if operator is None:
        raise DataError(f"step {number}: the second derivation does not know the operator {step.op!r}")
    return operator


def _answer(value: Value, observed: ObservedScene) -> DerivedAnswer:
    """Return a program's last value as an answer. Raises NoAnswer where it is none: a set, a time."""
    if isinstance(value, DerivedAnswer):
        return value
    if isinstance(value, ObjectRef):
        return word(observed.object_id(value.index))
    if not isinstance(value, str | int):
        raise NoAnswer
    return word(text_of(value))
