"""The extractor `4d-bench-official`: the letter as 4D-Bench's scripts extract it, faults included.

1. the first of A to D in round brackets;
2. else the first of A to D by itself: at the start, or behind a blank or one of `( . , ; :`, and at the
   end, or before a blank or one of `) . , ; :`.

So an option that is quoted to be refused counts when it comes first, and the article of "A man can be
observed" is the answer A. One of the scripts uses the second rule alone: `4d-bench-official-letter`.

Ref: 4D-Bench, published evaluation scripts.
"""

from __future__ import annotations

import re

from fathom.extraction.published import NOTHING, picked, value
from fathom.extraction.shown_options import shown
from fathom.records import ExtractedAnswer, Extractor, Question

_BRACKETED = re.compile(r"\(([ABCD])\)")
_ALONE = re.compile(r"(?:\A|[\s(.,;:])([ABCD])(?:[\s).,;:]|\Z)")


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return what the two rules extract."""
    found = _BRACKETED.search(text)
    if found:
        return picked(shown(question), found.group(1), "brackets", found.group())
    return read_alone(question, text)


def read_alone(question: Question, text: str) -> ExtractedAnswer:
    """Return what the second rule extracts."""
    found = _ALONE.search(text)
    return picked(shown(question), found.group(1), "alone", found.group().strip()) if found else NOTHING


EXTRACTOR = Extractor(name="4d-bench-official", version="1", read=read, value=value)
LETTER = Extractor(name="4d-bench-official-letter", version="1", read=read_alone, value=value)
