"""Files that are whole or absent: atomic writes, strict JSON lines, hashes, paths that stay inside."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from fathom.records import DataError, InputError

T = TypeVar("T")


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that the file is either the old one or the whole new one.

    Raises InputError when the disk is full or the folder cannot be written; nothing is left behind.
    """
    handle, temporary = -1, ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as f:
            handle = -1
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as e:
        if handle >= 0:
            os.close(handle)
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise InputError(
            f"{path}: could not be written ({e.strerror or e}); free some space or choose another folder, "
            "then start the same command again"
        ) from e


def sweep(folder: Path, *names: str) -> None:
    """Remove what a process that was killed left half written of files of these names."""
    for name in names:
        for part in folder.glob(f".{name}.*.part"):
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; whole or not at all."""
    write_bytes(path, text.encode())


def write_json(path: Path, value: object) -> None:
    """Write `value` as indented JSON; whole or not at all."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def write_jsonl(path: Path, values: Iterable[object]) -> None:
    """Write one JSON value a line; whole or not at all."""
    encoder = msgspec.json.Encoder()
    write_bytes(path, b"".join(encoder.encode(v) + b"\n" for v in values))


def read_json(path: Path, kind: type[T]) -> T:
    """Return the record in `path`. Raises DataError that names the file and what does not fit."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError as e:
        raise DataError(f"{path}: expected a {kind.__name__} file, but there is none") from e
    except OSError as e:
        raise DataError(f"{path}: cannot be read ({e.strerror}); restore or rebuild the folder") from e
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as e:
        raise DataError(f"{path}: not a valid {kind.__name__} ({e}); restore or rebuild the folder") from e


def read_jsonl(path: Path, kind: type[T]) -> Iterator[T]:
    """Yield the records in `path`, a line at a time. Raises DataError with file and line number."""
    decoder = msgspec.json.Decoder(kind)
    try:
        with path.open("rb") as f:
            for number, line in enumerate(f, 1):
                if not line.strip():
                    continue
                try:
                    yield decoder.decode(line)
                except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as e:
                    raise DataError(
                        f"{path}:{number}: not a valid {kind.__name__} ({e}); restore or rebuild the folder"
                    ) from e
    except FileNotFoundError as e:
        raise DataError(f"{path}: expected a file of {kind.__name__} lines, but there is none") from e
    except OSError as e:
        raise DataError(f"{path}: cannot be read ({e.strerror}); restore or rebuild the folder") from e


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal."""
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def inside(folder: Path, relative: str) -> Path:
    """Return `folder / relative`. Raises InputError where that leaves the folder, links followed."""
    candidate = (folder / relative).resolve()
    if not candidate.is_relative_to(folder.resolve()):
        raise InputError(f"{relative!r}: a path from outside must stay in {folder}; correct the path")
    return candidate
