"""What people in a picture do, in the second derivation: from the extents and places that the picture gives.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.pictured import LEVEL_M, bottom_m, known_objects, rests_on
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, word

PEOPLE = ("man", "woman")
TOP, TOP_POINTS = 0.88, 3
"""Above which part of their height the head is, of which so many points are seen."""

SLIM, STRIDE, SITS = 0.28, 0.45, 0.36
"""Who stands is no longer from front to back than this, ÷ their height, who walks and who sits longer."""

BACK, UPRIGHT, OVER, FORTH = -0.09, -0.086, 0.12, 0.15
"""Who sits has the head at most so far before the middle, who pushes at least as far as the last, all others
between the two in the middle, ÷ their height."""

LOW_M, HIGH_M = 1.12, 1.2
"""Who sits on the floor is no higher, who is seated on something no lower."""

FLAT = 0.4
"""Who lies is no higher than this, ÷ their length."""

WHOLE = 0.93
"""Of whom a smaller share is seen, legs or feet may be hidden: who walks looks like somebody who stands."""

KNEES, LEG_POINTS, TOGETHER, BOTH = (0.2, 0.39), 8, 0.125, 0.13
"""Between which heights both legs are seen then, ÷ height, by so many points; how far they reach from front
to back at most, and from side to side at least: of who walks one leg is ahead."""

SHINS = 0.23
"""Down to which height legs are seen at least, ÷ height: of who walks they are together over the knees."""

PASSES_M, NARROWER = 0.22, 0.8
NEAREST_M, REACHES_M = 0.15, 0.48
HAND_M, HANGS_M = 0.06, 0.06


def does(video: ObservedVideo, obj: int) -> str:
    """Return what somebody does, by how long they are, and by how far their head is before their middle."""
    if video.names[obj] not in PEOPLE:
        raise NoAnswer
    long, _, high = video.size(obj).tolist()
    if high <= FLAT * long:
        return "lies"
    rest = video.surfaces[obj][0]
    head = rest[rest[:, 2] >= TOP * high, 0]
    if len(head) < TOP_POINTS:
        raise InsufficientEvidence
    lean, share = float(np.median(head)) / high, long / high
    if lean >= FORTH:
        return "pushes"
    if lean <= BACK and share >= SITS and not LOW_M < high < HIGH_M:
        return "sits" if high <= LOW_M else "seated"
    if UPRIGHT <= lean <= OVER and share >= STRIDE:
        return "walks"
    whole = float(video.shares[:, obj].max()) >= WHOLE
    if UPRIGHT <= lean <= OVER and share <= SLIM and (whole or _legs_together(rest / high)):
        return "stands"
    raise InsufficientEvidence


def _legs_together(points: Array) -> bool:
    """Return whether points (k, 3) of somebody, ÷ their height, show both legs, neither before the other."""
    low, high = KNEES
    legs = points[(points[:, 2] >= low) & (points[:, 2] <= high)]
    if len(legs) < LEG_POINTS or float(legs[:, 2].min()) > SHINS:
        return False
    long, wide, _ = np.ptp(legs, axis=0)
    return bool(long <= TOGETHER and wide >= BOTH)


def way_to(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what the ray along which somebody walks meets first."""
    if does(video, person) != "walks":
        raise NoAnswer
    start, ahead = middle(video, person, frame)[:2], video.turn(person, frame)[:2, 0]
    met, passed = {}, {}
    for k in known_objects(video, frame, person):
        if abs(bottom_m(video, k, frame)) > LEVEL_M:
            continue
        own, half = video.turn(k, frame)[:2, :2], video.size(k)[:2] / 2
        off = middle(video, k, frame)[:2] - start
        steps = np.linspace(0.0, 4.0, 240)[:, None] * ahead / np.linalg.norm(ahead)
        local = np.abs((steps - off) @ own)
        far = float(np.hypot(*off))
        if (local <= NARROWER * half).all(axis=1).any():
            met[k] = far
        passed[k] = (far, float(np.hypot(*np.clip(local - half, 0.0, None).T).min()))
    if not met:
        raise InsufficientEvidence
    first = min(met, key=lambda k: met[k])
    if any(far < met[first] + 0.2 and gap < PASSES_M for k, (far, gap) in passed.items() if k != first):
        raise InsufficientEvidence
    return word(video.objects[first])


def held(video: ObservedVideo, person: int, frame: int) -> list[int]:
    """Return what hangs at somebody's hand, on nothing."""
    low, high = bottom_m(video, person, frame), float(video.size(person)[2])
    out = []
    for k in known_objects(video, frame, person):
        foot = bottom_m(video, k, frame)
        top = (foot + float(video.size(k)[2]) - low) / high
        if (
            video.names[k] in PEOPLE
            or foot < HANGS_M
            or not 0.2 <= top <= 0.85
            or box_gap_m(video, person, k, frame) > HAND_M
        ):
            continue
        others = (j for j in known_objects(video, frame, k) if j != person)
        if not any(rests_on(video, k, j, frame) for j in others):
            out.append(k)
    return out


def beside(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return what on the floor is nearest to somebody who does not walk."""
    if does(video, person) not in ("stands", "sits"):
        raise NoAnswer
    near = (k for k in known_objects(video, frame, person) if abs(bottom_m(video, k, frame)) <= LEVEL_M)
    gaps = {k: box_gap_m(video, person, k, frame) for k in near}
    first, *others = sorted(gaps, key=lambda k: gaps[k]) or [-1]
    if first < 0 or gaps[first] > REACHES_M:
        raise InsufficientEvidence
    if min((gaps[k] for k in others), default=math.inf) - gaps[first] < NEAREST_M:
        raise InsufficientEvidence
    return word(video.objects[first])


def holds(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return the one object that somebody holds."""
    if video.names[person] not in PEOPLE:
        raise NoAnswer
    some = held(video, person, frame)
    if len(some) != 1:
        raise InsufficientEvidence
    return word(video.objects[some[0]])


def what_is_done(video: ObservedVideo, person: int, frame: int) -> DerivedAnswer:
    """Return whether somebody walks, pushes, sits, is seated, lies, stands, or stands and holds something."""
    said = does(video, person)
    return word("holds" if said == "stands" and held(video, person, frame) else said)


declare(
    VIDEO,
    {
        "heads_for": measure(way_to),
        "right_beside": measure(beside),
        "held_by": measure(holds),
    },
)
