"""Named arrays in one file, with a record that says what they are: the same content gives the same bytes."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.records import DataError
from fathom.store.files import write_bytes

T = TypeVar("T")

HEAD = "head.json"
MOST_BYTES = 1 << 30

DAMAGE = (
    ValueError, KeyError, IndexError, TypeError, EOFError, OSError, OverflowError, NotImplementedError,
    RuntimeError, struct.error, zlib.error, zipfile.BadZipFile, msgspec.MsgspecError,
)  # fmt: skip
"""What reading a damaged file can raise."""


def entry(name: str) -> zipfile.ZipInfo:
    """Return a zip entry without the time of day, so that equal content gives equal bytes."""
    made = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    made.compress_type = zipfile.ZIP_DEFLATED
    made.create_system = 3
    made.external_attr = 0o644 << 16
    return made


def write_arrays(path: Path, head: object, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a record and arrays to one compressed file, whole or not at all."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(entry(HEAD), msgspec.json.encode(head), compresslevel=6)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array), allow_pickle=False)
            z.writestr(entry(f"{name}.npy"), data.getvalue(), compresslevel=6)
    write_bytes(path, out.getvalue())


def read_arrays(path: Path, kind: type[T]) -> tuple[T, dict[str, NDArray[Any]]]:
    """Return the record and the arrays in a file. Raises DataError where it is missing or damaged."""
    try:
        with zipfile.ZipFile(path) as z:
            if sum(i.file_size for i in z.infolist()) > MOST_BYTES:
                raise ValueError("its arrays are larger than any that are written")
            head = msgspec.json.decode(z.read(HEAD), type=kind)
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(z.read(name)))
                for name in z.namelist()
                if name.endswith(".npy")
            }
    except FileNotFoundError as e:
        raise DataError(f"{path}: expected a file of arrays, but there is none; build it again") from e
    except DAMAGE as e:
        raise DataError(f"{path}: not a valid file of arrays ({e}); restore it or build it again") from e
    return head, arrays
