"""What an object does, as captions tell it: not what hardly shows, and no way that it does not get along."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from fathom.geometry.poses import from_world
from fathom.programs.state import HARDLY_SHOWS
from fathom.records import Animation, SceneObject

SEEN_S = 0.5
"""Of what lasts so long one can say how often it is done."""

GOT_BACK = 0.25
"""How many of its own lengths an object has to get back in an act for captions to say that it does."""

RESTS = "idle"
"""What nobody tells of who does anything else: few keep quite still as they do."""

STIRS = "stir"
"""What is told of who does nothing but what hardly shows: it moves a little."""


@dataclass(frozen=True)
class ObservedAction:
    """One action of an object, from a time to a time; clips of the same verb in a row are one action, done so
    many times where each of them plays once. `backwards` is whether it gets back in it.
    """

    verb: str
    start_s: float
    end_s: float
    backwards: bool = False
    times: int = 1


def acts_of(obj: SceneObject, times_s: Sequence[float] = ()) -> tuple[ObservedAction, ...]:
    """Return what an object does, in order; nothing where one of its clips has no verb.

    `times_s` are those of its poses; without them nobody knows whether it gets back.
    """
    clips = sorted(obj.animations, key=lambda a: a.start_s)
    return _in_a_row((c, _gets_back(obj, c, times_s)) for c in clips) if all(c.verb for c in clips) else ()


def told_acts(obj: SceneObject, times_s: Sequence[float] = ()) -> tuple[ObservedAction, ...]:
    """Return what captions tell of it: that it rests only where that is all, and what hardly shows only where
    it does nothing else, by another name.
    """
    clips = sorted(obj.animations, key=lambda a: a.start_s)
    if not all(c.verb for c in clips):
        return ()
    plain = [c for c in clips if c.verb not in HARDLY_SHOWS]
    if plain or not clips:
        plain = [c for c in plain if c.verb != RESTS] or plain
        return _in_a_row((c, _gets_back(obj, c, times_s)) for c in plain)
    return (ObservedAction(STIRS, clips[0].start_s, clips[-1].end_s),)


def _in_a_row(clips: Iterable[tuple[Animation, bool]]) -> tuple[ObservedAction, ...]:
    found = []
    for (verb, backwards), some in groupby(clips, key=lambda c: (c[0].verb, c[1])):
        row = [clip for clip, _ in some]
        times = len(row) if all(map(_plays_once, row)) else 1
        found.append(ObservedAction(verb, row[0].start_s, row[-1].end_s, backwards, times))
    return tuple(found)


def _plays_once(clip: Animation) -> bool:
    """Return whether a clip is played once, and long enough for anybody to see it."""
    return not clip.loop and clip.end_s - clip.start_s >= SEEN_S


def _gets_back(obj: SceneObject, clip: Animation, times_s: Sequence[float]) -> bool:
    """Return whether an object gets back where a clip plays in reverse: it is somewhere else afterwards."""
    if clip.rate >= 0 or len(obj.poses) != len(times_s):
        return False
    within = [
        p for p, t in zip(obj.poses, times_s, strict=True) if clip.start_s <= t < clip.end_s and p.valid
    ]
    if len(within) < 2:
        return False
    ahead, left = from_world(within[0], np.asarray([within[-1].position_m]))[0][:2]
    return float(-ahead) >= max(GOT_BACK * max(obj.size_m[:2]), abs(float(left)))
