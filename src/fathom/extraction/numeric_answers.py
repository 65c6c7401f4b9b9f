"""Answers in numbers: the quantity that was stated, in the unit asked for, and what it is worth.

A number is worth its mean relative accuracy: the share of the ten tolerances 50 %, 45 % … 5 % of the right
number that it keeps. Of a right number that is 0, the same tolerances are absolute, in the unit asked for.

Ref: VSI-Bench (Thinking in Space) §3; thresholds 0.5, 0.55 … 0.95.
"""

from __future__ import annotations

import re
from fractions import Fraction

from fathom.extraction.quantities import Quantity, quantities, sole_quantity
from fathom.records import Question, UnansweredQuestion

TOLERANCES = tuple(Fraction(5 * k, 100) for k in range(10, 0, -1))

_SIDE = re.compile(r"(?:\s*,)?\s+(?:(?:to|towards?|on)\s+)?(?:the\s+|its\s+)?(left|right)\b", re.IGNORECASE)
_LEADING_SIDE = re.compile(r"\b(left|right)\b\s+by\b", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\d[^\d\n]{0,12}?(?:\bto\b|\band\b|[–—~]|(?<=[\w°])-)\s*(?:about\s+)?\d", re.IGNORECASE
)
_NUMBER = re.compile(r"^[^\d]*\d[\d.,]*")


def is_measured(question: Question | UnansweredQuestion) -> bool:
    """Return whether a question wants a number with a unit, and shows no options."""
    return not question.choices and question.tags.get("numeric") == "yes"


def measured(phrase: str, question: Question) -> str | None:
    """Return the one quantity that a phrase states, in the unit of the right answer, or None.

    A number without a unit is in that unit; one of another dimension is none, and of numbers with and without
    units those with one count. Where the answer is to a side, right is below zero.
    """
    unit = _unit(question)
    said = quantities(phrase)
    fitting = [q for q in said if q.dimension and q.dimension == unit.dimension]
    if not fitting:
        fitting = [Quantity(q.value * unit.value, unit.dimension) for q in said if not q.dimension]
    values = {q.value for q in fitting}
    if len(values) != 1 or _BETWEEN.search(phrase):
        return None
    value = values.pop()
    sides = [*_SIDE.findall(phrase), *_LEADING_SIDE.findall(phrase)] if unit.dimension == "angle" else []
    if sides:
        value = abs(value) * (-1 if sides[-1].casefold() == "right" else 1)
    return f"{float(value / unit.value):.10g}{_unit_text(question)}"


def last_measured(text: str, question: Question) -> str | None:
    """Return the quantity that the last line with numbers states, where it states one alone."""
    for line in reversed(text.splitlines()):
        if quantities(line):
            return measured(line, question)
    return None


def worth(picked: str | None, question: Question) -> float:
    """Return the mean relative accuracy of what was picked, 0 where it is no quantity of the right kind."""
    found = sole_quantity(picked) if picked else None
    unit, text = _unit(question), measured(question.answer, question)
    right = sole_quantity(text) if text else None
    if found is None or right is None or found.dimension not in ("", unit.dimension):
        return 0.0
    said = found.value if found.dimension else found.value * unit.value
    return float(relative_accuracy(said / unit.value, right.value / unit.value))


def relative_accuracy(said: Fraction, right: Fraction) -> Fraction:
    """Return the share of the tolerances within which a number lies of the right one.

    `said` and `right` are in the unit asked for: it matters where the right number is 0.
    """
    off = abs(said - right) / (abs(right) or 1)
    return Fraction(sum(off <= t for t in TOLERANCES), len(TOLERANCES))


def _unit(question: Question) -> Quantity:
    """Return one of the unit in which the right answer is written."""
    return sole_quantity(f"1{_unit_text(question)}") or Quantity(Fraction(1), "")


def _unit_text(question: Question) -> str:
    return _SIDE.sub("", _NUMBER.sub("", question.answer)).rstrip(". ")
