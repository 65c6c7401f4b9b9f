"""Which questions stay, where dimensions are to be even, or as in the paper; and their numbers beside its."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from fathom.authoring.candidates import QuestionCandidate
from fathom.benchmarks.seedbench.authoring.lengths import longest, shortest
from fathom.benchmarks.seedbench.paper import PUBLISHED_COUNTS
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.english import rounded
from fathom.store.seeds import short_hash


def balanced(
    candidates: Sequence[QuestionCandidate], how: Literal["none", "even", "paper"], seed: str
) -> list[QuestionCandidate]:
    """Return the questions that stay, in their order: as many as can be in the shares that are wanted.

    A dimension without any question does not count. Which ones of a dimension stay hangs on the seed and the
    question alone.
    """
    counts = Counter(c.kind for c in candidates)
    if how == "none" or not counts:
        return list(candidates)
    weights = {kind: 1 if how == "even" else PUBLISHED_COUNTS[kind] for kind in counts}
    scale = min(counts[kind] / weight for kind, weight in weights.items())
    room = {kind: max(1, int(scale * weight + 1e-9)) for kind, weight in weights.items()}
    drawn = sorted(candidates, key=lambda c: short_hash(seed, "balance", c.id))
    stay: set[str] = set()
    for candidate in drawn:
        if room[candidate.kind]:
            room[candidate.kind] -= 1
            stay.add(candidate.id)
    return [c for c in candidates if c.id in stay]


def counts_beside_the_paper(kept: Sequence[QuestionCandidate]) -> list[str]:
    """Return a line a dimension: how many questions there are and their share, and the paper's."""
    counts, total = Counter(c.kind for c in kept), max(1, len(kept))
    published = sum(PUBLISHED_COUNTS.values())
    return [
        f"{TASKS[kind]}: {counts[kind]:,} ({rounded(100 * counts[kind] / total)} %); published {number:,} "
        f"({rounded(100 * number / published)} %)"
        for kind, number in PUBLISHED_COUNTS.items()
        if counts[kind]
    ]


def positions(kept: Sequence[QuestionCandidate]) -> str:
    """Return in words how often the right option stands where, and how often its length tells it."""
    places = Counter("ABCD"[c.choices.index(c.answer)] for c in kept)
    told = ", ".join(f"{letter} {places[letter]:,}" for letter in "ABCD")
    return (
        f"the right option stands at {told}; of {len(kept):,} questions it is the only longest one of "
        f"{sum(map(longest, kept)):,}, and the only shortest one of {sum(map(shortest, kept)):,}"
    )
