"""Tables row by row: CSV, TSV, JSON, JSON lines, Parquet and Excel, never a whole table in memory.

Nothing that is read is ever executed or unpickled.
"""

from __future__ import annotations

import csv
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom.formats.import_findings import one_line
from fathom.formats.json_stream import Item, first_item, json_items, json_lines
from fathom.records import InputError, missing_extra

SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".parquet", ".xlsx")
"""The kinds of files that can hold questions or predictions."""

MAX_FIELD_CHARACTERS = 128 << 20
"""More than the largest picture that is read, in base64."""

EXCEL_CELL_CHARACTERS = 32_767
"""What one cell of Excel holds at most: longer texts were cut off when the file was written."""

_MAX_XLSX_BYTES = 512 << 20
_MAX_XLSX_RATIO = 200
"""Sheets of real texts are packed ten to thirty times."""

_SMALL_XLSX_BYTES = 8 << 20
_BATCH_ROWS = 8


@dataclass(frozen=True)
class TableRow:
    """One row: its values by column, its place ("file:line"), its ordinal in the file, and its key if any.

    `broken` says why a row cannot be read; it has no values then.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    where: str = ""
    ordinal: int = 0
    key: str = ""
    broken: str = ""


@dataclass(frozen=True)
class FileShape:
    """What can be seen of a file at a glance: its name, its columns, whether its rows are keyed by id."""

    name: str
    columns: frozenset[str]
    keyed: bool = False


def read_rows(path: Path, label: str) -> Iterator[TableRow]:
    """Yield the rows of a file in order.

    `label` is what the file is called in messages. Raises InputError, with the place and the remedy, where
    the file is not what its name says, and MissingExtraError where the package to read it is missing.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{label}: expected a file that ends in {', '.join(SUFFIXES)}; rename or convert it")
    try:
        yield from reader(path, label)
    except OSError as e:
        raise InputError(f"{label}: cannot be read ({e.strerror or e}); fetch the file again") from e


def shape_of(path: Path, label: str) -> FileShape:
    """Return what a file looks like, reading only its beginning. Raises InputError where it is unreadable."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return FileShape(name=label, columns=frozenset(_parquet(path, label).schema_arrow.names))
    if suffix in (".json", ".jsonl"):
        item = first_item(path, label)
        if item is None or not isinstance(item.value, dict):
            return FileShape(name=label, columns=frozenset(), keyed=bool(item and item.key))
        return FileShape(name=label, columns=frozenset(map(str, item.value)), keyed=bool(item.key))
    if suffix in (".csv", ".tsv"):
        return FileShape(name=label, columns=frozenset(_Delimited(path, label).columns))
    first = next(read_rows(path, label), TableRow())
    return FileShape(name=label, columns=frozenset(first.values))


def _read_json(path: Path, label: str) -> Iterator[TableRow]:
    items = json_lines(path, label) if path.suffix.lower() == ".jsonl" else json_items(path, label)
    for ordinal, (item, alone) in enumerate(_alone(items)):
        # Where a line holds several items, it takes their number to find one.
        where = f"{label}:{item.line}" if alone else f"{label}:{item.line}, item {ordinal + 1}"
        if item.broken:
            yield TableRow(where=where, ordinal=ordinal, key=item.key, broken=item.broken)
        elif not isinstance(item.value, dict):
            found = f"expected an object, found a {type(item.value).__name__}"
            yield TableRow(where=where, ordinal=ordinal, key=item.key, broken=found)
        else:
            yield TableRow(values=item.value, where=where, ordinal=ordinal, key=item.key)


def _alone(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield the items, and whether each is the only one that begins on its line."""
    held: Item | None = None
    before = 0
    for item in items:
        if held is not None:
            yield held, held.line not in (before, item.line)
            before = held.line
        held = item
    if held is not None:
        yield held, held.line != before


class _Delimited:
    """A CSV or TSV file, opened for each pass, its header read and cleaned."""

    def __init__(self, path: Path, label: str) -> None:
        self.path = path
        self.label = label
        self.delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        with path.open("rb") as f:
            if f.read(2) in (b"\xff\xfe", b"\xfe\xff"):
                raise InputError(f"{label}: expected text in UTF-8, found UTF-16; save it as UTF-8")
        fields, _, broken = next(self._lines(), ([], 1, ""))
        self.columns = [name.strip().strip("\ufeff") for name in fields]
        if broken or not any(self.columns):
            raise InputError(
                f"{label}:1: expected the names of columns, found {broken or 'nothing'}; fetch the file again"
            )

    def rows(self) -> Iterator[TableRow]:
        lines = self._lines()
        next(lines)
        ordinal = 0
        for fields, line, broken in lines:
            if not broken and not any(fields):
                continue  # a blank line
            where = f"{self.label}:{line}"
            if not broken and len(fields) != len(self.columns):
                broken = f"{len(fields)} fields under {len(self.columns)} columns"
            if broken:
                yield TableRow(where=where, ordinal=ordinal, broken=broken)
            else:
                yield TableRow(
                    values=dict(zip(self.columns, fields, strict=True)), where=where, ordinal=ordinal
                )
            ordinal += 1

    def _lines(self) -> Iterator[tuple[list[str], int, str]]:
        """Yield (fields, line on which they begin, what is wrong with them)."""
        with self.path.open("r", encoding="utf-8-sig", errors="replace", newline="") as f:
            reader = csv.reader(f, delimiter=self.delimiter, strict=True)
            while True:
                line = reader.line_num + 1
                try:
                    fields, broken = _next_row(reader), ""
                except StopIteration:
                    return
                except csv.Error as e:
                    fields, broken = [], f"not a row of {'TSV' if self.delimiter != ',' else 'CSV'}: {e}"
                yield fields, line, broken


def _next_row(reader: Iterator[list[str]]) -> list[str]:
    """Return the next row. How long a field may be is a setting of the whole process: it is put back."""
    before = csv.field_size_limit(MAX_FIELD_CHARACTERS)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def _read_delimited(path: Path, label: str) -> Iterator[TableRow]:
    yield from _Delimited(path, label).rows()


def _parquet(path: Path, label: str):  # type: ignore[no-untyped-def]
    """Return pyarrow's reader of a file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise missing_extra("pyarrow", "tables", "reading Parquet files") from e
    try:
        return pq.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)
    except (pa.ArrowException, OSError, MemoryError) as e:
        raise _bad_parquet(label, e) from e


def _bad_parquet(label: str, error: Exception) -> InputError:
    said = " ".join(str(error).split())[:160]
    return InputError(f"{label}: expected a Parquet file, found a damaged one ({said}); fetch it again")


def _read_parquet(path: Path, label: str) -> Iterator[TableRow]:
    file = _parquet(path, label)
    import pyarrow as pa

    ordinal = 0
    try:
        # A few rows at a time: a row may hold many pictures.
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
            for values in batch.to_pylist():
                yield TableRow(values=values, where=f"{label}: row {ordinal + 1}", ordinal=ordinal)
                ordinal += 1
    except (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError) as e:
        raise _bad_parquet(f"{label}: row {ordinal + 1}", e) from e
    finally:
        file.close()


def _read_xlsx(path: Path, label: str) -> Iterator[TableRow]:
    try:
        import openpyxl
    except ImportError as e:
        raise missing_extra("openpyxl", "tables", "reading Excel files") from e
    _check_xlsx(path, label)
    try:
        # Formulas as they stand: a text that begins with "=" is kept as one by those who write such files.
        book = openpyxl.load_workbook(path, read_only=True, data_only=False, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            rows = sheet.iter_rows(values_only=True)
            columns = [str(name or "").strip() for name in next(rows, ())]
            for ordinal, cells in enumerate(rows):
                if any(cell is not None for cell in cells):
                    yield TableRow(
                        values=dict(zip(columns, cells, strict=False)),
                        where=f"{label}: row {ordinal + 2}",
                        ordinal=ordinal,
                    )
        finally:
            book.close()
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, EOFError, SyntaxError) as e:
        raise _bad_xlsx(label, e) from e
    except (zipfile.BadZipFile, zlib.error, OSError, ArithmeticError, NotImplementedError) as e:
        raise _bad_xlsx(label, e) from e


def _check_xlsx(path: Path, label: str) -> None:
    """Raise InputError where the file is no Excel workbook, or unpacks to more than is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as e:
        raise _bad_xlsx(label, e) from e
    size = sum(info.file_size for info in members)
    if size > _MAX_XLSX_BYTES:
        raise InputError(
            f"{label}: unpacks to {size:,} bytes, and at most {_MAX_XLSX_BYTES:,} are read; save it as CSV"
        )
    for info in members:
        if info.file_size > max(_SMALL_XLSX_BYTES, _MAX_XLSX_RATIO * info.compress_size):
            raise InputError(
                f"{label}: {one_line(info.filename)} would unpack from {info.compress_size:,} to "
                f"{info.file_size:,} bytes, which no real sheet does; save it as CSV"
            )


def _bad_xlsx(label: str, error: Exception) -> InputError:
    said = " ".join(str(error).split())[:160]
    return InputError(f"{label}: expected an Excel workbook, found a damaged one ({said}); fetch it again")


_READERS = {
    ".json": _read_json,
    ".jsonl": _read_json,
    ".csv": _read_delimited,
    ".tsv": _read_delimited,
    ".parquet": _read_parquet,
    ".xlsx": _read_xlsx,
}
