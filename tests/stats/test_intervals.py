from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.stats.intervals import (
    accuracy_interval,
    beta_cdf,
    clustered_wilson,
    interval_of_passes,
    mean_interval,
    t_cdf,
    t_quantile,
)
from fathom.store.seeds import rng


@pytest.mark.parametrize("degrees", [1, 1.5, 2, 5, 11, 99, 1_000, 1e5])
@pytest.mark.parametrize("probability", [0.001, 0.05, 0.5, 0.6, 0.9, 0.975, 0.9999])
def test_quantiles_of_t_are_scipys(probability: float, degrees: float) -> None:
    from scipy import stats as scipy_stats

    expected = float(scipy_stats.t.ppf(probability, degrees))
    assert t_quantile(probability, degrees) == pytest.approx(expected, rel=1e-8, abs=1e-9)


@given(st.floats(0.3, 500), st.floats(-30, 30))
def test_the_distribution_of_t_is_scipys(degrees: float, t: float) -> None:
    from scipy import stats as scipy_stats

    assert t_cdf(t, degrees) == pytest.approx(float(scipy_stats.t.cdf(t, degrees)), rel=1e-9, abs=1e-12)


@given(st.floats(0, 1), st.floats(0.1, 200), st.floats(0.1, 200))
def test_the_incomplete_beta_function_is_scipys(x: float, a: float, b: float) -> None:
    from scipy import stats as scipy_stats

    assert beta_cdf(x, a, b) == pytest.approx(float(scipy_stats.beta.cdf(x, a, b)), rel=1e-8, abs=1e-12)


def right_answers(
    repetitions: int, sizes: NDArray[np.intp], p: float, correlation: float
) -> NDArray[np.float64]:
    """Right answers (repetitions, scenes) whose scenes differ so that two answers correlate as asked."""
    g = rng("coverage", len(sizes), int(sizes.sum()), round(1000 * p), round(1000 * correlation))
    shape = repetitions, len(sizes)
    if correlation:
        a = (1 - correlation) / correlation
        return g.binomial(sizes, g.beta(p * a, (1 - p) * a, shape)).astype(float)
    return g.binomial(sizes, p, shape).astype(float)


def coverage(sizes: NDArray[np.intp], p: float, correlation: float, repetitions: int) -> float:
    """How often the 95 % interval holds the true accuracy."""
    sums = right_answers(repetitions, sizes, p, correlation)
    low, high, _, _ = clustered_wilson(sums, sizes.astype(float))
    return float(((low <= p) & (p <= high)).mean())


REPETITIONS = 4_000
UNEVEN = np.maximum(1, np.round(np.exp(rng("uneven scenes").normal(1.5, 0.8, 400)))).astype(np.intp)


@pytest.mark.parametrize("scenes", [100, 300])
@pytest.mark.parametrize("per_scene", [1, 4, 28, "uneven"])
def test_95_percent_intervals_cover_95_percent_and_seldom_more(scenes: int, per_scene: int | str) -> None:
    sizes = np.resize(UNEVEN, scenes) if per_scene == "uneven" else np.full(scenes, int(per_scene))
    correlations = (0.0,) if per_scene == 1 else (0.0, 0.05, 0.15, 0.3)
    found = {
        (p, rho): coverage(sizes, p, rho, REPETITIONS)
        for p, rho in product((0.2, 0.5, 0.75, 0.9), correlations)
    }
    worst, widest = min(found, key=lambda k: found[k]), max(found, key=lambda k: found[k])
    # The worst of many settings is allowed the noise of the simulation on top, their mean is not. What is
    # assumed of few scenes makes intervals rather too wide than too narrow.
    noise = 2 * math.sqrt(0.95 * 0.05 / REPETITIONS)
    assert -0.01 <= np.mean(list(found.values())) - 0.95 <= 0.015
    assert found[worst] >= 0.935 - noise, (worst, found[worst])
    assert found[widest] <= 0.975 + noise, (widest, found[widest])


@pytest.mark.parametrize(("p", "correlation"), [*product((0.2, 0.5, 0.8), (0.0, 0.1, 0.3))])
def test_twelve_scenes_still_cover_at_least_nine_times_in_ten(p: float, correlation: float) -> None:
    assert coverage(np.full(12, 28), p, correlation, 4_000) >= 0.90


def test_one_question_a_scene_is_close_to_wilsons_interval() -> None:
    values = [1.0] * 70 + [0.0] * 30
    found = accuracy_interval(values, [f"s{i}" for i in range(100)])
    assert (found.low, found.high) == pytest.approx((0.604, 0.781), abs=0.005)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_right_and_all_wrong_still_have_a_width(value: float) -> None:
    found = accuracy_interval([value] * 40, [f"s{i // 4}" for i in range(40)])
    assert found.low <= value <= found.high
    assert 0.08 < found.high - found.low < 0.25


def test_one_scene_says_nothing_about_others() -> None:
    found = accuracy_interval([1, 0, 1], ["s", "s", "s"])
    assert (found.low, found.high) == (0, 1)
    assert math.isinf(mean_interval([1, 0, 1], ["s", "s", "s"]).high)


def test_answers_that_come_together_widen_the_interval() -> None:
    values = np.repeat([1.0, 0.0], 50)
    together = accuracy_interval(values, [f"s{i // 10}" for i in range(100)])
    mixed = accuracy_interval(values, [f"s{i % 10}" for i in range(100)])
    assert together.high - together.low > 2.5 * (mixed.high - mixed.low)


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from("abcdefg")), min_size=1),
    st.randoms(use_true_random=False),
)
def test_an_interval_holds_its_mean_and_does_not_depend_on_order(
    pairs: list[tuple[float, str]], random: object
) -> None:
    values, scenes = [v for v, _ in pairs], [s for _, s in pairs]
    one = accuracy_interval(values, scenes)
    assert 0 <= one.low <= one.value <= one.high <= 1
    other = accuracy_interval(values[::-1], scenes[::-1])
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abc")), min_size=1, max_size=12),
)
def test_a_number_has_one_interval_whether_by_passes_or_by_means(found: list[tuple[int, str]]) -> None:
    """Each question is put four times, and right in some of them."""
    passes = [(float(k < right), str(i), c) for i, (right, c) in enumerate(found) for k in range(4)]
    by_pass = interval_of_passes(*map(list, zip(*passes, strict=True)))  # type: ignore[arg-type]
    by_mean = accuracy_interval([right / 4 for right, _ in found], [c for _, c in found])
    assert (by_pass.low, by_pass.value, by_pass.high) == pytest.approx(
        (by_mean.low, by_mean.value, by_mean.high)
    )
    assert by_pass.n == 4 * by_mean.n


def test_asking_again_tells_nothing_of_other_questions() -> None:
    often = interval_of_passes([1.0] * 8 + [0.0], ["a"] * 8 + ["b"], ["a"] * 8 + ["b"])
    assert often.value == pytest.approx(8 / 9)
    assert often.low < 0.05


def test_values_that_are_no_shares_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        accuracy_interval([0.2, 1.4], ["a", "b"])
    with pytest.raises(ValueError, match="as many cluster names"):
        accuracy_interval([1.0, 0.0], ["a"])


FEW = ((10, 20), (10, 5), (20, 10), (20, 5), (50, 8))


@pytest.mark.parametrize(("scenes", "per_scene"), FEW)
def test_intervals_of_few_scenes_hold_near_the_ends_too(scenes: int, per_scene: int) -> None:
    """Where nearly all is right and wrong answers come together, few scenes show it: most settings hold all
    the same, and the worst falls short by five points, as docs/statistics.md says."""
    sizes = np.full(scenes, per_scene)
    found = [
        coverage(sizes, p, rho, 2_000) for p, rho in product((0.5, 0.75, 0.9, 0.97), (0.0, 0.1, 0.3, 0.6))
    ]
    assert sum(c >= 0.93 for c in found) >= 15
    assert min(found) >= 0.905
