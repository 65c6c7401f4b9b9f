"""What is done with objects on a table, in the second derivation: from where they lie in the frames shown.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fathom.verify.observed.tracks import Array, Ints
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.frames import Args, Filmed
from fathom.verify.operators.pictured import rests_on
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import level_view, middle
from fathom.verify.registry import VIDEO, bare, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Span, Value, word

STIRS_M, STIRS_DEG = 2e-3, 1.0
"""Between two frames shown an object was moved where it lies so differently."""

SLID_M, LIFTED_M, TURNED_DEG = 0.035, 0.02, 17.0
SLIDES_NOT_M, RISES_NOT_M = 0.014, 0.009
SHIFTS_M, OF_ITS_SIDE = 0.05, 0.55
"""What is moved by less, in metres or ÷ its longer side, has no place in an order."""

NEAREST_M, BESIDE_M, NEARER_M = 0.022, 0.21, 0.08

PLAINLY = 0.7
"""How much less something slides across the view than along it, or along it than across it."""

SQUARE = 1.15
"""What has no front, and sides that differ by less, looks the same turned."""


def _frames(video: ObservedVideo, span: Span) -> Ints:
    return np.asarray(video.shown[video.among(span)])


def _yaws_deg(video: ObservedVideo, obj: int, frames: Ints) -> Array:
    ahead = np.array([video.turn(obj, int(f), exact=True)[:2, 0] for f in frames])
    return np.asarray(np.degrees(np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))))


def _known(video: ObservedVideo, obj: int, frames: Ints) -> Ints:
    """Return the frames that give an object's pose. Raises InsufficientEvidence where one of the ends, or
    many, do not.
    """
    own = {int(f) for f, fit in zip(video.shown, video.fits[obj], strict=True) if fit is not None}
    found = [int(f) for f in frames if int(f) in own]
    if len(found) < 0.8 * len(frames) or {int(frames[0]), int(frames[-1])} - own:
        raise InsufficientEvidence
    return np.array(found)


def _move(video: ObservedVideo, obj: int, span: Span) -> tuple[Ints, Array, Array, list[int]]:
    """Return the frames that show an object, its places and yaws, and after which of them it moves."""
    frames = _known(video, obj, _frames(video, span))
    places = np.array([middle(video, obj, int(f)) for f in frames])
    yaws = _yaws_deg(video, obj, frames)
    stirs = (np.linalg.norm(np.diff(places, axis=0), axis=1) > STIRS_M) | (np.abs(np.diff(yaws)) > STIRS_DEG)
    return frames, places, yaws, np.flatnonzero(stirs).tolist()


def done_with(video: ObservedVideo, obj: int, span: Span) -> DerivedAnswer:
    """Return what is done with an object that is moved once."""
    frames, places, yaws, steps = _move(video, obj, span)
    if not steps or steps[-1] - steps[0] + 1 != len(steps):
        raise NoAnswer
    first, last = steps[0], steps[-1] + 1
    high = places[first : last + 1, 2]
    rise = float(high.max() - max(high[0], high[-1]))
    if rise >= LIFTED_M:
        others = [k for k in range(len(video.objects)) if k != obj]
        if any(_rests(video, obj, k, int(frames[last])) for k in others):
            raise NoAnswer
        return word("lifted")
    gone = float(np.linalg.norm((places[last] - places[first])[:2]))
    if rise > RISES_NOT_M or last - first < 2:
        raise InsufficientEvidence
    if gone >= SLID_M:
        return _slides(video, places[last] - places[first], int(frames[(first + last) // 2]))
    if gone > SLIDES_NOT_M or float(np.ptp(yaws[first : last + 1])) < TURNED_DEG:
        raise InsufficientEvidence
    short, long = sorted(video.size(obj)[:2].tolist())
    if not video.fronts[obj] and long < SQUARE * short:
        raise InsufficientEvidence
    return word("turned")


def _slides(video: ObservedVideo, way: Array, frame: int) -> DerivedAnswer:
    """Return which way something slides in the level view of the camera."""
    right, ahead, _ = level_view(video, frame) @ way
    across, along = abs(float(right)), abs(float(ahead))
    if min(across, along) > PLAINLY * max(across, along):
        raise InsufficientEvidence
    if across > along:
        return word("right" if right > 0 else "left")
    return word("farther" if ahead > 0 else "nearer")


def _rests(video: ObservedVideo, obj: int, carrier: int, frame: int) -> bool:
    try:
        return rests_on(video, obj, carrier, frame)
    except InsufficientEvidence:
        return False


def order_of_moves(video: ObservedVideo, objects: Sequence[int], span: Span) -> DerivedAnswer:
    """Return the order in which some objects are moved, none before another has come to rest."""
    spans = []
    for obj in objects:
        frames, places, _, steps = _move(video, obj, span)
        if not steps or steps[-1] - steps[0] + 1 != len(steps):
            raise NoAnswer
        least = max(SHIFTS_M, OF_ITS_SIDE * float(video.size(obj)[:2].max()))
        if float(np.linalg.norm(places - places[0], axis=1).max()) < least:
            raise NoAnswer
        spans.append((int(frames[steps[0]]), int(frames[steps[-1] + 1])))
    order = sorted(range(len(spans)), key=lambda i: spans[i])
    apart = all(spans[a][0] < spans[b][0] and spans[a][1] <= spans[b][1] for a, b in pairwise(order))
    if not apart:
        raise InsufficientEvidence
    return word(" ".join(str(i + 1) for i in order))


def _in_order(attempt: Filmed, inputs: list[Value], args: Args) -> DerivedAnswer:
    """Return what an operator does that takes objects, however many, and a span."""
    *objects, span = map(bare, inputs)
    return order_of_moves(attempt.observed, objects, span)


def goes_beside(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    """Return what an object that is under way is put down beside: what is nearest when it comes to rest."""
    frames, _, _, steps = _move(video, obj, (0, len(video.times_s) - 1))
    if not steps or not frames[steps[0]] <= frame <= frames[steps[-1] + 1]:
        raise NoAnswer
    last = int(frames[steps[-1] + 1])
    gaps = {}
    for k in range(len(video.objects)):
        if k != obj:
            try:
                gaps[k] = box_gap_m(video, obj, k, last)
            except InsufficientEvidence:
                gaps[k] = math.nan
    if any(math.isnan(gap) for gap in gaps.values()):
        raise InsufficientEvidence
    first, *others = sorted(gaps, key=lambda k: gaps[k])
    least = min((gaps[k] for k in others), default=math.inf) - gaps[first]
    if least < NEAREST_M or gaps[first] > BESIDE_M:
        raise InsufficientEvidence
    if box_gap_m(video, obj, first, int(frames[steps[0]])) - gaps[first] < NEARER_M:
        raise InsufficientEvidence
    return word(video.objects[first])


declare(
    VIDEO,
    {
        "handling": measure(done_with),
        "moved_order": _in_order,
        "ends_beside": measure(goes_beside),
    },
)
