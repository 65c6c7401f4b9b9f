"""Operators on the sides of an animated scene's actor: which faces a camera, and what shows on one alone.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs import sides
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, between, clear, part_cells
from fathom.programs.operators.limbs import at_moment, of_film
from fathom.programs.operators.patches import shown, sides_shown
from fathom.programs.painted import patches, side_of
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import TruthValue, Unanswerable, Value, ValueType
from fathom.programs.views.animated import AnimatedView

LATERAL = ("left", "right")


def _only_on(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    found = {n: r for n, r in sides.only_on(run.view, inputs[0], args[0]).items() if r > 0}
    if not found:
        raise Unanswerable("nothing shows on that side alone")
    least = min(found.values())
    run.hang_on(TruthValue(least, "shows on one side alone", least, "ratio"))
    return tuple(found)


# What shows it


def _shows_camera_side(w: Walk) -> Conditions:
    """The actor, from that camera, in the course of the moment."""
    view, seen = int(w.step.args[0]), clear(w.timeline, 0) & between(w.timeline, *w.inputs[0])
    seen[:view] = seen[view + 1 :] = False
    return Conditions((*w.before, Condition(f"it from view {view}", seen)))


def _shows_only_on(w: Walk) -> Conditions:
    """What shows there alone, and the other side without it; of the rest, what tells that it is not so."""
    timeline, (side,), moment = w.timeline, w.step.args, w.inputs[0]
    at = timeline.visibility.at(moment[1])
    when = clear(timeline, 0).copy()
    when[:, :at] = when[:, at + 1 :] = False
    here = sides.views_about(timeline, side, sides.PLAIN_DEG, moment[1])[:, None] & when
    there = sides.views_about(timeline, sides.OPPOSITE[side], sides.GONE_DEG, moment[1])[:, None] & when
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


def _shows_painted(w: Walk) -> Conditions:
    """The patches on its left and its right, and what of these two sides is bare."""
    found = {n: side_of(w.timeline, n).word for n in patches(w.timeline)}
    own = [shown(w.timeline, name) for name, side in found.items() if side in LATERAL]
    bare = [side for side in LATERAL if side not in found.values()]
    return Conditions((*own, *sides_shown(w.timeline, bare)))


_SPAN, _WORD = (ValueType.SPAN,), ValueType.WORD

declare(
    Operator(
        "camera_side",
        _SPAN,
        _WORD,
        at_moment(sides.camera_side),
        ANIMATED,
        ("text",),
        evidence=_shows_camera_side,
    ),
    Operator(
        "only_on", _SPAN, ValueType.PARTS, _only_on, ANIMATED, ("word",), LATERAL, evidence=_shows_only_on
    ),
    Operator("painted_sides", (), _WORD, of_film(sides.painted_sides), ANIMATED, evidence=_shows_painted),
)
