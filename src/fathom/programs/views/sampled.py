"""A film as somebody knows it who is shown some of its frames: in between everything goes straight on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.once import once
from fathom.programs.views.animated import AnimatedView, SceneEvent

Floats = NDArray[np.float64]


@once
def sampled(timeline: AnimatedView, frames: tuple[int, ...]) -> AnimatedView:
    """Return a film whose limbs, places and headings are known at some frames, and straight on in between.

    Before the first of these frames, and after the last, everything stays as it is there. What happens, and
    what is seen in which cell, is left as it is.
    """
    known, every = np.asarray(sorted(frames)), np.arange(timeline.frames)

    def straight(values: Floats) -> Floats:
        flat = values.reshape(len(values), -1)
        rows = [np.interp(every, known, flat[known, k]) for k in range(flat.shape[1])]
        return np.stack(rows, axis=1).reshape(values.shape) if rows else values

    seen = timeline.visibility
    ups, lows = seen.actor_ups, seen.limb_lows_m
    return replace(
        timeline,
        visibility=replace(
            seen,
            limb_centres_m=straight(seen.limb_centres_m),
            actor_ups=None if ups is None else straight(ups),
            limb_lows_m=None if lows is None else straight(lows),
        ),
        positions_m=straight(timeline.positions_m),
        headings_rad=straight(np.unwrap(timeline.headings_rad, axis=0)),
        heights_m=straight(np.asarray(timeline.heights_m, dtype=np.float64)),
    )


@once
def retimed(timeline: AnimatedView, frames: tuple[int, ...]) -> tuple[AnimatedView, ...]:
    """Return a film as whoever is shown some frames of it may time it: what changes between two of them does
    so just after the one, or not before the other, and the middle is anywhere from the frame shown before it
    to half as far after it.
    """
    known = sorted(frames)
    found = [
        replace(
            timeline,
            happenings=tuple(_shifted(h, known, acts) for h in timeline.happenings),
        )
        for acts in (False, True)
    ]
    middle, gap = timeline.middle, max((b - a for a, b in pairwise(known)), default=0)
    at = (middle - gap, middle - gap // 2, middle + gap // 2)
    return (*found, *(replace(timeline, middle=min(max(f, 0), timeline.frames - 1)) for f in at))


def _shifted(event: SceneEvent, known: Sequence[int], early: bool) -> SceneEvent:
    """Return an event that begins and ends as early, or as late, as the frames known allow."""
    first, last = (_edge(at, known, early) for at in (event.first, event.last + 1))
    return replace(event, first=first, last=max(last - 1, first))


def _edge(at: int, known: Sequence[int], early: bool) -> int:
    """Return the first frame after a change at the earliest, or latest, that the frames known allow."""
    before, after = [f for f in known if f < at], [f for f in known if f >= at]
    if not before or not after:
        return at
    return before[-1] + 1 if early else after[0]
