"""JSON as models write it: in fences, with single or curly quotes, trailing commas, bare keys, loose quotes.

Nothing is ever evaluated: this is a parser, and what it does not understand is no object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

LONGEST = 65_536
"""Characters that are looked at, from the end: an answer stands at the end, and time stays bounded."""

_DEPTH = 24
_ATTEMPTS = 200
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[A-Za-z_][\w ]*")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_WORDS: dict[str, Json] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "True": True,
    "False": False,
    "None": None,
}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def objects(text: str) -> Iterator[tuple[dict[str, Json], bool]]:
    """Yield the outermost objects in `text` in order, each with whether it is strict JSON."""
    text = text[-LONGEST:]
    at, attempts = text.find("{"), 0
    while at >= 0 and attempts < _ATTEMPTS:
        attempts += 1
        strict = _strict_end(text, at)
        if strict is not None:
            value, end = strict
            yield value, True
        else:
            try:
                loose, end = _object(text, at, 0)
                yield loose, False
            except (ValueError, IndexError):
                end = at + 1
        at = text.find("{", end)


def _strict_end(text: str, at: int) -> tuple[dict[str, Json], int] | None:
    """Return the strict JSON object that begins at `at` with its end, or None."""
    depth, quoted, i = 0, False, at
    while i < len(text):
        c = text[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if not depth:
                try:
                    return msgspec.json.decode(text[at : i + 1].encode(), type=dict[str, Any]), i + 1
                except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
                    return None
        i += 1
    return None


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Json], int]:
    if depth > _DEPTH:
        raise ValueError("nested too deeply")
    at = _skip(text, at + 1)
    found: dict[str, Json] = {}
    while text[at] != "}":
        key, at = _key(text, at)
        at = _skip(text, at)
        if text[at] not in ":=":
            raise ValueError("a key without a value")
        value, at = _value(text, _skip(text, at + 1), depth)
        found[key] = value
        at = _skip(text, at)
        if text[at] in ",;":
            at = _skip(text, at + 1)
        elif text[at] != "}":
            raise ValueError("neither a comma nor the end")
    return found, at + 1


def _list(text: str, at: int, depth: int) -> tuple[list[Json], int]:
    if depth > _DEPTH:
        raise ValueError("nested too deeply")
    at = _skip(text, at + 1)
    found: list[Json] = []
    while text[at] != "]":
        value, at = _value(text, at, depth)
        found.append(value)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != "]":
            raise ValueError("neither a comma nor the end")
    return found, at + 1


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at] in _QUOTES:
        return _string(text, at, ":=")
    bare = _BARE.match(text, at)
    if not bare:
        raise ValueError("no key")
    return bare.group().strip(), bare.end()


def _value(text: str, at: int, depth: int) -> tuple[Json, int]:
    c = text[at]
    if c == "{":
        return _object(text, at, depth + 1)
    if c == "[":
        return _list(text, at, depth + 1)
    if c in _QUOTES:
        return _string(text, at, ",;}]")
    number = _NUMBER.match(text, at)
    if number and text[_skip(text, number.end())] in ",;}]":
        return float(number.group()), number.end()
    end = at
    while text[end] not in ",;}\n]{[":
        end += 1
    word = text[at:end].strip()
    if not word:
        raise ValueError("no value")
    return _WORDS.get(word, word), end


def _string(text: str, at: int, followers: str) -> tuple[str, int]:
    """Return a string and its end: the first closing quote that is followed as a string's end would be."""
    close = _QUOTES[text[at]]
    out: list[str] = []
    i = at + 1
    while True:
        c = text[i]
        if c == "\\" and i + 1 < len(text):
            out.append(_ESCAPES.get(text[i + 1], text[i + 1]))
            i += 2
            continue
        if c == close:
            after = _skip(text, i + 1)
            if after >= len(text) or text[after] in followers:
                return "".join(out), i + 1
        out.append(c)
        i += 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
