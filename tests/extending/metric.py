"""A metric: how many characters right and wrong answers have on average."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.records import Question, SampleScore, Score


def answer_length(
    questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int
) -> list[Score]:
    """Return the mean length of the answers that were extracted, for right and for wrong ones."""
    found = []
    for name, right in (("right", True), ("wrong", False)):
        lengths = [len(m.picked) for m in sample_scores if m.picked is not None and (m.value == 1.0) == right]
        mean = sum(lengths) / len(lengths) if lengths else None
        group = {"answers": name}
        found.append(Score(name="answer_length", value=mean, n=len(lengths), method="mean", group=group))
    return found
