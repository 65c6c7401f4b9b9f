"""Which object is not where such a thing is kept, in the second derivation: from how high undersides are.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.pictured import LEVEL_M, bottom_m, clearly_there, stands_on
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, word

UP_M = 0.25
"""From this height on nothing is on the floor."""

RAISED: Mapping[str, bool] = {
    "alarm clock": True, "bin": False, "biscuit tin": True, "chair": False, "desk lamp": True, "mug": True,
    "office chair": False, "photo camera": True, "pouf": False, "stool": False, "table lamp": True,
    "teapot": True,
}  # fmt: skip
"""Noun → whether it is kept above the floor."""


def _raised(video: ObservedVideo, obj: int, frame: int) -> bool:
    """Return whether an object is above the floor. Raises InsufficientEvidence where it is only just."""
    low = bottom_m(video, obj, frame)
    if LEVEL_M < abs(low) < UP_M:
        raise InsufficientEvidence
    return low >= UP_M


def strays(video: ObservedVideo, frame: int) -> DerivedAnswer:
    """Return the one object that is raised and kept on the floor, or the other way round; what is raised has
    to stand on something that is seen.
    """
    there = (k for k in clearly_there(video, frame) if video.names[k] in RAISED)
    odd = [k for k in there if _raised(video, k, frame) != RAISED[video.names[k]]]
    if len(odd) != 1:
        raise InsufficientEvidence
    under = stands_on(video, odd[0], frame).word
    if (under == "floor") != RAISED[video.names[odd[0]]]:
        raise NoAnswer
    return word(video.objects[odd[0]])


declare(VIDEO, {"out_of_place": measure(strays)})
