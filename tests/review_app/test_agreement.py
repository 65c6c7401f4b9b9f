"""Agreement against figures of textbooks and against sums done in another way."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.stats.agreement import (
    agreement,
    cohen_kappa,
    nominal_alpha,
    pairwise_kappa,
    sample_needed,
    share_bound,
)

KRIPPENDORFF = (
    # Krippendorff's example of four observers and twelve units; 0 stands for no judgement.
    (1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3),
    (0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0),
)


def _units() -> list[dict[str, str]]:
    return [{str(k): str(v) for k, v in enumerate(unit) if v} for unit in zip(*KRIPPENDORFF, strict=True)]


def test_alpha_is_that_of_the_textbook_s_example() -> None:
    found = agreement(_units())
    assert found.alpha == pytest.approx(0.743, abs=0.0005)
    assert found.items == 11
    assert found.low is not None and found.high is not None and found.low < 0.743 < found.high


def test_kappa_is_that_of_a_table_of_counts() -> None:
    # 20 both yes, 5 yes and no, 10 no and yes, 15 both no: κ = 0.4
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=2, max_size=4), min_size=1, max_size=12))
def test_alpha_is_one_minus_observed_by_expected_disagreement(items: list[list[str]]) -> None:
    """Pair by pair: each ordered pair of an item of m judgements weighs 1 / (m − 1)."""
    values = [v for item in items for v in item]
    n = len(values)
    observed = sum((a != b) * 2 / (len(item) - 1) for item in items for a, b in combinations(item, 2)) / n
    expected = sum(a != b for a, b in combinations(values, 2)) * 2 / (n * (n - 1))
    counts = np.array([[float(item.count(x)) for x in "abc"] for item in items])
    found = nominal_alpha(counts)
    if expected == 0:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed / expected)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), max_size=20))
def test_kappa_does_not_hang_on_who_is_first(pairs: list[tuple[str, str]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    first, second = cohen_kappa(one, other), cohen_kappa(other, one)
    assert first == second or (first is not None and second is not None and math.isclose(first, second))


def test_pairs_of_people_are_compared_over_what_both_judged() -> None:
    found = pairwise_kappa([{"b": "x", "a": "x"}, {"a": "y", "b": "y", "c": "x"}])
    assert found["a", "b"] == (1.0, 2)
    assert found["b", "c"] == (0.0, 1) or found["b", "c"][1] == 1


def test_fifty_nine_without_a_fault_are_enough_for_five_per_cent() -> None:
    assert sample_needed(0.05) == 59
    assert share_bound(0, 59) < 0.05 < share_bound(0, 58)
    assert share_bound(3, 3) == 1.0


@given(st.integers(1, 200), st.data())
def test_the_bound_is_where_so_few_would_be_seen_once_in_twenty(n: int, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, n - 1))
    bound = share_bound(wrong, n)
    seen = sum(math.comb(n, k) * bound**k * (1 - bound) ** (n - k) for k in range(wrong + 1))
    assert seen == pytest.approx(0.05, abs=1e-6)


def test_nobody_is_no_agreement() -> None:
    assert agreement([]).raw is None
    assert agreement([{"a": "x"}]).alpha is None
    with pytest.raises(ValueError, match="as many labels"):
        cohen_kappa(["a"], [])
    with pytest.raises(ValueError, match="wrong items"):
        share_bound(2, 1)
