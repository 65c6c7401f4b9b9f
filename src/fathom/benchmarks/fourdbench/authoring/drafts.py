"""What a writer said → a question, or the reason why it is none. Nothing is mended or made up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import candidate_of, malformed, without_letters, words_in
from fathom.authoring.replies import TOLD, one_line, said_in, tells, unfit
from fathom.benchmarks.fourdbench.tasks import COUNTING
from fathom.extraction.words import canonical

MOST_CHARACTERS = 300, 120
"""Of a question, and of an option."""

OTHER_TASK = "another subtask than was asked for"
NO_NUMBERS = "options of a count that are not numbers"
DUPLICATE = "a question that was asked of the object before"

_SMALL = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "for", "from", "had",
        "has", "have", "in", "is", "it", "its", "of", "on", "s", "that", "the", "then", "there",
        "this", "to", "was", "were", "with",
    )
)  # fmt: skip
"""Words without which a question asks the same."""


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    choices: list[str]
    answer: str
    subtask: str
    reasoning: str = ""


def read_draft(reply: str, name: str, task: str, writer: str, seed: str) -> QuestionCandidate | str:
    """Return the question that a writer wrote of the object `name`, or the reason why there is none.

    The order of the options hangs on the seed, the object and the question alone.
    """
    draft = said_in(reply, _Draft)
    if isinstance(draft, str):
        return draft
    if canonical(draft.subtask).replace(" ", "_") != task:
        return OTHER_TASK
    text, answer = one_line(draft.question), one_line(draft.answer)
    choices, answer = without_letters([one_line(choice) for choice in draft.choices], answer)
    if wrong := problem(text, choices, answer, task):
        return wrong
    reasoning = one_line(draft.reasoning)[:2_000]
    return candidate_of(name, task, text, choices, answer, writer, seed, reasoning)


def problem(text: str, choices: Sequence[str], answer: str, task: str) -> str:
    """Return why a question cannot be one, whoever wrote it; "" where it can."""
    if wrong := malformed(text, choices, answer, MOST_CHARACTERS):
        return wrong
    if wrong := unfit([text, *choices]):
        return wrong
    if task == COUNTING and not all(canonical(c).isdecimal() for c in choices):
        return NO_NUMBERS
    return TOLD if tells(text, choices, answer) else ""


def repeated(candidate: QuestionCandidate, before: Sequence[QuestionCandidate]) -> str:
    """Return DUPLICATE where an object was asked this before: but for small words, and with one answer."""
    words = words_in(candidate.text)
    for other in before:
        theirs = words_in(other.text)
        same_answer = canonical(candidate.answer) == canonical(other.answer)
        if words == theirs or (same_answer and words - _SMALL == theirs - _SMALL):
            return DUPLICATE
    return ""
