"""Operators on the sides of an animated scene's actor: which way it faces in a picture, what one shows alone.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.programs import sides
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    between,
    clear,
    part_cells,
    stretch,
    times,
)
from fathom.programs.operators.limbs import at_moment
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import TruthValue, Unanswerable, Value, ValueType
from fathom.programs.views.animated import AnimatedView, Mask

LATERAL = ("left", "right")


def _only_on(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    found = {n: r for n, r in sides.only_on(run.view, inputs[0], args[0]).items() if r > 0}
    if not found:
        raise Unanswerable("nothing shows on that side alone")
    least = min(found.values())
    run.hang_on(TruthValue(least, "shows on one side alone", least, "ratio"))
    return tuple(found)


# What shows it


def _shows_facing(w: Walk) -> Conditions:
    """The actor, from that camera, in the course of the moment."""
    view, seen = int(w.step.args[0]), clear(w.timeline, 0) & between(w.timeline, *w.inputs[0])
    seen[:view] = seen[view + 1 :] = False
    return Conditions((*w.before, Condition(f"it from view {view}", seen)))


def _shows_going(w: Walk) -> Conditions:
    """The actor from that camera, where it sets out and where it gets to."""
    view, (first, last) = int(w.step.args[0]), w.inputs[0]
    seen, third = clear(w.timeline, 0).copy(), max((last - first) // 3, 0)
    seen[:view] = seen[view + 1 :] = False
    ends = {"sets out": (first, first + third), "gets to": (last - third, last)}
    shown = (
        Condition(f"where it {n} in view {view}", seen & between(w.timeline, *s)) for n, s in ends.items()
    )
    return Conditions((*w.before, *shown))


def _as_at(timeline: AnimatedView, frame: int, side: str, alone: frozenset[str]) -> Mask:
    """Return the frames of the grid (G,) around one at which the same parts show on one side alone."""
    found = [sides.only_on(timeline, (int(f),) * 2, side) for f in timeline.visibility.frames]
    same = [frozenset(n for n, r in firm.items() if r > 0) == alone for firm in found]
    held = np.array([same[timeline.visibility.at(f)] for f in range(timeline.frames)])
    return times(timeline, stretch(held, (frame, frame)))


def _about(timeline: AnimatedView, side: str, within_deg: float) -> Mask:
    """Return the cells (V, G) that look from so near to a side of the actor as it faces then."""
    frames = timeline.visibility.frames
    return np.stack([sides.views_about(timeline, side, within_deg, int(f)) for f in frames], axis=1)


def _shows_only_on(w: Walk) -> Conditions:
    """What shows there alone, and the other side without it; of the rest, what tells that it is not so."""
    timeline, (side,), (_, last) = w.timeline, w.step.args, w.inputs[0]
    when = clear(timeline, 0) & _as_at(timeline, last, side, frozenset(w.value))
    here = _about(timeline, side, sides.PLAIN_DEG) & when
    there = _about(timeline, sides.OPPOSITE[side], sides.GONE_DEG) & when
    of: dict[int, tuple[Condition, ...]] = {}
    for name, k in timeline.visibility.parts_of(0).items():
        seen = part_cells(timeline, name)
        if name in w.value:
            of[~k] = (
                Condition(f"{name} from its {side}", here & seen),
                Condition(f"no {name} on the opposite side", there),
            )
        else:
            of[~k] = (
                Condition(f"{name} on the opposite side, or not here", (there & seen) | (here & ~seen)),
            )
    return Conditions(w.before, of)


_SPAN, _WORD = (ValueType.SPAN,), ValueType.WORD

declare(
    Operator(
        "faces_seen",
        _SPAN,
        _WORD,
        at_moment(sides.faces_seen),
        ANIMATED,
        ("text",),
        evidence=_shows_facing,
    ),
    Operator(
        "goes_seen",
        _SPAN,
        _WORD,
        at_moment(sides.goes_seen),
        ANIMATED,
        ("text",),
        evidence=_shows_going,
    ),
    Operator(
        "only_on", _SPAN, ValueType.PARTS, _only_on, ANIMATED, ("word",), LATERAL, evidence=_shows_only_on
    ),
)
