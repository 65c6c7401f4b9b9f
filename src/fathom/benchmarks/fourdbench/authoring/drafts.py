"""What a writer said → a question, or the reason why it is none. Nothing is mended or made up."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.replies import TOLD, one_line, said_in, tells, unfit
from fathom.benchmarks.fourdbench.tasks import COUNTING
from fathom.extraction.words import canonical
from fathom.formats.table_cells import unmarked
from fathom.store.seeds import rng, short_hash

LONGEST_QUESTION = 300
LONGEST_CHOICE = 120
OPTIONS = 4

OTHER_TASK = "another subtask than was asked for"
NO_QUESTION = "no question, or one without words"
LONG = "a question or option that is too long"
FEW = "other than four options, or an empty one"
ALIKE = "two options that are the same"
NO_ANSWER = "an answer that is none of the options"
NO_NUMBERS = "options of a count that are not numbers"
DUPLICATE = "a question that was asked of the object before"

_WORDS = re.compile(r"[a-z0-9]+")
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
    choices = [one_line(choice) for choice in draft.choices]
    if len(choices) == OPTIONS and all(unmarked(c) != c for c in choices):
        choices, answer = [unmarked(c) for c in choices], unmarked(answer)
    if wrong := problem(text, choices, answer, task):
        return wrong
    order = rng(seed, "written options", name, canonical(text)).permutation(OPTIONS)
    shuffled = tuple(choices[i] for i in order)
    digest = short_hash("written", name, task, text, *shuffled, answer, length=10)
    return QuestionCandidate(
        id=f"{name}_{task}_{digest}",
        subject=name,
        kind=task,
        text=text,
        choices=shuffled,
        answer=answer,
        reasoning=one_line(draft.reasoning)[:2_000],
        writer=writer,
    )


def problem(text: str, choices: Sequence[str], answer: str, task: str) -> str:
    """Return why a question cannot be one, whoever wrote it; "" where it can."""
    if len(choices) != OPTIONS or not all(canonical(c) for c in choices):
        return FEW
    if len({canonical(c) for c in choices}) < OPTIONS:
        return ALIKE
    if answer not in choices:
        return NO_ANSWER
    if len(_WORDS.findall(text.casefold())) < 3:
        return NO_QUESTION
    if len(text) > LONGEST_QUESTION or max(map(len, choices)) > LONGEST_CHOICE:
        return LONG
    if wrong := unfit([text, *choices]):
        return wrong
    if task == COUNTING and not all(canonical(c).isdecimal() for c in choices):
        return NO_NUMBERS
    return TOLD if tells(text, choices, answer) else ""


def is_duplicate(candidate: QuestionCandidate, before: Sequence[QuestionCandidate]) -> bool:
    """Return whether this was asked of the object: in these words, or but for small ones with one answer."""
    for other in before:
        if _words(candidate.text) == _words(other.text):
            return True
        same_answer = canonical(candidate.answer) == canonical(other.answer)
        if same_answer and _words(candidate.text) - _SMALL == _words(other.text) - _SMALL:
            return True
    return False


def _words(text: str) -> set[str]:
    return set(_WORDS.findall(text.casefold()))
