"""The journal of a run: append-only shards of JSON lines, one Response a line.

    RUN/journal/0001.jsonl    the first shard; a new one begins when the last is full
    RUN/journal/torn/         what a crash left of a half-written last line, moved aside
    RUN/journal/lock          held by the process that writes

An answer is handed to the operating system whole, in one write, as soon as it is there: the death of the
process, SIGKILL included, loses nothing that `append` was given. A power cut can lose what came after the
last `sync` (the runner calls it once a second, and at the end). Nothing is ever rewritten.

A request is done when an answer or a refusal stands in the journal; a failure is kept, and asked again on
the next start. What was in flight when the process died is asked again: nobody can know whether it was
answered. Where a key stands more than once, the first answer or refusal counts that was not cut off, else the
last that was, else the last failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from fathom.records import CUT_OFF, DataError, InputError, Response
from fathom.store.files import write_bytes
from fathom.store.locks import FolderLock

T = TypeVar("T")

FOLDER = "journal"
TORN = "torn"
SHARD_BYTES = 32 << 20

_DONE = ("ok", "refused")


_WHOLE = 2
"""The rank of what no later line of its key replaces."""


class _Head(msgspec.Struct):
    key: str
    status: str
    finish: str = ""

    @property
    def rank(self) -> int:
        """How much it counts beside others of its key."""
        if self.status not in _DONE:
            return 0
        return 1 if self.status == "ok" and self.finish in CUT_OFF else _WHOLE


class Journal:
    """The journal of one run, open for appending by this process alone.

    Opening reads what is there: the keys that are done stay in memory as 16-byte digests. A half-written
    last line is moved to torn/ and told to `say`. Raises InputError where another process writes, and
    DataError with file and line for a line that is broken anywhere else.
    """

    def __init__(
        self, folder: Path, say: Callable[[str], None] = lambda text: None, shard_bytes: int = SHARD_BYTES
    ) -> None:
        self.folder = folder
        self.failed = 0
        self._shard_bytes = shard_bytes
        self._encoder = msgspec.json.Encoder()
        self._handle = -1
        self._unsynced = False
        self._failed_before: set[bytes] = set()
        self._cut_off: set[bytes] = set()
        self._lock = FolderLock(folder / "lock", "run")
        try:
            shards = shard_paths(folder)
            if shards:
                _mend_last_line(shards[-1], say)
            self._done = self._read_keys(shards)
            self._number = int(shards[-1].stem) if shards else 1
            self._open_shard()
        except OSError as e:
            self.close()
            raise InputError(
                f"{folder}: the journal cannot be opened ({e}); give the folder back its rights, or choose "
                "another one"
            ) from e
        except BaseException:
            self.close()
            raise

    def __contains__(self, key: str) -> bool:
        return key_digest(key) in self._done

    def failed_before(self, key: str) -> bool:
        """Return whether all that stood for a request when the journal was opened were failures."""
        return key_digest(key) in self._failed_before

    def is_cut_off(self, key: str) -> bool:
        """Return whether the answer to a request came to the limit of its length."""
        return key_digest(key) in self._cut_off

    @property
    def cut_off(self) -> int:
        """How many answers came to the limit of their length."""
        return len(self._cut_off)

    def __len__(self) -> int:
        """Return how many requests are done."""
        return len(self._done)

    def append(self, response: Response) -> None:
        """Write one response. Raises InputError where the disk is full; the journal stays whole."""
        line = self._encoder.encode(response) + b"\n"
        if self._size and self._size + len(line) > self._shard_bytes:
            self.sync()
            os.close(self._handle)
            self._handle = -1
            self._number += 1
            self._open_shard()
        try:
            written = os.write(self._handle, line)
            if written < len(line):
                # The rest goes in a second write, which says why the first was cut short.
                written += os.write(self._handle, line[written:])
            if written < len(line):
                raise OSError(0, "the file cannot grow")
        except OSError as e:
            os.ftruncate(self._handle, self._size)
            raise InputError(
                f"{self._path()}: an answer could not be written ({e.strerror or e}); free some space, then "
                "start the same command again, and it carries on"
            ) from e
        self._size += len(line)
        self._unsynced = True
        if response.status in _DONE:
            digest = key_digest(response.key)
            if not (response.status == "ok" and response.cut_off):
                self._cut_off.discard(digest)
            elif digest not in self._done:
                self._cut_off.add(digest)
            self._done.add(digest)

    def sync(self) -> None:
        """Make sure that what was appended outlives a power cut."""
        if self._unsynced and self._handle >= 0:
            self._unsynced = False
            os.fsync(self._handle)

    def close(self) -> None:
        """Sync, and let the next process in."""
        try:
            self.sync()
        finally:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1
            self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _path(self) -> Path:
        return self.folder / f"{self._number:04d}.jsonl"

    def _open_shard(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._handle = os.open(self._path(), flags, 0o644)
        except OSError as e:
            raise InputError(
                f"{self._path()}: cannot be written ({e.strerror}); choose a folder that you may write to"
            ) from e
        self._size = os.fstat(self._handle).st_size

    def _read_keys(self, shards: list[Path]) -> set[bytes]:
        found: tuple[set[bytes], set[bytes], set[bytes]] = (set(), set(), set())
        for _, head in _heads(shards):
            found[head.rank].add(key_digest(head.key))
        failed, cut_off, whole = found
        self._failed_before = failed - cut_off - whole
        self.failed = len(self._failed_before)
        self._cut_off = cut_off - whole
        return cut_off | whole


def read_responses(folder: Path) -> Iterator[Response]:
    """Yield what counts for each key, in the order of the journal; a half-written last line is passed over.

    Raises DataError with file and line for a line that does not validate.
    """
    shards = shard_paths(folder)
    winner: dict[bytes, int] = {}
    ranks: dict[bytes, int] = {}
    for ordinal, (_, head) in enumerate(_heads(shards)):
        digest = key_digest(head.key)
        rank = ranks.get(digest, -1)
        if head.rank > rank or head.rank == rank < _WHOLE:
            winner[digest] = ordinal
            ranks[digest] = head.rank
    wanted = set(winner.values())
    del winner, ranks
    decoder = msgspec.json.Decoder(Response)
    for ordinal, (where, line) in enumerate(_lines(shards)):
        if ordinal in wanted:
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as e:
                raise _broken(where, e) from e


def read_lines(folder: Path, kind: type[T]) -> Iterator[T]:
    """Yield every line as `kind`, those too that were asked again. Raises DataError with file and line."""
    decoder = msgspec.json.Decoder(kind)
    for where, line in _lines(shard_paths(folder)):
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError as e:
            raise _broken(where, e) from e


def shard_paths(folder: Path) -> list[Path]:
    """Return the shards in the order in which they were written."""
    return sorted(
        (p for p in folder.glob("*.jsonl") if p.stem.isdigit()), key=lambda path: (int(path.stem), path.name)
    )


def key_digest(key: str) -> bytes:
    """Return the 16 bytes of a key (32 hexadecimal digits)."""
    return bytes.fromhex(key)


def _heads(shards: list[Path]) -> Iterator[tuple[str, _Head]]:
    decoder = msgspec.json.Decoder(_Head)
    for where, line in _lines(shards):
        try:
            head = decoder.decode(line)
            if len(key_digest(head.key)) != 16:
                raise ValueError(f"{head.key!r} is not a key of 32 hexadecimal digits")
        except ValueError as e:
            raise _broken(where, e) from e
        yield where, head


def _lines(shards: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield (file:line, line) of every whole line."""
    for shard in shards:
        with shard.open("rb") as f:
            for number, line in enumerate(f, 1):
                if line.endswith(b"\n") or shard is not shards[-1] or _is_json(line):
                    yield f"{shard}:{number}", line


def _broken(where: str, error: Exception) -> DataError:
    return DataError(
        f"{where}: not a valid Response ({error}); the journal was damaged or edited: restore the file, or "
        "delete this line and start the same command again, which asks that question once more"
    )


def _mend_last_line(shard: Path, say: Callable[[str], None]) -> None:
    """Move a half-written last line aside; end a whole one that only lacks its line break."""
    data = _tail(shard)
    start = data.rstrip(b"\n").rfind(b"\n") + 1
    last = data[start:]
    if not last:
        return
    if _is_json(last):
        if not last.endswith(b"\n"):
            with shard.open("ab") as f:
                f.write(b"\n")
        return
    offset = shard.stat().st_size - len(last)
    aside = shard.parent / TORN / f"{shard.stem}-{offset}"
    write_bytes(aside, last)
    os.truncate(shard, offset)
    say(f"{shard}: the last line was only half written when the run was cut off; it was moved to {aside}")


def _tail(shard: Path) -> bytes:
    """Return the end of a file that holds its last line whole."""
    size = shard.stat().st_size
    take = 1 << 16
    with shard.open("rb") as f:
        while True:
            f.seek(max(0, size - take))
            data = f.read()
            if take >= size or b"\n" in data.rstrip(b"\n"):
                return data
            take *= 4


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
        msgspec.json.decode(line)
    except ValueError:
        return False
    return True
