"""Operators on the sides of an animated scene's actor: which way it faces and goes in a picture.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from fathom.programs import sides
from fathom.programs.evidence.conditions import (
    Condition,
    Conditions,
    Walk,
    between,
    clear,
    limb_cells,
)
from fathom.programs.operators.limbs import at_moment
from fathom.programs.registry import ANIMATED, Operator, declare
from fathom.programs.values import ValueType

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


def _shows_nearest(w: Walk) -> Conditions:
    """The limb, from that camera, in the course of the moment."""
    view = int(w.step.args[0])
    seen = limb_cells(w.timeline, w.value) & clear(w.timeline, 0) & between(w.timeline, *w.inputs[0])
    seen[:view] = seen[view + 1 :] = False
    return Conditions((*w.before, Condition(f"{w.value} from view {view}", seen)))


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
        "nearest_seen",
        _SPAN,
        _WORD,
        at_moment(sides.nearest_seen),
        ANIMATED,
        ("text",),
        evidence=_shows_nearest,
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
)
