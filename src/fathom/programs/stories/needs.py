"""What has to be seen of a film to answer a question: conditions, and the cells that meet each.

A program is walked through once more with the values of its trace. Each step brings with it what has to be
seen to know its value: a *sight* is a condition in words with a mask (V, G) of the cells that meet it. Sets
bring for each member what shows that it belongs. Conditions of the steps that the answer reads are joined.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.programs.stories import motion
from fathom.programs.stories.engine import Trace
from fathom.programs.stories.facts import ACTS, Happening, Mask, Moment, Story
from fathom.programs.stories.operators import Kind, Value, hidden_grade, members, on_grade, quarter_grade
from fathom.records import Need, Step


@dataclass(frozen=True, eq=False)
class Sight:
    """Something that has to be seen, and the cells (V, G) in each of which it is."""

    what: str
    cells: Mask


@dataclass(frozen=True)
class Seen:
    """What shows the value of a step; for a set, also what shows that each member belongs."""

    sights: tuple[Sight, ...] = ()
    of: Mapping[int, tuple[Sight, ...]] | None = None


def needs_of(program: Sequence[Step], trace: Trace, story: Story) -> tuple[Need, ...]:
    """Return what has to be seen to come to a trace's answer, each need once.

    A need that no cell meets has no cells: such a question must not be asked.
    """
    seen: list[Seen] = []
    for k, step in enumerate(program):
        walk = _Step(
            story,
            step,
            trace.kinds[k],
            trace.values[k],
            [trace.values[i] for i in step.inputs],
            [trace.kinds[i] for i in step.inputs],
            [seen[i] for i in step.inputs],
        )
        seen.append(_HANDLERS.get(step.op, _passed)(walk))
    return needs(story, seen[-1].sights)


def needs(story: Story, sights: Sequence[Sight]) -> tuple[Need, ...]:
    """Return sights as needs, equal ones and those that a harder one implies left out."""
    kept: list[Sight] = []
    for one in sorted(sights, key=lambda s: (int(s.cells.sum()), s.what)):
        if not any((k.cells & ~one.cells).sum() == 0 for k in kept):
            kept.append(one)
    return tuple(Need(what=s.what, cells=cells_of(story, s.cells)) for s in kept)


def cells_of(story: Story, mask: Mask) -> dict[int, str]:
    """Return the cells of a mask by view, as ranges of the film's frames: a frame of the grid stands for
    those up to the next one.
    """
    edges = [*(int(f) for f in story.play.frames), story.frames]
    spans = list(pairwise(edges))
    out = {}
    for view in range(len(mask)):
        ranges: list[list[int]] = []
        for g in np.flatnonzero(mask[view]):
            first, end = spans[g]
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


@dataclass(frozen=True)
class _Step:
    """A step on the walk, with all that is known of it."""

    story: Story
    step: Step
    kind: Kind
    value: Value
    inputs: Sequence[Value]
    kinds: Sequence[Kind]
    seen: Sequence[Seen]

    @property
    def before(self) -> tuple[Sight, ...]:
        """What the inputs need."""
        return tuple(s for seen in self.seen for s in seen.sights)

    def of(self, at: int, member: int) -> tuple[Sight, ...]:
        """Return what shows that something belongs to the set that is input `at`."""
        return (self.seen[at].of or {}).get(member, ())


_Handler = Callable[[_Step], Seen]
_HANDLERS: dict[str, _Handler] = {}


def _handles(*names: str) -> Callable[[_Handler], _Handler]:
    def put(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return put


def _passed(w: _Step) -> Seen:
    """Return what the inputs need; a set that a filter gives needs what its members needed before."""
    if w.kind in (Kind.THINGS, Kind.HAPPENINGS) and w.inputs:
        return Seen(w.before, {k: w.of(0, k) for k in members(w.value)})
    return Seen(w.before)


# Cells


def times(story: Story, frames: NDArray[np.bool_]) -> Mask:
    """Return which frames of the grid lie in a mask (F,) of the film's frames, (G,)."""
    return np.asarray(frames[story.play.frames])


def stretch(held: NDArray[np.bool_], moment: Moment) -> NDArray[np.bool_]:
    """Return the frames (F,) around a moment in which something holds without a break."""
    first, last = moment
    out = np.zeros(len(held), dtype=bool)
    if not held[first : last + 1].all():
        return out
    while first > 0 and held[first - 1]:
        first -= 1
    while last + 1 < len(held) and held[last + 1]:
        last += 1
    out[first : last + 1] = True
    return out


def _clear(story: Story, thing: int) -> Mask:
    return np.asarray(story.clear[:, :, thing])


def _between(story: Story, first: int, last: int) -> Mask:
    """Return which frames of the grid lie from one frame to another, (G,); the last one before if none."""
    frames = story.play.frames
    chosen = (frames >= first) & (frames <= last)
    if not chosen.any():
        chosen[story.play.at(last)] = True
    return np.asarray(chosen)


def _name(story: Story, thing: int) -> str:
    return story.keys[thing]


# Happenings


def seen_happening(story: Story, h: Happening) -> tuple[Sight, ...]:
    """Return what shows that something happens: an action in both its halves, a thing before and after."""
    if h.what == ACTS:
        middle = (h.first + h.last) // 2
        clear = _clear(story, 0)
        return (
            Sight(f"how it begins to {h.key}", clear & _between(story, h.first, middle)),
            Sight(f"how it goes on to {h.key}", clear & _between(story, middle + 1, h.last)),
        )
    return undone(story, h, 0, h.first - 1), done(story, h, h.last + 1, story.frames - 1)


def undone(story: Story, h: Happening, first: int, last: int) -> Sight:
    """Return what shows, from one frame to another, that an event has not happened yet.

    What is to appear is missed where it shows as soon as it has appeared.
    """
    when = _between(story, max(first, 0), max(last, 0))
    place = _clear(story, h.thing)
    if h.what == "appears":
        then = min(story.play.at(h.last) + 1, len(story.play.frames) - 1)
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Sight(f"before {h.key}", place & when)


def done(story: Story, h: Happening, first: int, last: int) -> Sight:
    """Return what shows, from one frame to another, that an event has happened."""
    when = _between(story, min(first, story.frames - 1), min(last, story.frames - 1))
    place = _clear(story, h.thing)
    if h.what == "vanishes":
        then = max(story.play.at(h.first) - 1, 0) if h.first else 0
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Sight(f"after {h.key}", place & when)


def ordered(story: Story, a: Happening, b: Happening) -> tuple[Sight, ...]:
    """Return what shows that one thing happened before another: each, and the state between the two."""
    sights = [*seen_happening(story, a), *seen_happening(story, b)]
    if a.what == ACTS and b.what == ACTS:
        return tuple(sights)
    first = a.first if a.what == ACTS else a.last + 1
    last = b.last if b.what == ACTS else b.first - 1
    if a.what != ACTS:
        sights.append(done(story, a, first, last))
    if b.what != ACTS:
        sights.append(undone(story, b, first, last))
    return tuple(sights)


def together(story: Story, action: Happening, event: Happening) -> tuple[Sight, ...]:
    """Return what shows that an event happens in the course of an action (or another event): undone and
    done while that goes on.
    """
    sights = [*seen_happening(story, action)]
    if event.what != ACTS:
        sights += [
            undone(story, event, action.first, event.first - 1),
            done(story, event, event.last + 1, action.last),
        ]
    return tuple(sights)


@_handles("the", "first", "last", "nth", "longest")
def _chosen(w: _Step) -> Seen:
    found, chosen = members(w.inputs[0]), w.story.happenings[w.value]
    sights = [*w.before, *w.of(0, w.value), *seen_happening(w.story, chosen)]
    if w.step.op == "longest":
        for k in found:
            sights += seen_happening(w.story, w.story.happenings[k])
    elif w.step.op != "the":
        place = found.index(w.value)
        if place and w.step.op != "first":
            sights += ordered(w.story, w.story.happenings[found[place - 1]], chosen)
        if place + 1 < len(found) and w.step.op != "last":
            sights += ordered(w.story, chosen, w.story.happenings[found[place + 1]])
    return Seen(tuple(sights))


@_handles("next", "previous")
def _neighbour(w: _Step) -> Seen:
    chosen, anchor = w.story.happenings[w.value], w.story.happenings[w.inputs[1]]
    pair = (anchor, chosen) if w.step.op == "next" else (chosen, anchor)
    return Seen((*w.before, *w.of(0, w.value), *ordered(w.story, *pair)))


@_handles("earlier", "later")
def _on_one_side(w: _Step) -> Seen:
    anchor = w.story.happenings[w.inputs[1]]
    of = {}
    for k in members(w.value):
        h = w.story.happenings[k]
        pair = (h, anchor) if w.step.op == "earlier" else (anchor, h)
        of[k] = (*w.of(0, k), *ordered(w.story, *pair))
    return Seen(w.before, of)


@_handles("around", "within")
def _in_the_course(w: _Step) -> Seen:
    first, last = w.inputs[1]
    of = {}
    for k in members(w.value):
        h = w.story.happenings[k]
        moment = Happening(0, ACTS, first, last, "the moment")
        sights = seen_happening(w.story, h)
        if w.step.op == "within" and h.what != ACTS:
            sights = together(w.story, moment, h)[2:] + sights
        of[k] = (*w.of(0, k), *sights)
    return Seen(w.before, of)


@_handles("while")
def _while(w: _Step) -> Seen:
    return Seen((*w.before, *seen_happening(w.story, w.story.happenings[w.inputs[0]])))


@_handles("order")
def _order(w: _Step) -> Seen:
    found = [w.story.happenings[k] for k in members(w.inputs[0])]
    sights = [s for a, b in pairwise(found) for s in ordered(w.story, a, b)]
    return Seen((*w.before, *(s for k in members(w.inputs[0]) for s in w.of(0, k)), *sights))


# Things


def _alike(
    w: _Step, held: Callable[[int], NDArray[np.bool_]], clear: Callable[[int], Mask], what: str
) -> Seen:
    """Return what shows that members belong: clear cells of the stretch in which the set stays as it is.

    `held` gives the frames (F,) in which a candidate belongs.
    """
    story, moment = w.story, w.inputs[-1]
    same = np.ones(story.frames, dtype=bool)
    for k in members(w.inputs[0]):
        of_k = held(k)
        same &= of_k == of_k[moment[1]]
    when = times(story, stretch(same, moment))
    of = {}
    for k in members(w.value):
        mask = clear(k) & when
        earlier = w.of(0, k)
        joint = mask
        for s in earlier:
            joint = joint & s.cells
        sight = (Sight(f"{_name(story, k)} {what}", joint),) if joint.any() else (
            *earlier, Sight(f"{_name(story, k)} {what}", mask)
        )  # fmt: skip
        of[k] = sight
    return Seen(w.before, of)


@_handles("things", "standing", "carried")
def _scene(w: _Step) -> Seen:
    return Seen((), {k: (Sight(_name(w.story, k), _clear(w.story, k)),) for k in members(w.value)})


@_handles("there")
def _there(w: _Step) -> Seen:
    there = w.story.play.there
    return _alike(w, lambda k: there[:, k], lambda k: _clear(w.story, k), "there")


@_handles("named", "colored")
def _described(w: _Step) -> Seen:
    course = w.story.names if w.step.op == "named" else w.story.colors
    arg = w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([word == arg for word in course[k]])

    story, moment = w.story, w.inputs[-1]
    of = {}
    for k in members(w.value):
        when = times(story, stretch(held(k), moment))
        joint = _clear(story, k) & when
        for s in w.of(0, k):
            joint = joint & s.cells
        own = (Sight(f"{_name(story, k)} {arg}", _clear(story, k) & when),)
        of[k] = (Sight(f"{_name(story, k)} {arg}", joint),) if joint.any() else (*w.of(0, k), *own)
    return Seen(w.before, of)


@_handles("side")
def _side(w: _Step) -> Seen:
    story, quarter = w.story, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([quarter_grade(story, k, quarter, (f, f)).ratio > 0 for f in range(story.frames)])

    actor = _clear(story, 0)
    return _alike(w, held, lambda k: _clear(story, k) & actor, quarter)


@_handles("on")
def _on(w: _Step) -> Seen:
    story, base = w.story, w.inputs[1]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([on_grade(story, k, base, f).ratio > 0 for f in range(story.frames)])

    return _alike(w, held, lambda k: _clear(story, k) & _clear(story, base), f"on {_name(story, base)}")


@_handles("hidden")
def _hidden(w: _Step) -> Seen:
    story, quarter = w.story, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([hidden_grade(story, k, quarter, (f, f)).ratio > 0 for f in range(story.frames)])

    seen = _alike(w, held, lambda k: _clear(story, k), "where it shows")
    same = np.ones(story.frames, dtype=bool)
    for k in members(w.inputs[0]):
        of_k = held(k)
        same &= of_k == of_k[w.inputs[1][1]]
    views = np.zeros(story.play.views, dtype=bool)
    views[story.views_from(quarter)] = True
    from_there = Sight(
        f"what shows from {quarter}", views[:, None] & times(story, stretch(same, w.inputs[1]))
    )
    return Seen((*seen.sights, from_there), seen.of)


@_handles("hidden_from")
def _hidden_from(w: _Step) -> Seen:
    story, thing, quarter = w.story, w.inputs[0], w.value

    def held(f: int) -> bool:
        return hidden_grade(story, thing, quarter, (f, f)).ratio > 0

    when = times(story, stretch(np.array([held(f) for f in range(story.frames)]), w.inputs[1]))
    views = np.zeros(story.play.views, dtype=bool)
    views[story.views_from(quarter)] = True
    sights = (
        Sight(f"what shows from {quarter}", views[:, None] & when),
        Sight(f"{_name(story, thing)} where it shows", _clear(story, thing) & when),
    )
    return Seen((*w.before, *sights))


@_handles("only")
def _only(w: _Step) -> Seen:
    return Seen((*w.before, *w.of(0, w.value)))


@_handles("count")
def _count(w: _Step) -> Seen:
    sights = [s for k in members(w.inputs[0]) for s in w.of(0, k)]
    if w.kinds[0] is Kind.HAPPENINGS:
        for k in members(w.inputs[0]):
            sights += seen_happening(w.story, w.story.happenings[k])
    return Seen((*w.before, *sights))


@_handles("nearest", "farthest", "opposite")
def _compared(w: _Step) -> Seen:
    story, thing, moment = w.story, w.inputs[1], w.inputs[2]
    base = _clear(story, thing) if w.step.op != "opposite" else _clear(story, 0) & _clear(story, thing)
    measured = w.step.op != "opposite"
    here = story.positions_m
    when = times(story, stretch(_still(here, moment), moment))
    sights = [*w.before]
    for k in members(w.inputs[0]):
        if k != thing and not np.isnan(here[moment[1], k]).any():
            joint = _clear(story, k) & base & when[None, :]
            if measured:
                joint = joint & story.broadside(thing, k, moment[1])[:, None]
            sights.append(Sight(f"{_name(story, k)} beside {_name(story, thing)}", joint))
    return Seen(tuple(sights))


def _still(positions: NDArray[np.float64], moment: Moment) -> NDArray[np.bool_]:
    """Return the frames (F,) in which everything is where it is at a moment, or nearly so."""
    now = positions[moment[1]]
    off = np.linalg.norm(positions - now, axis=2)
    gone = np.isnan(positions).any(axis=2) == np.isnan(now).any(axis=1)
    return np.asarray((np.where(np.isnan(off), 0.0, off) <= 0.1).all(axis=1) & gone.all(axis=1))


@_handles("side_of")
def _side_of(w: _Step) -> Seen:
    story, thing, moment = w.story, w.inputs[0], w.inputs[1]
    held = np.array([quarter_grade(story, thing, w.value, (f, f)).ratio > 0 for f in range(story.frames)])
    mask = _clear(story, thing) & _clear(story, 0) & times(story, stretch(held, moment))
    return Seen((*w.before, Sight(f"{_name(story, thing)} {w.value}", mask)))


@_handles("color", "name")
def _state(w: _Step) -> Seen:
    story, thing = w.story, w.inputs[0]
    course = story.colors[thing] if w.step.op == "color" else story.names[thing]
    held = np.array([word == w.value for word in course]) & story.play.there[:, thing]
    when = times(story, stretch(held, (w.inputs[1][1],) * 2))
    return Seen((*w.before, Sight(f"{_name(story, thing)} {w.value}", _clear(story, thing) & when)))


@_handles("key")
def _key(w: _Step) -> Seen:
    return Seen((*w.before, Sight(_name(w.story, w.inputs[0]), _clear(w.story, w.inputs[0]))))


@_handles("place_of")
def _place_of(w: _Step) -> Seen:
    both = _clear(w.story, w.inputs[0]) & _clear(w.story, 0)
    return Seen((*w.before, Sight(f"{_name(w.story, w.inputs[0])} on it", both)))


# Parts, limbs, motion


def _part(story: Story, name: str) -> Mask:
    k = story.play.parts_of(0).get(name)
    if k is None:
        return np.zeros(story.play.px.shape[:2], dtype=bool)
    return np.asarray(story.play.part_px[:, :, k] >= story.rules.clear_part_px)


def _limb(story: Story, name: str) -> Mask:
    k = story.play.limbs_of(0)[name]
    return np.asarray(story.play.limb_px[:, :, k] >= story.rules.clear_part_px)


@_handles("part_color")
def _part_color(w: _Step) -> Seen:
    name, moment = w.step.args[0], w.inputs[0]
    held = np.array([color == w.value for color in w.story.parts[name]])
    when = times(w.story, stretch(held, (moment[1],) * 2))
    return Seen((*w.before, Sight(f"{name} {w.value}", _part(w.story, name) & when)))


@_handles("legs")
def _legs(w: _Step) -> Seen:
    return Seen(tuple(Sight(name, _limb(w.story, name)) for name in motion.legs(w.story)))


@_handles("limb_most", "limb_first", "repeats")
def _moving(w: _Step) -> Seen:
    story, moment = w.story, w.inputs[0]
    if w.step.op == "limb_first":
        limbs = [w.step.args[0]]
    elif w.step.op == "limb_most":
        limbs = [w.value]
    else:
        limbs = [next(iter(motion.paths(story, moment)))]
    pieces = 2 * int(w.value) if w.step.op == "repeats" else 2
    edges = np.linspace(moment[0], moment[1] + 1, pieces + 1).round().astype(int)
    sights = [
        Sight(f"{limb} moving ({n + 1})", _limb(story, limb) & _between(story, a, max(b - 1, a)))
        for limb in limbs
        for n, (a, b) in enumerate(pairwise(edges))
    ]
    return Seen((*w.before, *sights))


@_handles("travels", "turns", "goes")
def _going(w: _Step) -> Seen:
    first, last = w.inputs[0]
    third = max((last - first) // 3, 0)
    clear = _clear(w.story, 0)
    return Seen(
        (
            *w.before,
            Sight("where it sets out", clear & _between(w.story, first, first + third)),
            Sight("where it gets to", clear & _between(w.story, last - third, last)),
        )
    )


# Choices


@_handles("choose")
def _choose(w: _Step) -> Seen:
    sights = [*w.before]
    if w.kinds[0] is Kind.THINGS:
        for k in members(w.inputs[0]):
            if w.story.fits(w.value, k):
                sights += w.of(0, k)
    elif w.kinds[0] is Kind.HAPPENINGS:
        for k in members(w.inputs[0]):
            if w.story.happenings[k].key == w.value:
                sights += [*w.of(0, k), *seen_happening(w.story, w.story.happenings[k])]
    elif w.kinds[0] is Kind.PARTS:
        sights.append(Sight(w.value, _part(w.story, w.value)))
    return Seen(tuple(sights))


@_handles("choose_other")
def _choose_other(w: _Step) -> Seen:
    others = [key for key in w.step.args if key != w.value]
    sights = [*w.before]
    for k in members(w.inputs[0]):
        if w.kinds[0] is Kind.THINGS and any(w.story.fits(key, k) for key in others):
            sights += w.of(0, k)
        elif w.kinds[0] is Kind.HAPPENINGS and w.story.happenings[k].key in others:
            sights += [*w.of(0, k), *seen_happening(w.story, w.story.happenings[k])]
    return Seen(tuple(sights))
