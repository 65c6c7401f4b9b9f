"""The operators of programs over films: what each takes, gives and means.

A set maps each of its candidates to a grade: how firmly it belongs (ratio above 0) or does not. An operator
that gives a single thing keeps, in the run, the least firm grade on which that hangs. One that cannot answer
raises `Stop`.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np

from fathom.programs.stories import motion
from fathom.programs.stories.facts import ACTS, QUARTERS, Happening, Moment, Story


class Kind(Enum):
    """What flows between the steps of a program."""

    TIME = "moment"
    HAPPENING = "happening"
    HAPPENINGS = "happenings"
    THING = "thing"
    THINGS = "set of things"
    PARTS = "set of parts"
    WORD = "word"
    WORDS = "order"
    NUMBER = "number"
    ANSWER = "answer"


class Stop(Exception):
    """Why a program has no answer on a story."""


@dataclass(frozen=True)
class Grade:
    """How firmly something holds: the distance from its threshold in tolerances, below 0 where it fails."""

    ratio: float
    relation: str = ""
    value: float = 0.0
    unit: str = ""
    between: tuple[str, ...] = ()

    def __neg__(self) -> Grade:
        """Return the grade of the opposite."""
        return replace(self, ratio=-self.ratio)

    @property
    def firmness(self) -> Grade:
        """How firm it is that it holds, or that it does not."""
        return self if self.ratio >= 0 else -self


SURE = Grade(1e9)
NEVER = Grade(-1e9)

Set = Mapping[int, Grade]
Value = Any
"""A moment, an index into the story's happenings or things, a set, a word, words or a number."""


def weaker(a: Grade, b: Grade) -> Grade:
    """Return the grade of both holding."""
    return a if a.ratio <= b.ratio else b


@dataclass
class Run:
    """A program at work on a story: `least` is the least firm grade that its answer hangs on so far."""

    story: Story
    least: Grade = field(default=SURE)

    def hang_on(self, grade: Grade) -> None:
        """Take note of a grade that the answer hangs on."""
        self.least = weaker(self.least, grade)


Act = Callable[[Run, Sequence[Value], Sequence[str]], Value]


@dataclass(frozen=True)
class Operator:
    """An operator: the kinds it takes and gives, how many arguments it has (−1: some), and what it does."""

    name: str
    takes: tuple[Kind, ...]
    gives: Kind
    act: Act
    args: int = 0


OPERATORS: dict[str, tuple[Operator, ...]] = {}
"""Name → its signatures."""


def _add(name: str, takes: Sequence[Kind], gives: Kind, act: Act, args: int = 0) -> None:
    OPERATORS[name] = (*OPERATORS.get(name, ()), Operator(name, tuple(takes), gives, act, args))


def members(value: Set) -> tuple[int, ...]:
    """Return what belongs to a set, in order."""
    return tuple(k for k in sorted(value) if value[k].ratio > 0)


def _kept(value: Set, test: Callable[[int], Grade | bool]) -> dict[int, Grade]:
    """Return the set with each grade no firmer than the test's."""
    out = {}
    for k, grade in value.items():
        found = test(k)
        if isinstance(found, bool):
            found = SURE if found else NEVER
        out[k] = weaker(grade, found)
    return out


def _the(run: Run, value: Set, what: str) -> int:
    found = members(value)
    if len(found) != 1:
        raise Stop(f"{'no' if not found else 'more than one'} {what} fits")
    for k, grade in value.items():
        run.hang_on(grade if k == found[0] else -grade)
    return found[0]


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
    return _kept(inputs[0], lambda k: found[k].what == ACTS and found[k].key == args[0])


def _filter_event(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.happenings[k].what == args[0])


def _of(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.happenings[k].thing == inputs[1])


def _pick(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    for key in args:
        if sum(run.story.happenings[k].key == key for k in members(inputs[0])) != 1:
            raise Stop(f"not just one happening is {key}")
    return _kept(inputs[0], lambda k: run.story.happenings[k].key in args)


def _around(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> Grade:
        h = run.story.happenings[k]
        inner = min(first - h.first, h.last - last) + 1
        return _frames(run, "goes on throughout", inner if inner > 0 else inner - 1, h)

    return _kept(inputs[0], test)


def _within(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]

    def test(k: int) -> Grade:
        h = run.story.happenings[k]
        inner = min(h.first - first, last - h.last) + 1
        return _frames(run, "happens within", inner if inner > 0 else inner - 1, h)

    return _kept(inputs[0], test)


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
    return _kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
                 lambda k: _order_grade(run, k, inputs[1]))  # fmt: skip


def _later(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept({k: g for k, g in inputs[0].items() if k != inputs[1]},
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


def _order(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return ">".join(run.story.happenings[k].key for k in _ordered(run, inputs[0]))


def _count(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    for grade in inputs[0].values():
        run.hang_on(grade.firmness)
    return str(len(members(inputs[0])))


# Things


def _things(keep: Callable[[Story, int], bool]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
        return {k: SURE for k in range(1, len(run.story.things)) if keep(run.story, k)}

    return act


def _place(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.places[k] == args[0])


def _there(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]
    there = run.story.play.there[first : last + 1]
    return _kept(inputs[0], lambda k: bool(there[:, k].all()))


def _named(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.names[k][inputs[1][1]] == args[0])


def _colored(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.colors[k][inputs[1][1]] == args[0])


def _matching(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: run.story.fits(args[0], k))


def quarter_grade(story: Story, thing: int, quarter: str, moment: Moment) -> Grade:
    """Return how firmly a thing lies in a quarter of the actor's own directions all through a moment."""
    rows = slice(moment[0], moment[1] + 1)
    if story.places[thing] or not story.play.there[rows, thing].all():
        return NEVER
    centre = QUARTERS.index(quarter) * math.pi / 2
    bearing = story.bearings_rad[rows, thing]
    off = np.degrees(np.abs((bearing - centre + math.pi) % (2 * math.pi) - math.pi))
    inside = float(45.0 - off.max())
    # What is outside at one frame only is neither inside throughout nor clearly elsewhere.
    value = inside if inside > 0 else float(45.0 - off.min())
    value = value if (value > 0) == (inside > 0) else 0.0
    ratio = value / story.rules.quarter_tolerance_deg
    apart = np.linalg.norm(story.positions_m[rows, thing] - story.positions_m[rows, 0], axis=1)
    ratio = ratio if apart.min() >= story.rules.apart_m else 0.0
    return Grade(ratio, quarter, value, "deg", (story.keys[thing],))


def _side(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: quarter_grade(run.story, k, args[0], inputs[1]))


def _side_of(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    grades = {q: quarter_grade(run.story, inputs[0], q, inputs[1]) for q in QUARTERS}
    best = max(grades, key=lambda q: grades[q].ratio)
    if grades[best].ratio <= 0:
        raise Stop("it is on no side of the actor all through the moment")
    run.hang_on(grades[best])
    return best


def on_grade(story: Story, thing: int, base: int, frame: int) -> Grade:
    """Return how firmly a thing stands on another one at a frame."""
    play = story.play
    if thing == base or story.places[thing] or not play.there[frame, [thing, base]].all():
        return NEVER
    low, high = play.lows_m[frame, base], play.highs_m[frame, base]
    spot = story.positions_m[frame, thing]
    if not ((low[:2] <= spot) & (spot <= high[:2])).all():
        return NEVER
    off = abs(float(play.lows_m[frame, thing, 2] - high[2])) / max(float(high[2] - low[2]), 1e-6)
    rules = story.rules
    ratio = 1.0 if off <= rules.on_share else -1.0 if off >= rules.on_off_share else 0.0
    return Grade(2.0 * ratio, "on", off, "share", (story.keys[thing], story.keys[base]))


def _on(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: on_grade(run.story, k, inputs[1], inputs[2][1]))


def hidden_grade(story: Story, thing: int, quarter: str, moment: Moment) -> Grade:
    """Return how firmly a thing is mostly hidden in all views from a side at a moment."""
    rows = story.grid(moment)
    if not story.play.there[moment[0] : moment[1] + 1, thing].all():
        return NEVER
    views = story.views_from(quarter)
    if not len(views):
        raise Stop(f"no view looks from {quarter}")
    between = (story.keys[thing],)
    shares, rules = story.shares[views][:, rows, thing], story.rules
    # Hidden in all of these views at all times, or in none at any.
    most, least = float(shares.max()), float(shares.min())
    value = rules.hidden_share - (most if most <= rules.hidden_share else least)
    ratio = value / rules.hidden_tolerance if most <= rules.hidden_share or value < 0 else 0.0
    return Grade(ratio, f"hidden from {quarter}", value, "share", between)


def _hidden(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return _kept(inputs[0], lambda k: hidden_grade(run.story, k, args[0], inputs[1]))


def _hidden_from(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    grades = {q: hidden_grade(run.story, inputs[0], q, inputs[1]) for q in QUARTERS}
    found = [q for q in QUARTERS if grades[q].ratio > 0]
    if len(found) != 1:
        raise Stop(f"it is hidden from {len(found)} sides")
    for grade in grades.values():
        run.hang_on(grade.firmness)
    return found[0]


def _distances(run: Run, value: Set, thing: int, moment: Moment) -> dict[int, float]:
    """Return how far the members of a set that are there are from a thing, nearest first."""
    frame = moment[1]
    at = run.story.positions_m[frame]
    for k, grade in value.items():
        if k != thing:
            run.hang_on(grade.firmness)
    far = {k: float(np.linalg.norm(at[k] - at[thing])) for k in members(value) if k != thing}
    far = {k: d for k, d in sorted(far.items(), key=lambda item: item[1]) if not math.isnan(d)}
    if len(far) < 2:
        raise Stop("there is nothing to compare")
    return far


def _extreme(place: int) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
        things, far = zip(*_distances(run, *inputs).items(), strict=True)
        near, beyond = (far[0], far[1]) if place == 0 else (far[-2], far[-1])
        more = beyond / max(near, 1e-6) - 1
        chosen = things[place]
        name = "nearest" if place == 0 else "farthest"
        run.hang_on(Grade(more / run.story.rules.nearer, name, more, "share", (run.story.keys[chosen],)))
        return int(chosen)

    return act


def _opposite(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    story, (things, thing, moment) = run.story, inputs
    bearing = story.bearings_rad[moment[1]]
    if math.isnan(bearing[thing]):
        raise Stop("it is not there")
    off = {}
    for k in members(things):
        if k != thing and not story.places[k] and not math.isnan(bearing[k]):
            turn = abs((bearing[k] - bearing[thing] + math.pi) % (2 * math.pi) - math.pi)
            off[k] = 180.0 - math.degrees(turn)
    if not off:
        raise Stop("nothing else is there")
    chosen, *others = sorted(off, key=lambda k: off[k])
    if off[chosen] > story.rules.opposite_deg:
        raise Stop("nothing is opposite of it")
    tolerance = story.rules.quarter_tolerance_deg
    room = [story.rules.opposite_deg - off[chosen]]
    room += [off[k] - story.rules.opposite_alone_deg for k in others[:1]]
    run.hang_on(Grade(min(room) / tolerance, "opposite", min(room), "deg", (story.keys[chosen],)))
    return chosen


def _color(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return _known(run.story.colors[inputs[0]][inputs[1][1]], "colour")


def _name(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return _known(run.story.names[inputs[0]][inputs[1][1]], "name")


def _place_of(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return _known(run.story.places[inputs[0]], "place on the actor")


def _known(word: str, what: str) -> str:
    if not word:
        raise Stop(f"it has no {what}")
    return word


# The actor's parts, limbs and motion


def _part_color(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    if args[0] not in run.story.parts:
        raise Stop(f"the actor has no part {args[0]}")
    return _known(run.story.parts[args[0]][inputs[0][1]], "colour")


def _part_colored(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n, course in run.story.parts.items() if course[inputs[0][1]] == args[0])


def _legs(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    found = motion.legs(run.story)
    if not found:
        raise Stop("the actor has no legs")
    return str(len(found))


def _measured(measure: Callable[..., motion.Measured]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
        found = measure(run.story, inputs[0], *args)
        if not found.word:
            raise Stop(f"{found.relation}: it does not move enough to tell")
        run.hang_on(Grade(found.ratio, found.relation, found.value, found.unit))
        return found.word

    return act


# The answer


def grade_of(run: Run, kind: Kind, value: Value, key: str) -> Grade:
    """Return how firmly a choice's key is, is among, or fits a value."""
    story = run.story
    if kind is Kind.THING:
        return SURE if story.fits(key, value) else NEVER
    if kind is Kind.THINGS:
        return max((g for k, g in value.items() if story.fits(key, k)), key=_ratio, default=NEVER)
    if kind is Kind.HAPPENING:
        return SURE if story.happenings[value].key == key else NEVER
    if kind is Kind.HAPPENINGS:
        fitting = (g for k, g in value.items() if story.happenings[k].key == key)
        return max(fitting, key=_ratio, default=NEVER)
    return SURE if (key in value if kind is Kind.PARTS else key == value) else NEVER


def _ratio(grade: Grade) -> float:
    return grade.ratio


def _choose(kind: Kind, wanted: bool) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
        if len(set(args)) != len(args):
            raise Stop("two choices are the same")
        grades = {key: grade_of(run, kind, inputs[0], key) for key in args}
        found = [key for key, grade in grades.items() if (grade.ratio > 0) == wanted]
        if len(found) != 1:
            raise Stop(f"{len(found)} of the choices fit")
        for grade in grades.values():
            run.hang_on(grade.firmness)
        return found[0]

    return act


def _fill() -> None:
    time, one, some, thing, things = Kind.TIME, Kind.HAPPENING, Kind.HAPPENINGS, Kind.THING, Kind.THINGS
    word, number = Kind.WORD, Kind.NUMBER
    _add("start", (), time, lambda r, i, a: (0, 0))
    _add("end", (), time, _end)
    _add("whole", (), time, lambda r, i, a: (0, r.story.frames - 1))
    _add("before", (one,), time, _before)
    _add("after", (one,), time, _after)
    _add("while", (one,), time, _while)
    _add("actions", (), some, _all(lambda h: h.what == ACTS))
    _add("events", (), some, _all(lambda h: h.what != ACTS))
    _add("happenings", (), some, _all(lambda h: True))
    _add("filter_verb", (some,), some, _filter_verb, 1)
    _add("filter_event", (some,), some, _filter_event, 1)
    _add("of", (some, thing), some, _of)
    _add("pick", (some,), some, _pick, -1)
    _add("around", (some, time), some, _around)
    _add("within", (some, time), some, _within)
    _add("earlier", (some, one), some, _earlier)
    _add("later", (some, one), some, _later)
    _add("first", (some,), one, _first)
    _add("last", (some,), one, _last)
    _add("nth", (some,), one, _nth, 1)
    _add("next", (some, one), one, _next)
    _add("previous", (some, one), one, _previous)
    _add("longest", (some,), one, _longest)
    _add("the", (some,), one, lambda r, i, a: _the(r, i[0], "happening"))
    _add("verb", (one,), word, _verb)
    _add("happened", (one,), word, _happened)
    _add("order", (some,), Kind.WORDS, _order)
    _add("count", (some,), number, _count)
    _add("count", (things,), number, _count)
    _add("things", (), things, _things(lambda s, k: True))
    _add("standing", (), things, _things(lambda s, k: not s.places[k]))
    _add("carried", (), things, _things(lambda s, k: bool(s.places[k])))
    _add("place", (things,), things, _place, 1)
    _add("there", (things, time), things, _there)
    _add("named", (things, time), things, _named, 1)
    _add("colored", (things, time), things, _colored, 1)
    _add("matching", (things,), things, _matching, 1)
    _add("only", (things,), thing, lambda r, i, a: _the(r, i[0], "thing"))
    _add("actor", (), thing, lambda r, i, a: 0)
    _add("side", (things, time), things, _side, 1)
    _add("on", (things, thing, time), things, _on)
    _add("hidden", (things, time), things, _hidden, 1)
    _add("hidden_from", (thing, time), word, _hidden_from)
    _add("nearest", (things, thing, time), thing, _extreme(0))
    _add("farthest", (things, thing, time), thing, _extreme(-1))
    _add("opposite", (things, thing, time), thing, _opposite)
    _add("side_of", (thing, time), word, _side_of)
    _add("color", (thing, time), word, _color)
    _add("name", (thing, time), word, _name)
    _add("key", (thing,), word, lambda r, i, a: r.story.keys[i[0]])
    _add("place_of", (thing,), word, _place_of)
    _add("part_color", (time,), word, _part_color, 1)
    _add("part_colored", (time,), Kind.PARTS, _part_colored, 1)
    _add("legs", (), number, _legs)
    _add("limb_most", (time,), word, _measured(motion.limb_most))
    _add("limb_first", (time,), word, _measured(motion.limb_first), 1)
    _add("repeats", (time,), number, _measured(motion.repeats))
    _add("travels", (time,), word, _measured(motion.travels))
    _add("turns", (time,), word, _measured(motion.turns))
    _add("goes", (time,), word, _measured(motion.goes))
    for kind in (word, number, Kind.WORDS, thing, things, one, some, Kind.PARTS):
        _add("choose", (kind,), Kind.ANSWER, _choose(kind, True), 4)
    for kind in (things, some):
        _add("choose_other", (kind,), Kind.ANSWER, _choose(kind, False), 4)


_fill()
