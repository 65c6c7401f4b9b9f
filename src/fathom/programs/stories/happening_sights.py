"""What shows that something happens in a film, and in which order.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fathom.programs.stories import motion
from fathom.programs.stories.facts import ACTS, Happening, Mask, Story
from fathom.programs.stories.sights import Handler, Seen, Sight, Walk, between, clear, handles, times
from fathom.programs.stories.values import members

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
    return undone(story, h, 0, h.first - 1), done(story, h, h.last + 1, story.frames - 1)


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


@handles(HANDLERS, "the", "first", "last", "nth", "longest")
def _chosen(w: Walk) -> Seen:
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


@handles(HANDLERS, "next", "previous")
def _neighbour(w: Walk) -> Seen:
    chosen, anchor = w.story.happenings[w.value], w.story.happenings[w.inputs[1]]
    pair = (anchor, chosen) if w.step.op == "next" else (chosen, anchor)
    return Seen((*w.before, *w.of(0, w.value), *ordered(w.story, *pair)))


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
        if w.step.op == "earlier":
            of[k] = (undone(w.story, h, anchor.first, h.first - 1),)
        else:
            of[k] = (done(w.story, h, h.last + 1, anchor.last),)
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
            of[k] = (done(w.story, h, h.last + 1, first),)
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
