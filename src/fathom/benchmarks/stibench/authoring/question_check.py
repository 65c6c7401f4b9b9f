"""Whether a question that a model wrote asks for the fact that it was given, and for nothing else.

Everything that can be told from the truth is: who is meant, numbers, times and units, the quantity, the
options. A word that is in no list leaves a question to people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import msgspec

from fathom.authoring.replies import TOLD, one_line, said_in, tells, unfit
from fathom.benchmarks.stibench.authoring.settings import Fact
from fathom.benchmarks.stibench.authoring.vocabulary import (
    MOTIONS,
    ORDERS,
    SIZES,
    UNITS,
    VAGUE,
    DescriptionVocabulary,
)
from fathom.benchmarks.stibench.authoring.wording import (
    ABOUT_ANY,
    AMOUNTS,
    EITHER,
    FIRST,
    FUNCTION_WORDS,
    KEPT,
    NEGATIONS,
    OF_FORM,
    REQUIRED,
    key_of,
    words_about,
)
from fathom.formats.table_cells import unmarked

LONGEST_QUESTION = 700

LONG = "a question that is too long"
NO_QUESTION = "no question"
NOT_NAMED = "does not call an object by its description"
NOT_FIXED = "leaves out what it must say word for word"
OTHER_TIMES = "does not state the times that it was given, in their order"
OTHER_NUMBER = "a number that was not given"
OTHER_UNIT = "a unit that was not given"
OTHER_THING = "names something that the fact is not about"
OTHER_QUANTITY = "does not ask for what the fact is about"
MORE = "says more than the fact"
OTHER_WAY = "asks for the relation the other way round"
OTHER_ORDER = "names the objects in another order"
OTHER_OPTIONS = "options that are not the five that were given"
OTHER_ANSWER = "marks another option as right"
UNKNOWN = "has words of which only people can say whether they change what is asked"

_NUMBER = re.compile(r"(?<![\w.])([-−]?)(\d+(?:\.\d+)?)\s*(°|[a-z%]+(?:/[a-z]+)?(?:²|\^2)?)?")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[÷]|\b3d\b")
_TOKEN = re.compile(r"[-−]?\d+(?:\.\d+)?|[^\W\d_]+(?:/[^\W\d_]+)?[²]?|[°]")


class _Reply(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    options: list[str]
    answer: str


@dataclass(frozen=True)
class WordedQuestion:
    """What came of a reply: the question's text, whether it is taken, and why not."""

    outcome: Literal["fits", "people", "rejected"]
    text: str = ""
    reason: str = ""
    detail: str = ""


def worded(reply: str, fact: Fact, vocabulary: DescriptionVocabulary) -> WordedQuestion:
    """Return what a model's reply comes to: the question in its words, or why it is not taken."""
    said = said_in(reply, _Reply)
    if isinstance(said, str):
        return WordedQuestion("rejected", reason=said)
    text = one_line(said.question)
    if wrong := _form(text, said, fact):
        return WordedQuestion("rejected", text[:300], wrong)
    if tells(text, fact.question.choices, fact.question.answer):
        return WordedQuestion("rejected", text, TOLD)
    return check_text(text, fact, vocabulary)


def _form(text: str, said: _Reply, fact: Fact) -> str:
    if len(text.split()) < 3:
        return NO_QUESTION
    if len(text) > LONGEST_QUESTION:
        return LONG
    if wrong := unfit([text]):
        return wrong
    given = [same(c) for c in fact.question.choices]
    options = [same(unmarked(one_line(o))) for o in said.options]
    if sorted(options) != sorted(given):
        return OTHER_OPTIONS
    return "" if same(unmarked(one_line(said.answer))) == same(fact.question.answer) else OTHER_ANSWER


def same(option: str) -> tuple[str, ...]:
    """Return an option so that only what it says counts: numbers by value, units by meaning, words in small
    letters.
    """
    text = option.casefold().replace("°", " ° ").replace("^2", "²").replace(" per second", "/s")
    text = re.sub(r"(\d)\s*([a-z])", r"\1 \2", re.sub(r"\s*/\s*s", "/s", text))
    return tuple(_same_token(t) for t in _TOKEN.findall(text))


def _same_token(token: str) -> str:
    bare = token.replace("−", "-")
    if bare.lstrip("-")[:1].isdigit():
        return f"{Decimal(bare).normalize():f}"
    head, _, tail = token.partition("/")
    if tail:
        return f"{UNITS.get(head, head)}/{tail}"
    return UNITS.get(token, token)


def check_text(text: str, fact: Fact, vocabulary: DescriptionVocabulary) -> WordedQuestion:
    """Return whether a question's text asks for a fact: it fits, is wrong, or only people can say."""
    rest, lacking = _without(_plain(text), fact.words, fact.fixed)
    if lacking:
        return WordedQuestion("rejected", text, lacking)
    meant, _ = _without(_plain(fact.question.text), fact.words, fact.fixed)
    wrong, detail = _numbers(rest, meant, fact)
    if not wrong:
        wrong, detail = _quantity(rest, meant, fact)
    if not wrong:
        wrong, detail = _words(rest, meant, fact, vocabulary)
    if wrong:
        return WordedQuestion("people" if wrong == UNKNOWN else "rejected", text, wrong, detail)
    return WordedQuestion("fits", text)


def _without(text: str, words: Sequence[str], fixed: Sequence[str]) -> tuple[str, str]:
    """Return a text with a sign in place of each description, and without what is fixed; and what lacks."""
    for phrase in fixed:
        if _plain(phrase) not in text:
            return text, NOT_FIXED
        text = text.replace(_plain(phrase), " ", 1)
    for number, called in sorted(enumerate(words), key=lambda one: -len(one[1])):
        pattern = re.compile(rf"(?<![\w-]){re.escape(_plain(called))}(?![\w-])")
        text, count = pattern.subn(f" #{'abc'[number]}# ", text)
        if not count:
            return text, NOT_NAMED
    return text, ""


def _plain(text: str) -> str:
    """Return a text in small letters, without what shows possession: "the camera's path"."""
    return re.sub(r"(?<=[a-z])['’]s?\b(?!t)", "", text.casefold().replace("’", "'"))


def _numbers(rest: str, meant: str, fact: Fact) -> tuple[str, str]:
    found, given = _measures(rest), _measures(meant)
    values = {value for value, _ in given}
    for value, unit in found:
        if value not in values:
            return OTHER_NUMBER, str(value)
        if unit and (value, unit) not in given:
            return OTHER_UNIT, f"{value} {unit}"
    times = [Decimal(t) for t in fact.times]
    places = [i for t in times for i, (v, _) in enumerate(found) if v == t]
    stated = [v for v, _ in found if v in times]
    own = [v for v, _ in given if v in times]
    if len(places) < len(times) or stated[: len(times)] not in (times, own):
        return OTHER_TIMES, ", ".join(map(str, stated))
    if times and not any(v in times and unit == "s" for v, unit in found):
        return OTHER_UNIT, "times without seconds"
    allowed = {UNITS[w] for w in _WORD.findall(meant) if w in UNITS} | {u for _, u in given}
    bare = _NUMBER.sub(" ", rest)
    other = [w for w in _WORD.findall(bare) if w in UNITS and UNITS[w] not in allowed | {_own_unit(fact)}]
    return (OTHER_UNIT, other[0]) if other else ("", "")


def _own_unit(fact: Fact) -> str:
    return fact.question.tags.get("unit", "")


def _measures(text: str) -> list[tuple[Decimal, str]]:
    """Return the numbers of a text with their units, "" where none follows."""
    out = []
    for sign, number, unit in _NUMBER.findall(text):
        value = Decimal(number) * (-1 if sign else 1)
        out.append((value, UNITS.get(unit, "") if unit else ""))
    return out


def _quantity(rest: str, meant: str, fact: Fact) -> tuple[str, str]:
    last = fact.question.program[-1]
    key = key_of(last.op, last.args)
    if "camera" in _WORD.findall(meant) and "camera" not in _WORD.findall(rest):
        return OTHER_QUANTITY, "camera"
    said = set(_WORD.findall(rest)) | set(_WORD.findall(_plain(" ".join(fact.fixed))))
    known = set(_WORD.findall(meant))
    needed = [g for g in KEPT if known & g]
    for group in (*REQUIRED.get(key, ()), *OF_FORM.get(fact.form, ()), *needed):
        if not said & group:
            return OTHER_QUANTITY, "/".join(sorted(group)[:4])
    if last.op in ("box", "centre") and said & FIRST and not known & FIRST:
        return OTHER_QUANTITY, "the frame of another moment"
    if key == "relation" and re.search(r"(?:from|to|of|than)\s+#a#", rest):
        return OTHER_WAY, ""
    if key == "relation" and not re.search(r"(?:from|to|of)\s+#b#", rest):
        return OTHER_WAY, ""
    if last.op == "order" and list(dict.fromkeys(re.findall(r"#([abc])#", rest))) != ["a", "b", "c"]:
        return OTHER_ORDER, ""
    backwards = {"order:left to right": r"right to (?:the )?left", "order:near to far": r"farthest first"}
    if key in backwards and re.search(backwards[key], rest):
        return OTHER_WAY, ""
    return "", ""


def _words(rest: str, meant: str, fact: Fact, vocabulary: DescriptionVocabulary) -> tuple[str, str]:
    last = fact.question.program[-1]
    own = words_about(key_of(last.op, last.args)) | set(_WORD.findall(meant)) | FUNCTION_WORDS
    own |= EITHER.get(fact.form, frozenset())
    own |= {w for w, u in UNITS.items() if u == _own_unit(fact) or (u == "s" and fact.times)}
    said = [w for w in _WORD.findall(re.sub(r"#[abc]#", " ", rest)) if w not in own]
    known = {
        *vocabulary.colors,
        *MOTIONS,
        *ORDERS,
        *SIZES,
        *VAGUE,
        "left",
        "right",
        "above",
        "below",
        "behind",
    }
    for word in said:
        if word in vocabulary.nouns or f"{word}s" in vocabulary.nouns or word == "camera":
            return OTHER_THING, word
        if word in AMOUNTS:
            return OTHER_NUMBER, word
        if word in NEGATIONS or word in known:
            return MORE, word
        if word in ABOUT_ANY:
            return OTHER_QUANTITY, word
    return (UNKNOWN, " ".join(said)) if said else ("", "")
