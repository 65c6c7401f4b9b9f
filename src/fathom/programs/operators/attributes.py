"""Operators on what objects are: size, color, shape, name, and where on the actor they are carried.

Ref: PulseCheck457 §3.3, appendix A; docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.programs.evidence.conditions import Condition, Conditions, Walk, clear, name, stretch, times
from fathom.programs.margins import Firm, Ratios, Weighed, crisp
from fathom.programs.registry import ANIMATED, STILL, Act, Operator, ProgramRun, declare
from fathom.programs.values import Pair, Set, Unanswerable, Value, ValueType, kept, known, members
from fathom.programs.views.animated import AnimatedView
from fathom.programs.views.still import StillView

# Stills


def _query(attribute: str) -> Act:
    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> str:
        facts = run.view
        value = facts.values[attribute][inputs[0]]
        if not value:
            raise Unanswerable(f"the {attribute} of {facts.objects[inputs[0]]} is not known", open=True)
        return value

    return act


def _filter(attribute: str) -> Act:
    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        masks = run.view.marks[attribute]
        mask = masks.get(args[0]) or masks.get("") or (0, 0)
        yes, maybe = inputs[0]
        return yes & mask[0], maybe & mask[1]

    return act


def _same(attribute: str) -> Act:
    query = _query(attribute)

    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        facts = run.view
        yes, maybe = facts.marks[attribute][query(run, inputs, args)]
        other = ~(1 << inputs[0])
        return yes & other & facts.scene_masks[0], maybe & other

    return act


def _firm_filter(attribute: str) -> Firm:
    def firm(step: Weighed) -> Ratios:
        masks = step.facts.marks[attribute]
        mask = masks.get(step.arg) or masks.get("") or (0, 0)
        return list(map(min, step.members, crisp(mask, step.facts.n)))

    return firm


# Animated scenes


def _place(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.places[k] == args[0])


def _named(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.names[k][inputs[1][1]] == args[0])


def _colored(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.colors[k][inputs[1][1]] == args[0])


def _color(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.colors[inputs[0]][inputs[1][1]], "colour")


def _name(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.names[inputs[0]][inputs[1][1]], "name")


def _place_of(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.places[inputs[0]], "place on the actor")


# What shows it


def _shows_described(w: Walk) -> Conditions:
    course = w.timeline.names if w.step.op == "named" else w.timeline.colors
    arg = w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([word == arg for word in course[k]])

    timeline, moment = w.timeline, w.inputs[-1]
    of = {}
    for k in members(w.value):
        when = times(timeline, stretch(held(k), moment))
        joint = clear(timeline, k) & when
        for s in w.of(0, k):
            joint = joint & s.cells
        what = name(timeline, k, moment)
        own = (Condition(what, clear(timeline, k) & when),)
        of[k] = (Condition(what, joint),) if joint.any() else (*w.of(0, k), *own)
    for k in set(w.seen[0].of or {}) - set(members(w.inputs[0])):
        # What has gone, or is still to come, would have been among these.
        if course[k][timeline.debut(k)] == arg:
            of[k] = w.of(0, k)
    return Conditions(w.before, of)


def _shows_state(w: Walk) -> Conditions:
    timeline, obj = w.timeline, w.inputs[0]
    course = timeline.colors[obj] if w.step.op == "color" else timeline.names[obj]
    held = np.array([word == w.value for word in course]) & timeline.visibility.there[:, obj]
    when = times(timeline, stretch(held, (w.inputs[1][1],) * 2))
    return Conditions((*w.before, Condition(name(timeline, obj, w.inputs[1]), clear(timeline, obj) & when)))


def _shows_key(w: Walk) -> Conditions:
    return Conditions((*w.before, Condition(name(w.timeline, w.inputs[0]), clear(w.timeline, w.inputs[0]))))


def _shows_place_of(w: Walk) -> Conditions:
    both = clear(w.timeline, w.inputs[0]) & clear(w.timeline, 0)
    return Conditions((*w.before, Condition(f"{name(w.timeline, w.inputs[0])} on it", both)))


KIND_OF = {"size": ValueType.SIZE, "color": ValueType.COLOR, "shape": ValueType.SHAPE}

for _a, _kind in KIND_OF.items():
    declare(
        Operator(
            f"filter_{_a}",
            (ValueType.OBJECTS,),
            ValueType.OBJECTS,
            _filter(_a),
            STILL,
            ("text",),
            judged=True,
            firm=_firm_filter(_a),
        ),
        Operator(f"query_{_a}", (ValueType.OBJECT,), _kind, _query(_a), STILL),
        Operator(f"same_{_a}", (ValueType.OBJECT,), ValueType.OBJECTS, _same(_a), STILL, judged=True),
        Operator(f"equal_{_a}", (_kind, _kind), ValueType.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    )

_OBJECTS_THEN = (ValueType.OBJECTS, ValueType.SPAN)
_OBJECT_THEN = (ValueType.OBJECT, ValueType.SPAN)

declare(
    Operator("place", (ValueType.OBJECTS,), ValueType.OBJECTS, _place, ANIMATED, ("text",)),
    Operator(
        "named",
        _OBJECTS_THEN,
        ValueType.OBJECTS,
        _named,
        ANIMATED,
        ("text",),
        judged=True,
        evidence=_shows_described,
    ),
    Operator(
        "colored",
        _OBJECTS_THEN,
        ValueType.OBJECTS,
        _colored,
        ANIMATED,
        ("text",),
        judged=True,
        evidence=_shows_described,
    ),
    Operator("color", _OBJECT_THEN, ValueType.WORD, _color, ANIMATED, evidence=_shows_state),
    Operator("name", _OBJECT_THEN, ValueType.WORD, _name, ANIMATED, evidence=_shows_state),
    Operator(
        "key",
        (ValueType.OBJECT,),
        ValueType.WORD,
        lambda r, i, a: r.view.keys[i[0]],
        ANIMATED,
        evidence=_shows_key,
    ),
    Operator("place_of", (ValueType.OBJECT,), ValueType.WORD, _place_of, ANIMATED, evidence=_shows_place_of),
)
