"""The extractor `sti-bench-official`: as STI-Bench's script for open models reads, faults included.

Six patterns are tried in turn, each anywhere in the text and in either case: a letter in round brackets;
behind "Ans="; behind "Answer:"; behind "Option"; before "is correct"; before a full stop or bracket at the
end of a line. Where none fits, the text itself is the answer, and its last character, a capital, is the
letter.

So "Answer: between 1 and 2" is B and "The option chosen: D" is C, while "B. 0.44m/s" is read as no option. An
empty answer stopped the script; here it cannot be read.

Ref: STI-Bench, published evaluation script. No rule was published for the hosted models.
"""

from __future__ import annotations

import re

from fathom.extraction.published import NOTHING, picked, value
from fathom.extraction.shown_options import shown
from fathom.records import ExtractedAnswer, Extractor, Question

_LETTER = "([A-E])"
_PATTERNS = tuple(
    (how, re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for how, pattern in (
        ("brackets", rf"\({_LETTER}\)"),
        ("ans=", rf"ans\s*=\s*[\"']?{_LETTER}"),
        ("answer:", rf"answer\s*[:=]\s*{_LETTER}"),
        ("option", rf"option\s+{_LETTER}"),
        ("is correct", rf"\b{_LETTER}\s*(?:is|was)\s*correct"),
        ("end of line", rf"\b{_LETTER}[.)]\s*$"),
    )
)


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return what the first pattern that fits extracts, else the last character."""
    options = shown(question)
    for how, pattern in _PATTERNS:
        found = pattern.search(text)
        if found:
            return picked(options, found.group(1), how, found.group().strip())
    last = text.strip()[-1:]
    return picked(options, last, "last character", last) if last and last in "ABCDE" else NOTHING


EXTRACTOR = Extractor(name="sti-bench-official", version="1", read=read, value=value)
