"""Operators that say when: moments of an animated scene, and times of a video.

Ref: docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.evidence.conditions import Conditions, Walk
from fathom.programs.evidence.events import shows_event
from fathom.programs.registry import ANIMATED, VIDEO, Operator, ProgramRun, declare
from fathom.programs.values import Unanswerable, Value, ValueType
from fathom.programs.views.animated import AnimatedView, Moment
from fathom.programs.views.video import Span, VideoView


def _before(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    frame = run.view.happenings[inputs[0]].first - 1
    if frame < 0:
        raise Unanswerable("nothing is shown before it")
    return frame, frame


def _after(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    frame = run.view.happenings[inputs[0]].last + 1
    if frame >= run.view.frames:
        raise Unanswerable("nothing is shown after it")
    return frame, frame


def _while(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    h = run.view.happenings[inputs[0]]
    return h.first, h.last


def _end(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    return run.view.frames - 1, run.view.frames - 1


def _whole(
    run: ProgramRun[AnimatedView] | ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]
) -> Moment:
    return 0, run.view.frames - 1


def _span(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Span:
    return run.view.span(float(args[0]), float(args[1]))


def _at(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return run.view.at(float(args[0]))


# What shows it


def _shows_while(w: Walk) -> Conditions:
    return Conditions((*w.before, *shows_event(w.timeline, w.timeline.happenings[w.inputs[0]])))


declare(
    Operator("start", (), ValueType.SPAN, lambda r, i, a: (0, 0), ANIMATED),
    Operator("end", (), ValueType.SPAN, _end, ANIMATED),
    Operator("whole", (), ValueType.SPAN, _whole, ANIMATED | VIDEO),
    Operator("before", (ValueType.EVENT,), ValueType.SPAN, _before, ANIMATED),
    Operator("after", (ValueType.EVENT,), ValueType.SPAN, _after, ANIMATED),
    Operator("while", (ValueType.EVENT,), ValueType.SPAN, _while, ANIMATED, evidence=_shows_while),
    Operator("span", (), ValueType.SPAN, _span, VIDEO, ("number", "number")),
    Operator("at", (), ValueType.TIME, _at, VIDEO, ("number",)),
)
