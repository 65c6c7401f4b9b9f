"""The operators about what the objects of a still are like: they are drawn so, not measured."""

from __future__ import annotations

from fathom.verify.operators.sets import Args, Still, object_set, the_object, those
from fathom.verify.registry import STILL, Act, declare
from fathom.verify.values import ObjectSet, Value

SPOKEN = {
    "articulated": "articulated bus", "regular": "regular bus", "double": "double bus",
    "school": "school bus", "road": "road bike", "utility": "utility bike", "mountain": "mountain bike",
    "tandem": "tandem bike",
}  # fmt: skip
"""Subtype → what it is called, where that is another word."""


def _attribute(attempt: Still, i: int, name: str) -> str:
    obj = attempt.observed.scene.objects[i]
    return obj.subtype if name == "shape" else obj.attributes.get(name, "")


def _filter(name: str) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        kept = []
        for i in object_set(inputs[0]).members:
            words = {_attribute(attempt, i, name)}
            if name == "shape":
                obj = attempt.observed.scene.objects[i]
                words |= {obj.category, SPOKEN.get(obj.subtype, "")}
            if args[0] in words:
                kept.append(i)
        return ObjectSet(tuple(kept))

    return run


def _query(name: str) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> str:
        found = _attribute(attempt, the_object(inputs[0]), name)
        return SPOKEN.get(found, found)

    return run


def _same(name: str) -> Act:
    def run(attempt: Still, inputs: list[Value], args: Args) -> ObjectSet:
        i = the_object(inputs[0])
        like = _attribute(attempt, i, name)
        others = attempt.observed.everything - {i}
        return those({j for j in others if _attribute(attempt, j, name) == like})

    return run


ATTRIBUTES = ("size", "color", "shape")

declare(STILL, {f"filter_{n}": _filter(n) for n in ATTRIBUTES})
declare(STILL, {f"query_{n}": _query(n) for n in ATTRIBUTES})
declare(STILL, {f"same_{n}": _same(n) for n in ATTRIBUTES})
declare(
    STILL,
    {f"equal_{n}": lambda attempt, inputs, args: inputs[0] == inputs[1] for n in (*ATTRIBUTES, "pose")},
)
