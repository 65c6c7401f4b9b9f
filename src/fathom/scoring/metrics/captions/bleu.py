"""BLEU-1 to BLEU-4, by sentence and over a corpus, against the reference of the closest length.

    BLEU-n = min(1, exp(1 − r / c)) · (p₁ · … · pₙ)^(1/n)

pₖ is the share of the candidate's k-grams that stand in a reference, each counted at most as often as in the
reference that has it most; c is the candidate's length, r that of the reference nearest to it (the shorter of
two). A corpus adds up numerators, denominators and lengths first. The two tiny numbers are those of the COCO
caption evaluation, so that values agree with it to the last digit that it prints.

Ref: Papineni et al. 2002.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.scoring.metrics.captions.ngrams import LONGEST, Counts, Ints, Ngrams, find

Floats = NDArray[np.float64]

_TINY, _SMALL = 1e-15, 1e-9


def bleu_counts(ngrams: Ngrams) -> Floats:
    """Return what BLEU is made of, (m, 10), which adds up over objects.

    Columns are how many of the candidate's 1- to 4-grams a reference has (4), how many there are (4), the
    candidate's length, and that of the nearest reference.
    """
    m = ngrams.candidates
    length = ngrams.lengths[:m]
    correct = [_clipped(ngrams, table) for table in ngrams.by_length]
    guessed = np.maximum(0, length[:, None] - np.arange(LONGEST))
    return np.column_stack([*correct, guessed, length, _closest(ngrams)]).astype(np.float64)


def bleu_of(counts: Floats) -> Floats:
    """Return BLEU-1 … BLEU-4 (..., 4) of counts (..., 10), those of a caption or summed over a corpus."""
    correct, guessed = counts[..., :LONGEST], counts[..., LONGEST : 2 * LONGEST]
    length, closest = counts[..., -2:-1], counts[..., -1:]
    shares = np.cumprod((correct + _TINY) / (guessed + _SMALL), axis=-1)
    values = shares ** (1 / np.arange(1, LONGEST + 1))
    brevity = np.exp(np.minimum(0.0, 1 - (closest + _SMALL) / (length + _TINY)))
    # A candidate without words gets 0, whatever the references.
    return np.where(length > 0, values * brevity, 0.0)


def _clipped(ngrams: Ngrams, table: Counts) -> Floats:
    """Return how many of each candidate's n-grams a reference has, (m,)."""
    m = ngrams.candidates
    ours = table.sentences < m
    owner = ngrams.objects[table.sentences[~ours]] * max(table.kinds, 1) + table.grams[~ours]
    order = np.argsort(owner, kind="stable")
    known, begins = np.unique(owner[order], return_index=True)
    most: Ints = np.maximum.reduceat(table.counts[~ours][order], begins) if len(begins) else known
    mine = table.sentences[ours]
    places, there = find(mine * max(table.kinds, 1) + table.grams[ours], known)
    hits = np.minimum(table.counts[ours][there], most[places[there]])
    return np.bincount(mine[there], weights=hits, minlength=m).astype(np.float64)


def _closest(ngrams: Ngrams) -> Floats:
    """Return the length of each object's reference that is nearest to the candidate's, (m,)."""
    m = ngrams.candidates
    owner, length = ngrams.objects[m:], ngrams.lengths[m:]
    order = np.lexsort((length, np.abs(length - ngrams.lengths[owner]), owner))
    first = np.searchsorted(owner[order], np.arange(m))
    return length[order][first].astype(np.float64)
