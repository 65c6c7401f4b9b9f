"""What in a film is plain enough to be spoken of."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fathom.programs.evidence.events import faint
from fathom.programs.motion import tracks
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, SceneEvent
from fathom.questions.contexts.animated_words import Language

SEEN_SHARE = 0.25
"""An action has begun for everybody once the actor is so much as far from how it began as it gets in it, and
goes on for everybody as long as it is so far from how it ends.
"""


def unclear_events(timeline: AnimatedView, language: Language) -> frozenset[SceneEvent]:
    """Return the events that one could miss, or take for something else: hardly a pixel changes, one colour
    is hard to tell from the other, or what comes looks like what has gone.
    """
    events = [h for h in timeline.happenings if h.what != ACTS]
    return frozenset(h for h in events if not _is_plain(timeline, language, h))


def _is_plain(timeline: AnimatedView, language: Language, h: SceneEvent) -> bool:
    if h.what in ("appears", "vanishes") and h.object_id in timeline.mistakable:
        return False
    if faint(timeline, h):
        return False
    if h.what != "recolours":
        return True
    part, _, color = h.detail.rpartition("=")
    course = timeline.colors[h.object_id] if h.object_id else timeline.parts.get(part or timeline.main, ())
    alike = language.close_colors if h.object_id else language.alike_colors
    return not course or frozenset((course[max(h.first - 1, 0)], color)) not in alike


def in_a_lull(timeline: AnimatedView, h: SceneEvent, steady: Collection[str] = ()) -> bool:
    """Return whether an event falls where an action has begun that hardly shows yet, or is not over but
    hardly shows any more: whether it comes before that, within it or after it is a matter of opinion.

    `steady` are the keys of actions that go on and on: who walks does so at each time.
    """
    for act in (a for a in timeline.happenings if a.what == ACTS and a.key not in steady):
        if act.first <= h.first <= act.last:
            begun, done = _seen_span(timeline, act)
            if h.first <= begun or h.first > done:
                return True
    return False


def _seen_span(timeline: AnimatedView, act: SceneEvent) -> tuple[int, int]:
    """Return the frames between which an action is plainly seen to go on; all of it where nothing is known of
    the actor's limbs.
    """
    own = list(tracks(timeline, (act.first, act.last)).values())
    ways = [[np.linalg.norm(t - t[k], axis=1) for t in own] for k in (0, -1)]
    if not own or any(np.max(w) <= 0 for w in ways):
        return act.first - 1, act.last
    begins, ends = (np.mean(w, axis=0) >= SEEN_SHARE * np.mean(w, axis=0).max() for w in ways)
    return act.first + int(np.argmax(begins)), act.last - int(np.argmax(ends[::-1]))
