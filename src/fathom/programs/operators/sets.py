"""Operators on sets: what there is, the one that fits, how many.

Ref: PulseCheck457 §3.3, appendix A; docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fathom.programs.evidence.conditions import Condition, Conditions, Walk, alike, clear, name, stretch
from fathom.programs.evidence.events import done, shows_event, undone
from fathom.programs.margins import Ratios, Weighed
from fathom.programs.registry import ANIMATED, STILL, VIDEO, Act, Operator, ProgramRun, declare
from fathom.programs.values import CERTAIN, SURE, Pair, Set, Unanswerable, Value, ValueType, kept, members
from fathom.programs.views.animated import AnimatedView, Moment
from fathom.programs.views.still import StillView

# Stills: pairs of masks


def _unique(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    yes, maybe = inputs[0]
    if not maybe:
        raise Unanswerable("nothing fits the description")
    if yes & (yes - 1):
        raise Unanswerable("several things fit the description")
    if yes != maybe:
        raise Unanswerable("it is undecided what fits the description", open=True)
    return int(yes.bit_length() - 1)


def _exist(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> bool:
    yes, maybe = inputs[0]
    if yes:
        return True
    if maybe:
        raise Unanswerable("it is undecided whether there is one", open=True)
    return False


def _others(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    other = ~(1 << inputs[0])
    yes, maybe = run.view.scene_masks
    return yes & other, maybe & other


def _union(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    one, other = inputs
    return one[0] | other[0], one[1] | other[1]


def _intersect(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
    one, other = inputs
    return one[0] & other[0], one[1] & other[1]


# All scenes


def _count(run: ProgramRun[Any], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = inputs[0]
    if isinstance(found, tuple):
        yes, maybe = found
        if yes != maybe:
            raise Unanswerable("it is undecided how many there are", open=True)
        return int(yes.bit_count())
    for truth in found.values():
        run.hang_on(truth.firmness)
    return len(members(found))


def the_only(run: ProgramRun[Any], value: Set, what: str) -> int:
    """Return the only member of a set of objects or events. Raises Stop where there is none, or several."""
    found = members(value)
    if len(found) != 1:
        raise Unanswerable(f"{'more than one' if found else 'no'} {what} fits")
    for k, truth in value.items():
        run.hang_on(truth if k == found[0] else -truth)
    return found[0]


def _the(run: ProgramRun[Any], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return the_only(run, inputs[0], "object")


# Animated scenes


def _objects(keep: Callable[[AnimatedView, int], bool]) -> Act:
    def act(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
        return {k: SURE for k in run.view.subjects if keep(run.view, k)}

    return act


def _there(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]
    there = run.view.visibility.there[first : last + 1]
    return kept(inputs[0], lambda k: bool(there[:, k].all()))


def _matching(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.fits(args[0], k))


# How firm it is in stills


def firm_members(step: Weighed) -> float:
    """Return how firm it is who belongs to the set that a step reads, and who does not."""
    return min(map(abs, step.members), default=CERTAIN)


def _firm_unique(step: Weighed) -> float:
    one, others = step.value, step.members
    return min(others[one], -max([*others[:one], *others[one + 1 :]], default=-CERTAIN))


def _firm_exist(step: Weighed) -> float:
    return abs(max(step.members, default=CERTAIN))


def _firm_union(step: Weighed) -> Ratios:
    return [max(a, b) for a, b in zip(step.members, step.sets[1] or [], strict=True)]


def _firm_intersect(step: Weighed) -> Ratios:
    return [min(a, b) for a, b in zip(step.members, step.sets[1] or [], strict=True)]


# What shows it


def _shows_scene(w: Walk) -> Conditions:
    return Conditions(
        (), {k: (Condition(name(w.timeline, k), clear(w.timeline, k)),) for k in members(w.value)}
    )


def _missed(timeline: AnimatedView, obj: int, moment: Moment) -> tuple[Condition, ...]:
    """Return what shows that an object is not there at a moment: its empty place."""
    absent = ~timeline.visibility.there[:, obj]
    frame = moment[1] if absent[moment[1]] else moment[0]
    if not absent[frame]:
        return ()
    gone = np.flatnonzero(stretch(absent, (frame, frame)))
    first, last = int(gone[0]), int(gone[-1])
    for h in timeline.happenings:
        if h.object_id == obj and h.what == "vanishes" and h.last <= first:
            return (done(timeline, h, first, last),)
        if h.object_id == obj and h.what == "appears" and h.first > last:
            return (undone(timeline, h, first, last),)
    return ()


def _shows_there(w: Walk) -> Conditions:
    there = w.timeline.visibility.there
    seen = alike(w, lambda k: there[:, k], lambda k: clear(w.timeline, k), "there")
    gone = set(members(w.inputs[0])) - set(members(w.value))
    missed = {k: _missed(w.timeline, k, w.inputs[-1]) for k in sorted(gone)}
    return Conditions(seen.value, {**(seen.of or {}), **missed})


def _shows_only(w: Walk) -> Conditions:
    return Conditions((*w.before, *w.of(0, w.value)))


def shows_members(w: Walk) -> Conditions:
    """Return what shows who belongs to the set that is counted, and who does not."""
    counted = members(w.inputs[0])
    others = set(w.seen[0].of or {}) - set(counted)
    conditions = [s for k in (*counted, *sorted(others)) for s in w.of(0, k)]
    if w.kinds[0] is ValueType.EVENTS:
        for k in counted:
            conditions += shows_event(w.timeline, w.timeline.happenings[k])
    return Conditions((*w.before, *conditions))


declare(
    Operator("scene", (), ValueType.OBJECTS, lambda r, i, a: r.view.scene_masks, STILL),
    Operator("unique", (ValueType.OBJECTS,), ValueType.OBJECT, _unique, STILL, firm=_firm_unique),
    Operator("unique", (ValueType.PARTS,), ValueType.PART, _unique, STILL),
    Operator("others", (ValueType.OBJECT,), ValueType.OBJECTS, _others, STILL),
    Operator(
        "union", (ValueType.OBJECTS, ValueType.OBJECTS), ValueType.OBJECTS, _union, STILL, firm=_firm_union
    ),
    Operator(
        "intersect",
        (ValueType.OBJECTS, ValueType.OBJECTS),
        ValueType.OBJECTS,
        _intersect,
        STILL,
        firm=_firm_intersect,
    ),
    Operator(
        "count",
        (ValueType.OBJECTS,),
        ValueType.NUMBER,
        _count,
        STILL | ANIMATED,
        evidence=shows_members,
        firm=firm_members,
    ),
    Operator("count", (ValueType.PARTS,), ValueType.NUMBER, _count, STILL),
    Operator("count", (ValueType.EVENTS,), ValueType.NUMBER, _count, ANIMATED, evidence=shows_members),
    Operator("exist", (ValueType.OBJECTS,), ValueType.BOOL, _exist, STILL, firm=_firm_exist),
    Operator("exist", (ValueType.PARTS,), ValueType.BOOL, _exist, STILL),
    Operator("things", (), ValueType.OBJECTS, _objects(lambda s, k: True), ANIMATED, evidence=_shows_scene),
    Operator(
        "standing",
        (),
        ValueType.OBJECTS,
        _objects(lambda s, k: not s.places[k]),
        ANIMATED,
        evidence=_shows_scene,
    ),
    Operator(
        "carried",
        (),
        ValueType.OBJECTS,
        _objects(lambda s, k: bool(s.places[k])),
        ANIMATED,
        evidence=_shows_scene,
    ),
    Operator(
        "there",
        (ValueType.OBJECTS, ValueType.SPAN),
        ValueType.OBJECTS,
        _there,
        ANIMATED,
        evidence=_shows_there,
    ),
    Operator(
        "matching", (ValueType.OBJECTS,), ValueType.OBJECTS, _matching, ANIMATED, ("text",), judged=True
    ),
    Operator("only", (ValueType.OBJECTS,), ValueType.OBJECT, _the, ANIMATED, evidence=_shows_only),
    Operator("actor", (), ValueType.OBJECT, lambda r, i, a: 0, ANIMATED),
    Operator("the", (ValueType.OBJECTS,), ValueType.OBJECT, _the, VIDEO),
)
