"""The operators of programs over films that speak of things: which, where, and what they are like.

Ref: docs/benchmarks/4d-bench-questions.md, which has the meaning and the thresholds of each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from fathom.programs.stories.facts import QUARTERS, Moment, Story
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
    known,
    members,
    the,
)


def _things(keep: Callable[[Story, int], bool]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
        return {k: SURE for k in run.story.subjects if keep(run.story, k)}

    return act


def _place(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.places[k] == args[0])


def _there(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    first, last = inputs[1]
    there = run.story.play.there[first : last + 1]
    return kept(inputs[0], lambda k: bool(there[:, k].all()))


def _named(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.names[k][inputs[1][1]] == args[0])


def _colored(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.colors[k][inputs[1][1]] == args[0])


def _matching(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.story.fits(args[0], k))


def quarter_grade(story: Story, thing: int, quarter: str, moment: Moment) -> Grade:
    """Return how firmly a thing lies in a quarter of the actor's own directions all through a moment.

    An actor that does not stand upright has none that all would agree on.
    """
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
    ratio = _at_most(value / story.rules.quarter_tolerance_deg, story.upright(moment))
    apart = np.linalg.norm(story.positions_m[rows, thing] - story.positions_m[rows, 0], axis=1)
    ratio = ratio if apart.min() >= story.rules.apart_m else 0.0
    return Grade(ratio, quarter, value, "deg", (story.keys[thing],))


def _at_most(ratio: float, room: float) -> float:
    """Return a ratio that is no firmer, either way, than something else that it takes."""
    return max(min(ratio, room), -room)


def _side(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: quarter_grade(run.story, k, args[0], inputs[1]))


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
    return kept(inputs[0], lambda k: on_grade(run.story, k, inputs[1], inputs[2][1]))


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
    if ratio < 0:
        # Nothing stands before it, but seen edge-on hardly anything of it shows.
        plain = float(story.plain_shares[views][:, rows, thing].min()) / rules.plain_share
        ratio = ratio if plain >= 1 else 0.0
    ratio = _at_most(ratio, story.upright(moment))
    return Grade(ratio, f"hidden from {quarter}", value, "share", between)


def wholly_hidden(story: Story, thing: int, quarter: str, moment: Moment) -> bool:
    """Return whether next to nothing shows of a thing in all views from a side at a moment."""
    shares = story.shares[story.views_from(quarter)][:, story.grid(moment), thing]
    return bool(shares.size) and float(shares.max()) <= story.rules.wholly_share


def _hidden(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: hidden_grade(run.story, k, args[0], inputs[1]))


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
    # What is not there has no distance, and must be gone before they are put in order.
    far = dict(sorted(((k, d) for k, d in far.items() if not math.isnan(d)), key=lambda item: item[1]))
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
    return known(run.story.colors[inputs[0]][inputs[1][1]], "colour")


def _name(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.story.names[inputs[0]][inputs[1][1]], "name")


def _place_of(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.story.places[inputs[0]], "place on the actor")


STEPS = (
    Operator("things", (), Kind.THINGS, _things(lambda s, k: True)),
    Operator("standing", (), Kind.THINGS, _things(lambda s, k: not s.places[k])),
    Operator("carried", (), Kind.THINGS, _things(lambda s, k: bool(s.places[k]))),
    Operator("place", (Kind.THINGS,), Kind.THINGS, _place, 1),
    Operator("there", (Kind.THINGS, Kind.TIME), Kind.THINGS, _there),
    Operator("named", (Kind.THINGS, Kind.TIME), Kind.THINGS, _named, 1),
    Operator("colored", (Kind.THINGS, Kind.TIME), Kind.THINGS, _colored, 1),
    Operator("matching", (Kind.THINGS,), Kind.THINGS, _matching, 1),
    Operator("only", (Kind.THINGS,), Kind.THING, lambda r, i, a: the(r, i[0], "thing")),
    Operator("actor", (), Kind.THING, lambda r, i, a: 0),
    Operator("side", (Kind.THINGS, Kind.TIME), Kind.THINGS, _side, 1),
    Operator("on", (Kind.THINGS, Kind.THING, Kind.TIME), Kind.THINGS, _on),
    Operator("hidden", (Kind.THINGS, Kind.TIME), Kind.THINGS, _hidden, 1),
    Operator("hidden_from", (Kind.THING, Kind.TIME), Kind.WORD, _hidden_from),
    Operator("nearest", (Kind.THINGS, Kind.THING, Kind.TIME), Kind.THING, _extreme(0)),
    Operator("farthest", (Kind.THINGS, Kind.THING, Kind.TIME), Kind.THING, _extreme(-1)),
    Operator("opposite", (Kind.THINGS, Kind.THING, Kind.TIME), Kind.THING, _opposite),
    Operator("side_of", (Kind.THING, Kind.TIME), Kind.WORD, _side_of),
    Operator("color", (Kind.THING, Kind.TIME), Kind.WORD, _color),
    Operator("name", (Kind.THING, Kind.TIME), Kind.WORD, _name),
    Operator("key", (Kind.THING,), Kind.WORD, lambda r, i, a: r.story.keys[i[0]]),
    Operator("place_of", (Kind.THING,), Kind.WORD, _place_of),
)
"""The operators."""
