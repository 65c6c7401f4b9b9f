"""Rows as VLMEvalKit and lmms-eval write them: where their pictures, videos, options and categories stand.

In a VLMEvalKit TSV a picture is base64 text, a list of such texts, or the index of another row whose picture
it shares; or its path stands in `image_path`. In an lmms-eval table a picture is a struct of bytes and path,
or a list of such structs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import REFUSED, Embedded, SameAs, Wanted
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape
from fathom.formats.table_cells import LETTERS, Options, lettered, listed, structure_of, text_of

REFERENCE_CHARACTERS = 64
"""A picture's cell that is no longer than this is the index of another row."""

KIT_HOLDS = "index or qid, question, answer, category, options A, B …, and image, image_path or video"
"""The columns of a kit's table in words."""

_MEDIA_COLUMNS = frozenset({"image", "images", "image_path", "video", "video_path"})
_IN_A_LIST = re.compile(r"""["']([A-Za-z0-9+/=\s]+)["']""")
_IMAGE_NAME = re.compile(r"\.(?:png|jpe?g|webp|gif|bmp|tiff?|avif|jp2|j2k)$", re.IGNORECASE)


def is_kit_table(shape: FileShape) -> bool:
    """Return whether a file is a table of questions with their pictures in it or named in it."""
    columns = shape.columns
    return (
        not shape.keyed
        and bool({"index", "qid"} & columns)
        and "question" in columns
        and bool(_MEDIA_COLUMNS & columns)
        and "prediction" not in columns
    )


def is_picture_table(shape: FileShape) -> bool:
    """Return whether a file is a Parquet table that holds its pictures."""
    return shape.name.endswith(".parquet") and bool({"image", "images"} & shape.columns)


def media_of(values: Mapping[str, object], notes: Notes) -> tuple[Wanted, ...]:
    """Return the media of a row. Raises LeftOutError where a cell holds neither a picture nor a name."""
    for column in ("image", "images"):
        if found := _pictures(values.get(column), notes):
            return found
    for column in ("image_path", "video_path", "video"):
        cell = structure_of(values.get(column))
        names = cell if isinstance(cell, list) else [cell]
        if found := tuple(named(name) for v in names if (name := text_of(v, notes))):
            return found
    return ()


def named(path: str) -> NamedFile:
    """Return a medium by its path, or by its name alone where it lies elsewhere now."""
    last = PurePosixPath(path.replace("\\", "/")).name
    return NamedFile(names=(path, last) if last and last != path else (path,))


def options_of(values: Mapping[str, object], notes: Notes) -> Options:
    """Return the options of the columns A, B, …, or of a list in the column `options`."""
    if "A" in values:
        return lettered(values, {letter: letter for letter in LETTERS if letter in values}, notes)
    return listed(values.get("options", values.get("choices")), notes)


def _pictures(cell: object, notes: Notes) -> tuple[Wanted, ...]:
    if isinstance(cell, Sequence) and not isinstance(cell, str | bytes):
        return tuple(wanted for one in cell for wanted in _pictures(one, notes))
    if isinstance(cell, Mapping):
        data, path = cell.get("bytes"), cell.get("path")
        if isinstance(data, bytes) and data:
            return (Embedded(data),)
        return (named(path),) if isinstance(path, str) and path else ()
    if isinstance(cell, bytes):
        return (Embedded(cell),) if cell else ()
    if not isinstance(cell, str):
        index = text_of(cell, notes)
        return (SameAs(index),) if index else ()
    return _from_text(cell, notes)


def _from_text(cell: str, notes: Notes) -> tuple[Wanted, ...]:
    if len(cell) <= REFERENCE_CHARACTERS:
        short = text_of(cell, notes)
        if _IMAGE_NAME.search(short):
            return (named(short),)
        return (SameAs(short),) if short else ()
    if cell.lstrip()[:1] == "[":
        found = _IN_A_LIST.findall(cell)
        if not found:
            raise LeftOutError(REFUSED, f"a list without pictures: {cell[:40]}")
        return tuple(wanted for text in found for wanted in _from_text(text, notes))
    if _IMAGE_NAME.search(cell[-8:].strip()):
        return (named(cell.strip()),)
    return (Embedded(cell),)
