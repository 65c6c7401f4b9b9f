"""The extractors `lmms-eval` and `lmms-eval-3dsrbench`: as lmms-eval reads, faults included.

The kit has rules of its own for each benchmark.

- SEED-Bench (`lmms-eval`, of options): the first character is the letter. "The answer is B" is T and "(B)"
  is a bracket, which are no options; "Because…" is B.
- 3DSRBench (`lmms-eval-3dsrbench`): eight patterns in turn, of which the last is any capital A to D by
  itself, so that "A car …, so B" is A.
- PulseCheck457 (`lmms-eval`, of questions without options): the answer is what stands between quotes after
  Answer and a colon or an equals sign, up to the first quote of either kind; else the first word after
  `Answer:`; else the whole text. So an unquoted "road bike" is read as "road", and an apostrophe cuts an
  answer short. Yes, true and 1 are one answer, and so are no, false and 0.
"""

from __future__ import annotations

import re

from fathom.extraction import published
from fathom.extraction.published import NOTHING, picked
from fathom.extraction.shown_options import shown
from fathom.records import ExtractedAnswer, Extractor, Question

_PATTERNS = (
    ("quotes", re.compile(r"['\"]?Answer['\"]?\s*[:=]\s*['\"]([^'\"]+)['\"]", re.IGNORECASE)),
    ("first word", re.compile(r"Answer['\"]?\s*:\s*['\"]?(\w+)", re.IGNORECASE)),
)
_LADDER = tuple(
    (how, re.compile(pattern))
    for how, pattern in (
        ("label", r"\A([A-D])[.\s)]"),
        ("letter", r"\A([A-D])\Z"),
        ("answer", r"[Aa]nswer[:\s]+([A-D])"),
        ("the answer is", r"[Tt]he answer is[:\s]+([A-D])"),
        ("my answer is", r"[Mm]y answer is[:\s]+([A-D])"),
        ("brackets", r"\(([A-D])\)"),
        ("full stop", r"([A-D])\."),
        ("alone", r"\b([A-D])\b"),
    )
)
_YES = frozenset({"yes", "true", "1"})
_NO = frozenset({"no", "false", "0"})


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return what the kit takes for the answer to SEED-Bench, or to PulseCheck457."""
    if question.choices:
        first = text.strip()[:1]
        return picked(shown(question), first, "first character", first) if first.isupper() else NOTHING
    for how, pattern in _PATTERNS:
        found = pattern.search(text)
        if found:
            return ExtractedAnswer(found.group(1).strip(), how)
    return ExtractedAnswer(text.strip(), "whole text")


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the kit counts the answer as correct, else 0."""
    if question.choices:
        return published.value(question, reading)
    said, right = (reading.picked or "").strip().lower(), question.answer.strip().lower()
    if said == right or {said, right} <= _YES or {said, right} <= _NO:
        return 1.0
    # The kit's isdigit lets superscripts through and then stops; isdecimal does not.
    return float(said.isdecimal() and right.isdecimal() and int(said) == int(right))


def read_ladder(question: Question, text: str) -> ExtractedAnswer:
    """Return what the kit takes for the answer to 3DSRBench."""
    text = text.strip()
    for how, pattern in _LADDER:
        found = pattern.search(text)
        if found:
            return picked(shown(question), found.group(1), how, found.group().strip())
    return NOTHING


EXTRACTOR = Extractor(name="lmms-eval", version="2", read=read, value=value)
