from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fathom.benchmarks.threedsrbench.paper import ACCURACY, CATEGORIES, OPTIONS, types_of
from fathom.stats.chance import (
    GROUPINGS,
    GUESSERS,
    Grouping,
    Guesser,
    expected_accuracy,
    over_types,
    passes_in,
    pictures_in,
)
from fathom.store.seeds import rng

PLAYED = 40_000


def simulated_accuracy(
    options: int,
    grouping: Grouping,
    guesser: Guesser,
    kept: float = 0.5,
    *,
    groups: int = 10_000,
    seed: int | str = 0,
) -> float:
    """Return the share of groups that a guesser got right, played out pass by pass."""
    g = rng(seed, "chance", options, grouping, guesser)
    pictures = pictures_in(grouping)
    rotations = options if grouping in ("circular", "both") else 1
    place = g.integers(options, size=(groups, pictures, 1))
    if pictures == 2:
        elsewhere = (place[:, 0] + g.integers(1, options, size=(groups, 1))) % options
        place[:, 1] = np.where(g.random((groups, 1)) < kept, place[:, 0], elsewhere)
    right: NDArray[np.intp] = (place + np.arange(rotations)) % options
    if guesser == "random":
        said = g.integers(options, size=right.shape)
    elif guesser == "random++":
        said = (g.integers(options, size=(groups, pictures, 1)) + np.arange(rotations)) % options
    else:
        said = np.zeros_like(right)
    return float((said == right).all(axis=(1, 2)).mean())


@pytest.mark.parametrize("options", [2, 4, 5])
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("guesser", GUESSERS)
def test_what_is_expected_is_what_comes_out_when_it_is_played(
    options: int, grouping: Grouping, guesser: Guesser
) -> None:
    expected = expected_accuracy(options, grouping, guesser, kept=0.7)
    played = simulated_accuracy(options, grouping, guesser, kept=0.7, groups=PLAYED, seed="test")
    allowed = 4 * (max(expected * (1 - expected), 1 / PLAYED) / PLAYED) ** 0.5
    assert played == pytest.approx(expected, abs=allowed)


@pytest.mark.parametrize(("row", "guesser"), [("Random", "random"), ("Random++", "random++")])
def test_the_published_baselines_are_those_of_circular_groups(row: str, guesser: Guesser) -> None:
    for column, published in zip(ACCURACY.columns, ACCURACY.rows[row], strict=True):
        types = types_of(column)
        share = over_types(types, dict.fromkeys(types, 1.0), "circular", guesser)
        assert round(100 * share, 1) == published


@pytest.mark.parametrize("row", ["Random", "Random++"])
@pytest.mark.parametrize("grouping", ["plain", "flip", "both"])
def test_no_other_grouping_gives_the_published_random_baseline(row: str, grouping: Grouping) -> None:
    guesser: Guesser = "random" if row == "Random" else "random++"
    types = types_of("Overall")
    share = over_types(types, dict.fromkeys(types, 1.0), grouping, guesser)
    published = ACCURACY.rows[row][0]
    assert published is not None
    same = row == "Random++" and grouping == "plain"  # one guess a picture, however it is put
    assert (round(100 * share, 1) == published) == same


def test_always_the_same_letter_never_survives_a_rotation() -> None:
    for options in (2, 3, 4):
        assert expected_accuracy(options, "circular", "letter") == 0
        assert expected_accuracy(options, "plain", "letter") == 1 / options


def test_passes_are_counted() -> None:
    assert [passes_in(4, g) for g in GROUPINGS] == [1, 4, 2, 8]


def test_each_of_the_twelve_types_stands_under_one_column() -> None:
    assert len(OPTIONS) == 12
    assert sum(len(types_of(c)) for c in CATEGORIES) == 12


def test_one_option_is_no_guess() -> None:
    with pytest.raises(ValueError, match="at least two options"):
        expected_accuracy(1, "plain", "random")
