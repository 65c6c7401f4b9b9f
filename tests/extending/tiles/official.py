"""The official file of Tiles: `{"items": …}` would be another layout; here it is a CSV table.

    tile_id, kind, prompt, first, second, third, correct, picture

`kind` is N for counting and C for colors, `correct` the number of the right option from 1 on.
"""

from __future__ import annotations

from fathom.store.kits.cells import NO_TEXT, checked, integer_of, lettered, picked, text_of
from fathom.store.kits.findings import LeftOutError, Notes
from fathom.store.kits.layouts import Draft, Layout
from fathom.store.kits.lookup import Named
from fathom.store.kits.rows import Row, Shape

COLUMNS = frozenset({"tile_id", "kind", "prompt", "first", "second", "third", "correct", "picture"})
KINDS = {"N": "count", "C": "color"}
NO_KIND = "a kind that the benchmark does not have"


def is_official(shape: Shape) -> bool:
    """Return whether a file has the columns of the official one."""
    return shape.columns >= COLUMNS


def draft(row: Row, notes: Notes) -> Draft:
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
    return Draft(
        id=tile,
        task=KINDS[kind],
        text=text,
        answer=picked(options, "ABC"[place - 1 : place], notes),
        media=(Named(names=(text_of(values.get("picture"), notes),)),),
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
