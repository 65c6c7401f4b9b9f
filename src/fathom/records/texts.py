"""What came of reading a question's words back into its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from fathom.records.scene import Record


class UnreadableError(Exception):
    """Words that a reader's grammar does not know."""


class ContradictionError(Exception):
    """Words that are read and say something else than the program, the scene or one another."""


class TextReading(Record, frozen=True, kw_only=True):
    """Whether the words of a question, and of its options, say what its program computes.

    `unreadable` is a fault too: words that an independent reader cannot take apart prove nothing. `why` is
    one sentence, empty where they agree.
    """

    verdict: Literal["agree", "disagree", "unreadable"]
    why: str = ""


def reading_of(compare: Callable[[], None]) -> TextReading:
    """Return what a comparison of words with a program came to, by what it raises."""
    try:
        compare()
    except UnreadableError as error:
        return TextReading(verdict="unreadable", why=str(error))
    except ContradictionError as error:
        return TextReading(verdict="disagree", why=str(error))
    return TextReading(verdict="agree")
