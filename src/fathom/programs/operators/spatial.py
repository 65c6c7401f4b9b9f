"""Operators on where objects are: relations of stills, and sides and distances of animated scenes.

Ref: PulseCheck457 §3.2, appendix A; docs/benchmarks/4d-bench-questions.md, which has the meaning and the
thresholds of each.
"""

from __future__ import annotations

import math
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
from fathom.programs.margins import Firm, Ratios, Weighed
from fathom.programs.registry import ANIMATED, STILL, Act, Operator, ProgramRun, declare
from fathom.programs.values import (
    CERTAIN,
    NEVER,
    Pair,
    Set,
    TruthValue,
    Unanswerable,
    Value,
    ValueType,
    kept,
    members,
)
from fathom.programs.views.animated import QUARTERS, AnimatedView, Moment
from fathom.programs.views.still import POSES, StillView

VIEWER = ("left", "right", "front", "behind")
DRIVE = ("forward", "backward")

# Stills


def _relate(prefix: str) -> Act:
    """Return what gives the objects in a relation to one: that of the name with the argument behind it."""

    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        facts = run.view
        name = prefix + args[0] if args else prefix
        relation = facts.relations.get(name)
        if relation is None:
            raise Unanswerable(f"{facts.scene} has no visibility, which {name} is told from")
        yes, maybe = relation.rows[inputs[0]]
        return yes & facts.scene_masks[0], maybe

    return act


def _filter_state(prefix: str) -> Act:
    """Return what keeps the objects of which a word holds: that of the name with the argument behind it."""

    def act(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        facts = run.view
        name = prefix + args[0] if args else prefix
        state = facts.states.get(name)
        if state is None:
            raise Unanswerable(f"{facts.scene} has no visibility, which {name} is told from")
        mask, (yes, maybe) = state.masks, inputs[0]
        return yes & mask[0], maybe & mask[1]

    return act


def _pose(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    facts, bit = run.view, 1 << inputs[0]
    held = [name for name in POSES if facts.states[f"faces:{name}"].masks[0] & bit]
    if len(held) == 1:
        return held[0]
    maybe = any(facts.states[f"faces:{name}"].masks[1] & bit for name in POSES)
    raise Unanswerable(f"{facts.objects[inputs[0]]} faces none of the four directions", open=maybe)


# How firm it is


def _firm_relation(prefix: str) -> Firm:
    """Return the firmness of a relation: for each object, that of its standing in it to the anchor."""

    def firm(step: Weighed) -> Ratios:
        relation, anchor = step.facts.relations[prefix + step.arg], step.inputs[0]
        ratios = step.consulted.add(relation, anchor, relation.ratios(anchor))
        seen = step.facts.scene_masks[0]
        return [r if seen >> j & 1 or r <= 0 else 0.0 for j, r in enumerate(ratios)]

    return firm


def _firm_state(prefix: str) -> Firm:
    """Return the firmness of a word that holds of single objects, of those of a set."""

    def firm(step: Weighed) -> Ratios:
        state = step.facts.states[prefix + step.arg]
        ratios = step.consulted.add(state, -1, state.ratios())
        return [min(a, b) for a, b in zip(step.members, ratios, strict=True)]

    return firm


def _firm_pose(step: Weighed) -> float:
    least, obj = CERTAIN, step.inputs[0]
    for pose in POSES:
        state = step.facts.states[f"faces:{pose}"]
        ratios = state.ratios()
        if pose == step.value:
            step.consulted.add(state, -1, ratios)
        least = min(least, ratios[obj] if pose == step.value else -ratios[obj])
    return least


def relation(op: str, prefix: str, words: tuple[str, ...] = ()) -> Operator:
    """Return the operator of a relation of stills: that of this name, with the argument's word behind it."""
    args = ("word",) if words else ()
    act, firm = _relate(prefix), _firm_relation(prefix)
    return Operator(
        op, (ValueType.OBJECT,), ValueType.OBJECTS, act, STILL, args, words, judged=True, firm=firm
    )


def state(op: str, prefix: str, words: tuple[str, ...] = ()) -> Operator:
    """Return the operator that keeps the objects of a still of which a word holds."""
    args = ("word",) if words else ()
    act, firm = _filter_state(prefix), _firm_state(prefix)
    return Operator(
        op, (ValueType.OBJECTS,), ValueType.OBJECTS, act, STILL, args, words, judged=True, firm=firm
    )


# Animated scenes


@once
def quarter_truth(timeline: AnimatedView, obj: int, quarter: str, moment: Moment) -> TruthValue:
    """Return how firmly an object lies in a quarter of the actor's own directions all through a moment.

    An actor that does not stand upright has none that all would agree on.
    """
    rows = slice(moment[0], moment[1] + 1)
    if timeline.places[obj] or not timeline.visibility.there[rows, obj].all():
        return NEVER
    centre = QUARTERS.index(quarter) * math.pi / 2
    bearing = timeline.bearings_rad[rows, obj]
    off = np.degrees(np.abs((bearing - centre + math.pi) % (2 * math.pi) - math.pi))
    inside = float(45.0 - off.max())
    # What is outside at one frame only is neither inside throughout nor clearly elsewhere.
    value = inside if inside > 0 else float(45.0 - off.min())
    value = value if (value > 0) == (inside > 0) else 0.0
    ratio = at_most(value / timeline.rules.quarter_tolerance_deg, timeline.upright(moment))
    apart = np.linalg.norm(timeline.positions_m[rows, obj] - timeline.positions_m[rows, 0], axis=1)
    ratio = ratio if apart.min() >= timeline.rules.apart_m else 0.0
    return TruthValue(ratio, quarter, value, "deg", (timeline.keys[obj],))


def at_most(ratio: float, room: float) -> float:
    """Return a ratio that is no firmer, either way, than something else that it takes."""
    return max(min(ratio, room), -room)


def _side(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: quarter_truth(run.view, k, args[0], inputs[1]))


def _side_of(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    truths = {q: quarter_truth(run.view, inputs[0], q, inputs[1]) for q in QUARTERS}
    best = max(truths, key=lambda q: truths[q].ratio)
    if truths[best].ratio <= 0:
        raise Unanswerable("it is on no side of the actor all through the moment")
    run.hang_on(truths[best])
    return best


def on_truth(timeline: AnimatedView, obj: int, base: int, frame: int) -> TruthValue:
    """Return how firmly an object stands on another one at a frame."""
    visibility = timeline.visibility
    if obj == base or timeline.places[obj] or not visibility.there[frame, [obj, base]].all():
        return NEVER
    low, high = visibility.lows_m[frame, base], visibility.highs_m[frame, base]
    spot = timeline.positions_m[frame, obj]
    if not ((low[:2] <= spot) & (spot <= high[:2])).all():
        return NEVER
    off = abs(float(visibility.lows_m[frame, obj, 2] - high[2])) / max(float(high[2] - low[2]), 1e-6)
    rules = timeline.rules
    ratio = 1.0 if off <= rules.on_share else -1.0 if off >= rules.on_off_share else 0.0
    return TruthValue(2.0 * ratio, "on", off, "share", (timeline.keys[obj], timeline.keys[base]))


def _on(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: on_truth(run.view, k, inputs[1], inputs[2][1]))


def _distances(run: ProgramRun[AnimatedView], value: Set, obj: int, moment: Moment) -> dict[int, float]:
    """Return how far the members of a set that are there are from an object, nearest first."""
    frame = moment[1]
    at = run.view.positions_m[frame]
    for k, truth in value.items():
        if k != obj:
            run.hang_on(truth.firmness)
    far = {k: float(np.linalg.norm(at[k] - at[obj])) for k in members(value) if k != obj}
    # What is not there has no distance, and must be gone before they are put in order.
    far = dict(sorted(((k, d) for k, d in far.items() if not math.isnan(d)), key=lambda item: item[1]))
    if len(far) < 2:
        raise Unanswerable("there is nothing to compare")
    return far


def _extreme(place: int) -> Act:
    def act(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
        objects, far = zip(*_distances(run, *inputs).items(), strict=True)
        near, beyond = (far[0], far[1]) if place == 0 else (far[-2], far[-1])
        more = beyond / max(near, 1e-6) - 1
        chosen = objects[place]
        name = "nearest" if place == 0 else "farthest"
        run.hang_on(TruthValue(more / run.view.rules.nearer, name, more, "share", (run.view.keys[chosen],)))
        return int(chosen)

    return act


def _opposite(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    timeline, (objects, obj, moment) = run.view, inputs
    bearing = timeline.bearings_rad[moment[1]]
    if math.isnan(bearing[obj]):
        raise Unanswerable("it is not there")
    off = {}
    for k in members(objects):
        if k != obj and not timeline.places[k] and not math.isnan(bearing[k]):
            turn = abs((bearing[k] - bearing[obj] + math.pi) % (2 * math.pi) - math.pi)
            off[k] = 180.0 - math.degrees(turn)
    if not off:
        raise Unanswerable("nothing else is there")
    chosen, *others = sorted(off, key=lambda k: off[k])
    if off[chosen] > timeline.rules.opposite_deg:
        raise Unanswerable("nothing is opposite of it")
    tolerance = timeline.rules.quarter_tolerance_deg
    room = [timeline.rules.opposite_deg - off[chosen]]
    room += [off[k] - timeline.rules.opposite_alone_deg for k in others[:1]]
    run.hang_on(TruthValue(min(room) / tolerance, "opposite", min(room), "deg", (timeline.keys[chosen],)))
    return chosen


# What shows it


def _shows_side(w: Walk) -> Conditions:
    timeline, quarter = w.timeline, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array(
            [quarter_truth(timeline, k, quarter, (f, f)).ratio > 0 for f in range(timeline.frames)]
        )

    actor = clear(timeline, 0)
    return alike(w, held, lambda k: clear(timeline, k) & actor, quarter)


def _shows_on(w: Walk) -> Conditions:
    timeline, base = w.timeline, w.inputs[1]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([on_truth(timeline, k, base, f).ratio > 0 for f in range(timeline.frames)])

    what = f"on {name(timeline, base, w.inputs[-1])}"
    return alike(w, held, lambda k: clear(timeline, k) & clear(timeline, base), what)


def _still(positions: NDArray[np.float64], moment: Moment) -> NDArray[np.bool_]:
    """Return the frames (F,) in which everything is where it is at a moment, or nearly so."""
    now = positions[moment[1]]
    off = np.linalg.norm(positions - now, axis=2)
    gone = np.isnan(positions).any(axis=2) == np.isnan(now).any(axis=1)
    return np.asarray((np.where(np.isnan(off), 0.0, off) <= 0.1).all(axis=1) & gone.all(axis=1))


def _shows_compared(w: Walk) -> Conditions:
    timeline, obj, moment = w.timeline, w.inputs[1], w.inputs[2]
    base = clear(timeline, obj) if w.step.op != "opposite" else clear(timeline, 0) & clear(timeline, obj)
    measured = w.step.op != "opposite"
    here = timeline.positions_m
    when = times(timeline, stretch(_still(here, moment), moment))
    conditions = [*w.before]
    for k in members(w.inputs[0]):
        if k != obj and not np.isnan(here[moment[1], k]).any():
            joint = clear(timeline, k) & base & when[None, :]
            if measured:
                joint = joint & timeline.broadside(obj, k, moment[1])[:, None]
            conditions.append(
                Condition(f"{name(timeline, k, moment)} beside {name(timeline, obj, moment)}", joint)
            )
    return Conditions(tuple(conditions))


def _shows_side_of(w: Walk) -> Conditions:
    timeline, obj, moment = w.timeline, w.inputs[0], w.inputs[1]
    held = np.array([quarter_truth(timeline, obj, w.value, (f, f)).ratio > 0 for f in range(timeline.frames)])
    mask = clear(timeline, obj) & clear(timeline, 0) & times(timeline, stretch(held, moment))
    return Conditions((*w.before, Condition(f"{name(timeline, obj, moment)} {w.value}", mask)))


_BY_ANOTHER = ValueType.OBJECTS, ValueType.OBJECT, ValueType.SPAN

declare(
    relation("relate", "", VIEWER),
    relation("relate_own", "own:", VIEWER),
    relation("relate_hit", "hit:", DRIVE),
    relation("relate_first", "first:", DRIVE),
    relation("relate_path", "path:", DRIVE),
    relation("same_pose", "pose:same"),
    relation("opposite_pose", "pose:opposite"),
    relation("vertical_pose", "pose:vertical"),
    state("filter_pose", "faces:", tuple(POSES)),
    Operator("query_pose", (ValueType.OBJECT,), ValueType.POSE, _pose, STILL, firm=_firm_pose),
    Operator(
        "side",
        (ValueType.OBJECTS, ValueType.SPAN),
        ValueType.OBJECTS,
        _side,
        ANIMATED,
        ("word",),
        QUARTERS,
        judged=True,
        evidence=_shows_side,
    ),
    Operator(
        "side_of",
        (ValueType.OBJECT, ValueType.SPAN),
        ValueType.WORD,
        _side_of,
        ANIMATED,
        evidence=_shows_side_of,
    ),
    Operator("on", _BY_ANOTHER, ValueType.OBJECTS, _on, ANIMATED, judged=True, evidence=_shows_on),
    Operator("nearest", _BY_ANOTHER, ValueType.OBJECT, _extreme(0), ANIMATED, evidence=_shows_compared),
    Operator("farthest", _BY_ANOTHER, ValueType.OBJECT, _extreme(-1), ANIMATED, evidence=_shows_compared),
    Operator("opposite", _BY_ANOTHER, ValueType.OBJECT, _opposite, ANIMATED, evidence=_shows_compared),
)
