"""Where the actor's limbs and parts are seen to be: against one another, over time, and from which sides."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed import limbs
from fathom.verify.observed.animation import ObservedAnimation, posed_at, views_from
from fathom.verify.observed.limbs import WAYS
from fathom.verify.observed.upright import Values, wrapped
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

HIDDEN_SHARE, PLAIN_SHARE = 0.03, 0.08
"""Up to, and from which share of the most that any view shows of a piece it is hidden or plain."""

FEW = 6
"""Of a piece of which no view ever shows so many points nothing can be told."""


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
    rep, course, g = film.repertoire, film.course, moment.done
    if rep is None or course is None or course.routine[g] < 0:
        return None
    named = [k for k, n in enumerate(rep.limbs) if "leg" in n.split(" ") and rep.limb_weights[k].any()]
    heights = posed_at(film, g)[:, 2] + film.spot_m[g, 2]
    lows = [float(heights[rep.limb_of_vertex == k].min()) / film.size_m for k in named]
    if len(lows) < 2 or any(DOWN < low < CLEAR for low in lows):
        return None
    return str(sum(low <= DOWN for low in lows))


def shown(film: ObservedAnimation, kind: str, name: str, rows: slice) -> Values | None:
    """Return how much of a limb (points) or a part (pixels) each view looked at shows, (V, frames)."""
    look = film.found.actor_views
    if kind == "part":
        own = [[k for k, n in enumerate(row[0].parts) if n == name] for row in film.found.looks]
        if not own[0]:
            return None
        px = [look.part_px[g][:, own[g]].sum(axis=1) for g in range(len(film.frames))]
        return np.stack(px, axis=1)[:, rows].astype(float)
    rep = film.repertoire
    if rep is None or name not in rep.limbs:
        return None
    limb, out = rep.limbs.index(name), []
    for g, row in enumerate(film.found.looks):
        own_points = rep.limb_of_face[row[0].faces] == limb
        counts = np.bincount(look.view_of[g][own_points], minlength=len(film.found.views)).astype(float)
        # Points are drawn evenly from all pixels: as many stand for fewer where more of the actor shows.
        drawn = np.bincount(look.view_of[g], minlength=len(film.found.views))
        out.append(counts * film.found.px[:, g, 0] / np.maximum(drawn, 1))
    return np.stack(out, axis=1)[:, rows]


def hidden_side(film: ObservedAnimation, moment: TimePoint, kind: str, name: str) -> str | None:
    """Return the one side of the actor from which a limb or part is hidden; None where that is untold."""
    rows = slice(moment.begun, moment.done + 1)
    found = shown(film, kind, name, rows)
    if found is None or math.isnan(film.yaw[0]) or found.max() < FEW:
        return None
    most, hidden = float(found.max()), []
    for side, bearing in SIDES.items():
        views, complete = views_from(film, bearing, SIDE_VIEWS)
        if not len(views) or not complete:
            return None
        own = found[views]
        if own.max() <= HIDDEN_SHARE * most:
            hidden.append(side)
        elif own.min() < PLAIN_SHARE * most:
            return None
    return hidden[0] if len(hidden) == 1 else None


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
    if len(order) < 2 or order[0][0] < MOST * (order[1][0] + untold):
        return None
    return order[0][1]
