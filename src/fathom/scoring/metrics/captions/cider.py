"""CIDEr and CIDEr-D: cosines between n-grams weighted by how rare they are.

An n-gram's weight is its count in the sentence times log N − log max(1, in how many of N documents it
stands). A caption's score is the mean over references and over n = 1 … 4 of the cosine, times 10. CIDEr-D
clips a candidate's weight at the reference's, and multiplies by a Gaussian of the difference in length
(σ = 6); plain CIDEr does neither.

Document frequencies come from the references at hand (a document is an object), or from a file, which is what
makes a single object's score possible: over one document every weight is log 1 = 0.

Ref: Vedantam et al. 2015.
"""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError
from fathom.scoring.metrics.captions.ngrams import LONGEST, Counts, Ngrams, find

Floats = NDArray[np.float64]

SIGMA = 6.0


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many of `documents` documents each n-gram stands, and what the documents were."""

    name: str
    log_documents: float
    frequencies: Mapping[tuple[str, ...], float]


def cider(
    ngrams: Ngrams,
    frequencies: DocumentFrequencies | None = None,
    clipped: bool = False,
    sigma: float = SIGMA,
) -> Floats:
    """Return CIDEr of each object, (m,), or CIDEr-D where `clipped`.

    Without frequencies those of the references themselves are used.
    """
    m = ngrams.candidates
    references = len(ngrams.lengths) - m
    cosines = np.zeros(references)
    for length, table in enumerate(ngrams.by_length, 1):
        cosines += _cosines(ngrams, table, _idf(ngrams, table, length, frequencies), clipped)
    owner = ngrams.objects[m:]
    if clipped:
        # The length that the penalty compares is the number of bigrams.
        bigrams = np.maximum(0, ngrams.lengths - 1)
        cosines *= np.exp(-((bigrams[owner] - bigrams[m:]) ** 2) / (2 * sigma**2))
    sums: Floats = np.bincount(owner, weights=cosines, minlength=m).astype(float)
    return 10 * sums / LONGEST / np.bincount(owner, minlength=m)


def _idf(ngrams: Ngrams, table: Counts, length: int, frequencies: DocumentFrequencies | None) -> Floats:
    """Return the weight of one occurrence of each n-gram, (kinds,)."""
    listed: Floats
    if frequencies is None:
        references = table.sentences >= ngrams.candidates
        owner = ngrams.objects[table.sentences[references]] * max(table.kinds, 1) + table.grams[references]
        listed = np.bincount(np.unique(owner) % max(table.kinds, 1), minlength=table.kinds).astype(float)
        log_documents = math.log(max(ngrams.candidates, 1))
    else:
        known = frequencies.frequencies
        listed = np.array([known.get(words, 0.0) for words in ngrams.words_of(length)], dtype=float)
        log_documents = frequencies.log_documents
    weights: Floats = log_documents - np.log(np.maximum(1.0, listed))
    return weights


def _cosines(ngrams: Ngrams, table: Counts, idf: Floats, clipped: bool) -> Floats:
    """Return the cosine of each reference with its object's candidate, (references,)."""
    m = ngrams.candidates
    weights = table.counts * idf[table.grams]
    norms = np.sqrt(np.bincount(table.sentences, weights=weights**2, minlength=len(ngrams.lengths)))
    split = int(np.searchsorted(table.sentences, m))
    sentence = table.sentences[split:]
    key = ngrams.objects[sentence] * max(table.kinds, 1) + table.grams[split:]
    places, there = find(key, table.sentences[:split] * max(table.kinds, 1) + table.grams[:split])
    mine, theirs = weights[:split][places[there]], weights[split:][there]
    products = (np.minimum(mine, theirs) if clipped else mine) * theirs
    dots = np.bincount(sentence[there] - m, weights=products, minlength=len(ngrams.lengths) - m)
    scale = norms[m:] * norms[ngrams.objects[m:]]
    cosines: Floats = np.divide(dots, scale, out=np.zeros(len(dots)), where=scale > 0)
    return cosines


def read_frequencies(path: Path | None) -> DocumentFrequencies:
    """Return document frequencies from a file, as the kits keep them or as JSON.

    A pickle holds `df` (n-gram as a tuple of words → documents) and `ref_len` (log of the number of
    documents), or `document_frequency` instead of `df`; nothing but plain values is unpickled. JSON holds
    `documents` (their number) and `frequencies` (n-gram as words joined by spaces → documents).

    Raises InputError that names the file wanted where there is none, or what does not fit.
    """
    if path is None:
        raise InputError(
            "plain CIDEr weighs n-grams by the captions of COCO's validation set: give the "
            "file coco-val.p of the package cidereval (coco-val-df.p elsewhere), or choose the IDF of the "
            "corpus itself"
        )
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data) if data[:1] == b"{" else PlainUnpickler(io.BytesIO(data)).load()
        return _frequencies(path.name, found)
    except OSError as e:
        raise InputError(f"{path}: document frequencies cannot be read ({e.strerror}); check the path") from e
    except _NOT_FREQUENCIES as e:
        raise InputError(
            f"{path}: expected document frequencies as a pickle (df, ref_len) or as JSON (frequencies, "
            f"documents), found something else ({e}); give coco-val.p of the package cidereval"
        ) from e


_NOT_FREQUENCIES = (
    pickle.UnpicklingError, msgspec.DecodeError, KeyError, TypeError, ValueError, AttributeError, EOFError,
    IndexError, ImportError,
)  # fmt: skip


def _frequencies(name: str, found: Mapping[str, Any]) -> DocumentFrequencies:
    """Return what a file of either kind holds."""
    if "documents" in found:
        pairs = ((tuple(words.split(" ")), n) for words, n in found["frequencies"].items())
        log_documents = math.log(found["documents"])
    else:
        pairs = (found["df"] if "df" in found else found["document_frequency"]).items()
        log_documents = float(found["ref_len"])
    frequencies = {tuple(map(str, words)): float(n) for words, n in pairs}
    if not frequencies or not math.isfinite(log_documents) or log_documents <= 0:
        raise ValueError(f"{len(frequencies)} n-grams in exp({log_documents}) documents")
    return DocumentFrequencies(name, log_documents, frequencies)


class PlainUnpickler(pickle.Unpickler):
    """Reads dictionaries of plain values and numpy numbers; whatever else a pickle asks for is an error."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, encoding="iso-8859-1")

    def find_class(self, module: str, name: str) -> Any:
        """Return one of the few classes that a dictionary of counts is made of."""
        if (module, name) in {("collections", "defaultdict"), ("numpy", "dtype"), ("_codecs", "encode")}:
            return getattr(import_module(module), name)
        if module in ("builtins", "__builtin__") and name in ("float", "int"):
            return getattr(import_module("builtins"), name)
        if name == "scalar" and module in ("numpy.core.multiarray", "numpy._core.multiarray"):
            return import_module("numpy._core.multiarray").scalar
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")
