from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.stats.planning import more_questions, questions_needed, smallest_difference
from fathom.stats.significance import mcnemar, sign_flips
from fathom.store.seeds import rng

spreads = st.floats(0.02, 0.9)


def power(n: int, spread: float, difference: float, repetitions: int = 4_000) -> float:
    """How often n questions show a difference, by the exact test."""
    shares = [(spread + difference) / 2, (spread - difference) / 2, 1 - spread]
    counts = rng("power", n, round(1000 * spread)).multinomial(n, shares, size=repetitions)
    return float(np.mean([mcnemar(int(b), int(c)) < 0.05 for b, c, _ in counts]))


@pytest.mark.parametrize(("spread", "difference"), [(0.1, 0.03), (0.2, 0.05), (0.4, 0.1), (0.25, 0.12)])
def test_a_planned_size_finds_the_difference_in_80_of_100_experiments(
    spread: float, difference: float
) -> None:
    n = questions_needed(difference, spread)
    assert n is not None
    assert 0.78 <= power(n, spread, difference) <= 0.86


def test_half_as_many_questions_are_too_few() -> None:
    n = questions_needed(0.05, 0.2)
    assert n is not None
    assert power(n // 2, 0.2, 0.05) < 0.6


def test_a_planned_size_holds_where_questions_share_scenes() -> None:
    """Scenes of 6, on which all questions fare alike: the design effect is 6."""
    n = questions_needed(0.08, 0.3, design_effect=6)
    assert n is not None
    scenes = round(n / 6)
    found = 0
    for k in range(600):
        signs = rng("clustered power", k).choice([6, -6, 0], size=scenes, p=[0.19, 0.11, 0.7])
        found += sign_flips(signs)[0] < 0.05
    assert 0.76 <= found / 600 <= 0.87


@given(spreads, st.integers(30, 100_000), st.floats(1, 8))
def test_the_smallest_difference_needs_just_as_many_questions(spread: float, n: int, effect: float) -> None:
    least = smallest_difference(n, spread, design_effect=effect)
    if least is None:
        needed = questions_needed(spread, spread, design_effect=effect)
        assert needed is not None
        assert needed > n
    else:
        needed = questions_needed(least, spread, design_effect=effect)
        assert needed is not None
        assert needed <= n
        fewer = questions_needed(0.98 * least, spread, design_effect=effect)
        assert fewer is not None
        assert fewer > n * 0.98


@given(spreads, st.floats(0.01, 0.5), st.floats(1, 8))
def test_a_larger_difference_or_less_disagreement_needs_fewer_questions(
    spread: float, share: float, effect: float
) -> None:
    small, large = share * spread, min(1.0, 2 * share) * spread
    first, second = (questions_needed(d, spread, design_effect=effect) for d in (small, large))
    third = questions_needed(small, min(0.95, 1.5 * spread), design_effect=effect)
    assert first is not None
    assert second is not None
    assert third is not None
    assert second <= first <= third


def test_how_many_more_is_what_is_missing() -> None:
    needed = questions_needed(0.02, 0.15)
    assert needed is not None
    assert more_questions(0.02, 0.15, 1_000) == needed - 1_000
    assert more_questions(-0.02, 0.15, 1_000) == needed - 1_000
    assert more_questions(0.02, 0.15, 10 * needed) == 0
    assert more_questions(0.0, 0.15, 1_000) is None


def test_too_few_questions_find_nothing() -> None:
    assert smallest_difference(4, 0.1) is None
    assert smallest_difference(100, 0.0) is None


@pytest.mark.parametrize(
    ("difference", "level", "wanted"), [(1.5, 0.05, 0.8), (0.1, 0.0, 0.8), (0.1, 0.05, 1.0)]
)
def test_impossible_plans_are_refused(difference: float, level: float, wanted: float) -> None:
    with pytest.raises(ValueError, match=r"at most 1|between 0 and 1"):
        questions_needed(difference, 0.2, level=level, power=wanted)
