"""METEOR, of which there are two: the 1.5 program of the COCO evaluation, and the 2007 formula in nltk.

They differ in matchers (only the program knows paraphrases and function words), in weights, and in how a
corpus is summed up, so that values of one say nothing about values of the other.

Ref: Denkowski and Lavie 2014 (the program), Lavie and Agarwal 2007 (nltk's).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, missing_extra
from fathom.scoring.metrics.captions.java import METEOR_JAR, jar_path, run_java
from fathom.scoring.metrics.captions.ngrams import Tokens
from fathom.scoring.metrics.captions.tokens import one_line
from fathom.scoring.metrics.captions.wordnet import open_wordnet

Floats = NDArray[np.float64]

_ALPHA, _BETA, _GAMMA, _DELTA = 0.85, 0.2, 0.6, 0.75
_MATCHERS = np.array([1.0, 0.6, 0.8, 0.6])
"""Weights of exact, stem, synonym and paraphrase matches; with the four above, the program's for English."""
_STATISTICS = 23


def meteor_counts(
    candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]], jar: Path | None = None
) -> Floats:
    """Return what METEOR 1.5 counts, (m, 23), which adds up over objects; the program chooses the reference.

    Raises InputError or MissingExtraError where the archive or Java is missing.
    """
    archive = jar_path(jar, METEOR_JAR, "METEOR 1.5")
    rows = [
        " ||| ".join(["SCORE", *(_field(r) for r in refs), _field(c)])
        for c, refs in zip(candidates, references, strict=True)
    ]
    arguments = ["-Xmx2G", "-jar", str(archive), "-", "-", "-stdio", "-l", "en", "-norm"]
    lines = [line for line in run_java(arguments, rows, "METEOR 1.5") if line.strip()] if rows else []
    fields = [line.split() for line in lines]
    if len(fields) != len(rows) or any(len(f) != _STATISTICS for f in fields):
        raise InputError(
            f"{archive}: expected a line of {_STATISTICS} counts for each of {len(rows)} captions, found "
            f"{len(fields)} lines; use the METEOR 1.5 archive with its folder data/"
        )
    counts = np.array(fields, dtype=float).reshape(len(rows), _STATISTICS)
    # A caption that is its reference, word for word, is no chunk: not alone, and not in a corpus.
    same = (counts[:, 21] == counts[:, 0]) & (counts[:, 22] == counts[:, 1]) & (counts[:, 20] == 1)
    counts[same, 20] = 0
    return counts


def _field(tokens: Tokens) -> str:
    """Return a text as one field: the program's separator and line ends cannot be in it."""
    return re.sub(r" +", " ", one_line(" ".join(tokens)).replace("|||", ""))


def meteor_of(counts: Floats) -> Floats:
    """Return METEOR 1.5 (...,) of counts (..., 23), those of a caption or summed over a corpus.

    Columns are length of candidate and reference, function words of both; for each matcher content words
    matched in both and function words matched in both; chunks, and words matched in both.
    """
    length, ref_length, function, ref_function = (counts[..., k] for k in range(4))
    matched = np.einsum("...mk,m->...k", counts[..., 4:20].reshape(*counts.shape[:-1], 4, 4), _MATCHERS)
    chunks, words, ref_words = (counts[..., k] for k in range(20, 23))
    precision = _share(
        _DELTA * matched[..., 0] + (1 - _DELTA) * matched[..., 2],
        _DELTA * (length - function) + (1 - _DELTA) * function,
    )
    recall = _share(
        _DELTA * matched[..., 1] + (1 - _DELTA) * matched[..., 3],
        _DELTA * (ref_length - ref_function) + (1 - _DELTA) * ref_function,
    )
    mean = _share(precision * recall, _ALPHA * precision + (1 - _ALPHA) * recall)
    return mean * (1 - _GAMMA * _share(2 * chunks, words + ref_words) ** _BETA)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole > 0)


def meteor_nltk(
    candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]], wordnet: Path | None
) -> Floats:
    """Return nltk's METEOR of each object, (m,): the best over its references, in small letters.

    `wordnet` is a folder with the files of WordNet 3.0 (nltk's corpora/wordnet, or a distribution's).
    Raises InputError where it is not, MissingExtraError without nltk.
    """
    if wordnet is None:
        raise InputError(
            "nltk's METEOR needs WordNet 3.0: give the folder that holds index.noun and data.noun (nltk's "
            "corpora/wordnet; Debian's package wordnet-base puts it into /usr/share/wordnet)"
        )
    try:
        meteor = import_module("nltk.translate.meteor_score")
    except ImportError as e:
        raise missing_extra("nltk", "captions", "nltk's METEOR") from e
    synonyms = open_wordnet(wordnet)
    return np.array(
        [
            meteor.meteor_score([list(r) for r in refs], list(c), wordnet=synonyms) if any(c) else 0.0
            for c, refs in zip(candidates, references, strict=True)
        ],
        dtype=float,
    )
