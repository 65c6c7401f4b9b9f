"""One thing that an actor does once, twice or three times in a film, plainly each time.

A film is taken in as many parts as models are shown pairs of its frames. In a part that shows it the actor
stands as before in the first frame of the pair, and is at its farthest in the second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.programs.motion import prominences
from fathom.programs.state import HARDLY_SHOWS
from fathom.scenes.actions import BLEND, RATES, SHOWN, PlannedAction, Span, ends
from fathom.scenes.clip_motion import ClipPoses, clip_poses, rest_points, shown_share
from fathom.scenes.designs import scene_rng
from fathom.scenes.scene_at_time import Staging

TIMES = (1, 2, 3)
"""How many times it is done, each as often."""

FAR, BACK, AGAIN = 0.85, 0.5, 0.2
"""How far the actor has got in the second frame of a pair, how far off it is at most as the part ends, and
how far a second way out stands out at most: of how far it gets.
"""

REACH = 0.1
"""How far its points get on average at least, of the actor's longest side, in what is counted."""

STANDS = 0.35
"""How far they are on average at most from how it is modelled as a clip begins, of how far they get in it:
what begins in full course, as a jump out of a gallop, shows no beginning.
"""

Others = Callable[[Sequence[PlannedAction], Span], PlannedAction | None]
"""What else is done in a part of a film, from what is done so far."""


def repeated_acts(
    index: int, seed: str, asset: AnimatedAsset, clips: Sequence[AssetClip], staging: Staging, others: Others
) -> list[PlannedAction]:
    """Return what an actor does that does one thing so often; [] in other films, and where nothing can be.

    `clips` are those that can be counted, the first ones before the others.
    """
    g = scene_rng(seed, index, "repeated")
    many = int(g.choice(TIMES))
    if staging.stage != "alone" or g.random() >= staging.repeats:
        return []
    parts = list(pairwise(_cuts(staging)))
    choices = list(combinations(range(len(parts)), many))
    order = [choices[int(k)] for k in g.permutation(len(choices))]
    for clip in clips if len(parts) >= max(TIMES) else ():
        every = [_once(clip, asset, p, staging) for p in parts]
        for own in order if all(every) else ():
            acts = _with_others([every[k] if k in own else None for k in range(len(parts))], parts, others)
            if acts:
                return acts
    return []


def _with_others(
    found: Sequence[PlannedAction | None], parts: Sequence[Span], others: Others
) -> list[PlannedAction]:
    """Return the acts with others in the parts that are left; [] where there are none."""
    done = [a for a in found if a]
    acts: list[PlannedAction] = []
    for act, part in zip(found, parts, strict=True):
        here = act or others([*done, *acts], part)
        if here is None or (ends(here.clip) and part is not parts[-1]):
            return []
        acts.append(here)
    return acts


def _cuts(staging: Staging) -> list[int]:
    """Return where the parts of a film begin, each with a pair of the frames that models are shown."""
    return [*staging.sampled_frames[::2], staging.frames]


def _once(clip: AssetClip, asset: AnimatedAsset, part: Span, staging: Staging) -> PlannedAction | None:
    """Return the act that shows a clip once in a part of a film; None where none does plainly."""
    if ends(clip) or clip.cycles != 1 or clip.verb in HARDLY_SHOWS:
        return None
    shown = next(f for f in staging.sampled_frames if f > part[0]) - part[0]
    poses = clip_poses(asset, clip)
    if not _from_a_stand(asset, poses):
        return None
    for act in _ways(clip, part, staging.fps):
        times = [act.time_s(f, staging.fps) for f in range(*part)]
        points = poses.at(np.clip(times, clip.start_s, max(clip.end_s - 1e-6, clip.start_s)).tolist())
        away = np.linalg.norm(points - points[0], axis=2).mean(axis=1)
        share = shown_share(points, (0, shown))
        far = float(away.max()) >= REACH * max(asset.extents_m)
        if far and share >= SHOWN and _plain(away, shown):
            return replace(act, shown=share)
    return None


def _from_a_stand(asset: AnimatedAsset, poses: ClipPoses) -> bool:
    """Return whether a clip begins about as its actor is modelled, wherever that is."""
    first = poses.points_m[0]
    rest = rest_points(asset)
    far = np.linalg.norm(poses.points_m - first, axis=2).mean(axis=1).max()
    off = (first - first.mean(axis=0)) - (rest - rest.mean(axis=0))
    return bool(np.linalg.norm(off, axis=1).mean() <= STANDS * far)


def _ways(clip: AssetClip, part: Span, fps: float) -> Iterator[PlannedAction]:
    """Yield how a clip may play once, the likeliest rate first: it waits for so many frames before."""
    for rate in RATES:
        for wait in range(BLEND + 2):
            yield PlannedAction(clip, part, from_s=clip.start_s - wait / fps * rate, rate=rate)


def _plain(away: NDArray[np.float64], shown: int) -> bool:
    """Return whether something goes out once, by how far it is away at each frame of a part."""
    far = away / max(float(away.max()), 1e-12)
    peaks = sorted(prominences(np.array([0.0, *far, 0.0])), reverse=True)
    until = len(far) - BLEND
    return bool(far[shown] >= FAR and far[until] <= BACK and (len(peaks) < 2 or peaks[1] <= AGAIN))
