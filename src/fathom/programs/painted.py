"""Patches of paint on an actor: which there are, and which of its sides each is on.

A patch is a part whose name ends in " patch". Where it lies is told at the first frame, against the way the
actor faces there, by the views from which it shows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fathom.programs.limb_positions import pieces_px
from fathom.programs.motion import MeasuredMotion
from fathom.programs.views.animated import QUARTERS, AnimatedView

SUFFIX = " patch"
"""How the names of the parts end that are patches of paint."""

PAINTS = ("blue", "purple", "cyan", "yellow")
"""The colours of patches: those that hardly any animal has."""

TWICE = 2.0
"""How many times as much of a patch shows from its own side as from any other one."""


def is_patch(name: str) -> bool:
    """Return whether a part of this name is a patch of paint."""
    return name.endswith(SUFFIX)


def patches(timeline: AnimatedView) -> Mapping[str, str]:
    """Return the actor's patches by name, and their colours."""
    return {name: course[0] for name, course in timeline.parts.items() if is_patch(name)}


def counted(timeline: AnimatedView) -> MeasuredMotion:
    """Return how many patches the actor has in the end, as firmly as the smallest of them shows somewhere."""
    shown = [pieces_px(timeline, "part", name) for name in patches(timeline)]
    least = min((0.0 if px is None else float(px[:, 0].max()) for px in shown), default=0.0)
    ratio = least / (2 * timeline.clear_part_px)
    return MeasuredMotion(str(len(shown)) if shown else "", ratio, "patches", least, "px")


def side_of(timeline: AnimatedView, name: str) -> MeasuredMotion:
    """Return the side of the actor from which most of a patch shows, twice as much as from any other one."""
    px = pieces_px(timeline, "part", name)
    views = [timeline.views_from(q) for q in QUARTERS]
    if px is None or not all(len(v) for v in views):
        return MeasuredMotion("", relation="faces")
    shown = np.array([float(px[v, 0].mean()) for v in views])
    first, second = np.argsort(-shown, kind="stable")[:2]
    more = shown[first] / max(shown[second], 1.0)
    seen = shown[first] / (2 * timeline.clear_part_px)
    ratio = min(more / TWICE, seen, timeline.upright((0, 0)))
    return MeasuredMotion(QUARTERS[first], float(ratio), "faces", float(more), "ratio")


def on_side(timeline: AnimatedView, quarter: str) -> MeasuredMotion:
    """Return the colour of the patch on a side of the actor, where one is there."""
    found = {n: side_of(timeline, n) for n in patches(timeline)}
    own = [n for n, m in found.items() if m.word == quarter]
    if len(own) != 1 or len({m.word for m in found.values()}) < len(found):
        return MeasuredMotion("", relation="lies on")
    firm = min(found.values(), key=lambda m: m.ratio)
    return MeasuredMotion(patches(timeline)[own[0]], firm.ratio, "lies on", firm.value, firm.unit)
