from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from fathom.scoring.metrics.variation import coefficient_of_variation
from fathom.stats.bootstrap import (
    bootstrap,
    centred_interval,
    drawn_sums,
    percentile_interval,
    sums_by_scene,
)
from fathom.stats.intervals import mean_interval
from fathom.stats.paired import paired_difference
from fathom.store.seeds import rng

Floats = NDArray[np.float64]


def ratio(means: Floats) -> Floats:
    return np.asarray(means[..., 1:] / means[..., :1])


def two_tasks(scenes: int, seed: int = 0) -> tuple[list[float], list[str], list[str]]:
    g = rng("two tasks", seed)
    skill = g.beta(8, 4, scenes)
    values = [
        float(g.random() < skill[s] * (1 - 0.3 * hard)) for s in range(scenes) for hard in (0, 0, 0, 1, 1, 1)
    ]
    names = [f"s{s}" for s in range(scenes) for _ in range(6)]
    return values, names, [*["easy"] * 3, *["hard"] * 3] * scenes


def test_a_bootstrap_is_a_function_of_its_seed() -> None:
    sums = sums_by_scene(*two_tasks(40), ["easy", "hard"])
    _, first = bootstrap(sums, ratio, seed=7, draws=200)
    _, again = bootstrap(sums, ratio, seed=7, draws=200)
    _, other = bootstrap(sums, ratio, seed=8, draws=200)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_order_of_answers_does_not_matter() -> None:
    values, scenes, groups = two_tasks(25)
    order = rng("order").permutation(len(values))
    shuffled = [values[i] for i in order], [scenes[i] for i in order], [groups[i] for i in order]
    one = bootstrap(sums_by_scene(values, scenes, groups, ["easy", "hard"]), ratio, 1, 100)
    other = bootstrap(sums_by_scene(*shuffled, ["easy", "hard"]), ratio, 1, 100)
    assert np.array_equal(one[1], other[1])


def test_every_draw_takes_as_many_scenes_as_there_are() -> None:
    different = np.arange(30.0)[:, None]
    for rows in (np.ones((30, 1)), np.hstack([np.ones((30, 1)), different])):
        assert (drawn_sums(rows, 50, seed=3)[:, 0] == 30).all()


def test_scenes_that_are_alike_are_drawn_as_the_others_are() -> None:
    """The two ways of drawing have the same mean and spread."""
    g = rng("alike")
    few = g.integers(0, 2, size=(400, 1)).astype(float)
    many = few + 1e-9 * g.random((400, 1))
    a, b = drawn_sums(few, 4_000, 1), drawn_sums(many, 4_000, 2)
    assert float(a.mean()) == pytest.approx(float(b.mean()), abs=0.8)
    assert float(a.std()) == pytest.approx(float(b.std()), rel=0.06)


def test_for_a_mean_the_bootstrap_agrees_with_the_clustered_error() -> None:
    values, scenes, groups = two_tasks(400)
    sums = sums_by_scene(values, scenes, ["all"] * len(groups), ["all"])
    _, draws = bootstrap(sums, lambda m: m, seed=0)
    expected = mean_interval(values, scenes)
    assert float(draws.std()) == pytest.approx(expected.standard_error, rel=0.06)
    assert percentile_interval(draws[:, 0], 400) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_intervals_of_a_ratio_cover_it() -> None:
    """The true ratio is 0.7; 300 experiments of 60 scenes."""
    hits = 0
    for seed in range(300):
        sums = sums_by_scene(*two_tasks(60, seed), ["easy", "hard"])
        _, draws = bootstrap(sums, ratio, seed, draws=400)
        interval = percentile_interval(draws[:, 0], 60)
        assert interval is not None
        hits += interval[0] <= 0.7 <= interval[1]
    assert 0.92 <= hits / 300 <= 0.98


def test_2000_draws_over_1000_scenes_take_less_than_a_second() -> None:
    sums = sums_by_scene(*two_tasks(1_000), ["easy", "hard"])
    start = time.process_time()
    bootstrap(sums, ratio, seed=0, draws=2_000)
    assert time.process_time() - start < 1


def test_few_scenes_spread_further_than_the_plain_percentiles() -> None:
    draws = np.linspace(0, 1, 10_001)
    few, many = percentile_interval(draws, 8), percentile_interval(draws, 10_000)
    assert few is not None
    assert many is not None
    assert many == pytest.approx((0.025, 0.975), abs=1e-3)
    assert few[0] < many[0]
    assert few[1] > many[1]
    assert percentile_interval(draws, 1) is None


def test_a_spread_lies_in_its_own_interval_and_sets_of_that_size_give_it() -> None:
    """Few labels drawn from many are more uneven drawn again; 120 sets of 12 scenes, 9 labels."""
    g = rng("spread")
    sets = [g.multinomial(3, np.full(9, 1 / 9), size=12).astype(float) for _ in range(120)]
    expected = float(np.mean([coefficient_of_variation(s.sum(axis=0)) for s in sets]))
    hits, beside = 0, 0
    for k, one in enumerate(sets):
        value = float(coefficient_of_variation(one.sum(axis=0)))
        draws = coefficient_of_variation(drawn_sums(one, 400, k))
        plain, found = percentile_interval(draws, 12), centred_interval(value, draws, 12, least=0.0)
        assert plain is not None and found is not None
        assert 0 <= found[0] <= value <= found[1]
        hits += found[0] <= expected <= found[1]
        beside += not plain[0] <= value <= plain[1]
    assert hits / 120 >= 0.92
    assert beside, "else the set does not show what the moving is for"
    assert centred_interval(1.0, [1.0] * 50, 12) is None


def test_a_group_without_questions_has_no_mean() -> None:
    sums = sums_by_scene([1.0], ["s"], ["easy"], ["easy", "hard"])
    assert np.isnan(sums.means()[1])


def test_two_equal_runs_do_not_differ() -> None:
    found = paired_difference([1, 0, 1, 0], [1, 0, 1, 0], ["a", "a", "b", "b"])
    assert (found.value, found.low, found.high, found.p_value) == (0, -1, 1, 1)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, -1.0])
def test_a_difference_that_is_the_same_everywhere_still_has_an_interval(value: float) -> None:
    """Fifteen scenes of which each says the same: others may say something else."""
    second = [max(0.0, -value)] * 15
    found = paired_difference([s + value for s in second], second, [f"s{i}" for i in range(15)])
    assert found.low <= found.value == value <= found.high
    assert 0.1 < found.high - found.low < 0.5


def test_all_of_fifteen_questions_say_what_is_known_of_them() -> None:
    """Exact: with 15 of 15 a share of 0.78 is not ruled out, and so a difference of 0.57 to 0.78."""
    found = paired_difference([1.0] * 15, [0.0] * 15, [""] * 15)
    assert 0.57 <= found.low <= 0.78
    assert found.high == 1


def test_pairing_sees_a_difference_that_two_intervals_hide() -> None:
    g = rng("pairs")
    first = (g.random(600) < 0.6).astype(float)
    second = np.where(g.random(600) < 0.05, 0, first)
    found = paired_difference(first, second, [f"s{i // 6}" for i in range(600)])
    assert found.low > 0
    assert found.high < 0.06
    assert found.p_value < 0.01
    assert found.second_only == 0
    assert found.value == pytest.approx(found.first_only / 600)


def test_a_difference_counts_false_alarms_as_often_as_it_says() -> None:
    alarms = 0
    for seed in range(400):
        g = rng("no difference", seed)
        skill = np.repeat(g.beta(4, 4, 30), 5)
        a, b = (g.random(150) < skill).astype(float), (g.random(150) < skill).astype(float)
        alarms += paired_difference(a, b, [f"s{i // 5}" for i in range(150)]).p_value < 0.05
    assert 0.02 <= alarms / 400 <= 0.08


def test_runs_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="as many values"):
        paired_difference([1.0], [1.0, 0.0], ["a", "b"])
