from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.stats.paired import design_effect, paired_difference
from fathom.stats.significance import holm, mcnemar, sign_flips
from fathom.store.seeds import rng

Floats = NDArray[np.float64]


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_binomial_test_of_the_questions_that_tell_two_runs_apart(b: int, c: int) -> None:
    from scipy import stats as scipy_stats

    expected = float(scipy_stats.binomtest(b, b + c).pvalue) if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=12))
def test_flips_are_counted_as_if_each_way_were_written_down(sums: list[int]) -> None:
    ways = [
        abs(sum(s * v for s, v in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    expected = float(np.mean([w >= abs(sum(sums)) for w in ways]))
    found, exact = sign_flips(sums)
    assert exact
    assert found == pytest.approx(expected, rel=1e-6)


@given(st.integers(0, 60), st.integers(0, 60))
def test_with_one_question_a_scene_sign_flips_are_mcnemar(b: int, c: int) -> None:
    assert sign_flips([1] * b + [-1] * c)[0] == pytest.approx(mcnemar(b, c), rel=1e-9)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=20), st.sampled_from([2, 4, 5, 10]))
def test_the_size_of_a_mark_does_not_matter(sums: list[int], parts: int) -> None:
    found = sign_flips([s / parts for s in sums])
    assert found[1]
    assert found[0] == pytest.approx(sign_flips(sums)[0], rel=1e-6)


def test_drawn_signs_agree_with_counted_ones() -> None:
    sums = rng("drawn").integers(-3, 5, size=60)
    counted, exact = sign_flips(sums)
    drawn, by_all = sign_flips(sums + 1e-5 * rng("odd").normal(size=60), seed=3)
    assert exact
    assert not by_all
    assert drawn == pytest.approx(counted, abs=0.012)


def test_drawn_signs_are_a_function_of_the_seed_and_never_give_nothing() -> None:
    sums = 3 + rng("partial").random(40)
    first, exact = sign_flips(sums, seed=1)
    assert not exact
    assert first == sign_flips(sums, seed=1)[0]
    assert 0 < first < 0.001


def test_where_nothing_differs_nothing_is_found() -> None:
    assert sign_flips([0.0, 0.0]) == (1.0, True)
    assert sign_flips([]) == (1.0, True)
    assert mcnemar(0, 0) == 1
    assert sign_flips([2, -2]) == (1.0, True)


def test_many_scenes_are_counted_exactly() -> None:
    from scipy import stats as scipy_stats

    sums = rng("many scenes").integers(-5, 6, size=20_000)
    found, exact = sign_flips(sums)
    z = abs(float(sums.sum())) / float(np.sqrt((sums**2).sum()))
    assert exact
    assert found == pytest.approx(2 * float(scipy_stats.norm.sf(z)), abs=0.005)


def two_models(
    g: np.random.Generator, scenes: int, per_scene: int, ahead: float = 0.0
) -> tuple[Floats, Floats]:
    """Marks of two models which find the same scenes hard, and each some of its own."""
    common = g.beta(4, 3, (scenes, 1))
    skill = [np.clip(common + g.uniform(-0.2, 0.2, (scenes, 1)), 0, 1) for _ in range(2)]
    first, second = (g.random((scenes, per_scene)) < s for s in skill)
    first = first | (g.random(first.shape) < ahead)
    return first.ravel().astype(float), second.ravel().astype(float)


EXPERIMENTS = 1_500


@pytest.mark.parametrize(("scenes", "per_scene"), [(120, 1), (40, 5), (15, 8)])
def test_equal_models_are_told_apart_in_at_most_one_of_twenty_experiments(
    scenes: int, per_scene: int
) -> None:
    names = [f"s{i // per_scene}" for i in range(scenes * per_scene)]
    codes = np.repeat(np.arange(scenes), per_scene)
    alarms = 0
    for k in range(EXPERIMENTS):
        a, b = two_models(rng("size", scenes, per_scene, k), scenes, per_scene)
        alarms += sign_flips(np.bincount(codes, weights=a - b))[0] < 0.05
    assert len(names) == len(codes)
    assert alarms / EXPERIMENTS <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / EXPERIMENTS)


def test_a_test_that_forgets_the_scenes_is_wrong_far_more_often() -> None:
    """What the clustering is for: questions taken one by one see differences that are not there."""
    alarms = 0
    for k in range(300):
        g = rng("forgetful", k)
        skill = [g.beta(1, 1, (12, 1)) for _ in range(2)]
        a, b = ((g.random((12, 20)) < s).ravel().astype(float) for s in skill)
        alarms += mcnemar(int((a > b).sum()), int((a < b).sum())) < 0.05
    assert alarms / 300 > 0.3


@pytest.mark.parametrize(("scenes", "per_scene"), [(150, 1), (40, 5), (15, 1), (30, 1), (12, 20)])
def test_intervals_of_a_difference_hold_the_true_one(scenes: int, per_scene: int) -> None:
    """The first model answers one in ten of what is left besides: the true difference is 0.1 (1 − 4/7)."""
    names = [f"s{i // per_scene}" for i in range(scenes * per_scene)]
    true, hits = 0.1 * (1 - 4 / 7), 0
    for k in range(600):
        a, b = two_models(rng("coverage of a difference", scenes, per_scene, k), scenes, per_scene, ahead=0.1)
        found = paired_difference(a, b, names)
        hits += found.low <= true <= found.high
    assert 0.925 <= hits / 600 <= 0.995


def test_holm_raises_a_false_alarm_on_any_of_eight_tasks_in_at_most_one_of_twenty_runs() -> None:
    families = alone = 0
    for k in range(EXPERIMENTS):
        g = rng("family", k)
        wins = g.binomial(40, 0.5, size=8)
        p_values = [mcnemar(int(w), 40 - int(w)) for w in wins]
        alone += min(p_values) < 0.05
        families += min(holm(p_values)) < 0.05
    assert families / EXPERIMENTS <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / EXPERIMENTS)
    assert alone / EXPERIMENTS > 0.2


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, q in zip(p_values, adjusted, strict=True):
        assert p <= q <= min(1.0, len(p_values) * p) + 1e-12
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()


def test_holm_in_an_example() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_effect_sizes_in_an_example() -> None:
    from scipy import stats as scipy_stats

    """30 questions only the first gets right, 10 only the second: odds 3, and g a quarter."""
    first = [1.0] * 30 + [0.0] * 10 + [1.0] * 60
    second = [0.0] * 30 + [1.0] * 10 + [1.0] * 60
    found = paired_difference(first, second, [""] * 100)
    assert (found.first_only, found.second_only, found.test) == (30, 10, "exact McNemar")
    assert found.odds_ratio == pytest.approx(3)
    assert found.cohens_g == pytest.approx(0.25)
    assert found.p_value == pytest.approx(float(scipy_stats.binomtest(30, 40).pvalue))
    assert (found.value, found.first, found.second) == pytest.approx((0.2, 0.9, 0.7))
    assert (found.spread, found.design_effect) == pytest.approx((0.4, 1.0))
    assert found.odds_low is not None
    assert found.odds_high is not None
    assert 1 < found.odds_low < 3 < found.odds_high


def test_the_test_that_was_made_is_named() -> None:
    def test_of(values: list[float], clusters: list[str]) -> str:
        return paired_difference(values, [0.0] * len(values), clusters).test

    assert test_of([1, 0, 1], [""] * 3) == "exact McNemar"
    assert test_of([1, 0, 1], ["a", "a", "b"]) == "sign-flip permutation test by scene, exact"
    assert test_of([0.5, 0, 0.25], [""] * 3) == "sign-flip permutation test by question, exact"
    assert test_of([0.31830988, 0, 0.27], [""] * 3) == "sign-flip permutation test by question, drawn"


def test_swapping_the_runs_swaps_the_signs() -> None:
    a, b = two_models(rng("swap"), 30, 4)
    names = [f"s{i // 4}" for i in range(120)]
    one, other = paired_difference(a, b, names), paired_difference(b, a, names)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert one.p_value == other.p_value
    assert one.odds_ratio is not None
    assert other.odds_ratio == pytest.approx(1 / one.odds_ratio)


def test_the_design_effect_is_that_of_equal_answers_on_a_scene() -> None:
    """Where all five questions of a scene fare alike, they count as one."""
    values = np.repeat(rng("alike").choice([-1.0, 0.0, 1.0], 200), 5)
    assert design_effect(values, [f"s{i // 5}" for i in range(1_000)]) == pytest.approx(5, rel=0.02)
    assert design_effect(values, [""] * 1_000) == 1
