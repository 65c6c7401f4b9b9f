"""From a reply to the JSON object that was asked for, and what no text of a question may hold.

Nothing is mended or made up: a reply says what was asked for, or there is a reason why it does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from fathom.english import singular
from fathom.extraction.words import canonical
from fathom.records import Response

T = TypeVar("T", bound=msgspec.Struct)

LONGEST_REPLY = 20_000

FAILED, REFUSED = "the request failed", "the model refused"
EMPTY = "nothing was said"
LONG_REPLY = f"more than {LONGEST_REPLY:,} characters"
NO_JSON = "not one JSON object of the form that was asked for"
MARKUP = "markup, links or characters that cannot be printed"
TOLD = "a question that holds its answer"
SPEAKS_OF_ANSWER = "words about answers, options or instructions"
BY_NUMBER = "a picture or view by its number"
TOGETHER = "an option that stands for others"

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"<[^>\s][^>]*>|```|\]\(|https?:|www\.|[{}\\|]|&[a-z]+;|\*\*|__", re.IGNORECASE)
_OF_ANSWERS = re.compile(
    r"\b(?:answers?|options?|choices?|correct(?:ly)?|instructions?|prompts?|ignore|disregard|"
    r"language model)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:frame|image|picture|photo|view|video)s?\s*(?:#|no\.?|number)?\s*\d", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['.]\w+)*'?")

_TOGETHER = re.compile(
    r"\b(?:all|none|both|any|neither) of (?:the|these|them)\b|\bboth [a-d]\b", re.IGNORECASE
)


def failure_of(response: Response | None) -> str:
    """Return why there is no reply: FAILED or REFUSED; "" where there is one."""
    if response is None or response.status == "failed":
        return FAILED
    return REFUSED if response.status == "refused" else ""


def said_in(reply: str, form: type[T]) -> T | str:
    """Return what a reply says, or the reason why it says nothing.

    It is one JSON object of the form, alone or in a fence of three backticks.
    """
    text = reply.strip()
    if not text:
        return EMPTY
    if len(reply) > LONGEST_REPLY:
        return LONG_REPLY
    fenced = _FENCE.match(text)
    try:
        return msgspec.json.decode(fenced[1] if fenced else text, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return NO_JSON


def unfit(texts: Sequence[str]) -> str:
    """Return why texts cannot be part of a question, for what they hold; "" where they can."""
    if any(_MARKUP.search(t) or not t.isprintable() for t in texts):
        return MARKUP
    for pattern, reason in ((_TOGETHER, TOGETHER), (_OF_ANSWERS, SPEAKS_OF_ANSWER), (_NUMBERED, BY_NUMBER)):
        if any(pattern.search(t) for t in texts):
            return reason
    return ""


def tells(text: str, choices: Sequence[str], answer: str) -> bool:
    """Return whether the right option, and no other, stands in the question.

    One thing and several, and what belongs to it, count as the same.

    >>> tells("Which of these has a chair's shape?", ("bed", "chairs", "lamp", "rug"), "chairs")
    True
    """
    asked = f" {_plain(text)} "
    return [c for c in choices if f" {_plain(c)} " in asked] == [answer]


def _plain(text: str) -> str:
    """Return the words of a text, none with a possessive or plural ending, and no marks around them."""
    words = _WORD.findall(canonical(text.replace("’", "'")))
    return " ".join(singular(word.removesuffix("'s").removesuffix("'")) for word in words)


def one_line(text: str) -> str:
    """Return a text with single spaces in place of all white space."""
    return " ".join(text.split())
