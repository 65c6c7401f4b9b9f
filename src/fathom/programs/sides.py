"""What cameras see of the actor's sides: which way it faces and goes in a picture."""

from __future__ import annotations

import numpy as np

from fathom.programs.limb_positions import named_limbs
from fathom.programs.motion import MeasuredMotion
from fathom.programs.views.animated import AnimatedView, Moment

SEEN_WAYS = ("towards", "right", "away", "left")
"""The ways in a camera's picture: the k-th lies k · 90° counter-clockwise from the way to the camera."""

FEWEST_LIMBS = 4
"""Of fewer limbs it is not asked which one is nearest to a camera."""

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
    ratio = min(room / timeline.rules.askew_deg, timeline.upright(moment))
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


def nearest_seen(timeline: AnimatedView, moment: Moment, view: str) -> MeasuredMotion:
    """Return the limb that is nearest to one camera all through a moment."""
    k, rows = int(view) if view.isdigit() else -1, slice(moment[0], moment[1] + 1)
    places = {n: t[rows] for n, t in named_limbs(timeline).items() if n.replace(" ", "").isalpha()}
    if not 0 <= k < len(timeline.eyes_m) or len(places) < FEWEST_LIMBS:
        return MeasuredMotion("", relation="is nearest to the camera")
    line = timeline.eyes_m[k, :2] - timeline.positions_m[rows, 0]
    towards = np.arctan2(line[:, 1], line[:, 0]) - timeline.headings_rad[rows, 0]
    near = np.stack([p[:, 0] * np.cos(towards) + p[:, 1] * np.sin(towards) for p in places.values()], axis=1)
    first, second = np.sort(near, axis=1)[:, [-1, -2]].T
    best = {list(places)[n] for n in near.argmax(axis=1).tolist()}
    share = float((first - second).min()) / timeline.subject_size_m
    ratio = min(share / timeline.rules.nearer_share, timeline.upright(moment))
    word = best.pop() if len(best) == 1 else ""
    return MeasuredMotion(word, ratio, "is nearest to the camera", share, "share")
