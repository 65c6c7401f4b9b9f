"""Valid small files broken in the ways in which published files are broken, by a seeded generator.

A file is broken as bytes (cut off, marked, re-ended, re-encoded, a stretch lost or doubled), as rows (cells
of another type, missing, spoiled; rows doubled, changed, gone), or in its media (gone, cut off, or others).
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Files = dict[str, bytes]
Row = dict[str, Any]

SPOILED: tuple[object, ...] = (
    None, "", "nan", math.nan, "  ", "\ufeff", 0, 1, 4, 5, -1, 99, 10**30, 2.5, True, False, "E", "Z", "a",
    " b ", "(C)", "D.", "option B", "A, B", "B\r\n", "\ud800", "\0", "é\ufffd", [], {}, ["A", "B"],
    {"A": "x"}, "['a', 'b'", "[[[[", "{'A': 1}", "../../etc/passwd", "/etc/passwd", "C:\\x.png", "x" * 70,
    "=1+1", "12_34", "000", -0.0, 1e308, "1e999", [1.5], [3, 2], ["a", "b"], "A" * 5000, [None],
    b"\xff\xd8",
)  # fmt: skip


def broken(files: Files, questions: tuple[str, ...], rng: np.random.Generator) -> Files:
    """Return a copy of some files with one to three objects broken in it."""
    found = dict(files)
    for _ in range(int(rng.integers(1, 4))):
        name = questions[int(rng.integers(len(questions)))]
        kind = rng.random()
        if kind < 0.45:
            found[name] = as_rows(found[name], name, rng)
        elif kind < 0.8:
            found[name] = as_bytes(found[name], rng)
        else:
            as_media(found, questions, rng)
    return found


def as_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with something done to its bytes."""
    if not data:
        return data
    at, to = sorted(int(i) for i in rng.integers(0, len(data) + 1, size=2))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[at:],
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: b"\xff\xfe" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: data[:at] + data[at:to] * 2 + data[to:],
        lambda: data[:at] + data[to:],
        lambda: data[:at] + rng.bytes(int(rng.integers(1, 9))) + data[at:],
        lambda: data.replace(b'"', b"'"),
        lambda: data.replace(b'"', b""),
        lambda: data.replace(b"\t", b","),
        lambda: b"",
        lambda: b"\n\n" + data + b"\n\n",
        lambda: data + data,
        lambda: b"[" * 5000 + data,
    )
    return ways[int(rng.integers(len(ways)))]()


def as_rows(data: bytes, name: str, rng: np.random.Generator) -> bytes:
    """Return a table with something done to one of its rows; the file itself where it reads as none."""
    try:
        rows, rebuild = parsed(data, name)
    except Exception:  # it is broken already
        return data
    if not rows:
        return data
    row = rows[int(rng.integers(len(rows)))]
    column = str(rng.choice(sorted(row))) if row else ""
    way = int(rng.integers(9))
    if way < 4:
        row[column] = SPOILED[int(rng.integers(len(SPOILED)))]
    elif way == 4:
        row.pop(column, None)
    elif way == 5:
        rows.append(dict(row))
    elif way == 6:
        rows.append({**row, column: SPOILED[int(rng.integers(len(SPOILED)))]})
    elif way == 7:
        rows.remove(row)
    else:
        for one in rows:
            one[column] = f" {one.get(column)} "
    try:
        return rebuild(rows)
    except Exception:  # a value that this kind of file cannot hold
        return data


def parsed(data: bytes, name: str) -> tuple[list[Row], Callable[[list[Row]], bytes]]:
    """Return the rows of a file and how a file is made of rows."""
    suffix = name.rpartition(".")[2]
    if suffix in ("csv", "tsv"):
        return _delimited(data, "\t" if suffix == "tsv" else ",")
    if suffix == "parquet":
        return _parquet(data)
    if suffix == "xlsx":
        return _xlsx(data)
    if suffix == "jsonl":
        lines = [json.loads(line.rstrip(b", ")) for line in data.splitlines() if line.strip()]
        return lines, lambda rows: b"".join(_json(r) + b"\n" for r in rows)
    whole = json.loads(data)
    if isinstance(whole, list):
        return whole, _json
    if "questions" in whole:
        return whole["questions"], lambda rows: _json({**whole, "questions": rows})
    keyed = [{"_key": key, **value} for key, value in whole.items()]
    # Keys that occur twice, as a program never writes them.
    return keyed, lambda rows: (
        "{"
        + ",\n".join(f"{json.dumps(str(r.get('_key')))}: {_json(_without_key(r)).decode()}" for r in rows)
        + "}"
    ).encode()


def _without_key(row: Mapping[str, Any]) -> Row:
    return {name: value for name, value in row.items() if name != "_key"}


def _json(value: object) -> bytes:
    return json.dumps(value, default=str, indent=1).encode()


def _delimited(data: bytes, delimiter: str) -> tuple[list[Row], Callable[[list[Row]], bytes]]:
    reader = csv.DictReader(io.StringIO(data.decode(), newline=""), delimiter=delimiter)
    rows: list[Row] = [{name: cell for name, cell in row.items() if name} for row in reader]

    def rebuild(changed: list[Row]) -> bytes:
        out = io.StringIO(newline="")
        columns = list(dict.fromkeys(name for row in changed for name in row if name))
        writer = csv.DictWriter(out, columns, delimiter=delimiter, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(changed)
        return out.getvalue().encode("utf-8", "surrogatepass")

    return rows, rebuild


def _parquet(data: bytes) -> tuple[list[Row], Callable[[list[Row]], bytes]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def rebuild(changed: list[Row]) -> bytes:
        out = io.BytesIO()
        try:
            made = pa.Table.from_pylist(changed)
        except (pa.ArrowException, TypeError, OverflowError):
            # Columns of one type each: what does not fit with the others is text.
            made = pa.Table.from_pylist([{k: str(v) for k, v in row.items()} for row in changed])
        pq.write_table(made, out)
        return out.getvalue()

    return pq.read_table(io.BytesIO(data)).to_pylist(), rebuild


def _xlsx(data: bytes) -> tuple[list[Row], Callable[[list[Row]], bytes]]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data))
    head, *body = book.worksheets[0].iter_rows(values_only=True)
    rows = [dict(zip(map(str, head), cells, strict=True)) for cells in body]
    return rows, workbook


def workbook(rows: list[Row]) -> bytes:
    """Return an Excel workbook of rows."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    columns = list(dict.fromkeys(name for row in rows for name in row))
    sheet.append(columns)
    for row in rows:
        sheet.append([row.get(name) for name in columns])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def as_media(files: Files, questions: tuple[str, ...], rng: np.random.Generator) -> None:
    """Do something to one of the media."""
    media = [name for name in files if name not in questions]
    if not media:
        return
    name = media[int(rng.integers(len(media)))]
    data = files[name]
    ways: tuple[bytes | None, ...] = (
        None,
        b"",
        data[: len(data) // 2],
        data[:20],
        b"not a picture",
        data[:16] + b"\xff\xff\xff\xff\xff\xff\xff\xff" + data[24:],
    )
    changed = ways[int(rng.integers(len(ways)))]
    if changed is None:
        del files[name]
    else:
        files[name] = changed
