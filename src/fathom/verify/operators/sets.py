"""The operators about sets of objects, counts and comparisons."""

from __future__ import annotations

from fathom.verify.observed.still import ObservedStill
from fathom.verify.registry import ANIMATION, STILL, Attempt, declare
from fathom.verify.undecided import NoAnswer
from fathom.verify.values import ObjectSet, Value

Still = Attempt[ObservedStill]
Args = tuple[str, ...]


def the_object(value: Value) -> int:
    """Return the one object of a set. Raises NoAnswer where there is none, or more than one."""
    members = object_set(value).members
    if len(members) != 1:
        raise NoAnswer
    return members[0]


def object_set(value: Value) -> ObjectSet:
    """Return a value that is a set of objects. Raises NoAnswer for another one."""
    if not isinstance(value, ObjectSet):
        raise NoAnswer
    return value


def those(members: set[int] | frozenset[int]) -> ObjectSet:
    """Return a set of objects, in the scene's order."""
    return ObjectSet(tuple(sorted(members)))


def _members(value: Value) -> frozenset[int]:
    return frozenset(object_set(value).members)


def _everything(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    return those(attempt.observed.everything)


def _unique(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    return ObjectSet((the_object(inputs[0]),))


def _union(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    return those(_members(inputs[0]) | _members(inputs[1]))


def _intersect(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    return those(_members(inputs[0]) & _members(inputs[1]))


def _others(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
    return those(attempt.observed.everything - {the_object(inputs[0])})


def _count(attempt: Still, inputs: list[Value], args: Args) -> int:
    return len(inputs[0].members)


def _number(value: Value) -> int:
    if isinstance(value, ObjectSet):
        return len(value.members)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NoAnswer
    return value


declare(STILL | ANIMATION, {"count": _count})
declare(
    STILL,
    {
        "scene": _everything,
        "unique": _unique,
        "union": _union,
        "intersect": _intersect,
        "others": _others,
        "exist": lambda attempt, inputs, args: bool(object_set(inputs[0]).members),
        "equal_integer": lambda attempt, inputs, args: _number(inputs[0]) == _number(inputs[1]),
        "less_than": lambda attempt, inputs, args: _number(inputs[0]) < _number(inputs[1]),
        "greater_than": lambda attempt, inputs, args: _number(inputs[0]) > _number(inputs[1]),
        "equal_object": lambda attempt, inputs, args: the_object(inputs[0]) == the_object(inputs[1]),
    },
)
