"""When what grows on an actor comes or goes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from fathom.assets.props.catalogue import BACK, CHEST, LEFT_SIDE, RIGHT_SIDE
from fathom.records import Event, SceneObject
from fathom.scenes.actions import PlannedAction
from fathom.scenes.growths import GROWN
from fathom.scenes.scene_at_time import Staging

MOST_CHANGES, MOST_GO = 4, 2
"""So many come and go in a film at most, and so many of them go."""

OPPOSITE = {LEFT_SIDE: RIGHT_SIDE, RIGHT_SIDE: LEFT_SIDE, CHEST: BACK, BACK: CHEST}
"""Places that no one view shows together."""

CHANGE_AFTER = {"appears": (4, 5, 3), "vanishes": (4, 5)}
"""So many frames after one that models are shown something sprouts, or has withered, the likeliest first."""


def come_and_gone(
    objects: Sequence[SceneObject], acts: Sequence[PlannedAction], staging: Staging, g: np.random.Generator
) -> tuple[SceneObject, ...]:
    """Return a film's objects with what becomes of those that grow in a color of their own.

    Each comes or goes between two frames that models are shown, no two between the same, none where an act
    begins; one is always left.
    """
    colors = [o.attributes.get("color", "") for o in objects if o.id.startswith(GROWN)]
    own = [k for k, o in enumerate(objects) if o.id.startswith(GROWN)]
    own = [k for k in own if colors.count(objects[k].attributes["color"]) == 1]
    begins = [a.span[0] for a in acts[1:]]
    shown = staging.sampled_frames
    many = min(len(own), MOST_CHANGES)
    come = int(g.integers(max(many - MOST_GO, 1), many + 1)) if many else 0
    whats = ["appears"] * come + ["vanishes"] * (many - come)
    whats = [whats[int(k)] for k in g.permutation(len(whats))]
    found: list[tuple[int, str]] = []
    gaps = [(shown[int(k)], shown[int(k) + 1]) for k in g.permutation(len(shown) - 1)]
    # What comes between two shown frames between which an act begins as well comes before it or after it.
    for gap, _ in sorted(gaps, key=lambda gap: any(gap[0] < b <= gap[1] for b in begins)):
        what = whats[0] if whats else ""
        frames = [gap + after for after in CHANGE_AFTER.get(what, ())]
        frames = [f for f in frames if all(abs(f - b) >= staging.change_apart for b in begins)]
        if frames and len(colors) - len(found) > (what == "vanishes"):
            found.append((frames[0], whats.pop(0)))
    return _happening(objects, [own[int(k)] for k in g.permutation(len(own))], sorted(found), staging.fps)


def _happening(
    objects: Sequence[SceneObject], free: list[int], changes: Sequence[tuple[int, str]], fps: float
) -> tuple[SceneObject, ...]:
    """Return the objects of which some come or go, the next one on the other side where that can be."""
    out, before = list(objects), ""
    for frame, what in changes:
        places = {k: objects[k].attributes["worn_on"] for k in free}
        k = max(
            free,
            key=lambda k: (places[k] == OPPOSITE.get(before), places[k] in OPPOSITE, places[k] != before),
        )
        free.remove(k)
        before, at = places[k], round(frame / fps, 9)
        out[k] = msgspec.structs.replace(out[k], events=(Event(what=what, start_s=at, end_s=at, detail=""),))
    return tuple(out)
