"""Where one clip of an actor goes over to the next: frames that neither fits, but something between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.verify.observed.motion_library import MotionClip, MotionLibrary
from fathom.verify.observed.upright import UprightPose, Values, upright_fit

STEPS = 4
"""In so many frames of the film one clip goes over to the next, evenly."""

SHARES = (0.25, 0.5, 0.75)
"""How much of the way may lie behind at a frame looked at."""

NEARER = (0.5, 0.25, 0.25, 0.12, 0.06, 0.03)
"""By which parts of the time between two looks a blend is shifted while it comes to fit better."""

CLOSE = 5e-4
"""What leaves no more over than this share of the size fits: a body that spins does so at many times."""

FITS, BETTER = 0.02, 0.7
"""What lies between two clips leaves over this share of the actor's size, and of what either leaves."""


@dataclass(frozen=True)
class Blend:
    """At a frame looked at the actor has gone `share` of the way from one routine to another.

    one_s, other_s : the times of both that it is between
    yaw, shift_m, rms_m : how its own frame lies in the world then, and what the fit leaves over
    """

    one: int
    one_s: float
    other: int
    other_s: float
    share: float
    yaw: float
    shift_m: Points
    rms_m: float


def wound(routine: MotionClip, time_s: float) -> float:
    """Return the time of a routine that is shown for one beyond its ends: wound round, or stopped there."""
    length = routine.end_s - routine.start_s
    if routine.loops and length > 0:
        return routine.start_s + (time_s - routine.start_s) % length
    return min(max(time_s, routine.start_s), routine.end_s)


def pose_between(repertoire: MotionLibrary, b: Blend, ahead_s: float, frames: float, share: float) -> Points:
    """Return (n, 3) the actor's vertices so many frames after a blend was seen, at another share of the way.

    `ahead_s` is how much of either routine's time passes in a frame of the film.
    """
    one, other = repertoire.routines[b.one], repertoire.routines[b.other]
    at = wound(one, b.one_s + frames * ahead_s), wound(other, b.other_s + frames * ahead_s)
    if share <= 0.0 or share >= 1.0:
        return repertoire.posed(one.name, at[0]) if share <= 0.0 else repertoire.posed(other.name, at[1])
    return repertoire.mixed(one.name, at[0], other.name, at[1], share)


def blends_of(
    repertoire: MotionLibrary,
    routine: Sequence[int],
    time_s: Values,
    rms_m: Values,
    step_s: float,
    points: tuple[NDArray[np.int32], NDArray[np.float64], Points],
) -> dict[int, Blend]:
    """Return the frames looked at, by index, at which the actor is between two routines.

    `points` are (G, k, 3) corners, their weights, and (G, k, 3) where the points are seen.
    """
    found: dict[int, Blend] = {}
    for at in range(1, len(routine) - 1):
        before, after = routine[at - 1], routine[at + 1]
        if before == after or at - 1 in found:
            continue
        pace = [_paced(repertoire, routine, time_s, g, step_s) for g in (at - 2, at + 1)]
        ends = (before, time_s[at - 1] + pace[0], after, time_s[at + 1] - pace[1])
        best = min((_blend(repertoire, ends, s, points, at) for s in SHARES), key=lambda b: b.rms_m)
        if best.rms_m <= min(FITS * repertoire.size_m, BETTER * float(rms_m[at])):
            found[at] = _closer(repertoire, best, step_s, points, at)
    return found


def _paced(repertoire: MotionLibrary, routine: Sequence[int], time_s: Values, g: int, step_s: float) -> float:
    """Return how much of a routine's time passes from one frame looked at to the next where it goes on."""
    if not 0 <= g < len(routine) - 1 or routine[g] != routine[g + 1]:
        return step_s
    r, passed = repertoire.routines[routine[g]], float(time_s[g + 1] - time_s[g])
    ways = [passed, passed + r.end_s - r.start_s, passed - r.end_s + r.start_s] if r.loops else [passed]
    return min(ways, key=lambda way: abs(abs(way) - step_s))


def _closer(
    repertoire: MotionLibrary,
    b: Blend,
    step_s: float,
    points: tuple[NDArray[np.int32], NDArray[np.float64], Points],
    at: int,
) -> Blend:
    """Return a blend at the times of both routines, near those that were expected, that leave least over.

    What goes there and back looks the same on either way, so that its pace is not known for sure.
    """
    for part in NEARER:
        if b.rms_m <= CLOSE * repertoire.size_m:
            break
        for one, other in ((part, 0.0), (-part, 0.0), (0.0, part), (0.0, -part)):
            ends = (b.one, b.one_s + one * step_s, b.other, b.other_s + other * step_s)
            b = min((b, _blend(repertoire, ends, b.share, points, at)), key=lambda found: found.rms_m)
    return b


def _blend(
    repertoire: MotionLibrary,
    ends: tuple[int, float, int, float],
    share: float,
    points: tuple[NDArray[np.int32], NDArray[np.float64], Points],
    at: int,
) -> Blend:
    one, other = repertoire.routines[ends[0]], repertoire.routines[ends[2]]
    one_s, other_s = wound(one, float(ends[1])), wound(other, float(ends[3]))
    vertices = repertoire.mixed(one.name, one_s, other.name, other_s, share)
    corners, weights, world = (p[at] for p in points)
    fit: UprightPose = upright_fit(np.einsum("kc,kcx->kx", weights, vertices[corners]), world)
    return Blend(ends[0], one_s, ends[2], other_s, share, float(fit.yaw), fit.shift_m, float(fit.rms_m))
