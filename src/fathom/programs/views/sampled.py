"""A film as somebody knows it who is shown some of its frames: in between everything goes straight on."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.once import once
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView

Floats = NDArray[np.float64]

ON_ITS_WAY = 4
"""So many frames after it began an action can be seen to go on, since who falls stands as it begins; and so
many before the next one begins it is seen to go on for the last time, since the pose turns to that one.
"""


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
def bordered(timeline: AnimatedView, frames: tuple[int, ...], late: bool) -> AnimatedView:
    """Return a film each of whose actions gives way to the next one as early, or as `late`, as can be for all
    that some frames show: just after the last of them that shows it plainly, or just before the first one
    that shows the next action on its way.
    """
    found = list(timeline.happenings)
    acts = [k for k, h in enumerate(found) if h.what == ACTS]
    for one, other in pairwise(acts):
        begins = found[other].first
        before = max((f for f in frames if f <= begins - ON_ITS_WAY), default=begins - 1)
        after = min((f for f in frames if f >= begins + ON_ITS_WAY), default=begins)
        begins = after if late else before + 1
        found[one] = replace(found[one], last=max(found[one].first, begins - 1))
        found[other] = replace(found[other], first=min(begins, found[other].last))
    return replace(timeline, happenings=tuple(sorted(found, key=lambda h: (h.first, h.last, h.key))))
