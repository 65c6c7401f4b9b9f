"""What somebody is going to do, in which order: drawn before there is a room.

story = drawn_story(g)
story.deeds        # ("sits", "rises", "waves", "picks")

Every order of three things that can be done in any order is as likely as the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STARTS = {
    ("sits", "picks"): 0.15, ("sits", "puts"): 0.15, ("sits", "carries"): 0.12, ("sits", ""): 0.22,
    ("rises", "picks"): 0.1, ("rises", "puts"): 0.08, ("rises", "carries"): 0.08,
    ("", "picks"): 0.04, ("", "puts"): 0.03, ("", "carries"): 0.03,
}  # fmt: skip
"""What somebody has to do with a seat, and with something handy: sits down, or sits from the beginning and
gets up; takes something and keeps it, puts down what they hold from the beginning, or carries something from
one place to another. How likely each is.
"""

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
    seat, hand = list(STARTS)[int(g.choice(len(STARTS), p=list(STARTS.values())))]
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
