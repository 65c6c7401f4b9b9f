"""Archives that were cut into numbered parts (NAME.zip.001, NAME.zip.002, …), read as one."""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO

from fathom.records import InputError

FIRST_PART = ".zip.001"

_PART = re.compile(r"\.zip\.(\d{3})$", re.IGNORECASE)


def is_part(name: str) -> bool:
    """Return whether a file's name is that of one part of an archive."""
    return _PART.search(name) is not None


def joined(path: Path) -> IO[bytes]:
    """Return all parts of the archive of which `path` is one, as one file.

    Raises InputError where there is a gap in their numbers.
    """
    stem = path.name[:-3]
    there = {int(p.name[-3:]): p for p in path.parent.iterdir() if p.name[:-3] == stem and is_part(p.name)}
    lost = next((n for n in range(1, max(there) + 1) if n not in there), None)
    if lost is not None:
        raise InputError(
            f"{path}: expected the parts 001 to {max(there):03} beside one another, found no "
            f"{stem}{lost:03}; fetch that part too"
        )
    return io.BufferedReader(_Parts([there[n] for n in sorted(there)]))


class _Parts(io.RawIOBase):
    """Files one after another, read as one."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = [path.open("rb", buffering=0) for path in paths]
        self._starts = [0, *accumulate(path.stat().st_size for path in paths)]
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._starts[-1]}[whence]
        if begin + offset < 0:
            raise ValueError(f"before the beginning: {begin + offset}")
        self._at = begin + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read up to the end of a part; a buffered reader asks on."""
        place = bisect_right(self._starts, self._at) - 1
        if place >= len(self._files):
            return 0
        file = self._files[place]
        file.seek(self._at - self._starts[place])
        count = file.readinto(buffer) or 0
        self._at += count
        return count

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()
