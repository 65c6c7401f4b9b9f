"""Operators on parts: those of the objects of a still, and those of an animated scene's actor.

Ref: Super-CLEVR-3D for the parts of stills; docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.programs import motion
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    limb_cells,
    part_cells,
    stretch,
    times,
)
from fathom.programs.evidence.outlook import all_sides
from fathom.programs.operators.attributes import KIND_OF
from fathom.programs.operators.sets import firm_members
from fathom.programs.registry import ANIMATED, STILL, Act, Operator, ProgramRun, declare
from fathom.programs.values import Pair, Unanswerable, Value, ValueType, known
from fathom.programs.views.animated import AnimatedView
from fathom.programs.views.still import StillView

# Stills


def _filter(key: str) -> Act:
    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        mask = run.view.part_marks.get(key, {}).get(args[0], 0)
        return inputs[0][0] & mask, inputs[0][1] & mask

    return act


def _query(key: str, default: str = "") -> Act:
    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> str:
        facts = run.view
        part = facts.parts[inputs[0]]
        value = part.name if key == "name" else part.attributes.get(key, default)
        if not value:
            raise Unanswerable(
                f"the {key} of the {part.name} of {facts.objects[part.object_id]} is not known", open=True
            )
        return value

    return act


def _occluded(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    masks = run.view.part_marks.get("occlusion", {})
    hidden = masks.get("partial", 0) | masks.get("full", 0)
    return inputs[0][0] & hidden, inputs[0][1] & hidden


def _of_set(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    yes = maybe = 0
    for k, p in enumerate(run.view.parts):
        yes |= (inputs[0][0] >> p.object_id & 1) << k
        maybe |= (inputs[0][1] >> p.object_id & 1) << k
    return yes, maybe


def _of_object(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    mask = 1 << inputs[0]
    return _of_set(run, ((mask, mask),), args)


def _owner(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return run.view.parts[inputs[0]].object_id


def _occluders(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    named = run.view.parts[inputs[0]].attributes.get("occluded_by", "").split(",")
    mask = sum(1 << k for k, name in enumerate(run.view.objects) if name in named)
    return mask, mask


def _hidden_by(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    name, parts = run.view.objects[inputs[0]], run.view.parts
    mask = sum(1 << k for k, p in enumerate(parts) if name in p.attributes.get("occluded_by", "").split(","))
    return mask, mask


# Animated scenes


def _color(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    if args[0] not in run.view.parts:
        raise Unanswerable(f"the actor has no part {args[0]}")
    return known(run.view.parts[args[0]][inputs[0][1]], "colour")


def _colored(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n, course in run.view.parts.items() if course[inputs[0][1]] == args[0])


def _legs(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = motion.legs(run.view)
    if not found:
        raise Unanswerable("the actor has no legs")
    return len(found)


# What shows it


def _shows_part_color(w: Walk) -> Conditions:
    name, moment = w.step.args[0], w.inputs[0]
    held = np.array([color == w.value for color in w.timeline.parts[name]])
    when = times(w.timeline, stretch(held, (moment[1],) * 2))
    return Conditions((*w.before, Condition(f"{name} {w.value}", part_cells(w.timeline, name) & when)))


def _shows_legs(w: Walk) -> Conditions:
    """Each leg, and all sides of the actor, on which there could be more."""
    own = [Condition(name, limb_cells(w.timeline, name)) for name in motion.legs(w.timeline)]
    return Conditions((*own, *all_sides(w.timeline)))


_OF_PARTS = (ValueType.PARTS,), ValueType.PARTS

declare(
    Operator("object2part", (ValueType.OBJECT,), ValueType.PARTS, _of_object, STILL),
    Operator("object2part_all", (ValueType.OBJECTS,), ValueType.PARTS, _of_set, STILL, firm=firm_members),
    Operator("part2object", (ValueType.PART,), ValueType.OBJECT, _owner, STILL),
    Operator("partfilter_size", *_OF_PARTS, _filter("size"), STILL, ("text",), judged=True),
    Operator("partquery_size", (ValueType.PART,), KIND_OF["size"], _query("size"), STILL),
    Operator("partfilter_color", *_OF_PARTS, _filter("color"), STILL, ("text",), judged=True),
    Operator("partquery_color", (ValueType.PART,), KIND_OF["color"], _query("color"), STILL),
    Operator("partfilter_shape", *_OF_PARTS, _filter("name"), STILL, ("text",), judged=True),
    Operator("partquery_shape", (ValueType.PART,), ValueType.PART_NAME, _query("name"), STILL),
    Operator("partfilter_occludee", *_OF_PARTS, _occluded, STILL, judged=True),
    Operator(
        "partquery_occlusion", (ValueType.PART,), ValueType.OCCLUSION, _query("occlusion", "none"), STILL
    ),
    Operator("relate_part_occluded", (ValueType.PART,), ValueType.OBJECTS, _occluders, STILL),
    Operator("relate_occluding_part", (ValueType.OBJECT,), ValueType.PARTS, _hidden_by, STILL),
    Operator(
        "part_color",
        (ValueType.SPAN,),
        ValueType.WORD,
        _color,
        ANIMATED,
        ("text",),
        evidence=_shows_part_color,
    ),
    Operator("part_colored", (ValueType.SPAN,), ValueType.PARTS, _colored, ANIMATED, ("text",)),
    Operator("legs", (), ValueType.NUMBER, _legs, ANIMATED, evidence=_shows_legs),
)
