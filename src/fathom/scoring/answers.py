"""Marks brought together by question: what every metric starts from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, Question, SampleScore
from fathom.stats.clusters import cluster_of


@dataclass(frozen=True)
class Answers:
    """Questions with what their answers are worth, in the order of their ids, whatever order sample scores
    came in.

    `values` (n,) is the mean over a question's sample scores (its repeats and variants), `read_values` the
    mean over those that could be read (NaN: none). `clusters` names each question's scene.
    """

    questions: tuple[Question, ...]
    sample_scores: tuple[tuple[SampleScore, ...], ...]
    values: NDArray[np.float64]
    read_values: NDArray[np.float64]
    clusters: tuple[str, ...]

    def where(self, keep: Callable[[Question], bool]) -> Answers:
        """Return those to the questions that `keep` says yes to."""
        return self.at([i for i, q in enumerate(self.questions) if keep(q)])

    def at(self, rows: Sequence[int]) -> Answers:
        """Return those in these rows."""
        return Answers(
            questions=tuple(self.questions[i] for i in rows),
            sample_scores=tuple(self.sample_scores[i] for i in rows),
            values=self.values[list(rows)],
            read_values=self.read_values[list(rows)],
            clusters=tuple(self.clusters[i] for i in rows),
        )

    def by(self, name: Callable[[Question], str]) -> dict[str, Answers]:
        """Return the answers group by group, groups in the order of their names, those named "" left out."""
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for i, question in enumerate(self.questions):
            rows[name(question)].append(i)
        return {group: self.at(rows[group]) for group in sorted(rows) if group}


def gather(questions: Sequence[Question], sample_scores: Sequence[SampleScore]) -> Answers:
    """Return the answers to those of `questions` that have a sample score.

    Raises InputError where a sample score belongs to no question.
    """
    of: dict[str, list[SampleScore]] = {q.id: [] for q in questions}
    for sample_score in sample_scores:
        if sample_score.question not in of:
            raise InputError(
                f"sample score of question {sample_score.question!r}: the dataset holds no such question; "
                "score the run with the dataset that it was made on"
            )
        of[sample_score.question].append(sample_score)
    asked = sorted((q for q in questions if of[q.id]), key=lambda q: q.id)
    held = [tuple(sorted(of[q.id], key=_order)) for q in asked]
    return Answers(
        questions=tuple(asked),
        sample_scores=tuple(held),
        values=np.array([_mean([m.value for m in ms]) for ms in held]),
        read_values=np.array([_mean([m.value for m in ms if is_read(m)]) for ms in held]),
        clusters=tuple(cluster_of(q) for q in asked),
    )


def is_read(sample_score: SampleScore) -> bool:
    """Return whether an answer came and could be read."""
    return sample_score.status == "ok" and sample_score.picked is not None


def _order(sample_score: SampleScore) -> tuple[int, str, str]:
    return sample_score.variant.repeat, sample_score.variant.name, repr(sample_score.variant)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
