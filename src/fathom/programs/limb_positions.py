"""Where the actor's limbs and parts are: against one another, over time, and from which sides they show.

Frames are those of the film. Limbs are tracked by their middles in the actor's own frame: x forward, y to its
left, z up. Heights over time add how high the actor itself is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.programs import motion
from fathom.programs.motion import WAYS, MeasuredMotion
from fathom.programs.views.animated import AnimatedView, Moment

Floats = NDArray[np.float64]

PLACES = (("behind", "front"), ("right", "left"), ("below", "above"))
"""Where something lies along x, y and z of the actor's own frame, against the axis and along it."""

FEWEST_LEGS = 4
"""Of fewer legs it is not asked which one is on the ground."""

WHOLE_BODY = ("body",)
"""The limbs that are all of the actor: where they are is no question."""


def named_limbs(timeline: AnimatedView) -> dict[str, Floats]:
    """Return the tracks (F, 3) of the limbs that can be asked about, those that are there all the time."""
    every = motion.tracks(timeline, (0, timeline.frames - 1))
    return {n: t for n, t in every.items() if n not in WHOLE_BODY}


def heights(timeline: AnimatedView) -> dict[str, Floats]:
    """Return how high each limb is at each frame (F,), in metres, with how high the actor is itself."""
    return {n: t[:, 2] + timeline.heights_m for n, t in named_limbs(timeline).items()}


def stays(timeline: AnimatedView) -> bool:
    """Return whether the actor is at the end where it was at first, and faces as it did."""
    step = float(np.linalg.norm(timeline.positions_m[-1, 0] - timeline.positions_m[0, 0]))
    turn = math.remainder(float(timeline.headings_rad[-1, 0] - timeline.headings_rad[0, 0]), 2 * math.pi)
    return step <= timeline.rules.stays_share * timeline.subject_size_m and abs(turn) <= math.radians(15.0)


def limb_shift(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return which way a limb has got from the first frame of a moment to the last, unless the actor goes."""
    track = named_limbs(timeline).get(limb)
    if track is None or not stays(timeline):
        return MeasuredMotion("", relation="has moved")
    step = track[moment[1]] - track[moment[0]]
    step[2] += timeline.heights_m[moment[1]] - timeline.heights_m[moment[0]]
    return _along(timeline, step, moment, WAYS, "has moved")


def limb_place(timeline: AnimatedView, moment: Moment, limb: str, other: str) -> MeasuredMotion:
    """Return where a limb is from another one at the end of a moment."""
    found = named_limbs(timeline)
    if limb not in found or other not in found or limb == other:
        return MeasuredMotion("", relation="lies")
    return _along(timeline, found[limb][moment[1]] - found[other][moment[1]], moment, PLACES, "lies")


def _along(
    timeline: AnimatedView, step: Floats, moment: Moment, words: Sequence[Sequence[str]], relation: str
) -> MeasuredMotion:
    """Return the word for the axis along which a step (3,) leads, more than along both others."""
    rules, far = timeline.rules, float(np.linalg.norm(step))
    order = np.argsort(-np.abs(step))
    if far < rules.limb_apart_share * timeline.subject_size_m / 2:
        return MeasuredMotion("", relation=relation)
    more = float(abs(step[order[0]]) / max(abs(step[order[1]]), 1e-9)) - 1
    room = far / (rules.limb_apart_share * timeline.subject_size_m)
    ratio = min(more / rules.along_more, room, 1e6)
    if order[0] < 2:
        ratio = min(ratio, *(timeline.upright((f, f)) for f in moment))
    return MeasuredMotion(words[order[0]][int(step[order[0]] > 0)], ratio, relation, more, "share")


def legs_down(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return how many of the actor's legs touch the ground at the end of a moment."""
    off = _off_ground(timeline, moment)
    if off is None:
        return MeasuredMotion("", relation="touches the ground")
    count, least = sum(r < 0 for r in off.values()), min(abs(r) for r in off.values())
    return MeasuredMotion(str(count), least, "touches the ground", least, "ratio")


def leg(timeline: AnimatedView, moment: Moment, where: str) -> MeasuredMotion:
    """Return the one leg that is off the ground at the end of a moment ("off"), or the one that is on it."""
    off = _off_ground(timeline, moment) or {}
    found = [n for n, r in off.items() if (r > 0) == (where == "off")]
    if len(found) != 1 or len(off) < FEWEST_LEGS:
        return MeasuredMotion("", relation="touches the ground")
    least = min(abs(r) for r in off.values())
    return MeasuredMotion(found[0], least, "touches the ground", least, "ratio")


def _off_ground(timeline: AnimatedView, moment: Moment) -> dict[str, float] | None:
    """Return how firmly each leg is off the ground as a moment ends, below 0 on it; None of too few."""
    lows, index = timeline.visibility.limb_lows_m, timeline.visibility.limbs_of(0)
    names = motion.legs(timeline)
    if lows is None or len(names) < 2:
        return None
    rules = timeline.rules
    over = {n: float(lows[moment[1], index[n]]) / timeline.subject_size_m for n in names}
    return {n: (h - rules.ground_share) / rules.ground_tolerance for n, h in over.items()}


def limb_swings(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return how many times a limb goes out and back."""
    track = motion.tracks(timeline, moment).get(limb)
    if track is None:
        return MeasuredMotion("", relation="swings")
    away = np.linalg.norm(track - track[0], axis=1)
    if float(away.max()) < timeline.rules.limb_share * timeline.subject_size_m:
        return MeasuredMotion("", relation="swings")
    count, room = motion.swings(track, timeline.rules.swing_share)
    return MeasuredMotion(str(count) if count else "", room, "swings", room / 10, "share")


def pieces_px(timeline: AnimatedView, kind: str, name: str) -> NDArray[np.int32] | None:
    """Return in how many pixels (V, G) a limb or a part of the actor shows, None where there is none such."""
    visibility = timeline.visibility
    index = (visibility.limbs_of(0) if kind == "limb" else visibility.parts_of(0)).get(name)
    if index is None:
        return None
    return np.asarray((visibility.limb_px if kind == "limb" else visibility.part_px)[:, :, index])


def color_most(timeline: AnimatedView) -> MeasuredMotion:
    """Return the colour that most of the actor has, by the pixels that show it over all views and times."""
    visibility, areas, untold = timeline.visibility, dict[str, float](), 0.0
    for name, index in visibility.parts_of(0).items():
        area, course = float(visibility.part_px[:, :, index].sum()), timeline.parts.get(name, ("",))
        if len(set(course)) > 1 or not course[0]:
            untold += area
        else:
            areas[course[0]] = areas.get(course[0], 0.0) + area
    order = sorted(((area, color) for color, area in areas.items()), reverse=True)
    if not order or len(order) < 2:
        return MeasuredMotion("", relation="covers most")
    rest = max(sum(area for area, _ in order[1:]) + untold, 1.0)
    more = order[0][0] / rest - 1
    return MeasuredMotion(order[0][1], more / timeline.rules.more, "covers most", more, "share")
