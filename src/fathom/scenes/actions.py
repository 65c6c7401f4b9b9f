"""What an actor does in a film: clips one after the other, how each of them plays, and which are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.model import Points
from fathom.geometry.rigid import best_rotation
from fathom.programs.state import LEAPS
from fathom.records import Animation
from fathom.scenes.animated_assets import unit_m
from fathom.scenes.clip_motion import clip_poses, shown_share

Span = tuple[int, int]
"""The first frame of an act, and the first one after it."""

GOING = (
    "walk", "run", "gallop", "trot", "jog", "swim", "fly", "crawl", "slither", "drive", "hop",
    "stroll", "charge", "sneak", "march",
)  # fmt: skip
"""How verbs begin whose doer can be somewhere else afterwards."""

STILL = 0.04
"""A clip none of whose points gets further than this share of the actor's unit is not shown."""

FLAT, ALONG = 0.4, 0.3
"""A clip is not shown of whose actor, from its front, less than this share is left in its last part."""

WAYS = ("forward", "backward", "left", "right")
SAMPLES = 13

BLEND = 4
"""In so many steps, from frame to frame, one clip goes over to the next: the frames between show both."""

RATES = (1.0, 0.9, 1.1, 0.8, 1.2, 0.7, 1.3, 0.6)
"""How fast a clip may play, the likeliest first."""

PHASES, STARTS = 8, 9
"""At so many moments a clip that repeats may begin, and one that is longer than its act."""

ASKEW_DEG = 25.0
"""An act begins where its actor is turned by no more than so much: it is seen from its front at first."""

GETS_AWAY = {**dict.fromkeys(LEAPS, 2), "lunge": 0}
"""Actions that begin on the ground, or behind: along which axis of its frame an actor gets away in them."""

AWAY = 0.4
"""From which share of its way on it is away."""

SHOWN = 0.6
"""Of what moves in an act, the frames that models are shown must show this share."""


@dataclass(frozen=True)
class PlannedAction:
    """A clip in a span of frames, its way ("" where the actor stays), and whether it plays backwards.

    from_s, rate, loop : how it plays, as an `Animation` has it
    shown : the share of its motion that the frames show that models are shown
    """

    clip: AssetClip
    span: Span
    way: str = ""
    backwards: bool = False
    from_s: float = 0.0
    rate: float = 1.0
    loop: bool = False
    shown: float = 0.0

    def time_s(self, frame: float, fps: float) -> float:
        """Return the time of the clip at a frame, which may lie beyond its ends where it repeats."""
        return self.from_s + (frame - self.span[0]) / fps * self.rate


@lru_cache(maxsize=4096)
def _samples(asset: AnimatedAsset, clip: str, start_s: float, end_s: float) -> Points:
    """Return (SAMPLES, n, 3) positions of at most 400 vertices over a stretch of a clip."""
    frames = [
        np.concatenate([p.vertices for p in asset.model_at(clip, float(t)).parts])
        for t in np.linspace(start_s, end_s, SAMPLES)
    ]
    step = max(1, len(frames[0]) // 400)
    return np.stack([f[::step] for f in frames])


def motion(asset: AnimatedAsset, clip: AssetClip) -> float:
    """Return how far any point of an actor gets from where it begins, in the actor's unit."""
    if clip.end_s - clip.start_s < 1e-3:
        return 0.0
    p = _samples(asset, clip.name, clip.start_s, clip.end_s)
    return float(np.linalg.norm(p - p[0], axis=2).max()) / unit_m(asset)


@lru_cache(maxsize=128)
def shown_clips(asset: AnimatedAsset) -> tuple[AssetClip, ...]:
    """Return the clips that can be told: they move enough, and somebody has said what is done in them."""
    named = [c for c in asset.clips if c.verb]
    moving = [c for c in named or list(asset.clips) if motion(asset, c) >= STILL]
    left = [breadth(asset, c.name, c.start_s, c.end_s) for c in moving]
    whole = [c for c, b in zip(moving, left, strict=True) if b >= FLAT * float(np.median(left))]
    return tuple(whole) or tuple(named) or tuple(asset.clips)


@lru_cache(maxsize=4096)
def breadth(asset: AnimatedAsset, clip: str, start_s: float, end_s: float) -> float:
    """Return the area in m² of the box around an actor, seen from its front, as a stretch of a clip ends."""
    p = _samples(asset, clip, start_s, end_s)[int((1 - ALONG) * SAMPLES) :, :, 1:]
    low, high = np.percentile(p, (2, 98), axis=1)
    return float((high - low).prod(axis=1).mean())


def goes(clip: AssetClip) -> bool:
    """Return whether an actor can get somewhere with a clip."""
    return clip.verb.lower().startswith(GOING)


def ends(clip: AssetClip) -> bool:
    """Return whether nothing can follow a clip: the actor lies there."""
    said = f"{clip.verb} {clip.name}".lower()
    return any(word in said for word in ("death", "die", "fall", "collapse", "turn_over"))


def played(
    act: PlannedAction, asset: AnimatedAsset, fps: float, shown: Sequence[int], last: bool = True
) -> Iterator[PlannedAction]:
    """Yield how an act's clip may play, the likeliest rate first, each time from where most of it is shown.

    Short clips repeat. Of long ones some stretch plays, of others all; `shown` are the frames of the film
    that models are shown, and an act that is not the `last` one ends before the next one begins.
    """
    clip, poses = act.clip, clip_poses(asset, act.clip)
    frames = range(act.span[0], act.span[1] - (0 if last else BLEND - 1))
    seen = [k for k, f in enumerate(frames) if f in shown]
    room, length = (act.span[1] - act.span[0]) / fps, clip.end_s - clip.start_s
    loop = clip.loops and length <= 1.5 * room
    for rate in RATES:
        best = act
        for begins in _begins(act, asset, loop, room * rate):
            sign = -1.0 if act.backwards else 1.0
            from_s = min(begins + room * rate, clip.end_s) if act.backwards and not loop else begins
            tried = replace(act, from_s=from_s, rate=sign * rate, loop=loop)
            share = shown_share(poses.at([tried.time_s(f, fps) for f in frames]), seen)
            best = replace(tried, shown=share) if share > best.shown + 1e-6 else best
        yield best


def _begins(act: PlannedAction, asset: AnimatedAsset, loop: bool, room_s: float) -> list[float]:
    """Return when in a clip an act may begin that lasts `room_s` of its time; not where it is turned away, or
    in the air, or far ahead, already: who is first seen there comes back, and nobody saw it jump or lunge.
    """
    clip = act.clip
    length, over = clip.end_s - clip.start_s, max(clip.end_s - clip.start_s - room_s, 0.0)
    shares = np.arange(PHASES) / PHASES * length if loop else np.linspace(0.0, over, STARTS if over else 1)
    first, *later = (clip.start_s + shares).tolist()
    found = [first, *(t for t in later if _turned_deg(asset, clip, t) <= ASKEW_DEG)]
    at_first = [t for t in found if clip.verb not in GETS_AWAY or not _is_away(asset, clip, t)]
    return at_first or found


@lru_cache(maxsize=4096)
def _is_away(asset: AnimatedAsset, clip: AssetClip, time_s: float) -> bool:
    """Return whether the middle of an actor is plainly higher at a time of a jump than at its lowest, or
    farther ahead at a time of a lunge.
    """
    poses, axis = clip_poses(asset, clip), GETS_AWAY[clip.verb]
    course = poses.points_m.mean(axis=1)[:, axis]
    low, high = float(course.min()), float(course.max())
    return float(poses.at([time_s])[0].mean(axis=0)[axis]) > low + AWAY * (high - low)


@lru_cache(maxsize=4096)
def _turned_deg(asset: AnimatedAsset, clip: AssetClip, time_s: float) -> float:
    """Return by what angle the whole is turned at a time of a clip, since the clip began."""
    one, other = clip_poses(asset, clip).at([clip.start_s, time_s])
    cosine = (float(np.trace(best_rotation(one, other))) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def animation_of(act: PlannedAction, fps: float, last: bool = True) -> Animation:
    """Return the record of an act: all but the last end before the next one begins, so that nothing is done
    while one clip goes over to it.
    """
    end = act.span[1] - (0 if last else BLEND - 1)
    return Animation(
        clip=act.clip.name, start_s=round(act.span[0] / fps, 9), end_s=round(end / fps, 9),
        from_s=round(act.from_s, 6), rate=round(act.rate, 6), loop=act.loop, verb=act.clip.verb,
        blend_s=round(BLEND / fps, 9) if act.span[0] else 0.0,
    )  # fmt: skip
