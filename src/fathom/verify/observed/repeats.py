"""How many times the actor is seen to do something: how often it gets from how its clip begins to far off."""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed import limbs
from fathom.verify.observed.animation import ObservedAnimation, posed_at
from fathom.verify.observed.events import ObservedEvent
from fathom.verify.observed.upright import Values

FAR, NEAR = 0.65, 0.45
"""From which share of how far its clip gets the actor is far off, and up to which it is as that begins."""

MOMENTS = 25


def times_done(film: ObservedAnimation, acts: list[ObservedEvent]) -> int | None:
    """Return how many times something is done in the stretches in which it is seen; None: cannot be told.

    Only frames that were looked at count, and only what begins near and gets far.
    """
    count = 0
    for act in acts:
        far = _away(film, act)
        if far is None or far[0] > NEAR:
            return None
        out, own = False, 0
        for share in far:
            if not out and share >= FAR:
                out, own = True, own + 1
            elif out and share <= NEAR:
                out = False
        if not own:
            return None
        count += own
    return count


def _away(film: ObservedAnimation, act: ObservedEvent) -> Values | None:
    """Return how far the limbs that are followed are on average from how the clip begins, at each frame that
    was looked at, as a share of how far the clip takes them; None where too little is seen.
    """
    rep, course = film.repertoire, film.course
    rows = range(act.begins[1], act.ends[0] + 1)
    if rep is None or course is None or not rows or (course.routine[rows] < 0).any():
        return None
    kept = limbs.followed(film, rows[0], rows[-1])
    if not kept or len({int(course.routine[g]) for g in rows if g not in course.blends}) != 1:
        return None
    weights = np.stack([w for n, w in zip(rep.limbs, rep.limb_weights, strict=True) if n in kept])
    routine = rep.routines[int(course.routine[rows[0]])]
    times = np.linspace(routine.start_s, routine.end_s, MOMENTS).tolist()
    clip = [weights @ rep.posed(routine.name, t) for t in times]

    def off(place: Points) -> float:
        return float(np.linalg.norm(place - clip[0], axis=1).mean())

    farthest = max(off(p) for p in clip)
    return np.array([off(weights @ posed_at(film, g)) for g in rows]) / max(farthest, 1e-12)
