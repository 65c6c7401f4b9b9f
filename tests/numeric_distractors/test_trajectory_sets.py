"""Five trajectories of which any may be the one that is asked for."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from fathom.questions.numeric.error_sampling import distances
from fathom.questions.numeric.measures import QuantityMeasure
from fathom.questions.numeric.option_sets import five_of_these
from fathom.questions.numeric.trajectory_sets import at_one_pace, sets_of_five
from fathom.questions.numeric.vector_answers import trajectory

FORM = ("straight:forward", "left:forward")
ERRORS = QuantityMeasure("m", 1.0, 0.5, 2.0)


def _walked(count: int) -> np.ndarray:
    """Trajectories of who walks at nearly one pace: what is short before the turn is long after it."""
    g = np.random.default_rng(11)
    total, share = g.normal(8.0, 0.8, count), g.uniform(0.2, 0.8, count)
    return np.column_stack([total * share, g.uniform(20, 120, count), total * (1 - share)])


def _apart(rows: np.ndarray) -> np.ndarray:
    weights = trajectory("indoor", FORM).weights
    return np.array([distances(row, rows, weights) for row in rows])


def test_five_lie_as_far_apart_as_they_should() -> None:
    rows, weights = _walked(60), trajectory("indoor", FORM).weights
    found = list(sets_of_five(_apart(rows), ERRORS.least, ERRORS.most, "far apart"))
    assert len(found) > 50
    for five in found:
        assert len(set(five)) == 5
        for k in five:
            others = distances(rows[k], rows[[i for i in five if i != k]], weights)
            assert ERRORS.least <= others.min() <= ERRORS.most


def test_whoever_knows_the_usual_pace_is_at_chance() -> None:
    rows = _walked(80)
    apart, away = _apart(rows), np.abs(rows[:, 0] + rows[:, 2] - 8.0)
    drawn = (sets_of_five(apart, ERRORS.least, ERRORS.most, "pace", k) for k in range(1500))
    firsts = [next(islice(five, 1)) for five in drawn]
    for nearest in (away, rows[:, 0], rows[:, 1]):
        right = np.mean([np.argmin(nearest[list(five)]) == 0 for five in firsts])
        assert right == pytest.approx(0.2, abs=3 * 0.4 / np.sqrt(len(firsts)))


def test_a_pace_is_kept_in_another_time() -> None:
    rows, vector = _walked(3), trajectory("indoor", FORM)
    longer = at_one_pace(rows, vector, np.array([2.0, 4.0, 5.0]), 6.0)
    assert longer[:, 1] == pytest.approx(rows[:, 1])
    assert longer[:, [0, 2]] == pytest.approx(rows[:, [0, 2]] * np.array([[3.0], [1.5], [1.2]]))


def test_too_few_make_no_five() -> None:
    assert not list(sets_of_five(_apart(_walked(4)), ERRORS.least, ERRORS.most, "few"))


def test_given_options_are_written_alike_and_not_moved() -> None:
    rows, vector = np.round(_walked(60), 2), trajectory("indoor", FORM)
    five = next(sets_of_five(_apart(rows), ERRORS.least, ERRORS.most, "written"))
    options = five_of_these(rows[five[0]], rows[list(five[1:])].tolist(), vector, "written", place=2)
    assert options.index == 2 and options.weight == 0.0 and len(set(options.texts)) == 5
    assert options.error == pytest.approx(
        distances(rows[five[0]], rows[list(five[1:])], vector.weights).min()
    )
    assert options.numbers[2] == pytest.approx(rows[five[0]], rel=0.03)


def test_two_that_are_the_same_stand_in_no_five() -> None:
    apart, whose = _apart(_walked(60)), np.arange(60) % 12
    apart[whose[:, None] == whose] = 0.0
    found = list(sets_of_five(apart, ERRORS.least, ERRORS.most, "same"))
    assert len(found) > 50
    assert all(len({int(whose[k]) for k in five}) == 5 for five in found)
