"""A track as words with numbers: straight legs, turns and stops, with their lengths, angles and times.

A body turns where its direction does: the camera's is where it looks on the ground, an object's is where it
goes (its own front shows on few objects). Segments follow one another; each has its number or numbers, and
the words are made of the segments' kinds and these numbers alone, so that other numbers can be put into the
same words.

Ref: STI-Bench §3.1 g; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from fathom.programs.operators.measuring import measured, of_bodies
from fathom.programs.operators.quantities import angle_room, frames_in
from fathom.programs.operators.relations import level_axes
from fathom.programs.operators.speeds import azimuths_deg, way_m
from fathom.programs.trajectory_words import LEFT, RIGHT, STOP, STRAIGHT, units_of
from fathom.programs.values import SURE, Measured, TruthValue, Unanswerable, ValueType, weaker
from fathom.programs.views.video import CAMERA, Array, Ints, Mask, Span, VideoView

WAYS = (("left", "right"), ("backward", "forward"), ("down", "up"))
"""What motion along the camera's level axes (right, ahead, up) is called, against the axis and along it."""


@dataclass(frozen=True)
class TrajectorySegment:
    """One piece of a trajectory, from one frame to another.

    `kind` is straight, left, right (turns) or stop. `way` is where the camera moves as it sees it, "" for a
    object on its way; "up" and "down" for either. A turn without a way is one on the spot.
    """

    kind: str
    first: int
    last: int
    way: str = ""
    distance_m: float = 0.0
    angle_deg: float = 0.0
    time_s: float = 0.0

    @property
    def form(self) -> str:
        """The kind and the way as one word: what the words hang on, besides the numbers."""
        return f"{self.kind}:{self.way}"

    @property
    def numbers(self) -> tuple[float, ...]:
        """What is said of it: metres; degrees, with metres where it is not on the spot; or seconds."""
        if self.kind == STOP:
            return (self.time_s,)
        if self.kind == STRAIGHT:
            return (self.distance_m,)
        return (self.angle_deg,) if self.way == "spot" else (self.angle_deg, self.distance_m)


@dataclass(frozen=True, eq=False)
class _Track:
    """What is looked at: times (n,), places (n, 3), directions (n,) in degrees, unwrapped; speeds, and
    speeds over a shorter window, (n,), and rates of turning (n,), in degrees; the frames (n,) of the video.
    """

    times: Array
    places: Array
    directions: Array
    speeds: Array
    quick: Array
    rates: Array
    frames: Ints

    def way(self, first: int, last: int) -> float:
        return way_m(self.places[first : last + 1])

    def turned(self, first: int, last: int) -> float:
        return float(self.directions[last] - self.directions[first])


def segments(tracks: VideoView, body: int, span: Span) -> tuple[tuple[TrajectorySegment, ...], TruthValue]:
    """Return the segments of a body's track over a span, and how firm it is that these are the ones.

    Raises Stop where a body turns round, or goes several ways within a leg, or where it is unknown.
    """
    track = _track(tracks, body, span)
    runs = _runs(tracks, track)
    found, least = [], SURE
    for run in runs:
        piece, grade = _judged(tracks, body, track, run)
        found.append(piece)
        least = weaker(least, grade)
    return tuple(found), least


def trajectory(tracks: VideoView, body: int, span: Span) -> Measured:
    """Return a trajectory: its numbers, one after another, with the form that they belong to."""
    pieces, grade = segments(tracks, body, span)
    numbers, units, rooms = [], [], []
    rules, pace = tracks.rules, float(np.median(tracks.course(body).sigmas_m[span[0] : span[1] + 1]))
    for p in pieces:
        for n, unit in zip(p.numbers, units_of(p.form), strict=True):
            numbers.append(n)
            units.append(unit)
            if unit == "deg":
                # Half a degree at either end, and what the direction did within the window that smooths it.
                rooms.append(2 * angle_room(tracks, n, 0.0))
            elif unit == "s":
                rooms.append(rules.turn_window_s)
            else:
                speed = p.distance_m / max(p.time_s, 1e-9)
                rooms.append(rules.share * n + speed * rules.turn_window_s / 2 + rules.sigmas * pace)
    return Measured(tuple(numbers), " ".join(units), tuple(rooms), grade, tuple(p.form for p in pieces))


def _track(tracks: VideoView, body: int, span: Span) -> _Track:
    rows = frames_in(tracks, span, body)
    times, places = tracks.times_s[rows], tracks.course(body).positions_m[rows]
    if times[-1] - times[0] < 2 * tracks.rules.turn_window_s:
        raise Unanswerable("the span is too short to tell a trajectory")
    steps = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    before, after = _windows(times, tracks.rules.turn_window_s)
    lasts = times[after] - times[before]
    # Of annotated tracks the chord: noise adds up along the way.
    sigma = float(np.median(tracks.course(body).sigmas_m[rows]))
    chords = np.linalg.norm(places[after] - places[before], axis=1)
    speeds = (chords if sigma > 0 else steps[after] - steps[before]) / lasts
    near, far = _windows(times, tracks.rules.speed_window_s)
    quick = speeds if sigma > 0 else (steps[far] - steps[near]) / (times[far] - times[near])
    if body == CAMERA:
        directions = azimuths_deg(tracks, span)
    else:
        directions = _courses(times, places, tracks.rules.still_mps, sigma)
    rates = (directions[after] - directions[before]) / lasts
    return _Track(times, places, directions, speeds, quick, rates, rows)


def _windows(times: Array, window_s: float) -> tuple[Ints, Ints]:
    """Return for each time the first and the last frame within ±`window_s` of it, cut at the ends; two
    neighbouring frames where the window holds one alone.
    """
    before = np.searchsorted(times, times - window_s - 1e-6).clip(max=len(times) - 2)
    after = np.searchsorted(times, times + window_s + 1e-6) - 1
    return before, np.maximum(after, before + 1).clip(max=len(times) - 1)


def _courses(times: Array, places: Array, still_mps: float, sigma: float) -> Array:
    """Return the direction on the ground in which a thing goes, unwrapped, in degrees; where it stands still,
    the one in which it went before.
    """
    before, after = _windows(times, 0.1 if sigma == 0 else 0.35)
    moved = places[after, :2] - places[before, :2]
    goes = np.linalg.norm(moved, axis=1) >= np.maximum(
        0.5 * still_mps * (times[after] - times[before]), 6 * sigma
    )
    known = np.flatnonzero(goes)
    if not len(known):
        return np.zeros(len(times))
    angles = np.unwrap(np.arctan2(moved[known, 1], moved[known, 0]))
    steps = np.abs(np.degrees(np.diff(angles)))
    if len(steps) and steps.max() > 135.0:
        raise Unanswerable("it goes back the way that it came")
    held = np.searchsorted(known, np.arange(len(times)), side="right") - 1
    return np.asarray(np.degrees(angles[np.maximum(held, 0)]))


Run = tuple[str, int, int, float]
"""A kind of motion, from one place in a track to another, and by how many degrees it turns."""


def _runs(tracks: VideoView, track: _Track) -> list[Run]:
    """Return what a body does, piece by piece, without what is too short or too little to be told."""
    rules = tracks.rules
    signs = np.where(np.abs(track.rates) >= rules.turn_rate_dps, np.sign(track.rates), 0.0)
    out: list[Run] = []
    at, end = 0, len(track.times) - 1
    for stretch in _joined(track, signs, rules.turn_window_s):
        angle = track.turned(*stretch)
        if abs(angle) < rules.turn_deg:
            continue
        a, b = _extent(track, stretch)
        a = max(a, at)
        if b <= a:
            continue
        out += _legs(tracks, track, at, a)
        out.append((LEFT if angle > 0 else RIGHT, a, b, abs(angle)))
        at = b
    out += _legs(tracks, track, at, end)
    return _without_bits(tracks, track, out)


def _joined(track: _Track, signs: Array, pause_s: float) -> list[tuple[int, int]]:
    """Return the stretches in which a body turns one way, those parted by a short pause joined."""
    edges = np.flatnonzero(np.diff(signs)) + 1
    starts, ends = [0, *edges.tolist()], [*(edges - 1).tolist(), len(signs) - 1]
    out: list[tuple[int, int]] = []
    way = 0.0
    for a, b in zip(starts, ends, strict=True):
        if signs[a] == 0:
            continue
        if out and signs[a] == way and track.times[a] - track.times[out[-1][1]] <= pause_s:
            out[-1] = (out[-1][0], b)
        else:
            out.append((a, b))
        way = float(signs[a])
    return out


def _extent(track: _Track, stretch: tuple[int, int]) -> tuple[int, int]:
    """Return where a turn begins and ends: around the middle 90 % of its angle, 1/18 of that longer at
    either end. What smooths the rate makes a turn look longer than it is.
    """
    a, b = stretch
    times = track.times[a : b + 1]
    done = (track.directions[a : b + 1] - track.directions[a]) / track.turned(a, b)
    k = max(int(np.argmax(done >= 0.05)), 1)
    begins = float(np.interp(0.05, done[k - 1 : k + 1], times[k - 1 : k + 1]))
    k = len(done) - 1 - max(int(np.argmax(done[::-1] <= 0.95)), 1)
    ends = float(np.interp(0.95, done[k : k + 2], times[k : k + 2]))
    more = (ends - begins) / 18
    first, last = (int(np.argmin(np.abs(track.times - t))) for t in (begins - more, ends + more))
    return min(first, len(track.times) - 2), max(last, first + 1)


def _stands(track: _Track, still_mps: float) -> Mask:
    """Return where a body stands still: slow over the window, and as far from there as it is slow at all."""
    slow, quick = track.speeds < still_mps, track.quick < still_mps
    for order in (slice(None), slice(None, None, -1)):
        s, q = slow[order], quick[order]
        for k in range(1, len(s)):
            s[k] |= s[k - 1] and q[k]
    return slow


def _legs(tracks: VideoView, track: _Track, first: int, last: int) -> list[Run]:
    """Return the straight legs and stops between two turns."""
    if last <= first:
        return []
    slow = _stands(track, tracks.rules.still_mps)[first : last + 1]
    edges = np.flatnonzero(np.diff(slow)) + 1
    bounds = [0, *edges.tolist(), last - first]
    out: list[Run] = []
    for a, b in pairwise(bounds):
        kind = STOP if slow[a] else STRAIGHT
        if kind == STOP and track.times[first + b] - track.times[first + a] < tracks.rules.stop_s:
            kind = STRAIGHT
        if out and out[-1][0] == kind:
            out[-1] = (kind, out[-1][1], first + b, 0.0)
        else:
            out.append((kind, first + a, first + b, 0.0))
    return out


def _without_bits(tracks: VideoView, track: _Track, runs: list[Run]) -> list[Run]:
    """Return the runs without legs too short to be told; these go to the stop or the turn beside them."""
    out = list(runs)
    while len(out) > 1:
        bits = [
            k for k, r in enumerate(out) if r[0] == STRAIGHT and track.way(r[1], r[2]) < tracks.rules.leg_m
        ]
        if not bits:
            break
        k = bits[0]
        _, a, b, _ = out.pop(k)
        if k > 0:
            out[k - 1] = _until(out[k - 1], b)
        else:
            out[0] = (out[0][0], a, *out[0][2:])
        if 0 < k < len(out) and out[k - 1][0] == out[k][0]:
            angle = out[k - 1][3] + out[k][3]
            out[k - 1] = (out[k][0], out[k - 1][1], out.pop(k)[2], angle)
    if len(out) == 1 and out[0][0] == STRAIGHT and track.way(*out[0][1:3]) < tracks.rules.leg_m:
        out[0] = (STOP, *out[0][1:])
    return out


def _until(run: Run, last: int) -> Run:
    return (run[0], run[1], last, run[3])


def _judged(tracks: VideoView, body: int, track: _Track, run: Run) -> tuple[TrajectorySegment, TruthValue]:
    """Return the segment of a run, and the least firm of the thresholds that it hangs on."""
    rules, (kind, a, b, angle) = tracks.rules, run
    way, turned = track.way(a, b), angle or abs(track.turned(a, b))
    lasts = float(track.times[b] - track.times[a])
    piece = TrajectorySegment(kind, int(track.frames[a]), int(track.frames[b]), "", way, turned, lasts)
    if kind == STOP:
        grade = _grade("stop", lasts - rules.stop_s, rules.band * rules.stop_s, "s")
        return piece, weaker(grade, _grade("stands", rules.leg_m - way, rules.band * rules.leg_m, "m"))
    least = SURE
    if kind == STRAIGHT:
        chord = float(np.linalg.norm(track.places[b] - track.places[a]))
        least = _grade("leg", way - rules.leg_m, rules.band * rules.leg_m, "m")
        straight = chord / max(way, 1e-9) - rules.straight_share
        least = weaker(least, _grade("straight", straight, rules.straight_tolerance, "share"))
        least = weaker(least, _grade("no turn", rules.turn_deg - turned, rules.turn_tolerance_deg, "deg"))
    else:
        least = _grade("turn", turned - rules.turn_deg, rules.turn_tolerance_deg, "deg")
        pause = 2 * rules.turn_window_s - _longest_pause_s(tracks, track, a, b)
        least = weaker(least, _grade("one turn", pause, rules.turn_window_s, "s"))
        moved = abs(way - rules.leg_m)
        least = weaker(least, _grade("on the spot", moved, rules.band * rules.leg_m, "m"))
        if way < rules.leg_m:
            return replace(piece, way="spot"), least
    said, grade = _way(tracks, body, track, a, b)
    return replace(piece, way=said), weaker(least, grade)


def _longest_pause_s(tracks: VideoView, track: _Track, a: int, b: int) -> float:
    """Return how long, at most, the direction hardly changes within a turn: a long pause makes two of one."""
    near, far = _windows(track.times, tracks.rules.speed_window_s)
    rates = (track.directions[far] - track.directions[near]) / (track.times[far] - track.times[near])
    busy = np.flatnonzero(np.abs(rates[a : b + 1]) >= tracks.rules.turn_rate_dps)
    if not len(busy):
        return float(track.times[b] - track.times[a])
    return float(np.diff(track.times[a + busy]).max(initial=0.0))


def _grade(relation: str, value: float, tolerance: float, unit: str) -> TruthValue:
    return TruthValue(value / tolerance, relation, value, unit)


def _way(tracks: VideoView, body: int, track: _Track, a: int, b: int) -> tuple[str, TruthValue]:
    """Return where a body moves as the camera sees it; of an object only whether it goes up or down."""
    steps = np.diff(track.places[a : b + 1], axis=0)
    if body == CAMERA:
        moved = np.einsum("gai,gi->a", level_axes(tracks, track.frames[a:b]), steps)
    else:
        moved = np.array([0.0, float(np.linalg.norm(steps[:, :2], axis=1).sum()), float(steps[:, 2].sum())])
    k = int(np.argmax(np.abs(moved)))
    share = abs(float(moved[k])) / max(float(np.linalg.norm(moved)), 1e-12)
    inside = 45.0 - math.degrees(math.acos(min(share, 1.0)))
    word = WAYS[k][int(moved[k] > 0)]
    if body != CAMERA and k == 1:
        word = ""
    return word, _grade("way", inside, tracks.rules.quarter_tolerance_deg, "deg")


of_bodies("trajectory", measured(trajectory), ValueType.SPAN, "")
