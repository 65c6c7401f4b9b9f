"""An extraction rule: the last word of a reply that is one of the possible answers."""

from __future__ import annotations

import re

from fathom.records import ExtractedAnswer, Extractor, Question


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return the last possible answer among the words of a reply, or its last option letter."""
    words = re.findall(r"\w+", text)
    for word in reversed(words):
        for answer in question.possible:
            if word.casefold() == answer.casefold():
                return ExtractedAnswer(answer, "last word", word)
        if len(word) == 1 and (place := "ABCDEFGH".find(word)) in range(len(question.choices)):
            return ExtractedAnswer(question.choices[place], "last letter", word)
    return ExtractedAnswer(None, "none")


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the right answer was read, else 0."""
    return float(reading.picked == question.answer)


EXTRACTOR = Extractor(name="last-word", version="1", read=read, value=value)
