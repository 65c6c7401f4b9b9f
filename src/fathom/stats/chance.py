"""What guessing is worth where several passes count as one: circular, flip, or both.

A question with k options is put once (plain), or k times with the options rotated (circular), on the picture,
and perhaps on its mirror image as well (flip). A group counts as right when every pass in it is. Three
guessers are told apart: one that draws anew in each pass, one that draws an answer for each picture and
keeps to it however the options are rotated ("random++"), and one that always names the same letter.

Ref: 3DSRBench §3.4, §4.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Grouping = Literal["plain", "circular", "flip", "both"]
Guesser = Literal["random", "random++", "letter"]

GROUPINGS: tuple[Grouping, ...] = ("plain", "circular", "flip", "both")
GUESSERS: tuple[Guesser, ...] = ("random", "random++", "letter")


def pictures_in(grouping: Grouping) -> int:
    """Return how many pictures a group holds: the picture, and its mirror image where flips are joined."""
    return 2 if grouping in ("flip", "both") else 1


def passes_in(options: int, grouping: Grouping) -> int:
    """Return how many passes count as one."""
    return pictures_in(grouping) * (options if grouping in ("circular", "both") else 1)


def expected_accuracy(options: int, grouping: Grouping, guesser: Guesser, kept: float = 0.5) -> float:
    """Return the expected share of groups that a guesser gets right.

    `kept` is the share of questions whose right letter is the same on the mirror image; it only matters to
    the guesser that always names one letter. Right letters are taken to be spread evenly.
    Raises ValueError for fewer than two options.
    """
    if options < 2:
        raise ValueError(f"guessing needs at least two options, not {options}")
    if guesser == "random":
        return float(options ** -passes_in(options, grouping))
    if guesser == "random++":
        return float(options ** -pictures_in(grouping))
    if grouping in ("circular", "both"):
        return 0.0
    return (kept if grouping == "flip" else 1.0) / options


def over_types(
    options: Mapping[str, int], weights: Mapping[str, float], grouping: Grouping, guesser: Guesser
) -> float:
    """Return the expected accuracy over types of question with their own options and weights."""
    total = sum(weights[t] for t in options)
    return sum(weights[t] * expected_accuracy(k, grouping, guesser) for t, k in options.items()) / total
