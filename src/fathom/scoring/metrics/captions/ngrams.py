"""The n-grams of many captions as one table of numbers, which BLEU and CIDEr both read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Tokens = Sequence[str]

LONGEST = 4
"""BLEU and CIDEr count runs of one to four words."""


@dataclass(frozen=True)
class Counts:
    """How often which n-gram of one length stands in which sentence, sorted by sentence, then n-gram.

    `sentences`, `grams` and `counts` are (entries,); `kinds` is how many different n-grams there are, and
    `first` (kinds,) is where in the running text each begins for the first time.
    """

    sentences: Ints
    grams: Ints
    counts: Ints
    kinds: int
    first: Ints


@dataclass(frozen=True)
class Ngrams:
    """Captions of m objects with their references, as n-grams.

    Sentences are numbered: 0 to m − 1 are the candidates, the references follow, object by object; `objects`
    (sentences,) says whose each is, `lengths` (sentences,) counts its words. `by_length` has one table for
    each length of n-gram. `words` (w,) is the running text, in which `word_at` looks n-grams up again.
    """

    candidates: int
    objects: Ints
    lengths: Ints
    by_length: tuple[Counts, ...]
    vocabulary: tuple[str, ...]
    words: Ints

    def words_of(self, length: int) -> list[tuple[str, ...]]:
        """Return every n-gram of a length as words, in the order of their numbers."""
        known = self.vocabulary
        starts = self.by_length[length - 1].first
        columns = [self.words[starts + k].tolist() for k in range(length)]
        return [tuple(known[w] for w in row) for row in zip(*columns, strict=True)]


def count_ngrams(candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Ngrams:
    """Return the n-grams of m candidates and of their references.

    Raises ValueError where an object has no reference, or the two are not as many.
    """
    if len(candidates) != len(references) or not all(references):
        raise ValueError(
            f"{len(candidates)} captions need as many lists of at least one reference, not {len(references)}"
        )
    sentences = [*candidates, *chain.from_iterable(references)]
    owners = [*range(len(candidates)), *(i for i, refs in enumerate(references) for _ in refs)]
    lengths = np.array([len(s) for s in sentences], dtype=np.int64)
    numbers: dict[str, int] = {}
    words = np.array(
        [numbers.setdefault(w, len(numbers)) for w in chain.from_iterable(sentences)], dtype=np.int64
    )
    return Ngrams(
        candidates=len(candidates),
        objects=np.array(owners, dtype=np.int64),
        lengths=lengths,
        by_length=tuple(_tables(words, lengths, len(numbers))),
        vocabulary=tuple(numbers),
        words=words,
    )


def _tables(words: Ints, lengths: Ints, kinds: int) -> list[Counts]:
    """Return the table of each length; an n-gram's number is that of its first n − 1 words and the last."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(words)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    left = np.repeat(lengths, lengths) - place
    starts, gram = np.arange(len(words)), words
    tables = []
    for length in range(1, LONGEST + 1):
        keep = left[starts] >= length
        starts, gram = starts[keep], gram[keep]
        if length > 1:
            gram = gram * kinds + words[starts + length - 1]
        _, first, gram = np.unique(gram, return_index=True, return_inverse=True)
        here = len(first)
        pairs, counts = np.unique(sentence[starts] * max(here, 1) + gram, return_counts=True)
        tables.append(
            Counts(pairs // max(here, 1), pairs % max(here, 1), counts.astype(np.int64), here, starts[first])
        )
    return tables


def find(wanted: Ints, known: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Return where each of `wanted` (n,) stands in the sorted `known` (k,), and whether it does."""
    if not len(known):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1).astype(np.int64)
    return places, known[places] == wanted
