r"""The extractor `fathom`: the answer that was stated, read by rules in a fixed order.

    tag         the last <answer>…</answer>
    json        the last JSON object with a key such as "Answer" (loose quotes and fences are forgiven)
    fragment    such a key with its value where the object around it is broken or cut off
    boxed       the last \boxed{…}
    line        the last line "Answer: …", or the line after a heading "Answer"
    statement   the last "the answer is …", "I choose B", "so it is (B)", "option B is correct"
    whole       the whole text, where it is one of the answers
    start       the letter with which a text begins
    mention     the one possible answer that the text mentions

What a model thinks aloud between <think> and </think> is not its answer. A letter stands for the option
that was shown beside it; an article is no letter; what is denied, only supposed or asked is not stated, and
of statements that follow one another the last counts. `Reading.how` names the rule and `Reading.quote` the
words.

Where no rule finds one of the answers possible, nothing is guessed. Of a question without options, what the
first rule that found anything saw is picked as it stands, and is wrong; otherwise the answer cannot be read,
which is a mark of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fathom.extraction.answer_matching import resolve, sole_mention
from fathom.extraction.cues import DECLINED
from fathom.extraction.lenient_json import LONGEST, Json, objects
from fathom.extraction.letters import Mention, mentions
from fathom.extraction.numeric_answers import is_measured, worth
from fathom.extraction.option_matching import Choice, by_letter, by_mention, by_phrase, by_place, by_words
from fathom.extraction.shown_options import ShownOptions, shown
from fathom.extraction.stripped_reasoning import plain, strip_reasoning
from fathom.extraction.words import canonical
from fathom.records import ExtractedAnswer, Extractor, Question

VERSION = "3"

_KEYS = frozenset(
    {
        "answer",
        "answers",
        "final answer",
        "finalanswer",
        "your answer",
        "correct answer",
        "selected answer",
        "choice",
        "selected choice",
        "option",
        "selected option",
        "correct option",
        "letter",
        "prediction",
    }
)
_PLACEHOLDER = re.compile(r"^<[^<>]*>$")
_TAG = re.compile(r"<\s*answer\s*>(.{0,400}?)<\s*/\s*answer\s*>", re.IGNORECASE | re.DOTALL)
_FRAGMENT = re.compile(
    r"[\"'“‘`](?:final[ _]?)?answer[\"'”’`]\s*[:=]\s*"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|“([^”\n]*)”|((?!(?:null|none)\b)[^\"'\s,}{][^,}\n]*))",
    re.IGNORECASE,
)
_BOXED = re.compile(
    r"\\f?box(?:ed)?\s*\{\s*(?:\\(?:text|textbf|mathrm|mathbf|textit|mathsf)\s*\{)?([^{}]*)\}"
)
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
    r"(?:\s+(?:therefore|thus|that))?\s*[:=]?\s*(.+?)(?=\.(?:\s|$)|\n|$)",
    re.IGNORECASE,
)
_LONGEST_PHRASE = 120


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return the answer stated in `text` and the rule that found it; picked is None where there is none.

    `question.choices` stand in the order in which they were shown, so that letters mean what they meant.
    """
    said = strip_reasoning(text)[-LONGEST:].strip()
    if question.choices:
        return _read_choice(shown(question), plain(said)[-LONGEST:])
    return _read_open(question, said)


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the answer picked is the right one or an equivalent of it, else 0.

    A number with a unit is worth its mean relative accuracy.
    """
    if reading.picked is None:
        return 0.0
    if is_measured(question):
        return worth(reading.picked, question)
    right = {canonical(text) for text in (question.answer, *question.equivalents)}
    return float(canonical(reading.picked) in right)


def _read_open(question: Question, text: str) -> ExtractedAnswer:
    for how, phrases in (*_STRUCTURES, ("line", _lines), ("statement", _groups(_STATEMENT))):
        for phrase in reversed(list(phrases(text))):
            if not phrase.strip() or _PLACEHOLDER.match(phrase.strip()):
                continue
            picked = resolve(phrase, question)
            if picked is not None:
                return ExtractedAnswer(picked, how, _short(phrase))
            if how == "statement":
                continue  # a sentence may go on about anything: an earlier statement may hold the answer
            if len(phrase) <= _LONGEST_PHRASE:
                return ExtractedAnswer(canonical(phrase), how, _short(phrase))
            break
    if len(text) <= _LONGEST_PHRASE:
        picked = resolve(text, question)
        if picked is not None:
            return ExtractedAnswer(picked, "whole", _short(text))
    picked = sole_mention(text, question)
    return (
        ExtractedAnswer(picked, "mention", picked)
        if picked is not None
        else ExtractedAnswer(None, "cannot tell")
    )


def _read_choice(options: ShownOptions, text: str) -> ExtractedAnswer:
    for how, phrases in _STRUCTURES:
        said = [p for p in phrases(text) if p.strip() and not _PLACEHOLDER.match(p.strip())]
        choice = by_phrase(said[-1], options) if said else None
        if choice is not None:
            return _reading(choice, how)
        if said and _is_final(said[-1]):
            return ExtractedAnswer(None, "cannot tell", _short(said[-1]))
    found = mentions(text, options)
    for how, rule in _CHOICE_RULES:
        choice = rule(text, options, found)
        if choice is not None:
            return _reading(choice, how)
    return ExtractedAnswer(None, "cannot tell")


def _reading(choice: Choice, how: str) -> ExtractedAnswer:
    return ExtractedAnswer(choice.picked, how if choice.picked is not None else "cannot tell", choice.quote)


def _is_final(phrase: str) -> bool:
    return len(phrase) <= _LONGEST_PHRASE and DECLINED.search(phrase) is not None


def _by_line(text: str, options: ShownOptions, found: list[Mention]) -> Choice | None:
    """Return what the last line "Answer: …" says, where no letter is meant after it."""
    lines = [m for p in (_LINE, _HEADING) for m in p.finditer(text)]
    if not lines:
        return None
    last = max(lines, key=lambda m: m.start(1))
    if by_letter(options, [m for m in found if m.start >= last.end()]) is not None:
        return None
    choice = by_phrase(last.group(1), options)
    if choice is None and _is_final(last.group(1)):
        return Choice(None, _short(last.group(1)))
    return choice


def _by_statement(text: str, options: ShownOptions, found: list[Mention]) -> Choice | None:
    choice = by_letter(options, found)
    if choice is not None:
        return choice
    for match in reversed(list(_STATEMENT.finditer(text))):
        phrase = match.group(1)
        if len(phrase) <= 2 * _LONGEST_PHRASE:
            picked = by_words(phrase, options)
            if picked is not None:
                return Choice(picked, _short(phrase))
    return None


def _by_whole(text: str, options: ShownOptions, found: list[Mention]) -> Choice | None:
    return by_phrase(text, options) if 0 < len(text) <= _LONGEST_PHRASE else None


def _by_start(text: str, options: ShownOptions, found: list[Mention]) -> Choice | None:
    return by_place(options, found)


def _by_mention(text: str, options: ShownOptions, found: list[Mention]) -> Choice | None:
    choice = by_mention(text, options, found)
    if choice is not None:
        return choice
    if DECLINED.search(text):
        return None
    picked = by_words(text, options)
    return Choice(picked, picked) if picked is not None else None


def _from_json(text: str) -> Iterator[str]:
    for found in objects(text):
        yield from _answers_in(found)


def _answers_in(found: Json) -> Iterator[str]:
    if not isinstance(found, dict):
        return
    for key, value_ in found.items():
        if key.strip().casefold().replace("_", " ") in _KEYS:
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


def _short(phrase: str) -> str:
    return " ".join(phrase.split())[:160]


_STRUCTURES: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("tag", _groups(_TAG)),
    ("json", _from_json),
    ("fragment", _groups(_FRAGMENT)),
    ("boxed", _groups(_BOXED)),
)
_CHOICE_RULES: tuple[tuple[str, Callable[[str, ShownOptions, list[Mention]], Choice | None]], ...] = (
    ("line", _by_line),
    ("statement", _by_statement),
    ("whole", _by_whole),
    ("start", _by_start),
    ("mention", _by_mention),
)

EXTRACTOR = Extractor(name="fathom", version=VERSION, read=read, value=value)
