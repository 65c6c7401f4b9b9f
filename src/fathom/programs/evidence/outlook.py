"""From where one looks who sees how far something goes along the actor, and how far across it.

What one view shows of a way is its length across the line of sight. So no one view tells whether something
goes ahead or to a side: it takes one from abreast of the actor and one from ahead or behind.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.programs.views.animated import AnimatedView, Mask

OUTLOOKS = ("from abreast", "from ahead or behind")

ROUNDING = 1e-4
"""What the cosine of an angle may be off: where cameras stand is rounded."""

SQUARE_DEG = 30.0
"""How far from straight abreast, or from straight ahead, one may stand: nowhere is one both."""


def outlook(timeline: AnimatedView, which: str) -> Mask:
    """Return the cells (V, G) whose camera stands abreast of the actor, or ahead of it or behind it, then."""
    headings = timeline.headings_rad[timeline.visibility.frames, 0] - timeline.headings_rad[0, 0]
    off = timeline.azimuths_rad[:, None] - headings
    along = np.abs(np.cos(off) if which == OUTLOOKS[1] else np.sin(off))
    return np.asarray(along >= math.cos(math.radians(SQUARE_DEG)) - ROUNDING)
