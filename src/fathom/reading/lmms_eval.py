"""The policy `lmms-eval`: PulseCheck457 (Spatial457) as lmms-eval marks it, faults included.

Kept so that scores can be set beside published ones. What it does:

- the answer is what stands between quotes after Answer and a colon or an equals sign, up to the first quote
  of either kind; else the first word after `Answer:`; else the whole text;
- so an unquoted "road bike" is read as "road", and an apostrophe cuts an answer short;
- yes, true and 1 are one answer, and so are no, false and 0: a count of 1 is right where Yes is, and a Yes
  where 1 is.
"""

from __future__ import annotations

import re

from fathom.records import Policy, Question, Reading

_PATTERNS = (
    ("quotes", re.compile(r"['\"]?Answer['\"]?\s*[:=]\s*['\"]([^'\"]+)['\"]", re.IGNORECASE)),
    ("first word", re.compile(r"Answer['\"]?\s*:\s*['\"]?(\w+)", re.IGNORECASE)),
)
_YES = frozenset({"yes", "true", "1"})
_NO = frozenset({"no", "false", "0"})


def read(question: Question, text: str) -> Reading:
    """Return what the kit takes for the answer; it always takes something."""
    for how, pattern in _PATTERNS:
        found = pattern.search(text)
        if found:
            return Reading(found.group(1).strip(), how)
    return Reading(text.strip(), "whole text")


def value(question: Question, reading: Reading) -> float:
    """Return 1 where the kit counts the answer as correct, else 0."""
    said, right = (reading.picked or "").strip().lower(), question.answer.strip().lower()
    if said == right or {said, right} <= _YES or {said, right} <= _NO:
        return 1.0
    # The kit's isdigit lets superscripts through and then stops; isdecimal does not.
    return float(said.isdecimal() and right.isdecimal() and int(said) == int(right))


POLICY = Policy(name="lmms-eval", version="1", read=read, value=value)
