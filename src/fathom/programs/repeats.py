"""How many times the actor does something: how often it gets far from how an action begins, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.programs import motion
from fathom.programs.motion import MeasuredMotion, prominences
from fathom.programs.views.animated import AnimatedView, Mask, SceneEvent

COUNTS, TOLERANCE = 0.5, 0.2
"""How far a way out stands out that counts for one, of how far the actor gets; and off that by how much."""

NEAR = 0.4
"""Up to which share of how far it gets the actor is about as it was."""


@dataclass(frozen=True, eq=False)
class WayOut:
    """The frames (F,) that show once that something is done: before it, and when the actor is farthest."""

    before: Mask
    far: Mask


def away(timeline: AnimatedView, h: SceneEvent) -> np.ndarray:
    """Return (frames of the action,) how far limbs are on average from how it begins, of how far they get."""
    own = [np.linalg.norm(t - t[0], axis=1) for t in motion.tracks(timeline, (h.first, h.last)).values()]
    if not own:
        return np.zeros(h.frames)
    far = np.mean(own, axis=0)
    return np.asarray(far / max(float(far.max()), 1e-12))


def times_done(timeline: AnimatedView, events: Sequence[SceneEvent], verb: str) -> MeasuredMotion:
    """Return how many times something is done: ways out that stand out, in all actions of the verb.

    An action need not be back as it ends, and one in which no way out stands out is no answer.
    """
    count, room = 0, 2.0
    for h in (h for h in events if h.key == verb):
        shares = sorted(prominences(np.array([0.0, *away(timeline, h), 0.0])), reverse=True)
        own = [s for s in shares if s >= COUNTS]
        if not own:
            return MeasuredMotion("", relation="times")
        count += len(own)
        room = min(room, *(abs(s - COUNTS) / TOLERANCE for s in shares))
    return MeasuredMotion(str(count), room, "times", room * TOLERANCE, "share")


def ways_out(timeline: AnimatedView, h: SceneEvent) -> tuple[WayOut, ...]:
    """Return what shows each way out of an action, in order."""
    far, found, since = away(timeline, h), [], 0
    seen = far >= timeline.rules.swing_seen
    edges = np.flatnonzero(np.diff(np.concatenate([[0], seen.astype(int), [0]])))
    for first, after in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        near = far[since:first] <= NEAR
        if not near.any():
            continue
        before, there = (np.zeros(timeline.frames, dtype=bool) for _ in range(2))
        before[h.first + since : h.first + first] = near
        there[h.first + first : h.first + after] = True
        found.append(WayOut(before, there))
        since = after
    return tuple(found)
