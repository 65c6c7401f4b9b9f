"""Operators on what hides what: in the one view of a still, and from the sides of an animated scene's actor.

Ref: PulseCheck457 §3.3; docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.once import once
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    alike,
    clear,
    name,
    stretch,
    times,
)
from fathom.programs.operators.spatial import at_most, relation, state
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import NEVER, Set, TruthValue, Unanswerable, Value, ValueType, kept, members
from fathom.programs.views.animated import QUARTERS, AnimatedView, Mask, Moment


@once
def hidden_truth(timeline: AnimatedView, obj: int, quarter: str, moment: Moment) -> TruthValue:
    """Return how firmly an object is mostly hidden in all views from a side at a moment."""
    rows = timeline.grid(moment)
    if not timeline.visibility.there[moment[0] : moment[1] + 1, obj].all():
        return NEVER
    views = timeline.views_from(quarter)
    if not len(views):
        raise Unanswerable(f"no view looks from {quarter}")
    between = (timeline.keys[obj],)
    shares, rules = timeline.shares[views][:, rows, obj], timeline.rules
    # Hidden in all of these views at all times, or in none at any.
    most, least = float(shares.max()), float(shares.min())
    value = rules.hidden_share - (most if most <= rules.hidden_share else least)
    ratio = value / rules.hidden_tolerance if most <= rules.hidden_share or value < 0 else 0.0
    if ratio < 0:
        # Nothing stands before it, but seen edge-on hardly anything of it shows.
        plain = float(timeline.plain_shares[views][:, rows, obj].min()) / rules.plain_share
        ratio = ratio if plain >= 1 else 0.0
    ratio = at_most(ratio, timeline.upright(moment))
    return TruthValue(ratio, f"hidden from {quarter}", value, "share", between)


def wholly_hidden(timeline: AnimatedView, obj: int, quarter: str, moment: Moment) -> bool:
    """Return whether next to nothing shows of an object in all views from a side at a moment."""
    shares = timeline.shares[timeline.views_from(quarter)][:, timeline.grid(moment), obj]
    return bool(shares.size) and float(shares.max()) <= timeline.rules.wholly_share


def _hidden(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: hidden_truth(run.view, k, args[0], inputs[1]))


def _hidden_from(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    truths = {q: hidden_truth(run.view, inputs[0], q, inputs[1]) for q in QUARTERS}
    found = [q for q in QUARTERS if truths[q].ratio > 0]
    if len(found) != 1:
        raise Unanswerable(f"it is hidden from {len(found)} sides")
    for truth in truths.values():
        run.hang_on(truth.firmness)
    return found[0]


# What shows it


def _plain(timeline: AnimatedView, obj: int) -> Mask:
    """Return the cells (V, G) that show an object clearly, and much of what any view shows of it."""
    return clear(timeline, obj) & np.asarray(timeline.plain_shares[:, :, obj] >= timeline.rules.plain_share)


def _shows_hidden(w: Walk) -> Conditions:
    timeline, quarter = w.timeline, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array(
            [hidden_truth(timeline, k, quarter, (f, f)).ratio > 0 for f in range(timeline.frames)]
        )

    seen = alike(w, held, lambda k: _plain(timeline, k), "where it shows")
    same = np.ones(timeline.frames, dtype=bool)
    for k in members(w.inputs[0]):
        of_k = held(k)
        same &= of_k == of_k[w.inputs[1][1]]
    views = np.zeros(timeline.visibility.views, dtype=bool)
    views[timeline.views_from(quarter)] = True
    from_there = Condition(
        f"what shows from {quarter}", views[:, None] & times(timeline, stretch(same, w.inputs[1]))
    )
    return Conditions((*seen.value, from_there), seen.of)


def _shows_hidden_from(w: Walk) -> Conditions:
    timeline, obj, quarter = w.timeline, w.inputs[0], w.value

    def held(f: int) -> bool:
        return hidden_truth(timeline, obj, quarter, (f, f)).ratio > 0

    when = times(timeline, stretch(np.array([held(f) for f in range(timeline.frames)]), w.inputs[1]))
    views = np.zeros(timeline.visibility.views, dtype=bool)
    views[timeline.views_from(quarter)] = True
    conditions = (
        Condition(f"what shows from {quarter}", views[:, None] & when),
        Condition(f"{name(timeline, obj, w.inputs[1])} where it shows", _plain(timeline, obj) & when),
    )
    return Conditions((*w.before, *conditions))


declare(
    state("filter_occludee", "occludee"),
    state("filter_occluder", "occluder"),
    relation("relate_occluded", "occluders"),
    relation("relate_occluding", "occludees"),
    Operator(
        "hidden",
        (ValueType.OBJECTS, ValueType.SPAN),
        ValueType.OBJECTS,
        _hidden,
        ANIMATED,
        ("word",),
        QUARTERS,
        judged=True,
        evidence=_shows_hidden,
    ),
    Operator(
        "hidden_from",
        (ValueType.OBJECT, ValueType.SPAN),
        ValueType.WORD,
        _hidden_from,
        ANIMATED,
        evidence=_shows_hidden_from,
    ),
)
