"""The official file of Tiles: `{"items": …}` would be another layout; here it is a CSV table.

    tile_id, kind, prompt, first, second, third, correct, picture

`kind` is N for counting and C for colors, `correct` the number of the right option from 1 on.
"""

from __future__ import annotations

from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape, TableRow
from fathom.formats.table_cells import NO_TEXT, checked, integer_of, lettered, picked, text_of

COLUMNS = frozenset({"tile_id", "kind", "prompt", "first", "second", "third", "correct", "picture"})
KINDS = {"N": "count", "C": "color"}
NO_KIND = "a kind that the benchmark does not have"


def is_official(shape: FileShape) -> bool:
    """Return whether a file has the columns of the official one."""
    return shape.columns >= COLUMNS


def draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row. Raises LeftOutError for a row that is none."""
    values = row.values
    tile, text = text_of(values.get("tile_id"), notes), text_of(values.get("prompt"), notes)
    if not tile or not text:
        raise LeftOutError(NO_TEXT, tile)
    kind = text_of(values.get("kind"), notes)
    if kind not in KINDS:
        raise LeftOutError(NO_KIND, kind)
    options = lettered(values, {"A": "first", "B": "second", "C": "third"}, notes)
    place = integer_of(values.get("correct")) or 0
    return ImportedQuestion(
        id=tile,
        task=KINDS[kind],
        text=text,
        answer=picked(options, "ABC"[place - 1 : place], notes),
        media=(NamedFile(names=(text_of(values.get("picture"), notes),)),),
        choices=checked(options, 3, notes),
        tags={"official_id": tile},
    )


LAYOUTS = (
    Layout(
        name="official",
        source="official",
        benchmark="tiles",
        release="1",
        fits=is_official,
        draft=draft,
        holds=", ".join(sorted(COLUMNS)),
    ),
)
