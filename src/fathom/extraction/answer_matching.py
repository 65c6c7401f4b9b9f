"""From a phrase to one of the answers that a question without options can have."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fathom.extraction.numeric_answers import is_measured, last_measured, measured
from fathom.extraction.words import NUMBER_WORDS, canonical
from fathom.records import Question

_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)")
_NEGATED = re.compile(
    r"\b(?:not|isn't|never|neither|nor|rather than|instead of|than|unlike)\s+(?:\w+\s+){0,2}$"
)
_REASON = re.compile(r",?\s*(?:\(|\b(?:because|since|as|given that)\b)", re.IGNORECASE)
_YES_NO = frozenset({"yes", "no"})
_TRUTH = {"true": "yes", "false": "no", "yep": "yes", "yeah": "yes", "nope": "no"}
_NOTHING = frozenset({"none", "zero", "no", "no object", "no objects", "nothing", "none of them"})


def answers_of(question: Question) -> dict[str, str]:
    """Return the answers that can be picked, by their canonical form.

    These are the answers possible; the question's own answer and its equivalents stand for themselves, so
    that a dataset without lists can be marked too.
    """
    found: dict[str, str] = {}
    for text in question.possible:
        found.setdefault(canonical(text), text)
    found.setdefault(canonical(question.answer), question.answer)
    for text in question.equivalents:
        found.setdefault(canonical(text), question.answer)
    return found


def resolve(phrase: str, question: Question) -> str | None:
    """Return the answer that a phrase means, or None where it means none, or more than one."""
    if is_measured(question):
        return measured(phrase, question)
    answers = answers_of(question)
    for form in (canonical(phrase), canonical(_REASON.split(phrase, maxsplit=1)[0])):
        if form in answers:
            return answers[form]
    form = canonical(phrase)
    if answers.keys() >= _YES_NO:
        return yes_or_no(form, answers)
    if all(name.isdecimal() for name in answers):
        return counted(form)
    if len(question.possible) < 2:
        return None  # with the right answer alone to look for, every mention of it would be right
    return _first_word(form, answers) or sole(form, answers)


def sole_mention(text: str, question: Question) -> str | None:
    """Return the one answer that a whole text mentions, or None.

    Of Yes and No, only one with which the text or its last line begins is a mention ("there is no…" is none);
    of numbers, "one" is none ("the red one").
    """
    if is_measured(question):
        return last_measured(text, question)
    answers = answers_of(question)
    if answers.keys() >= _YES_NO:
        lines = [line for line in text.splitlines() if line.strip()]
        said = {yes_or_no(canonical(line), answers) for line in (lines[:1] + lines[-1:])} - {None}
        return said.pop() if len(said) == 1 else None
    if all(name.isdecimal() for name in answers):
        words = {NUMBER_WORDS[w] for w in re.findall(r"[a-z]+", text.casefold()) if w in NUMBER_WORDS}
        digits = {_plain(n) for n in _NUMBER.findall(text)}
        numbers = digits | words
        return numbers.pop() if len(numbers) == 1 and (digits or words != {"1"}) else None
    if len(question.possible) < 2:
        return None
    return sole(canonical(text), answers)


def yes_or_no(form: str, answers: Mapping[str, str]) -> str | None:
    """Return the answer of Yes and No with which a canonical phrase begins, or None."""
    word = re.match(r"[a-z]+", form)
    if word is None:
        return None
    said = _TRUTH.get(word.group(), word.group())
    return answers[said] if said in _YES_NO else None


def counted(form: str) -> str | None:
    """Return the one number that a canonical phrase holds, or None; "none of them" is 0."""
    if form in _NOTHING:
        return "0"
    words = [NUMBER_WORDS[w] for w in re.findall(r"[a-z]+", form) if w in NUMBER_WORDS]
    numbers = {_plain(n) for n in _NUMBER.findall(form)} or set(words)
    return numbers.pop() if len(numbers) == 1 else None


def sole(form: str, answers: Mapping[str, str]) -> str | None:
    """Return the one answer whose words a canonical phrase states; longer answers hide those that they hold.

    An answer that is only denied ("blue, not red") is not stated.
    """
    found: set[str] = set()
    rest = form
    for name in sorted(answers, key=len, reverse=True):
        if not name:
            continue
        pattern = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\d)")
        spans = [m.start() for m in pattern.finditer(rest)]
        if spans:
            if not all(_NEGATED.search(rest[max(0, start - 60) : start]) for start in spans):
                found.add(answers[name])
            rest = pattern.sub("·", rest)
    return found.pop() if len(found) == 1 else None


def _plain(number: str) -> str:
    return canonical(number.replace(",", ""))


def _first_word(form: str, answers: Mapping[str, str]) -> str | None:
    """Return the answer of two words or more that alone begins with `form`: "school" → "school bus"."""
    fits = {text for name, text in answers.items() if name.startswith(form + " ")} if form else set()
    return fits.pop() if len(fits) == 1 else None
