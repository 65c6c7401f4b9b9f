"""Questions with five options of which it is known how they were made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.questions.numeric.answer_balancing import Want, levelled
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.option_sets import Options, answer_places, five
from fathom.records import Question
from fathom.store.seeds import rng


def question(name: str, texts: Sequence[str], answer: str, task: str = "heights") -> Question:
    return Question(
        id=name, task=task, text="How high?", answer=answer, choices=tuple(texts), scene=f"scene {name}"
    )


def heights(count: int, seed: str) -> list[float]:
    """Chairs and the like: few of them are low or high."""
    return [float(x) for x in np.exp(rng(seed, "heights").normal(np.log(0.8), 0.35, count))]


def levelled_options(count: int, seed: str, pool: int = 6) -> list[Options]:
    values = heights(count * pool, seed)
    found = levelled(values, wants(count), seed)
    places = answer_places([str(i) for i in found.indices], seed)
    return [
        five(values[i], "indoor", "height", seed, i, span=found.span, place=places[str(i)], rank=k % 5)
        for k, i in enumerate(found.indices)
    ]


def wants(count: int) -> list[Want]:
    """So many heights, the answer at each place among the five as often."""
    return [(measure_of("indoor", "height"), k % 5) for k in range(count)]


def asked(options: Sequence[Options]) -> list[Question]:
    return [question(f"{i:05d}", o.texts, o.texts[o.index]) for i, o in enumerate(options)]
