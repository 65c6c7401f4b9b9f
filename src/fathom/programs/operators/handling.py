"""What is done with objects in a video of a table: how each is moved, in which order, and where one is going.

Ref: SEED-Bench §3.1, dimensions 10 to 12; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.pictured import level_deg, on_ratio
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, TruthValue, Unanswerable, ValueType
from fathom.programs.views.video import Array, Mask, Span, VideoView

SLIDES = ("farther", "left", "nearer", "right")
"""Which way an object slides as the camera sees it: away from it, to the left, towards it, to the right. It
may also be turned on the spot, or lifted and put down elsewhere."""

SECTOR_DEG = 20.0
"""How far the way of what slides is at least from the border between two of four directions."""

RESTS_M, RESTS_DEG = 1e-4, 0.02
"""What moves and turns by less from one frame to the next rests."""

PAUSE_S = 0.12
"""Moves with shorter breaks are one."""

SLID_M, LIFTED_M, TURNED_DEG = 0.04, 0.025, 20.0
"""From when on an object is slid, lifted, turned: as far off again it certainly is not, ÷ `LESS`."""

LESS = 3.0

UNDER_WAY = (0.5, 0.75)
"""How much of its way an object has done when a video stops, at least and at most."""

STRAIGHT_DEG, ON_M = 25.0, 0.06
"""How much the rest of a way may be turned against what was seen of it; how much farther on is looked."""

BESIDE_M = 0.2
"""What an object is put down beside is no farther off."""

NEXT_M = 0.03
"""By so much it is nearer than anything else."""

UNEVEN = 1.25
"""Of what has no front, one side is so many times as long as the other where anybody would see it turn."""

COMES_M = 0.1
"""What an object is put down beside it has come nearer to by so much; at first it is not beside it."""

SHIFT_M, SHIFT = 0.06, 0.65
"""How far an object gets of which it is said that it is moved elsewhere, in metres and ÷ its longer side; who
looks from a camera that moves may miss less."""

IN_ORDER = (3, 4)
"""Of so many objects the order is told in which they are moved."""

ORDER_S = 0.4
"""What begins so much later than something else clearly begins later."""


def _moving(tracks: VideoView, obj: int, span: Span) -> Mask:
    """Return (n − 1,) whether an object moves from each frame of a span to the next."""
    rows = slice(span[0], span[1] + 1)
    steps = np.linalg.norm(np.diff(tracks.positions_m[obj, rows], axis=0), axis=1)
    turns = tracks.rotations[obj, rows]
    cosines = (np.einsum("fij,fij->f", turns[1:], turns[:-1]) - 1) / 2
    return np.asarray((steps > RESTS_M) | (np.degrees(np.arccos(np.clip(cosines, -1, 1))) > RESTS_DEG))


def moves_of(tracks: VideoView, obj: int, span: Span) -> list[Span]:
    """Return the moves of an object in a span: the frames at which each begins and ends."""
    found: list[list[int]] = []
    pause = max(1, round(PAUSE_S / tracks.period_s))
    for k in np.flatnonzero(_moving(tracks, obj, span)).tolist():
        if found and span[0] + k - found[-1][1] <= pause:
            found[-1][1] = span[0] + k + 1
        else:
            found.append([span[0] + k, span[0] + k + 1])
    return [(a, b) for a, b in found]


def _one_move(tracks: VideoView, obj: int, span: Span) -> Span:
    moves = moves_of(tracks, obj, span)
    if len(moves) != 1 or moves[0][0] <= span[0] or moves[0][1] >= span[1]:
        raise Unanswerable(f"{tracks.objects[obj]} is moved {len(moves)} times, or at an end of the video")
    return moves[0]


def _carried(tracks: VideoView, obj: int, frame: int) -> bool:
    others = (k for k in range(len(tracks.objects)) if k != obj and not tracks.stands[k])
    return any(on_ratio(tracks, obj, k, frame) > 0 for k in others)


def _word(tracks: VideoView, word: str, ratio: float, value: float, unit: str, *objects: int) -> Measured:
    if ratio <= 0:
        raise Unanswerable("it is on the border between two answers")
    return Measured(
        word, truth=TruthValue(ratio, word, value, unit, tuple(tracks.objects[k] for k in objects))
    )


def handling(tracks: VideoView, obj: int, span: Span) -> Measured:
    """Return what is done with an object that is moved once in a span: slid (`SLIDES`), turned or lifted."""
    first, last = _one_move(tracks, obj, span)
    way = tracks.positions_m[obj, first : last + 1]
    gone = float(np.linalg.norm(way[-1, :2] - way[0, :2]))
    # What is put on something rises in any case: lifted is what was higher than at both its ends.
    rise = float(way[:, 2].max() - max(way[0, 2], way[-1, 2]))
    if rise >= LIFTED_M:
        if _carried(tracks, obj, last):
            raise Unanswerable("it is put on something")
        return _word(tracks, "lifted", rise / LIFTED_M, rise, "m", obj)
    if rise > LIFTED_M / LESS:
        raise Unanswerable("nobody could say whether it is lifted")
    if gone >= SLID_M:
        word, inside = _direction(tracks, way[-1] - way[0], (first + last) // 2)
        ratio = min(gone / SLID_M, _shifted(tracks, obj, (first, last)), inside / SECTOR_DEG)
        return _word(tracks, word, ratio, gone, "m", obj)
    if not shows_turns(tracks, obj):
        raise Unanswerable("it looks the same from all sides, or nearly")
    turned = _turned_deg(tracks, obj, first, last)
    ratio = min(turned / TURNED_DEG, (SLID_M / LESS - gone) / (SLID_M / LESS) * 2)
    return _word(tracks, "turned", ratio if turned >= TURNED_DEG else 0.0, turned, "deg", obj)


def _direction(tracks: VideoView, way: Array, frame: int) -> tuple[str, float]:
    """Return which way something slides that goes along a way (3,), and how far that is from the border."""
    angle = level_deg(tracks, way, frame)
    k = round(angle / 90.0) % 4
    return SLIDES[k], 45.0 - abs(math.remainder(angle - 90.0 * k, 360.0))


def shows_turns(tracks: VideoView, obj: int) -> bool:
    """Return whether it can be seen that an object turns on the spot: by its front, or as it is long."""
    short, long = sorted(tracks.sizes_m[obj, :2].tolist())
    return bool(tracks.fronts[obj] or long >= UNEVEN * short)


def _turned_deg(tracks: VideoView, obj: int, first: int, last: int) -> float:
    """Return how far an object turns altogether about the vertical."""
    ahead = tracks.rotations[obj, first : last + 1, :2, 0]
    yaw = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    return math.degrees(float(np.ptp(yaw)))


def moved_order(tracks: VideoView, objects: Sequence[int], span: Span) -> Measured:
    """Return the order in which several objects are moved, each once, by their places: "2 1 4 3"."""
    moves = [_one_move(tracks, k, span) for k in objects]
    shifted = min(_shifted(tracks, k, move) for k, move in zip(objects, moves, strict=True))
    if shifted < 1:
        raise Unanswerable("one of them hardly leaves its place, or only turns")
    order = sorted(range(len(objects)), key=lambda i: moves[i][0])
    begins = tracks.times_s[[moves[i][0] for i in order]]
    ends = tracks.times_s[[moves[i][1] for i in order]]
    apart = float(min(begins[1:] - ends[:-1]))
    return _word(
        tracks, " ".join(str(i + 1) for i in order), min(apart / ORDER_S, shifted), apart, "s", *objects
    )


def _moved_order(tracks: VideoView, *objects_and_span: Any) -> Measured:
    """Return the order of moves, as a program asks for it: of some objects, and at last a span."""
    *objects, span = objects_and_span
    return moved_order(tracks, objects, span)


def _shifted(tracks: VideoView, obj: int, move: Span) -> float:
    """Return how far an object gets from where it was in one move, ÷ what anybody notices."""
    way = tracks.positions_m[obj, move[0] : move[1] + 1]
    far = float(np.linalg.norm(way - way[0], axis=1).max())
    return far / max(SHIFT_M, SHIFT * float(tracks.sizes_m[obj, :2].max()))


def _gaps(tracks: VideoView, obj: int, place: Array, frame: int) -> dict[int, float]:
    """Return how far each other object is from one that would stand at a place as it does at a frame."""
    at = slice(frame, frame + 1)
    centre = place + np.array([0.0, 0.0, float(tracks.sizes_m[obj, 2]) / 2])
    own = centre[None], tracks.rotations[obj, at], tracks.sizes_m[obj]
    return {
        k: float(gap_m(own, (tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]))[0])
        for k in range(len(tracks.objects))
        if k != obj and not tracks.stands[k]
    }


def ends_beside(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return the id of what an object is put down beside that is under way at a frame, where its way so far
    points there.
    """
    whole = (0, tracks.frames - 1)
    first, last = _one_move(tracks, obj, whole)
    if not first < frame < last or _carried(tracks, obj, last):
        raise Unanswerable("it is not under way, or is put on something")
    start, now, end = (tracks.positions_m[obj, f] for f in (first, frame, last))
    way, rest = (now - start)[:2], (end - now)[:2]
    far = float(np.linalg.norm((end - start)[:2]))
    done = float(np.linalg.norm(way)) / max(far, 1e-9)
    cosine = float(way @ rest) / max(float(np.linalg.norm(way) * np.linalg.norm(rest)), 1e-9)
    if not UNDER_WAY[0] <= done <= UNDER_WAY[1] or cosine < math.cos(math.radians(STRAIGHT_DEG)):
        raise Unanswerable("its way so far does not tell where it goes")
    later = moved_later(tracks, obj, frame)
    gaps = _gaps(tracks, obj, end, last)
    answer, *others = sorted(gaps, key=lambda k: gaps[k])
    onward = end + np.append(way / np.linalg.norm(way), 0.0) * ON_M
    ahead = _gaps(tracks, obj, onward, last)
    if answer in later or min(ahead, key=lambda k: ahead[k]) != answer or gaps[answer] > BESIDE_M:
        raise Unanswerable("nothing that stands still is beside the place where its way points")
    least = min((gaps[k] for k in others), default=math.inf) - gaps[answer]
    comes = start_gaps_m(tracks, obj)[answer] - gaps[answer]
    return _word(
        tracks, tracks.objects[answer], min(least / NEXT_M, comes / COMES_M), least, "m", obj, answer
    )


def start_gaps_m(tracks: VideoView, obj: int) -> dict[int, float]:
    """Return how far each other object is from one that is moved, at the time when it begins to move."""
    first, _ = _one_move(tracks, obj, (0, tracks.frames - 1))
    return _gaps(tracks, obj, tracks.positions_m[obj, first], first)


def moved_later(tracks: VideoView, obj: int, frame: int) -> set[int]:
    """Return the other objects that are moved at a frame or later."""
    rest = (frame, tracks.frames - 1)
    return {
        k
        for k in range(len(tracks.objects))
        if k != obj and not tracks.stands[k] and moves_of(tracks, k, rest)
    }


_OBJ, _SPAN = ValueType.OBJECT, ValueType.SPAN

declare(
    Operator("handling", (_OBJ, _SPAN), ValueType.QUANTITY, measured(handling), VIDEO),
    *(
        Operator("moved_order", (*(_OBJ,) * many, _SPAN), ValueType.QUANTITY, measured(_moved_order), VIDEO)
        for many in IN_ORDER
    ),
    Operator("ends_beside", (_OBJ, ValueType.TIME), ValueType.QUANTITY, measured(ends_beside), VIDEO),
)
