"""How far and how fast five cameras went, in a video of which a pose is asked as well.

A pose tells how far the camera had come by then, and so at what pace it is carried: of five poses and five
speeds spread by themselves some go together better than others. Beside a pose the five are therefore the
ways, or speeds, of the same five cameras as in the pose: each of the five fits both questions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from fathom.questions.numeric.error_sampling import Floats
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.separation import LEVELS, rounded_up
from fathom.questions.video_candidate import OptionPlan, VideoCandidate

PER_SECOND = frozenset({"average_speed", "velocity"})
STRAIGHT = frozenset({"displacement", "velocity"})


class CameraPaces:
    """Where cameras were at the times at which they have a pose that could be asked for, and at the start."""

    def __init__(self, candidates: Iterable[VideoCandidate]) -> None:
        self._places: dict[str, dict[float, Floats]] = defaultdict(dict)
        for d in candidates:
            if d.template.asks == "pose":
                self._places[d.scene][float(d.times[0])] = np.array(d.answered.numbers[:3])
                self._places[d.scene][d.span_s[0]] = np.zeros(3)
        self._times = sorted({t for there in self._places.values() for t in there})

    def of(self, scene: str, one: VideoCandidate) -> float | None:
        """Return what a draft about a camera's way or speed asks for, of the camera of another video, from
        where it was in the frames shown; None where it has no pose in one of them.
        """
        times = self._around(one)
        places = [self._places[scene].get(t) for t in times]
        found = [p for p in places if p is not None]
        if len(found) < len(times) or len(times) < 2:
            return None
        ends = [found[0], found[-1]] if one.template.quantity in STRAIGHT else found
        way = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(ends))
        took = times[-1] - times[0]
        return way / took if one.template.quantity in PER_SECOND or len(one.times) == 1 else way

    def _around(self, one: VideoCandidate) -> list[float]:
        """Return the times of the frames that show it: those of the span, or the two around a time."""
        stated = [float(t) for t in one.times]
        if not set(stated) <= set(self._times):
            return []
        if len(stated) == 2:
            return [t for t in self._times if stated[0] <= t <= stated[1]]
        at = self._times.index(stated[0])
        return [self._times[at - 1], self._times[at + 1]] if 0 < at < len(self._times) - 1 else []


def paced_like(one: VideoCandidate, beside: Sequence[str], paces: CameraPaces) -> OptionPlan | None:
    """Return a question about a camera's way or speed among those of the cameras `beside` its own; None where
    one of these is not known, or two of the five are nearer together than could be told.
    """
    others = [paces.of(scene, one) for scene in beside]
    found = [o for o in others if o is not None]
    if len(found) < len(beside) or not found or min(found) <= 0:
        return None
    values = np.sort([one.value, *found])
    if (np.diff(values) < least_apart(one, values)).any():
        return None
    return OptionPlan(one, others=tuple((o,) for o in found))


def least_apart(one: VideoCandidate, values: Floats) -> Floats:
    """Return by how much each but the least of five sorted values is to exceed the one before it, (4,).

    It hangs on the least of the five and on how finely places are seen, whichever of the five is asked about.
    """
    if not one.known:
        return np.full(len(values) - 1, measure_of(one.setting, one.template.quantity).least)
    ends = math.sqrt(max(one.precision**2 - (one.scale * one.value) ** 2, 0.0))
    share = rounded_up(math.hypot(one.scale, ends / float(values[0])))
    return np.asarray(values[1:] * LEVELS["hard"][0] * share)
