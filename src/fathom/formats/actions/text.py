"""Text files of annotations."""

from __future__ import annotations

from pathlib import Path

from fathom.records import InputError

MAX_BYTES = 256 << 20
"""The largest file of annotations that is read; the published ones have some megabytes."""


def text_in(path: Path) -> str:
    """Return the text of a file. Raises InputError where it cannot be read, is no text, or is too large."""
    try:
        if (size := path.stat().st_size) > MAX_BYTES:
            raise InputError(f"{path}: expected at most {MAX_BYTES:,} bytes of annotations, found {size:,}")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); restore the file") from e
    except UnicodeDecodeError as e:
        raise InputError(f"{path}: expected annotations as UTF-8 text, found other bytes; replace it") from e
