"""The operator on which limb of an animated scene's actor sets out first.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from fathom.programs.evidence.conditions import Condition, Conditions, Walk, between, limb_cells
from fathom.programs.evidence.motion_seen import seen_moved
from fathom.programs.limb_positions import named_limbs
from fathom.programs.onset import SET_OUT, limb_onset, onsets
from fathom.programs.operators.limbs import at_moment
from fathom.programs.registry import ANIMATED, Operator, declare
from fathom.programs.values import ValueType


def _shows_onset(w: Walk) -> Conditions:
    """The first one before and after it has set out; and every other one, still at rest then."""
    timeline, moment, first = w.timeline, w.inputs[0], w.value
    large, small = (onsets(timeline, moment, share) for share in (SET_OUT[-1], SET_OUT[0]))
    rest = between(timeline, moment[0], max(small[first] - 1, moment[0]))
    last = min(f for n, f in small.items() if n != first) - 1
    then = between(timeline, large[first], last)
    moved = seen_moved(timeline, named_limbs(timeline)[first], moment[0])
    conditions = [Condition(f"{first} at rest", limb_cells(timeline, first) & rest)]
    conditions += [Condition(f"{first} on its way", limb_cells(timeline, first) & moved & then)]
    conditions += [
        Condition(f"{name} still at rest", limb_cells(timeline, name) & then)
        for name in small
        if name != first
    ]
    return Conditions((*w.before, *conditions))


declare(
    Operator(
        "limb_onset",
        (ValueType.SPAN,),
        ValueType.WORD,
        at_moment(limb_onset),
        ANIMATED,
        evidence=_shows_onset,
    ),
)
