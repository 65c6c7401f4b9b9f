"""What stands in the cells of anybody's table: options, media and spans of time, in the forms that occur."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import REFUSED, Embedded, SameAs, Wanted
from fathom.formats.lookup import VIDEOS, NamedFile
from fathom.formats.table_cells import LETTERS, Options, lettered, listed, span_of, structure_of, text_of
from fathom.formats.vlmevalkit import named

MANY_OPTIONS = f"more than {len(LETTERS)} options"
ONE_TEXT = "options that are one text, and cannot be told apart"
IN_THE_TEXT = "options were found in the question's text, and taken out of it"

_OPTION_LINE = re.compile(r"^[ \t]*\(?([A-J])[).:][ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_MEDIA_NAME = re.compile(
    r"\.(?:png|jpe?g|webp|gif|bmp|tiff?|avif|jp2|j2k|" + "|".join(s[1:] for s in sorted(VIDEOS)) + r")$",
    re.IGNORECASE,
)
_BASE64 = re.compile(r"^(?:data:image/|[A-Za-z0-9+/\s]{64,}={0,2}\s*$)")
_CLOCK = re.compile(r"^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$")
_BETWEEN = re.compile(r"\s*(?:,|;|–|—|(?<=\d)\s*-|\bto\b)\s*")


def options_in(values: Mapping[str, object], columns: Sequence[str], notes: Notes) -> Options:
    """Return the options of a row; none where its cells are empty. Raises LeftOutError for more than ten."""
    if len(columns) > len(LETTERS):
        raise LeftOutError(MANY_OPTIONS, str(len(columns)))
    if len(columns) > 1:
        return lettered(values, dict(zip(LETTERS, columns, strict=False)), notes)
    cell = structure_of(values.get(columns[0])) if columns else None
    if isinstance(cell, str) and text_of(cell, notes):
        cell = _parts_of(text_of(cell, notes))
    if (
        isinstance(cell, Sequence | Mapping)
        and not isinstance(cell, str | bytes)
        and len(cell) > len(LETTERS)
    ):
        raise LeftOutError(MANY_OPTIONS, str(len(cell)))
    return listed(cell, notes)


def _parts_of(text: str) -> list[str]:
    """Return the options of a text: a line each, or with "|" or ";" between them."""
    for mark in ("\n", "|", ";"):
        parts = [part.strip() for part in text.split(mark) if part.strip()]
        if len(parts) > 1:
            return parts
    raise LeftOutError(ONE_TEXT, text)


def options_in_text(text: str) -> tuple[str, Options]:
    """Return a question without the options that stand below it, and these; lines A, B … without a gap."""
    found = list(_OPTION_LINE.finditer(text))
    if len(found) < 2 or "".join(m[1] for m in found) != LETTERS[: len(found)] or not found[0].start():
        return text, []
    before = re.sub(r"\s*(?:options|choices)\s*:?\s*$", "", text[: found[0].start()], flags=re.IGNORECASE)
    return before.strip(), [(m[1], m[2]) for m in found]


def media_in(
    values: Mapping[str, object], columns: Sequence[str], notes: Notes, embedded: bool = False
) -> tuple[Wanted, ...]:
    """Return the media that these cells of a row hold or name, in order.

    `embedded`: pictures stand in the table itself as text, so that a short text is the id of another row,
    whose picture is meant.
    """
    found = tuple(wanted for name in columns for wanted in _media(values.get(name), notes))
    if not embedded:
        return found
    return tuple(SameAs(w.names[0]) if isinstance(w, NamedFile) and is_id(w.names[0]) else w for w in found)


def is_id(name: str) -> bool:
    """Return whether what stands for a medium is no file's name."""
    return not _MEDIA_NAME.search(name) and "/" not in name


def holds_picture(values: Mapping[str, object], columns: Sequence[str]) -> bool:
    """Return whether a row holds a picture as base64 text."""
    cells = [values.get(name) for name in columns]
    return any(isinstance(cell, str) and len(cell) >= 64 and _is_base64(cell) for cell in cells)


def _is_base64(text: str) -> bool:
    return not _MEDIA_NAME.search(text[-8:]) and _BASE64.match(text[:4096]) is not None


def _media(cell: object, notes: Notes) -> tuple[Wanted, ...]:
    cell = structure_of(cell)
    if isinstance(cell, bytes):
        return (Embedded(cell),) if cell else ()
    if isinstance(cell, Mapping):
        data, path = cell.get("bytes"), cell.get("path")
        if isinstance(data, bytes) and data:
            return (Embedded(data),)
        if isinstance(path, str) and path:
            return _by_text(path)
        raise LeftOutError(REFUSED, f"an object without bytes and path: {', '.join(map(str, cell))}")
    if isinstance(cell, Sequence) and not isinstance(cell, str):
        return tuple(wanted for one in cell for wanted in _media(one, notes))
    return _by_text(text_of(cell, notes))


def _by_text(text: str) -> tuple[Wanted, ...]:
    """Return what a text stands for: names of files, or a picture written as base64."""
    if not text:
        return ()
    if _is_base64(text):
        return (Embedded(text),)
    for mark in (";", "|", ","):
        parts = [part.strip() for part in text.split(mark)]
        if len(parts) > 1 and all(_MEDIA_NAME.search(part) for part in parts):
            return tuple(named(part) for part in parts)
    return (named(text),)


def span_in(values: Mapping[str, object], columns: Sequence[str], notes: Notes) -> tuple[float, float] | None:
    """Return the span of seconds of a row, None where it has none; clocks (1:05) are read as well."""
    if not columns:
        return None
    if len(columns) > 1:
        return span_of(_seconds(values.get(columns[0])), _seconds(values.get(columns[1])), notes)
    cell = structure_of(values.get(columns[0]))
    if isinstance(cell, str):
        text = text_of(cell, notes)
        cell = _BETWEEN.split(text, maxsplit=1) if text else None
    if isinstance(cell, Sequence) and not isinstance(cell, str) and len(cell) == 2:
        return span_of(_seconds(cell[0]), _seconds(cell[1]), notes)
    if cell is None or cell == []:
        return None
    raise LeftOutError("a span of time that is not two numbers", str(cell)[:80])


def _seconds(value: object) -> object:
    """Return a cell as it stands, but a clock as its seconds."""
    match = _CLOCK.match(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3])
