"""JSON as models write it: in fences, with single or curly quotes, trailing commas, bare keys, loose quotes.

Nothing is ever evaluated: this is a parser, and what it does not understand is no object. Its work is
bounded whatever the text, so that no answer can hold up the marking of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

LONGEST = 32_768
"""Characters that are looked at, from the end: that is where an answer stands."""

_WORK = 4 * LONGEST
_DEPTH = 24
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[A-Za-z_][\w ]*")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=\s*[,;}\]])")
_WORD = re.compile(r"[^,;}\n\]{\[]+")
_STRUCTURE = re.compile(r'[{}"\\]')
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None, "none": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_STRING_STOPS = {close: re.compile(rf"[\\{close}]") for close in _QUOTES.values()}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def objects(text: str) -> list[dict[str, Json]]:
    """Return the outermost objects in the last `LONGEST` characters of `text`, in order."""
    return list(_Parser(text[-LONGEST:]).objects())


class _Parser:
    """Reads one text; every method that takes a place returns the place behind what it read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.work = _WORK

    def objects(self) -> Iterator[dict[str, Json]]:
        at = self.text.find("{")
        while at >= 0 and self.work > 0:
            self.work -= 1
            end = at + 1
            strict = self.strict(at)
            if strict is not None:
                found, end = strict
                yield found
            else:
                try:
                    found, end = self.object(at, 0)
                    yield found
                except (ValueError, IndexError):
                    pass
            at = self.text.find("{", end)

    def strict(self, at: int) -> tuple[dict[str, Json], int] | None:
        """Return the object that begins at `at` if it is JSON as it should be."""
        depth, quoted, skipped = 0, False, -1
        for mark in _STRUCTURE.finditer(self.text, at):
            self.work -= 1
            place, c = mark.start(), mark.group()
            if place == skipped:
                continue
            if c == "\\":
                skipped = place + 1
            elif c == '"':
                quoted = not quoted
            elif not quoted:
                depth += 1 if c == "{" else -1
                if not depth:
                    try:
                        inside = self.text[at : place + 1].encode()
                        self.work -= len(inside) // 16
                        return msgspec.json.decode(inside, type=dict[str, Any]), place + 1
                    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
                        return None
            if self.work <= 0:
                return None
        return None

    def object(self, at: int, depth: int) -> tuple[dict[str, Json], int]:
        if depth > _DEPTH or self.work <= 0:
            raise ValueError("nested too deeply, or too much to read")
        text, found = self.text, dict[str, Json]()
        at = self.skip(at + 1)
        while text[at] != "}":
            key, at = self.key(at)
            at = self.skip(at)
            if text[at] not in ":=":
                raise ValueError("a key without a value")
            found[key], at = self.value(self.skip(at + 1), depth)
            at = self.next(at, ",;", "}")
        return found, at + 1

    def list(self, at: int, depth: int) -> tuple[list[Json], int]:
        if depth > _DEPTH or self.work <= 0:
            raise ValueError("nested too deeply, or too much to read")
        found: list[Json] = []
        at = self.skip(at + 1)
        while self.text[at] != "]":
            value, at = self.value(at, depth)
            found.append(value)
            at = self.next(at, ",", "]")
        return found, at + 1

    def next(self, at: int, commas: str, end: str) -> int:
        at = self.skip(at)
        if self.text[at] in commas:
            return self.skip(at + 1)
        if self.text[at] != end:
            raise ValueError("neither a comma nor the end")
        return at

    def key(self, at: int) -> tuple[str, int]:
        if self.text[at] in _QUOTES:
            return self.string(at, ":=")
        bare = _BARE.match(self.text, at)
        if not bare:
            raise ValueError("no key")
        return bare.group().strip(), bare.end()

    def value(self, at: int, depth: int) -> tuple[Json, int]:
        c = self.text[at]
        if c == "{":
            return self.object(at, depth + 1)
        if c == "[":
            return self.list(at, depth + 1)
        if c in _QUOTES:
            return self.string(at, ",;}]")
        number = _NUMBER.match(self.text, at)
        if number:
            return float(number.group()), number.end()
        word = _WORD.match(self.text, at)
        if not word:
            raise ValueError("no value")
        said = word.group().strip()
        return _WORDS.get(said.lower(), said), word.end()

    def string(self, at: int, followers: str) -> tuple[str, int]:
        """Return a string: it ends at the first closing quote that is followed as a string's end would be."""
        text, close = self.text, _QUOTES[self.text[at]]
        stops = _STRING_STOPS[close]
        out: list[str] = []
        begun = at + 1
        stop = stops.search(text, begun)
        while stop and self.work > 0:
            self.work -= 1 + (stop.start() - begun) // 16
            out.append(text[begun : stop.start()])
            place = stop.start()
            if text[place] == "\\":
                escaped = text[place + 1]
                out.append(_ESCAPES.get(escaped, escaped))
                begun = place + 2
            else:
                after = self.skip(place + 1)
                if after >= len(text) or text[after] in followers:
                    return "".join(out), place + 1
                out.append(close)
                begun = place + 1
            stop = stops.search(text, begun)
        self.work -= (len(text) - begun) // 16
        raise ValueError("a string without an end")

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at
