"""Ways, speeds, accelerations and turns of the camera, in the second derivation.

A quantity of a thing is computed on each of the ways that the frames shown allow; where these differ by more
than the tolerance, nothing is decided. The camera's own way is exact at every frame.

docs/benchmarks/sti-bench-definitions.md says what is meant, sti-bench-proof.md how far it may be off.
"""

from __future__ import annotations

import numpy as np

from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.quantities import SHARE, azimuth_deg, pixel_deg
from fathom.verify.registry import VIDEO, bare, declare, measure
from fathom.verify.undecided import NoAnswer
from fathom.verify.values import SPREAD, DerivedAnswer, Span, divided, number

SPEED_S, SLOPE_S = 0.1, 0.5
BETWEEN_S = 0.35
"""The time between two frames that are shown: a pixel counts over so much, since over less nothing is
seen.
"""


def elapsed_s(video: ObservedVideo, span: Span) -> float:
    """Return the time between the ends of a span."""
    return float(video.times_s[span[1]] - video.times_s[span[0]])


def _ends_pixel(video: ObservedVideo, body: int, span: Span) -> float:
    return max(video.pixel_m(body, f) for f in span)


def _drift(video: ObservedVideo, body: int, span: Span) -> float:
    """Return how far the difference of a body's places at two frames may be off: nothing while it stands
    still.
    """
    ends = video.ways(body, np.array(span))[0]
    return (
        0.0 if float(np.linalg.norm(ends[1] - ends[0])) < 1e-5 else min(2 * video.course(body).unsure_m, 2e-4)
    )


def displacement(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return how far a body is at the end of a span from where it was at its beginning."""
    ends = video.ways(body, np.array(span))
    far = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return number(
        far.tolist(), "m", max(SHARE * far[0], _ends_pixel(video, body, span)), _drift(video, body, span)
    )


def path_length(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return the length of a body's way over all frames of a span."""
    ways = video.ways(body, np.arange(span[0], span[1] + 1))
    lengths = np.linalg.norm(np.diff(ways, axis=1), axis=2).sum(axis=1)
    room = max(SHARE * lengths[0], _ends_pixel(video, body, span))
    return number(lengths.tolist(), "m", room, _drift(video, body, span))


def average_speed(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return the way over a span ÷ its time."""
    return divided(path_length(video, body, span), elapsed_s(video, span))


def velocity(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return the displacement over a span ÷ its time."""
    return divided(displacement(video, body, span), elapsed_s(video, span))


def _reaching(video: ObservedVideo, frame: int, window_s: float, least: int = 1) -> Span:
    """Return the frames nearest to so much before and after a frame. Raises NoAnswer beyond the video."""
    times, slack = video.times_s, 0.501 * video.period_s
    before, after = times[frame] - window_s, times[frame] + window_s
    if before < times[0] - slack or after > times[-1] + slack:
        raise NoAnswer
    first = min(int(np.abs(times - before).argmin()), frame - least)
    last = max(int(np.abs(times - after).argmin()), frame + least)
    if first < 0 or last >= len(times):
        raise NoAnswer
    return first, last


def _speeds(video: ObservedVideo, body: int, frame: int, window_s: float) -> tuple[Array, float]:
    """Return (K,) how fast a body is at a frame on each way, and how unsure that is."""
    span = _reaching(video, frame, window_s)
    ends = video.ways(body, np.array(span))
    moved = (ends[:, 1] - ends[:, 0]) / elapsed_s(video, span)
    # Two ways may be as fast and go elsewhere: what counts is how far their steps differ.
    unsure = SPREAD * float(np.linalg.norm(moved - moved[0], axis=1).max())
    return np.linalg.norm(moved, axis=1), unsure


def speed(video: ObservedVideo, body: int, frame: int, window_s: float = SPEED_S) -> DerivedAnswer:
    """Return how fast a body is at a frame, over so much before and after it."""
    found, unsure = _speeds(video, body, frame, window_s)
    pixel = video.pixel_m(body, frame) / (2 * max(window_s, BETWEEN_S))
    return number([found[0]], "m/s", max(SHARE * found[0], pixel), unsure)


def acceleration(video: ObservedVideo, body: int, frame: int, window_s: float = SLOPE_S) -> DerivedAnswer:
    """Return the slope of the line that fits best the speeds at all frames around one."""
    first, last = _reaching(video, frame, window_s, 2)
    rows = np.arange(first, last + 1)
    found = [_speeds(video, body, int(f), SPEED_S) for f in rows]
    speeds = np.stack([values for values, _ in found], axis=1)
    slopes = np.polyfit(video.times_s[rows] - video.times_s[frame], speeds.T, 1)[0]
    pixel = video.pixel_m(body, frame) / max(window_s, 2 * BETWEEN_S) ** 2
    room = max(SHARE * abs(slopes[0]), pixel) + SHARE * float(speeds[0].mean()) / (2 * window_s)
    return number(slopes.tolist(), "m/s²", room, (found[0][1] + found[-1][1]) / (2 * window_s))


def mean_acceleration(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return by how much the speed grows over a span ÷ its time."""
    start, end = (speed(video, body, f) for f in span)
    lasts = elapsed_s(video, span)
    room, unsure = ((getattr(start, k)[0] + getattr(end, k)[0]) / lasts for k in ("rooms", "unsure"))
    return number([(end.numbers[0] - start.numbers[0]) / lasts], "m/s²", room, unsure)


def azimuths_deg(video: ObservedVideo, span: Span) -> Array:
    """Return where the optical axis points on the ground at all frames of a span, without jumps."""
    angles = np.unwrap([azimuth_deg(video, f) for f in range(span[0], span[1] + 1)], period=360.0)
    if len(angles) > 1 and float(np.abs(np.diff(angles)).max()) >= 90.0:
        raise NoAnswer
    return np.asarray(angles)


def azimuth_change(video: ObservedVideo, span: Span) -> DerivedAnswer:
    """Return by how many degrees the camera turned on the ground over a span, above 0 to the left."""
    angles = azimuths_deg(video, span)
    value = float(angles[-1] - angles[0])
    return number([value], "deg", max(SHARE * abs(value), pixel_deg(video)))


declare(
    VIDEO,
    {
        "displacement": measure(displacement),
        "path_length": measure(path_length),
        "average_speed": measure(average_speed),
        "velocity": measure(velocity),
        "speed": lambda attempt, inputs, args: speed(attempt.observed, *map(bare, inputs), *map(float, args)),
        "acceleration": lambda attempt, inputs, args: acceleration(
            attempt.observed, *map(bare, inputs), *map(float, args)
        ),
        "mean_acceleration": measure(mean_acceleration),
        "azimuth_change": measure(azimuth_change),
    },
)
