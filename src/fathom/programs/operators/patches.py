"""Operators on the patches of paint of an animated scene's actor: how many there are, and where they lie.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from fathom.programs import painted
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, clear, part_cells
from fathom.programs.evidence.outlook import ROUNDING
from fathom.programs.limb_positions import pieces_px
from fathom.programs.motion import MeasuredMotion
from fathom.programs.operators.limbs import hung
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.values import Value, ValueType
from fathom.programs.views.animated import QUARTERS, AnimatedView, Mask

SLIVER = 0.2
"""Up to how much of the most that any view shows of a patch shows no more than its edge."""

SHOWS_DEG = 60.0
"""Up to how far from a side one looks who sees that nothing is painted there."""


def _count(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, painted.counted(run.view)))


def of_patch(measure: Callable[..., MeasuredMotion]) -> Act:
    """Return what an operator does that is about one patch."""
    return lambda run, inputs, args: hung(run, measure(run.view, *args))


# What shows it


def _from(timeline: AnimatedView, quarter: str) -> Mask:
    """Return the cells (V, G) that show a side of the actor, whichever way it has turned by then."""
    headings = timeline.headings_rad[timeline.visibility.frames, 0] - timeline.headings_rad[0, 0]
    off = timeline.azimuths_rad[:, None] - headings - QUARTERS.index(quarter) * math.pi / 2
    seen = np.cos(off) >= math.cos(math.radians(SHOWS_DEG)) - ROUNDING
    return np.asarray(clear(timeline, 0) & seen)


def sides_shown(timeline: AnimatedView, quarters: Sequence[str]) -> list[Condition]:
    """Return the sides of the actor, each with the cells that show it."""
    return [Condition(f"its side: {q}", _from(timeline, q)) for q in quarters]


def patch_cells(timeline: AnimatedView, name: str) -> Mask:
    """Return the cells (V, G) that show a patch, and more of it than a sliver."""
    px = pieces_px(timeline, "part", name)
    if px is None:
        return part_cells(timeline, name)
    return np.asarray(part_cells(timeline, name) & (px >= SLIVER * px.max()))


def shown(timeline: AnimatedView, name: str) -> Condition:
    return Condition(name, patch_cells(timeline, name))


def _shows_count(w: Walk) -> Conditions:
    own = [shown(w.timeline, name) for name in painted.patches(w.timeline)]
    return Conditions((*own, *sides_shown(w.timeline, QUARTERS)))


def _shows_side(w: Walk) -> Conditions:
    return Conditions((*w.before, shown(w.timeline, w.step.args[0])))


def _shows_on(w: Walk) -> Conditions:
    names = [n for n in painted.patches(w.timeline) if painted.side_of(w.timeline, n).word == w.step.args[0]]
    return Conditions((*w.before, *(shown(w.timeline, n) for n in names)))


declare(
    Operator("patches", (), ValueType.NUMBER, _count, ANIMATED, evidence=_shows_count),
    Operator(
        "patch_side", (), ValueType.WORD, of_patch(painted.side_of), ANIMATED, ("text",), evidence=_shows_side
    ),
    Operator(
        "patch_on",
        (),
        ValueType.WORD,
        of_patch(painted.on_side),
        ANIMATED,
        ("word",),
        QUARTERS,
        evidence=_shows_on,
    ),
)
