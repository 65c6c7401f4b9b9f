"""CPU seconds of caption metrics on 1,000 captions with 5 references each, beside a peer where one is there.

    python perf/captions.py                 # BLEU, ROUGE-L, CIDEr-D; both protocols with their intervals
    python perf/captions.py --words 60      # longer captions

The peer is pycocoevalcap, where it is installed; both read the same words, and must give the same values.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from fathom.scoring.metrics.captions.bleu import bleu_counts, bleu_of
from fathom.scoring.metrics.captions.captions import Captioned
from fathom.scoring.metrics.captions.cider import cider
from fathom.scoring.metrics.captions.ngrams import count_ngrams
from fathom.scoring.metrics.captions.rouge import rouge_l
from fathom.scoring.metrics.captions.scoring import score_captions
from fathom.store.seeds import rng

LIMIT = 1.0
"""CPU seconds for BLEU, ROUGE-L and CIDEr-D together."""

Pairs = list[tuple[str, list[str]]]


def made_up(captions: int, words: int) -> Pairs:
    """Return captions of words that are as unevenly common as those of a language."""
    generator = rng("perf", "captions")
    frequency = 1 / np.arange(1, 2_001)
    frequency /= frequency.sum()

    def sentence() -> str:
        length = max(3, int(generator.normal(words, words / 4)))
        return " ".join(f"w{k}" for k in generator.choice(2_000, size=length, p=frequency))

    return [(sentence(), [sentence() for _ in range(5)]) for _ in range(captions)]


def ours(pairs: Pairs) -> list[float]:
    """Return the means of BLEU-4, ROUGE-L and CIDEr-D."""
    candidates, references = [c.split() for c, _ in pairs], [[r.split() for r in rs] for _, rs in pairs]
    ngrams = count_ngrams(candidates, references)
    bleu = bleu_of(bleu_counts(ngrams))[:, 3]
    return [float(v.mean()) for v in (bleu, rouge_l(candidates, references), cider(ngrams, clipped=True))]


def peers(pairs: Pairs) -> list[float]:
    """Return the same by pycocoevalcap."""
    candidates = {i: [c] for i, (c, _) in enumerate(pairs)}
    references = {i: r for i, (_, r) in enumerate(pairs)}
    bleu = import_module("pycocoevalcap.bleu.bleu").Bleu(4).compute_score(references, candidates, verbose=0)
    rouge = import_module("pycocoevalcap.rouge.rouge").Rouge().compute_score(references, candidates)
    cider_d = import_module("pycocoevalcap.cider.cider").Cider().compute_score(references, candidates)
    return [float(np.mean(bleu[1][3])), float(rouge[0]), float(cider_d[0])]


def measured(work: Callable[[], list[float]]) -> tuple[list[float], float]:
    """Return what it gives, and the CPU seconds that it took."""
    start = cpu_seconds()
    return work(), cpu_seconds() - start


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of the programs that it has run, Java among them."""
    return sum(os.times()[:4])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--captions", type=int, default=1_000)
    parser.add_argument("--words", type=int, default=20)
    chosen = parser.parse_args()
    pairs = made_up(chosen.captions, chosen.words)
    ours(pairs[:10])
    values, seconds = measured(lambda: ours(pairs))
    print(f"{chosen.captions} captions of about {chosen.words} words, 5 references each")
    print(f"BLEU, ROUGE-L, CIDEr-D   {seconds:7.3f} CPU s (at most {LIMIT})")
    if find_spec("pycocoevalcap"):
        theirs, peer_seconds = measured(lambda: peers(pairs))
        gap = max(abs(a - b) for a, b in zip(values, theirs, strict=True))
        ratio = peer_seconds / seconds
        print(f"the same, pycocoevalcap  {peer_seconds:7.3f} CPU s, {ratio:.1f}x; values differ by {gap:.0e}")
    captions = [Captioned(f"object-{i}", c, tuple(r)) for i, (c, r) in enumerate(pairs)]
    for protocol, metrics in (("coco", ("bleu", "rouge_l", "cider_d")), ("plain", ("bleu", "rouge_l"))):
        start = cpu_seconds()
        score_captions(captions, protocol, metrics=metrics)
        took = cpu_seconds() - start
        print(f"{protocol:<8} with intervals   {took:7.3f} CPU s ({', '.join(metrics)}; words included)")


if __name__ == "__main__":
    main()
