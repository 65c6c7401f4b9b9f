"""What an actor does in a film: which clips one after the other, where they take it, and how each plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from fathom.assets.animated.lexicon import Lexicon, read_lexicon
from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.programs.state import HARDLY_SHOWS, LEAPS
from fathom.scenes.actions import SHOWN, WAYS, PlannedAction, Span, ends, played, shown_clips
from fathom.scenes.clip_motion import clip_poses
from fathom.scenes.counterfactuals import Twist
from fathom.scenes.courses import fits, gets_along, speed_mps
from fathom.scenes.designs import design_of, scene_rng
from fathom.scenes.repeated_acts import repeated_acts
from fathom.scenes.scene_at_time import Staging

LEFT = 0.2
"""How far who falls may still be from how they lie in the end, of the way there, in the last frame that is
shown.
"""

LEAST_LEAP = 0.1
"""How far off the ground who jumps is in a frame that is shown, at least, of its longest side."""

FALLS = 0.5
"""How often an actor that can fall may do so in a story at all."""


def planned_acts(
    index: int,
    seed: str,
    asset: AnimatedAsset,
    kind: str,
    twist: Twist | None,
    cuts: Sequence[int],
    staging: Staging,
) -> tuple[PlannedAction, ...]:
    """Return what the actor does: different things, in any order; among props it stands up in no time when it
    has fallen, alone it stays down.

    Things that could be said of the same clip are not different: they follow one another in no film.
    What takes it forward does so. Where its ways are too long for a picture in which it is large, the cameras
    go along with it: it stays where it is. Only what goes backwards does so in any case, and slides.
    """
    backwards = twist is not None and twist.backwards
    planner = _Planner(
        asset,
        _pool(index, seed, asset, twist),
        backwards,
        _way(index, seed, kind, twist, staging),
        staging,
    )
    countable = [
        c for c in planner.pool if c.verb in _lexicon().by_key and _lexicon().by_key[c.verb].countable
    ]
    repeats = () if backwards else repeated_acts(index, seed, asset, countable, staging, planner.other)
    acts = list(repeats)
    for span in () if repeats else pairwise(cuts):
        if acts and acts[-1].span[1] >= span[1]:
            break
        act = planner.other(acts, span)
        if act is not None:
            acts.append(act)
        elif acts:
            acts[-1] = _as_long(acts[-1], asset, span[1], staging)
    if backwards or fits(acts, asset, staging.fps):
        return tuple(acts)
    return tuple(replace(a, way="") for a in acts)


@dataclass(frozen=True, eq=False)
class _Planner:
    """What acts of a film are taken from: the clips, whether they play backwards, and which way it goes."""

    asset: AnimatedAsset
    pool: list[AssetClip]
    backwards: bool
    way: str
    staging: Staging

    def other(self, done: Sequence[PlannedAction], span: Span) -> PlannedAction | None:
        """Return what is done in a span besides what is done already; None where nothing else shows."""
        fresh = [c for c in self.pool if not any(_alike(doing(c), doing(a.clip)) for a in done)]
        if self.backwards:
            fresh = sorted(
                (c for c in fresh if gets_along(self.asset, c)), key=lambda c: speed_mps(self.asset, c)
            )
        if self.way and not done:
            fresh = sorted(fresh, key=lambda c: not gets_along(self.asset, c))
        last = span[1] == self.staging.frames
        if not span[0] and not last:
            # Who lies on the ground stands up in no time where something follows.
            fresh = sorted(fresh, key=lambda c: _is_final(c, self.staging))
        clips = fresh or ([] if done else self.pool[:1])
        act = _first_shown(clips, self.asset, span, self.way or "forward", self.staging, last)
        return act if act is not None and (act.shown >= SHOWN or not done) else None


def _way(index: int, seed: str, kind: str, twist: Twist | None, staging: Staging) -> str:
    """Return which way what gets along goes; "" for straight ahead, as where nothing is said of it."""
    if twist is not None and twist.backwards:
        return "backward"
    turns = float(scene_rng(seed, index, "travels").random()) < design_of(kind, staging).travels
    return WAYS[int(scene_rng(seed, index, "way").integers(len(WAYS)))] if turns else ""


def doing(clip: AssetClip) -> str:
    """Return what is done in a clip: its verb, or else its name."""
    return clip.verb or clip.name


def _alike(one: str, other: str) -> bool:
    """Return whether two things that are done are the same to who sees them."""
    verb = _lexicon().by_key.get(one)
    return one == other or (verb is not None and other in verb.alike)


@cache
def _lexicon() -> Lexicon:
    return read_lexicon()


def _pool(index: int, seed: str, asset: AnimatedAsset, twist: Twist | None) -> list[AssetClip]:
    """Return the clips that a film may show, the first ones before the others."""
    clips = shown_clips(asset)
    g = scene_rng(seed, index, "clips")
    pool = [clips[int(k)] for k in g.permutation(len(clips))]
    # Few would say of who flinches that it does so, and of who idles that it does anything.
    pool.sort(key=lambda c: 2 * doing(c).startswith("idle") + (doing(c) in HARDLY_SHOWS))
    if (twist is not None and twist.attached[0]) or g.random() >= FALLS:
        # Lying on what is fixed to it, the actor would hide it.
        pool = [c for c in pool if not ends(c)] or pool
    return pool


def _first_shown(
    clips: Sequence[AssetClip], asset: AnimatedAsset, span: Span, way: str, staging: Staging, last: bool
) -> PlannedAction | None:
    """Return the first of some clips of whose motion enough is shown; none: that of which most is."""
    best: PlannedAction | None = None
    for clip in clips:
        own = way if gets_along(asset, clip) else ""
        until = staging.frames if span[0] and _is_final(clip, staging) else span[1]
        act = PlannedAction(clip, (span[0], until), own, own == "backward")
        act = _best(act, asset, staging, last or until == staging.frames)
        if act.shown >= SHOWN:
            return act
        best = act if best is None or act.shown > best.shown else best
    return best


def _best(act: PlannedAction, asset: AnimatedAsset, staging: Staging, last: bool) -> PlannedAction:
    """Return how an act plays: at the likeliest rate at which enough of it is shown and its way fits."""
    ways = list(_ways(act, asset, staging, last))
    good = [w for w in ways if w.shown >= SHOWN]
    room = [w for w in good if fits([w], asset, staging.fps)]
    return (room or good or sorted(ways, key=lambda w: -w.shown))[0]


def _ways(act: PlannedAction, asset: AnimatedAsset, staging: Staging, last: bool) -> Iterator[PlannedAction]:
    for played_so in played(act, asset, staging.fps, staging.sampled_frames, last):
        plain = _is_over(played_so, asset, staging) and _is_seen_aloft(played_so, asset, staging)
        way = played_so if plain else replace(played_so, shown=0.0)
        yield way
        if way.shown >= SHOWN and fits([way], asset, staging.fps):
            return


def _is_final(clip: AssetClip, staging: Staging) -> bool:
    """Return whether nothing follows a clip in a film: of an object alone, what ends in a fall."""
    return staging.stage == "alone" and ends(clip)


def _is_over(act: PlannedAction, asset: AnimatedAsset, staging: Staging) -> bool:
    """Return whether who falls for good lies about as they do in the end in the last frame of it that is
    shown; of all else nothing is asked.
    """
    if not _is_final(act.clip, staging):
        return True
    shown = max((f for f in staging.sampled_frames if act.span[0] <= f < act.span[1]), default=act.span[0])
    at = min(act.time_s(shown, staging.fps), act.clip.end_s)
    first, there, end = clip_poses(asset, act.clip).at([act.from_s, at, act.clip.end_s])
    left, whole = (float(np.linalg.norm(p - end, axis=1).mean()) for p in (there, first))
    return left <= LEFT * whole


def _is_seen_aloft(act: PlannedAction, asset: AnimatedAsset, staging: Staging) -> bool:
    """Return whether who jumps is plainly off the ground in a frame that is shown; of all else nothing is
    asked.
    """
    if act.clip.verb not in LEAPS:
        return True
    poses = clip_poses(asset, act.clip)
    low = poses.points_m[..., 2].min()
    times = [
        min(act.time_s(f, staging.fps), act.clip.end_s)
        for f in staging.sampled_frames
        if act.span[0] <= f < act.span[1]
    ]
    highest = (
        max((float(p[:, 2].min()) for p in poses.at(times)), default=float(low)) if times else float(low)
    )
    return highest - float(low) >= LEAST_LEAP * max(asset.extents_m)


def _as_long(act: PlannedAction, asset: AnimatedAsset, until: int, staging: Staging) -> PlannedAction:
    """Return an act that goes on until a frame."""
    longer = replace(act, span=(act.span[0], until), shown=0.0)
    return _best(longer, asset, staging, until == staging.frames)
