"""Which label was right and which was picked, for the questions that ask for an attribute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fathom.records import Question, SampleScore
from fathom.scoring.answers import Answers, is_read

OTHER = "(other)"
UNREAD = "(not read)"


@dataclass(frozen=True)
class AttributeLabels:
    """The labels of one attribute, and for each answer (right label, picked label), sorted by question.

    A picked label that is none of `names` is OTHER, one that could not be read UNREAD.
    """

    attribute: str
    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    scenes: tuple[str, ...]

    def joined(self, attribute: str, group: Callable[[str], str]) -> AttributeLabels:
        """Return the same answers with labels brought together by `group`."""

        def to(label: str) -> str:
            return label if label in (OTHER, UNREAD) else group(label)

        names = tuple(sorted({to(n) for n in self.names}))
        return AttributeLabels(attribute, names, tuple((to(a), to(b)) for a, b in self.pairs), self.scenes)


def labels_of(answers: Answers, attribute: str) -> AttributeLabels:
    """Return the labels of the questions whose tag `asks` is `attribute`.

    The labels are all that any of these questions can be answered with, so that one that is never picked
    counts too.
    """
    asking = answers.where(lambda q: q.tags.get("asks") == attribute)
    names = sorted({label for q in asking.questions for label in (*(q.possible or q.choices), q.answer)})
    known = {name.casefold(): name for name in names}
    pairs: list[tuple[str, str]] = []
    scenes: list[str] = []
    for question, sample_scores, scene in zip(
        asking.questions, asking.sample_scores, asking.clusters, strict=True
    ):
        for sample_score in sample_scores:
            pairs.append((question.answer, _picked(sample_score, question, known)))
            scenes.append(scene or question.id)
    return AttributeLabels(attribute, tuple(names), tuple(pairs), tuple(scenes))


def _picked(sample_score: SampleScore, question: Question, known: dict[str, str]) -> str:
    if not is_read(sample_score) or sample_score.picked is None:
        return UNREAD
    picked = sample_score.picked.strip().casefold()
    if picked in known:
        return known[picked]
    return question.answer if picked in {e.casefold() for e in question.equivalents} else OTHER
