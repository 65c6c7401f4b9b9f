"""Who guesses is as often right as chance has it, also where passes are joined."""

from __future__ import annotations

from statistics import fmean

import pytest

from fathom import api
from fathom.inference.models.random import draw_answer
from fathom.records import Question, without_answer
from tests.five.conftest import Find

SEEDS = 40


def share_right(questions: list[Question], protocol: str) -> float:
    """Return the share of questions that guessing gets right in every pass."""
    passes = api.benchmark_named("3dsrbench").protocols[protocol].variants
    return fmean(
        all(
            draw_answer(without_answer(q), str(seed), variant) == q.answer
            for variant in passes(without_answer(q))
        )
        for seed in range(SEEDS)
        for q in questions
    )


def test_the_random_baseline_guesses_anew_in_every_rotation(dataset: Find) -> None:
    questions = list(dataset("3dsrbench").questions())
    # 40 × 24 groups: the standard deviation is 0.013 to 0.016.
    assert share_right(questions, "circular") == pytest.approx((20 / 4 + 4 / 256) / 24, abs=0.05)
    assert share_right(questions, "generation") == pytest.approx((20 / 2 + 4 / 4) / 24, abs=0.05)
