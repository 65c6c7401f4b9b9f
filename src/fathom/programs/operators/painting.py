"""Operators on patches of paint that come while a film runs: when one comes, and in which order they do.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fathom.programs import painted, painting
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, between
from fathom.programs.operators.limbs import hung
from fathom.programs.operators.patches import of_patch, patch_cells, sides_shown
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import Unanswerable, Value, ValueType
from fathom.programs.views.animated import QUARTERS, AnimatedView, Moment

NEAR = 6
"""Up to how many frames before and after something one looks who sees that it is so then."""


def _when(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    if args[0] not in painted.coming(run.view):
        raise Unanswerable(f"{args[0]}: none that comes")
    return painting.moment(run.view, args[0])


def _come(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, painting.come(run.view)))


def _there(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, painting.there(run.view, inputs[0])))


def _painted(timeline: AnimatedView, name: str, last: int) -> Condition:
    """The patch, once it has come and up to a frame."""
    when = between(timeline, painted.since(timeline, name), last)
    return Condition(f"{name} painted", patch_cells(timeline, name) & when, last)


def _bare(timeline: AnimatedView, name: str, first: int) -> Condition:
    """What is beneath a patch, from a frame on until the patch comes."""
    last = painted.since(timeline, name) - 1
    return Condition(
        f"no {name} yet", patch_cells(timeline, name) & between(timeline, min(first, last), last), last
    )


def _order(
    timeline: AnimatedView, pairs: Sequence[tuple[str, str]], at: int | None = None
) -> list[Condition]:
    """Return what shows that of each pair one patch comes before the other: one painted before, and the other
    bare after, a frame in between.
    """
    out = []
    for one, other in pairs:
        middle = painting.cut(timeline, one, other) if at is None else at
        out += [_painted(timeline, one, middle), _bare(timeline, other, middle)]
    return out


def _others(timeline: AnimatedView) -> list[Condition]:
    """What shows that nothing else comes: patches that are there before, sides that are bare at the end."""
    come = painted.coming(timeline)
    early = [n for n in painted.patches(timeline) if n not in come]
    taken = {painted.side_of(timeline, n).word for n in painted.patches(timeline)}
    first = painted.since(timeline, come[0]) - 1
    bare = sides_shown(timeline, [q for q in QUARTERS if q not in taken])
    return [*(_painted(timeline, n, first) for n in early), *bare]


def _shows_place(w: Walk) -> Conditions:
    order = painted.coming(w.timeline)
    last = w.timeline.frames - 1
    if w.step.args[0] == painting.ONLY:
        shown = [_bare(w.timeline, order[0], 0), _painted(w.timeline, order[0], last)]
    elif w.step.args[0] == "first":
        middle = painting.cut(w.timeline, order[0], order[1])
        shown = _order(w.timeline, [(order[0], n) for n in order[1:]], middle)
    else:
        middle = painting.cut(w.timeline, order[-2], order[-1])
        shown = _order(w.timeline, [(n, order[-1]) for n in order[:-1]], middle)
        shown.append(_painted(w.timeline, order[-1], last))
    return Conditions((*w.before, *shown, *_others(w.timeline)))


def _shows_after(w: Walk) -> Conditions:
    order = painted.coming(w.timeline)
    shown = _order(w.timeline, list(pairwise(order)))
    shown.append(_painted(w.timeline, order[-1], w.timeline.frames - 1))
    return Conditions((*w.before, *shown, *_others(w.timeline)))


def _shows_come(w: Walk) -> Conditions:
    last = w.timeline.frames - 1
    shown = []
    for name in painted.coming(w.timeline):
        shown += [_bare(w.timeline, name, 0), _painted(w.timeline, name, last)]
    return Conditions((*w.before, *shown, *_others(w.timeline)))


def _shows_there(w: Walk) -> Conditions:
    """Each patch, painted by then or bare after that, and the sides on which nothing ever is."""
    timeline, (_, at) = w.timeline, w.inputs[0]
    shown = []
    for name in painted.patches(timeline):
        here = painted.since(timeline, name) <= at
        shown.append(_painted(timeline, name, at) if here else _bare(timeline, name, at))
    taken = {painted.side_of(timeline, n).word for n in painted.patches(timeline)}
    bare = sides_shown(timeline, [q for q in QUARTERS if q not in taken])
    return Conditions((*w.before, *shown, *bare))


def _shows_when(w: Walk) -> Conditions:
    name, (frame, _) = w.step.args[0], w.value
    return Conditions(
        (*w.before, _bare(w.timeline, name, frame - NEAR), _painted(w.timeline, name, frame + NEAR))
    )


declare(
    Operator(
        "patch_order",
        (),
        ValueType.WORD,
        of_patch(painting.at_place),
        ANIMATED,
        ("word",),
        painting.PLACES,
        evidence=_shows_place,
    ),
    Operator(
        "patch_come_side",
        (),
        ValueType.WORD,
        of_patch(painting.come_side),
        ANIMATED,
        ("word",),
        (*painting.PLACES, painting.ONLY),
        evidence=_shows_place,
    ),
    Operator(
        "patch_then", (), ValueType.WORD, of_patch(painting.after), ANIMATED, ("text",), evidence=_shows_after
    ),
    Operator("patches_come", (), ValueType.NUMBER, _come, ANIMATED, evidence=_shows_come),
    Operator("patches_there", (ValueType.SPAN,), ValueType.NUMBER, _there, ANIMATED, evidence=_shows_there),
    Operator("patch_time", (), ValueType.SPAN, _when, ANIMATED, ("text",), evidence=_shows_when),
)
