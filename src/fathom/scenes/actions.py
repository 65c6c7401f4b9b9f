"""What an actor does in a film: clips one after the other, and where it goes meanwhile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.model import Points
from fathom.geometry.poses import yaw_quaternion
from fathom.records import Animation, Pose
from fathom.scenes.animated_assets import hovers, unit_m
from fathom.scenes.attachments import rounded

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
FARTHEST = 0.7
"""How far an actor gets in one act at most, in units: the cameras have to hold all of it."""


@dataclass(frozen=True)
class PlannedAction:
    """A clip in a span of frames, its way ("" where the actor stays), and whether it plays backwards."""

    clip: AssetClip
    span: Span
    way: str = ""
    backwards: bool = False


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


def speed_m(asset: AnimatedAsset, clip: AssetClip) -> float:
    """Return how fast the ground passes under an actor's feet, metres a second; hovering ones have a speed.

    The feet that are down move back at the speed at which the actor would go forward.
    """
    unit = unit_m(asset)
    if hovers(asset):
        return 0.45 * unit
    p = _samples(asset, clip.name, clip.start_s, clip.end_s)
    step = (clip.end_s - clip.start_s) / (SAMPLES - 1)
    low = p[:, :, 2].min()
    down = (p[:-1, :, 2] < low + 0.06 * unit) & (p[1:, :, 2] < low + 0.06 * unit)
    back = -(p[1:, :, 0] - p[:-1, :, 0])[down] / step
    return float(np.clip(np.median(back) if len(back) else 0.0, 0.25 * unit, 0.6 * unit))


def animation_of(act: PlannedAction, asset: AnimatedAsset, fps: float) -> Animation:
    """Return how the act's clip plays: short ones again and again, long ones where most happens in them."""
    clip = act.clip
    start, end = act.span[0] / fps, act.span[1] / fps
    room, length = end - start, clip.end_s - clip.start_s
    rate, begins, loop = 1.0, clip.start_s, False
    if clip.loops and length <= 1.5 * room:
        loop = True
    elif clip.loops:
        begins = _busiest(asset, clip, room)
    elif length > room:
        rate = min(length / room, 1.5)
        begins = _busiest(asset, clip, room * rate) if length > room * 1.5 else clip.start_s
    elif length < 0.7 * room:
        rate = max(length / room, 0.6)
    if act.backwards:
        begins = begins if loop else min(begins + room * rate, clip.end_s)
        rate = -rate
    return Animation(
        clip=clip.name, start_s=round(start, 9), end_s=round(end, 9), from_s=round(begins, 6),
        rate=round(rate, 6), loop=loop, verb=clip.verb,
    )  # fmt: skip


def _busiest(asset: AnimatedAsset, clip: AssetClip, room_s: float) -> float:
    """Return when the stretch of that length begins in which a clip moves most."""
    length = clip.end_s - clip.start_s
    p = _samples(asset, clip.name, clip.start_s, clip.end_s)
    path = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=2).mean(axis=1))])
    times = np.linspace(0.0, length, SAMPLES)
    starts = np.linspace(0.0, max(length - room_s, 0.0), 9)
    moved = np.interp(starts + room_s, times, path) - np.interp(starts, times, path)
    return float(clip.start_s + starts[int(np.argmax(moved))])


def poses_of(
    acts: Sequence[PlannedAction],
    asset: AnimatedAsset,
    frames: int,
    fps: float,
    height_m: float,
    turn_rad: float,
) -> tuple[Pose, ...]:
    """Return where the actor stands, one pose for all frames where it stays, else one a frame.

    It begins over the origin with heading 0; `turn_rad` is how far it comes round going left or right.
    """
    if not any(a.way for a in acts):
        return (rounded(np.array([0.0, 0.0, height_m]), (1.0, 0.0, 0.0, 0.0)),)
    x = y = heading = 0.0
    poses = []
    for frame in range(frames):
        poses.append(rounded(np.array([x, y, height_m]), yaw_quaternion(heading)))
        act = next((a for a in acts if a.span[0] <= frame < a.span[1]), None)
        if act is None or not act.way:
            continue
        count = act.span[1] - act.span[0]
        far = min(speed_m(asset, act.clip) * count / fps, FARTHEST * unit_m(asset))
        step = far / count
        if act.way in ("left", "right"):
            heading += math.copysign(turn_rad / count, 1.0 if act.way == "left" else -1.0)
        sign = -1.0 if act.way == "backward" else 1.0
        x, y = x + sign * step * math.cos(heading), y + sign * step * math.sin(heading)
    return tuple(poses)
