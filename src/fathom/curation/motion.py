"""When an object moves, by the change of pixels from frame to frame.

A step is what lies between two frames that follow one another. A step moves where enough of the object's
pixels change over it, or, so that slow motion is found as well, over every longer stretch that holds it. The
second rule keeps the bounds exact: a step before motion begins has such a stretch that lies wholly in rest.

Ref: 4D-Bench §3.3.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fathom.curation.pixels import Mask, Picture, Small, covered, differing, reduced
from fathom.records import InputError
from fathom.records.scene import Record

Floats = NDArray[np.float64]
Steps = NDArray[np.bool_]


class MotionSettings(Record, frozen=True, kw_only=True):
    """What counts as motion.

    A step moves in a view where enough of the object's pixels have changed.

    longest_px : longer side of the copy of a frame that is looked at, which an encoder's noise hardly reaches
    level : a pixel has changed where a channel differs by more than this, of 255
    least_share : share of the object's pixels that change where it moves, at least
    least_px : number of pixels that change where it moves, at least
    least_views : in how many views a step moves, at least
    lag_s : slow motion is looked for over so many seconds
    join_s : rests shorter than this do not part two segments
    least_segment_s : segments shorter than this do not count
    least_moving_s : an object with less motion than this is static
    """

    longest_px: int = 128
    level: float = 20.0
    least_share: float = 0.004
    least_px: int = 4
    least_views: int = 1
    lag_s: float = 0.34
    join_s: float = 0.25
    least_segment_s: float = 0.24
    least_moving_s: float = 0.3


MOTION = MotionSettings()


class MotionSegment(Record, frozen=True, kw_only=True):
    """A stretch of time in which the object moves, in seconds of the film."""

    start_s: float
    end_s: float


class Motion(Record, frozen=True, kw_only=True):
    """When an object moves; `change` is, step by step, the largest share of its pixels that changed."""

    fps: float
    frames: int
    segments: tuple[MotionSegment, ...]
    change: tuple[float, ...]

    @property
    def moving_s(self) -> float:
        """For how long it moves."""
        return sum(s.end_s - s.start_s for s in self.segments)


class ChangeStretch(NamedTuple):
    """What changed from frame `first` to frame `last` in one view: the share of the object's pixels."""

    first: int
    last: int
    share: float


class PixelChange(NamedTuple):
    """What changed in one view: over each step, and over each longer stretch that was compared."""

    steps: tuple[float, ...]
    stretches: tuple[ChangeStretch, ...]


def find_motion(views: Iterable[Iterable[Picture]], fps: float, settings: MotionSettings = MOTION) -> Motion:
    """Return when the object moves in films of it from several views, one frame in memory at a time.

    Raises InputError where there is no view, or views differ in their number of frames.
    """
    return joined([view_change(frames, fps, settings) for frames in views], fps, settings)


def view_change(frames: Iterable[Picture], fps: float, settings: MotionSettings = MOTION) -> PixelChange:
    """Return what changes in one view. Raises InputError where its frames differ in size."""
    if not fps > 0:
        raise InputError(
            f"a film to be looked at: expected more than 0 frames a second, found {fps}; give fps"
        )
    lag = max(1, round(settings.lag_s * fps))
    recent: deque[_Frame] = deque(maxlen=lag)
    steps: list[float] = []
    stretches: list[ChangeStretch] = []
    number = -1
    for number, frame in enumerate(frames):
        small = reduced(frame, settings.longest_px)
        now = _Frame(small, covered(small))
        if recent:
            steps.append(_share(recent[-1], now, settings.level, settings))
            stretches.append(_stretch(recent[0], now, number - len(recent), number, lag, settings))
        recent.append(now)
    # At both ends there are shorter stretches as well, or a change near an end could not be told from rest.
    kept = [*recent]
    stretches += [
        _stretch(kept[-1 - back], kept[-1], number - back, number, lag, settings)
        for back in range(1, min(lag, len(kept)))
    ]
    return PixelChange(tuple(steps), tuple(stretches))


class _Frame(NamedTuple):
    small: Small
    where: Mask


def _stretch(
    a: _Frame, b: _Frame, first: int, last: int, lag: int, settings: MotionSettings
) -> ChangeStretch:
    """Return what changes over a stretch; over a shorter one than `lag`, less has to."""
    return ChangeStretch(first, last, _share(a, b, settings.level * min(1.0, (last - first) / lag), settings))


def _share(before: _Frame, after: _Frame, level: float, settings: MotionSettings) -> float:
    """Return the share of the object's pixels that changed, 0 where they are too few to count."""
    (a, in_a), (b, in_b) = before, after
    if a.shape != b.shape:
        raise InputError(
            f"a film to be looked at: expected frames of one size, found {a.shape[1]} × {a.shape[0]} and "
            f"{b.shape[1]} × {b.shape[0]} after reduction; render them alike"
        )
    object_px = int((in_a | in_b).sum())
    changed_px = int((differing(a, b, level) & (in_a | in_b)).sum())
    return changed_px / object_px if changed_px >= max(1, settings.least_px) else 0.0


def joined(changes: Sequence[PixelChange], fps: float, settings: MotionSettings = MOTION) -> Motion:
    """Return when the object moves, from what changes in each view. Raises what `find_motion` raises."""
    counts = {len(change.steps) for change in changes}
    if len(counts) != 1:
        raise InputError(
            "films of one object: expected views with the same number of frames, found "
            f"{sorted(n + 1 for n in counts) or 'no view'}; render them again"
        )
    moving = np.array([_moving(change, settings.least_share) for change in changes])
    votes = moving.sum(axis=0) >= min(settings.least_views, len(changes))
    return Motion(
        fps=fps,
        frames=counts.pop() + 1,
        segments=segments_of(votes, fps, settings),
        change=tuple(np.array([c.steps for c in changes]).max(axis=0).round(5).tolist()),
    )


def _moving(change: PixelChange, least: float) -> Steps:
    """Return which steps move, (steps,)."""
    quick = np.array(change.steps) >= least
    held = np.ones(len(quick), np.bool_)
    for first, last, share in change.stretches:
        held[first:last] &= share >= least
    return np.asarray(quick | held)


def segments_of(moving: Steps, fps: float, settings: MotionSettings = MOTION) -> tuple[MotionSegment, ...]:
    """Return the stretches of moving steps, short rests closed first and then short stretches left out."""
    runs = [[int(a), int(b)] for a, b in runs_of(moving)]
    together: list[list[int]] = []
    for run in runs:
        if together and (run[0] - together[-1][1]) / fps < settings.join_s:
            together[-1][1] = run[1]
        else:
            together.append(run)
    return tuple(
        MotionSegment(start_s=round(a / fps, 6), end_s=round(b / fps, 6))
        for a, b in together
        if (b - a) / fps >= settings.least_segment_s
    )


def runs_of(flags: Steps) -> NDArray[np.intp]:
    """Return the (k, 2) runs of true values: the first, and the one after the last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)


def static_reason(motion: Motion, settings: MotionSettings = MOTION) -> str:
    """Return why an object counts as static, "" where it moves."""
    if motion.moving_s >= settings.least_moving_s:
        return ""
    return (
        f"does not move: {motion.moving_s:.2f} s of motion in {motion.frames / motion.fps:.2f} s, at least "
        f"{settings.least_moving_s:.2f} s asked for"
    )
