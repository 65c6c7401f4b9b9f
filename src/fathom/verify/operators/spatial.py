"""The operators about where the objects of a still stand and face, what hides them and what they meet.

What the words mean is told by the judge of the rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fathom.verify.observed.still import Truth3
from fathom.verify.operators.sets import Args, Still, object_set, the_object, those
from fathom.verify.registry import STILL, Act, declare
from fathom.verify.undecided import NoAnswer
from fathom.verify.values import ObjectSet, Value


def _said_of(attempt: Still, judged: Mapping[int, Truth3]) -> ObjectSet:
    """Return the objects of which something is said."""
    return those({j for j, verdict in judged.items() if attempt.holds(verdict)})


def _others(attempt: Still, i: int) -> frozenset[int]:
    return attempt.observed.everything - {i}


def _related(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    still, i = attempt.observed, the_object(inputs[0])
    return _said_of(attempt, {j: still.judge.related(still, i, j, args[0]) for j in _others(attempt, i)})


def _own(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    still, i = attempt.observed, the_object(inputs[0])
    return _said_of(attempt, {j: still.judge.own(still, i, j, args[0]) for j in _others(attempt, i)})


def _filter_pose(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    still = attempt.observed
    some = object_set(inputs[0]).members
    return _said_of(attempt, {i: still.judge.facing(still, i, args[0]) for i in some})


def _query_pose(attempt: Still, inputs: list[Value], args: Args) -> str:
    still, i = attempt.observed, the_object(inputs[0])
    ways = ("front", "back", "left", "right")
    sure = [w for w in ways if attempt.holds(still.judge.facing(still, i, w))]
    if len(sure) != 1:
        raise NoAnswer
    return sure[0]


def _pose_relation(word: str) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        still, i = attempt.observed, the_object(inputs[0])
        others = _others(attempt, i)
        return _said_of(attempt, {j: still.judge.turned(still, i, j, word, attempt.holds) for j in others})

    return run


def _hidden_by(attempt: Still, i: int) -> ObjectSet:
    still = attempt.observed
    return _said_of(attempt, {j: still.judge.hides(still, i, j) for j in _others(attempt, i)})


def _hiding(attempt: Still, i: int) -> ObjectSet:
    still = attempt.observed
    return _said_of(attempt, {j: still.judge.hides(still, j, i) for j in _others(attempt, i)})


def _occlusion(look: Callable[[Still, int], ObjectSet]) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        return those({j for i in object_set(inputs[0]).members for j in look(attempt, i).members})

    return run


def _occluded(look: Callable[[Still, int], ObjectSet]) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        return those({i for i in object_set(inputs[0]).members if look(attempt, i).members})

    return run


def _met(what: str) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        still = attempt.observed
        return _said_of(attempt, still.judge.met(still, the_object(inputs[0]), args[0], what))

    return run


declare(
    STILL,
    {
        "relate": _related,
        "relate_own": _own,
        "relate_hit": _met("hit"),
        "relate_first": _met("first"),
        "relate_path": _met("path"),
        "filter_pose": _filter_pose,
        "query_pose": _query_pose,
        "same_pose": _pose_relation("same"),
        "opposite_pose": _pose_relation("opposite"),
        "vertical_pose": _pose_relation("vertical"),
        "filter_occludee": _occluded(_hidden_by),
        "filter_occluder": _occluded(_hiding),
        "relate_occluded": _occlusion(_hidden_by),
        "relate_occluding": _occlusion(_hiding),
    },
)
