"""At which place of its choices an answer stands tells nothing: no place is right much more often."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from fathom.questions.balancing.level_places import LEAST, LOOSE, level_places

PLACES = 4


def drawn(seed: int, count: int = 180) -> list[tuple[Hashable, ...]]:
    """Return what made-up questions share: five tasks, forms, answers, assets."""
    g = np.random.default_rng(seed)
    rows = [g.integers(n, size=count).tolist() for n in (5, 30, 40, 20)]
    return [("all", *enumerate(row)) for row in zip(*rows, strict=True)]


def worst(shared: Sequence[Sequence[Hashable]], dealt: Sequence[int]) -> float:
    """Return how far any place is from even in anything that many questions share, in standard deviations."""
    off = [0.0]
    for head in {h for heads in shared for h in heads}:
        own = Counter(place for place, heads in zip(dealt, shared, strict=True) if head in heads)
        total = sum(own.values())
        if total >= LEAST:
            spread = math.sqrt(total * (PLACES - 1)) / PLACES
            off += [abs(own[p] - total / PLACES) / spread for p in range(PLACES)]
    return max(off)


@pytest.mark.parametrize("seed", range(4))
def test_no_place_is_right_much_more_often_whatever_questions_share(seed: int) -> None:
    shared = drawn(seed)
    by_chance = np.random.default_rng(seed).integers(PLACES, size=len(shared)).tolist()
    assert worst(shared, level_places(shared, PLACES, np.random.default_rng(seed))) <= LOOSE
    assert worst(shared, by_chance) > LOOSE + 0.3


def test_the_last_place_is_not_told_by_the_others() -> None:
    found = Counter[int]()
    for seed in range(400):
        *known, last = level_places([("all",)] * 12, PLACES, np.random.default_rng(seed))
        rarest = min(range(PLACES), key=lambda p: (known.count(p), p))
        found[last == rarest] += 1
    # Dealt exactly as often each, it would always be.
    assert found[True] / found.total() < 0.35
