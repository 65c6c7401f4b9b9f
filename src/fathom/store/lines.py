"""Looking up one record of a JSON-lines file by its id, without holding the file in memory."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec
import numpy as np

from fathom.records import DataError


class _Named(Protocol):
    @property
    def id(self) -> str: ...


class _Id(msgspec.Struct):
    id: str


N = TypeVar("N", bound=_Named)
T = TypeVar("T")


RECENT = 256
"""So many records that were looked up are kept: prompts of one question after another show the same media."""


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")


class LineIndex(Generic[N]):
    """Where each record of a file begins, by id: 24 bytes a line, whatever the line's length.

    Raises DataError, with file and line number, for a line that has no id or one that came before.
    """

    def __init__(self, path: Path, kind: type[N]) -> None:
        self.path = path
        self.kind = kind
        digests, offsets, numbers = array("Q"), array("Q"), array("Q")
        decoder = msgspec.json.Decoder(_Id)
        for number, offset, line in _lines(path, kind.__name__):
            try:
                digests.append(_digest(decoder.decode(line).id))
            except (msgspec.DecodeError, UnicodeDecodeError) as e:
                raise DataError(
                    f"{path}:{number}: not a valid {kind.__name__} ({e}); restore or rebuild the folder"
                ) from e
            offsets.append(offset)
            numbers.append(number)
        unsorted = np.array(digests, dtype=np.uint64)
        order = np.argsort(unsorted, kind="stable")
        # Arrays of Python's own: to find one number in them takes a fifth of what it takes in numpy's.
        self._digests = array("Q", unsorted[order].tobytes())
        self._offsets = array("Q", np.array(offsets, dtype=np.uint64)[order].tobytes())
        self._numbers = array("Q", np.array(numbers, dtype=np.uint64)[order].tobytes())
        self._recent: dict[str, N] = {}
        twice = np.flatnonzero(unsorted[order][1:] == unsorted[order][:-1])
        if len(twice):
            first, second = self._numbers[int(twice[0])], self._numbers[int(twice[0]) + 1]
            raise DataError(
                f"{path}:{second}: the id of this {kind.__name__} stands in line {first} already; "
                "restore or rebuild the folder"
            )

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, name: str) -> bool:
        return self._place(name) is not None

    def get(self, name: str) -> N | None:
        """Return the record called `name`, or None. Raises DataError where its line does not validate."""
        record = self._recent.get(name)
        if record is None and (record := self._read(name)) is not None:
            if len(self._recent) >= RECENT:
                self._recent.clear()
            self._recent[name] = record
        return record

    def _read(self, name: str) -> N | None:
        place = self._place(name)
        if place is None:
            return None
        with self.path.open("rb") as f:
            f.seek(self._offsets[place])
            line = f.readline()
        try:
            record = msgspec.json.decode(line, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise DataError(
                f"{self.path}:{self._numbers[place]}: not a valid {self.kind.__name__} ({e}); "
                "restore or rebuild the folder"
            ) from e
        return record if record.id == name else None

    def _place(self, name: str) -> int | None:
        wanted = _digest(name)
        place = bisect_left(self._digests, wanted)
        return place if place < len(self._digests) and self._digests[place] == wanted else None


def read_numbered(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Yield (line number, record). Raises DataError with file and line number."""
    decoder = msgspec.json.Decoder(kind)
    for number, _, line in _lines(path, kind.__name__):
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise DataError(
                f"{path}:{number}: not a valid {kind.__name__} ({e}); restore or rebuild the folder"
            ) from e


def _lines(path: Path, what: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield (line number, byte offset, line) of the lines that are not blank."""
    try:
        with path.open("rb") as f:
            offset = 0
            for number, line in enumerate(f, 1):
                if line.strip():
                    yield number, offset, line
                offset += len(line)
    except OSError as e:
        raise DataError(f"{path}: expected a file of {what} lines ({e.strerror}); rebuild the folder") from e
