"""The two protocols: which metric reads which words, and how captions become scores.

`coco` is what the COCO caption evaluation does: PTB tokens, corpus-level BLEU, CIDEr-D with the IDF of the
references at hand, METEOR 1.5. `plain` is what 4D-Bench's published script does (there it is called
`4dbench`, see `Benchmark.caption_protocols`): words between white space, BLEU by object, plain CIDEr with the
IDF of COCO's validation captions, nltk's METEOR, BERTScore, SBERT.

Values are kept as fractions (CIDEr may pass 1); tables show them times 100.

Ref: 4D-Bench §4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError
from fathom.scoring.metrics.captions.bleu import bleu_counts, bleu_of
from fathom.scoring.metrics.captions.captions import Captioned, CaptionTools
from fathom.scoring.metrics.captions.cider import cider, read_frequencies
from fathom.scoring.metrics.captions.encoders import bert_score, sentence_cosine
from fathom.scoring.metrics.captions.meteor import meteor_counts, meteor_nltk, meteor_of
from fathom.scoring.metrics.captions.ngrams import LONGEST, Ngrams, count_ngrams
from fathom.scoring.metrics.captions.rouge import rouge_l
from fathom.scoring.metrics.captions.tokens import Tokenizer, single_spaces, white_space

Floats = NDArray[np.float64]
T = TypeVar("T")

_MEAN = "mean over captions"


@dataclass(frozen=True)
class Values:
    """One metric of m captions: `by_caption` (m,), and what the whole is made of where it is not their mean.

    `counts` (m, k) add up over captions, and `whole` takes their sums (draws, k) and returns (draws,).
    """

    name: str
    by_caption: Floats
    method: str
    counts: Floats | None = None
    whole: Callable[[Floats], Floats] | None = None
    note: str = ""

    def rows(self) -> Floats:
        """Return what is summed up, (m, k); for a mean the values, and a one for each."""
        if self.counts is not None:
            return self.counts
        return np.column_stack([self.by_caption, np.ones_like(self.by_caption)])

    def of_sums(self, sums: Floats) -> Floats:
        """Return the metric of sums of rows (draws, k), (draws,)."""
        return self.whole(sums) if self.whole else sums[:, 0] / sums[:, 1]


@dataclass(frozen=True)
class Words:
    """Captions and references as words, and by what they became words."""

    tokenizer: str
    candidates: Sequence[Sequence[str]]
    references: Sequence[Sequence[Sequence[str]]]

    @cached_property
    def ngrams(self) -> Ngrams:
        """Return the n-grams, which BLEU and CIDEr share."""
        return count_ngrams(self.candidates, self.references)

    @cached_property
    def bleu(self) -> Floats:
        """Return what BLEU is made of."""
        return bleu_counts(self.ngrams)


@dataclass(frozen=True)
class TokenizedTexts:
    """What is to be scored, with its words under each tokenizer, made when they are first asked for."""

    captions: Sequence[Captioned]
    tools: CaptionTools

    @property
    def candidates(self) -> list[str]:
        """Return the captions."""
        return [c.candidate for c in self.captions]

    @property
    def references(self) -> list[tuple[str, ...]]:
        """Return each caption's references."""
        return [c.references for c in self.captions]

    @cached_property
    def ptb(self) -> Words:
        """Return Penn Treebank words."""
        chosen = self.tools.ptb_tokenizer()
        return self._words(chosen.name, chosen.tokens)

    @cached_property
    def white_space(self) -> Words:
        """Return what stands between white space."""
        return self._words("words between white space", white_space)

    @cached_property
    def single_spaces(self) -> Words:
        """Return what stands between single spaces."""
        return self._words("words between single spaces", single_spaces)

    def _words(self, name: str, tokens: Tokenizer) -> Words:
        flat = [t for c in self.captions for t in (c.candidate, *c.references)]
        made = iter(tokens(flat))
        candidates, references = [], []
        for c in self.captions:
            candidates.append(next(made))
            references.append([next(made) for _ in c.references])
        return Words(name, candidates, references)


Metric = Callable[[TokenizedTexts], list[Values]]


def _coco_bleu(texts: TokenizedTexts) -> list[Values]:
    return _bleu(texts.ptb, "corpus-level, closest reference length", by_corpus=True)


def _plain_bleu(texts: TokenizedTexts) -> list[Values]:
    return _bleu(texts.white_space, f"sentence-level, closest reference length, {_MEAN}", by_corpus=False)


def _bleu(words: Words, how: str, by_corpus: bool) -> list[Values]:
    sentences = bleu_of(words.bleu)

    def whole(n: int) -> Callable[[Floats], Floats]:
        return lambda sums: bleu_of(sums)[:, n - 1]

    return [
        Values(
            name=f"bleu_{n}",
            by_caption=sentences[:, n - 1],
            method=f"BLEU-{n}, {how}, {words.tokenizer}",
            counts=words.bleu if by_corpus else None,
            whole=whole(n) if by_corpus else None,
        )
        for n in range(1, LONGEST + 1)
    ]


def _coco_rouge(texts: TokenizedTexts) -> list[Values]:
    return _rouge(texts.ptb)


def _plain_rouge(texts: TokenizedTexts) -> list[Values]:
    return _rouge(texts.single_spaces)


def _rouge(words: Words) -> list[Values]:
    found = rouge_l(words.candidates, words.references)
    return [Values("rouge_l", found, f"ROUGE-L, β = 1.2, {_MEAN}, {words.tokenizer}")]


def _coco_cider(texts: TokenizedTexts) -> list[Values]:
    return [_corpus_cider(texts, "cider_d", "CIDEr-D", clipped=True)]


def _plain_cider(texts: TokenizedTexts) -> list[Values]:
    if texts.tools.corpus_idf:
        note = "not the IDF of COCO's captions: comparable neither with published tables nor between datasets"
        return [replace(_corpus_cider(texts, "cider_corpus_idf", "CIDEr", clipped=False), note=note)]
    known = read_frequencies(texts.tools.document_frequencies)
    found = cider(texts.ptb.ngrams, known)
    return [
        Values("cider", found, f"CIDEr, IDF of {known.name}, {_MEAN}, {texts.ptb.tokenizer}"),
    ]


def _corpus_cider(texts: TokenizedTexts, name: str, title: str, clipped: bool) -> Values:
    documents = texts.ptb.ngrams.candidates
    return Values(
        name=name,
        by_caption=cider(texts.ptb.ngrams, clipped=clipped),
        method=f"{title}, IDF of the references of {documents} captions, {_MEAN}, {texts.ptb.tokenizer}",
        note="" if documents > 1 else "over one document every weight is 0",
    )


def _java_meteor(texts: TokenizedTexts) -> list[Values]:
    counts = meteor_counts(texts.ptb.candidates, texts.ptb.references, texts.tools.meteor_jar)
    method = f"METEOR 1.5, counts of all captions together, {texts.ptb.tokenizer}"
    return [Values("meteor", meteor_of(counts), method, counts, whole=meteor_of)]


def _nltk_meteor(texts: TokenizedTexts) -> list[Values]:
    words = texts.white_space
    found = meteor_nltk(words.candidates, words.references, texts.tools.wordnet)
    return [Values("meteor", found, f"METEOR of nltk (2007), best reference, {_MEAN}, {words.tokenizer}")]


def _bert_score(texts: TokenizedTexts) -> list[Values]:
    model = _given(texts.tools.bert, "BERTScore", "bert-base-uncased")
    layer = texts.tools.bert_layer
    found = bert_score(texts.candidates, texts.references, model, layer)
    return [Values("bert_score", found, f"BERTScore F1, {model.name} layer {layer}, best reference, {_MEAN}")]


def _sentence_cosine(texts: TokenizedTexts) -> list[Values]:
    model = _given(texts.tools.sbert, "sentence embeddings", "all-MiniLM-L6-v2")
    found = sentence_cosine(texts.candidates, texts.references, model)
    return [Values("sbert", found, f"cosine of {model.name}, best reference, {_MEAN}")]


def _given(path: T | None, purpose: str, name: str) -> T:
    if path is None:
        raise InputError(f"{purpose} needs a folder with the model {name}; fetch it once, and give its path")
    return path


PROTOCOLS: Mapping[str, Mapping[str, Metric]] = {
    "coco": {
        "bleu": _coco_bleu,
        "rouge_l": _coco_rouge,
        "cider_d": _coco_cider,
        "meteor": _java_meteor,
    },
    "plain": {
        "cider": _plain_cider,
        "bleu": _plain_bleu,
        "meteor": _nltk_meteor,
        "rouge_l": _plain_rouge,
        "bert_score": _bert_score,
        "sbert": _sentence_cosine,
    },
}
"""Each protocol's metrics by name; BLEU gives four scores."""


def metrics_of(protocol: str, wanted: Sequence[str] = ()) -> Mapping[str, Metric]:
    """Return the metrics of a protocol, or those of them that are wanted.

    Raises InputError for a name that is neither's.
    """
    if protocol not in PROTOCOLS:
        raise InputError(f"caption protocol {protocol!r}: there is {', '.join(PROTOCOLS)}")
    known = PROTOCOLS[protocol]
    for name in wanted:
        if name not in known:
            raise InputError(f"caption metric {name!r}: {protocol} has {', '.join(known)}")
    return {name: known[name] for name in (wanted or known)}
