"""What a writer said → questions, or the reasons why they are none.

The form of a reply is mended where it says plainly what was meant: JSON with text around it or with trailing
commas, options under letters, an answer by its letter. The words are never changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import candidate_of, malformed, without_letters, words_in
from fathom.authoring.replies import EMPTY, LONGEST_REPLY, NO_JSON, TOLD, one_line, tells, unfit
from fathom.benchmarks.seedbench.authoring.lengths import chosen
from fathom.extraction.lenient_json import objects
from fathom.extraction.words import canonical

COUNTING = "instances_counting"
MOST_CHARACTERS = 250, 160
"""Of a question, and of an option."""

MOST_OPTIONS = 8
"""How many options a writer may give; four of them are kept."""

NO_NUMBERS = "a question of a count that is not How many, or options that are not numbers"
SPEAKS_OF_SOURCE = "words about captions, boxes or how the picture was read"
COORDINATES = "coordinates"
STANDS_OUT = "a right option that is more than twice as long as each other one"
DUPLICATE = "a question that was asked of the picture before"
ALIKE = "a question that was asked of other pictures, with these options and this answer"

_OF_SOURCE = re.compile(
    r"\b(?:captions?|bounding|box(?:es)? (?:of|at)|detect(?:ed|ions?|or)|coordinates?|ocr|"
    r"according to the (?:information|description|text given)|attribute list)\b",
    re.IGNORECASE,
)
_COORDINATE = re.compile(r"\[\s*\d|\b0\.\d{2,}")
_SMALL = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "for", "from", "had",
        "has", "have", "in", "is", "it", "its", "of", "on", "picture", "image", "photo", "s", "that",
        "the", "then", "there", "this", "to", "was", "were", "what", "which", "with"
    )
)  # fmt: skip
"""Words without which a question asks the same."""

NEAR = 0.8
"""Two questions with one answer are the same from this share of common words on."""


def read_drafts(
    reply: str, name: str, dimension: str, writer: str, seed: str
) -> list[QuestionCandidate | str]:
    """Return the questions that a writer wrote of the picture `name`, or why each of them is none.

    A reply that cannot be read is one reason; one that says that there is nothing to ask, none. The order of
    options hangs on the seed, the picture and the question alone.
    """
    listed = _listed(reply)
    if isinstance(listed, str):
        return [listed]
    return [_read(entry, name, dimension, writer, seed) for entry in listed]


def _listed(reply: str) -> list[Any] | str:
    if not reply.strip():
        return EMPTY
    if len(reply) > LONGEST_REPLY:
        return f"more than {LONGEST_REPLY:,} characters"
    try:
        whole = msgspec.json.decode(reply)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        whole = next((o for o in objects(reply) if "questions" in o or "question" in o), None)
    if isinstance(whole, dict) and "question" in whole:
        whole = [whole]
    found = whole.get("questions") if isinstance(whole, dict) else whole
    return found if isinstance(found, list) else NO_JSON


def _read(entry: object, name: str, dimension: str, writer: str, seed: str) -> QuestionCandidate | str:
    if not isinstance(entry, dict):
        return NO_JSON
    text = one_line(str(entry.get("question", "")))
    choices, answer = _options(entry), one_line(str(entry.get("answer", "")))
    letter = re.fullmatch(r"\(?([A-H])[).:]?", answer, re.IGNORECASE)
    if letter and answer not in choices and "ABCDEFGH".index(letter[1].upper()) < len(choices):
        answer = choices["ABCDEFGH".index(letter[1].upper())]
    choices, answer = without_letters(choices, answer)
    if len(choices) <= MOST_OPTIONS:
        choices = chosen(choices, answer, seed, name, dimension, canonical(text))
    if wrong := problem(text, choices, answer, dimension):
        return wrong
    return candidate_of(name, dimension, text, choices, answer, writer, seed)


def _options(entry: dict[str, Any]) -> list[str]:
    """Return the options of an entry: a list, a mapping from letters, or choice_a to choice_d."""
    given = entry.get("choices", entry.get("options"))
    if isinstance(given, dict):
        given = [given[key] for key in sorted(given)]
    if given is None and "choice_a" in entry:
        given = [entry.get(f"choice_{letter}", "") for letter in "abcd"]
    return [one_line(str(c)) for c in given] if isinstance(given, list) else []


def problem(text: str, choices: Sequence[str], answer: str, dimension: str) -> str:
    """Return why a question cannot be one, whoever wrote it; "" where it can."""
    if wrong := malformed(text, choices, answer, MOST_CHARACTERS):
        return wrong
    if any(_OF_SOURCE.search(t) for t in (text, *choices)):
        return SPEAKS_OF_SOURCE
    if any(_COORDINATE.search(t) for t in (text, *choices)):
        return COORDINATES
    if wrong := unfit([text, *choices]):
        return wrong
    if dimension == COUNTING:
        asks = text.casefold().startswith("how many")
        if not asks or not all(canonical(c).isdecimal() for c in choices):
            return NO_NUMBERS
    if len(answer) > 2 * max(len(c) for c in choices if c != answer) and len(answer) > 20:
        return STANDS_OUT
    return TOLD if tells(text, choices, answer) else ""


def repeated(candidate: QuestionCandidate, before: Sequence[QuestionCandidate]) -> str:
    """Return DUPLICATE where a picture was asked nearly this before: with these words, or most of them."""
    words = words_in(candidate.text) - _SMALL
    for other in before:
        theirs = words_in(other.text) - _SMALL
        common = len(words & theirs) / max(1, len(words | theirs))
        same_answer = canonical(candidate.answer) == canonical(other.answer)
        if common == 1 or (same_answer and common >= NEAR):
            return DUPLICATE
    return ""


def likeness(candidate: QuestionCandidate) -> tuple[frozenset[str], ...]:
    """Return what questions about two pictures have in common that hardly differ: words, options, answer."""
    words = words_in(candidate.text) - _SMALL
    return words, frozenset(map(canonical, candidate.choices)), frozenset({canonical(candidate.answer)})
