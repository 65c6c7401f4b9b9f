r"""The policy `fathom`: the answer that was stated, read by rules in a fixed order.

    json        the last JSON object with the key "Answer" (loose quotes, fences and commas are forgiven)
    fragment    such a key with its value where the object around it is broken or cut off
    boxed       the last \boxed{…}
    line        the last line "Answer: …", or the line after a heading "Answer"
    statement   the last "the answer is …"
    choice      the last "option B is correct", "I choose B", where letters are shown
    whole       the whole text, where it is one of the answers
    mention     the one possible answer that the text mentions

What a model thinks aloud between <think> and </think> is not its answer. Where no rule finds one of the
answers possible, what the first rule that found anything saw is picked as it stands, and is wrong; where none
found anything, the answer cannot be read, which is a mark of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fathom.reading.answers import resolve, sole_mention, stated_letter
from fathom.reading.objects import LONGEST, Json, objects
from fathom.reading.words import canonical
from fathom.records import Policy, Question, Reading

VERSION = "1"

_KEYS = frozenset({"answer", "final answer", "final_answer", "finalanswer", "your answer"})
_TOKENS = re.compile(r"<\|[a-z_]{1,32}\|>|</s>|<end_of_turn>|<eos>")
_PLACEHOLDER = re.compile(r"^<[^<>]*>$")
_FRAGMENT = re.compile(
    r"[\"'“‘`](?:final[ _]?)?answer[\"'”’`]\s*[:=]\s*"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|“([^”\n]*)”|((?!(?:null|none)\b)[^\"'\s,}{][^,}\n]*))",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\s*\{(?:\\text\s*\{)?([^{}]*)\}")
_LINE = re.compile(
    r"^[ \t*_#>`\"'(\[-]*(?:(?:final|my|the|correct)[ \t]+)*answer(?:[ \t]+is)?[ \t*_`\"')\]]*"
    r"[:=][ \t*_]*(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t*_#]*(?:final[ \t]+)?answer[ \t*_#]*:?[ \t*_]*\n\s*(\S.*)$", re.IGNORECASE | re.MULTILINE
)
_STATEMENT = re.compile(
    r"\banswer(?:\s+to\s+(?:the|this)\s+question)?\s*(?:is|was|would\s+be|should\s+be|must\s+be|will\s+be)"
    r"(?:\s+therefore|\s+thus)?\s*[:=]?\s*(.+?)(?=\.(?:\s|$)|\n|$)",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:choose|select|pick|go\s+with)\s+(?:option|choice|answer)?\s*\(?([A-J])\)?(?![\w'’])"
    r"|\b(?:option|choice)\s+\(?([A-J])\)?\s+(?:is|would\s+be|should\s+be)\s+(?:the\s+)?"
    r"(?:correct|right|best|chosen|selected)\b"
)
_LONGEST_PHRASE = 120


def read(question: Question, text: str) -> Reading:
    """Return the answer stated in `text` and the rule that found it; picked is None where there is none.

    `question.choices` stand in the order in which they were shown, so that letters mean what they meant.
    """
    text = _spoken(text)[-LONGEST:]
    unknown: Reading | None = None
    for how, phrases in _RULES:
        if how == "choice" and not question.choices:
            continue
        for phrase in reversed(list(phrases(text))):
            if not phrase.strip() or _PLACEHOLDER.match(phrase.strip()):
                continue
            picked = resolve(phrase, question)
            if picked is None and question.choices:
                picked = stated_letter(phrase, question)
            if picked is not None:
                return Reading(picked, how)
            if how in ("statement", "choice"):
                continue  # a sentence may go on about anything: an earlier statement may hold the answer
            if unknown is None and len(phrase) <= _LONGEST_PHRASE:
                unknown = Reading(canonical(phrase), how)
            break
        if unknown is not None:
            return unknown
    if len(text) <= _LONGEST_PHRASE:
        picked = resolve(text, question)
        if picked is not None:
            return Reading(picked, "whole")
    picked = sole_mention(text, question)
    return Reading(picked, "mention") if picked is not None else Reading(None, "cannot tell")


def value(question: Question, reading: Reading) -> float:
    """Return 1 where the answer picked is the right one or an equivalent of it, else 0."""
    if reading.picked is None:
        return 0.0
    right = {canonical(text) for text in (question.answer, *question.equivalents)}
    return float(canonical(reading.picked) in right)


def _spoken(text: str) -> str:
    """Return what a model says once it has thought; nothing where it never came to an end of thinking."""
    _head, closed, tail = text.rpartition("</think>")
    if closed:
        text = tail
    else:
        text = tail.partition("<think>")[0]
    return _TOKENS.sub("", text).strip()


def _from_json(text: str) -> Iterator[str]:
    for found in objects(text):
        yield from _answers_in(found)


def _answers_in(found: Json) -> Iterator[str]:
    if not isinstance(found, dict):
        return
    for key, value_ in found.items():
        if key.strip().casefold() in _KEYS:
            said = _as_text(value_)
            if said is not None:
                yield said
        else:
            yield from _answers_in(value_)


def _as_text(value_: Json) -> str | None:
    if isinstance(value_, bool):
        return "Yes" if value_ else "No"
    if isinstance(value_, float | int):
        return f"{value_:g}"
    if isinstance(value_, str):
        return value_
    if isinstance(value_, list) and len(value_) == 1:
        return _as_text(value_[0])
    if isinstance(value_, list):
        return ", ".join(_as_text(v) or "" for v in value_)
    return None


def _groups(pattern: re.Pattern[str]) -> Callable[[str], Iterator[str]]:
    def find(text: str) -> Iterator[str]:
        for match in pattern.finditer(text):
            yield next((group for group in match.groups() if group is not None), "")

    return find


def _lines(text: str) -> Iterator[str]:
    found = [(m.start(1), m.group(1)) for p in (_LINE, _HEADING) for m in p.finditer(text)]
    for _, phrase in sorted(found):
        yield phrase


_RULES: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("json", _from_json),
    ("fragment", _groups(_FRAGMENT)),
    ("boxed", _groups(_BOXED)),
    ("line", _lines),
    ("statement", _groups(_STATEMENT)),
    ("choice", _groups(_CHOSEN)),
)

POLICY = Policy(name="fathom", version=VERSION, read=read, value=value)
