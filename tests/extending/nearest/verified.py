"""The operator `nearest` again, from pixels: it shares nothing with the first."""

from __future__ import annotations

from fathom.verify.observed.still import ObservedStill
from fathom.verify.operators.sets import object_set
from fathom.verify.registry import STILL, Attempt, VerifyOperator
from fathom.verify.undecided import NoAnswer
from fathom.verify.values import ObjectSet, Value


def nearest(attempt: Attempt[ObservedStill], inputs: list[Value], args: tuple[str, ...]) -> ObjectSet:
    """Return the object of a set that is seen nearest. Raises NoAnswer where there is none."""
    still, some = attempt.observed, object_set(inputs[0]).members
    for i in some:
        farther = [attempt.holds(still.judge.related(still, i, j, "behind"), i, j) for j in some if j != i]
        if farther and all(farther):
            return ObjectSet((i,))
    raise NoAnswer


OPERATORS = (VerifyOperator("nearest", STILL, nearest),)
