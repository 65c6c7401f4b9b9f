"""From a phrase, or a whole text, to one of the options that were shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from fathom.extraction.answer_matching import counted, sole, yes_or_no
from fathom.extraction.cues import DECLINED
from fathom.extraction.letters import Mention, Stance, alone, mentions
from fathom.extraction.quantities import Quantity, quantities, sole_quantity
from fathom.extraction.shown_options import ShownOptions
from fathom.extraction.words import canonical

_NONE_OF = re.compile(
    r"^(?:it is |it's )?none of (?:the above|the options|the others|these|those|them|the rest)$"
)
_REASON = re.compile(r",?\s*(?:\(|;|\b(?:because|since|as|given that)\b)|,\s+not\b", re.IGNORECASE)
_LABELLED = re.compile(r"\A[\s*_`\"'“(\[]*[A-J][)\].:,]+\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """What was found: the option, None where the words name several or one that is not there; the words."""

    picked: str | None
    quote: str


def by_letter(shown: ShownOptions, found: list[Mention]) -> Choice | None:
    """Return the option whose letter is the last that is meant; None where none is meant by letter."""
    meant = [m for m in found if m.stance is Stance.MEANT]
    if not meant:
        return None
    last = meant[-1]
    if len(last.letters) > 1:
        return Choice(None, last.clause)
    letter = next(iter(last.letters))
    if any(m.stance is Stance.DENIED and letter in m.letters and m.start > last.start for m in found):
        return Choice(None, last.clause)
    return Choice(shown.text_of(letter), last.clause)


def by_place(shown: ShownOptions, found: list[Mention]) -> Choice | None:
    """Return the option with whose letter a text begins, or None."""
    first = [m for m in found if m.stance is Stance.FIRST]
    if not first or any(m.stance is Stance.DENIED and m.letters & first[0].letters for m in found):
        return None
    if len(first[0].letters) > 1:
        return Choice(None, first[0].clause)
    return Choice(shown.text_of(next(iter(first[0].letters))), first[0].clause)


def by_mention(text: str, shown: ShownOptions, found: list[Mention]) -> Choice | None:
    """Return the one option that is mentioned by letter and not denied, where the text does not decline."""
    denied = frozenset[str]().union(*(m.letters for m in found if m.stance is Stance.DENIED))
    neutral = [m for m in found if m.stance is Stance.NEUTRAL]
    named = frozenset[str]().union(*(m.letters for m in neutral)) - denied
    if not named:
        return None
    if len(named) > 1 or DECLINED.search(text):
        return Choice(None, neutral[-1].clause)
    quote = next(m.clause for m in neutral if named <= m.letters)
    return Choice(shown.text_of(next(iter(named))), quote)


def by_phrase(phrase: str, shown: ShownOptions) -> Choice | None:
    """Return what a phrase that is an answer stands for: a letter, an option's words, or its quantity."""
    quote = " ".join(phrase.split())[:160]
    letter = alone(phrase)
    if letter is not None and shown.letters:
        return Choice(shown.text_of(letter), quote)
    exact = _exact(phrase, shown)
    if exact is not None:
        return Choice(exact, quote)
    found = mentions(phrase, shown)
    choice = by_letter(shown, found) or by_place(shown, found) or by_mention(phrase, shown, found)
    if choice is not None:
        return choice
    text = by_words(phrase, shown)
    return Choice(text, quote) if text is not None else None


def by_words(phrase: str, shown: ShownOptions) -> str | None:
    """Return the one option whose words or quantity a phrase states; None for none, or several."""
    answers = _answers(shown)
    for part in (phrase, _REASON.split(phrase, maxsplit=1)[0]):
        exact = _exact(part, shown)
        if exact is not None:
            return exact
    measured = _measured(shown)
    if measured:
        return _by_quantity(phrase, measured)
    form = canonical(phrase)
    if answers.keys() == {"yes", "no"}:
        return yes_or_no(form, answers)
    if all(name.isdecimal() for name in answers):
        number = counted(form)
        return answers.get(number) if number is not None else None
    return sole(form, answers)


def _answers(shown: ShownOptions) -> dict[str, str]:
    return {canonical(text): text for text in reversed(shown.texts)}


def _exact(phrase: str, shown: ShownOptions) -> str | None:
    answers = _answers(shown)
    for part in (phrase, _LABELLED.sub("", phrase, count=1)):
        form = canonical(part)
        if form and form in answers:
            return answers[form]
        if _NONE_OF.match(form):
            return next((text for name, text in answers.items() if _NONE_OF.match(name)), None)
    return None


def _measured(shown: ShownOptions) -> Mapping[Quantity, str]:
    """Return the options by quantity, or nothing where some option is none, or two are the same."""
    found: dict[Quantity, str] = {}
    for text in shown.texts:
        quantity = sole_quantity(text)
        if quantity is None or quantity in found:
            return {}
        found[quantity] = text
    return found if any(q.dimension for q in found) else {}


def _by_quantity(phrase: str, measured: Mapping[Quantity, str]) -> str | None:
    said = set(quantities(_LABELLED.sub("", phrase, count=1)))
    if len(said) != 1:
        return None
    quantity = said.pop()
    if quantity in measured:
        return measured[quantity]
    # A number without a unit is read as written in the options, where one of them alone has it.
    fits = [text for text in measured.values() if _written(text) == quantity.value]
    return fits[0] if not quantity.dimension and len(fits) == 1 else None


def _written(text: str) -> Fraction | None:
    """Return the number of a quantity as it is written, before its unit."""
    number = re.match(r"[^\w.+-]*([-+]?[\d.,  ]*\d)", text)
    found = sole_quantity(number.group(1)) if number else None
    return found.value if found else None
