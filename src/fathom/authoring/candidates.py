"""Questions that are not yet accepted."""

from __future__ import annotations

from fathom.records import Question, Record


class QuestionCandidate(Record, frozen=True, kw_only=True):
    """A question as a model wrote it, its options in the order in which they are shown.

    `subject` is the object or video that it is about, `kind` what outcomes are counted by.
    """

    id: str
    subject: str
    kind: str
    text: str
    choices: tuple[str, ...]
    answer: str
    reasoning: str = ""
    writer: str = ""

    @property
    def question(self) -> Question:
        """The question that it would be, without its media."""
        return Question(id=self.id, task=self.kind, text=self.text, choices=self.choices, answer=self.answer)
