"""What somebody does in a video of a room: which things, in which order, with what, and what comes next.

It is told by the record of who acts: what they do with what, from when to when. Beside what is told how far
it is from where the answer changes.

Ref: SEED-Bench §3.1, dimensions 10 to 12; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.pictured import ON_M, carrier_of, foot_m, found
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType
from fathom.programs.views.video import Array, Span, VideoView

DEEDS = ("sits", "rises", "picks", "puts", "pushes", "waves", "crouches", "stretches")
"""What is asked about: somebody sits down, gets up, picks up, puts down, pushes something over the
floor, waves, crouches, raises both arms."""

WALKS = "walks"

BEGUN_S: Mapping[str, tuple[float, float]] = {
    "sits": (0.4, 0.7),
    "rises": (0.3, 0.6),
    "picks": (0.4, 0.7),
    "puts": (0.55, 0.8),
    "pushes": (0.35, 0.6),
    "waves": (0.2, 0.37),
    "crouches": (0.22, 0.41),
    "stretches": (0.24, 0.42),
}
"""How long after something has begun a video may stop that asks what is done next: body and hands are on
their way, and not yet there."""

LEAST_S = 2.0
"""A video that asks what comes next lasts as long at least: a story has to have begun."""

SEAT_M = 0.9
"""Who crouches has no seat so near behind."""

UNDER_WAY = (0.4, 0.75)
"""How much of their way somebody has gone when a video stops that asks where they go."""

BESIDE_M, NEXT_M, AHEAD_RAD = 0.5, 0.25, math.radians(40.0)
"""What somebody walks to is no farther from where they stop, nearer than all else by so much, and no farther
off the way before them."""


@dataclass(frozen=True)
class Deed:
    """One thing that somebody does, with which object (−1 for none), from when to when."""

    deed: str
    obj: int
    begin_s: float
    end_s: float


def deeds_of(tracks: VideoView, person: int) -> list[Deed]:
    """Return what somebody does, in order. Raises Unanswerable where they do not act."""
    said = tracks.acts[person] if tracks.acts else ""
    if not said:
        raise Unanswerable("it is nobody who acts")
    out = []
    for words in said.split("; "):
        deed, obj, begin, end = words.split()
        out.append(Deed(deed, tracks.objects.index(obj) if obj != "-" else -1, float(begin), float(end)))
    return out


def _once(tracks: VideoView, person: int, deed: str) -> Deed:
    done = [d for d in deeds_of(tracks, person) if d.deed == deed]
    if len(done) != 1:
        raise Unanswerable(f"it is done {len(done)} times")
    return done[0]


def does_deed(tracks: VideoView, person: int, span: Span, deed: str) -> Measured:
    """Return the deed, and the id of what it is done with if with anything, where somebody does it once."""
    done = _once(tracks, person, deed)
    said = f"{deed} {tracks.objects[done.obj]}" if done.obj >= 0 else deed
    return found(tracks, said, 2.0, done.end_s - done.begin_s, "s", person)


def deed_object(tracks: VideoView, person: int, span: Span, deed: str) -> Measured:
    """Return the id of what somebody does something with that they do once: what they pick up, sit down on,
    get up from or push.
    """
    done = _once(tracks, person, deed)
    if done.obj < 0:
        raise Unanswerable("it is done with nothing")
    return found(tracks, tracks.objects[done.obj], 2.0, done.end_s - done.begin_s, "s", person, done.obj)


def put_on(tracks: VideoView, person: int, obj: int, span: Span) -> Measured:
    """Return the id of what somebody puts something down on that they put down once, and leave there."""
    if _once(tracks, person, "puts").obj != obj:
        raise Unanswerable("they put down something else")
    under = carrier_of(tracks, obj, span[1])
    if under.value not in tracks.objects:
        raise Unanswerable("it is put on nothing")
    return under


def deed_order(tracks: VideoView, person: int, span: Span, deeds: str) -> Measured:
    """Return the order in which somebody does some things, each once, by their places: "2 1 3"."""
    wanted = deeds.split("+")
    done = [d for d in deeds_of(tracks, person) if d.deed in wanted]
    if sorted(d.deed for d in done) != sorted(wanted):
        raise Unanswerable("one of them is not done, or more than once")
    apart = min(b.begin_s - a.end_s for a, b in pairwise(done))
    order = " ".join(str(wanted.index(d.deed) + 1) for d in done)
    return found(tracks, order, 2.0 if apart >= 0 else 0.0, apart, "s", person)


def next_deed(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return what somebody has just begun to do at a frame, and not yet done."""
    now = _seen_until_s(tracks, frame)
    every = deeds_of(tracks, person)
    own = next((d for d in every if d.begin_s <= now <= d.end_s and d.deed in DEEDS), None)
    if own is None:
        raise Unanswerable("nothing has begun")
    low, high = BEGUN_S[own.deed]
    if not low <= now - own.begin_s <= high:
        raise Unanswerable("it has hardly begun, or is done already")
    if own.deed == "crouches" and any(_seat_gap_m(tracks, person, d.obj, frame) < SEAT_M for d in every):
        raise Unanswerable("there is a seat behind: they could sit down")
    return found(tracks, own.deed, 2.0, now - own.begin_s, "s", person)


def _seen_until_s(tracks: VideoView, frame: int) -> float:
    """Return when a video stops. Raises Unanswerable where it shows too little of a story."""
    now = float(tracks.times_s[frame])
    if now - float(tracks.times_s[0]) < LEAST_S:
        raise Unanswerable("the story has hardly begun")
    return now


def _seat_gap_m(tracks: VideoView, person: int, obj: int, frame: int) -> float:
    if obj < 0 or foot_m(tracks, obj, frame) > ON_M:
        return math.inf
    return _gaps(tracks, person, tracks.positions_m[person, frame], frame)[obj]


def walks_next(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of what somebody walks to who is under way at a frame."""
    now = _seen_until_s(tracks, frame)
    own = next((d for d in deeds_of(tracks, person) if d.deed == WALKS and d.begin_s < now < d.end_s), None)
    if own is None or own.obj < 0:
        raise Unanswerable("nobody is on the way to anything")
    first, last = (int(np.argmin(np.abs(tracks.times_s - t))) for t in (own.begin_s, own.end_s))
    start, here, end = (tracks.positions_m[person, f] for f in (first, frame, last))
    share = float(np.linalg.norm(here - start)) / max(float(np.linalg.norm(end - start)), 1e-9)
    if not UNDER_WAY[0] <= share <= UNDER_WAY[1]:
        raise Unanswerable("their way so far does not tell where they go")
    gaps = _gaps(tracks, person, end, last)
    floor = [k for k in gaps if foot_m(tracks, k, frame) <= ON_M]
    nearest, *others = sorted(floor, key=lambda k: gaps[k])
    if nearest != own.obj or gaps[nearest] > BESIDE_M:
        raise Unanswerable("something else is where they stop")
    off = tracks.centres_m[nearest, frame, :2] - here[:2]
    way = (end - here)[:2]
    cosine = float(off @ way) / max(float(np.linalg.norm(off) * np.linalg.norm(way)), 1e-9)
    least = min((gaps[k] for k in others), default=math.inf) - gaps[nearest]
    ratio = min(least / NEXT_M, 1.0 + (cosine - math.cos(AHEAD_RAD)) * 4)
    return found(tracks, tracks.objects[nearest], ratio, least, "m", person, nearest)


def _gaps(tracks: VideoView, person: int, place: Array, frame: int) -> dict[int, float]:
    """Return how far each object is at a frame from somebody at a place (3,)."""
    low = np.array([*place[:2], 0.5])[None]
    own = low, np.eye(3)[None], np.array([0.3, 0.3, 1.0])
    out = {}
    for k in range(len(tracks.objects)):
        if k != person and not tracks.stands[k]:
            at = slice(frame, frame + 1)
            out[k] = float(
                gap_m(own, (tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]))[0]
            )
    return out


_OBJ, _AT, _SPAN = ValueType.OBJECT, ValueType.TIME, ValueType.SPAN

declare(
    Operator("put_on", (_OBJ, _OBJ, _SPAN), ValueType.QUANTITY, measured(put_on), VIDEO),
    *(
        Operator(act.__name__, (_OBJ, _SPAN), ValueType.QUANTITY, measured(act), VIDEO, ("text",))
        for act in (does_deed, deed_object, deed_order)
    ),
    Operator("next_deed", (_OBJ, _AT), ValueType.QUANTITY, measured(next_deed), VIDEO),
    Operator("walks_next", (_OBJ, _AT), ValueType.QUANTITY, measured(walks_next), VIDEO),
)
