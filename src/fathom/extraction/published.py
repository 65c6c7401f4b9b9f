"""What the published rules for reading choices have in common: a letter, or nothing; right, or wrong."""

from __future__ import annotations

from fathom.extraction.shown_options import ShownOptions
from fathom.records import ExtractedAnswer, Question

NOTHING = ExtractedAnswer(None, "none")
"""No rule found a letter."""


def picked(options: ShownOptions, letter: str, how: str, quote: str = "") -> ExtractedAnswer:
    """Return the reading of a letter; one that no option has is read as nothing, and `how` says so."""
    text = options.text_of(letter)
    return (
        ExtractedAnswer(text, how, quote)
        if text is not None
        else ExtractedAnswer(None, f"{how}: no such option", quote)
    )


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the option picked is the right one, else 0."""
    return float(reading.picked is not None and reading.picked == question.answer)
