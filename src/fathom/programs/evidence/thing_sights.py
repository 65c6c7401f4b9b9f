"""What shows which things there are in a film, where they are, and what they are like.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fathom.programs.evidence.happening_sights import done, undone
from fathom.programs.evidence.sights import Handler, Seen, Sight, Walk, clear, handles, name, stretch, times
from fathom.programs.operators.spatial import on_truth, quarter_truth
from fathom.programs.operators.visibility import hidden_truth
from fathom.programs.stories.facts import Mask, Moment, Story
from fathom.programs.values import members

HANDLERS: dict[str, Handler] = {}
"""Operator → what its step brings."""


def _alike(
    w: Walk, held: Callable[[int], NDArray[np.bool_]], clear: Callable[[int], Mask], what: str
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
        sight = (Sight(f"{name(story, k, moment)} {what}", joint),) if joint.any() else (
            *earlier, Sight(f"{name(story, k, moment)} {what}", mask)
        )  # fmt: skip
        of[k] = sight
    return Seen(w.before, of)


@handles(HANDLERS, "things", "standing", "carried")
def _scene(w: Walk) -> Seen:
    return Seen((), {k: (Sight(name(w.story, k), clear(w.story, k)),) for k in members(w.value)})


@handles(HANDLERS, "there")
def _there(w: Walk) -> Seen:
    there = w.story.play.there
    seen = _alike(w, lambda k: there[:, k], lambda k: clear(w.story, k), "there")
    gone = set(members(w.inputs[0])) - set(members(w.value))
    missed = {k: _missed(w.story, k, w.inputs[-1]) for k in sorted(gone)}
    return Seen(seen.sights, {**(seen.of or {}), **missed})


def _missed(story: Story, thing: int, moment: Moment) -> tuple[Sight, ...]:
    """Return what shows that a thing is not there at a moment: its empty place."""
    absent = ~story.play.there[:, thing]
    frame = moment[1] if absent[moment[1]] else moment[0]
    if not absent[frame]:
        return ()
    gone = np.flatnonzero(stretch(absent, (frame, frame)))
    first, last = int(gone[0]), int(gone[-1])
    for h in story.happenings:
        if h.thing == thing and h.what == "vanishes" and h.last <= first:
            return (done(story, h, first, last),)
        if h.thing == thing and h.what == "appears" and h.first > last:
            return (undone(story, h, first, last),)
    return ()


@handles(HANDLERS, "named", "colored")
def _described(w: Walk) -> Seen:
    course = w.story.names if w.step.op == "named" else w.story.colors
    arg = w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([word == arg for word in course[k]])

    story, moment = w.story, w.inputs[-1]
    of = {}
    for k in members(w.value):
        when = times(story, stretch(held(k), moment))
        joint = clear(story, k) & when
        for s in w.of(0, k):
            joint = joint & s.cells
        what = name(story, k, moment)
        own = (Sight(what, clear(story, k) & when),)
        of[k] = (Sight(what, joint),) if joint.any() else (*w.of(0, k), *own)
    for k in set(w.seen[0].of or {}) - set(members(w.inputs[0])):
        # What has gone, or is still to come, would have been among these.
        if course[k][story.debut(k)] == arg:
            of[k] = w.of(0, k)
    return Seen(w.before, of)


@handles(HANDLERS, "side")
def _side(w: Walk) -> Seen:
    story, quarter = w.story, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([quarter_truth(story, k, quarter, (f, f)).ratio > 0 for f in range(story.frames)])

    actor = clear(story, 0)
    return _alike(w, held, lambda k: clear(story, k) & actor, quarter)


@handles(HANDLERS, "on")
def _on(w: Walk) -> Seen:
    story, base = w.story, w.inputs[1]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([on_truth(story, k, base, f).ratio > 0 for f in range(story.frames)])

    what = f"on {name(story, base, w.inputs[-1])}"
    return _alike(w, held, lambda k: clear(story, k) & clear(story, base), what)


def _plain(story: Story, thing: int) -> Mask:
    """Return the cells (V, G) that show a thing clearly, and much of what any view shows of it."""
    return clear(story, thing) & np.asarray(story.plain_shares[:, :, thing] >= story.rules.plain_share)


@handles(HANDLERS, "hidden")
def _hidden(w: Walk) -> Seen:
    story, quarter = w.story, w.step.args[0]

    def held(k: int) -> NDArray[np.bool_]:
        return np.array([hidden_truth(story, k, quarter, (f, f)).ratio > 0 for f in range(story.frames)])

    seen = _alike(w, held, lambda k: _plain(story, k), "where it shows")
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


@handles(HANDLERS, "hidden_from")
def _hidden_from(w: Walk) -> Seen:
    story, thing, quarter = w.story, w.inputs[0], w.value

    def held(f: int) -> bool:
        return hidden_truth(story, thing, quarter, (f, f)).ratio > 0

    when = times(story, stretch(np.array([held(f) for f in range(story.frames)]), w.inputs[1]))
    views = np.zeros(story.play.views, dtype=bool)
    views[story.views_from(quarter)] = True
    sights = (
        Sight(f"what shows from {quarter}", views[:, None] & when),
        Sight(f"{name(story, thing, w.inputs[1])} where it shows", _plain(story, thing) & when),
    )
    return Seen((*w.before, *sights))


@handles(HANDLERS, "only")
def _only(w: Walk) -> Seen:
    return Seen((*w.before, *w.of(0, w.value)))


@handles(HANDLERS, "nearest", "farthest", "opposite")
def _compared(w: Walk) -> Seen:
    story, thing, moment = w.story, w.inputs[1], w.inputs[2]
    base = clear(story, thing) if w.step.op != "opposite" else clear(story, 0) & clear(story, thing)
    measured = w.step.op != "opposite"
    here = story.positions_m
    when = times(story, stretch(_still(here, moment), moment))
    sights = [*w.before]
    for k in members(w.inputs[0]):
        if k != thing and not np.isnan(here[moment[1], k]).any():
            joint = clear(story, k) & base & when[None, :]
            if measured:
                joint = joint & story.broadside(thing, k, moment[1])[:, None]
            sights.append(Sight(f"{name(story, k, moment)} beside {name(story, thing, moment)}", joint))
    return Seen(tuple(sights))


def _still(positions: NDArray[np.float64], moment: Moment) -> NDArray[np.bool_]:
    """Return the frames (F,) in which everything is where it is at a moment, or nearly so."""
    now = positions[moment[1]]
    off = np.linalg.norm(positions - now, axis=2)
    gone = np.isnan(positions).any(axis=2) == np.isnan(now).any(axis=1)
    return np.asarray((np.where(np.isnan(off), 0.0, off) <= 0.1).all(axis=1) & gone.all(axis=1))


@handles(HANDLERS, "side_of")
def _side_of(w: Walk) -> Seen:
    story, thing, moment = w.story, w.inputs[0], w.inputs[1]
    held = np.array([quarter_truth(story, thing, w.value, (f, f)).ratio > 0 for f in range(story.frames)])
    mask = clear(story, thing) & clear(story, 0) & times(story, stretch(held, moment))
    return Seen((*w.before, Sight(f"{name(story, thing, moment)} {w.value}", mask)))


@handles(HANDLERS, "color", "name")
def _state(w: Walk) -> Seen:
    story, thing = w.story, w.inputs[0]
    course = story.colors[thing] if w.step.op == "color" else story.names[thing]
    held = np.array([word == w.value for word in course]) & story.play.there[:, thing]
    when = times(story, stretch(held, (w.inputs[1][1],) * 2))
    return Seen((*w.before, Sight(name(story, thing, w.inputs[1]), clear(story, thing) & when)))


@handles(HANDLERS, "key")
def _key(w: Walk) -> Seen:
    return Seen((*w.before, Sight(name(w.story, w.inputs[0]), clear(w.story, w.inputs[0]))))


@handles(HANDLERS, "place_of")
def _place_of(w: Walk) -> Seen:
    both = clear(w.story, w.inputs[0]) & clear(w.story, 0)
    return Seen((*w.before, Sight(f"{name(w.story, w.inputs[0])} on it", both)))
