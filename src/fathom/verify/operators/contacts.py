"""What people in a picture sit on, push and look at, in the second derivation: from points of their surfaces.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.people import PEOPLE, does, held, holds, way_to, what_is_done
from fathom.verify.operators.pictured import LEVEL_M, bottom_m, known_objects
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, word

LAP_LOW, LAP_HIGH, LAP_AHEAD = 0.31, 0.6, -0.1
"""Between which heights hips and belly are of somebody on a seat, ÷ height, and how far ahead, ÷ length."""

ON_IT, BESIDE_IT = 0.7, 0.2
"""Which share of these is over what is sat on, at least, and over all else, at most."""

TIP_M, FEWEST, HAND_LOW, HAND_HIGH = 0.05, 2, 0.38, 0.56
"""How deep the foremost points reach, how many there are at least, and how high palms are, ÷ the height."""

REACH_M, AWAY_M = 0.045, 0.12
"""How near these are to what is pushed, and how far from all else."""

MIDDLE_DEG, BESIDE_DEG, STEEP_DEG = 12.0, 12.0, 38.0
NEAR_M, FAR_M, OTHERS_M = 0.3, 4.2, 5.5
EYE = 0.93


def _others(video: ObservedVideo, person: int, frame: int) -> list[int]:
    return [k for k in known_objects(video, frame, person) if video.names[k] not in PEOPLE]


def _box_gaps_m(video: ObservedVideo, points: Array, obj: int, frame: int) -> Array:
    """Return (k,) how far points (k, 3) are from an object's box."""
    local = np.abs((points - middle(video, obj, frame)) @ video.turn(obj, frame))
    return np.asarray(np.linalg.norm(np.maximum(local - video.size(obj) / 2, 0.0), axis=1))


def seat_of(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what most points of the hips and the belly of somebody on a seat are over."""
    if does(video, person) != "seated":
        raise NoAnswer
    rest, world = video.surfaces[person]
    long, _, high = video.size(person).tolist()
    lap = world[
        (rest[:, 2] >= LAP_LOW * high) & (rest[:, 2] <= LAP_HIGH * high) & (rest[:, 0] <= LAP_AHEAD * long)
    ]
    if len(lap) < FEWEST:
        raise InsufficientEvidence
    shares = {}
    for k in _others(video, person, frame):
        if abs(bottom_m(video, k, frame)) <= LEVEL_M and video.size(k)[2] >= 0.28 * high:
            local = np.abs((lap - middle(video, k, frame)) @ video.turn(k, frame))[:, :2]
            shares[k] = float((local <= 1.02 * video.size(k)[:2] / 2).all(axis=1).mean())
    return _one(video, shares, ON_IT, BESIDE_IT)


def _one(video: ObservedVideo, found: dict[int, float], least: float, most: float) -> DerivedAnswer:
    """Return the one object of which a number is large, those of all others being small."""
    first, *others = sorted(found, key=lambda k: -found[k]) or [-1]
    if first < 0 or found[first] < least or any(found[k] > most for k in others):
        raise InsufficientEvidence
    return word(video.objects[first])


def hands_at(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what the foremost points of somebody who pushes touch."""
    if does(video, person) != "pushes":
        raise NoAnswer
    rest, world = video.surfaces[person]
    long, _, high = video.size(person).tolist()
    level = (rest[:, 2] >= HAND_LOW * high) & (rest[:, 2] <= HAND_HIGH * high)
    tips = world[level & (rest[:, 0] >= long / 2 - TIP_M)]
    if len(tips) < FEWEST:
        raise InsufficientEvidence
    near = {
        k: -float(np.median(_box_gaps_m(video, tips, k, frame)))
        for k in _others(video, person, frame)
        if abs(bottom_m(video, k, frame)) <= LEVEL_M
    }
    return _one(video, near, -REACH_M, -AWAY_M)


def _off_deg(video: ObservedVideo, person: int, points: Array, frame: int) -> Array:
    """Return (k,) by how many degrees points (k, 2 or 3) are to the side of where somebody faces."""
    start, ahead = middle(video, person, frame)[:2], video.turn(person, frame)[:2, 0]
    off = points[:, :2] - start
    return np.asarray(np.degrees(np.arctan2(ahead[0] * off[:, 1] - ahead[1] * off[:, 0], off @ ahead)))


def seen_ahead(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what is straight ahead of somebody: no point that is seen of all else is near that direction."""
    said = does(video, person)
    if said not in ("stands", "sits", "seated") or (said == "stands" and held(video, person, frame)):
        raise NoAnswer
    seat = seat_of(video, person, frame).word if said == "seated" else ""
    eye = bottom_m(video, person, frame) + EYE * float(video.size(person)[2])
    ahead = []
    for k, (_, world) in enumerate(video.surfaces):
        if k == person or video.objects[k] == seat or video.names[k] == "lettering" or not len(world):
            continue
        off = np.abs(_off_deg(video, person, world, frame))
        away = np.linalg.norm(world[:, :2] - middle(video, person, frame)[:2], axis=1)
        if (off[away <= OTHERS_M] < BESIDE_DEG).any():
            ahead.append((k, float(away.min()), float(world[:, 2].max())))
    if len(ahead) != 1:
        raise InsufficientEvidence
    k, away_m, top = ahead[0]
    straight = abs(float(_off_deg(video, person, middle(video, k, frame)[None], frame)[0])) <= MIDDLE_DEG
    steep = math.degrees(math.atan2(max(eye - top, 0.0), away_m))
    if not straight or steep > STEEP_DEG or not NEAR_M <= away_m <= FAR_M:
        raise InsufficientEvidence
    return word(video.objects[k])


Way = Callable[[ObservedVideo, int, int], DerivedAnswer]

WAYS: dict[str, tuple[str, Way]] = {
    "seated": ("sits", seat_of),
    "pushes": ("pushes", hands_at),
    "walks": ("walks", way_to),
    "stands": ("looks", seen_ahead),
}


def done_to(video: ObservedVideo, person: int, obj: int, frame: int) -> DerivedAnswer:
    """Return what somebody does to an object."""
    said = does(video, person)
    if said not in WAYS:
        raise NoAnswer
    answer, way = WAYS[said]
    if way(video, person, frame).word != video.objects[obj]:
        raise NoAnswer
    return word(answer)


def occupied(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what somebody does, and what they hold, sit on or push."""
    said = what_is_done(video, person, frame).word
    tells = {"holds": holds, "seated": seat_of, "pushes": hands_at}.get(said)
    return word(f"{said} {tells(video, person, frame).word}" if tells else said)


declare(
    VIDEO,
    {
        "doing": measure(occupied),
        "sat_on": measure(seat_of),
        "pushed_by": measure(hands_at),
        "looked_at": measure(seen_ahead),
        "does_to": measure(done_to),
    },
)
