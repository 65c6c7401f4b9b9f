"""Patches of paint that come while a film runs: which comes when, and in which order.

Until then what is beneath a patch looks like the rest of the actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fathom.programs.motion import MeasuredMotion
from fathom.programs.painted import NONE, coming, patches, side_of, since
from fathom.programs.views.animated import AnimatedView, Moment

PLACES = ("first", "last")

ONLY = "only"
"""Stands for the one patch that comes, where no other does."""


def _told(timeline: AnimatedView, order: Sequence[str], name: str | None) -> MeasuredMotion:
    """Return the colour of a patch, as firmly as the patches come apart in time."""
    times = [0, *(since(timeline, n) for n in order)]
    gap = float(min(b - a for a, b in pairwise(times)))
    color = NONE if name is None else patches(timeline)[name]
    return MeasuredMotion(color, gap / timeline.rules.time_frames, "comes before", gap, "frames")


def at_place(timeline: AnimatedView, place: str) -> MeasuredMotion:
    """Return the colour of the patch that comes first or last of two or more."""
    order = coming(timeline)
    if len(order) < 2:
        return MeasuredMotion("", relation="comes before")
    return _told(timeline, order, order[0] if place == "first" else order[-1])


def after(timeline: AnimatedView, name: str) -> MeasuredMotion:
    """Return the colour of the patch that comes next after another one; NONE where no other comes."""
    order = coming(timeline)
    if name not in order:
        return MeasuredMotion("", relation="comes before")
    place = order.index(name) + 1
    return _told(timeline, order, order[place] if place < len(order) else None)


def come_side(timeline: AnimatedView, place: str) -> MeasuredMotion:
    """Return the side of the actor on which the first, the last or the only patch that comes does so."""
    order = coming(timeline)
    if not order or (len(order) == 1) != (place == ONLY):
        return MeasuredMotion("", relation="comes on")
    name = order[-1] if place == "last" else order[0]
    side = side_of(timeline, name)
    ratio = min(side.ratio, _told(timeline, order, name).ratio)
    return MeasuredMotion(side.word, ratio, "comes on", side.value, side.unit)


def come(timeline: AnimatedView) -> MeasuredMotion:
    """Return how many patches come during the film."""
    order = coming(timeline)
    if not order:
        return MeasuredMotion("", relation="comes before")
    apart = _told(timeline, order, order[0])
    return MeasuredMotion(str(len(order)), apart.ratio, apart.relation, apart.value, apart.unit)


def there(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return how many patches there are as a moment ends, in a film in which some come."""
    order, at = coming(timeline), moment[1]
    if not order:
        return MeasuredMotion("", relation="is there")
    times = {n: since(timeline, n) for n in order}
    gap = min(abs(t - at - 0.5) + 0.5 for t in times.values())
    apart = _told(timeline, order, order[0])
    ratio = min(apart.ratio, gap / timeline.rules.time_frames)
    count = len(patches(timeline)) - sum(t > at for t in times.values())
    return MeasuredMotion(str(count), ratio, "is there", gap, "frames")


def moment(timeline: AnimatedView, name: str) -> Moment:
    """Return the frame at which a patch comes."""
    return since(timeline, name), since(timeline, name)


def cut(timeline: AnimatedView, one: str, other: str) -> int:
    """Return a frame between the times at which two patches come."""
    return (since(timeline, one) + since(timeline, other)) // 2
