"""Records of a file by their ids: more than are kept at hand, those asked for again, those not there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.records import DataError
from fathom.store.files import write_jsonl
from fathom.store.lines import RECENT, LineIndex


class Row(msgspec.Struct, frozen=True):
    id: str
    number: int


def test_every_record_is_found_however_many_are_looked_up_and_however_often(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [Row(f"row {k}", k) for k in range(2 * RECENT + 7)]
    write_jsonl(path, rows)
    index = LineIndex(path, Row)
    assert len(index) == len(rows)
    for row in (*rows, *rows[::-1], rows[0], rows[0]):
        assert row.id in index and index.get(row.id) == row
        assert len(index._recent) <= RECENT
    assert "row" not in index and index.get("row") is None
    path.write_text(path.read_text() + '{"id":"row 3","number":3}\n')
    with pytest.raises(DataError, match=f":{len(rows) + 1}: the id of this Row stands in line 4 already"):
        LineIndex(path, Row)
