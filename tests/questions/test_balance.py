"""What the words of a question tell of its answer is weighed away."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.questions.balance import _feature


@pytest.mark.parametrize("answers", [2, 3, 5])
def test_what_one_answer_never_goes_with_fades_for_the_others(answers: int) -> None:
    # 200 candidates of every answer are built in one way; in another way 22, but none of the last answer.
    label = np.repeat(np.arange(answers), 222)
    level = np.tile(np.repeat([0, 1], [200, 22]), answers)
    keep = ~((label == answers - 1) & (level == 1))
    label, level = label[keep], level[keep]
    totals = np.bincount(label).astype(float)
    target = _feature(level, label, totals, 2).target.reshape(-1, answers)
    # Levels with enough candidates keep their place behind the rare ones, which are taken together.
    left = target[-1, 0] * totals[0]
    assert target.sum(axis=0) == pytest.approx(1.0)
    assert 0 < left < 0.4 * answers, "worth less than two of 22 candidates"


def test_what_all_answers_go_with_stays() -> None:
    label = np.repeat([0, 1], 100)
    level = np.tile(np.repeat([0, 1], [70, 30]), 2)
    target = _feature(level, label, np.array([100.0, 100.0]), 2).target.reshape(-1, 2)
    assert target == pytest.approx(np.array([[0.7, 0.7], [0.3, 0.3]]), abs=0.01)
