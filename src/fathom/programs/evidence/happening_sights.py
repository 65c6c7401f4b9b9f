"""What shows that something happens in a film, and in which order.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from fathom.programs.evidence.sights import Handler, Seen, Sight, Walk, between, clear, handles, times
from fathom.programs.stories import motion
from fathom.programs.stories.facts import ACTS, Happening, Mask, Story
from fathom.programs.values import members

HANDLERS: dict[str, Handler] = {}
"""Operator → what its step brings."""


def seen_happening(story: Story, h: Happening) -> tuple[Sight, ...]:
    """Return what shows that something happens: an action in both its halves and in full swing, a thing
    before and after.
    """
    if h.what == ACTS:
        middle = (h.first + h.last) // 2
        seen = clear(story, 0)
        return (
            Sight(f"how it begins to {h.key}", seen & between(story, h.first, middle)),
            Sight(f"how it goes on to {h.key}", seen & between(story, middle + 1, h.last)),
            Sight(
                f"how far it gets to {h.key}", seen & times(story, motion.full_swing(story, h.first, h.last))
            ),
        )
    return undone(story, h, 0, h.first - 1), done(story, h, h.over, story.frames - 1)


def changing(story: Story, h: Happening) -> Mask:
    """Return the cells (V, G) that show plainly what an event happens to: the thing, or the actor's part."""
    least = story.rules.change_share * story.picture_px
    if h.thing:
        return clear(story, h.thing) & np.asarray(story.play.px[:, :, h.thing] >= least)
    part = h.detail.rpartition("=")[0] or story.main
    k = story.play.parts_of(0).get(part) if h.what == "recolours" else None
    if k is None:
        return clear(story, 0)
    return np.asarray(story.play.part_px[:, :, k] >= max(least, story.rules.clear_part_px))


def faint(story: Story, h: Happening) -> bool:
    """Return whether no cell shows plainly, before or after it, that an event happens."""
    sights = seen_happening(story, h)
    return h.what != ACTS and not all(s.cells.any() for s in sights)


def undone(story: Story, h: Happening, first: int, last: int) -> Sight:
    """Return what shows, from one frame to another, that an event has not happened yet.

    What is to appear is missed where it shows as soon as it has appeared.
    """
    when = between(story, max(first, 0), max(last, 0))
    place = changing(story, h)
    if h.what == "appears":
        then = min(story.play.at(h.last) + 1, len(story.play.frames) - 1)
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Sight(f"before {h.key}", place & when)


def done(story: Story, h: Happening, first: int, last: int) -> Sight:
    """Return what shows, from one frame to another, that an event has happened."""
    when = between(story, min(first, story.frames - 1), min(last, story.frames - 1))
    place = changing(story, h)
    if h.what == "vanishes":
        then = max(story.play.at(h.first) - 1, 0) if h.first else 0
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Sight(f"after {h.key}", place & when)


def ordered(story: Story, a: Happening, b: Happening) -> tuple[Sight, ...]:
    """Return what shows that one thing happened before another: each, and that a time lies between them."""
    return (*seen_happening(story, a), *seen_happening(story, b), *apart(story, [a], [b]))


def apart(story: Story, before: Sequence[Happening], after: Sequence[Happening]) -> tuple[Sight, ...]:
    """Return what shows that all of some things happened before all of others.

    One moment between them is chosen: whoever sees each of the ones done at that moment or earlier, and each
    of the others undone then or later, knows the order, whichever cells it were. For an action its own
    frames say when it was.
    """
    if not before or not after:
        return ()
    first = max(h.last if h.what == ACTS else h.over for h in before)
    last = min(h.first if h.what == ACTS else h.first - 1 for h in after)
    frames = [int(f) for f in story.play.frames if first <= f <= last]

    def sights(moment: int) -> tuple[Sight, ...]:
        return (
            *(replace(done(story, h, h.over, moment), until=moment) for h in before if h.what != ACTS),
            *(undone(story, h, moment, h.first - 1) for h in after if h.what != ACTS),
        )

    def rank(moment: int) -> tuple[bool, int, float]:
        # Frames that are divided often are those that coarser samples of the film have as well.
        seen = all(s.cells.any() for s in sights(moment))
        return seen, _halvings(moment), -abs(moment - (first + last) / 2)

    return sights(max(frames, key=rank) if frames else first)


def _halvings(frame: int) -> int:
    """Return how often a frame's number can be halved."""
    return (frame & -frame).bit_length() if frame else 64


def together(story: Story, action: Happening, event: Happening) -> tuple[Sight, ...]:
    """Return what shows that an event happens in the course of an action (or another event): undone and
    done while that goes on.
    """
    sights = [*seen_happening(story, action)]
    if event.what != ACTS:
        sights += [
            undone(story, event, action.first, event.first - 1),
            done(story, event, event.over, action.last),
        ]
    return tuple(sights)


@handles(HANDLERS, "the", "first", "last", "nth", "longest")
def _chosen(w: Walk) -> Seen:
    found, chosen = members(w.inputs[0]), w.story.happenings[w.value]
    sights = [*w.before, *w.of(0, w.value), *seen_happening(w.story, chosen)]
    if w.step.op == "longest":
        for k in found:
            sights += seen_happening(w.story, w.story.happenings[k])
    elif w.step.op != "the":
        place = found.index(w.value)
        sights += _at_place(w.story, [w.story.happenings[k] for k in found], place, w.step.op)
    return Seen(tuple(sights))


def _at_place(story: Story, row: Sequence[Happening], place: int, op: str) -> tuple[Sight, ...]:
    """Return what shows that something has its place in a row: what comes before it, and what after.

    Actions follow one another without a gap, so that seeing them shows their order; of events, all others
    have to be known to lie on their side.
    """
    chosen = row[place]
    if chosen.what == ACTS:
        pairs = [(row[place - 1], chosen)] * (place > 0 and op != "first")
        pairs += [(chosen, h) for h in row[place + 1 : place + 2] if op != "last"]
        return tuple(s for pair in pairs for s in ordered(story, *pair))
    cuts: list[tuple[Sequence[Happening], Sequence[Happening]]] = [(row[:place], [chosen])]
    if op == "nth":
        cuts = [([a], [b]) for a, b in pairwise(row[: place + 1])]
    cuts.append(([chosen], row[place + 1 :]))
    return tuple(s for cut in cuts for s in apart(story, *cut))


@handles(HANDLERS, "next", "previous")
def _neighbour(w: Walk) -> Seen:
    chosen, anchor = w.story.happenings[w.value], w.story.happenings[w.inputs[1]]
    a, b = (anchor, chosen) if w.step.op == "next" else (chosen, anchor)
    sights = ordered(w.story, a, b)
    if ACTS not in (a.what, b.what):
        row = [w.story.happenings[k] for k in members(w.inputs[0])]
        sights += apart(w.story, [h for h in row if h.last < a.first], [a])
        sights += apart(w.story, [b], [h for h in row if h.first > b.last])
    return Seen((*w.before, *w.of(0, w.value), *sights))


@handles(HANDLERS, "earlier", "later")
def _on_one_side(w: Walk) -> Seen:
    anchor = w.story.happenings[w.inputs[1]]
    of = {}
    for k in members(w.value):
        h = w.story.happenings[k]
        pair = (h, anchor) if w.step.op == "earlier" else (anchor, h)
        of[k] = (*w.of(0, k), *ordered(w.story, *pair))
    for k in _others(w):
        h = w.story.happenings[k]
        of[k] = apart(w.story, *(([anchor], [h]) if w.step.op == "earlier" else ([h], [anchor])))
    return Seen(w.before, of)


def _others(w: Walk) -> tuple[int, ...]:
    """Return the events that a filter leaves out: what shows that they do not belong is for who counts."""
    found = set(members(w.inputs[0])) - set(members(w.value)) - {w.inputs[1]}
    return tuple(k for k in sorted(found) if w.story.happenings[k].what != ACTS)


@handles(HANDLERS, "around", "within")
def _in_the_course(w: Walk) -> Seen:
    first, last = w.inputs[1]
    of = {}
    for k in members(w.value):
        h = w.story.happenings[k]
        moment = Happening(0, ACTS, first, last, "the moment")
        sights = seen_happening(w.story, h)
        if w.step.op == "within" and h.what != ACTS:
            sights = together(w.story, moment, h)[2:] + sights
        of[k] = (*w.of(0, k), *sights)
    for k in _others(w) if w.step.op == "within" else ():
        h = w.story.happenings[k]
        if h.first < first:
            of[k] = (done(w.story, h, h.over, first),)
        else:
            of[k] = (undone(w.story, h, last, h.first - 1),)
    return Seen(w.before, of)


@handles(HANDLERS, "while")
def _while(w: Walk) -> Seen:
    return Seen((*w.before, *seen_happening(w.story, w.story.happenings[w.inputs[0]])))


@handles(HANDLERS, "order")
def _order(w: Walk) -> Seen:
    found = [w.story.happenings[k] for k in members(w.inputs[0])]
    sights = [s for a, b in pairwise(found) for s in ordered(w.story, a, b)]
    return Seen((*w.before, *(s for k in members(w.inputs[0]) for s in w.of(0, k)), *sights))
