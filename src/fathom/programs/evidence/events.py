"""What shows that something happens in an animated scene, and in which order.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fathom.once import once
from fathom.programs import motion
from fathom.programs.evidence.conditions import Condition, between, clear, times
from fathom.programs.evidence.motion_seen import seen_stirring
from fathom.programs.growths import growing
from fathom.programs.state import ACTS, LEAPS
from fathom.programs.views.animated import AnimatedView, Mask, SceneEvent

SPROUTING_STEPS = 2
"""So many frames of the grid what grows takes to sprout, or to wither."""


@once
def shows_event(timeline: AnimatedView, h: SceneEvent) -> tuple[Condition, ...]:
    """Return what shows that something happens: an action in both its halves and in full swing, a jump off
    the ground, an object before and after.
    """
    if h.what == ACTS:
        middle = (h.first + h.last) // 2
        seen = clear(timeline, 0)
        swing = motion.full_swing(timeline, h.first, h.last)
        if h.key in LEAPS:
            swing = motion.aloft(timeline)
            swing[: h.first] = swing[h.last + 1 :] = False
        return (
            Condition(f"how it begins to {h.key}", seen & between(timeline, h.first, middle)),
            Condition(f"how it goes on to {h.key}", seen & between(timeline, middle + 1, h.last)),
            Condition(
                f"how far it gets to {h.key}",
                seen & times(timeline, swing) & seen_stirring(timeline, (h.first, h.last)),
            ),
        )
    return undone(timeline, h, 0, h.first - 1), done(timeline, h, h.over, timeline.frames - 1)


@once
def changing(timeline: AnimatedView, h: SceneEvent) -> Mask:
    """Return the cells (V, G) that show plainly what an event happens to: the object, or the actor's part."""
    least = timeline.rules.change_share * timeline.picture_px
    if h.object_id:
        return clear(timeline, h.object_id) & np.asarray(timeline.visibility.px[:, :, h.object_id] >= least)
    part = h.detail.rpartition("=")[0] or timeline.main
    k = timeline.visibility.parts_of(0).get(part) if h.what == "recolours" else None
    if k is None:
        return clear(timeline, 0)
    return np.asarray(timeline.visibility.part_px[:, :, k] >= max(least, timeline.clear_part_px))


def faint(timeline: AnimatedView, h: SceneEvent) -> bool:
    """Return whether no cell shows plainly, before or after it, that an event happens."""
    conditions = shows_event(timeline, h)
    return h.what != ACTS and not all(s.cells.any() for s in conditions)


def undone(timeline: AnimatedView, h: SceneEvent, first: int, last: int) -> Condition:
    """Return what shows, from one frame to another, that an event has not happened yet.

    What is to appear is missed where it shows as soon as it has appeared.
    """
    when = between(timeline, max(first, 0), max(last, 0))
    place = changing(timeline, h)
    if h.what == "appears":
        then = min(timeline.visibility.at(h.last) + _steps(timeline, h), len(timeline.visibility.frames) - 1)
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Condition(f"before {h.key}", place & when)


def done(timeline: AnimatedView, h: SceneEvent, first: int, last: int) -> Condition:
    """Return what shows, from one frame to another, that an event has happened."""
    when = between(timeline, min(first, timeline.frames - 1), min(last, timeline.frames - 1))
    place = changing(timeline, h)
    if h.what == "vanishes":
        then = max(timeline.visibility.at(h.first) - _steps(timeline, h), 0) if h.first else 0
        place = np.repeat(place[:, then : then + 1], place.shape[1], axis=1)
    return Condition(f"after {h.key}", place & when)


def _steps(timeline: AnimatedView, h: SceneEvent) -> int:
    """Return how many frames of the grid after it what comes is all there, and before it what goes is: what
    grows sprouts, and withers.
    """
    return SPROUTING_STEPS if h.object_id in growing(timeline) else 1


def ordered(timeline: AnimatedView, a: SceneEvent, b: SceneEvent) -> tuple[Condition, ...]:
    """Return what shows that one object happened before another: each, and that a time lies between them."""
    return (*shows_event(timeline, a), *shows_event(timeline, b), *apart(timeline, [a], [b]))


def apart(
    timeline: AnimatedView, before: Sequence[SceneEvent], after: Sequence[SceneEvent]
) -> tuple[Condition, ...]:
    """Return what shows that all of some objects happened before all of others.

    One moment between them is chosen: whoever sees each of the ones done at that moment or earlier, and each
    of the others undone then or later, knows the order, whichever cells it were. For an action its own
    frames say when it was.
    """
    if not before or not after:
        return ()
    first = max(h.last if h.what == ACTS else h.over for h in before)
    last = min(h.first if h.what == ACTS else h.first - 1 for h in after)
    frames = [int(f) for f in timeline.visibility.frames if first <= f <= last]

    def conditions(moment: int) -> tuple[Condition, ...]:
        return (
            *(replace(done(timeline, h, h.over, moment), until=moment) for h in before if h.what != ACTS),
            *(undone(timeline, h, moment, h.first - 1) for h in after if h.what != ACTS),
        )

    def rank(moment: int) -> tuple[bool, int, float]:
        # Frames that are divided often are those that coarser samples of the film have as well.
        seen = all(s.cells.any() for s in conditions(moment))
        return seen, _halvings(moment), -abs(moment - (first + last) / 2)

    return conditions(max(frames, key=rank) if frames else first)


def _halvings(frame: int) -> int:
    """Return how often a frame's number can be halved."""
    return (frame & -frame).bit_length() if frame else 64


def together(timeline: AnimatedView, action: SceneEvent, event: SceneEvent) -> tuple[Condition, ...]:
    """Return what shows that an event happens in the course of an action (or another event): undone and
    done while that goes on.
    """
    conditions = [*shows_event(timeline, action)]
    if event.what != ACTS:
        conditions += [
            undone(timeline, event, action.first, event.first - 1),
            done(timeline, event, event.over, action.last),
        ]
    return tuple(conditions)
