"""What the published rules for reading choices have in common: a letter, or nothing; right, or wrong."""

from __future__ import annotations

from fathom.extraction.shown import Shown
from fathom.records import Question, Reading

NOTHING = Reading(None, "none")
"""No rule found a letter."""


def picked(options: Shown, letter: str, how: str, quote: str = "") -> Reading:
    """Return the reading of a letter; one that no option has is read as nothing, and `how` says so."""
    text = options.text_of(letter)
    return Reading(text, how, quote) if text is not None else Reading(None, f"{how}: no such option", quote)


def value(question: Question, reading: Reading) -> float:
    """Return 1 where the option picked is the right one, else 0."""
    return float(reading.picked is not None and reading.picked == question.answer)
