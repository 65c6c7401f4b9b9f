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
    stretch,
    times,
)
from fathom.programs.evidence.outlook import OUTLOOKS, outlook
from fathom.programs.motion import MeasuredMotion
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.values import TruthValue, Unanswerable, Value, ValueType
from fathom.programs.views.animated import AnimatedView, Mask, Moment


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


def _shows_legs_down(w: Walk) -> Conditions:
    """Every leg as the moment ends."""
    when = _as_at(w.timeline, w.inputs[0], lambda f: limb_positions.legs_down(w.timeline, (f, f)))
    names = motion.legs(w.timeline)
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n) & when) for n in names)))


def _shows_leg(w: Walk) -> Conditions:
    """Every leg as the moment ends, while it is still that one alone."""
    where = w.step.args[0]
    when = _as_at(w.timeline, w.inputs[0], lambda f: limb_positions.leg(w.timeline, (f, f), where))
    names = motion.legs(w.timeline)
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n) & when) for n in names)))


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


def _shows_color_most(w: Walk) -> Conditions:
    """The actor from two sides that face one another: what most of it is, no one view tells."""
    seen = clear(w.timeline, 0)
    half = np.cos(w.timeline.azimuths_rad)[:, None] >= 0
    return Conditions(
        (Condition("it from ahead", seen & half), Condition("it from behind", seen & ~half)),
    )


_OF_ACTOR = (ValueType.SPAN,), ValueType.WORD
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
        "legs_down", (ValueType.SPAN,), ValueType.NUMBER, _legs_down, ANIMATED, evidence=_shows_legs_down
    ),
    Operator(
        "leg",
        *_OF_ACTOR,
        at_moment(limb_positions.leg),
        ANIMATED,
        ("word",),
        ("on", "off"),
        evidence=_shows_leg,
    ),
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
        "color_most",
        (),
        ValueType.WORD,
        of_film(limb_positions.color_most),
        ANIMATED,
        evidence=_shows_color_most,
    ),
)
