"""Whether every word of a question is needed, and whether its answer is the same all the time.

In stills a filter is dropped by letting everything pass, a relation by letting it hold for everything but its
anchor. A word is needed when dropping it certainly changes the answer, where having no answer (several
objects fit) is a change. A relation must do more: whoever ignores it and takes any of the objects that then
fit may come to the right answer all the same. So each of them is followed through the rest of the program,
and one at least must lead to another answer, or to none. Where dropping can only enlarge a set that the
answer yes, a "more than", or the larger of two unequal counts already rests on, dropping can never change
anything; then some replacement must: another value that occurs in the scene, another word of the relation's
family, or another anchor.

In animated scenes a filter is needed when the answer is another one without it, a moment when another one
would not do, and in videos a filter when other objects would be meant, or the same less firmly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fathom.programs.engine import CompiledProgram, Trace, evaluate, plan_of, run, traced
from fathom.programs.registry import ProgramRun, View
from fathom.programs.steps import args_of
from fathom.programs.values import Unanswerable, Value, ValueType, members
from fathom.programs.views.animated import AnimatedView
from fathom.programs.views.still import StillView
from fathom.records import Step

_FILTERS = ("filter_", "partfilter_")
_ATTRIBUTES = frozenset(f"{kind}{name}" for kind in _FILTERS for name in ("size", "color", "shape"))
Args = Sequence[Sequence[str]]
"""The arguments of every step."""

_NO_ANSWER = "no answer"
_OPEN = "open"

MOMENTS = ("start", "end")
MEASURES = (
    "limb_most", "limb_first", "repeats", "travels", "turns", "goes", "within", "around", "limb_shift",
    "limb_swings", "times", "limb_line", "limb_course", "limbs_still", "steps",
    "raises", "strokes",
)  # fmt: skip
"""Operators that measure what goes on in a moment, so that the moment is what is asked about."""

SELECTORS = ("first", "last", "nth")
COURSES = ("actions", "events", "happenings", "sprouting")


@lru_cache(maxsize=65536)
def droppable(plan: CompiledProgram) -> tuple[int, ...]:
    """Return the steps that a question's words stand for: filters and relations."""
    return tuple(k for k, o in enumerate(plan.operators) if o.judged)


def unneeded(program: Sequence[Step], view: View, values: Sequence[Value] | None = None) -> tuple[int, ...]:
    """Return the steps of a program that could be dropped without certainly changing its answer.

    `values` are those of its trace, where it has run. Of videos, whose nouns are not judged (an object has to
    be called something), the steps without which the same objects would be meant.
    """
    plan = plan_of(program, view.scenes)
    if isinstance(view, StillView):
        args = args_of(program)
        if values is None:
            values = evaluate(plan, args, ProgramRun(view), [])
        return unneeded_words(plan, args, view, values)
    if isinstance(view, AnimatedView):
        return _unneeded_in_time(program, plan, view)
    wanted = _meant(plan, traced(program, view))
    return tuple(k for k in droppable(plan) if _meant(plan, traced(program, view, k)) == wanted)


def unneeded_words(
    plan: CompiledProgram, args: Args, view: StillView, values: Sequence[Value]
) -> tuple[int, ...]:
    """Return the same of a program over a still whose plan, and the values of its steps, are at hand."""
    work = ProgramRun(view)
    return tuple(k for k in droppable(plan) if not is_needed(plan, args, work, values, k))


def _meant(plan: CompiledProgram, found: Trace) -> tuple[Value, ...] | None:
    """Return the objects that a program speaks of, None where it is not firm which they are."""
    if len(found.values) < len(plan.operators) or not found.least.holds:
        return None
    return tuple(v for v, kind in zip(found.values, plan.kinds, strict=True) if kind is ValueType.OBJECT)


def _unneeded_in_time(
    program: Sequence[Step], plan: CompiledProgram, timeline: AnimatedView
) -> tuple[int, ...]:
    """Return the filters without which the answer is the same, the moments of which any other would do, and
    "first" or "last" of all that happens where that is one event.
    """
    whole = run(program, timeline)
    dull = [k for k in droppable(plan) if run(program, timeline, k).answer == whole.answer]
    moments = [k for k, o in enumerate(plan.operators) if o.gives is ValueType.SPAN and o.name != "whole"]
    moments = [k for k in moments if not any(k in s.inputs and s.op in MEASURES for s in program)]
    dull += [k for k in moments if all(_at(program, timeline, k, m) == whole.answer for m in MOMENTS)]
    for k, step in enumerate(program):
        if step.op in SELECTORS and program[step.inputs[0]].op in COURSES:
            dull += [k] * (len(members(whole.values[step.inputs[0]])) == 1)
    return tuple(dull)


def _at(program: Sequence[Step], timeline: AnimatedView, at: int, moment: str) -> str | None:
    """Return the answer with one moment exchanged for an end of the scene."""
    steps = [Step(op=moment) if k == at else step for k, step in enumerate(program)]
    needed = {len(steps) - 1}
    for k in range(len(steps) - 1, -1, -1):
        if k in needed:
            needed |= set(steps[k].inputs)
    places = {k: n for n, k in enumerate(sorted(needed))}
    left = [
        Step(op=s.op, inputs=tuple(places[i] for i in s.inputs), args=s.args)
        for k, s in enumerate(steps)
        if k in needed
    ]
    return run(left, timeline).answer


def steady(program: Sequence[Step], timeline: AnimatedView) -> bool:
    """Return whether what is asked of the whole scene is the same at both of its ends."""
    wholes = [k for k, s in enumerate(program) if s.op == "whole"]
    if not wholes:
        return True
    answer = run(program, timeline).answer
    return all(_at(program, timeline, k, m) == answer for k in wholes for m in MOMENTS)


def constant(program: Sequence[Step], timeline: AnimatedView) -> bool:
    """Return whether what is asked of the course of an event is the same at every frame of it."""
    whole = traced(program, timeline)
    for k, step in enumerate(program):
        if step.op != "while" or all(s.op in MEASURES for s in program if k in s.inputs):
            continue
        first, last = whole.values[k]
        for f in range(first, last + 1):
            if traced(program, timeline, given=(*whole.values[:k], (f, f))).answer != whole.answer:
                return False
    return True


# Stills


def is_relation(plan: CompiledProgram, step: int) -> bool:
    """Return whether a step's words say how objects stand to one another or to the camera, and not what they
    are.
    """
    return plan.operators[step].name not in _ATTRIBUTES


@lru_cache(maxsize=65536)
def singling(plan: CompiledProgram) -> tuple[tuple[int, int], ...]:
    """Return the relations that help to single out one object, each with the step that does so."""
    found = []
    for k in droppable(plan):
        reader = k
        while is_relation(plan, k) and plan.operators[reader].gives is plan.operators[k].gives:
            if len(plan.readers[reader]) != 1:
                break
            (reader,) = plan.readers[reader]
            if plan.operators[reader].name == "unique":
                found.append((k, reader))
    return tuple(found)


def is_needed(
    plan: CompiledProgram, args: Args, work: ProgramRun[StillView], values: Sequence[Value], step: int
) -> bool:
    """Return whether one filter or relation is needed; `values` are those of the whole program."""
    answer = values[-1]
    before = list(values[:step])
    if is_relation(plan, step):
        if _leads_elsewhere(plan, args, work, before, step, answer):
            return True
    elif _changes(_outcome(plan, args, work, before, step), answer):
        return True
    if not _only_grows(plan, step, values):
        return False
    return any(
        _changes(_outcome(plan, args, work, [*values[:step], v], -1), answer)
        for v in _replacements(plan, args, work, values, step)
    )


def _leads_elsewhere(
    plan: CompiledProgram,
    args: Args,
    work: ProgramRun[StillView],
    values: list[Value],
    without: int,
    answer: Value,
) -> bool:
    """Return whether a program without one step comes, for one at least of the objects that several may fit,
    certainly to another answer or to none.
    """
    outcome = _outcome(plan, args, work, values, without)
    if outcome is _NO_ANSWER and plan.operators[len(values)].name == "unique":
        fitting = values[plan.inputs[len(values)][0]][0]
        if fitting:
            return any(
                _leads_elsewhere(plan, args, work, [*values, k], without, answer)
                for k in range(fitting.bit_length())
                if fitting >> k & 1
            )
    return _changes(outcome, answer)


def _changes(outcome: Value, answer: Value) -> bool:
    if isinstance(outcome, range):
        return answer not in outcome
    return outcome is not _OPEN and (outcome is _NO_ANSWER or outcome != answer)


def _outcome(
    plan: CompiledProgram, args: Args, work: ProgramRun[StillView], values: list[Value], without: int
) -> Value:
    """Return what a program comes to: a value, no answer, open, or for an open count the span that it is
    in.
    """
    try:
        return evaluate(plan, args, work, values, without)[-1]
    except Unanswerable as stop:
        if not stop.open:
            return _NO_ANSWER
        last = len(plan.operators) - 1
        if len(values) == last and plan.operators[last].name == "count":
            yes, maybe = values[plan.inputs[last][0]]
            return range(yes.bit_count(), maybe.bit_count() + 1)
        return _OPEN


def _only_grows(plan: CompiledProgram, step: int, values: Sequence[Value]) -> bool:
    """Return whether a larger set at `step` can never change the answer, the last of the values."""
    answer = values[-1]
    k = step
    while True:
        if len(plan.readers[k]) != 1:
            return False
        (reader,) = plan.readers[k]
        name = plan.operators[reader].name
        if name == "exist":
            return answer is True and reader == len(plan.operators) - 1
        if name == "greater_than":
            return bool(answer) is (plan.inputs[reader][0] == k)
        if name == "less_than":
            return bool(answer) is (plan.inputs[reader][1] == k)
        if name == "equal_integer":
            one, two = plan.inputs[reader]
            return not answer and values[k] > values[two if k == one else one]
        if name != "count" and plan.operators[reader].gives is not ValueType.OBJECTS:
            return False
        k = reader


def _replacements(
    plan: CompiledProgram, args: Args, work: ProgramRun[StillView], values: Sequence[Value], step: int
) -> Iterator[Value]:
    """Yield the values that a step would have with other words."""
    operator = plan.operators[step]
    inputs = [values[i] for i in plan.inputs[step]]
    words: Sequence[str] = operator.words
    if operator.args == ("text",) and operator.takes == (ValueType.OBJECTS,):
        marks = work.view.marks[operator.name.removeprefix("filter_")]
        own = marks.get(args[step][0], (0, 0))
        # A class and one of its shapes are no rivals: they overlap.
        words = [w for w, m in marks.items() if w and not m[1] & own[1]]
    for word in words:
        if args[step] != (word,):
            yield operator.act(work, inputs, (word,))
    if operator.takes == (ValueType.OBJECT,):
        for other in range(work.view.n):
            if other != inputs[0]:
                try:
                    value = operator.act(work, [other], args[step])
                except Unanswerable:  # what is not known of another object shows no need
                    continue
                yield value
