"""How single limbs move: along which line, on which course, with their partner or against it, and when most.

Tracks are those of `limb_positions`: the middles of limbs in the actor's own frame, x forward, y to its left,
z up, with how high the actor itself is. Lengths are shares of the actor's size.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.programs.limb_groups import pairs
from fathom.programs.limb_positions import Floats, named_limbs
from fathom.programs.motion import MeasuredMotion, paths
from fathom.programs.views.animated import AnimatedView, Moment

LINES = ("lengthwise", "sideways", "vertical")
"""What a limb does that moves mainly along x, y or z."""

STILL = "still"

COURSES = ("rises", "sinks", "rises back", "sinks back")

MOST_SURE = 1e6


def own_track(timeline: AnimatedView, moment: Moment, limb: str) -> Floats | None:
    """Return the track (frames, 3) of a limb over a moment, in shares of the size; None without one."""
    track = named_limbs(timeline).get(limb)
    if track is None or moment[1] <= moment[0]:
        return None
    rows = slice(moment[0], moment[1] + 1)
    out = track[rows].copy()
    out[:, 2] += timeline.heights_m[rows]
    return np.asarray(out / timeline.subject_size_m)


def stirs(timeline: AnimatedView, track: Floats) -> float:
    """Return how firmly a limb moves, as a ratio: from 1 on it does, from −1 down it keeps still."""
    rules, far = timeline.rules, float(np.linalg.norm(np.ptp(track, axis=0)))
    off = far - rules.limb_still_share
    return off / (rules.limb_still_share if off > 0 else rules.limb_still_tolerance)


def limb_line(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return along which axis a limb mainly moves, or that it keeps still."""
    track = own_track(timeline, moment, limb)
    if track is None:
        return MeasuredMotion("", relation="moves along")
    firm, reach = stirs(timeline, track), np.ptp(track, axis=0)
    if firm < 0:
        return MeasuredMotion(STILL, -firm, "moves along", float(reach.max()), "share")
    first, second = np.argsort(-reach, kind="stable")[:2]
    more = float(reach[first] / max(reach[second], 1e-9)) - 1
    ratio = min(firm, more / timeline.rules.line_more, timeline.upright(moment), MOST_SURE)
    return MeasuredMotion(LINES[first], ratio, "moves along", more, "share")


def own_line(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return along which axis a limb moves, or both of a pair ("wings"); "" of one of a pair of which both
    move along it: one would speak of both.
    """
    if limb in (both := pairs(named_limbs(timeline))):
        one, two = (limb_line(timeline, moment, n) for n in both[limb])
        return min(one, two, key=lambda m: m.ratio) if one.word == two.word else replace(one, word="")
    found, other = limb_line(timeline, moment, limb), partner_of(limb)
    if other in named_limbs(timeline) and limb_line(timeline, moment, other).word == found.word:
        return MeasuredMotion("", relation="moves along")
    return found


def partner_of(limb: str) -> str:
    """Return the limb on the other side, "front left leg" of "front right leg"; "" of one on no side."""
    words = limb.split(" ")
    other = {"left": "right", "right": "left"}
    return " ".join(other.get(w, w) for w in words) if {*words} & {*other} else ""


def limb_course(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return how high a limb is over a moment: up or down for good, or there and back, once and steadily."""
    track = own_track(timeline, moment, limb)
    if track is None:
        return MeasuredMotion("", relation="rises")
    z, rules = track[:, 2] - track[0, 2], timeline.rules
    net, way = float(z[-1]), float(np.abs(np.diff(z)).sum())
    top = float(z[np.abs(z).argmax()])
    back = abs(net) < abs(top) / 2
    far = abs(top if back else net)
    # What is more than once there, or there and back, is wandering about.
    spare = (way / max(far, 1e-9) - (2 if back else 1)) + (abs(net) / max(far, 1e-9) if back else 0.0)
    ratio = min(far / rules.rise_share, rules.rise_spare / max(spare, 1e-6), MOST_SURE)
    word = COURSES[2 * back + int((top if back else net) < 0)]
    return MeasuredMotion(word if far > 0 else "", ratio, "rises", far, "share")


def still_limbs(timeline: AnimatedView, moment: Moment) -> dict[str, float]:
    """Return how firmly each limb keeps still over a moment, as a ratio; below 0 it moves."""
    found = {n: own_track(timeline, moment, n) for n in named_limbs(timeline)}
    return {n: -stirs(timeline, t) for n, t in found.items() if t is not None}


def turned(timeline: AnimatedView, moment: Moment) -> float:
    """Return by how many degrees the actor turns over a moment, to its left above 0."""
    course = np.unwrap(timeline.headings_rad[moment[0] : moment[1] + 1, 0])
    return float(np.degrees(course[-1] - course[0]))


def crossings(values: Floats, least: float) -> int:
    """Return how often values get from `least` below 0 to `least` above it, or back."""
    count, side = 0, 0
    for v in values.tolist():
        now = int(v >= least) - int(v <= -least)
        if now and now != side:
            count, side = count + (side != 0), now
    return count


def steps(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return how many times one of two legs passes the other."""
    names = [n for n in paths(timeline, moment) if n in ("left leg", "right leg")]
    found = [own_track(timeline, moment, n) for n in sorted(names)]
    if len(found) != 2 or found[0] is None or found[1] is None:
        return MeasuredMotion("", relation="passes")
    off = found[0][:, 0] - found[1][:, 0]
    far = min(float(off.max()), float(-off.min()))
    return _counted(timeline, off, far, timeline.rules.past_share, "passes")


def _counted(
    timeline: AnimatedView, values: Floats, far: float, least: float, relation: str
) -> MeasuredMotion:
    """Return how often values go from one side of 0 to the other, plainly each time and `least` far."""
    rules = timeline.rules
    counts = {crossings(values, share * far) for share in rules.cross_shares} if far > 0 else {0}
    count = max(counts)
    ratio = far / least if len(counts) == 1 else 0.0
    return MeasuredMotion(str(count) if count else "", ratio, relation, far, "share")


SENSES = {
    "forward": (0, 1),
    "backward": (0, -1),
    "left": (1, 1),
    "right": (1, -1),
    "up": (2, 1),
    "down": (2, -1),
}
"""Which way a limb is moved → the axis, and the sign along it."""


def strokes(timeline: AnimatedView, moment: Moment, limb: str, way: str) -> MeasuredMotion:
    """Return how many times a limb gets one way, from one half of its line to the other.

    It must set out from one of its ends for sure: who begins in the middle has made half a stroke.
    """
    (axis, sign), line = SENSES[way], limb_line(timeline, moment, limb)
    track = own_track(timeline, moment, limb)
    if track is None or line.word != LINES[axis]:
        return MeasuredMotion("", relation=f"goes {way}")
    values = sign * (track[:, axis] - (track[:, axis].max() + track[:, axis].min()) / 2)
    far = float(values.max())
    every = _counted(timeline, values, far, timeline.rules.limb_still_share, f"goes {way}")
    sure = timeline.rules.cross_shares[-1] * far
    if not every.word or abs(values[0]) < sure:
        return MeasuredMotion("", relation=f"goes {way}")
    count = (int(every.word) + int(values[0] < 0)) // 2
    ratio = min(every.ratio, line.ratio)
    return MeasuredMotion(str(count) if count else "", ratio, f"goes {way}", far, "share")


def raises(timeline: AnimatedView, moment: Moment, limb: str, other: str) -> MeasuredMotion:
    """Return how many times a limb comes from below another one to above it."""
    one, two = own_track(timeline, moment, limb), own_track(timeline, moment, other)
    if one is None or two is None or limb == other:
        return MeasuredMotion("", relation="rises above")
    over = one[:, 2] - two[:, 2]
    far = min(float(over.max()), float(-over.min()))
    every = _counted(timeline, over, far, timeline.rules.over_share, "rises above")
    if not every.word:
        return every
    below = next(v < 0 for v in over.tolist() if abs(v) >= timeline.rules.cross_shares[-1] * far)
    count = (int(every.word) + below) // 2
    return MeasuredMotion(str(count) if count else "", every.ratio, "rises above", far, "share")
