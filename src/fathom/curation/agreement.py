"""How well motion found in pixels agrees with the motion that the animation gives.

True motion is the mean displacement of the vertices over a step, in sizes of the object. Both are cut into
segments by the same rules, and compared step by step, segment by segment and by whether the object is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fathom.curation.motion import MOTION, Floats, Motion, MotionSegment, MotionSettings, Steps, segments_of
from fathom.english import rounded
from fathom.records import InputError
from fathom.records.scene import Record
from fathom.stats.intervals import accuracy_interval

LEAST_SPEED = 0.005
"""From how many of its sizes a second on, in the mean over its vertices, an object truly moves."""

LEAST_OVERLAP = 0.5
"""What two segments have in common, as a share of what they cover together, that are one and the same."""


class Agreement(Record, frozen=True, kw_only=True):
    """Precision and recall of one kind of finding, with intervals clustered by asset.

    `found` counts what the pixels say, `true` what the animation gives; None where there is nothing to
    divide by.
    """

    what: str
    found: int
    true: int
    precision: float | None
    recall: float | None
    precision_low: float | None = None
    precision_high: float | None = None
    recall_low: float | None = None
    recall_high: float | None = None


class Compared(NamedTuple):
    """One object: the motion found, the true displacement of each step (in sizes), and its asset."""

    asset: str
    motion: Motion
    true_steps: Floats


def displacements(positions: Iterable[NDArray[np.floating]], size: float) -> Floats:
    """Return the mean displacement of the vertices over each step, in units of `size`.

    `positions` are (n, 3), one array a frame, of the same vertices in the same order. Raises InputError
    where their number changes, they are not finite, or the size is not positive.
    """
    if not size > 0:
        raise InputError(
            f"true motion: expected a size above 0, found {size}; leave out an object without one"
        )
    steps: list[float] = []
    before: NDArray[np.floating] | None = None
    for frame, now in enumerate(positions):
        if not np.isfinite(now).all() or (before is not None and now.shape != before.shape):
            raise InputError(
                f"true motion: expected the same finite vertices in each frame, found {now.shape} at frame "
                f"{frame}; fix the animation"
            )
        if before is not None:
            steps.append(float(np.linalg.norm(now - before, axis=1).mean()) / size if len(now) else 0.0)
        before = now
    return np.array(steps)


def true_segments(
    steps: Floats,
    fps: float,
    settings: MotionSettings = MOTION,
    least_speed: float = LEAST_SPEED,
) -> tuple[MotionSegment, ...]:
    """Return when an object truly moves, under the rules by which found motion is cut into segments."""
    return segments_of(np.asarray(steps) * fps >= least_speed, fps, settings)


def agreement(
    objects: Iterable[Compared],
    settings: MotionSettings = MOTION,
    least_speed: float = LEAST_SPEED,
) -> tuple[Agreement, ...]:
    """Return how found motion agrees with the true one: of steps, segments, and objects kept.

    Raises InputError where an object's two motions differ in their number of steps.
    """
    counts = _Counts(), _Counts(), _Counts()
    steps, segments, kept = counts
    for asset, motion, true_steps in objects:
        if len(true_steps) != motion.frames - 1:
            raise InputError(
                f"{asset}: expected true motion over {motion.frames - 1} steps, found {len(true_steps)}; "
                "compare the same frames"
            )
        truth = true_segments(true_steps, motion.fps, settings, least_speed)
        found_steps = _in_segments(motion.segments, motion.fps, len(true_steps))
        wanted_steps = _in_segments(truth, motion.fps, len(true_steps))
        steps.add(asset, found_steps[wanted_steps], wanted_steps[found_steps])
        pairs = matched(motion.segments, truth)
        segments.add(
            asset,
            np.isin(np.arange(len(truth)), [t for _, t in pairs]),
            np.isin(np.arange(len(motion.segments)), [f for f, _ in pairs]),
        )
        moves = motion.moving_s >= settings.least_moving_s
        truly = sum(s.end_s - s.start_s for s in truth) >= settings.least_moving_s
        kept.add(asset, np.array([moves] if truly else [], bool), np.array([truly] if moves else [], bool))
    names = "steps that move", "segments", "objects that move"
    return tuple(c.agreement(name) for c, name in zip(counts, names, strict=True))


class _Counts:
    """Hits among what is true and among what was found, with the asset of each."""

    def __init__(self) -> None:
        self.recalled: list[float] = []
        self.right: list[float] = []
        self.recalled_of: list[str] = []
        self.right_of: list[str] = []

    def add(self, asset: str, recalled: Steps, right: Steps) -> None:
        self.recalled += recalled.astype(float).tolist()
        self.right += right.astype(float).tolist()
        self.recalled_of += [asset] * len(recalled)
        self.right_of += [asset] * len(right)

    def agreement(self, what: str) -> Agreement:
        precision = accuracy_interval(self.right, self.right_of) if self.right else None
        recall = accuracy_interval(self.recalled, self.recalled_of) if self.recalled else None
        return Agreement(
            what=what,
            found=len(self.right),
            true=len(self.recalled),
            precision=precision.value if precision else None,
            recall=recall.value if recall else None,
            precision_low=precision.low if precision else None,
            precision_high=precision.high if precision else None,
            recall_low=recall.low if recall else None,
            recall_high=recall.high if recall else None,
        )


def matched(found: Sequence[MotionSegment], true: Sequence[MotionSegment]) -> list[tuple[int, int]]:
    """Return the pairs (found, true) that are one and the same, each in one pair, the best overlap first."""
    overlaps = [(_overlap(f, t), i, j) for i, f in enumerate(found) for j, t in enumerate(true)]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, key=lambda o: (-o[0], o[1], o[2])):
        if overlap >= LEAST_OVERLAP and all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _overlap(a: MotionSegment, b: MotionSegment) -> float:
    common = min(a.end_s, b.end_s) - max(a.start_s, b.start_s)
    return round(max(0.0, common) / (max(a.end_s, b.end_s) - min(a.start_s, b.start_s)), 4)


def _in_segments(segments: Sequence[MotionSegment], fps: float, steps: int) -> Steps:
    """Return which steps lie in a segment, (steps,)."""
    inside = np.zeros(steps, np.bool_)
    for segment in segments:
        inside[round(segment.start_s * fps) : round(segment.end_s * fps)] = True
    return inside


def agreement_rows(agreements: Iterable[Agreement]) -> list[tuple[str, ...]]:
    """Return the table as rows of text, its heading first: shares in per cent with their intervals."""
    rows: list[tuple[str, ...]] = [("", "found", "true", "precision, %", "recall, %")]
    for a in agreements:
        precision = _percent(a.precision, a.precision_low, a.precision_high)
        recall = _percent(a.recall, a.recall_low, a.recall_high)
        rows.append((a.what, f"{a.found:,}", f"{a.true:,}", precision, recall))
    return rows


def _percent(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None:
        return "–"
    return f"{rounded(100 * value)} ({rounded(100 * low)}–{rounded(100 * high)})"
