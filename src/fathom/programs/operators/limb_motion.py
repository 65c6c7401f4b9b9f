"""Operators on how single limbs of an animated scene's actor move, and on what it does in order.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from fathom.programs import limb_motion, limb_positions
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    between,
    clear,
    limb_cells,
    times,
)
from fathom.programs.evidence.events import ordered, shows_event
from fathom.programs.evidence.motion_seen import seen_moved, seen_stirring
from fathom.programs.evidence.outlook import OUTLOOKS, outlook
from fathom.programs.limb_groups import pairs
from fathom.programs.operators.limbs import at_moment, hung, spans_of
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.repeats import times_done, ways_out
from fathom.programs.state import ACTS, TOGETHER
from fathom.programs.values import SURE, TruthValue, Unanswerable, Value, ValueType, members
from fathom.programs.views.animated import AnimatedView, Moment

SIDES = ("left", "right")
END = 0.2
"""How near to either end of its way a limb is that is seen to have got there: a share of the way."""

TURNS_DEG, STAYS_DEG, TURN_TOLERANCE_DEG = 30.0, 20.0, 15.0
"""From how far on an actor turns in the course of an action, up to which it does not, and off the first."""


def _steps(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, limb_motion.steps(run.view, inputs[0])))


def _strokes(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, limb_motion.strokes(run.view, inputs[0], *args)))


def _raises(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, limb_motion.raises(run.view, inputs[0], *args)))


def _still(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    found = limb_motion.still_limbs(run.view, inputs[0])
    firm = {n: ratio for n, ratio in found.items() if ratio >= 1}
    if not firm:
        raise Unanswerable("no limb keeps still")
    least = min(firm.values())
    run.hang_on(TruthValue(least, "keeps still", least, "ratio"))
    return tuple(firm)


def _turning(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found, sign = members(inputs[0]), 1 if args[0] == "left" else -1
    spans = zip(found, spans_of(run.view, found), strict=True)
    turns = {k: sign * limb_motion.turned(run.view, s) for k, s in spans}
    best = max(turns, key=lambda k: turns[k], default=-1)
    if len(found) < 2 or turns[best] <= 0:
        raise Unanswerable("it does not turn that way")
    rest = max(abs(turns[k]) for k in found if k != best)
    ratio = min((turns[best] - TURNS_DEG) / TURN_TOLERANCE_DEG, (STAYS_DEG - rest) / (STAYS_DEG / 2))
    run.hang_on(TruthValue(ratio, f"turns {args[0]}", turns[best], "deg"))
    return best


def _deeds(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    found = dict.fromkeys(run.view.happenings[k].key for k in members(inputs[0]))
    if len(found) < 2:
        raise Unanswerable("no two things are done")
    run.hang_on(SURE)
    return TOGETHER.join(found)


def _sequence(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    found = members(inputs[0])
    if len(found) < 2 or any(run.view.happenings[k].what != ACTS for k in found):
        raise Unanswerable("there is no order of actions")
    run.hang_on(SURE)
    return ">".join(run.view.happenings[k].key for k in found)


def _times(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, times_done(run.view, [run.view.happenings[k] for k in members(inputs[0])], args[0])))


# What shows it


def _from_both(timeline: AnimatedView, limb: str, when: dict[str, np.ndarray]) -> list[Condition]:
    """Return what shows a limb at some times, (G,) each, from abreast of the actor and along it."""
    shown = limb_cells(timeline, limb)
    return [
        Condition(f"{limb} {what}, {look}", shown & outlook(timeline, look) & mask)
        for what, mask in when.items()
        for look in OUTLOOKS
    ]


def halves(timeline: AnimatedView, moment: Moment, pieces: int = 2) -> dict[str, np.ndarray]:
    """Return the frames of the grid (G,) in each of some pieces of a moment, as evenly long as can be."""
    edges = np.linspace(moment[0], moment[1] + 1, pieces + 1).round().astype(int)
    spans = enumerate(pairwise(edges.tolist()))
    return {f"({n + 1})": between(timeline, a, max(b - 1, a)) for n, (a, b) in spans}


def _ways_ends(timeline: AnimatedView, moment: Moment, limb: str) -> dict[str, np.ndarray]:
    """Return the frames of the grid (G,) at which a limb is at either end of the line that it moves along."""
    track = limb_motion.own_track(timeline, moment, limb)
    assert track is not None, "it has been measured"
    along = track[:, int(np.argmax(np.ptp(track, axis=0)))]
    low, high = float(along.min()), float(along.max())
    near = {
        "at one end": along <= low + END * (high - low),
        "at the other": along >= high - END * (high - low),
    }
    out = {}
    for what, held in near.items():
        frames = np.zeros(timeline.frames, dtype=bool)
        frames[moment[0] : moment[1] + 1] = held
        mask = times(timeline, frames)
        at = moment[0] + int(np.argmax(held))
        out[what] = mask if mask.any() else between(timeline, at, at)
    return out


def _shows_line(w: Walk) -> Conditions:
    called, moment = w.step.args[0], w.inputs[0]
    found = list(w.before)
    for limb in pairs(limb_positions.named_limbs(w.timeline)).get(called, (called,)):
        if w.value == limb_motion.STILL:
            found += _from_both(w.timeline, limb, halves(w.timeline, moment))
        else:
            found += _along(w.timeline, moment, limb, w.value)
    return Conditions(tuple(found))


def _along(timeline: AnimatedView, moment: Moment, limb: str, line: str) -> list[Condition]:
    """Return what shows a limb at both ends of the line that it moves along, from abreast and along it."""
    found = _from_both(timeline, limb, _ways_ends(timeline, moment, limb))
    # From where its line is seen across, it is plainly elsewhere at the other end.
    track, axis = limb_positions.named_limbs(timeline)[limb], limb_motion.LINES.index(line)
    own = limb_motion.own_track(timeline, moment, limb)
    assert own is not None, "it has been measured"
    moved = seen_moved(timeline, track, moment[0] + int(own[:, axis].argmin()))
    last = [replace(c, cells=c.cells & moved) if axis in (2, k) else c for k, c in enumerate(found[-2:])]
    return [*found[:-2], *last]


def _shows_course(w: Walk) -> Conditions:
    """The limb as the moment begins, where it is farthest from there, and as the moment ends."""
    limb, moment = w.step.args[0], w.inputs[0]
    track = limb_motion.own_track(w.timeline, moment, limb)
    assert track is not None, "it has been measured"
    top = moment[0] + int(np.argmax(np.abs(track[:, 2] - track[0, 2])))
    seen, room = limb_cells(w.timeline, limb), max((moment[1] - moment[0]) // 8, 1)
    spans = {"at first": moment[0], "farthest": top, "at last": moment[1]}
    moved = seen_moved(w.timeline, limb_positions.named_limbs(w.timeline)[limb], moment[0])
    conditions = [
        Condition(
            f"{limb} {what}",
            seen
            & between(w.timeline, max(f - room, moment[0]), min(f + room, moment[1]))
            & (moved if what == "farthest" else True),
        )
        for what, f in spans.items()
    ]
    return Conditions((*w.before, *conditions))


def _shows_still(w: Walk) -> Conditions:
    """For each limb, whether it keeps still or moves: the limb in both halves of the moment."""
    when, of = halves(w.timeline, w.inputs[0]), {}
    for name, k in w.timeline.visibility.limbs_of(0).items():
        if name in w.value:
            of[k] = tuple(_from_both(w.timeline, name, when))
        else:
            seen = limb_cells(w.timeline, name)
            of[k] = tuple(Condition(f"{name} {half}", seen & mask) for half, mask in when.items())
    return Conditions(w.before, of)


def _shows_crossing(w: Walk) -> Conditions:
    """Both limbs in as many pieces of the moment as one passes the other, and one more."""
    names = w.step.args or ("left leg", "right leg")
    pieces = int(w.value) * (2 if w.step.op == "raises" else 1) + 1
    conditions = [
        Condition(f"{limb} {piece}", limb_cells(w.timeline, limb) & mask)
        for limb in names
        for piece, mask in halves(w.timeline, w.inputs[0], pieces).items()
    ]
    return Conditions((*w.before, *conditions))


def _shows_strokes(w: Walk) -> Conditions:
    """The limb in as many pieces of the moment as it goes that way and back, from where that is seen."""
    limb, way = w.step.args
    axis, _ = limb_motion.SENSES[way]
    seen = limb_cells(w.timeline, limb)
    if axis < 2:
        seen = seen & outlook(w.timeline, OUTLOOKS[axis])
    pieces = halves(w.timeline, w.inputs[0], 2 * int(w.value) + 1).items()
    return Conditions((*w.before, *(Condition(f"{limb} {piece}", seen & mask) for piece, mask in pieces)))


def _shows_turning(w: Walk) -> Conditions:
    conditions = [*w.before, *w.of(0, w.value)]
    for k in members(w.inputs[0]):
        conditions += shows_event(w.timeline, w.timeline.happenings[k])
    return Conditions(tuple(conditions))


def _shows_deeds(w: Walk) -> Conditions:
    found = [w.timeline.happenings[k] for k in members(w.inputs[0])]
    return Conditions((*w.before, *(s for h in found for s in shows_event(w.timeline, h))))


def _shows_sequence(w: Walk) -> Conditions:
    found = [w.timeline.happenings[k] for k in members(w.inputs[0])]
    return Conditions((*w.before, *(s for a, b in pairwise(found) for s in ordered(w.timeline, a, b))))


def _shows_times(w: Walk) -> Conditions:
    """Each time, and how the actor stands before it; and either half of everything else that it does."""
    timeline, verb = w.timeline, w.step.args[0]
    seen, conditions = clear(timeline, 0), list(w.before)
    for h in (timeline.happenings[k] for k in members(w.inputs[0])):
        if h.key != verb:
            conditions += shows_event(timeline, h)[:2]
        for n, way in enumerate(ways_out(timeline, h) if h.key == verb else ()):
            stirs = seen_stirring(timeline, (h.first, h.last))
            conditions += [
                Condition(
                    f"how it stands before it can {verb} ({n + 1})", seen & times(timeline, way.before)
                ),
                Condition(f"how far it gets to {verb} ({n + 1})", seen & times(timeline, way.far) & stirs),
            ]
    return Conditions(tuple(conditions))


_SPAN, _WORD = (ValueType.SPAN,), ValueType.WORD
_PICKS = (ValueType.EVENTS,), ValueType.EVENT
_TEXT = ("text",)

declare(
    Operator(
        "limb_line", _SPAN, _WORD, at_moment(limb_motion.own_line), ANIMATED, _TEXT, evidence=_shows_line
    ),
    Operator(
        "limb_course",
        _SPAN,
        _WORD,
        at_moment(limb_motion.limb_course),
        ANIMATED,
        _TEXT,
        evidence=_shows_course,
    ),
    Operator("limbs_still", _SPAN, ValueType.PARTS, _still, ANIMATED, evidence=_shows_still),
    Operator("steps", _SPAN, ValueType.NUMBER, _steps, ANIMATED, evidence=_shows_crossing),
    Operator(
        "strokes",
        _SPAN,
        ValueType.NUMBER,
        _strokes,
        ANIMATED,
        ("text", "word"),
        tuple(limb_motion.SENSES),
        evidence=_shows_strokes,
    ),
    Operator(
        "raises", _SPAN, ValueType.NUMBER, _raises, ANIMATED, ("text", "text"), evidence=_shows_crossing
    ),
    Operator("turning", *_PICKS, _turning, ANIMATED, ("word",), SIDES, evidence=_shows_turning),
    Operator("times", (ValueType.EVENTS,), ValueType.NUMBER, _times, ANIMATED, _TEXT, evidence=_shows_times),
    Operator("deeds", (ValueType.EVENTS,), _WORD, _deeds, ANIMATED, evidence=_shows_deeds),
    Operator("sequence", (ValueType.EVENTS,), ValueType.ORDER, _sequence, ANIMATED, evidence=_shows_sequence),
)
