"""From a phrase to one of the answers that a question can have."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fathom.reading.words import NUMBER_WORDS, canonical
from fathom.records import Question

LETTERS = "ABCDEFGHIJ"

_ONLY_LETTER = re.compile(r"^\W*(?:option|choice)?\W*([A-J])\W*$", re.IGNORECASE)
_LETTER_FIRST = re.compile(r"^[\s*_`\"'“]*(?:\(([A-J])\)|\[([A-J])\]|([A-J])\s*[.):\]]|([A-J])\s*[-–—]\s)")
_LETTER_SAID = re.compile(
    r"^\W*(?:(?:most\s+)?(?:clearly|definitely|probably|likely|certainly|indeed|obviously|therefore|thus|"
    r"option|choice|letter)\W+)*\(?([A-J])\)?(?![\w'’])(?!\s+[a-z])"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")
_NEGATED = re.compile(r"\b(?:not|isn't|never|neither|nor|rather than|instead of|than)\s+(?:\w+\s+){0,2}$")
_REASON = re.compile(r",?\s*(?:\(|\b(?:because|since|as|given that)\b)", re.IGNORECASE)
_YES_NO = frozenset({"yes", "no"})
_TRUTH = {"true": "yes", "false": "no", "yep": "yes", "yeah": "yes", "nope": "no"}
_NOTHING = frozenset({"none", "zero", "no", "no object", "no objects", "nothing", "none of them"})


def answers_of(question: Question) -> dict[str, str]:
    """Return the answers that can be picked, by their canonical form.

    These are the choices in the order shown, or the answers possible; the question's own answer and its
    equivalents stand for themselves, so that a dataset without lists can be marked too.
    """
    found: dict[str, str] = {}
    for text in question.choices or question.possible:
        found.setdefault(canonical(text), text)
    found.setdefault(canonical(question.answer), question.answer)
    for text in question.equivalents:
        found.setdefault(canonical(text), question.answer)
    return found


def resolve(phrase: str, question: Question) -> str | None:
    """Return the answer that a phrase means, or None where it means none, or more than one."""
    answers = answers_of(question)
    for form in (canonical(phrase), canonical(_REASON.split(phrase, 1)[0])):
        if form in answers:
            return answers[form]
    form = canonical(phrase)
    if question.choices:
        return _letter(phrase, question) or _sole(form, answers)
    if answers.keys() >= _YES_NO:
        return _yes_or_no(form, answers)
    if all(name.isdecimal() for name in answers):
        return _count(form)
    if len(question.possible) < 2:
        return None  # with the right answer alone to look for, every mention of it would be right
    return _first_word(form, answers) or _sole(form, answers)


def sole_mention(text: str, question: Question) -> str | None:
    """Return the one answer that a whole text mentions, or None.

    Of Yes and No, only one with which the text or its last line begins is a mention ("there is no…" is none);
    of numbers, "one" is none ("the red one").
    """
    answers = answers_of(question)
    if answers.keys() >= _YES_NO:
        lines = [line for line in text.splitlines() if line.strip()]
        said = {_yes_or_no(canonical(line), answers) for line in (lines[:1] + lines[-1:])} - {None}
        return said.pop() if len(said) == 1 else None
    if all(name.isdecimal() for name in answers):
        words = {NUMBER_WORDS[w] for w in re.findall(r"[a-z]+", text.casefold()) if w in NUMBER_WORDS}
        digits = {canonical(n) for n in _NUMBER.findall(text)}
        numbers = digits | words
        return numbers.pop() if len(numbers) == 1 and (digits or words != {"1"}) else None
    if question.choices:
        letters = set(re.findall(r"(?<!\w)\(([A-J])\)|^\s*([A-J])[.):]\s", text, re.MULTILINE))
        named = {a or b for a, b in letters}
        if len(named) == 1:
            return _by_letter(named.pop(), question)
    if len(question.choices or question.possible) < 2:
        return None
    return _sole(canonical(text), answers)


def stated_letter(phrase: str, question: Question) -> str | None:
    """Return the choice whose letter a statement goes on with: "clearly D", "option (B)", "B. 0.44m/s"."""
    match = _LETTER_SAID.match(phrase)
    return _by_letter(match.group(1), question) if match else None


def _letter(phrase: str, question: Question) -> str | None:
    match = _ONLY_LETTER.match(phrase) or _LETTER_FIRST.match(phrase)
    if match is None:
        return None
    return _by_letter(next(letter for letter in match.groups() if letter), question)


def _by_letter(letter: str, question: Question) -> str | None:
    place = LETTERS.index(letter.upper())
    return question.choices[place] if place < len(question.choices) else None


def _yes_or_no(form: str, answers: Mapping[str, str]) -> str | None:
    word = re.match(r"[a-z]+", form)
    if word is None:
        return None
    said = _TRUTH.get(word.group(), word.group())
    return answers[said] if said in _YES_NO else None


def _count(form: str) -> str | None:
    if form in _NOTHING:
        return "0"
    words = [NUMBER_WORDS[w] for w in re.findall(r"[a-z]+", form) if w in NUMBER_WORDS]
    numbers = {canonical(n) for n in _NUMBER.findall(form)} or set(words)
    return numbers.pop() if len(numbers) == 1 else None


def _first_word(form: str, answers: Mapping[str, str]) -> str | None:
    """Return the answer of two words or more that alone begins with `form`: "school" → "school bus"."""
    fits = {text for name, text in answers.items() if name.startswith(form + " ")} if form else set()
    return fits.pop() if len(fits) == 1 else None


def _sole(form: str, answers: Mapping[str, str]) -> str | None:
    """Return the one answer whose words occur in `form`; longer answers hide those that they contain."""
    found: set[str] = set()
    rest = form
    for name in sorted(answers, key=len, reverse=True):
        pattern = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\d)")
        spans = [m.start() for m in pattern.finditer(rest)]
        if spans:
            if all(_NEGATED.search(rest[max(0, start - 60) : start]) for start in spans):
                return None
            found.add(answers[name])
            rest = pattern.sub("·", rest)
    return found.pop() if len(found) == 1 else None
