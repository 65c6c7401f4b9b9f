"""What has to be seen of a film to answer a question: conditions, and the cells that meet each.

A program is walked through once more with the values of its trace. Each step brings with it what has to be
seen to know its value; conditions of the steps that the answer reads are joined.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from fathom.programs.engine import Trace, plan_of
from fathom.programs.evidence.conditions import Condition, Conditions, Walk
from fathom.programs.values import ValueType, members
from fathom.programs.views.animated import AnimatedView, Mask
from fathom.records import Need, Step


def needs_of(program: Sequence[Step], trace: Trace, timeline: AnimatedView) -> tuple[Need, ...]:
    """Return what has to be seen to come to a trace's answer, each need once.

    A need that no cell meets has no cells: such a question must not be asked.
    """
    seen: list[Conditions] = []
    operators = plan_of(program, timeline.scenes).operators
    for k, (step, operator) in enumerate(zip(program, operators, strict=True)):
        walk = Walk(
            timeline,
            step,
            trace.kinds[k],
            trace.values[k],
            [trace.values[i] for i in step.inputs],
            [trace.kinds[i] for i in step.inputs],
            [seen[i] for i in step.inputs],
        )
        seen.append((operator.evidence or _passed)(walk))
    return _needs(timeline, seen[-1].value)


def _needs(timeline: AnimatedView, shown: Sequence[Condition]) -> tuple[Need, ...]:
    """Return conditions as needs, equal ones and those that a harder one implies left out."""
    kept: list[Condition] = []
    for one in sorted(shown, key=lambda s: (int(s.cells.sum()), s.until is None, s.until or 0, s.what)):
        if not any(k.implies(one) for k in kept):
            kept.append(one)
    return tuple(Need(what=s.what, cells=cells_of(timeline, s.cells, s.until)) for s in kept)


def cells_of(timeline: AnimatedView, mask: Mask, until: int | None = None) -> dict[int, str]:
    """Return the cells of a mask by view, as ranges of the film's frames: a frame of the grid stands for
    those up to the next one, or up to the frame `until`.
    """
    edges = [*(int(f) for f in timeline.visibility.frames), timeline.frames]
    spans = list(pairwise(edges))
    out = {}
    for view in range(len(mask)):
        ranges: list[list[int]] = []
        for g in np.flatnonzero(mask[view]):
            first, end = spans[g]
            if until is not None:
                end = max(min(end, until + 1), first + 1)
            if ranges and ranges[-1][1] == first - 1:
                ranges[-1][1] = end - 1
            else:
                ranges.append([first, end - 1])
        if ranges:
            out[view] = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
    return out


def frames_in(text: str) -> frozenset[int]:
    """Return the frames that ranges such as "0-11,18" name."""
    found: set[int] = set()
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def met(found: Sequence[Need], shown: Mapping[int, Sequence[int]]) -> bool:
    """Return whether whoever is shown these frames of these views can answer."""
    cells = {view: frozenset(frames) for view, frames in shown.items()}
    return all(any(frames_in(f) & cells.get(v, frozenset()) for v, f in n.cells.items()) for n in found)


def one_view_is_enough(found: Sequence[Need]) -> bool:
    """Return whether some view alone has a cell of every need."""
    views = [set(n.cells) for n in found]
    return bool(set.intersection(*views)) if views else True


def one_time_is_enough(found: Sequence[Need]) -> bool:
    """Return whether some frame alone has, in whatever views, a cell of every need."""
    times = [set().union(*(frames_in(f) for f in n.cells.values())) for n in found]
    return bool(set.intersection(*times)) if times else True


def _passed(w: Walk) -> Conditions:
    """Return what the inputs need; a set that a filter gives needs what its members needed before."""
    if w.kind in (ValueType.OBJECTS, ValueType.EVENTS) and w.inputs:
        return Conditions(w.before, {k: w.of(0, k) for k in members(w.value)})
    return Conditions(w.before)
