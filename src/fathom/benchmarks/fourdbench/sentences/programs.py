"""From the steps of a program to what it asks, in the same form as from the words."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.benchmarks.fourdbench.sentences.meaning import Node, narrowed, set_of
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns
from fathom.records import ContradictionError, Step

SOURCES = frozenset(("things", "standing", "carried", "actions", "events", "happenings"))

FILTERS = frozenset(
    (
        *("there", "named", "colored", "side", "on", "hidden", "place"),
        *("filter_verb", "filter_event", "of", "around", "within", "earlier", "later"),
    )
)
"""Operators that narrow what they take first."""


def meant_by(program: Sequence[Step], cast: SceneNouns) -> Node:
    """Return what a program asks, without its choices. Raises ContradictionError where it goes astray."""
    last = program[-1]
    if last.op not in ("choose", "choose_other") or len(last.inputs) != 1:
        raise ContradictionError(f"the program ends in {last.op}, and not in a choice")
    return (last.op, _branch(program, last.inputs[0], cast))


def _branch(program: Sequence[Step], at: int, cast: SceneNouns) -> Node:
    if not 0 <= at < len(program) - 1:
        raise ContradictionError("the program reads a step that is not there")
    step = program[at]
    args = tuple(a.casefold() for a in step.args)
    if step.op == "only":
        named = program[step.inputs[0]]
        if named.op == "matching" and program[named.inputs[0]].op == "things":
            return ("thing", cast.matching(named.args[0]))
    taken = tuple(_branch(program, i, cast) for i in step.inputs)
    if step.op in SOURCES:
        return set_of(step.op)
    if step.op in ("growing", "sprouting"):
        return set_of(" ".join((step.op, *args)))
    if step.op == "pick":
        picked = sorted((cast.happening(a) for a in step.args), key=repr)
        return narrowed(taken[0], ("pick", *picked))
    if step.op == "filter_verb":
        return narrowed(taken[0], ("pick", ("acts", step.args[0])))
    if step.op == "times":
        return ("times", ("acts", step.args[0]), *taken)
    if step.op in FILTERS:
        return narrowed(taken[0], (step.op, *args, *taken[1:]))
    return (step.op, *args, *taken)
