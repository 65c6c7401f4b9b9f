"""Files of what people said: JSON lines and CSV tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fathom.store.files import write_bytes

_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula."""


def lines_file(path: Path, records: Iterable[msgspec.Struct]) -> Path:
    """Write records as JSON lines; return the path."""
    encoder = msgspec.json.Encoder()
    write_bytes(path, b"".join(encoder.encode(record) + b"\n" for record in records))
    return path


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write mappings as JSON lines; return the path."""
    write_bytes(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return path


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    """Write a CSV table in which no cell is taken for a formula; return the path."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(
            ["'" + cell if isinstance(cell, str) and cell.startswith(_RISKY) else cell for cell in row]
        )
    write_bytes(path, text.getvalue().encode())
    return path
