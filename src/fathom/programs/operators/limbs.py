"""Operators on where the actor's limbs and parts are: against one another, over time, and from which sides.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from fathom.programs import limb_positions, motion
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    between,
    clear,
    limb_cells,
    part_cells,
    stretch,
    times,
)
from fathom.programs.evidence.events import shows_event
from fathom.programs.evidence.outlook import OUTLOOKS, outlook
from fathom.programs.motion import MeasuredMotion
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.values import TruthValue, Unanswerable, Value, ValueType, members
from fathom.programs.views.animated import AnimatedView, Mask, Moment

WHICH = tuple(limb_positions.EXTREMES)

NEAR_TOP = 0.03
"""How near to the highest that it gets a limb is that shows how high that is: a share of the actor's size."""

NEAR_SHARE = 0.2
"""How near to the one that is highest a limb comes that could be it: a share of the actor's size."""


def hung(run: ProgramRun[AnimatedView], found: MeasuredMotion) -> str:
    """Return the word that a measurement comes to, on whose margin the answer hangs. Raises Unanswerable."""
    if not found.word:
        raise Unanswerable(f"{found.relation}: too little to tell")
    run.hang_on(TruthValue(found.ratio, found.relation, found.value, found.unit))
    return found.word


def at_moment(measure: Callable[..., MeasuredMotion]) -> Act:
    """Return what an operator does that measures a moment, with its arguments."""
    return lambda run, inputs, args: hung(run, measure(run.view, inputs[0], *args))


def of_film(measure: Callable[..., MeasuredMotion]) -> Act:
    """Return what an operator does that measures the film, with its arguments."""
    return lambda run, inputs, args: hung(run, measure(run.view, *args))


def _legs_down(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, limb_positions.legs_down(run.view, inputs[0])))


def _swings(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, limb_positions.limb_swings(run.view, inputs[0], args[0])))


def spans_of(timeline: AnimatedView, events: Sequence[int]) -> list[Moment]:
    """Return the first and the last frame of each of some events."""
    return [(timeline.happenings[k].first, timeline.happenings[k].last) for k in events]


def _peak(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = members(inputs[0])
    place, measured = limb_positions.peak(run.view, spans_of(run.view, found), args[0], args[1])
    hung(run, measured)
    return found[place]


def _pace(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found, sign = members(inputs[0]), 1 if args[0] == "fastest" else -1
    paces = {
        k: limb_positions.pace(run.view, s) for k, s in zip(found, spans_of(run.view, found), strict=True)
    }
    order = sorted(found, key=lambda k: -sign * paces[k])
    if len(found) < 2 or min(paces.values()) <= 0:
        raise Unanswerable("there is nothing to compare")
    fast, slow = (paces[k] for k in order[:2][::sign])
    run.hang_on(TruthValue((fast / slow - 1) / run.view.rules.more, args[0], fast / slow - 1, "share"))
    return order[0]


# What shows it


def _as_at(timeline: AnimatedView, moment: Moment, same: Callable[[int], MeasuredMotion]) -> Mask:
    """Return the frames of the grid (G,) around a moment's last one at which the same holds, as firmly."""
    word = same(moment[1]).word
    held = [(m := same(f)).word == word and m.ratio >= 1 for f in range(timeline.frames)]
    return times(timeline, stretch(np.array(held), (moment[1],) * 2))


def _shows_shift(w: Walk) -> Conditions:
    limb, (first, last) = w.step.args[0], w.inputs[0]
    seen = limb_cells(w.timeline, limb)

    def shift(start: int, end: int) -> MeasuredMotion:
        return limb_positions.limb_shift(w.timeline, (start, end), limb)

    ends = {
        "at first": _as_at(w.timeline, (first, first), lambda f: shift(f, last)),
        "at last": _as_at(w.timeline, (last, last), lambda f: shift(first, f)),
    }
    shown = [
        Condition(f"{limb} {what}, {look}", seen & outlook(w.timeline, look) & mask)
        for what, mask in ends.items()
        for look in OUTLOOKS
    ]
    return Conditions((*w.before, *shown))


def _shows_place(w: Walk) -> Conditions:
    limb, other = w.step.args
    both = limb_cells(w.timeline, limb) & limb_cells(w.timeline, other)
    when = _as_at(
        w.timeline, w.inputs[0], lambda f: limb_positions.limb_place(w.timeline, (f, f), limb, other)
    )
    shown = [
        Condition(f"{limb} and {other}, {look}", both & outlook(w.timeline, look) & when) for look in OUTLOOKS
    ]
    return Conditions((*w.before, *shown))


def _shows_extreme(w: Walk) -> Conditions:
    """The limb, and every other one that comes near it; how far ahead they are, from abreast."""
    which, moment = w.step.args[0], w.inputs[0]
    when = _as_at(w.timeline, moment, lambda f: limb_positions.limb_extreme(w.timeline, (f, f), which))
    if limb_positions.EXTREMES[which][0] != 2:
        when = when & outlook(w.timeline, OUTLOOKS[0])
    found = limb_positions.places_along(w.timeline, moment, which)
    near = [n for far, n in found if far >= found[0][0] - NEAR_SHARE * w.timeline.subject_size_m]
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n) & when) for n in near)))


def _shows_legs_down(w: Walk) -> Conditions:
    """Every leg as the moment ends."""
    when = _as_at(w.timeline, w.inputs[0], lambda f: limb_positions.legs_down(w.timeline, (f, f)))
    names = motion.legs(w.timeline)
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n) & when) for n in names)))


def _at_its_most(timeline: AnimatedView, span: Moment, limb: str, which: str) -> Mask:
    """Return the cells (V, G) that show a limb about as high, or as low, as it gets in some frames."""
    sign, room = (1 if which == "highest" else -1), NEAR_TOP * timeline.subject_size_m
    course = sign * limb_positions.heights(timeline)[limb]
    near = np.zeros(timeline.frames, dtype=bool)
    near[span[0] : span[1] + 1] = course[span[0] : span[1] + 1] >= course[span[0] : span[1] + 1].max() - room
    when = times(timeline, near)
    top = span[0] + int(np.argmax(near[span[0] : span[1] + 1]))
    return np.asarray(limb_cells(timeline, limb) & (when if when.any() else between(timeline, top, top)))


def _shows_when(w: Walk) -> Conditions:
    conditions = [
        Condition(f"{w.step.args[0]} in quarter {k + 1}", _at_its_most(w.timeline, span, *w.step.args))
        for k, span in enumerate(limb_positions.quarters_of(w.timeline.frames))
    ]
    return Conditions((*w.before, *conditions))


def _shows_among(w: Walk) -> Conditions:
    conditions = [*w.before, *w.of(0, w.value)]
    for k in members(w.inputs[0]):
        h = w.timeline.happenings[k]
        conditions += shows_event(w.timeline, h)
        if w.step.op == "peak":
            seen = _at_its_most(w.timeline, (h.first, h.last), *w.step.args)
            conditions.append(Condition(f"{w.step.args[0]} during {h.key}", seen))
    return Conditions(tuple(conditions))


def _shows_swings(w: Walk) -> Conditions:
    (first, last), limb = w.inputs[0], w.step.args[0]
    edges = np.linspace(first, last + 1, 2 * int(w.value) + 1).round().astype(int)
    conditions = [
        Condition(
            f"{limb} moving ({n + 1})", limb_cells(w.timeline, limb) & between(w.timeline, a, max(b - 1, a))
        )
        for n, (a, b) in enumerate(pairwise(edges))
    ]
    return Conditions((*w.before, *conditions))


def _shows_side(w: Walk) -> Conditions:
    """The side from which it is hidden, and somewhere else what is hidden from there."""
    timeline, (kind, name) = w.timeline, w.step.args
    views = np.zeros((timeline.visibility.views, 1), dtype=bool)
    views[timeline.views_from(w.value)] = True
    when = between(timeline, *w.inputs[0])
    seen = limb_cells(timeline, name) if kind == "limb" else part_cells(timeline, name)
    conditions = (
        Condition(f"what shows from {w.value}", views & clear(timeline, 0) & when),
        Condition(f"{name} where it shows", seen & when),
    )
    return Conditions((*w.before, *conditions))


def _shows_color_most(w: Walk) -> Conditions:
    """The actor from two sides that face one another: what most of it is, no one view tells."""
    seen = clear(w.timeline, 0)
    half = np.cos(w.timeline.azimuths_rad)[:, None] >= 0
    return Conditions(
        (Condition("it from ahead", seen & half), Condition("it from behind", seen & ~half)),
    )


_OF_ACTOR = (ValueType.SPAN,), ValueType.WORD
_PICKS = (ValueType.EVENTS,), ValueType.EVENT

declare(
    Operator(
        "limb_shift",
        *_OF_ACTOR,
        at_moment(limb_positions.limb_shift),
        ANIMATED,
        ("text",),
        evidence=_shows_shift,
    ),
    Operator(
        "limb_place",
        *_OF_ACTOR,
        at_moment(limb_positions.limb_place),
        ANIMATED,
        ("text", "text"),
        evidence=_shows_place,
    ),
    Operator(
        "limb_extreme",
        *_OF_ACTOR,
        at_moment(limb_positions.limb_extreme),
        ANIMATED,
        ("word",),
        WHICH,
        evidence=_shows_extreme,
    ),
    Operator(
        "legs_down", (ValueType.SPAN,), ValueType.NUMBER, _legs_down, ANIMATED, evidence=_shows_legs_down
    ),
    Operator(
        "limb_when",
        (),
        ValueType.WORD,
        of_film(limb_positions.limb_when),
        ANIMATED,
        ("text", "text"),
        evidence=_shows_when,
    ),
    Operator("peak", *_PICKS, _peak, ANIMATED, ("text", "text"), evidence=_shows_among),
    Operator("pace", *_PICKS, _pace, ANIMATED, ("word",), ("fastest", "slowest"), evidence=_shows_among),
    Operator(
        "limb_swings",
        (ValueType.SPAN,),
        ValueType.NUMBER,
        _swings,
        ANIMATED,
        ("text",),
        evidence=_shows_swings,
    ),
    Operator(
        "hidden_side",
        *_OF_ACTOR,
        at_moment(limb_positions.hidden_side),
        ANIMATED,
        ("text", "text"),
        evidence=_shows_side,
    ),
    Operator(
        "color_most",
        (),
        ValueType.WORD,
        of_film(limb_positions.color_most),
        ANIMATED,
        evidence=_shows_color_most,
    ),
)
