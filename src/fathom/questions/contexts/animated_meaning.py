"""What a question can be about: what everybody means the same by, and sees the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from fathom.programs.engine import Trace
from fathom.programs.growths import growing
from fathom.programs.limb_positions import FEWEST_LEGS
from fathom.programs.motion import legs, paths, tracks
from fathom.programs.operators.looks import ANYWHERE
from fathom.programs.state import ACTS
from fathom.programs.values import Value, ValueType, members
from fathom.programs.views.animated import QUARTERS, AnimatedView, Moment, SceneEvent
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_changes import in_a_lull
from fathom.questions.contexts.animated_turning import BODILY, misled_by_body
from fathom.records import Scene, Step

SIDED = frozenset(
    (
        "side",
        "side_of",
        "goes",
        "hidden",
        "hidden_from",
        "limb_most",
        "limb_first",
        "limb_shift",
        "limb_place",
        "faces_seen",
        "nearest_seen",
        "worn",
        "limb_line",
        "turning",
    )
)
"""Operators that speak of an actor's own sides and limbs: furniture has none that all would agree on."""

COUNTS = frozenset(("nth", "longest"))
"""Operators for which it matters how many actions there are."""

BY_MIDDLE = frozenset(("nearest_seen",))
"""Operators that take a limb to be where its middle is: a hull, or a track, is as near as its front end."""

FRONTAL = frozenset(("hidden", "hidden_from"))
"""Operators that speak of the actor's sides as seen by who walks around it: it must not turn."""

GROWN = frozenset(("wheels", "growth", "wings"))
"""Counterfactual films whose actor has something of which nobody would say that it wears it."""

RISING = frozenset(("raises",))
"""Operators that hold how high one limb is against another one."""

TURNED_DEG = 20.0

LIMB_SHARE, LIMB_REACH = 0.85, 0.08
"""How far a limb goes whose way is asked about, against the one that goes farthest and the actor's size."""

APART_SHARE = 0.05
"""By how much of its size an object is nearer to the actor's outline too, which is asked which is nearest."""

FROM_ANOTHER = frozenset(("nearest", "farthest", "opposite"))
"""Operators that find an object by where it is from another one."""

AT_A_TIME = frozenset(("there", "side", "hidden"))
"""Operators that leave only what is there at a moment: what is counted then is seen side by side."""

NARROWING = frozenset(("pick", "of", "filter_event", "filter_verb"))
"""Operators that pass on some of what happens whatever else there is."""

RANKING = frozenset(("first", "last", "nth"))
"""Operators that find one of what happens by its place: when the others happen against what is done, is no
matter.
"""


def means_nothing(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether a program speaks of what is not clear in this film, whatever it comes to."""
    ops = {s.op for s in steps}
    timeline = stage.timeline
    if _has_no_such(stage.scene, ops, steps) or _is_unlike(stage, ops):
        return True
    for step, value in zip(steps, trace.values, strict=True):
        taken = [trace.values[i] for i in step.inputs]
        # Of one flower nobody asks what colors the flowers have.
        if step.op == "colors_of" and len(members(taken[0])) < 2:
            return True
        if step.op == "limb_first" and not _is_moved(timeline, step.args[0], taken[0]):
            return True
        # Of two legs, which is above the other hangs on what of a leg one looks at.
        if step.op in RISING and step.args[0].split(" ")[-1] == step.args[1].split(" ")[-1]:
            return True
        if step.op in ("nearest", "farthest") and not _by_outline(timeline, step.op, value, taken):
            return True
        # What is worn or held is beside everything that its wearer is beside.
        if step.op in FROM_ANOTHER and timeline.places[taken[1]]:
            return True
        if step.op in ("side", "side_of") and not _by_body(timeline, step, value, taken):
            return True
        if step.op in BODILY and misled_by_body(timeline, step, taken[0], value):
            return True
        if step.op == "count" and not ops & AT_A_TIME and _counts_looks(timeline, trace, step):
            return True
    if _could_be_missed(stage, steps, trace) or _gives_away(timeline, steps, trace):
        return True
    if _in_lulls(stage, steps, trace) or _same_at_both(timeline, steps, trace):
        return True
    if _grow_nowhere(timeline, steps, trace):
        return True
    return _of_a_vague_course(stage, ops)


def _is_unlike(stage: AnimatedContext, ops: Collection[str]) -> bool:
    """Return whether the actor is not what some operators are about, or does what makes them unclear."""
    timeline = stage.timeline
    if "legs_down" in ops and len(legs(timeline)) < FEWEST_LEGS:
        return True
    # Of who falls nobody says against which up and which front a limb is somewhere else.
    if "limb_shift" in ops and stage.language.falls & {h.key for h in stage.actions}:
        return True
    if not FRONTAL.isdisjoint(ops):
        course = np.unwrap(timeline.headings_rad[:, 0])
        if np.abs(course - course[0]).max() > math.radians(TURNED_DEG):
            return True
    # Whether who has a tree growing out of its back wears it, nobody knows.
    return "worn" in ops and bool(growing(timeline) or stage.scene.source.get("counterfactual") in GROWN)


def _of_a_vague_course(stage: AnimatedContext, ops: Collection[str]) -> bool:
    """Return whether a program counts what is done one after the other, where it is a matter of opinion
    whether something counts: standing still, or the same at once again.
    """
    course = [h.key for h in stage.actions]
    if not COUNTS.isdisjoint(ops) and any(one == then for one, then in pairwise(course)):
        return True
    return not (COUNTS | {"deeds"}).isdisjoint(ops) and not all(map(stage.can_say, course))


def _has_no_such(scene: Scene, ops: Collection[str], steps: Sequence[Step]) -> bool:
    """Return whether a program speaks of what an actor does not have, or not in one place, or of which parts
    are nearest where wings that it got may be nearer.
    """
    category = scene.objects[0].category
    if category == "object":
        return not SIDED.isdisjoint(ops) or any(map(_of_a_place, steps))
    winged = scene.source.get("counterfactual") == "wings"
    return (category == "vehicle" or winged) and not BY_MIDDLE.isdisjoint(ops)


def _of_a_place(step: Step) -> bool:
    """Return whether a step speaks of one of the sides of the actor on which something grows."""
    return step.op == "place_of" or (step.op == "growing" and step.args[1] != ANYWHERE)


def _grow_nowhere(timeline: AnimatedView, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether nothing of a kind grows on the actor at the moment of which a program asks."""
    moments = [trace.values[s.inputs[1]] for s in steps if s.op == "there"]
    kinds = [list(growing(timeline, s.args[0])) for s in steps if s.op == "growing"]
    return any(not timeline.visibility.there[a : b + 1, own].any() for a, b in moments for own in kinds)


def _same_at_both(timeline: AnimatedView, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether a program asks what is there at two moments at which the same is there."""
    for step in (s for s in steps if s.op == "there"):
        before = steps[step.inputs[0]]
        if before.op != "there":
            continue
        one, other = (trace.values[s.inputs[1]] for s in (before, step))
        objects = list(members(trace.values[before.inputs[0]]))
        first, then = (timeline.visibility.there[a : b + 1, objects].all(axis=0) for a, b in (one, other))
        if (first == then).all():
            return True
    return False


def _counts_looks(timeline: AnimatedView, trace: Trace, step: Step) -> bool:
    """Return whether a count over the whole film counts what has two looks, or looks like another object that
    comes or goes: who counts what he sees comes to another number.
    """
    if trace.kinds[step.inputs[0]] is not ValueType.OBJECTS:
        return False
    return bool((timeline.swapped | timeline.mistakable) & set(members(trace.values[step.inputs[0]])))


def _could_be_missed(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether an event that one could miss, or take for something else, is among what is put in order,
    chosen from or counted.
    """
    return any(h in stage.unclear for h in _put_together(stage.timeline, steps, trace))


def _put_together(
    timeline: AnimatedView, steps: Sequence[Step], trace: Trace, but: frozenset[str] = frozenset()
) -> set[SceneEvent]:
    """Return what happens that a program puts in order, chooses from or counts, `but` by some operators."""
    used = {k for s in steps if s.op not in NARROWING | but for k in s.inputs} | {len(steps) - 1}
    sets = [trace.values[k] for k in used if trace.kinds[k] is ValueType.EVENTS]
    return {timeline.happenings[h] for found in sets for h in members(found)}


def _singled_out(timeline: AnimatedView, trace: Trace) -> set[SceneEvent]:
    """Return what happens that a program speaks of by itself."""
    kinds = zip(trace.values, trace.kinds, strict=True)
    return {timeline.happenings[value] for value, kind in kinds if kind is ValueType.EVENT}


def _in_lulls(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether an event lies where it is a matter of opinion what the actor does, and a program speaks
    of that event and of what the actor does.
    """
    timeline, steady = stage.timeline, stage.steady
    spoken = _singled_out(timeline, trace) | _put_together(timeline, steps, trace, RANKING)
    acts = {h for h in spoken if h.what == ACTS}
    return bool(acts) and any(in_a_lull(timeline, h, steady) for h in spoken - acts)


def _gives_away(timeline: AnimatedView, steps: Sequence[Step], trace: Trace) -> bool:
    """Return whether the moment of a question is an event of the object that is to be found: its words name
    what they ask for.
    """
    events = {v for s, v, kind in zip(steps, trace.values, trace.kinds, strict=True)
              if kind is ValueType.EVENT and steps[s.inputs[0]].op == "pick"}  # fmt: skip
    named = {timeline.happenings[v].object_id for v in events}
    return any(
        value in named
        for s, value, kind in zip(steps, trace.values, trace.kinds, strict=True)
        if kind is ValueType.OBJECT and value and (s.op != "only" or steps[s.inputs[0]].op != "matching")
    )


def rivals_of(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> frozenset[str] | None:
    """Return what is true, at the moment asked, of the other objects that stand there: their names, or their
    colours; None where the answer is not found by where it is.
    """
    timeline, last = stage.timeline, steps[-1]
    if last.op not in ("name", "color") or trace.kinds[last.inputs[0]] is not ValueType.OBJECT:
        return None
    chosen, (first, until) = trace.values[last.inputs[0]], trace.values[last.inputs[1]]
    found = steps[last.inputs[0]]
    placed = found.op in FROM_ANOTHER or (
        found.op == "only" and steps[found.inputs[0]].op in ("side", "hidden")
    )
    if not placed:
        return None
    apart = {chosen, trace.values[found.inputs[1]] if found.op in FROM_ANOTHER else 0}
    there = [
        k
        for k in timeline.standing
        if k not in apart and timeline.visibility.there[first : until + 1, k].all()
    ]
    looks = timeline.names if last.op == "name" else timeline.colors
    return frozenset(looks[k][until] for k in there)


def begun_again(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> frozenset[str]:
    """Return what the actor does again and again, or once more, while an event happens, where it is asked
    what it starts after that or has finished before: each time counts as one for some.
    """
    if not {"next", "earlier"} & {s.op for s in steps}:
        return frozenset()
    timeline, actor = stage.timeline, stage.scene.objects[0]
    events = [h for h in _singled_out(timeline, trace) if h.what != ACTS]
    at_s = [timeline.visibility.times_s[h.first] for h in events]
    times = Counter(a.verb for a in actor.animations)
    again = [a for a in actor.animations if a.loop or times[a.verb] > 1]
    return frozenset(a.verb for a in again if any(a.start_s <= t <= a.end_s for t in at_s))


def _is_moved(timeline: AnimatedView, limb: str, moment: Moment) -> bool:
    """Return whether a limb is one of those that a motion is about."""
    lengths = paths(timeline, moment)
    track = tracks(timeline, moment)[limb]
    reach = float(np.linalg.norm(track - track[0], axis=1).max())
    far = lengths[limb] >= LIMB_SHARE * next(iter(lengths.values()))
    return far and reach >= LIMB_REACH * timeline.subject_size_m


def _by_outline(timeline: AnimatedView, op: str, chosen: int, taken: Sequence[Value]) -> bool:
    """Return whether the object whose centre is nearest to another object's, or farthest, is so by the gap
    between their boxes on the ground too.
    """
    objects, base, moment = taken
    frame, visibility = moment[1], timeline.visibility
    low, high = visibility.lows_m[frame, :, :2], visibility.highs_m[frame, :, :2]
    gaps = np.maximum(np.maximum(low - high[base], low[base] - high), 0.0)
    gap = np.linalg.norm(gaps, axis=1) * (1 if op == "nearest" else -1)
    others = [k for k in members(objects) if k not in (chosen, base) and np.isfinite(gap[k])]
    room = APART_SHARE * timeline.subject_size_m
    return all(gap[k] - gap[chosen] >= room for k in others)


def _by_body(timeline: AnimatedView, step: Step, value: Value, taken: Sequence[Value]) -> bool:
    """Return whether a side of the actor is that of objects, or is not, seen from the nearest point of its
    body as well as from its middle: what is abreast of a long nose is beside it and not ahead.
    """
    objects, moment = taken
    visibility, middle = timeline.visibility, np.degrees(timeline.bearings_rad)
    asked = step.args[0] if step.op == "side" else value
    for frame in sorted({*moment}):
        low, high = visibility.lows_m[frame, 0, :2], visibility.highs_m[frame, 0, :2]
        at = timeline.positions_m[frame]
        off = at - np.clip(at, low, high)
        turn = np.degrees(np.arctan2(off[:, 1], off[:, 0]) - timeline.headings_rad[frame, 0])
        for k in [objects] if step.op == "side_of" else members(objects):
            if timeline.places[k] or not visibility.there[frame, k]:
                continue
            seen = {_quarter(middle[frame, k]), _quarter(turn[k]) if off[k].any() else ""}
            if asked in seen and len(seen) > 1:
                return False
    return True


def _quarter(degrees: float) -> str:
    return QUARTERS[round(degrees / 90.0) % 4]
