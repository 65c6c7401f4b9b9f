"""Operators on what happens in an animated scene: actions of its actor, events of its objects, their order.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from fathom.programs.evidence.conditions import Condition, Conditions, Walk
from fathom.programs.evidence.events import apart, done, ordered, shows_event, together, undone
from fathom.programs.operators.sets import the_only
from fathom.programs.registry import ANIMATED, Act, Operator, ProgramRun, declare
from fathom.programs.state import ACTS
from fathom.programs.values import NEVER, SURE, Set, TruthValue, Unanswerable, Value, ValueType, kept, members
from fathom.programs.views.animated import AnimatedView, SceneEvent


def _frames(run: ProgramRun[AnimatedView], relation: str, gap: float, *between: SceneEvent) -> TruthValue:
    ratio = gap / run.view.rules.time_frames
    return TruthValue(ratio, relation, gap, "frames", tuple(h.key for h in between))


def _all(keep: Callable[[SceneEvent], bool]) -> Act:
    def act(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
        return {k: SURE for k, h in enumerate(run.view.happenings) if keep(h)}

    return act


def _filter_verb(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    found = run.view.happenings
    return kept(inputs[0], lambda k: found[k].what == ACTS and found[k].key == args[0])


def _filter_event(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.happenings[k].what == args[0])


def _of(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.happenings[k].object_id == inputs[1])


def _pick(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    for key in args:
        if sum(run.view.happenings[k].key == key for k in members(inputs[0])) != 1:
            raise Unanswerable(f"not just one happening is {key}")
    return kept(inputs[0], lambda k: run.view.happenings[k].key in args)


def _around(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> TruthValue:
        h = run.view.happenings[k]
        inner = min(first - h.first, h.last - last) + 1
        return _frames(run, "goes on throughout", inner if inner > 0 else inner - 1, h)

    return kept(inputs[0], test)


def _within(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> TruthValue:
        h = run.view.happenings[k]
        inner = min(h.first - first, last - h.last) + 1
        return _frames(run, "happens within", inner if inner > 0 else inner - 1, h)

    return kept(inputs[0], test)


def _order_truth(run: ProgramRun[AnimatedView], one: int, other: int) -> TruthValue:
    """Return how firmly one happening is over before another begins.

    Two actions of the actor follow one another: which comes first is never in doubt.
    """
    a, b = run.view.happenings[one], run.view.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return SURE if a.last < b.first else NEVER
    gap = b.first - a.last
    return _frames(run, "is over before", gap if gap > 0 else gap - 1, a, b)


def _earlier(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
                 lambda k: _order_truth(run, k, inputs[1]))  # fmt: skip


def _later(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
                 lambda k: _order_truth(run, inputs[1], k))  # fmt: skip


def _begins(run: ProgramRun[AnimatedView], one: int, other: int) -> TruthValue:
    a, b = run.view.happenings[one], run.view.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return SURE
    return _frames(run, "begins before", b.first - a.first, a, b)


def _ordered(run: ProgramRun[AnimatedView], value: Set) -> tuple[int, ...]:
    """Return the members in the order in which they begin; who belongs, and each order, is hung on."""
    found = members(value)
    for truth in value.values():
        run.hang_on(truth.firmness)
    for one, other in pairwise(found):
        run.hang_on(_begins(run, one, other))
    return found


def _nth(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = _ordered(run, inputs[0])
    place = int(args[0])
    if not 1 <= place <= len(found):
        raise Unanswerable(f"there is no happening number {place}")
    return found[place - 1]


def _first(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, inputs[0], 0)


def _last(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, inputs[0], -1)


def _at_end(run: ProgramRun[AnimatedView], value: Set, place: int) -> int:
    found = members(value)
    if not found:
        raise Unanswerable("nothing of the kind happens")
    chosen = found[place]
    for truth in value.values():
        run.hang_on(truth.firmness)
    for k in found:
        if k != chosen:
            run.hang_on(_begins(run, *((chosen, k) if place == 0 else (k, chosen))))
    return chosen


def _next(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, _later(run, inputs, args), 0)


def _previous(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, _earlier(run, inputs, args), -1)


def _longest(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = members(inputs[0])
    if len(found) < 2:
        raise Unanswerable("there is nothing to compare")
    by_length = sorted(found, key=lambda k: -run.view.happenings[k].frames)
    one, other = (run.view.happenings[k] for k in by_length[:2])
    more = one.frames / other.frames - 1
    run.hang_on(TruthValue(more / run.view.rules.more, "lasts longer", more, "share", (one.key, other.key)))
    return by_length[0]


def _verb(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    h = run.view.happenings[inputs[0]]
    if h.what != ACTS:
        raise Unanswerable(f"{h.key} is no action")
    return h.key


def _happened(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return run.view.happenings[inputs[0]].key


def _subject(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    h = run.view.happenings[inputs[0]]
    if h.what == ACTS or not h.object_id:
        raise Unanswerable(f"{h.key} happens to the actor")
    return h.object_id


def _order(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return ">".join(run.view.happenings[k].key for k in _ordered(run, inputs[0]))


def _the(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return the_only(run, inputs[0], "event")


# What shows it


def _shows_chosen(w: Walk) -> Conditions:
    found, chosen = members(w.inputs[0]), w.timeline.happenings[w.value]
    conditions = [*w.before, *w.of(0, w.value), *shows_event(w.timeline, chosen)]
    if w.step.op == "longest":
        for k in found:
            conditions += shows_event(w.timeline, w.timeline.happenings[k])
    elif w.step.op != "the":
        place = found.index(w.value)
        conditions += _at_place(w.timeline, [w.timeline.happenings[k] for k in found], place, w.step.op)
    return Conditions(tuple(conditions))


def _at_place(
    timeline: AnimatedView, row: Sequence[SceneEvent], place: int, op: str
) -> tuple[Condition, ...]:
    """Return what shows that something has its place in a row: what comes before it, and what after.

    Actions follow one another without a gap, so that seeing them shows their order; of events, all others
    have to be known to lie on their side.
    """
    chosen = row[place]
    if chosen.what == ACTS:
        pairs = [(row[place - 1], chosen)] * (place > 0 and op != "first")
        pairs += [(chosen, h) for h in row[place + 1 : place + 2] if op != "last"]
        return tuple(s for pair in pairs for s in ordered(timeline, *pair))
    cuts: list[tuple[Sequence[SceneEvent], Sequence[SceneEvent]]] = [(row[:place], [chosen])]
    if op == "nth":
        cuts = [([a], [b]) for a, b in pairwise(row[: place + 1])]
    cuts.append(([chosen], row[place + 1 :]))
    return tuple(s for cut in cuts for s in apart(timeline, *cut))


def _shows_neighbour(w: Walk) -> Conditions:
    chosen, anchor = w.timeline.happenings[w.value], w.timeline.happenings[w.inputs[1]]
    a, b = (anchor, chosen) if w.step.op == "next" else (chosen, anchor)
    conditions = ordered(w.timeline, a, b)
    if ACTS not in (a.what, b.what):
        row = [w.timeline.happenings[k] for k in members(w.inputs[0])]
        conditions += apart(w.timeline, [h for h in row if h.last < a.first], [a])
        conditions += apart(w.timeline, [b], [h for h in row if h.first > b.last])
    return Conditions((*w.before, *w.of(0, w.value), *conditions))


def _others(w: Walk) -> tuple[int, ...]:
    """Return the events that a filter leaves out: what shows that they do not belong is for who counts."""
    found = set(members(w.inputs[0])) - set(members(w.value)) - {w.inputs[1]}
    return tuple(k for k in sorted(found) if w.timeline.happenings[k].what != ACTS)


def _shows_on_one_side(w: Walk) -> Conditions:
    anchor = w.timeline.happenings[w.inputs[1]]
    of = {}
    for k in members(w.value):
        h = w.timeline.happenings[k]
        pair = (h, anchor) if w.step.op == "earlier" else (anchor, h)
        of[k] = (*w.of(0, k), *ordered(w.timeline, *pair))
    for k in _others(w):
        h = w.timeline.happenings[k]
        of[k] = apart(w.timeline, *(([anchor], [h]) if w.step.op == "earlier" else ([h], [anchor])))
    return Conditions(w.before, of)


def _shows_in_the_course(w: Walk) -> Conditions:
    first, last = w.inputs[1]
    of = {}
    for k in members(w.value):
        h = w.timeline.happenings[k]
        moment = SceneEvent(0, ACTS, first, last, "the moment")
        conditions = shows_event(w.timeline, h)
        if w.step.op == "within" and h.what != ACTS:
            conditions = together(w.timeline, moment, h)[2:] + conditions
        of[k] = (*w.of(0, k), *conditions)
    for k in _others(w) if w.step.op == "within" else ():
        h = w.timeline.happenings[k]
        if h.first < first:
            of[k] = (done(w.timeline, h, h.over, first),)
        else:
            of[k] = (undone(w.timeline, h, last, h.first - 1),)
    return Conditions(w.before, of)


def _shows_order(w: Walk) -> Conditions:
    found = [w.timeline.happenings[k] for k in members(w.inputs[0])]
    conditions = [s for a, b in pairwise(found) for s in ordered(w.timeline, a, b)]
    return Conditions((*w.before, *(s for k in members(w.inputs[0]) for s in w.of(0, k)), *conditions))


_NARROWS = (ValueType.EVENTS,), ValueType.EVENTS
_PICKS = (ValueType.EVENTS,), ValueType.EVENT

declare(
    Operator("actions", (), ValueType.EVENTS, _all(lambda h: h.what == ACTS), ANIMATED),
    Operator("events", (), ValueType.EVENTS, _all(lambda h: h.what != ACTS), ANIMATED),
    Operator("happenings", (), ValueType.EVENTS, _all(lambda h: True), ANIMATED),
    Operator("filter_verb", *_NARROWS, _filter_verb, ANIMATED, ("text",), judged=True),
    Operator("filter_event", *_NARROWS, _filter_event, ANIMATED, ("text",), judged=True),
    Operator("of", (ValueType.EVENTS, ValueType.OBJECT), ValueType.EVENTS, _of, ANIMATED, judged=True),
    Operator("pick", *_NARROWS, _pick, ANIMATED, ("text",), many=True, judged=True),
    Operator(
        "around",
        (ValueType.EVENTS, ValueType.SPAN),
        ValueType.EVENTS,
        _around,
        ANIMATED,
        judged=True,
        evidence=_shows_in_the_course,
    ),
    Operator(
        "within",
        (ValueType.EVENTS, ValueType.SPAN),
        ValueType.EVENTS,
        _within,
        ANIMATED,
        judged=True,
        evidence=_shows_in_the_course,
    ),
    Operator(
        "earlier",
        (ValueType.EVENTS, ValueType.EVENT),
        ValueType.EVENTS,
        _earlier,
        ANIMATED,
        judged=True,
        evidence=_shows_on_one_side,
    ),
    Operator(
        "later",
        (ValueType.EVENTS, ValueType.EVENT),
        ValueType.EVENTS,
        _later,
        ANIMATED,
        judged=True,
        evidence=_shows_on_one_side,
    ),
    Operator("first", *_PICKS, _first, ANIMATED, evidence=_shows_chosen),
    Operator("last", *_PICKS, _last, ANIMATED, evidence=_shows_chosen),
    Operator("nth", *_PICKS, _nth, ANIMATED, ("count",), evidence=_shows_chosen),
    Operator(
        "next",
        (ValueType.EVENTS, ValueType.EVENT),
        ValueType.EVENT,
        _next,
        ANIMATED,
        evidence=_shows_neighbour,
    ),
    Operator(
        "previous",
        (ValueType.EVENTS, ValueType.EVENT),
        ValueType.EVENT,
        _previous,
        ANIMATED,
        evidence=_shows_neighbour,
    ),
    Operator("longest", *_PICKS, _longest, ANIMATED, evidence=_shows_chosen),
    Operator("the", *_PICKS, _the, ANIMATED, evidence=_shows_chosen),
    Operator("verb", (ValueType.EVENT,), ValueType.WORD, _verb, ANIMATED),
    Operator("happened", (ValueType.EVENT,), ValueType.WORD, _happened, ANIMATED),
    Operator("subject", (ValueType.EVENT,), ValueType.OBJECT, _subject, ANIMATED),
    Operator("order", (ValueType.EVENTS,), ValueType.ORDER, _order, ANIMATED, evidence=_shows_order),
)
