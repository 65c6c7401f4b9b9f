"""The operators of question programs: what each takes, gives and does.

A set of things or parts is a pair of masks (certain, certain or open); a thing or a part is its index. An
operator that cannot answer raises `Stop`: `open` where an undecided relation could change the outcome, else
because the question makes no sense in the scene (nothing, or several, fit a description).

Ref: PulseCheck457 §3.3, appendix A; Super-CLEVR-3D for the operators on parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from fathom.programs.facts import ATTRIBUTES, POSES, Facts, Pair


class Kind(Enum):
    """What flows between the steps of a program."""

    SET = "set of things"
    OBJECT = "thing"
    PARTS = "set of parts"
    PART = "part"
    SIZE = "size"
    COLOR = "color"
    SHAPE = "shape"
    POSE = "pose"
    PART_NAME = "part name"
    OCCLUSION = "occlusion"
    INTEGER = "integer"
    BOOL = "yes or no"


class Stop(Exception):
    """Why a program has no answer; `open` where that is only because a relation is undecided."""

    def __init__(self, why: str, open: bool = False) -> None:
        super().__init__(why)
        self.open = open


Value = Any
"""A pair of masks, an index, a word, a number or a truth, as the operator's kind says."""


@dataclass(frozen=True)
class Operator:
    """An operator: the kinds it takes and gives, the arguments it allows (None: none), and what it does."""

    name: str
    takes: tuple[Kind, ...]
    gives: Kind
    act: Callable[[Facts, Sequence[Value], str], Value]
    args: tuple[str, ...] | None = None
    free_args: bool = False


OPERATORS: dict[str, tuple[Operator, ...]] = {}
"""Name → its signatures (`unique` has two: for things and for parts)."""

VIEWER = ("left", "right", "front", "behind")
DRIVE = ("forward", "backward")


def _add(
    name: str,
    takes: Sequence[Kind],
    gives: Kind,
    act: Callable[[Facts, Sequence[Value], str], Value],
    args: tuple[str, ...] | None = None,
    free_args: bool = False,
) -> None:
    OPERATORS[name] = (*OPERATORS.get(name, ()), Operator(name, tuple(takes), gives, act, args, free_args))


def _unique(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    yes, maybe = inputs[0]
    if not maybe:
        raise Stop("nothing fits the description")
    if yes & (yes - 1):
        raise Stop("several things fit the description")
    if yes != maybe:
        raise Stop("it is undecided what fits the description", open=True)
    return yes.bit_length() - 1


def _count(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    yes, maybe = inputs[0]
    if yes != maybe:
        raise Stop("it is undecided how many there are", open=True)
    return yes.bit_count()


def _exist(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    yes, maybe = inputs[0]
    if yes:
        return True
    if maybe:
        raise Stop("it is undecided whether there is one", open=True)
    return False


def _query(attribute: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        value = facts.values[attribute][inputs[0]]
        if not value:
            raise Stop(f"the {attribute} of {facts.things[inputs[0]]} is not known", open=True)
        return value

    return act


def _query_pose(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    bit = 1 << inputs[0]
    held = [name for name in POSES if facts.states[f"faces:{name}"].masks[0] & bit]
    if len(held) == 1:
        return held[0]
    maybe = any(facts.states[f"faces:{name}"].masks[1] & bit for name in POSES)
    raise Stop(f"{facts.things[inputs[0]]} faces none of the four directions", open=maybe)


def _filter(attribute: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        marks = facts.marks[attribute]
        mark = marks.get(arg) or marks.get("") or (0, 0)
        return inputs[0][0] & mark[0], inputs[0][1] & mark[1]

    return act


def _state(facts: Facts, name: str) -> Pair:
    if name not in facts.states:
        raise Stop(f"{facts.scene} has no sights, which {name} is told from")
    return facts.states[name].masks


def _filter_state(prefix: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        mark = _state(facts, prefix + arg)
        return inputs[0][0] & mark[0], inputs[0][1] & mark[1]

    return act


def _relate(prefix: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        relation = facts.relations.get(prefix + arg)
        if relation is None:
            raise Stop(f"{facts.scene} has no sights, which {prefix + arg} is told from")
        yes, maybe = relation.rows[inputs[0]]
        return yes & facts.scene_masks[0], maybe

    return act


def _same(attribute: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        value = facts.values[attribute][inputs[0]]
        if not value:
            raise Stop(f"the {attribute} of {facts.things[inputs[0]]} is not known", open=True)
        yes, maybe = facts.marks[attribute][value]
        other = ~(1 << inputs[0])
        return yes & other & facts.scene_masks[0], maybe & other

    return act


def _others(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    other = ~(1 << inputs[0])
    return facts.scene_masks[0] & other, facts.scene_masks[1] & other


def _part_filter(key: str) -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        mark = facts.part_marks.get(key, {}).get(arg, 0)
        return inputs[0][0] & mark, inputs[0][1] & mark

    return act


def _part_query(key: str, default: str = "") -> Callable[[Facts, Sequence[Value], str], Value]:
    def act(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
        part = facts.parts[inputs[0]]
        value = part.name if key == "name" else part.attributes.get(key, default)
        if not value:
            raise Stop(f"the {key} of the {part.name} of {facts.things[part.thing]} is not known", open=True)
        return value

    return act


def _occluded_parts(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    marks = facts.part_marks.get("occlusion", {})
    hidden = marks.get("partial", 0) | marks.get("full", 0)
    return inputs[0][0] & hidden, inputs[0][1] & hidden


def _parts_of_set(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    yes = maybe = 0
    for k, p in enumerate(facts.parts):
        yes |= (inputs[0][0] >> p.thing & 1) << k
        maybe |= (inputs[0][1] >> p.thing & 1) << k
    return yes, maybe


def _parts_of_thing(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    mask = 1 << inputs[0]
    return _parts_of_set(facts, ((mask, mask),), arg)


def _part_occluders(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    named = facts.parts[inputs[0]].attributes.get("occluded_by", "").split(",")
    mask = sum(1 << k for k, name in enumerate(facts.things) if name in named)
    return mask, mask


def _parts_hidden_by(facts: Facts, inputs: Sequence[Value], arg: str) -> Value:
    name = facts.things[inputs[0]]
    mask = sum(
        1 << k for k, p in enumerate(facts.parts) if name in p.attributes.get("occluded_by", "").split(",")
    )
    return mask, mask


S, O, N, B = Kind.SET, Kind.OBJECT, Kind.INTEGER, Kind.BOOL  # noqa: E741
KIND_OF = {"size": Kind.SIZE, "color": Kind.COLOR, "shape": Kind.SHAPE}

_add("scene", (), S, lambda f, i, a: f.scene_masks)
for _a in ATTRIBUTES:
    _add(f"filter_{_a}", (S,), S, _filter(_a), free_args=True)
    _add(f"query_{_a}", (O,), KIND_OF[_a], _query(_a))
    _add(f"same_{_a}", (O,), S, _same(_a))
    _add(f"equal_{_a}", (KIND_OF[_a], KIND_OF[_a]), B, lambda f, i, a: i[0] == i[1])
_add("filter_pose", (S,), S, _filter_state("faces:"), args=tuple(POSES))
_add("query_pose", (O,), Kind.POSE, _query_pose)
_add("filter_occludee", (S,), S, _filter_state("occludee"))
_add("filter_occluder", (S,), S, _filter_state("occluder"))
_add("unique", (S,), O, _unique)
_add("unique", (Kind.PARTS,), Kind.PART, _unique)
_add("others", (O,), S, _others)
_add("relate", (O,), S, _relate(""), args=VIEWER)
_add("relate_own", (O,), S, _relate("own:"), args=VIEWER)
_add("relate_hit", (O,), S, _relate("hit:"), args=DRIVE)
_add("relate_first", (O,), S, _relate("first:"), args=DRIVE)
_add("relate_path", (O,), S, _relate("path:"), args=DRIVE)
_add("relate_occluded", (O,), S, _relate("occluders"))
_add("relate_occluding", (O,), S, _relate("occludees"))
for _p in ("same", "opposite", "vertical"):
    _add(f"{_p}_pose", (O,), S, _relate(f"pose:{_p}"))
_add("union", (S, S), S, lambda f, i, a: (i[0][0] | i[1][0], i[0][1] | i[1][1]))
_add("intersect", (S, S), S, lambda f, i, a: (i[0][0] & i[1][0], i[0][1] & i[1][1]))
_add("count", (S,), N, _count)
_add("count", (Kind.PARTS,), N, _count)
_add("exist", (S,), B, _exist)
_add("exist", (Kind.PARTS,), B, _exist)
_add("equal_integer", (N, N), B, lambda f, i, a: i[0] == i[1])
_add("less_than", (N, N), B, lambda f, i, a: i[0] < i[1])
_add("greater_than", (N, N), B, lambda f, i, a: i[0] > i[1])
_add("equal_object", (O, O), B, lambda f, i, a: i[0] == i[1])
_add("equal_pose", (Kind.POSE, Kind.POSE), B, lambda f, i, a: i[0] == i[1])
_add("object2part", (O,), Kind.PARTS, _parts_of_thing)
_add("object2part_all", (S,), Kind.PARTS, _parts_of_set)
_add("part2object", (Kind.PART,), O, lambda f, i, a: f.parts[i[0]].thing)
for _a in ("size", "color"):
    _add(f"partfilter_{_a}", (Kind.PARTS,), Kind.PARTS, _part_filter(_a), free_args=True)
    _add(f"partquery_{_a}", (Kind.PART,), KIND_OF[_a], _part_query(_a))
_add("partfilter_shape", (Kind.PARTS,), Kind.PARTS, _part_filter("name"), free_args=True)
_add("partquery_shape", (Kind.PART,), Kind.PART_NAME, _part_query("name"))
_add("partfilter_occludee", (Kind.PARTS,), Kind.PARTS, _occluded_parts)
_add("partquery_occlusion", (Kind.PART,), Kind.OCCLUSION, _part_query("occlusion", "none"))
_add("relate_part_occluded", (Kind.PART,), S, _part_occluders)
_add("relate_occluding_part", (O,), Kind.PARTS, _parts_hidden_by)
