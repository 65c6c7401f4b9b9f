"""What scores are called in tables and on pages."""

from __future__ import annotations

from collections.abc import Mapping

METRICS: Mapping[str, str] = {
    "cider": "CIDEr",
    "cider_d": "CIDEr-D",
    "cider_corpus_idf": "CIDEr, IDF of these references",
    "bleu": "BLEU",
    **{f"bleu_{n}": f"BLEU-{n}" for n in range(1, 5)},
    "meteor": "METEOR",
    "rouge_l": "ROUGE-L",
    "bert_score": "BERTScore",
    "sbert": "SBERT",
}
"""Metric of captions → what it is called, in the order of tables; values are shown times 100."""

JUDGED: Mapping[str, str] = {
    "judge_appearance": "Judge, appearance",
    "judge_action": "Judge, action",
    "judge_mean": "Judge, mean of both",
}
"""Score of a judge → what it is called; values go from 0 to 5."""

LEADING: Mapping[str, str] = {
    "accuracy": "Share of questions answered correctly",
    "accuracy_plain": "Share of passes answered correctly, each by itself",
    "accuracy_circular": "Share of questions answered correctly in every order of their options (circular)",
    "accuracy_flip": "Share of questions answered correctly on the image and on its mirror image (flip)",
    "accuracy_both": "Share of questions answered correctly in every order of their options, on the image "
    "and on its mirror image (flip + circular)",
}
"""Score by which models are ranked → what it says."""

GROUPED: Mapping[str, str] = {
    "plain": "plain",
    "circular": "circular",
    "flip": "flip",
    "both": "flip + circular",
}
"""Grouping of passes → what its accuracy is called."""

MEAN_OF_PASSES = "mean of passes"
"""What plain accuracy is called where passes are also grouped."""


def score_words(name: str) -> str:
    """Return what a leading score says beside accuracy: `circular` of `accuracy_circular`, "" of itself."""
    grouping = name.removeprefix("accuracy").removeprefix("_")
    return GROUPED.get(grouping, grouping)


PEOPLE = "One person’s caption against the others’"
"""The row of what people score on the dataset's own captions."""

OF_PEOPLE: Mapping[str, str] = {"of": "people"}
"""What the group of a score has that is people's and not the model's."""


def number_of(n: int, one: str, several: str = "") -> str:
    """Return how many there are of something, in the number that fits: `1 question`, `1,200 questions`."""
    return f"{n:,} {one if n == 1 else several or f'{one}s'}"
