"""What the numbers say, in one plain English sentence each."""

from __future__ import annotations

from fathom.english import rounded
from fathom.stats.paired import Difference
from fathom.stats.planning import more_questions, smallest_difference

LEVEL = 0.05
POWER = 0.8

WORTH_FINDING = 0.05
"""The difference that is planned for where the runs at hand look alike."""

_FAR = 100_000_000
"""More questions than this are not worth a number."""


def difference_sentence(
    first: str, second: str, found: Difference, p_value: float | None = None, where: str = ""
) -> str:
    """Return which of two runs is better, by how much and how surely; `where` names the task.

    `p_value` is the adjusted one, where several differences are looked at together.
    """
    place = f"On {where}, " if where else ""
    p = found.p_value if p_value is None else p_value
    if not found.first_only and not found.second_only:
        return f"{place}{first} and {second} do equally well on {_each(found.n)}."
    rest = f"{_points(found.value)} ({_interval(found)}, {p_words(p)}{_by(found, p_value)})"
    shares = [f"{rounded(100 * share)} %" for share in (found.first, found.second)]
    better, worse, verdict = first, second, f"{first} and {second} cannot be told apart"
    if p < LEVEL and found.value:
        if found.value < 0:
            better, worse, shares = second, first, shares[::-1]
        verdict = f"{better} is better than {worse}"
    elif p_value is not None and found.p_value < LEVEL:
        # Alone it would count, and so its interval leaves out 0; looked at together with others it does not.
        verdict += " where so many differences are looked at"
    return f"{place}{verdict}: {shares[0]} against {shares[1]} of {_units(found.n)}, {rest}."


def _by(found: Difference, adjusted: float | None) -> str:
    return f", {found.test}" if adjusted is None else ", Holm-adjusted"


def more_sentence(found: Difference) -> str:
    """Return how many more questions would separate two runs that differ as these did."""
    if found.p_value < LEVEL and found.value:
        return "No more questions are needed to tell them apart."
    more = more_questions(
        found.value, found.spread, found.n, design_effect=max(1.0, found.design_effect), power=POWER
    )
    if more is None or more > _FAR:
        return _left_open(found)
    if not more:
        return (
            f"If the difference is as large as it looks, the same number of questions shows it in "
            f"{_of_100(POWER)} sets."
        )
    return (
        f"If the difference is as large as it looks, about {_rounded(more)} more questions of this kind are "
        f"needed to show it in {_of_100(POWER)} sets."
    )


def _left_open(found: Difference) -> str:
    """Return what two runs that look alike may still differ by: looking alike is no proof of being so."""
    if found.clusters < 2:
        return "They look alike; from one scene nothing follows about others."
    most = max(abs(found.low), abs(found.high))
    said = (
        f"That is no proof that they are equally good: up to {_of_points(most)} either way are not ruled out"
    )
    target = min(WORTH_FINDING, most / 2)
    more = more_questions(
        target, found.spread, found.n, design_effect=max(1.0, found.design_effect), power=POWER
    )
    if not more or more > _FAR:
        return f"{said}."
    return (
        f"{said}, and about {_rounded(more)} more questions of this kind find a difference of "
        f"{_of_points(target)} in {_of_100(POWER)} sets."
    )


def planning_sentence(n: int, spread: float, design_effect: float = 1.0, power: float = POWER) -> str:
    """Return the smallest difference that n questions find, where two runs differ on this share of them."""
    least = smallest_difference(n, spread, design_effect=design_effect, power=power)
    differ = f"where two runs differ on {rounded(100 * spread, 0)} % of them"
    if least is None:
        return f"{_units(n)} are too few to tell two runs apart, {differ}."
    points = f"{rounded(100 * least)} points or more"
    return f"{_units(n)} find a difference of {points} in {_of_100(power)} sets, {differ}."


def p_words(p_value: float) -> str:
    """Return a p-value as it is said: `p = 0.012`, `p < 0.0001`."""
    if p_value < 1e-4:
        return "p < 0.0001"
    return f"p = {p_value:.4f}" if p_value < 0.001 else f"p = {p_value:.3f}" if p_value < 0.1 else (
        f"p = {p_value:.2f}"
    )  # fmt: skip


def _points(value: float) -> str:
    return f"a difference of {_of_points(abs(value))}"


def _of_points(share: float) -> str:
    number = rounded(100 * share)
    return f"{number} point{'' if number == '1.0' else 's'}"


def _interval(found: Difference) -> str:
    if found.clusters < 2:
        return "no interval from one scene"
    if found.low >= 0 or found.high <= 0:
        low, high = sorted((abs(found.low), abs(found.high)))
        return f"95 % interval {rounded(100 * low)} to {rounded(100 * high)}"
    # The interval holds 0: signs say which way, seen from the run that looks better.
    low, high = (found.low, found.high) if found.value >= 0 else (-found.high, -found.low)
    return f"95 % interval {_signed(low)} to {_signed(high)}"


def _signed(share: float) -> str:
    return rounded(100 * share).replace("-", "−")


def _units(n: int) -> str:
    return f"{n:,} question{'' if n == 1 else 's'}"


def _each(n: int) -> str:
    return "the one question" if n == 1 else f"each of {n:,} questions"


def _of_100(power: float) -> str:
    return f"{rounded(100 * power, 0)} of 100"


def _rounded(n: int) -> str:
    """Return a number with two digits that count: a forecast has no more."""
    digits = max(0, len(str(n)) - 2)
    return f"{round(n, -digits):,}"
