"""What shows the actor's parts, its limbs and how it moves.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fathom.programs.evidence.sights import (
    Handler,
    Seen,
    Sight,
    Walk,
    between,
    clear,
    handles,
    stretch,
    times,
)
from fathom.programs.stories import motion
from fathom.programs.stories.facts import Mask, Moment, Story

HANDLERS: dict[str, Handler] = {}
"""Operator → what its step brings."""


def part(story: Story, name: str) -> Mask:
    k = story.play.parts_of(0).get(name)
    if k is None:
        return np.zeros(story.play.px.shape[:2], dtype=bool)
    return np.asarray(story.play.part_px[:, :, k] >= story.rules.clear_part_px)


def _limb(story: Story, name: str) -> Mask:
    k = story.play.limbs_of(0)[name]
    return np.asarray(story.play.limb_px[:, :, k] >= story.rules.clear_part_px)


@handles(HANDLERS, "part_color")
def _part_color(w: Walk) -> Seen:
    name, moment = w.step.args[0], w.inputs[0]
    held = np.array([color == w.value for color in w.story.parts[name]])
    when = times(w.story, stretch(held, (moment[1],) * 2))
    return Seen((*w.before, Sight(f"{name} {w.value}", part(w.story, name) & when)))


@handles(HANDLERS, "legs")
def _legs(w: Walk) -> Seen:
    return Seen(tuple(Sight(name, _limb(w.story, name)) for name in motion.legs(w.story)))


@handles(HANDLERS, "limb_most", "limb_first", "repeats")
def _moving(w: Walk) -> Seen:
    story, moment = w.story, w.inputs[0]
    if w.step.op == "limb_first":
        return Seen((*w.before, *_first_way(story, moment, w.step.args[0])))
    if w.step.op == "limb_most":
        limbs = [w.value]
    else:
        limbs = [next(iter(motion.paths(story, moment)))]
    pieces = 2 * int(w.value) if w.step.op == "repeats" else 2
    edges = np.linspace(moment[0], moment[1] + 1, pieces + 1).round().astype(int)
    sights = [
        Sight(f"{limb} moving ({n + 1})", _limb(story, limb) & between(story, a, max(b - 1, a)))
        for limb in limbs
        for n, (a, b) in enumerate(pairwise(edges))
    ]
    return Seen((*w.before, *sights))


def _first_way(story: Story, moment: Moment, limb: str) -> tuple[Sight, ...]:
    rest, way = motion.first_way(story, moment, limb)
    return (
        Sight(f"{limb} at first", _limb(story, limb) & between(story, *rest)),
        Sight(f"{limb} on its way", _limb(story, limb) & between(story, *way)),
    )


@handles(HANDLERS, "travels", "turns", "goes")
def _going(w: Walk) -> Seen:
    first, last = w.inputs[0]
    third = max((last - first) // 3, 0)
    seen = clear(w.story, 0)
    return Seen(
        (
            *w.before,
            Sight("where it sets out", seen & between(w.story, first, first + third)),
            Sight("where it gets to", seen & between(w.story, last - third, last)),
        )
    )
