"""Guessing sizes from what an object is called, without looking.

usual size    of sizes: the option nearest to what the same side of objects with the same noun measures at the
              same scale, learnt from the questions about other scenes
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from fathom.questions.numeric.error_sampling import POINTS, Floats
from fathom.records import Question

SIZES = ("height", "length", "width")


def is_size(question: Question) -> bool:
    """Return whether a question asks for a side of one object, as a number among five."""
    steps = question.program or ()
    return bool(steps) and steps[-1].op in SIZES and bool(question.tags.get("unit"))


def noun_of(question: Question) -> str:
    """Return what the object is called of which a question asks the size; "" where it is not named."""
    steps = question.program or ()
    at = len(steps) - 1
    while steps[at].inputs:
        at = steps[at].inputs[0]
        if steps[at].op == "named":
            return steps[at].args[0]
    return ""


def usual_sizes(
    questions: Sequence[Question], clusters: Sequence[str], values: Sequence[Floats]
) -> list[Floats]:
    """Return for each question about a size how much each option is liked, (5,); all alike where no other
    cluster has an object of that noun. `values` are the numbers of the options.
    """
    logs = [np.log(np.maximum(v, 1e-9)) for v in values]
    known: dict[tuple[str, ...], list[tuple[str, float]]] = defaultdict(list)
    for q, cluster, own in zip(questions, clusters, logs, strict=True):
        known[_alike(q)].append((cluster, float(own[q.choices.index(q.answer)])))
    out = []
    for q, cluster, own in zip(questions, clusters, logs, strict=True):
        others = [log for where, log in known[_alike(q)] if where != cluster]
        out.append(-np.abs(own - np.median(others)) if others else np.zeros(POINTS))
    return out


def _alike(question: Question) -> tuple[str, ...]:
    side = (question.program or ())[-1].op
    return question.tags.get("setting", ""), question.tags["unit"], side, noun_of(question)
