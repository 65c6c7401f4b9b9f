"""What somebody is going to do, in which order: drawn before there is a room.

story = drawn_story(g)
story.deeds        # ("sits", "rises", "waves", "picks")

Every order of what can be done in any order is as likely as the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STARTS = {
    ("sits", "picks"): 0.12, ("sits", "puts"): 0.12, ("sits", "pushes"): 0.08, ("sits", ""): 0.16,
    ("rises", "picks"): 0.07, ("rises", "puts"): 0.08, ("rises", "carries"): 0.1, ("rises", "pushes"): 0.06,
    ("", "picks"): 0.02, ("", "puts"): 0.02, ("", "carries"): 0.08, ("", "pushes"): 0.09,
}  # fmt: skip
"""What somebody has to do with a seat, and with something handy: sits down, or sits from the beginning and
gets up; takes something and keeps it, puts down what they hold from the beginning, or carries something from
one place to another, or pushes something over the floor. How likely each is.
"""

GESTURES = ("waves", "crouches", "stretches")
EMPTY = ("", "pushes")
"""What leaves both hands empty."""

STAYS = 0.5
"""How likely somebody who sits down last stays there."""

LISTED = 4
"""So many things are done in any order at most, where nothing is carried."""


@dataclass(frozen=True)
class Story:
    """What somebody does, one thing after the other; whether they sit, or hold something, at first."""

    deeds: tuple[str, ...]
    seated: bool
    holds: bool


def drawn_story(g: np.random.Generator) -> Story:
    """Return what somebody does."""
    seat, hand = list(STARTS)[int(g.choice(len(STARTS), p=list(STARTS.values())))]
    # Both arms go up only with empty hands.
    gestures = [one for one in GESTURES if hand in EMPTY or one != "stretches"]
    some = [gestures[int(k)] for k in g.permutation(len(gestures))]
    rises = ["rises"] if seat == "rises" else []
    if hand == "carries":
        deeds = [*(rises or some[:1]), "picks", "puts"]
        return Story(tuple(deeds), bool(rises), False)
    there = [one for one in (seat, hand) if one not in ("", "rises")]
    units = [*there, *some[: LISTED - len(there)]]
    order = [units[int(k)] for k in g.permutation(len(units))]
    deeds = list(rises)
    for one in order:
        deeds.append(one)
        if one == "sits" and (one != order[-1] or g.random() >= STAYS):
            deeds.append("rises")
    return Story(tuple(deeds), bool(rises), hand == "puts")
