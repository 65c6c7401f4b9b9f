"""The operators about times and what happens, in the second derivation: from between which frames it lies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key, partial

from fathom.verify.observed.events import ACTS, ObservedEvent
from fathom.verify.operators.choices import Animated, event_fits, event_key, known
from fathom.verify.registry import ANIMATION, Act, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import (
    EventRef,
    EventSet,
    ObjectRef,
    Span,
    TimePoint,
    Value,
    instant,
)


def no_later(one: Span, other: Span) -> bool | None:
    """Return whether a frame is not later than another one."""
    if one[1] <= other[0]:
        return True
    return False if one[0] > other[1] else None


def _edge(at_end: bool) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
        film = attempt.observed
        frame, index = (film.length - 1, len(film.frames) - 1) if at_end else (0, 0)
        return instant((frame, frame), index)

    return run


def _whole(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
    last, end = attempt.observed.length - 1, len(attempt.observed.frames) - 1
    return TimePoint((0, 0), (last, last), 0, end, (0, 0), (end, end))


def _before(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
    h = attempt.observed.happenings[inputs[0].index]
    if h.before < 0:
        raise NoAnswer
    frame = (h.first[0] - 1, h.first[1] - 1)
    return instant(frame, h.before)


def _after(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
    h = attempt.observed.happenings[inputs[0].index]
    if h.last[1] + 1 >= attempt.observed.length:
        raise NoAnswer
    frame = (h.last[0] + 1, h.last[1] + 1)
    index = min(h.done + 1, len(attempt.observed.frames) - 1) if h.what == ACTS else h.done
    return instant(frame, index)


def _while(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> TimePoint:
    h = attempt.observed.happenings[inputs[0].index]
    return TimePoint(h.first, h.last, h.begun, h.done, h.begins, h.ends)


def _all(keep: Callable[[ObservedEvent], bool], actions: bool, events: bool) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
        film = attempt.observed
        if actions and (
            film.course is None or any(h.what == ACTS and h.detail is None for h in film.happenings)
        ):
            # Two stretches that cannot be told apart could be one action or several.
            raise InsufficientEvidence
        if events and film.untold:
            raise InsufficientEvidence
        return EventSet(tuple(k for k, h in enumerate(film.happenings) if keep(h)))

    return run


def _kept(test: Callable[[Animated, int, list[Value], tuple[str, ...]], bool | None], name: str) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
        return EventSet(
            tuple(
                k
                for k in inputs[0].members
                if attempt.holds(test(attempt, k, inputs, args), name, k, args, *map(str, inputs[1:]))
            )
        )

    return run


def _of(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool:
    return bool(attempt.observed.happenings[k].object_id == inputs[1].index)


def _pick(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
    found = []
    for key in args:
        fitting = [k for k in inputs[0].members if event_fits(attempt, k, key)]
        if len(fitting) != 1:
            raise NoAnswer
        found += fitting
    return EventSet(tuple(sorted(set(found))))


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _around(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    h, moment = attempt.observed.happenings[k], inputs[1]
    return _both(no_later(h.first, moment.first), no_later(moment.last, h.last))


def _within(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    h, moment = attempt.observed.happenings[k], inputs[1]
    return _both(no_later(moment.first, h.first), no_later(h.last, moment.last))


def over_before(attempt: Animated, one: int, other: int) -> bool | None:
    """Return whether one happening is over before another one begins."""
    a, b = attempt.observed.happenings[one], attempt.observed.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return a.begun < b.begun
    if a.last[1] < b.first[0]:
        return True
    return False if a.last[0] >= b.first[1] else None


def _relative(earlier: bool) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
        pivot = inputs[1].index
        kept = []
        for k in inputs[0].members:
            one, other = (k, pivot) if earlier else (pivot, k)
            if k != pivot and attempt.holds(over_before(attempt, one, other), "over before", one, other):
                kept.append(k)
        return EventSet(tuple(kept))

    return run


def _begins(attempt: Animated, one: int, other: int) -> int:
    a, b = attempt.observed.happenings[one], attempt.observed.happenings[other]
    if a.what == ACTS and b.what == ACTS:
        return -1 if a.begun < b.begun else 1
    if a.first[1] < b.first[0]:
        return -1
    if b.first[1] < a.first[0]:
        return 1
    raise InsufficientEvidence


def _ordered(attempt: Animated, value: EventSet) -> list[int]:
    """Return happenings in the order in which they begin. Raises InsufficientEvidence where that cannot be
    told.
    """
    found = list(value.members)
    for n, one in enumerate(found):
        for other in found[n + 1 :]:
            _begins(attempt, one, other)
    return sorted(found, key=cmp_to_key(partial(_begins, attempt)))


def _end_of(place: int) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
        return _extreme(attempt, inputs[0], place)

    return run


def _extreme(attempt: Animated, value: EventSet, place: int) -> EventRef:
    """Return the first, or the last, to begin; how the others follow one another does not matter."""
    found = value.members
    if not found:
        raise NoAnswer
    for k in found:
        try:
            signs = {_begins(attempt, k, other) for other in found if other != k}
        except InsufficientEvidence:
            continue
        if signs <= {-1 if place == 0 else 1}:
            return EventRef(k)
    raise InsufficientEvidence


def _nth(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    found, place = _ordered(attempt, inputs[0]), int(args[0])
    if not 1 <= place <= len(found):
        raise NoAnswer
    return EventRef(found[place - 1])


def _next_to(earlier: bool) -> Act:
    relative = _relative(earlier)

    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
        return _extreme(attempt, relative(attempt, inputs, args), -1 if earlier else 0)

    return run


def _longest(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    members = inputs[0].members
    if len(members) < 2:
        raise NoAnswer
    found = {k: attempt.observed.happenings[k] for k in members}
    least = {k: h.last[0] - h.first[1] + 1 for k, h in found.items()}
    greatest = {k: h.last[1] - h.first[0] + 1 for k, h in found.items()}
    for k in members:
        if all(least[k] > greatest[other] for other in members if other != k):
            return EventRef(k)
    raise InsufficientEvidence


def _the(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventRef:
    if len(inputs[0].members) != 1:
        raise NoAnswer
    return EventRef(inputs[0].members[0])


def _verb(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    h = attempt.observed.happenings[inputs[0].index]
    if h.what != ACTS:
        raise NoAnswer
    return known(h.detail)


def _happened(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(event_key(attempt.observed, inputs[0].index))


def _subject(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectRef:
    h = attempt.observed.happenings[inputs[0].index]
    if h.what == ACTS or not h.object_id:
        raise NoAnswer
    return ObjectRef(h.object_id)


def _order(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return ">".join(known(event_key(attempt.observed, k)) for k in _ordered(attempt, inputs[0]))


def _filter_verb(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
    acts = [k for k in inputs[0].members if attempt.observed.happenings[k].what == ACTS]
    return EventSet(tuple(k for k in acts if event_fits(attempt, k, args[0])))


def _filter_event(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
    return EventSet(tuple(k for k in inputs[0].members if attempt.observed.happenings[k].what == args[0]))


def _actor(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectRef:
    return ObjectRef(0)


declare(
    ANIMATION,
    {
        "start": _edge(at_end=False),
        "end": _edge(at_end=True),
        "whole": _whole,
        "before": _before,
        "after": _after,
        "while": _while,
        "actions": _all(lambda h: h.what == ACTS, actions=True, events=False),
        "events": _all(lambda h: h.what != ACTS, actions=False, events=True),
        "happenings": _all(lambda h: True, actions=True, events=True),
        "filter_verb": _filter_verb,
        "filter_event": _filter_event,
        "of": _kept(_of, "of"),
        "pick": _pick,
        "around": _kept(_around, "around"),
        "within": _kept(_within, "within"),
        "earlier": _relative(earlier=True),
        "later": _relative(earlier=False),
        "first": _end_of(0),
        "last": _end_of(-1),
        "nth": _nth,
        "next": _next_to(earlier=False),
        "previous": _next_to(earlier=True),
        "longest": _longest,
        "the": _the,
        "verb": _verb,
        "happened": _happened,
        "subject": _subject,
        "order": _order,
        "actor": _actor,
    },
)
