"""Which frames of a video, and which of many views, are shown: arithmetic on counts alone.

Every rule takes the number of frames there are and the number wanted, and returns indices that are in range,
in order, and different from each other. Where fewer are there than wanted, all of them are shown.

floor-step       steps of ⌊n/k⌋ from the first frame on; the last frames, up to nearly half, are never shown
with-tail        the same, and the last frame in addition: k + 1 frames
linspace         from the first frame to the last, evenly, rounded down
segment-centre   the video in k equal segments, and of each the frame in its middle
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from fathom.records import InputError, Media

Rule = Literal["floor-step", "with-tail", "linspace", "segment-centre"]

_FLOAT_SLACK = 1e-6
"""So that 2.0 s at 29.97 frames a second is not one frame short for a rounding error."""


def floor_step(n: int, k: int) -> tuple[int, ...]:
    """Return 0, s, 2s, … with s = ⌊n/k⌋, k of them; all frames where n < k."""
    if n < k:
        return tuple(range(n))
    return tuple(i * (n // k) for i in range(k))


def with_tail(n: int, k: int) -> tuple[int, ...]:
    """Return the frames of floor_step, and the last one where it is not among them."""
    frames = floor_step(n, k)
    return frames if not n or frames[-1] == n - 1 else (*frames, n - 1)


def linspace(n: int, k: int) -> tuple[int, ...]:
    """Return k frames evenly from the first to the last, rounded down; the first alone where k is 1."""
    if n < k:
        return tuple(range(n))
    return tuple(np.linspace(0, n - 1, k).astype(int).tolist())


def segment_centre(n: int, k: int) -> tuple[int, ...]:
    """Return ⌊g/2⌋ + round(g·i) for i < k, with g = (n − 1)/k; all frames where n ≤ k.

    Halves are rounded to the even neighbour, as numpy does. For n = k the formula would name one frame twice
    and leave out another.
    """
    if n <= k:
        return tuple(range(n))
    length = (n - 1) / k
    return tuple(int(length / 2) + round(length * i) for i in range(k))


RULES: Mapping[Rule, Callable[[int, int], tuple[int, ...]]] = {
    "floor-step": floor_step,
    "with-tail": with_tail,
    "linspace": linspace,
    "segment-centre": segment_centre,
}


def sample(n: int, k: int, rule: Rule) -> tuple[int, ...]:
    """Return the frames that a rule picks of n. Raises InputError where none are there or none are wanted."""
    if n < 1 or k < 1:
        raise InputError(
            f"sampling {k} of {n} frames: expected at least one of each; import the dataset again where a "
            "video has no frames, or ask for more"
        )
    return RULES[rule](n, k)


def per_second(n: int, fps: float, rate: float, most: int = 0) -> tuple[int, ...]:
    """Return the frames at 0, 1/rate, 2/rate … seconds; more than `most` (0: any number) are thinned evenly.

    Raises InputError where the video does not say how many frames it has a second.
    """
    if n < 1 or fps <= 0 or rate <= 0:
        raise InputError(
            f"sampling {rate} frames a second of {n} at {fps} a second: expected positive numbers; import "
            "the dataset again with a reader of videos, or sample by number"
        )
    step = max(1.0, fps / rate)
    count = int((n - 1) / step + _FLOAT_SLACK) + 1
    frames = [min(int(i * step + _FLOAT_SLACK), n - 1) for i in range(count)]
    kept = linspace(len(frames), most) if most else range(len(frames))
    return tuple(frames[i] for i in kept)


def span_of(media: Media, span_s: tuple[float, float] | None, closed: bool = False) -> range:
    """Return the frames of a video within a span of seconds: from ⌊start·fps⌋ on, before ⌊end·fps⌋.

    `closed` takes the span from frame to frame, the one at its end included, as questions of built videos
    mean it, whose times are those of frames. The whole video where there is no span. A span that is too short
    for a frame, or lies beyond the video's end, is the one frame that is nearest. Raises InputError where the
    video's length is not known.
    """
    if media.frames < 1:
        raise InputError(
            f"media {media.id!r}: expected the number of its frames, found {media.frames}; import the "
            "dataset again with the extra `video` installed"
        )
    if span_s is None:
        return range(media.frames)
    if media.fps <= 0:
        raise InputError(
            f"media {media.id!r}: has no frames a second, so that a span of seconds cannot be found in it; "
            "import the dataset again with the extra `video` installed, or show the whole video"
        )
    first, stop = (int(max(0.0, t) * media.fps + (0.5 if closed else _FLOAT_SLACK)) for t in span_s)
    stop += closed
    first = min(first, media.frames - 1)
    return range(first, min(max(stop, first + 1), media.frames))


def spread(available: int, wanted: int) -> tuple[int, ...]:
    """Return which of `available` views around an object are shown: `wanted` of them, evenly spread.

    The views stand in a ring, so that the last is next to the first: steps of available/wanted, rounded down.
    """
    if available < 1 or wanted < 1:
        raise InputError(f"choosing {wanted} of {available} views: expected at least one of each")
    if available <= wanted:
        return tuple(range(available))
    return tuple(i * available // wanted for i in range(wanted))
