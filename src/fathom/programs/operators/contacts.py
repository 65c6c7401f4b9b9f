"""What people in a picture sit on, push and look at: from contacts, and from where they face.

Each function gives the id of an object, or a word, and how far it is from where the answer changes.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from fathom.geometry.box_gaps import corners_m, gap_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.people import (
    HOLDS,
    PUSHES,
    SEATED,
    SITS,
    STANDS,
    WALKS,
    heads_for,
    held_by,
    posture,
    things,
)
from fathom.programs.operators.pictured import ON_M, foot_m, found
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType
from fathom.programs.views.video import Array, VideoView

HIP, LAP = -0.33, 0.3
"""Where the hips of somebody on a seat are, ÷ their length, and how high it is at least, ÷ their height."""

INSIDE_M, BESIDE_M = 0.05, 0.1
"""How far the hips are from the edge of what is sat on, and of all else."""

PALM = (0.04, 0.34, 0.13)
PALM_HIGH = 0.47
"""How large both palms together are, in metres, and how high their middle is, ÷ the height of who pushes."""

TOUCH_M, APART_M = 0.03, 0.15
"""How near the palms are to what is pushed, and how far from all else."""

BESIDE_DEG, LOOKS_BESIDE_DEG = 25.0, 40.0
"""From so far beside the way in which somebody faces it is seen what they push, and what they look at."""

AHEAD_DEG, PLAIN_DEG, STEEP_DEG = 8.0, 25.0, 30.0
"""How far off straight ahead the middle of what is looked at is, how far off all else, and how far above or
below the eyes."""

LOOKS_M, NEAR_M, OTHERS_M = 2.6, 0.4, 6.0
"""How far what is looked at is off at most, and at least; and up to where all else counts."""

EYES = 0.93
"""How high somebody's eyes are, ÷ their height."""


def _facing(tracks: VideoView, person: int, frame: int) -> Array:
    """Return (2,) the direction on the ground in which somebody faces."""
    ahead = tracks.rotations[person, frame, :2, 0]
    return np.asarray(ahead / np.linalg.norm(ahead))


def _aspect(tracks: VideoView, person: int, frame: int, beside_deg: float) -> float:
    """Return from how far beside the way in which somebody faces they are seen, ÷ what is needed."""
    off = tracks.eyes_m[frame, :2] - tracks.centres_m[person, frame, :2]
    ahead = _facing(tracks, person, frame)
    sine = abs(float(ahead[0] * off[1] - ahead[1] * off[0])) / max(float(np.linalg.norm(off)), 1e-9)
    return sine / math.sin(math.radians(beside_deg))


def _floor(tracks: VideoView, person: int, frame: int) -> list[int]:
    return [k for k in things(tracks, person) if foot_m(tracks, k, frame) <= ON_M and not tracks.does[k]]


def _does(tracks: VideoView, person: int, *ways: str) -> None:
    if not tracks.does or tracks.does[person] not in ways:
        raise Unanswerable(f"nobody {' or '.join(ways)}")


def sat_on(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of what somebody sits on: it is under their hips, as high as their lap."""
    known(tracks, person, frame)
    _does(tracks, person, SEATED)
    long, _, high = tracks.sizes_m[person].tolist()
    hips = tracks.centres_m[person, frame, :2] + HIP * long * _facing(tracks, person, frame)
    inside = {}
    for k in _floor(tracks, person, frame):
        local = np.abs((hips - tracks.centres_m[k, frame, :2]) @ tracks.rotations[k, frame, :2, :2])
        if tracks.sizes_m[k, 2] >= LAP * high:
            inside[k] = float((tracks.sizes_m[k, :2] / 2 - local).min())
    first, *others = sorted(inside, key=lambda k: -inside[k]) or [-1]
    if first < 0:
        raise Unanswerable("there is nothing to sit on")
    ratio = min(inside[first] / INSIDE_M, *(-inside[k] / BESIDE_M for k in others), math.inf)
    return found(tracks, tracks.objects[first], ratio, inside[first], "m", person, first)


def pushed_by(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of what somebody pushes: both palms are at it, and at nothing else."""
    known(tracks, person, frame)
    _does(tracks, person, PUSHES)
    ahead = _facing(tracks, person, frame) * (tracks.sizes_m[person, 0] - PALM[0]) / 2
    high = foot_m(tracks, person, frame) + PALM_HIGH * float(tracks.sizes_m[person, 2])
    middle = np.array([[*(tracks.centres_m[person, frame, :2] + ahead), high]])
    at = slice(frame, frame + 1)
    palms = middle, tracks.rotations[person, at], np.array(PALM)
    gaps = {
        k: float(gap_m(palms, (tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]))[0])
        for k in _floor(tracks, person, frame)
    }
    first, *others = sorted(gaps, key=lambda k: gaps[k]) or [-1]
    if first < 0:
        raise Unanswerable("there is nothing to push")
    free = min((gaps[k] for k in others), default=math.inf)
    ratio = min(2 - gaps[first] / TOUCH_M, free / APART_M, _aspect(tracks, person, frame, BESIDE_DEG))
    return found(tracks, tracks.objects[first], ratio, gaps[first], "m", person, first)


def off_deg(tracks: VideoView, person: int, obj: int, frame: int) -> tuple[float, float]:
    """Return by how many degrees the nearest part and the middle of an object are off somebody's facing."""
    at = slice(frame, frame + 1)
    box = corners_m(tracks.centres_m[obj, at], tracks.rotations[obj, at], tracks.sizes_m[obj])[0]
    start, ahead = tracks.centres_m[person, frame, :2], _facing(tracks, person, frame)
    off = np.concatenate([box[:, :2], tracks.centres_m[obj, at, :2]]) - start
    angles = np.degrees(np.arctan2(ahead[0] * off[:, 1] - ahead[1] * off[:, 0], off @ ahead))
    if angles[:-1].min() < 0 < angles[:-1].max() and np.ptp(angles[:-1]) < 180:
        return 0.0, abs(float(angles[-1]))
    return float(np.abs(angles[:-1]).min()), abs(float(angles[-1]))


def looked_at(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of the one object straight ahead of somebody who stands or sits, all else well beside."""
    known(tracks, person, frame)
    _does(tracks, person, STANDS, SITS, SEATED)
    if posture(tracks, person, frame).value == HOLDS:
        raise Unanswerable("who holds something may look at that")
    start, at = tracks.centres_m[person, frame], slice(frame, frame + 1)
    eyes = foot_m(tracks, person, frame) + EYES * float(tracks.sizes_m[person, 2])
    own = start[None], tracks.rotations[person, at], tracks.sizes_m[person]
    off, near = {}, {}
    glimpsed = tracks.glimpsed_at(frame)
    for k in (k for k in things(tracks, person) if k in glimpsed):
        box = tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]
        near[k] = float(gap_m(own, box)[0])
        if 0 < near[k] <= OTHERS_M:
            off[k] = off_deg(tracks, person, k, frame)
    first, *others = sorted(off, key=lambda k: off[k][1]) or [-1]
    if first < 0 or near[first] < NEAR_M:
        raise Unanswerable("nothing is straight ahead, or what is is close by")
    top = foot_m(tracks, first, frame) + float(tracks.sizes_m[first, 2])
    drop = max(eyes - top, foot_m(tracks, first, frame) - eyes, 0.0)
    steep = math.degrees(math.atan2(drop, near[first]))
    ratio = min(
        2 - off[first][1] / AHEAD_DEG,
        min((off[k][0] for k in others), default=math.inf) / PLAIN_DEG,
        2 - steep / STEEP_DEG,
        2 - near[first] / LOOKS_M,
        _aspect(tracks, person, frame, LOOKS_BESIDE_DEG),
    )
    return found(tracks, tracks.objects[first], ratio, off[first][1], "deg", person, first)


Act = Callable[[VideoView, int, int], Measured]

DOES_TO: Mapping[str, tuple[str, Act]] = {
    SEATED: ("sits", sat_on),
    PUSHES: ("pushes", pushed_by),
    WALKS: ("walks", heads_for),
    STANDS: ("looks", looked_at),
}
"""What somebody does → what they do to an object, and what tells which one it is."""


def does_to(tracks: VideoView, person: int, obj: int, frame: int) -> Measured:
    """Return what somebody does to an object: sits on it, pushes it, walks to it, stands and looks at it."""
    known(tracks, obj, frame)
    said, act = DOES_TO.get(tracks.does[person] if tracks.does else "", ("", sat_on))
    one = act(tracks, person, frame)
    if not said or one.value != tracks.objects[obj]:
        raise Unanswerable("they have to do with something else, or with nothing")
    return Measured(said, truth=one.truth)


WITH: Mapping[str, Act] = {HOLDS: held_by, SEATED: sat_on, PUSHES: pushed_by}
"""What somebody does with one object → what tells which one it is."""


def doing(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return what somebody does, and the id of what they hold, sit on or push."""
    does = posture(tracks, person, frame)
    if does.value not in WITH:
        return does
    one = WITH[str(does.value)](tracks, person, frame)
    return Measured(f"{does.value} {one.value}", truth=one.truth)


_AT, _OBJ = ValueType.TIME, ValueType.OBJECT

declare(
    *(
        Operator(act.__name__, (_OBJ, _AT), ValueType.QUANTITY, measured(act), VIDEO)
        for act in (sat_on, pushed_by, looked_at, doing)
    ),
    Operator("does_to", (_OBJ, _OBJ, _AT), ValueType.QUANTITY, measured(does_to), VIDEO),
)
