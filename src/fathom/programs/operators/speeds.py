"""Every quantity that needs time: ways, speeds, accelerations, and how far the camera turned.

A body is an object (the centre of its box) or the camera (its centre of projection). Tolerances hold, besides
the share of the value and the annotation's own, how much the answer changes when only frames as far apart
as those that are shown are known: what happens in between cannot be seen.

Ref: STI-Bench §3.1 d, e, f; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.programs.operators.measuring import measured, of_bodies, windowed
from fathom.programs.operators.quantities import (
    allowed,
    angle_room,
    azimuth_deg,
    frames_in,
    known,
    thinned,
)
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType, number
from fathom.programs.views.video import CAMERA, Array, Ints, Span, VideoView


def elapsed_s(tracks: VideoView, span: Span) -> float:
    """Return the time from the first to the last frame of a span."""
    return float(tracks.times_s[span[1]] - tracks.times_s[span[0]])


def _pixel(tracks: VideoView, body: int, span: Span) -> float:
    return max(tracks.pixel_m(body, span[0]), tracks.pixel_m(body, span[1]))


def displacement(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return how far apart the places of a body at the two ends of a span are, in a straight line."""
    course = tracks.course(body)
    known(tracks, body, span[0])
    known(tracks, body, span[1])
    value = float(np.linalg.norm(course.positions_m[span[1]] - course.positions_m[span[0]]))
    sigma = math.hypot(course.sigmas_m[span[0]], course.sigmas_m[span[1]])
    return number(value, "m", allowed(tracks, value, _pixel(tracks, body, span), sigma))


def knots(places: Array, apart_m: float) -> Ints:
    """Return which of (F, 3) places are knots: the first, each that lies `apart_m` from the last knot, the
    last.

    With 0 all are. Steps shorter than the noise of an annotation would otherwise add up to a way that nobody
    went.
    """
    if apart_m <= 0:
        return np.arange(len(places))
    found = [0]
    for k in range(1, len(places)):
        if np.linalg.norm(places[k] - places[found[-1]]) >= apart_m:
            found.append(k)
    # The last stretch ends where the body is, not at one more knot: its noise is that of the ends alone.
    if found[-1] != len(places) - 1 and len(found) > 1:
        found.append(len(places) - 1)
    return np.array(found)


def way_m(places: Array) -> float:
    """Return the length of the line through (F, 3) places."""
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def path_length(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return the length of the way of a body over a span: the sum of the steps between frames.

    Of annotated tracks, between knots ten standard deviations apart.
    """
    course = tracks.course(body)
    rows = frames_in(tracks, span, body)
    places, sigmas = course.positions_m[rows], course.sigmas_m[rows]
    sigma, rules = float(np.median(sigmas)), tracks.rules
    chosen = knots(places, rules.noise_steps * sigma)
    value = way_m(places[chosen])
    shown = places[thinned(tracks, rows)]
    missed = abs(value - way_m(shown[knots(shown, rules.noise_steps * sigma)]))
    # Noise across the way makes each of n steps of length r longer by about σ²·2/r.
    inflated = 2 * sigma / rules.noise_steps * (len(chosen) - 1) if sigma else 0.0
    room = allowed(tracks, value, _pixel(tracks, body, span), math.sqrt(2) * sigma)
    return number(value, "m", room + missed + inflated)


def average_speed(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return path length ÷ time over a span."""
    way, time = path_length(tracks, body, span), elapsed_s(tracks, span)
    return number(way.numbers[0] / time, "m/s", way.tolerance[0] / time)


def velocity(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return the magnitude of the mean velocity over a span: displacement ÷ time."""
    moved, time = displacement(tracks, body, span), elapsed_s(tracks, span)
    return number(moved.numbers[0] / time, "m/s", moved.tolerance[0] / time)


def around(tracks: VideoView, frame: int, window_s: float, least: int = 1) -> Span:
    """Return the frames `window_s` before and after a frame, at least `least` of them either way.

    Raises Stop where these reach beyond the video.
    """
    time = float(tracks.times_s[frame])
    slack = tracks.period_s * 0.501
    before = int(np.argmin(np.abs(tracks.times_s - (time - window_s))))
    after = int(np.argmin(np.abs(tracks.times_s - (time + window_s))))
    first, last = min(before, frame - least), max(after, frame + least)
    short = tracks.times_s[0] > time - window_s + slack or tracks.times_s[-1] < time + window_s - slack
    if first < 0 or last >= tracks.frames or short:
        raise Unanswerable(f"{window_s:g} s before and after {time:g} s reach beyond the video")
    return first, last


def _fitting(tracks: VideoView, frame: int, window_s: float) -> float:
    """Return the window, or what fits into the video around a frame where that is less."""
    time = float(tracks.times_s[frame])
    return min(window_s, time - float(tracks.times_s[0]), float(tracks.times_s[-1]) - time)


def _speed(tracks: VideoView, body: int, frame: int, window_s: float) -> float:
    first, last = around(tracks, frame, window_s)
    known(tracks, body, first)
    known(tracks, body, last)
    places = tracks.course(body).positions_m
    return float(np.linalg.norm(places[last] - places[first])) / elapsed_s(tracks, (first, last))


def speed(tracks: VideoView, body: int, frame: int, window_s: float | None = None) -> Measured:
    """Return the instantaneous speed: the central difference over ±`window_s` (the rules' where None)."""
    rules = tracks.rules
    window = rules.speed_window_s if window_s is None else window_s
    value = _speed(tracks, body, frame, window)
    first, last = around(tracks, frame, window)
    course, time = tracks.course(body), elapsed_s(tracks, (first, last))
    sigma = math.hypot(course.sigmas_m[first], course.sigmas_m[last]) / time
    # A pixel counts over the time between frames that are shown: over less, nobody sees the motion.
    wide = max(_fitting(tracks, frame, rules.seen_step_s), window)
    missed = abs(value - _speed(tracks, body, frame, wide)) if rules.seen_step_s > 0 else 0.0
    pixel = tracks.pixel_m(body, frame) / (2 * wide)
    return number(value, "m/s", allowed(tracks, value, pixel, sigma) + missed)


def acceleration(tracks: VideoView, body: int, frame: int, window_s: float | None = None) -> Measured:
    """Return the acceleration along the way: the slope of the instantaneous speeds over ±`window_s`.

    A straight line is fitted to them by least squares. Below 0 where the body slows down; 0 in a turn at
    constant speed.
    """
    rules = tracks.rules
    window = rules.slope_window_s if window_s is None else window_s
    first, last = around(tracks, frame, window, 2)
    rows = np.arange(first, last + 1)
    speeds = np.array([_speed(tracks, body, int(f), rules.speed_window_s) for f in rows])
    times = tracks.times_s[rows] - tracks.times_s[rows].mean()
    value = float(times @ (speeds - speeds.mean()) / (times @ times))
    course = tracks.course(body)
    # Speeds whose windows overlap share their noise.
    apart = max(1.0, 2 * rules.speed_window_s / tracks.period_s)
    noise = float(np.median(course.sigmas_m[rows])) / (math.sqrt(2) * rules.speed_window_s)
    sigma = noise * math.sqrt(apart / float(times @ times))
    # Between frames that are shown, a place that is one pixel off bends the way by so much.
    pixel = tracks.pixel_m(body, frame) / max(window, 2 * rules.seen_step_s) ** 2
    room = allowed(tracks, value, pixel, sigma) + rules.share * float(speeds.mean()) / (2 * window)
    return number(value, "m/s²", room + _missed_acceleration(tracks, body, frame, window, value))


def _missed_acceleration(tracks: VideoView, body: int, frame: int, window_s: float, value: float) -> float:
    """Return how far the acceleration is from what three frames tell that are shown around that time."""
    if tracks.rules.seen_step_s <= 0:
        return 0.0
    # Speeds on either side, each over at least the time between two frames that are shown.
    half = _fitting(tracks, frame, 2 * max(window_s / 2, tracks.rules.seen_step_s)) / 2
    first, last = around(tracks, frame, 2 * half)
    places, times = tracks.course(body).positions_m, tracks.times_s
    for f in (first, frame, last):
        known(tracks, body, f)
    before = np.linalg.norm(places[frame] - places[first]) / (times[frame] - times[first])
    after = np.linalg.norm(places[last] - places[frame]) / (times[last] - times[frame])
    return abs(value - float(after - before) / (float(times[last] - times[first]) / 2))


def mean_acceleration(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return the change of the instantaneous speed from the beginning to the end of a span, ÷ its time."""
    start, end = (speed(tracks, body, f) for f in span)
    time = elapsed_s(tracks, span)
    value = (end.numbers[0] - start.numbers[0]) / time
    return number(value, "m/s²", (start.tolerance[0] + end.tolerance[0]) / time)


def azimuths_deg(tracks: VideoView, span: Span) -> Array:
    """Return the azimuths of the optical axis at all frames of a span, unwrapped, in degrees.

    Raises Stop where the camera looks straight up or down, or turns by 90° or more from a frame to the next.
    """
    rows = frames_in(tracks, span, CAMERA)
    axes = tracks.views[rows, :, 2]
    steep = np.flatnonzero(np.hypot(axes[:, 0], axes[:, 1]) < math.sin(math.radians(tracks.rules.steep_deg)))
    if len(steep):
        azimuth_deg(tracks, int(rows[steep[0]]))
    angles = np.degrees(np.unwrap(np.arctan2(axes[:, 1], axes[:, 0])))
    jump = np.abs(np.diff(angles))
    if len(jump) and jump.max() >= 90.0:
        raise Unanswerable("the camera turns so fast that it cannot be told which way")
    return np.asarray(angles)


def azimuth_change(tracks: VideoView, span: Span) -> Measured:
    """Return by how many degrees the camera turned on the ground over a span, to the left above 0.

    Turns add up: 370 is once around and 10 more.
    """
    angles = azimuths_deg(tracks, span)
    value = float(angles[-1] - angles[0])
    turned = math.hypot(tracks.view_sigmas_rad[span[0]], tracks.view_sigmas_rad[span[1]])
    level = min(float(np.hypot(*tracks.views[f, :2, 2])) for f in span)
    return number(value, "deg", angle_room(tracks, value, turned / level))


of_bodies("displacement", measured(displacement), ValueType.SPAN, "m")
of_bodies("path_length", measured(path_length), ValueType.SPAN, "m")
of_bodies("average_speed", measured(average_speed), ValueType.SPAN, "m/s")
of_bodies("velocity", measured(velocity), ValueType.SPAN, "m/s")
of_bodies("mean_acceleration", measured(mean_acceleration), ValueType.SPAN, "m/s²")
of_bodies("speed", windowed(speed), ValueType.TIME, "m/s", ("number",))
of_bodies("acceleration", windowed(acceleration), ValueType.TIME, "m/s²", ("number",))
declare(
    Operator(
        "azimuth_change", (ValueType.SPAN,), ValueType.QUANTITY, measured(azimuth_change), VIDEO, unit="deg"
    )
)
