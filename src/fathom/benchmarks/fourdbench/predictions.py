"""How 4D-Bench's published predictions are written down.

| format | recognised by | text |
|---|---|---|
| 4d-bench | keyed by question id: `answer` 1 … 4, or −1 for none | its letter |
| 4d-bench-captions | a folder of UID.json, each with one caption | the caption |
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.predictions import NO_PREDICTION, Format, Prediction
from fathom.formats.rows import TableRow
from fathom.formats.table_cells import LETTERS, integer_of


def _choice(row: TableRow, notes: Notes) -> Prediction:
    number = integer_of(row.values.get("answer"))
    if number is None:
        raise LeftOutError(NO_PREDICTION, str(row.values.get("answer"))[:80])
    text = f"({LETTERS[number - 1]})" if 1 <= number <= len(LETTERS) else ""
    if not text:
        notes.note("no choice could be read in the answer", str(number))
    return Prediction((row.key,), text, row.where, [])


def _caption(row: TableRow, notes: Notes) -> Prediction:
    uid = PurePosixPath(row.where.rpartition(":")[0]).stem
    for name, value in row.values.items():
        if name.endswith("_caption_4d_baseline"):
            inner = value.get("human_caption") if isinstance(value, Mapping) else value
            if isinstance(inner, str):
                text = inner.encode("utf-8", "replace").decode()
                return Prediction((f"{uid}_caption", uid), text, row.where, [])
    raise LeftOutError(NO_PREDICTION, uid)


FORMATS = (
    Format(
        "4d-bench",
        lambda s: s.keyed and {"answer", "correctness"} <= s.columns,
        _choice,
        "keyed by question: answer and correctness",
    ),
    Format(
        "4d-bench-captions",
        lambda s: any(c.endswith("_caption_4d_baseline") for c in s.columns),
        _caption,
        "a file an object with NAME_caption_4d_baseline",
    ),
)
