"""One process at a time: a lock that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

from fathom.records import InputError

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    # Windows locks bytes that cannot be read meanwhile: one far behind the process id.
    _BYTE = 1 << 20

    def _take(handle: int) -> None:
        os.lseek(handle, _BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Holds a folder for this process until `release` or the process's end; a dead holder blocks nobody.

    Raises InputError that names the process which holds the folder.
    """

    def __init__(self, path: Path, what: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as e:
            raise InputError(
                f"{path.parent}: cannot be written ({e.strerror}); choose a folder that you may write to"
            ) from e
        try:
            _take(self._handle)
        except OSError as e:
            holder = os.pread(self._handle, 32, 0).decode(errors="replace").strip() if _HAS_PREAD else ""
            os.close(self._handle)
            raise InputError(
                f"{path.parent}: process {holder or 'another'} is writing this {what} now; wait until it has "
                "ended, or choose another folder"
            ) from e
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let the next process in."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


_HAS_PREAD = hasattr(os, "pread")
