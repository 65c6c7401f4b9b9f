"""How small a difference a set of questions can show, and how many questions a difference needs.

Both are for the exact paired test at a two-sided level. Only units on which the two runs differ say anything:
with a mean squared difference ψ of one unit (for right and wrong: the share of units on which they differ),
an expected difference δ is found with the wanted power by n independent units where

    n δ − 1 = √n · (z₁ √ψ + z₂ √(ψ − δ²)),

z₁ and z₂ being the normal quantiles of the level and of the power; the 1 is for the test being exact. Units
that share a scene count as fewer, by the design effect.

Ref: Connor 1987; Connett, Smith and McHugh 1987.
"""

from __future__ import annotations

import math
from statistics import NormalDist


def questions_needed(
    difference: float,
    spread: float,
    *,
    design_effect: float = 1.0,
    power: float = 0.8,
    level: float = 0.05,
) -> int | None:
    """Return how many units it takes to find a true difference; None where there is none to find.

    `spread` is ψ, see above; it is at least the square of the difference, and is raised to it.
    """
    delta = abs(difference)
    _check(power, level)
    if delta <= 0:
        return None
    if delta > 1:
        raise ValueError(f"a difference of shares is at most 1, not {difference}")
    k = _quantiles(delta, max(spread, delta**2), power, level)
    root = (k + math.sqrt(k * k + 4 * delta)) / (2 * delta)
    return math.ceil(max(root * root * max(design_effect, 0.0), 1.0))


def smallest_difference(
    n: int, spread: float, *, design_effect: float = 1.0, power: float = 0.8, level: float = 0.05
) -> float | None:
    """Return the smallest true difference that n units find with this power; None where none is found.

    No difference can be larger than `spread`, the share of units on which the two differ.
    """
    _check(power, level)
    if n < 1 or spread <= 0:
        return None
    low, high = 0.0, min(1.0, spread)
    found = questions_needed(high, spread, design_effect=design_effect, power=power, level=level)
    if found is None or found > n:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        needed = questions_needed(middle, spread, design_effect=design_effect, power=power, level=level)
        low, high = (low, middle) if needed is not None and needed <= n else (middle, high)
    return high


def more_questions(
    difference: float,
    spread: float,
    n: int,
    *,
    design_effect: float = 1.0,
    power: float = 0.8,
    level: float = 0.05,
) -> int | None:
    """Return how many questions beyond n would separate two runs that differ as these did; None: no number.

    It takes what was observed for the truth, which flatters a difference that was noticed for being large.
    """
    needed = questions_needed(difference, spread, design_effect=design_effect, power=power, level=level)
    return None if needed is None else max(0, needed - n)


def _quantiles(delta: float, spread: float, power: float, level: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf(1 - level / 2) * math.sqrt(spread) + normal.inv_cdf(power) * math.sqrt(
        max(0.0, spread - delta**2)
    )


def _check(power: float, level: float) -> None:
    if not 0 < level < 1 or not 0 < power < 1:
        raise ValueError(f"level and power lie between 0 and 1, not {level}, {power}")
