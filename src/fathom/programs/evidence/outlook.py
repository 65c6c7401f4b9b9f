"""From where one looks who sees how far something goes along the actor, and how far across it.

What one view shows of a way is its length across the line of sight. So no one view tells whether something
goes ahead or to a side: it takes one from abreast of the actor and one from ahead or behind.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.programs.evidence.conditions import Condition, clear
from fathom.programs.views.animated import QUARTERS, AnimatedView, Mask

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


SHOWS_DEG = 60.0
"""Up to how far from a side one looks who sees what is there."""


def all_sides(timeline: AnimatedView) -> list[Condition]:
    """Return the four sides of the actor, each with the cells that show it: on any there could be more."""
    return [Condition(f"its side: {q}", _from(timeline, q)) for q in QUARTERS]


def _from(timeline: AnimatedView, quarter: str) -> Mask:
    """Return the cells (V, G) that show a side of the actor, whichever way it has turned by then."""
    headings = timeline.headings_rad[timeline.visibility.frames, 0] - timeline.headings_rad[0, 0]
    off = timeline.azimuths_rad[:, None] - headings - QUARTERS.index(quarter) * math.pi / 2
    seen = np.cos(off) >= math.cos(math.radians(SHOWS_DEG)) - ROUNDING
    return np.asarray(clear(timeline, 0) & seen)
