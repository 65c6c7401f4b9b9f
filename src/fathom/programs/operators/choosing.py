"""The choice that ends a program over an animated scene: which of four keys fits, or which does not.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from fathom.programs.evidence.conditions import Condition, Conditions, Walk, part_cells
from fathom.programs.evidence.events import shows_event
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.state import ACTS
from fathom.programs.values import NEVER, SURE, TruthValue, Unanswerable, Value, ValueType, members
from fathom.programs.views.animated import AnimatedView


def truth_of(timeline: AnimatedView, kind: ValueType, value: Value, key: str) -> TruthValue:
    """Return how firmly a choice's key is, is among, or fits a value."""
    if kind is ValueType.OBJECT:
        return SURE if timeline.fits(key, value) else NEVER
    if kind is ValueType.OBJECTS:
        return max((t for k, t in value.items() if timeline.fits(key, k)), key=_ratio, default=NEVER)
    if kind is ValueType.EVENT:
        return SURE if timeline.happenings[value].key == key else NEVER
    if kind is ValueType.EVENTS:
        fitting = (t for k, t in value.items() if timeline.happenings[k].key == key)
        return max(fitting, key=_ratio, default=NEVER)
    return SURE if (key in value if kind is ValueType.PARTS else key == str(value)) else NEVER


def _ratio(truth: TruthValue) -> float:
    return truth.ratio


def _choose(kind: ValueType, wanted: bool) -> Act:
    def act(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
        if len(set(args)) != len(args):
            raise Unanswerable("two choices are the same")
        truths = {key: truth_of(run.view, kind, inputs[0], key) for key in args}
        found = [key for key, truth in truths.items() if (truth.ratio > 0) == wanted]
        if len(found) != 1:
            raise Unanswerable(f"{len(found)} of the choices fit")
        for truth in truths.values():
            run.hang_on(truth.firmness)
        return found[0]

    return act


# What shows it


def _shows_choose(w: Walk) -> Conditions:
    conditions = [*w.before]
    if w.kinds[0] is ValueType.OBJECTS:
        for k in members(w.inputs[0]):
            if w.timeline.fits(w.value, k):
                conditions += w.of(0, k)
    elif w.kinds[0] is ValueType.EVENTS:
        conditions += _shows_done(w, w.value)
    elif w.kinds[0] is ValueType.PARTS and w.seen[0].of is not None:
        # Limbs are told apart from parts, which are counted from the other end.
        limbs, parts = w.timeline.visibility.limbs_of(0), w.timeline.visibility.parts_of(0)
        places = {**{n: ~k for n, k in parts.items()}, **limbs}
        conditions += [s for key in w.step.args if key in places for s in w.of(0, places[key])]
    elif w.kinds[0] is ValueType.PARTS:
        conditions.append(Condition(w.value, part_cells(w.timeline, w.value)))
    return Conditions(tuple(conditions))


def _shows_choose_other(w: Walk) -> Conditions:
    others = [key for key in w.step.args if key != w.value]
    conditions = [*w.before]
    if w.kinds[0] is ValueType.EVENTS:
        return Conditions((*conditions, *(c for key in others for c in _shows_done(w, key))))
    for k in members(w.inputs[0]):
        if any(w.timeline.fits(key, k) for key in others):
            conditions += w.of(0, k)
    return Conditions(tuple(conditions))


def _shows_done(w: Walk, key: str) -> Iterator[Condition]:
    """Yield what shows that something happens. Of an action that is done again it begins one time or another,
    goes on then or then, and is in full swing: whoever sees each of these has seen it.
    """
    found = [(k, h) for k in members(w.inputs[0]) if (h := w.timeline.happenings[k]).key == key]
    every = [(*w.of(0, k), *shows_event(w.timeline, h)) for k, h in found]
    if all(h.what == ACTS for _, h in found) and len({len(own) for own in every}) == 1:
        for same in zip(*every, strict=True):
            yield replace(same[0], cells=np.logical_or.reduce([c.cells for c in same]))
    else:
        yield from (c for own in every for c in own)


_MANY = ValueType.OBJECTS, ValueType.EVENTS
_ASKED = (
    ValueType.WORD,
    ValueType.NUMBER,
    ValueType.ORDER,
    ValueType.OBJECT,
    ValueType.EVENT,
    ValueType.PARTS,
    *_MANY,
)
_KEYS = ("text",) * 4

declare(
    *(
        Operator("choose", (k,), ValueType.CHOICE, _choose(k, True), ANIMATED, _KEYS, evidence=_shows_choose)
        for k in _ASKED
    ),
    *(
        Operator(
            "choose_other",
            (k,),
            ValueType.CHOICE,
            _choose(k, False),
            ANIMATED,
            _KEYS,
            evidence=_shows_choose_other,
        )
        for k in _MANY
    ),
)
