"""A multiple-choice question as a writer says it: what every one has to hold, and the candidate it becomes.

What a benchmark asks for besides stands in its own folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.outcomes import Outcomes
from fathom.authoring.replies import failure_of, one_line
from fathom.authoring.runs import Replies
from fathom.extraction.words import canonical
from fathom.formats.table_cells import unmarked
from fathom.store.seeds import rng, short_hash

OPTIONS = 4

NO_QUESTION = "no question, or one without words"
LONG = "a question or option that is too long"
FEW = "other than four options, or an empty one"
ALIKE = "two options that are the same"
NO_ANSWER = "an answer that is none of the options"
WRITTEN = "a question of the right form"

_WORDS = re.compile(r"[a-z0-9]+")


def words_in(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, in lower case."""
    return frozenset(_WORDS.findall(text.casefold()))


def without_letters(choices: list[str], answer: str) -> tuple[list[str], str]:
    """Return options and answer without the letters before them, where each of four or more has one."""
    if len(choices) >= OPTIONS and all(unmarked(c) != c for c in choices):
        return [unmarked(c) for c in choices], unmarked(answer)
    return choices, answer


def malformed(text: str, choices: Sequence[str], answer: str, most: tuple[int, int]) -> str:
    """Return why a question has not the form of any, "" where it has it.

    `most` is how many characters a question and an option may have.
    """
    if len(choices) != OPTIONS or not all(canonical(c) for c in choices):
        return FEW
    if len({canonical(c) for c in choices}) < OPTIONS:
        return ALIKE
    if answer not in choices:
        return NO_ANSWER
    if len(_WORDS.findall(text.casefold())) < 3:
        return NO_QUESTION
    return LONG if len(text) > most[0] or max(map(len, choices)) > most[1] else ""


def candidate_of(
    subject: str,
    kind: str,
    text: str,
    choices: Sequence[str],
    answer: str,
    writer: str,
    seed: str,
    reasoning: str = "",
) -> QuestionCandidate:
    """Return a candidate; the order of its options hangs on the seed, the subject and the question alone."""
    order = rng(seed, "written options", subject, canonical(text)).permutation(OPTIONS)
    shuffled = tuple(choices[i] for i in order)
    digest = short_hash("written", subject, kind, text, *shuffled, answer, length=10)
    return QuestionCandidate(
        id=f"{subject}_{kind}_{digest}".replace("/", "-"),
        subject=subject,
        kind=kind,
        text=text,
        choices=shuffled,
        answer=answer,
        reasoning=reasoning,
        writer=writer,
    )


@dataclass(frozen=True)
class WrittenReply:
    """What one writer said of one request; `failed` is why it said nothing, "" where it did."""

    request: str
    writer: str
    text: str
    failed: str


def said_of(wanted: Collection[str], replies: Iterable[Replies]) -> Iterator[WrittenReply]:
    """Yield what was said, run by run, of the requests that are still wanted."""
    for run in replies:
        for request in run.asked:
            if request in wanted:  # not of a subject that the dataset no longer has
                response = run.responses.get(request)
                yield WrittenReply(
                    request, run.model, response.text if response else "", failure_of(response)
                )


def take(
    outcomes: Outcomes,
    step: str,
    said: WrittenReply,
    about: tuple[str, str],
    draft: QuestionCandidate | str,
    before: list[QuestionCandidate],
    repeats: Callable[[QuestionCandidate, Sequence[QuestionCandidate]], str],
) -> None:
    """Put a draft behind those before it, or list why it is not taken.

    Args:
        outcomes: where what becomes of it is counted.
        step: the name of the step in which it was written.
        said: the reply that it comes from.
        about: its subject, and its kind.
        draft: the question, or why there is none.
        before: the questions of the subject so far.
        repeats: why a question is one of those before again, "" where it is not.
    """
    subject, kind = about
    reason = draft if isinstance(draft, str) else repeats(draft, before)
    if isinstance(draft, str) or reason:
        outcomes.count(step, kind, reason)
        outcomes.reject(step, said.request, subject, one_line(said.text)[:300], said.writer, reason)
    else:
        before.append(draft)
        outcomes.note(step, draft, WRITTEN, True, said.writer)
