"""What relation words mean by the published rules, judged from pixels.

There is one threshold a word, and nothing in between: within a band about it the evidence cannot decide.

Ref: docs/second-derivation.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fathom.verify.observed.still import Holds, ObservedStill, Truth3, turn

METRES, DEGREES, PIXELS = 0.03, 0.75, 3
"""Within how much of a threshold the evidence cannot decide."""

EPS_M = 0.2
HIDDEN_PX = 15


def _above(value: float, threshold: float, band: float) -> Truth3:
    return None if abs(value - threshold) <= band else value > threshold


@dataclass(frozen=True)
class PublishedJudge:
    """The judge of the rules `paper`."""

    decides = False
    """Whether what lies between yes and no is left open by the rules, and not by weak evidence."""

    def related(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is left of, right of, in front of or behind i for the viewer."""
        turned = math.radians(49.0 if word in ("left", "right") else 139.0)
        sign = 1 if word in ("right", "behind") else -1
        x, y, *_ = still.scene.directions.get(word) or (sign * math.cos(turned), sign * math.sin(turned))
        (xi, yi), (xj, yj) = still.place(i), still.place(j)
        return _above((xj - xi) * x + (yj - yi) * y, EPS_M, METRES)

    def own(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is on that side of i, as i itself faces."""
        (xi, yi), (xj, yj) = still.place(i), still.place(j)
        around = math.atan2(yj - yi, xj - xi) - still.heading(i)
        centre = {"front": 0.0, "left": math.pi / 2, "behind": math.pi, "right": -math.pi / 2}[word]
        return _above(math.hypot(xj - xi, yj - yi) * math.cos(turn(around, centre)), EPS_M, METRES)

    def facing(self, still: ObservedStill, i: int, word: str) -> Truth3:
        """Return whether object i faces that way."""
        seen = math.radians(140.0) - still.heading(i)
        centre = {"back": 0.0, "right": math.pi / 2, "front": math.pi, "left": -math.pi / 2}[word]
        return _above(30.0 - math.degrees(turn(seen, centre)), 0.0, DEGREES)

    def turned(self, still: ObservedStill, i: int, j: int, word: str, holds: Holds) -> Truth3:
        """Return whether j faces the same or the opposite way as i, or at a right angle to it."""
        if not any(holds(self.facing(still, i, w)) for w in ("front", "back", "left", "right")):
            return False
        off = math.degrees(turn(still.heading(i), still.heading(j)))
        low, high = {"same": (-1.0, 45.0), "opposite": (135.0, 181.0), "vertical": (45.0, 135.0)}[word]
        parts = (_above(off, low, DEGREES), _above(high, off, DEGREES))
        return False if False in parts else None if None in parts else True

    def hides(self, still: ObservedStill, i: int, j: int) -> Truth3:
        """Return whether j hides part of i, or all of it: only the one that hides most of it can."""
        w = still.observations[i]
        if not w.seen_px[j] or j != w.seen_px.index(max(w.seen_px)):
            return False
        if not w.visible_px:
            return True
        if w.visible_px <= PIXELS:
            return None
        return _above(min(w.amodal_px - w.visible_px, w.visible_px), HIDDEN_PX, PIXELS)

    def met(self, still: ObservedStill, i: int, word: str, what: str) -> dict[int, Truth3]:
        """Return of each object whether i meets it on its way: first, or (`path`, `hit`) at all."""
        ways = {j: still.way_m(i, j, word, rays=False) for j in still.everything - {i}}
        nearest = min(ways.values(), default=math.inf)
        return {j: math.isfinite(w) and (what != "first" or w == nearest) for j, w in ways.items()}
