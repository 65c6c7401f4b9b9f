"""The operators of programs over films that speak of times, of actions and of events.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from fathom.programs.stories.facts import ACTS, Happening, Moment
from fathom.programs.stories.values import (
    NEVER,
    SURE,
    Act,
    Grade,
    Kind,
    Operator,
    Run,
    Set,
    Stop,
    Value,
    kept,
    members,
    the,
)

# Moments


def _before(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    frame = run.story.happenings[inputs[0]].first - 1
    if frame < 0:
        raise Stop("nothing is shown before it")
    return frame, frame


def _after(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    frame = run.story.happenings[inputs[0]].last + 1
    if frame >= run.story.frames:
        raise Stop("nothing is shown after it")
    return frame, frame


def _while(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    h = run.story.happenings[inputs[0]]
    return h.first, h.last


def _end(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Moment:
    return run.story.frames - 1, run.story.frames - 1


# Happenings


def _frames(run: Run, relation: str, gap: float, *between: Happening) -> Grade:
    ratio = gap / run.story.rules.time_frames
    return Grade(ratio, relation, gap, "frames", tuple(h.key for h in between))


def _all(keep: Callable[[Happening], bool]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
        return {k: SURE for k, h in enumerate(run.story.happenings) if keep(h)}

    return act


def _filter_verb(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    found = run.story.happenings
    return kept(inputs[0], lambda k: found[k].what == ACTS and found[k].key == args[0])


def _filter_event(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.happenings[k].what == args[0])


def _of(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.happenings[k].thing == inputs[1])


def _pick(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    for key in args:
        if sum(run.story.happenings[k].key == key for k in members(inputs[0])) != 1:
            raise Stop(f"not just one happening is {key}")
    return kept(inputs[0], lambda k: run.story.happenings[k].key in args)


def _around(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> Grade:
        h = run.story.happenings[k]
        inner = min(first - h.first, h.last - last) + 1
        return _frames(run, "goes on throughout", inner if inner > 0 else inner - 1, h)

    return kept(inputs[0], test)


def _within(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> Grade:
        h = run.story.happenings[k]
        inner = min(h.first - first, last - h.last) + 1
        return _frames(run, "happens within", inner if inner > 0 else inner - 1, h)

    return kept(inputs[0], test)


def _order_grade(run: Run, one: int, other: int) -> Grade:
    """Return how firmly one happening is over before another begins.

    Two actions of the actor follow one another: which comes first is never in doubt.
    """
    a, b = run.story.happenings[one], run.story.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return SURE if a.last < b.first else NEVER
    gap = b.first - a.last
    return _frames(run, "is over before", gap if gap > 0 else gap - 1, a, b)


def _earlier(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
                 lambda k: _order_grade(run, k, inputs[1]))  # fmt: skip


def _later(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
                 lambda k: _order_grade(run, inputs[1], k))  # fmt: skip


def _begins(run: Run, one: int, other: int) -> Grade:
    a, b = run.story.happenings[one], run.story.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return SURE
    return _frames(run, "begins before", b.first - a.first, a, b)


def _ordered(run: Run, value: Set) -> tuple[int, ...]:
    """Return the members in the order in which they begin; who belongs, and each order, is hung on."""
    found = members(value)
    for grade in value.values():
        run.hang_on(grade.firmness)
    for one, other in pairwise(found):
        run.hang_on(_begins(run, one, other))
    return found


def _nth(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = _ordered(run, inputs[0])
    place = int(args[0])
    if not 1 <= place <= len(found):
        raise Stop(f"there is no happening number {place}")
    return found[place - 1]


def _first(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, inputs[0], 0)


def _last(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, inputs[0], -1)


def _at_end(run: Run, value: Set, place: int) -> int:
    found = members(value)
    if not found:
        raise Stop("nothing of the kind happens")
    chosen = found[place]
    for grade in value.values():
        run.hang_on(grade.firmness)
    for k in found:
        if k != chosen:
            run.hang_on(_begins(run, *((chosen, k) if place == 0 else (k, chosen))))
    return chosen


def _next(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, _later(run, inputs, args), 0)


def _previous(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    return _at_end(run, _earlier(run, inputs, args), -1)


def _longest(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = members(inputs[0])
    if len(found) < 2:
        raise Stop("there is nothing to compare")
    by_length = sorted(found, key=lambda k: -run.story.happenings[k].frames)
    one, other = (run.story.happenings[k] for k in by_length[:2])
    more = one.frames / other.frames - 1
    run.hang_on(Grade(more / run.story.rules.more, "lasts longer", more, "share", (one.key, other.key)))
    return by_length[0]


def _verb(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    h = run.story.happenings[inputs[0]]
    if h.what != ACTS:
        raise Stop(f"{h.key} is no action")
    return h.key


def _happened(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return run.story.happenings[inputs[0]].key


def _subject(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    h = run.story.happenings[inputs[0]]
    if h.what == ACTS or not h.thing:
        raise Stop(f"{h.key} happens to the actor")
    return h.thing


def _order(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return ">".join(run.story.happenings[k].key for k in _ordered(run, inputs[0]))


STEPS = (
    Operator("start", (), Kind.TIME, lambda r, i, a: (0, 0)),
    Operator("end", (), Kind.TIME, _end),
    Operator("whole", (), Kind.TIME, lambda r, i, a: (0, r.story.frames - 1)),
    Operator("before", (Kind.HAPPENING,), Kind.TIME, _before),
    Operator("after", (Kind.HAPPENING,), Kind.TIME, _after),
    Operator("while", (Kind.HAPPENING,), Kind.TIME, _while),
    Operator("actions", (), Kind.HAPPENINGS, _all(lambda h: h.what == ACTS)),
    Operator("events", (), Kind.HAPPENINGS, _all(lambda h: h.what != ACTS)),
    Operator("happenings", (), Kind.HAPPENINGS, _all(lambda h: True)),
    Operator("filter_verb", (Kind.HAPPENINGS,), Kind.HAPPENINGS, _filter_verb, 1),
    Operator("filter_event", (Kind.HAPPENINGS,), Kind.HAPPENINGS, _filter_event, 1),
    Operator("of", (Kind.HAPPENINGS, Kind.THING), Kind.HAPPENINGS, _of),
    Operator("pick", (Kind.HAPPENINGS,), Kind.HAPPENINGS, _pick, -1),
    Operator("around", (Kind.HAPPENINGS, Kind.TIME), Kind.HAPPENINGS, _around),
    Operator("within", (Kind.HAPPENINGS, Kind.TIME), Kind.HAPPENINGS, _within),
    Operator("earlier", (Kind.HAPPENINGS, Kind.HAPPENING), Kind.HAPPENINGS, _earlier),
    Operator("later", (Kind.HAPPENINGS, Kind.HAPPENING), Kind.HAPPENINGS, _later),
    Operator("first", (Kind.HAPPENINGS,), Kind.HAPPENING, _first),
    Operator("last", (Kind.HAPPENINGS,), Kind.HAPPENING, _last),
    Operator("nth", (Kind.HAPPENINGS,), Kind.HAPPENING, _nth, 1),
    Operator("next", (Kind.HAPPENINGS, Kind.HAPPENING), Kind.HAPPENING, _next),
    Operator("previous", (Kind.HAPPENINGS, Kind.HAPPENING), Kind.HAPPENING, _previous),
    Operator("longest", (Kind.HAPPENINGS,), Kind.HAPPENING, _longest),
    Operator("the", (Kind.HAPPENINGS,), Kind.HAPPENING, lambda r, i, a: the(r, i[0], "happening")),
    Operator("verb", (Kind.HAPPENING,), Kind.WORD, _verb),
    Operator("happened", (Kind.HAPPENING,), Kind.WORD, _happened),
    Operator("subject", (Kind.HAPPENING,), Kind.THING, _subject),
    Operator("order", (Kind.HAPPENINGS,), Kind.WORDS, _order),
)
"""The operators."""
