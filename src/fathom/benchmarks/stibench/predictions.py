"""How STI-Bench's published predictions are written down.

| format | recognised by | text |
|---|---|---|
| sti-bench | `id` (the video), `id_file`, `time_s`, `time_e`, `model_out` | `model_out` |
"""

from __future__ import annotations

from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.predictions import NO_QUESTION, Format, Prediction, has_columns, said
from fathom.formats.rows import TableRow
from fathom.formats.table_cells import text_of

_NO_REPLY = "ERROR_CALL_API"


def _answer(row: TableRow, notes: Notes) -> Prediction:
    values = row.values
    parts = [text_of(values.get(name), notes) for name in ("id", "id_file", "time_s", "time_e")]
    if not parts[0]:
        raise LeftOutError(NO_QUESTION, "")
    text = said(row, "model_out", notes)
    failed = text if text == _NO_REPLY else ""
    return Prediction(
        ("|".join(parts),), "" if failed else text, row.where, [], text_of(values.get("ans"), notes),
        failed=failed,
    )  # fmt: skip


FORMATS = (
    Format(
        "sti-bench",
        has_columns("id", "id_file", "model_out"),
        _answer,
        "id, id_file, time_s, time_e, model_out",
    ),
)
