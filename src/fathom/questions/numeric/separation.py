"""How far apart options lie, by how finely a careful person could answer.

A question is *hard* where its nearest false option is off by one to two of what a careful person could
tell, *middle* up to four, *easy* beyond. Lengths and speeds are known to a share of themselves, so their five
differ by equal factors; all others by equal steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from fathom.questions.numeric.measures import QuantityMeasure

LEVELS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"hard": (1.12, 2.0), "middle": (2.0, 4.0), "easy": (4.0, 8.0)}
)
"""Level → how far the nearest false option lies, in what a careful person could tell. Hard ones begin a bit
above 1, so that written digits bring none below."""

NEAREST_EASY = 5.6
"""So far, in the same, easy numbers lie from the next at most: of what stands on a table, or is done with a
hand, few answers of one form differ by so much that five would fit farther apart."""

SHARES: Mapping[str, float] = MappingProxyType({"hard": 0.3, "middle": 0.4, "easy": 0.3})
"""Which share of the questions is wanted of each level."""

LADDER = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)

MOST_SHARE = 0.6
"""No option is less than the next by more than this share of it."""

WIDTH = 1.2
"""By which factor the errors of a level differ at least."""


@dataclass(frozen=True)
class Slot:
    """What the options of a question are to be: which of the five, by size, is the answer, and the level.

    -1: they have no order; "": errors are those of the setting.
    """

    rank: int
    level: str = ""


def level_of(ratio: float) -> str:
    """Return the level of a question whose nearest false option is off by so many precisions."""
    return "hard" if ratio < LEVELS["middle"][0] else "middle" if ratio < LEVELS["easy"][0] else "easy"


def rounded_up(precision: float) -> float:
    """Return a precision as it is said: the next larger one of 1, 1.5, 2, 3, 5, 7 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(precision) + 1e-9)
    step = next(s for s in LADDER if s * power >= precision * (1 - 1e-9))
    return float(f"{step * power:.3g}")


def in_shares(measure: QuantityMeasure) -> bool:
    """Return whether a quantity is known to a share of itself."""
    return measure.positive and measure.even == "log"


def graded(measure: QuantityMeasure, known: float, level: str) -> QuantityMeasure | None:
    """Return the measure with the errors of a level, for answers that are `known` so finely: to a share of
    themselves (of lengths and speeds), or in base units. None where no five options can differ by so much.
    """
    low, high = (min(times, NEAREST_EASY) * known for times in LEVELS[level])
    if not in_shares(measure):
        return replace(measure, least=low, most=high)
    if low * WIDTH > MOST_SHARE:
        return None
    least, most = (-math.log1p(-min(share, MOST_SHARE)) for share in (low, high))
    return replace(measure, least=least, most=most, ratio=True)
