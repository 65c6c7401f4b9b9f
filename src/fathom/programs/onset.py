"""Which limb sets out first: when each is first plainly elsewhere than it was."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fathom.programs.limb_motion import own_track
from fathom.programs.limb_positions import named_limbs
from fathom.programs.motion import MeasuredMotion
from fathom.programs.views.animated import AnimatedView, Moment

SET_OUT = (0.025, 0.035, 0.05)
"""How far from where it was a limb is that has set out: shares of the actor's size that must say the same."""


def onsets(timeline: AnimatedView, moment: Moment, share: float) -> Mapping[str, int]:
    """Return the first frame of a moment at which each limb is so far from where it was, earliest first; none
    of those that never are.
    """
    out = {}
    for name in named_limbs(timeline):
        track = own_track(timeline, moment, name)
        off = np.zeros(1) if track is None else np.linalg.norm(track - track[0], axis=1)
        if off.max() >= share:
            out[name] = moment[0] + int(np.argmax(off >= share))
    return dict(sorted(out.items(), key=lambda item: item[1]))


def limb_onset(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return the limb that sets out first, by as many frames as it is ahead of the next one."""
    found = [onsets(timeline, moment, share) for share in SET_OUT]
    if any(len(f) < 2 for f in found) or len({next(iter(f)) for f in found}) > 1:
        return MeasuredMotion("", relation="sets out first")
    # Whoever looks for large motions sees the first late, whoever looks for small ones the next early.
    first, late = next(iter(found[0])), next(iter(found[-1].values()))
    gap = float(min(f for n, f in found[0].items() if n != first) - late)
    return MeasuredMotion(first, gap / timeline.rules.time_frames, "sets out first", gap, "frames")
