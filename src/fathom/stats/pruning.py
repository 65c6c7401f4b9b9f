"""Iterative pruning: the questions that are guessed blind most easily, found round by round.

A forest learns the set from everything that is not visual, and every question gets a bias score: how likely
the forest found the right answer when it was held out, less chance. The most guessable are taken out, and
the forest is grown again on what is left, for what made them guessable may be gone with them.

Ref: Brown et al. 2025, iterative bias pruning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fathom.records import InputError, Question
from fathom.stats.blind import stress_test
from fathom.stats.blind_verdicts import BlindResult

VERSION = "1"
"""Raised by whatever could change which questions are taken out."""

ROUNDS = 5


@dataclass(frozen=True)
class Pruned:
    """A question that was taken out: in which round, and the bias score that it had then."""

    question: str
    round: int
    bias: float


@dataclass(frozen=True)
class Pruning:
    """What was taken out, in that order, and the stress test of the whole set and of what is left.

    `rounds` is how many times the forest was grown before something was taken out.
    """

    pruned: tuple[Pruned, ...]
    rounds: int
    before: BlindResult
    after: BlindResult


def prune(
    questions: Sequence[Question],
    number: int,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Pruning:
    """Return the `number` questions that are the most guessable, found in as many rounds.

    It ends sooner where no question is guessed better than by chance. Raises InputError where there are not
    so many, MissingExtraError without scikit-learn.
    """
    if not 0 < number < len(questions):
        raise InputError(f"--prune {number}: expected a number from 1 to {len(questions) - 1}")
    left = list(questions)
    taken: list[Pruned] = []
    first = last = stress_test(left, seed=seed)
    done = 0
    while len(taken) < number:
        biased = [(-bias, name) for name, bias in last.bias_scores.items() if bias > 0]
        if not biased:
            break
        done += 1
        share = math.ceil((number - len(taken)) / max(1, rounds - done + 1))
        # Of equally guessable questions the ids decide.
        worst = [Pruned(name, done, -bias) for bias, name in sorted(biased)[:share]]
        taken += worst
        names = {p.question for p in worst}
        left = [q for q in left if q.id not in names]
        last = stress_test(left, seed=seed)
        progress(len(taken), number)
    return Pruning(tuple(taken), done, first, last)


def wanted(text: str, there: int) -> int:
    """Return how many questions are meant by `50`, `10%` or `0.1`, of as many as there are.

    Raises InputError for anything else.
    """
    number = text.strip()
    try:
        share = float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError:
        share = float("nan")
    if number.isdigit() and int(number) > 0:
        return int(number)
    if not 0 < share < 1:
        raise InputError(
            f"--prune {text}: expected how many questions to take out (50), or a share of them (10%, 0.1)"
        )
    return max(1, round(share * there))
