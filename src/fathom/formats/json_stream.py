"""JSON files item by item, each with the line on which it stands.

A file may be a list of items, an object that holds them under "questions" or one of its like, an object
keyed by id, or one object after another, with or without commas between them (as results are often
published).
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from fathom.formats.import_findings import one_line
from fathom.records import InputError

MAX_BYTES = 1 << 30
MAX_LINE_BYTES = 64 << 20
_PEEK_BYTES = 4 << 20

_LISTS = frozenset({"questions", "data", "annotations", "results", "samples", "predictions"})
_HEADERS = frozenset({"info", "question_type", "license", "licenses", "metadata", "version", "splits"})
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Item:
    """One value of a file, the key under which it stands, if any, and its line.

    `broken` says why it is no value.
    """

    value: object
    line: int
    key: str = ""
    broken: str = ""


def json_items(path: Path, label: str) -> Iterator[Item]:
    """Yield the items of a .json file. Raises InputError, with file and line, where it is no JSON."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise InputError(f"{label}: has {size:,} bytes, and at most {MAX_BYTES:,} are read; split the file")
    yield from _Scan(decoded(path.read_bytes(), label), label).items()


def json_lines(path: Path, label: str) -> Iterator[Item]:
    """Yield the items of a .jsonl file, a line at a time; a line that is none is yielded as broken."""
    with path.open("rb") as f:
        number = 0
        while line := f.readline(MAX_LINE_BYTES):
            number += 1
            text = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").strip().rstrip(",")
            if not text:
                continue
            try:
                yield Item(value=json.loads(text), line=number)
            except (ValueError, RecursionError) as e:
                yield Item(value=None, line=number, broken=f"not JSON ({_why(e)})")


def first_item(path: Path, label: str) -> Item | None:
    """Return the first item of a .json or .jsonl file, reading no more than its beginning."""
    with path.open("rb") as f:
        head = f.read(_PEEK_BYTES)
    if path.suffix.lower() == ".jsonl":
        return _first_line(path, label)
    # The cut may fall inside a character; that character is far behind the first item.
    text = decoded(head, label, cut=len(head) == _PEEK_BYTES)
    return next((item for item in _Scan(text, label).items() if not item.broken), None)


def _first_line(path: Path, label: str) -> Item | None:
    """Return the first line of a .jsonl file that is an item, None for an empty file.

    Raises InputError where no line is one.
    """
    broken: Item | None = None
    for item in json_lines(path, label):
        if not item.broken:
            return item
        broken = broken or item
    if broken:
        raise InputError(f"{label}: line {broken.line} is {broken.broken}, and no other is; fix the file")
    return None


def decoded(data: bytes, label: str, cut: bool = False) -> str:
    """Return text that is UTF-8, with or without a byte order mark. Raises InputError for other encodings."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"{label}: expected text in UTF-8, found UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig", "ignore" if cut else "strict")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise InputError(
            f"{label}:{line}: expected text in UTF-8, found the byte {data[e.start]:#04x}; save it as UTF-8, "
            "or fetch the file again"
        ) from e


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


class _Scan:
    """One pass over a text; `_line_at` counts line breaks as it goes."""

    def __init__(self, text: str, label: str) -> None:
        self.text = text
        self.label = label
        self._counted, self._line = 0, 1

    def items(self) -> Iterator[Item]:
        at = self._skip(0)
        if at == len(self.text):
            raise InputError(f"{self.label}: expected JSON, found an empty file; fetch it again")
        if self.text[at] == "[":
            at = yield from self._array(at)
        elif self.text[at] == "{" and self._holds_items(at):
            at = yield from self._object(at)
        else:
            yield from self._sequence(at)
            return
        if (at := self._skip(at)) < len(self.text):
            raise self._error(at, "the end of the file", "more text")

    def _holds_items(self, at: int) -> bool:
        """Return whether an object is a container, going by its first pair."""
        try:
            key, value_at = self._key(self._skip(at + 1))
        except InputError:
            return False
        begins = self.text[value_at : value_at + 1]
        return begins == "{" or (begins == "[" and key in _LISTS)

    def _array(self, at: int) -> Generator[Item, None, int]:
        at = self._skip(at + 1)
        while not self.text.startswith("]", at):
            value, end = self._value(at)
            yield Item(value=value, line=self._line_at(at))
            at = self._after(end, "]")
        return at + 1

    def _object(self, at: int) -> Generator[Item, None, int]:
        at = self._skip(at + 1)
        while not self.text.startswith("}", at):
            key_at = at
            key, at = self._key(at)
            if key in _LISTS and self.text.startswith("[", at):
                end = yield from self._array(at)
            else:
                value, end = self._value(at)
                if key not in _HEADERS:
                    yield Item(value=value, line=self._line_at(key_at), key=key)
            at = self._after(end, "}")
        return at + 1

    def _sequence(self, at: int) -> Iterator[Item]:
        """Yield one value after another; where one is broken, go on with the next line."""
        while at < len(self.text):
            try:
                value, end = _DECODER.raw_decode(self.text, at)
                yield Item(value=value, line=self._line_at(at))
            except (ValueError, RecursionError) as e:
                yield Item(value=None, line=self._line_at(at), broken=f"not JSON ({_why(e)})")
                line_end = self.text.find("\n", at)
                end = len(self.text) if line_end < 0 else line_end
            at = self._skip(end)
            if self.text.startswith(",", at):
                at = self._skip(at + 1)

    def _key(self, at: int) -> tuple[str, int]:
        key, end = self._value(at)
        end = self._skip(end)
        if not isinstance(key, str) or not self.text.startswith(":", end):
            raise self._error(
                at, 'a name in quotes and ":"', self.text[at : at + 20] or "the end of the file"
            )
        return key, self._skip(end + 1)

    def _value(self, at: int) -> tuple[object, int]:
        try:
            return _DECODER.raw_decode(self.text, at)
        except (ValueError, RecursionError) as e:
            place = e.pos if isinstance(e, json.JSONDecodeError) else at
            found = "the end of the file" if place >= len(self.text) else _why(e)
            raise self._error(place, "JSON", found) from e

    def _after(self, at: int, closing: str) -> int:
        """Return where the next member begins, or where the closing bracket stands."""
        at = self._skip(at)
        if self.text.startswith(",", at):
            return self._skip(at + 1)
        if not self.text.startswith(closing, at):
            found = "the end of the file" if at >= len(self.text) else repr(self.text[at : at + 20])
            raise self._error(at, f'"," or "{closing}"', found)
        return at

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _line_at(self, at: int) -> int:
        if at < self._counted:
            return self.text.count("\n", 0, at) + 1
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _error(self, at: int, expected: str, found: str) -> InputError:
        return InputError(
            f"{self.label}:{self._line_at(at)}: expected {expected}, found {one_line(found)}; the file is "
            "cut off or damaged: fetch it again"
        )
