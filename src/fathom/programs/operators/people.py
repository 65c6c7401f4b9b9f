"""What people in a picture do: where they walk, what they stand beside, what they hold.

Each function gives a word, or the id of an object as a word, and how far it is from where the answer changes.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.pictured import ON_M, foot_m, found, off_way_m, on_ratio
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType
from fathom.programs.views.video import VideoView

WALKS, STANDS, SITS, HOLDS = "walks", "stands", "sits", "holds"
SEATED, PUSHES, LIES = "seated", "pushes", "lies"
"""What people do; who sits does so on the floor, who is seated on something, who lies on a bed."""

AHEAD_M, CORE, CLEAR_M = 4.0, 0.7, 0.3
"""How far ahead of somebody who walks is looked; through this share of what they come to their way goes; and
how far off it everything is that they pass."""

BESIDE_M, NEXT_M = 0.45, 0.2
"""What somebody is beside is no farther off, and nearer than all else by so much."""

GRIP_M, LIFTED_M = 0.05, 0.08
"""How near what is held is to who holds it, and how far from everything that it could stand on."""

REACH = (0.25, 0.8)
"""Between which heights the top of what is held is, ÷ the height of who holds it."""


def things(tracks: VideoView, but: int) -> list[int]:
    """Return what a person can have to do with: neither structure nor writing, and not themselves."""
    return [k for k, still in enumerate(tracks.stands) if k != but and not still and not tracks.texts[k]]


def _does(tracks: VideoView, obj: int) -> str:
    if not tracks.does[obj]:
        raise Unanswerable("it is nobody")
    return tracks.does[obj]


def heads_for(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of what somebody who walks comes to first, straight ahead."""
    known(tracks, person, frame)
    if _does(tracks, person) != WALKS:
        raise Unanswerable("nobody walks")
    start = tracks.centres_m[person, frame, :2]
    ahead = tracks.rotations[person, frame, :2, 0]
    ends = np.stack([start, start + AHEAD_M * ahead / np.linalg.norm(ahead)])
    floor = [k for k in things(tracks, person) if foot_m(tracks, k, frame) <= ON_M]
    hit = [k for k in floor if off_way_m(tracks, k, ends, frame, CORE) == 0.0]
    far = {k: float(np.linalg.norm(tracks.centres_m[k, frame, :2] - start)) for k in floor}
    if not hit:
        raise Unanswerable("there is nothing ahead")
    first = min(hit, key=lambda k: far[k])
    nearer = [k for k in floor if k != first and far[k] < far[first] + CLEAR_M]
    free = min((off_way_m(tracks, k, ends, frame, 1.0) for k in nearer), default=math.inf)
    return found(tracks, tracks.objects[first], free / CLEAR_M, free, "m", person, first)


def gaps_m(tracks: VideoView, person: int, frame: int) -> dict[int, float]:
    """Return how far each object is from somebody."""
    at = slice(frame, frame + 1)

    def box(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]

    return {k: float(gap_m(box(person), box(k))[0]) for k in things(tracks, person)}


def _in_hand(tracks: VideoView, person: int, frame: int) -> list[int]:
    """Return what somebody holds: it is at their hand, and stands on nothing."""
    foot, high = foot_m(tracks, person, frame), float(tracks.sizes_m[person, 2])
    held = []
    for k, gap in gaps_m(tracks, person, frame).items():
        if tracks.does[k]:
            continue
        top = foot_m(tracks, k, frame) + float(tracks.sizes_m[k, 2]) - foot
        near = gap <= GRIP_M and REACH[0] * high <= top <= REACH[1] * high
        others = [j for j in things(tracks, k) if j != person]
        hangs = foot_m(tracks, k, frame) >= LIFTED_M and all(
            on_ratio(tracks, k, j, frame) <= -1 for j in others
        )
        held += [k] if near and hangs else []
    return held


def right_beside(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of what on the floor somebody stands or sits beside."""
    known(tracks, person, frame)
    if _does(tracks, person) not in (STANDS, SITS):
        raise Unanswerable("who walks is beside nothing for long, and who touches something is at that")
    every = gaps_m(tracks, person, frame)
    gaps = {k: gap for k, gap in every.items() if foot_m(tracks, k, frame) <= ON_M}
    first, *others = sorted(gaps, key=lambda k: gaps[k]) or [-1]
    if first < 0 or gaps[first] > BESIDE_M:
        raise Unanswerable("there is nothing beside")
    more = min((gaps[k] for k in others), default=math.inf) - gaps[first]
    ratio = min(more / NEXT_M, (BESIDE_M - gaps[first]) / (BESIDE_M / 4))
    return found(tracks, tracks.objects[first], ratio, more, "m", person, first)


def held_by(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return the id of the one object that somebody holds."""
    known(tracks, person, frame)
    _does(tracks, person)
    held = _in_hand(tracks, person, frame)
    if len(held) != 1:
        raise Unanswerable(f"{len(held)} objects are held")
    free = foot_m(tracks, held[0], frame)
    return found(tracks, tracks.objects[held[0]], free / LIFTED_M, free, "m", person, held[0])


def posture(tracks: VideoView, person: int, frame: int) -> Measured:
    """Return what somebody does: walks, stands, holds or pushes something, sits or lies on something."""
    known(tracks, person, frame)
    does = _does(tracks, person)
    held = _in_hand(tracks, person, frame) if does == STANDS else []
    if held and not tracks.clear_in((frame, frame))[0][held].all():
        raise Unanswerable("it does not show that there is something in a hand")
    does = HOLDS if held else does
    return found(tracks, does, 2.0, 1.0, "people", person)


_AT, _OBJ = ValueType.TIME, ValueType.OBJECT

declare(
    *(
        Operator(act.__name__, (_OBJ, _AT), ValueType.QUANTITY, measured(act), VIDEO)
        for act in (heads_for, right_beside, held_by)
    )
)
