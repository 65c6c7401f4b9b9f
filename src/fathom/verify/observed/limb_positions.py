"""Where the actor's limbs and parts are seen to be: against one another, over time, and from which sides."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed import limbs
from fathom.verify.observed.animation import ObservedAnimation, posed_at
from fathom.verify.observed.limbs import WAYS
from fathom.verify.observed.upright import wrapped
from fathom.verify.values import TimePoint

PLACES = (("behind", "front"), ("right", "left"), ("below", "above"))

FAR, HIGHER = 0.06, 0.03
"""From how far on a limb has gone somewhere or lies apart, and is higher than another: shares of the size."""

STILL_M, STILL_RAD = 0.1, math.radians(20.0)
"""Up to so much of its size, and such a turn, the actor is where it was and faces as it did."""

ALONG = 1.8
"""By how many times farther a limb gets or lies along one axis than along any other."""

MOST = 1.15
"""By how many times more of the actor has one colour than any other."""

DOWN, CLEAR = 0.028, 0.042
"""Up to how high above the ground what touches it is, and from how high on it does not: of the size."""

SIDES = {"front": 0.0, "left": math.pi / 2, "behind": math.pi, "right": -math.pi / 2}
SIDE_VIEWS = math.radians(15.0) + 1e-3


def courses(film: ObservedAnimation) -> dict[str, Points] | None:
    """Return the track (F, 3) of each limb over the film: along the actor, to its left, and its height in the
    world; None where what it does is not known all the time.
    """
    last = len(film.frames) - 1
    found = limbs.tracks(film, 0, last, 0)
    if found is None or np.isnan(film.spot_m).any():
        return None
    height = np.interp(np.arange(film.length), film.frames, film.spot_m[:, 2])
    seen = limbs.followed(film, 0, last)
    return {n: t + height[:, None] * np.array([0.0, 0.0, 1.0]) for n, t in found.items() if n in seen}


def along(step: Points, size_m: float, words: tuple[tuple[str, str], ...]) -> str | None:
    """Return the word for the axis along which a step leads; None where that cannot be told."""
    a, b = np.argsort(-np.abs(step))[:2]
    if float(np.linalg.norm(step)) < FAR * size_m or abs(step[a]) < ALONG * abs(step[b]):
        return None
    word: str = words[a][int(step[a] > 0)]
    return word


def shift(film: ObservedAnimation, moment: TimePoint, limb: str) -> str | None:
    """Return which way a limb has got over a moment; None where the actor went or turned, or it is untold."""
    found = courses(film)
    if found is None or limb not in found:
        return None
    step = float(np.linalg.norm(film.spot_m[-1, :2] - film.spot_m[0, :2]))
    if step > STILL_M * film.size_m or abs(float(wrapped(film.yaw[-1] - film.yaw[0]))) > STILL_RAD:
        return None
    words = {
        along(found[limb][last] - found[limb][first], film.size_m, WAYS)
        for first in {*moment.first}
        for last in {*moment.last}
    }
    return words.pop() if len(words) == 1 else None


def place(film: ObservedAnimation, moment: TimePoint, limb: str, other: str) -> str | None:
    """Return where a limb is from another one at the end of a moment."""
    found = courses(film)
    if found is None or limb not in found or other not in found:
        return None
    words = {along(found[limb][f] - found[other][f], film.size_m, PLACES) for f in {*moment.last}}
    return words.pop() if len(words) == 1 else None


def legs_down(film: ObservedAnimation, moment: TimePoint) -> str | None:
    """Return how many legs touch the ground at a moment: by the lowest point of each in the pose seen."""
    found = legs_off(film, moment)
    return None if found is None or len(found) < 2 else str(sum(not off for off in found.values()))


def legs_off(film: ObservedAnimation, moment: TimePoint) -> dict[str, bool] | None:
    """Return whether each leg is off the ground at a moment; None where that cannot be told of one."""
    rep, course, g = film.repertoire, film.course, moment.done
    if rep is None or course is None or course.routine[g] < 0:
        return None
    named = {n: k for k, n in enumerate(rep.limbs) if "leg" in n.split(" ") and rep.limb_weights[k].any()}
    heights = posed_at(film, g)[:, 2] + film.spot_m[g, 2]
    lows = {n: float(heights[rep.limb_of_vertex == k].min()) / film.size_m for n, k in named.items()}
    if any(DOWN < low < CLEAR for low in lows.values()):
        return None
    return {n: low >= CLEAR for n, low in lows.items()}


def color_most(film: ObservedAnimation) -> str | None:
    """Return the colour that most of the actor has, by the pixels that show its parts."""
    areas: dict[str, float] = {}
    untold = 0.0
    for name, course in film.parts.items():
        area = sum(
            float(row[0].part_px[k])
            for row in film.found.looks
            for k, n in enumerate(row[0].parts)
            if n == name
        )
        words = {w for w in course if w}
        if len(words) == 1:
            areas[next(iter(words))] = areas.get(next(iter(words)), 0.0) + area
        else:
            untold += area
    named = set(film.parts)
    untold += sum(
        float(row[0].part_px[k])
        for row in film.found.looks
        for k, n in enumerate(row[0].parts)
        if n not in named
    )
    order = sorted(((area, color) for color, area in areas.items()), reverse=True)
    if len(order) < 2 or order[0][0] < MOST * (sum(a for a, _ in order[1:]) + untold):
        return None
    return order[0][1]
