"""What cameras see of the actor's sides: which way it faces in a picture, what shows on one side alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fathom.programs.evidence.outlook import ROUNDING
from fathom.programs.limb_positions import pieces_px
from fathom.programs.motion import MeasuredMotion
from fathom.programs.painted import is_patch, since
from fathom.programs.views.animated import QUARTERS, AnimatedView, Mask, Moment

OPPOSITE = {"left": "right", "right": "left", "front": "behind", "behind": "front"}

PLAIN_DEG, GONE_DEG = 30.0, 45.0
"""Up to how far from a side one looks who sees all that is on it, and who sees nothing of what is on the
opposite side alone.
"""

MOST_SURE = 1e6

SEEN_WAYS = ("towards", "right", "away", "left")
"""The ways in a camera's picture: the k-th lies k · 90° counter-clockwise from the way to the camera."""

STRAIGHT_SHARE = 0.9
"""How much a way that leads straight on is at least, of the path: what goes round goes more ways than one."""


def faces_seen(timeline: AnimatedView, moment: Moment, view: str) -> MeasuredMotion:
    """Return which way the actor faces in one camera's picture, all through a moment: one of SEEN_WAYS."""
    k, frames = int(view) if view.isdigit() else -1, slice(moment[0], moment[1] + 1)
    if not 0 <= k < len(timeline.eyes_m):
        return MeasuredMotion("", relation="faces in the picture")
    line = timeline.eyes_m[k, :2] - timeline.positions_m[frames, 0]
    off = np.degrees(timeline.headings_rad[frames, 0] - np.arctan2(line[:, 1], line[:, 0]))
    quarters = np.round(off / 90.0).astype(int)
    room = float(45.0 - np.abs(off - 90.0 * quarters).max())
    ratio = min(room / timeline.rules.quarter_tolerance_deg, timeline.upright(moment))
    word = SEEN_WAYS[quarters[0] % 4] if len(set((quarters % 4).tolist())) == 1 else ""
    return MeasuredMotion(word, ratio, "faces in the picture", room, "deg")


def goes_seen(timeline: AnimatedView, moment: Moment, view: str) -> MeasuredMotion:
    """Return which way the actor gets over a moment in one camera's picture: one of SEEN_WAYS."""
    k, rules = int(view) if view.isdigit() else -1, timeline.rules
    path = timeline.positions_m[moment[0] : moment[1] + 1, 0]
    far, walked = (
        float(np.linalg.norm(d, axis=-1).sum()) for d in (path[-1] - path[0], np.diff(path, axis=0))
    )
    if not 0 <= k < len(timeline.eyes_m) or far < STRAIGHT_SHARE * walked or not far:
        return MeasuredMotion("", relation="goes in the picture")
    step, line = path[-1] - path[0], timeline.eyes_m[k, :2] - path[[0, -1]]
    off = np.degrees(np.arctan2(step[1], step[0]) - np.arctan2(line[:, 1], line[:, 0]))
    quarters = np.round(off / 90.0).astype(int)
    room = float(45.0 - np.abs(off - 90.0 * quarters).max())
    share = far / timeline.subject_size_m
    word = SEEN_WAYS[quarters[0] % 4] if len(set((quarters % 4).tolist())) == 1 else ""
    ratio = min(room / rules.travel_tolerance_deg, share / rules.leaves_share)
    return MeasuredMotion(word, ratio, "goes in the picture", room, "deg")


def views_about(timeline: AnimatedView, quarter: str, within_deg: float, frame: int) -> Mask:
    """Return which views (V,) look from so near to a side of the actor as it faces at a frame."""
    turn = float(timeline.headings_rad[frame, 0] - timeline.headings_rad[0, 0])
    off = timeline.azimuths_rad - turn - QUARTERS.index(quarter) * math.pi / 2
    return np.asarray(np.cos(off) >= math.cos(math.radians(within_deg)) - ROUNDING)


def _shown(timeline: AnimatedView, name: str, moment: Moment) -> NDArray[np.float64] | None:
    """Return in how many pixels (V,) a part shows as a moment ends; None where it is not there then."""
    px = pieces_px(timeline, "part", name)
    if px is None or (is_patch(name) and since(timeline, name) > moment[1]):
        return None
    return np.asarray(px[:, timeline.visibility.at(moment[1])], dtype=np.float64)


def only_on(timeline: AnimatedView, moment: Moment, side: str) -> dict[str, float]:
    """Return for each part how firmly it shows on one side of the actor and not on the opposite one.

    A ratio: from 1 on it does so, from −1 down it does not: it shows from the opposite side as well, or not
    from this one. What is neither is not told.
    """
    here = views_about(timeline, side, PLAIN_DEG, moment[1])
    there = views_about(timeline, OPPOSITE[side], GONE_DEG, moment[1])
    facing = views_about(timeline, OPPOSITE[side], PLAIN_DEG, moment[1])
    out = {}
    for name in timeline.parts:
        px = _shown(timeline, name, moment)
        if px is None or px.max() < 2 * timeline.clear_part_px or not (here.any() and facing.any()):
            continue
        least = max(timeline.clear_part_px, timeline.rules.plain_part_share * float(px.max()))
        gone = timeline.rules.hidden_part_px + 1
        if float(px[there].max()) < gone:
            out[name] = float(px[here].min()) / least
        elif float(px[facing].min()) >= least:
            out[name] = -float(px[facing].min()) / least
        elif float(px[views_about(timeline, side, GONE_DEG, moment[1])].max()) < gone:
            out[name] = -1.0
    return {n: r for n, r in out.items() if abs(r) >= 1}
