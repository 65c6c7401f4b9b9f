"""ROUGE-L: the longest run of words, gaps allowed, that a caption shares with a reference.

With several references the best precision and the best recall are taken independently, even from different
ones, as the COCO caption evaluation does, and joined with β = 1.2, which favours recall.

Ref: Lin 2004.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.scoring.metrics.captions.ngrams import Tokens

Floats = NDArray[np.float64]

BETA = 1.2


def rouge_l(
    candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]], beta: float = BETA
) -> Floats:
    """Return ROUGE-L of each candidate, (m,); one without words gets 0."""
    return np.array(
        [_one(c, refs, beta) for c, refs in zip(candidates, references, strict=True)], dtype=float
    )


def _one(candidate: Tokens, references: Sequence[Tokens], beta: float) -> float:
    if not any(candidate):
        return 0.0
    places: dict[str, int] = {}
    for i, word in enumerate(candidate):
        places[word] = places.get(word, 0) | 1 << i
    common = [common_length(places, len(candidate), reference) for reference in references]
    precision = max(common) / len(candidate)
    recall = max(c / len(r) for c, r in zip(common, references, strict=True) if r) if any(references) else 0.0
    if not precision or not recall:
        return 0.0
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def common_length(places: dict[str, int], length: int, other: Tokens) -> int:
    """Return the length of the longest common subsequence of two texts.

    `places` holds, for each word of the first text, its positions as bits; one step of big integers a word
    of the other does a whole row of the usual table.

    Ref: Hyyrö 2004, bit-parallel LCS.
    """
    full = (1 << length) - 1
    row = full
    for word in other:
        found = row & places.get(word, 0)
        row = (row + found | row - found) & full
    return length - row.bit_count()
