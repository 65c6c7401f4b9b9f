"""Trajectories in the second derivation: which legs, turns and stops a body's way is made of.

Each is told once more with every threshold a tenth lower and a tenth higher, and on each way that the frames
shown allow: where that gives other words, nothing is decided.

docs/benchmarks/sti-bench-definitions.md says what the words mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.once import once
from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.operators.relations import level_view
from fathom.verify.operators.speeds import azimuths_deg
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Span, number, together

WIDE_S, NARROW_S = 0.35, 0.1
RATE_DPS, TURN_DEG, STOP_S = 4.0, 15.0, 1.0
BACK_DEG = 135.0
THRESHOLDS = (1.0, 0.9, 1.1)
WAYS = (("left", "right"), ("backward", "forward"), ("down", "up"))


@dataclass(frozen=True)
class ObservedTrajectory:
    """The pieces of a way: the form of each, its metres, degrees and seconds, and how fast it is gone."""

    form: tuple[str, ...]
    metres: tuple[float, ...]
    angles: tuple[float, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Way:
    """A body's way at all frames of a span: times (n,), places (n, 3), metres gone (n,), directions (n,) in
    degrees without jumps; the first frame, and the factor of all thresholds.
    """

    times: Array
    places: Array
    gone: Array
    directions: Array
    first: int
    factor: float

    def rate(self, values: Array, window_s: float) -> Array:
        """Return (n,) how quickly something changes around each frame."""
        before, after = _around(self.times, window_s)
        return np.asarray((values[after] - values[before]) / (self.times[after] - self.times[before]))


Piece = tuple[str, int, int, float]
"""What a piece is, from where to where it lasts, and by how many degrees it turns."""


def trajectory(video: ObservedVideo, body: int, span: Span) -> DerivedAnswer:
    """Return a trajectory: its form and the numbers in it."""
    pieces = _all_told(video, body, span)
    parts: list[DerivedAnswer] = []
    for k, part in enumerate(pieces[0].form):
        kind, _, way = part.partition(":")
        pace = pieces[0].metres[k] / max(pieces[0].seconds[k], 1e-9)
        metres, angles, seconds = (
            [getattr(p, what)[k] for p in pieces] for what in ("metres", "angles", "seconds")
        )
        if kind == "stop":
            parts.append(number(seconds, "s", WIDE_S))
        if kind in ("left", "right"):
            parts.append(number(angles, "deg", 1.0 + 0.02 * angles[0]))
        if kind != "stop" and way != "spot":
            parts.append(number(metres, "m", 0.01 * metres[0] + pace * WIDE_S / 2))
    whole = together(parts)
    return DerivedAnswer("number", "", whole.numbers, whole.units, whole.rooms, whole.unsure, pieces[0].form)


def told(video: ObservedVideo, body: int, span: Span) -> ObservedTrajectory:
    """Return the pieces of a body's way over a span. Raises InsufficientEvidence where they hang on a
    threshold.
    """
    return _all_told(video, body, span)[0]


@once
def _every_telling(video: ObservedVideo, body: int, span: Span) -> list[ObservedTrajectory]:
    return list(_tellings(video, body, span))


def _all_told(video: ObservedVideo, body: int, span: Span) -> list[ObservedTrajectory]:
    found = _every_telling(video, body, span)
    if len({t.form for t in found}) > 1:
        raise InsufficientEvidence
    return found


def _tellings(video: ObservedVideo, body: int, span: Span) -> Iterator[ObservedTrajectory]:
    rows = np.arange(span[0], span[1] + 1)
    times = video.times_s[rows]
    if times[-1] - times[0] < 2 * WIDE_S:
        raise NoAnswer
    for factor in THRESHOLDS:
        for places in video.ways(body, rows):
            steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
            gone = np.concatenate([[0.0], np.cumsum(steps)])
            turned = azimuths_deg(video, span) if body == CAMERA else _courses_deg(video, times, places)
            way = _Way(times, places, gone, turned, span[0], factor)
            yield _named(video, body, way, _pieces(video, way))


def _around(times: Array, window_s: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return (n,) the first and the last frame within a window to either side of each, and of a film of few
    frames a second at least its neighbours.
    """
    wide = max(window_s, float(np.diff(times).max())) + 1e-6
    return np.searchsorted(times, times - wide), np.searchsorted(times, times + wide) - 1


def _courses_deg(video: ObservedVideo, times: Array, places: Array) -> Array:
    """Return (n,) in which direction on the ground an object goes; while it stands, as it went before."""
    before, after = _around(times, NARROW_S)
    step = places[after, :2] - places[before, :2]
    goes = np.hypot(*step.T) >= 0.5 * video.scale.still_mps * (times[after] - times[before])
    if not goes.any():
        return np.zeros(len(times))
    angles = np.unwrap(np.degrees(np.arctan2(step[goes, 1], step[goes, 0])), period=360.0)
    if len(angles) > 1 and float(np.abs(np.diff(angles)).max()) > 0.9 * BACK_DEG:
        raise InsufficientEvidence
    last = np.maximum(np.cumsum(goes) - 1, 0)
    return np.asarray(angles[last])


def _pieces(video: ObservedVideo, way: _Way) -> list[Piece]:
    """Return the pieces in order, each from one place to another: turns, and legs and stops between them."""
    out: list[Piece] = []
    at = 0
    for kind, a, b, angle in _turns(way):
        a = max(a, at)
        if b > a:
            out += [*_between(video, way, at, a), (kind, a, b, angle)]
            at = b
    return _worth_telling(video, way, [*out, *_between(video, way, at, len(way.times) - 1)])


def _turns(way: _Way) -> Iterator[Piece]:
    """Yield the turns: stretches that turn one way, with short pauses, by enough."""
    rates = way.rate(way.directions, WIDE_S)
    sense = np.where(np.abs(rates) >= way.factor * RATE_DPS, np.sign(rates), 0.0)
    stretches: list[list[int]] = []
    for k in np.flatnonzero(sense).tolist():
        if stretches and sense[stretches[-1][1]] == sense[k]:
            pause = float(way.times[k] - way.times[stretches[-1][1]])
            if k == stretches[-1][1] + 1 or pause <= WIDE_S:
                stretches[-1][1] = k
                continue
        stretches.append([k, k])
    for a, b in stretches:
        angle = float(way.directions[b] - way.directions[a])
        if abs(angle) >= way.factor * TURN_DEG:
            yield "left" if angle > 0 else "right", *_lasting(way, a, b, angle), abs(angle)


def _lasting(way: _Way, a: int, b: int, angle: float) -> Span:
    """Return from where to where a turn lasts: its middle nine tenths, and 1/18 of these more at either
    end.
    """
    done = (way.directions[a : b + 1] - way.directions[a]) / angle
    times = way.times[a : b + 1]
    starts = int(np.flatnonzero(done >= 0.05)[0]) or 1
    ends = min(int(np.flatnonzero(done <= 0.95)[-1]), len(done) - 2)
    begin = np.interp(0.05, done[[starts - 1, starts]], times[[starts - 1, starts]])
    end = np.interp(0.95, done[[ends, ends + 1]], times[[ends, ends + 1]])
    more = (end - begin) / 18
    return int(np.abs(way.times - (begin - more)).argmin()), int(np.abs(way.times - (end + more)).argmin())


def _between(video: ObservedVideo, way: _Way, first: int, last: int) -> list[Piece]:
    """Return the legs and stops between two turns."""
    if last <= first:
        return []
    slowest = way.factor * video.scale.still_mps
    slow, brief = way.rate(way.gone, WIDE_S) < slowest, way.rate(way.gone, NARROW_S) < slowest
    rests = slow.copy()
    for rows in (range(1, len(slow)), range(len(slow) - 2, -1, -1)):
        back = -1 if rows.step > 0 else 1
        for k in rows:
            rests[k] |= rests[k + back] and brief[k]
    out: list[Piece] = []
    at = first
    while at < last:
        end = at + 1
        while end < last and rests[end] == rests[at]:
            end += 1
        long = way.times[end] - way.times[at] >= way.factor * STOP_S
        kind = "stop" if rests[at] and long else "straight"
        if out and out[-1][0] == kind:
            out[-1] = (kind, out[-1][1], end, 0.0)
        else:
            out.append((kind, at, end, 0.0))
        at = end
    return out


def _worth_telling(video: ObservedVideo, way: _Way, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without legs that are too short: they belong to what is before them, or after."""
    least = way.factor * video.scale.leg_m
    out: list[Piece] = []
    for kind, a, b, angle in pieces:
        if kind == "straight" and way.gone[b] - way.gone[a] < least:
            if out:
                out[-1] = (*out[-1][:2], b, out[-1][3])
        elif out and out[-1][0] == kind:
            out[-1] = (kind, out[-1][1], b, out[-1][3] + angle)
        else:
            out.append((kind, a if out else 0, b, angle))
    return out or [("stop", 0, len(way.times) - 1, 0.0)]


def _named(video: ObservedVideo, body: int, way: _Way, pieces: Sequence[Piece]) -> ObservedTrajectory:
    form, metres, angles, seconds = [], [], [], []
    for kind, a, b, angle in pieces:
        far = float(way.gone[b] - way.gone[a])
        said = "" if kind == "stop" else _going(video, body, way, a, b)
        if kind in ("left", "right") and far < way.factor * video.scale.leg_m:
            said = "spot"
        form.append(f"{kind}:{said}")
        metres.append(far)
        angles.append(angle)
        seconds.append(float(way.times[b] - way.times[a]))
    return ObservedTrajectory(tuple(form), tuple(metres), tuple(angles), tuple(seconds))


def _going(video: ObservedVideo, body: int, way: _Way, a: int, b: int) -> str:
    """Return which way a body goes: as the camera sees its own motion; of an object only "up" and "down"."""
    steps = np.diff(way.places[a : b + 1], axis=0)
    if body == CAMERA:
        moved = sum(level_view(video, way.first + a + k) @ step for k, step in enumerate(steps))
    else:
        moved = np.array([0.0, np.hypot(*steps[:, :2].T).sum(), steps[:, 2].sum()])
    k = int(np.abs(np.asarray(moved)).argmax())
    share = abs(float(np.asarray(moved)[k])) / max(float(np.linalg.norm(np.asarray(moved))), 1e-12)
    if 45.0 - math.degrees(math.acos(min(share, 1.0))) < 5.0:
        raise InsufficientEvidence
    return "" if body != CAMERA and k == 1 else WAYS[k][int(np.asarray(moved)[k] > 0)]


declare(VIDEO, {"trajectory": measure(trajectory)})
