"""What is done with objects in a video, in the second derivation: taken, put down, or pushed over the floor.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fathom.verify.observed.figures import Figures
from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.pictured import LEVEL_M, bottom_m, known_objects, rests_on
from fathom.verify.operators.relations import middle
from fathom.verify.undecided import InsufficientEvidence, NoAnswer

STIRS_M, TOUCH_M = 2e-3, 0.24
"""Between two frames what is held is moved by more; so near the middle of a hand is to its middle then."""

AT_IT_M, CARRIED_M = 0.1, 0.25
"""How far a hand is from what is pushed, at most; how far what is moved goes at least."""

ALONG_M, CLOSE_M = 0.3, 0.6
"""Where no hand is seen: how much farther, or less far, than what is pushed the head goes at most, and how
far beside it the head is."""


@dataclass(frozen=True)
class SeenDeed:
    """Something that is seen to happen: what, with which object, and in which of the frames shown."""

    deed: str
    obj: int
    first: int
    last: int


def figure_of(video: ObservedVideo, person: int) -> Figures:
    found = video.figures.get(person)
    if found is None:
        raise NoAnswer
    return found


def _moves(video: ObservedVideo, obj: int) -> bool:
    """Return whether an object is seen elsewhere than at first."""
    try:
        places = places_m(video, obj)
    except InsufficientEvidence:
        return False
    seen = places[~np.isnan(places[:, 0])]
    return len(seen) > 1 and float(np.ptp(seen, axis=0).max()) > CARRIED_M / 2


def places_m(video: ObservedVideo, obj: int) -> Array:
    """Return (G, 3) where the middle of an object is, NaN where it is not seen."""
    half = float(video.size(obj)[2]) / 2
    rows = [
        fit.place_m + half * fit.turn[:, 2] if fit is not None else np.full(3, np.nan)
        for fit in video.fits[obj]
    ]
    return np.array(rows)


def _borne(video: ObservedVideo, obj: int, place: int) -> bool:
    """Return whether an object stands on another one at a frame that is shown, and not in a hand."""
    frame = int(video.shown[place])
    others = [k for k in known_objects(video, frame, obj) if k not in video.figures]
    on = any(rests_on(video, obj, k, frame) for k in others)
    return on or abs(bottom_m(video, obj, frame)) <= LEVEL_M


def handling(video: ObservedVideo, person: int, obj: int) -> tuple[str, int, int]:
    """Return what is done with an object, and the first and last of the frames in which it is moved."""
    places, figure = places_m(video, obj), figure_of(video, person)
    if np.isnan(places[[0, -1]]).any() or np.isnan(places[:, 0]).mean() > 0.5:
        raise InsufficientEvidence
    seen = np.flatnonzero(~np.isnan(places[:, 0]))
    steps = np.linalg.norm(np.diff(places[seen], axis=0), axis=1)
    moved = np.flatnonzero(steps > STIRS_M)
    if not len(moved):
        return "untouched", -1, -1
    first, last = int(seen[moved[0]]), int(seen[moved[-1] + 1])
    near = np.linalg.norm(figure.hands_m[:, seen] - places[seen], axis=2)
    held = near[:, (seen >= first) & (seen <= last)]
    if np.isnan(held).all() or float(np.nanmin(held)) > TOUCH_M + float(video.size(obj).max()) / 2:
        raise InsufficientEvidence
    said = {(True, False): "kept", (False, True): "put", (True, True): "carried"}.get(
        (_borne(video, obj, 0), _borne(video, obj, len(video.shown) - 1))
    )
    if said is None:
        raise NoAnswer
    if said == "carried" and float(np.linalg.norm(places[-1] - places[0])) < CARRIED_M:
        raise InsufficientEvidence
    return said, first, last


def taking(video: ObservedVideo, person: int) -> Iterator[SeenDeed]:
    """Yield when somebody takes something, and puts something down."""
    for obj in range(len(video.objects)):
        if obj == person or not _moves(video, obj) or _stays_down(video, obj):
            continue
        said, first, last = handling(video, person, obj)
        if said in ("kept", "carried"):
            yield SeenDeed("picks", obj, first, first)
        if said in ("put", "carried"):
            yield SeenDeed("puts", obj, last, last)


def _stays_down(video: ObservedVideo, obj: int) -> bool:
    """Return whether an object is never seen higher than at first."""
    high = places_m(video, obj)[:, 2]
    return bool(np.nanmax(high) - np.nanmin(high) <= LEVEL_M)


def pushing(video: ObservedVideo, person: int) -> Iterator[SeenDeed]:
    """Yield when somebody pushes something over the floor: it goes on there while hands are at it."""
    figure = figure_of(video, person)
    for obj in range(len(video.objects)):
        if obj == person or not _moves(video, obj) or not _stays_down(video, obj):
            continue
        places = places_m(video, obj)
        seen = np.flatnonzero(~np.isnan(places[:, 0]))
        steps = np.linalg.norm(np.diff(places[seen], axis=0), axis=1)
        moved = np.flatnonzero(steps > STIRS_M)
        first, last = int(seen[moved[0]]), int(seen[moved[-1] + 1])
        if not _with_it(video, figure, obj, (first, last)):
            raise InsufficientEvidence
        yield SeenDeed("pushes", obj, first, last)


def _with_it(video: ObservedVideo, figure: Figures, obj: int, frames: tuple[int, int]) -> bool:
    """Return whether hands are at an object all the time in which it is moved; where it hides both of them,
    whether somebody close by goes along with it.
    """
    rows = range(frames[0], frames[1] + 1)
    known = [k for k in rows if video.fits[obj][k] is not None]
    off = [
        _gap_m(video, obj, hand, int(video.shown[k]))
        for k in known
        for hand in figure.hands_m[:, k]
        if not np.isnan(hand).any()
    ]
    if off:
        return float(np.median(off)) <= AT_IT_M
    heads, places = figure.heads_m[known, :2], places_m(video, obj)[known]
    if np.isnan(heads).any():
        return False
    gone = (heads[-1] - heads[0]) - (places[-1] - places[0])[:2]
    near = [
        _gap_m(video, obj, np.array([*head, place[2]]), int(video.shown[k]))
        for head, place, k in zip(heads, places, known, strict=True)
    ]
    return bool(np.hypot(*gone) <= ALONG_M and max(near) <= CLOSE_M)


def _gap_m(video: ObservedVideo, obj: int, place: Array, frame: int) -> float:
    """Return how far a place is from an object's box at a frame."""
    off = np.abs((place - middle(video, obj, frame)) @ video.turn(obj, frame)) - video.size(obj) / 2
    return float(np.linalg.norm(np.clip(off, 0.0, None)))
