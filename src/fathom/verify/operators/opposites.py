"""Lower, farther, below, far apart, behind and on the right, in the second derivation.

Each is worked out from what the pictures give, and not by asking for its opposite.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import middle
from fathom.verify.operators.viewpoints import (
    BORDER_DEG,
    CLEAR_M,
    LEAST_M,
    TOLD,
    UNDER_SHARE,
    bearing_deg,
    clear_of,
    corners,
    least_height_m,
    reaches_past,
    shared,
    together,
    where,
)
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import DerivedAnswer, word


def _either(first: bool, second: bool) -> DerivedAnswer:
    """Return which of two things holds. Raises InsufficientEvidence where neither does."""
    if first == second:
        raise InsufficientEvidence
    return word("first" if first else "second")


def _whether(yes: bool, no: bool) -> DerivedAnswer:
    if yes == no:
        raise InsufficientEvidence
    return word("yes" if yes else "no")


def lower(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is lower: by its middle, and neither its foot nor its top says otherwise."""
    at = [float(middle(video, k, frame)[2]) for k in (one, other)]
    half = [float(video.size(k)[2]) / 2 for k in (one, other)]
    # By how much the first one's middle, foot and top lie under those of the second.
    under = at[1] - at[0]
    feet, tops = under + half[0] - half[1], under - half[0] + half[1]
    slack, least = 0.6 * LEAST_M, least_height_m(video)
    return _either(
        under >= least and min(feet, tops) >= -slack,
        under <= -least and max(feet, tops) <= slack,
    )


def is_below(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether an object lies under another one: that one's middle over its box, one of the two well
    over the other, and no part lower than its top.
    """
    ahead = video.turn(one, frame)
    up = ahead.T @ (middle(video, other, frame) - middle(video, one, frame))
    out = max(abs(float(up[k])) / (float(video.size(one)[k]) / 2) for k in (0, 1))
    room = float(up[2]) - float(video.size(one)[2] + video.size(other)[2]) / 2
    plan = corners(video, one, frame), corners(video, other, frame)
    covered = shared(*plan)
    under = out <= 0.95 and room >= -0.05 and covered >= UNDER_SHARE
    aside = covered == 0 and clear_of(*plan) >= CLEAR_M
    return _whether(under, not under and (aside or float(up[2]) <= -0.85 * LEAST_M))


def _farther(video: ObservedVideo, body: int, one: int, other: int, frame: int) -> DerivedAnswer:
    by_middle, by_point, times = TOLD[where(video)]
    place = middle(video, body, frame)
    way = [float(np.linalg.norm(place - middle(video, k, frame))) for k in (one, other)]
    begins = [box_gap_m(video, body, k, frame) for k in (one, other)]
    more = [
        way[k] >= way[1 - k] + by_middle
        and way[k] >= times * way[1 - k]
        and begins[k] >= begins[1 - k] + by_point
        for k in (0, 1)
    ]
    return _either(*more)


def farther_from_camera(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of two is farther from the camera."""
    return _farther(video, CAMERA, one, other, frame)


def farther(video: ObservedVideo, obj: int, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return from which of two a third object is farther."""
    return _farther(video, obj, one, other, frame)


def lie_far_apart(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether there is a wide gap between two objects."""
    beside, apart = together(video, one, other, frame)
    return _whether(apart, beside)


def at_the_back(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether an object is on the side of another one's back."""
    off = abs(bearing_deg(video, other, one, frame))
    if not reaches_past(video, one, other, frame, 0):
        raise InsufficientEvidence
    return _whether(off >= 90.0 + BORDER_DEG, off <= 90.0 - BORDER_DEG)


def to_the_right(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return whether an object is on the right of another one, as that one faces."""
    across = -math.sin(math.radians(bearing_deg(video, other, one, frame)))
    if not reaches_past(video, one, other, frame, 1):
        raise InsufficientEvidence
    least = math.sin(math.radians(BORDER_DEG))
    return _whether(across >= least, across <= -least)


declare(
    VIDEO,
    {
        "lower_of": measure(lower),
        "below": measure(is_below),
        "farther_of": measure(farther_from_camera),
        "far_apart": measure(lie_far_apart),
        "behind_of": measure(at_the_back),
        "right_of": measure(to_the_right),
        "farther_from": measure(farther),
    },
)
