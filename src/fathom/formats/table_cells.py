"""Cells of other people's tables: text, numbers, options and the answer among them, cleaned and checked."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence

import msgspec

from fathom.formats.import_findings import LeftOutError, Notes

LETTERS = "ABCDEFGHIJ"
NO_ANSWER = "the answer is missing"
OUTSIDE = "the answer is outside the options"
FEW_OPTIONS = "fewer than two options"
NO_TEXT = "the question is missing"
BAD_NUMBER = "no number where one should stand"

READS_NAN = "an option that reads nan, taken for its text since options stand behind it"

_ONLY_LETTER = re.compile(r"^\W*(?:option|choice)?\W*([A-Ja-j])\W*$", re.IGNORECASE)
_INTEGER = re.compile(r"^[+-]?\d{1,18}(?:\.0*)?$")
_MARK = re.compile(r"^\(?([A-J])[).:]\s+|^\(([A-J])\)\s*")
_MAX_LITERAL = 100_000


def text_of(value: object, notes: Notes, nan: bool = False) -> str:
    """Return a cell as clean text, "" where it is missing; stray spaces and broken characters are mended.

    Tables have the text "nan" in empty cells: it is a text only where that is said with `nan`.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if not isinstance(value, str):
        return str(value) if isinstance(value, bool | int | float) else ""
    text = value
    if not text.isascii():
        text = _whole(text, notes)
    if "\0" in text:
        notes.mend("characters that are none were taken out", text)
        text = text.replace("\0", "")
    clean = text.strip()
    if len(clean) != len(text):
        notes.mend("stray spaces", repr(text[:80]))
    if "\r\n" in clean:
        clean = clean.replace("\r\n", "\n")
    return clean if nan or clean.casefold() != "nan" else ""


def _whole(text: str, notes: Notes) -> str:
    """Return text that can be written as UTF-8."""
    whole = text.encode("utf-8", "replace").decode()
    if "\ufffd" in text or whole != text:
        notes.mend("characters that are not UTF-8 were replaced", whole)
    return whole.replace("\ufeff", "")


def first_text(values: Mapping[str, object], names: Sequence[str], notes: Notes) -> str:
    """Return the first cell of these columns that is not empty."""
    for name in names:
        if text := text_of(values.get(name), notes):
            return text
    return ""


def integer_of(value: object) -> int | None:
    """Return a cell as a whole number, or None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**18 else None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value.is_integer() else None
    if isinstance(value, str) and _INTEGER.match(value.strip()):
        return int(value.strip().split(".")[0])
    return None


def number_of(value: object, notes: Notes) -> float | None:
    """Return a cell as a finite number, None where it is missing. Raises LeftOutError where it is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return float(value)
    text = text_of(value, notes)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.inf
    if not math.isfinite(number) or abs(number) >= 1e15:
        raise LeftOutError(BAD_NUMBER, str(text or value)[:80])
    return number


def span_of(start: object, end: object, notes: Notes) -> tuple[float, float] | None:
    """Return a stretch of time in seconds, None where it is missing. Raises LeftOutError where it is none."""
    first, last = number_of(start, notes), number_of(end, notes)
    if first is None or last is None:
        return None
    if not 0 <= first <= last:
        raise LeftOutError("a time span that ends before it begins", f"{first:g} to {last:g}")
    return first, last


def structure_of(value: object) -> object:
    """Return a list or an object that a cell holds as text (JSON, or a Python literal); else the cell itself.

    Literals only: nothing is executed.
    """
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{", "("):
        return value
    if len(value) > _MAX_LITERAL:
        return value
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return value


Options = list[tuple[str, str]]
"""Letter and text of each option, in their order."""


def lettered(values: Mapping[str, object], names: Mapping[str, str], notes: Notes) -> Options:
    """Return the options of the columns named for each letter; empty ones are left away.

    "nan" before another option is an option; behind the last one it is what an empty cell was written as.
    """
    cells = [(letter, text_of(values.get(name), notes, nan=True)) for letter, name in names.items()]
    while cells and cells[-1][1].casefold() in ("", "nan"):
        cells.pop()
    if any(text.casefold() == "nan" for _, text in cells):
        notes.note(READS_NAN)
    found = [(letter, text) for letter, text in cells if text]
    letters = "".join(letter for letter, _ in found)
    if letters and not LETTERS.startswith(letters):
        notes.note("a gap among the options", letters)
    return found


def listed(value: object, notes: Notes) -> Options:
    """Return the options of a list, or of an object by letter; marks before the texts are taken away."""
    value = structure_of(value)
    if isinstance(value, Mapping):
        pairs = [(str(k).strip().upper(), text_of(v, notes, nan=True)) for k, v in value.items()]
        if all(len(k) == 1 and k in LETTERS for k, _ in pairs):
            return sorted((k, unmarked(t)) for k, t in pairs if t)
        return [(LETTERS[i], unmarked(t)) for i, (_, t) in enumerate(pairs[: len(LETTERS)]) if t]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        texts = [text_of(v, notes, nan=True) for v in value[: len(LETTERS)]]
        return [(LETTERS[i], unmarked(t)) for i, t in enumerate(texts) if t]
    return []


def unmarked(text: str) -> str:
    """Return an option without the letter before it: "(A) left" and "A. left" are "left"."""
    bare = _MARK.sub("", text, count=1)
    return bare or text


def checked(options: Options, expected: int, notes: Notes) -> tuple[str, ...]:
    """Return the options' texts. Raises LeftOutError where there are fewer than two.

    `expected` is how many the benchmark says that there are; 0: it varies.
    """
    texts = tuple(text for _, text in options)
    if len(texts) < 2:
        raise LeftOutError(FEW_OPTIONS, " | ".join(texts))
    if expected and len(texts) != expected:
        notes.note(f"{len(texts)} options where {expected} are said", " | ".join(texts))
    if len(set(texts)) < len(texts):
        notes.note(ALIKE, " | ".join(texts))
    return texts


ALIKE = "two options with the same text"


def picked(options: Options, value: object, notes: Notes, numbered: bool = False) -> str:
    """Return the text of the right option.

    A letter names it, or a number (where `numbered`, the benchmark's own way; `notes.base` is the number of
    the first), or its own text. Raises LeftOutError where it is none of the options.
    """
    answer = text_of(value, notes)
    if not answer:
        raise LeftOutError(NO_ANSWER, repr(value)[:80])
    by_letter = dict(options)
    number = integer_of(answer)
    if numbered and number is not None:
        return _at(options, number - notes.base, answer)
    if letter := _ONLY_LETTER.match(answer):
        text = by_letter.get(letter[1].upper())
        if text is not None:
            if answer != letter[1].upper():
                notes.mend("a letter written another way", answer)
            return text
    said = unmarked(answer)
    for text in by_letter.values():
        if text.casefold() in (answer.casefold(), said.casefold()):
            notes.mend("the answer is given as the option's text", answer)
            return text
    if number is not None:
        notes.mend(f"the answer is given as a number, the first option being {notes.base}", answer)
        return _at(options, number - notes.base, answer)
    raise LeftOutError(OUTSIDE, f"{answer[:80]!r} of {len(options)} options")


def _at(options: Options, place: int, answer: str) -> str:
    if not 0 <= place < len(options):
        raise LeftOutError(OUTSIDE, f"{answer[:80]!r} of {len(options)} options")
    return options[place][1]
