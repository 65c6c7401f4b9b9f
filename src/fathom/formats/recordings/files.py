"""Small files of a recording, read with limits: names, matrices, JSON, and the sizes of pictures."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.recordings import Place, stored_bytes
from fathom.geometry.poses import Array
from fathom.records import InputError

MAX_TEXT = 1 << 20
MAX_JSON = 512 << 20
MAX_NUMBER = 10_000_000
"""More than the frames of any recording."""

_OUTSIDE = "a link that leads out of the folder"


def listed(folder: Path, root: Path, findings: ImportFindings) -> dict[str, Path]:
    """Return the plain files of a folder by name, in order; links that leave `root` are passed over.

    Raises InputError where the folder itself is such a link, or cannot be listed.
    """
    found: dict[str, Path] = {}
    if not stays_inside(folder, root):
        raise InputError(f"{folder}: leads out of {root}; put the folder itself there")
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.is_file():
                    continue
                path = folder / entry.name
                if entry.is_symlink() and not stays_inside(path, root):
                    findings.leave_out(_OUTSIDE, label(path, root))
                else:
                    found[entry.name] = path
    except OSError as e:
        raise InputError(f"{folder}: cannot be listed ({e.strerror or e}); check the path") from e
    return dict(sorted(found.items()))


def folders(path: Path) -> Iterator[Path]:
    """Yield the folders in a folder in order of their names, those that links lead out to passed over."""
    try:
        inner = sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError as e:
        raise InputError(f"{path}: cannot be listed ({e.strerror or e}); check the path") from e
    yield from (p for p in inner if not p.is_symlink() or stays_inside(p, path))


def stays_inside(path: Path, root: Path) -> bool:
    """Return whether a path, links followed, lies within a folder."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False


def label(path: Path, root: Path) -> str:
    """Return how a file of a recording is called in reports: relative to the recording's folder."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def read_limited(path: Path, most: int) -> bytes:
    """Return a file's bytes. Raises InputError where it cannot be read, or has more than `most`."""
    try:
        with path.open("rb") as f:
            data = f.read(most + 1)
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror or e}); put the file back") from e
    if len(data) > most:
        raise InputError(f"{path}: expected at most {most:,} bytes, found more; fetch it again")
    return data


def numbers(path: Path, count: int) -> Array:
    """Return the `count` numbers of a text file, as inf and nan too.

    Raises InputError where there are fewer or more, or something else.
    """
    text = read_limited(path, MAX_TEXT).decode("utf-8", "replace")
    return parsed(text, count, str(path))


def parsed(text: str, count: int, where: str) -> Array:
    """Return the `count` numbers of a text. Raises InputError, with `where`, for anything else."""
    words = text.replace(",", " ").split()
    try:
        values = np.array([float(w) for w in words[: count + 1]])
    except ValueError:
        values = np.empty(0)
    if len(values) != count:
        raise InputError(f"{where}: expected {count} numbers, found {_shown(text)}; export the file again")
    return values


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return repr(plain[:60]) if plain else "none"


def json_file(path: Path) -> Any:
    """Return what a JSON file holds. Raises InputError where it is none."""
    data = read_limited(path, MAX_JSON)
    try:
        return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise InputError(f"{path}: expected JSON, found something else ({e}); fetch it again") from e


def number_in(name: str) -> int | None:
    """Return the number that a file's name is, such as 12 of "000012"; None where it is none."""
    if not (name.isascii() and name.isdigit()) or len(name) > 12:
        return None
    number = int(name)
    return number if number <= MAX_NUMBER else None


def picture_size(place: Place) -> tuple[int, int]:
    """Return the width and height that a picture's header states. Raises InputError where it is none."""
    from PIL import Image

    data = stored_bytes(place)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(data)) as picture:
                return picture.size
    except (OSError, ValueError, SyntaxError, TypeError, Warning, Image.DecompressionBombError) as e:
        raise InputError(f"{place.path}: expected a picture, found none ({e}); fetch it again") from e
