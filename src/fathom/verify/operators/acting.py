"""What somebody does in a video, in the second derivation: from how high the head is, where the hands and the
feet are, and when something is moved.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from fathom.verify.observed.figures import Figures
from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.acting_objects import SeenDeed, figure_of, handling, places_m, pushing, taking
from fathom.verify.operators.pictured import LEVEL_M, bottom_m, known_objects, stands_on
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, Act, bare, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Span, word

LOW, LOWEST, NEARLY, UPRIGHT = 0.17, 0.31, 0.8, 0.05
"""Who sits has the head lower than at its highest by more than the first share, who crouches by more than the
second; they do from when on they are as low as they get, but for a part. Who has got up has it lower by no
more than the last share."""

OVER_M, APART_M = 0.12, 0.3
"""The head of who sits is over a seat, or no farther beside it; of who crouches it is farther from all."""

RAISED_M, BOTH_M = 0.02, 0.1
"""How far over the middle of the head the hand is of who waves, and both hands of who raises both arms."""

HIDDEN = 4
"""In so many frames, two thirds of a second, nobody takes a hand down and up again."""

SEATS = ("chair", "armchair", "office chair", "sofa", "stool", "bench")

GOES_M, STOPS_M = 0.04, 0.012
"""From frame to frame the head of who walks goes farther, and of who stands less far."""

BESIDE_M, NEARER_M = 0.62, 0.18


def _runs(flags: ArrayLike) -> list[tuple[int, int]]:
    """Return the first and last frame of each run of frames."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, int), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _drop(figure: Figures) -> Array:
    """Return (G,) how much lower the head is than at its highest, ÷ that."""
    high = figure.heads_m[:, 2]
    if np.isnan(high).any():
        raise InsufficientEvidence
    return np.asarray(1 - high / np.quantile(high, 0.95))


def _off_m(video: ObservedVideo, obj: int, place: Array, frame: int) -> float:
    """Return how far beside an object's footprint at a frame a place is, seen from above; 0 over it."""
    off = (place - middle(video, obj, frame)) @ video.turn(obj, frame)
    return float(np.hypot(*np.clip(np.abs(off[:2]) - video.size(obj)[:2] / 2, 0.0, None)))


def _seat_under(video: ObservedVideo, figure: Figures, frame: int) -> int | None:
    """Return the seat over which the head is at a frame; None where there is none near. Raises
    InsufficientEvidence where it may be one of which too little is seen.
    """
    there = [k for k, name in enumerate(video.names) if name in SEATS]
    now = int(video.shown[frame])
    seats = [k for k in known_objects(video, now, -1) if k in there]
    off = {k: _off_m(video, k, figure.heads_m[frame], now) for k in seats}
    over = [k for k in seats if off[k] <= OVER_M]
    if len(over) == 1:
        return over[0]
    if over or len(seats) < len(there) or any(gap < APART_M for gap in off.values()):
        raise InsufficientEvidence
    return None


def _lowered(figure: Figures) -> Iterator[tuple[int, int, int, float]]:
    """Yield when the head is low: the first and last frame, from when on it is nearly as low as it gets, and
    how low that is.
    """
    drop = _drop(figure)
    for first, last in _runs(drop >= LOW):
        most = float(drop[first : last + 1].max())
        yield first, last, first + int(np.argmax(drop[first : last + 1] >= NEARLY * most)), most


def _goes(video: ObservedVideo, obj: int, first: int, last: int) -> bool:
    """Return whether an object is elsewhere at the last of some frames than at the first."""
    there = places_m(video, obj)[[first, last]]
    return bool(np.linalg.norm(there[1] - there[0]) > STOPS_M)


def _crouching(video: ObservedVideo, person: int) -> Iterator[SeenDeed]:
    """Yield when somebody is seen to crouch."""
    for _, last, low, most in _lowered(figure_of(video, person)):
        if most >= LOWEST:
            yield SeenDeed("crouches", -1, low, last)


def _sitting(video: ObservedVideo, person: int) -> Iterator[SeenDeed]:
    """Yield when somebody is seen to sit down, and to get up."""
    figure, end = figure_of(video, person), len(video.shown) - 1
    drop = _drop(figure)
    for first, last, low, most in _lowered(figure):
        if most >= LOWEST or (last == first and first > 0 and last < end):
            continue
        slow = np.abs(np.gradient(drop))[first : last + 1]
        quiet = 0 if first == 0 else end if last == end else first + int(np.argmin(slow))
        seat = _seat_under(video, figure, quiet)
        if seat is not None and _goes(video, seat, first, last):
            continue  # who pushes it is bent over it
        if seat is not None and first > 0:
            yield SeenDeed("sits", seat, low, low)
        if seat is not None and last < end:
            upright = np.flatnonzero(drop[last:] <= UPRIGHT)
            up = last + int(upright[0]) if len(upright) else end
            yield SeenDeed("rises", seat, up, up)


def _up(over_m: Array) -> Array:
    """Return (2, G) whether each hand is up, by how far it is over the head. One that is hidden for a moment,
    and is up before and after, has stayed there.
    """
    up = np.where(np.isnan(over_m), False, over_m >= RAISED_M)
    for hand, hidden in zip(up, np.isnan(over_m), strict=True):
        for first, last in _runs(hidden):
            inside = first > 0 and last + 1 < len(hand)
            if inside and last - first < HIDDEN and hand[first - 1] and hand[last + 1]:
                hand[first : last + 1] = True
    return up


def _raising(video: ObservedVideo, person: int) -> Iterator[SeenDeed]:
    """Yield when somebody raises one hand, or both."""
    figure = figure_of(video, person)
    over = figure.hands_m[:, :, 2] - figure.heads_m[:, 2]
    for first, last in _runs(_up(over).any(axis=0)):
        own = over[:, first : last + 1]
        if last == first:
            continue
        both = np.nanmax(np.where(np.isnan(own), -9.0, own), axis=1)
        if (both >= BOTH_M).all():
            yield SeenDeed("stretches", -1, first, last)
        elif both.min() < -BOTH_M and not np.isnan(own).all(axis=1).any():
            yield SeenDeed("waves", -1, first, last)
        else:
            raise InsufficientEvidence


SEEN_BY = {
    "sits": _sitting,
    "rises": _sitting,
    "crouches": _crouching,
    "waves": _raising,
    "stretches": _raising,
    "picks": taking,
    "puts": taking,
    "pushes": pushing,
}
"""What somebody does → what tells when it is seen."""


def _events(video: ObservedVideo, person: int) -> list[SeenDeed]:
    """Return all that somebody is seen to do, in order."""
    every = dict.fromkeys(SEEN_BY.values())
    return sorted((e for told in every for e in told(video, person)), key=lambda e: e.first)


def _once(video: ObservedVideo, person: int, deed: str) -> SeenDeed:
    done = [e for e in SEEN_BY[deed](video, person) if e.deed == deed]
    if len(done) != 1:
        raise NoAnswer
    return done[0]


def done_once(video: ObservedVideo, person: int, deed: str) -> DerivedAnswer:
    """Return a deed that is seen once, and what it is seen to be done with."""
    done = _once(video, person, deed)
    return word(f"{deed} {video.objects[done.obj]}" if done.obj >= 0 else deed)


def done_with(video: ObservedVideo, person: int, deed: str) -> DerivedAnswer:
    """Return what something is seen to be done with."""
    return word(video.objects[_once(video, person, deed).obj])


def laid_on(video: ObservedVideo, person: int, obj: int, span: Span) -> DerivedAnswer:
    """Return what something is seen to stand on in the end that somebody has put down."""
    if handling(video, person, obj)[0] not in ("put", "carried"):
        raise NoAnswer
    return stands_on(video, obj, int(video.shown[-1]))


def order_of_deeds(video: ObservedVideo, person: int, deeds: str) -> DerivedAnswer:
    """Return the order in which some things are seen to be done."""
    wanted = deeds.split("+")
    when = {deed: _once(video, person, deed).first for deed in wanted}
    if len(set(when.values())) < len(wanted):
        raise InsufficientEvidence
    return word(" ".join(str(wanted.index(deed) + 1) for deed in sorted(wanted, key=lambda d: when[d])))


def comes_next(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return the first thing that is seen to be done after a frame."""
    place = int(np.argmin(np.abs(video.shown - frame)))
    later = [e for e in _events(video, person) if e.first >= place]
    if not later or (len(later) > 1 and later[1].first == later[0].first):
        raise InsufficientEvidence
    return word(later[0].deed)


def goes_to(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what on the floor is nearest to where somebody comes to stand who walks at a frame."""
    figure = figure_of(video, person)
    place = int(np.argmin(np.abs(video.shown - frame)))
    level = figure.heads_m[:, :2]
    if np.isnan(level).any():
        raise InsufficientEvidence
    speed = np.linalg.norm(np.diff(level, axis=0), axis=1)
    if speed[place - 1] < GOES_M:
        raise NoAnswer
    stops = next((k for k in range(place, len(speed)) if speed[k] < STOPS_M), len(speed))
    feet = figure.feet_m[stops] if not np.isnan(figure.feet_m[stops]).any() else figure.heads_m[stops]
    gaps = {}
    now = int(video.shown[stops])
    for k in known_objects(video, now, person):
        if abs(bottom_m(video, k, now)) <= LEVEL_M:
            gaps[k] = _off_m(video, k, feet, now)
    first, *others = sorted(gaps, key=lambda k: gaps[k]) or [-1]
    least = min((gaps[k] for k in others), default=math.inf) - gaps.get(first, math.inf)
    if first < 0 or gaps[first] > BESIDE_M or least < NEARER_M:
        raise InsufficientEvidence
    return word(video.objects[first])


def _with_words(function: Callable[..., DerivedAnswer]) -> Act:
    """Return what an operator does whose argument is words."""
    return lambda attempt, inputs, args: function(attempt.observed, bare(inputs[0]), *args)


declare(
    VIDEO,
    {
        "put_on": measure(laid_on),
        "does_deed": _with_words(done_once),
        "deed_object": _with_words(done_with),
        "deed_order": _with_words(order_of_deeds),
        "next_deed": measure(comes_next),
        "walks_next": measure(goes_to),
    },
)
