"""How the actor's body turns, leans and carries its limbs, where that makes a question mean nothing clear."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from fathom.geometry.rigid import best_rotation
from fathom.programs.limb_groups import pairs, tools
from fathom.programs.limb_motion import own_track
from fathom.programs.limb_positions import Floats, named_limbs
from fathom.programs.motion import tracks
from fathom.programs.values import Value
from fathom.programs.views.animated import AnimatedView, Moment
from fathom.records import Step

WHIRLED_DEG = {"faces_seen": 35.0, "goes": 60.0}
"""Up to which angle an actor's body, by its limbs, may turn in a clip, of whom it is asked where its front
looks in a picture, or which way it goes.
"""

ASKEW_DEG = 20.0
"""How far from one of four directions the body of who is asked which way it faces in a picture may be, with
how a clip turns it in its own frame.
"""

OWN_MOTION = 0.5
"""Which share of how far a limb gets along its line it gets against the middle of all limbs, too: less is the
body's motion, which carries the limb.
"""

PLAIN_WAY = 0.05
"""How far a limb gets against the middle of all limbs, in sizes of the actor, to be asked about its line."""

BODILY = frozenset(
    (*WHIRLED_DEG, "goes_seen", "limb_most", "limb_line", "limb_shift", "limb_place", "nearest_seen")
)
"""Operators whose outcome nobody agrees on where the body turns in some way, or carries a limb."""

ASIDE_DEG, DEEP_DEG, BENDS_DEG = 26.0, 12.0, 75.0
"""Up to which angle a way may lie off square to the line of sight, and off that line, and how far an actor
may turn on it, where it is asked which way it goes in a picture.
"""

STRAIGHT_DEG = 10.0
"""Up to which angle an actor may turn that goes straight ahead, or back."""

ON_HEAD = frozenset(("ear", "ears", "horn", "horns", "antenna", "antennas", "jaw", "mouth", "nose", "beak"))
"""Limbs that are of the head: whether they or the head are nearer to a camera, nobody sees."""

LARGEST = 0.75
"""How large the limb that is nearest to a camera shows at least, against any other one."""

ONE_WAY = 3.0
"""How many times farther a limb is from another one along one axis than along any other: an abdomen below the
middle of a body is also to the left of a right wing.
"""

LEANS_DEG = 45.0
"""From which lean of its body on an actor rolls, falls or rears."""

FEWEST_LIMBS = 4
"""Of fewer limbs it cannot be told whether they move, or all of the body turns."""


def _yaws_deg(timeline: AnimatedView, moment: Moment) -> Floats:
    """Return how far the actor's body is turned, by its limbs, from how it stands at first, at each frame of
    a moment (F,), degrees counter-clockwise: in its own frame, as a clip turns it that whips a tail.
    """
    found = tracks(timeline, (0, timeline.frames - 1))
    if len(found) < FEWEST_LIMBS:
        return _from_tail_to_head(found, moment)
    own = np.stack([*found.values()])
    turns = (best_rotation(own[:, 0], own[:, f]) for f in range(moment[0], moment[1] + 1))
    return np.array([math.degrees(math.atan2(r[1, 0], r[0, 0])) for r in turns])


def _from_tail_to_head(found: Mapping[str, Floats], moment: Moment) -> Floats:
    """Return how far the line from the tail to the head lies from straight ahead, (F,) degrees; 0 of what has
    no such limbs: a fish swings as it swims.
    """
    if not {"head", "tail"} <= found.keys():
        return np.zeros(moment[1] + 1 - moment[0])
    line = (found["head"] - found["tail"])[moment[0] : moment[1] + 1]
    return np.degrees(np.arctan2(line[:, 1], line[:, 0]))


def _whirls(timeline: AnimatedView, moment: Moment, most_deg: float) -> bool:
    return bool((np.abs(_yaws_deg(timeline, moment)) > most_deg).any())


def _askew(timeline: AnimatedView, moment: Moment, view: int) -> bool:
    """Return whether the actor's body lies between two of its four directions in a picture, at some time of a
    moment.
    """
    frames = slice(moment[0], moment[1] + 1)
    line = timeline.eyes_m[view, :2] - timeline.positions_m[frames, 0]
    heading = np.degrees(timeline.headings_rad[frames, 0] - np.arctan2(line[:, 1], line[:, 0]))
    off = heading - 90.0 * np.round(heading / 90.0)
    return bool((np.abs(off + _yaws_deg(timeline, moment)) > ASKEW_DEG).any())


def _is_carried(timeline: AnimatedView, moment: Moment, limb: str) -> bool:
    """Return whether a limb moves as it does because the body carries it: against the middle of all limbs it
    hardly moves along its line, or not far enough for anybody to see.
    """
    named = named_limbs(timeline)
    found = {n: t for n in named if (t := own_track(timeline, moment, n)) is not None}
    if len(found) < FEWEST_LIMBS:
        return False
    middle = np.mean([*found.values()], axis=0)
    for own in pairs(named).get(limb, (limb,)):
        reach = np.ptp(found[own], axis=0)
        axis = int(reach.argmax())
        least = max(OWN_MOTION * reach[axis], PLAIN_WAY * timeline.subject_size_m)
        if np.ptp(found[own] - middle, axis=0)[axis] < least:
            return True
    return False


def misled_by_body(timeline: AnimatedView, step: Step, moment: Moment, value: Value) -> bool:
    """Return whether the body turns away, or over, or carries a limb: nobody sees what a step finds."""
    if (
        step.op == "goes"
        and value in ("forward", "backward")
        and _turns_most(timeline, moment) > STRAIGHT_DEG
    ):
        return True
    if step.op in WHIRLED_DEG:
        whirls = _whirls(timeline, moment, WHIRLED_DEG[step.op])
        return whirls or (step.op == "faces_seen" and _askew(timeline, moment, int(step.args[0])))
    if step.op == "limb_most":
        # Of who rolls over, every limb goes far; and a tool goes where its arm goes.
        return _leans(timeline, moment) or value in tools(timeline.visibility.limbs_of(0))
    if step.op == "nearest_seen":
        # Of who stands on two legs an arm is about as near as the leg below it.
        has_arms = any(n.endswith(" arm") for n in timeline.visibility.limbs_of(0))
        on_head = str(value).split(" ")[-1] in ON_HEAD
        return has_arms or on_head or _looks_small(timeline, moment, int(step.args[0]), str(value))
    if step.op == "limb_place":
        # A sword is where its hilt is for some, and where it points for others.
        has_tool = not tools(timeline.visibility.limbs_of(0)).isdisjoint(step.args)
        return has_tool or not _lies_one_way(timeline, moment[1], *step.args)
    if step.op == "limb_shift":
        lies = _leans(timeline, (moment[1], moment[1]))
        # Where a leg is, in some pose or other, is how far a step has got.
        on_legs = step.args[0].endswith(("leg", "legs"))
        return lies or on_legs or _sinks_in_body(timeline, moment, step.args[0], value)
    if step.op == "limb_line":
        return _is_carried(timeline, moment, step.args[0])
    return _bends(timeline, moment, int(step.args[0]))


def _bends(timeline: AnimatedView, moment: Moment, view: int) -> bool:
    """Return whether the actor's way in a picture lies between two of its four directions, or turns.

    What little there is to a side of who comes nearer, or gets away, is seen better than that.
    """
    if _turns_most(timeline, moment) > BENDS_DEG:
        return True
    ends = timeline.positions_m[list(moment), 0]
    step, line = ends[1] - ends[0], timeline.eyes_m[view, :2] - ends.mean(axis=0)
    off = math.degrees(math.atan2(step[1], step[0]) - math.atan2(line[1], line[0]))
    quarter = round(off / 90.0)
    return abs(off - 90.0 * quarter) > (ASIDE_DEG if quarter % 2 else DEEP_DEG)


def _turns_most(timeline: AnimatedView, moment: Moment) -> float:
    """Return by how many degrees the actor turns at most from how it stands as a moment begins."""
    course = np.unwrap(timeline.headings_rad[moment[0] : moment[1] + 1, 0])
    return float(np.degrees(np.abs(course - course[0]).max()))


def _sinks_in_body(timeline: AnimatedView, moment: Moment, limb: str, way: Value) -> bool:
    """Return whether a limb is higher, or lower, for how high the body is alone: against it, it is not."""
    if way not in ("up", "down"):
        return False
    named = named_limbs(timeline)
    own, lift = (float(a[moment[1]] - a[moment[0]]) for a in (named[limb][:, 2], timeline.heights_m))
    if abs(own) < OWN_MOTION * abs(own + lift) or own * (own + lift) < 0:
        return True
    # What a clip lifts or lowers as a whole, as a jump does, it lifts in the actor's own frame.
    others = [float(t[moment[1], 2] - t[moment[0], 2]) for name, t in named.items() if name != limb]
    return bool(others) and abs(own - float(np.mean(others))) < OWN_MOTION * abs(own)


def _lies_one_way(timeline: AnimatedView, frame: int, limb: str, other: str) -> bool:
    """Return whether a limb is from another one plainly along one axis of the actor's own frame alone."""
    named = named_limbs(timeline)
    *_, second, first = np.sort(np.abs(named[limb][frame] - named[other][frame]))
    return bool(first >= ONE_WAY * second)


def _looks_small(timeline: AnimatedView, moment: Moment, view: int, limb: str) -> bool:
    """Return whether another limb shows so much larger in a picture that it is taken for the nearer one."""
    grid = timeline.visibility
    at = [grid.at(f) for f in range(moment[0], moment[1] + 1)]
    px = {n: grid.limb_px[view, at, k] for n, k in grid.limbs_of(0).items() if n in named_limbs(timeline)}
    return any((px[limb] < LARGEST * own).any() for n, own in px.items() if n != limb)


def _leans(timeline: AnimatedView, moment: Moment) -> bool:
    """Return whether the actor's body is far from upright at some time of a moment."""
    return float(timeline.leans_deg[moment[0] : moment[1] + 1].max()) > LEANS_DEG
