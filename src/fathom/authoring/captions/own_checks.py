"""Whether what captions say of an object by itself is so: its paint, its limbs, and how it gets about.

Paint is looked for in what the views of the film show, and limbs are held against the spread of where they
are; neither reads what the grammar read.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from fathom.authoring.captions.claims import IN_REVERSE, Claim
from fathom.authoring.captions.played import Played
from fathom.geometry.poses import heading_rad
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene

AXES = ("lengthwise", "sideways", "vertical")

WIDER = 1.2
"""By how many times wider a limb is spread along its line than along any other."""

BACK = 0.2
"""How many of its own lengths somebody gets back at least who does something backward."""

ON_THE_WAY = 0.8
"""How straight a way is that goes one way: the share of it that is got."""


def painted(scene: Scene, visibility: VisibilityGrid | None, claim: Claim) -> bool:
    """Return whether just so many limbs of a kind show in the colour that a claim says."""
    actor, (kind, color, count) = scene.objects[0], claim.words
    if visibility is None or claim.objects != (actor.id,):
        return False
    columns = visibility.parts_of(0)
    seen = [
        name
        for name in visibility.limbs_of(0)
        if name.endswith(kind) and name in columns and visibility.part_px[:, :, columns[name]].any()
    ]
    return sum(actor.parts.get(name, {}).get("color") == color for name in seen) == int(count)


def grown(scene: Scene, claim: Claim) -> bool:
    """Return whether what grows on an actor is all that is called so, in one colour and one place."""
    noun, color, where = claim.words
    same = {o.id: o for o in scene.objects[1:] if o.subtype == noun}
    return set(same) == set(claim.objects) and all(
        o.attributes.get("color", "") == color and o.attributes.get("worn_on") == where for o in same.values()
    )


def moves(scene: Scene, visibility: VisibilityGrid | None, claim: Claim) -> bool:
    """Return whether a limb is spread farther along a line than along any other while something is done."""
    limb, line, verb = claim.words
    if visibility is None or limb not in visibility.limbs_of(0):
        return False
    clips = [c for c in scene.objects[0].animations if c.verb == verb]
    times = visibility.times_s
    rows = np.zeros(len(times), dtype=bool)
    for clip in clips:
        rows |= (times >= clip.start_s - 1e-6) & (times < clip.end_s - 1e-6)
    track = visibility.limb_centres_m[rows, visibility.limbs_of(0)[limb]]
    if len(track) < 3 or not np.isfinite(track).all():
        return False
    spread = track.std(axis=0)
    order = np.argsort(-spread)
    return AXES[order[0]] == line and float(spread[order[0]]) >= WIDER * float(spread[order[1]])


def turns(scene: Scene, claim: Claim) -> bool:
    """Return whether an object turns to the side that is said, never back, and while it does what is said."""
    actor = scene.objects[0]
    poses, times = actor.poses, scene.times_s
    if len(poses) != len(times):
        return False
    steps = [
        (t, math.remainder(heading_rad(b) - heading_rad(a), 2 * math.pi))
        for t, (a, b) in zip(times, pairwise(poses), strict=False)
    ]
    turning = [(t, s) for t, s in steps if abs(s) > 1e-6]
    if not turning or {s > 0 for _, s in turning} != {claim.words[0] == "left"}:
        return False
    acts = {c.verb for t, _ in turning for c in actor.animations if c.start_s <= t < c.end_s}
    return len(claim.words) == 1 or acts == {claim.words[1]}


def keeps_on(scene: Scene) -> bool:
    """Return whether an object gets nearly as far as its way is long: it does not turn back."""
    at = np.array([p.position_m[:2] for p in scene.objects[0].poses if p.valid])
    way = float(np.linalg.norm(np.diff(at, axis=0), axis=1).sum())
    return way > 0 and float(np.linalg.norm(at[-1] - at[0])) >= ON_THE_WAY * way


def gets_back(played: Played, verb: str) -> bool:
    """Return whether an actor gets back while it does something: step by step, from where its front looks."""
    actor = played.scene.objects[0]
    doing = [s.verb.removesuffix(IN_REVERSE) == verb for s in played.states[actor.id]]
    if len(actor.poses) != len(doing):
        return False
    steps = [
        np.subtract(b.position_m[:2], a.position_m[:2]) @ (math.cos(heading_rad(a)), math.sin(heading_rad(a)))
        for (a, b), (here, there) in zip(pairwise(actor.poses), pairwise(doing), strict=True)
        if here and there and a.valid and b.valid
    ]
    return bool(steps) and float(sum(steps)) <= -BACK * max(actor.size_m[:2])
