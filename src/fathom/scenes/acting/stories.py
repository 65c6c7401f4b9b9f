"""What somebody is going to do, in which order: drawn before there is a room.

story = drawn_story(g)
story.deeds        # ("sits", "rises", "waves", "picks")

Every order of three things that can be done in any order is as likely as the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SEAT = (("sits", 0.55), ("rises", 0.3), ("", 0.15))
"""How likely somebody sits down, sits from the beginning and gets up, or has nothing to do with a seat."""

HAND = (("picks", 0.25), ("puts", 0.25), ("carries", 0.25), ("", 0.25))
"""How likely somebody takes something and keeps it, puts down what they hold from the beginning, carries
something from one place to another, or holds nothing."""

GESTURES = ("waves", "crouches", "stretches")
STAYS = 0.5
"""How likely somebody who sits down last stays there."""

LEAST = 3
"""So many things at least are done in any order, of which carrying something counts as two."""


@dataclass(frozen=True)
class Story:
    """What somebody does, one thing after the other; whether they sit, or hold something, at first."""

    deeds: tuple[str, ...]
    seated: bool
    holds: bool


def drawn_story(g: np.random.Generator) -> Story:
    """Return what somebody does."""
    seat, hand = _one_of(g, SEAT), _one_of(g, HAND)
    there = [one for one in (seat, hand) if one not in ("", "rises")]
    # Both arms go up only with empty hands.
    gestures = [one for one in GESTURES if not hand or one != "stretches"]
    least = LEAST if hand != "carries" else LEAST - 1
    some = [gestures[int(k)] for k in g.permutation(len(gestures))][: max(least - len(there), 0)]
    units = [*there, *some]
    order = [units[int(k)] for k in g.permutation(len(units))]
    if hand == "carries":
        order.sort(key=lambda one: one == "sits")
    deeds: list[str] = ["rises"] if seat == "rises" else []
    for one in order:
        deeds += ["picks", "puts"] if one == "carries" else [one]
        if one == "sits" and (one != order[-1] or g.random() >= STAYS):
            deeds.append("rises")
    return Story(tuple(deeds), seat == "rises", hand == "puts")


def _one_of(g: np.random.Generator, among: tuple[tuple[str, float], ...]) -> str:
    return among[int(g.choice(len(among), p=[share for _, share in among]))][0]
