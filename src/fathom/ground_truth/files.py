"""One truth a file: what cannot be computed again without the models, small and always the same bytes.

The file is a zip of .npy arrays. Depths and points are whole multiples of a step, kept as differences from
the one before, and split into byte planes, of which most are nearly empty. Ids, depths of the whole
picture and covers follow from the silhouettes and are computed again on reading.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.ground_truth.views import STEP_M, ObjectTruth, Truth, assembled
from fathom.records import Camera, DataError
from fathom.store.files import write_bytes

_FORMAT = 2
_READ = (1, 2)
"""Files of format 1 have no ways."""

_MOST_BYTES = 256 * 2**20
T = TypeVar("T", bound=np.generic)
Arrays = Mapping[str, NDArray[np.generic]]


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    """What is not an array: counts of pixels and points say where each object's values begin."""

    format: int
    camera: Camera
    objects: list[str]
    parts: list[list[str]]
    windows: list[tuple[int, int, int, int]]
    full_px: list[int]
    amodal_px: list[int]
    points: list[int]
    ways: bool = False


def write_truth(path: Path, truth: Truth) -> None:
    """Write `truth` as one compressed file, whole or not at all; the same truth gives the same bytes."""
    amodal = [s.amodal for s in truth.objects]
    head = _Head(
        format=_FORMAT,
        camera=truth.camera,
        objects=[s.object_id for s in truth.objects],
        parts=[list(s.parts) for s in truth.objects],
        windows=[s.window for s in truth.objects],
        full_px=[s.full_px for s in truth.objects],
        amodal_px=[int(np.count_nonzero(a)) for a in amodal],
        points=[len(s.pixels) for s in truth.objects],
        ways=truth.ways_m is not None,
    )
    pairs = list(zip(truth.objects, amodal, strict=True))
    arrays: dict[str, NDArray[np.generic]] = {
        "mask": np.packbits(_joined([a.reshape(-1) for a in amodal], np.bool_)),
        "depth": _planes(_joined([_steps(s.depth_m[a]) for s, a in pairs], np.int64)),
        "part": _joined([s.part[a] for s, a in pairs], np.int16),
        "pixels": _planes(_joined([_raster(s, truth.camera.width) for s in truth.objects], np.int64)),
        "points": np.stack(
            [_planes(_joined([_steps(s.points_m[:, c]) for s in truth.objects], np.int64)) for c in range(3)]
        ),
    }
    if truth.ways_m is not None:
        arrays["ways"] = truth.ways_m.astype("<f4")
    write_bytes(path, _zipped(msgspec.json.encode(head), arrays))


def read_truth(path: Path) -> Truth:
    """Return the truth in `path`. Raises DataError where the file is missing, damaged or not consistent."""
    try:
        with zipfile.ZipFile(path) as z:
            if sum(i.file_size for i in z.infolist()) > _MOST_BYTES:
                raise ValueError("its arrays are larger than any truth")
            head = msgspec.json.decode(z.read("head.json"), type=_Head)
            if head.format not in _READ:
                raise ValueError(f"its format is {head.format}, this version reads {_READ[0]} to {_READ[-1]}")
            names = ("mask", "depth", "part", "pixels", "points", *(("ways",) if head.ways else ()))
            arrays: Arrays = {
                name: np.lib.format.read_array(io.BytesIO(z.read(f"{name}.npy")), allow_pickle=False)
                for name in names
            }
        return assembled(
            head.camera, _silhouettes(head, arrays), _ways(arrays.get("ways"), len(head.objects))
        )
    except FileNotFoundError as e:
        raise DataError(f"{path}: expected a truth file, but there is none; build the scene again") from e
    except (
        ValueError, KeyError, IndexError, TypeError, EOFError, OSError, OverflowError, NotImplementedError,
        RuntimeError, struct.error, zlib.error, zipfile.BadZipFile, msgspec.MsgspecError,
    ) as e:  # fmt: skip
        raise DataError(f"{path}: not a valid truth file ({e}); restore it or build the scene again") from e


def _silhouettes(head: _Head, arrays: Arrays) -> tuple[ObjectTruth, ...]:
    n = len(head.objects)
    lists = (head.parts, head.windows, head.full_px, head.amodal_px, head.points)
    if any(len(values) != n for values in lists):
        raise ValueError(f"its head does not list {n} objects throughout")
    areas = [_area(w, head.camera) for w in head.windows]
    mask = np.unpackbits(_bytes(arrays["mask"], 1), count=sum(areas)).astype(bool)
    depth = _values(_bytes(arrays["depth"], 2), sum(head.amodal_px)) * np.float64(STEP_M)
    part = arrays["part"].astype(np.int16, casting="safe")
    pixels = _values(_bytes(arrays["pixels"], 2), sum(head.points))
    planes = _bytes(arrays["points"], 3)
    points = np.stack([_values(p, sum(head.points)) for p in planes], axis=-1) * np.float64(STEP_M)
    if part.shape != depth.shape or points.shape[-1] != 3:
        raise ValueError("its arrays do not fit one another")
    pieces = zip(
        _split(mask, areas),
        _split(depth, head.amodal_px),
        _split(part, head.amodal_px),
        _split(pixels, head.points),
        _split(points, head.points),
        strict=True,
    )
    return tuple(_silhouette(head, i, *piece) for i, piece in enumerate(pieces))


def _silhouette(
    head: _Head,
    i: int,
    mask: NDArray[np.bool_],
    depth: NDArray[np.float64],
    part: NDArray[np.int16],
    raster: NDArray[np.int64],
    points: NDArray[np.float64],
) -> ObjectTruth:
    x0, y0, x1, y1 = head.windows[i]
    if np.count_nonzero(mask) != len(depth):
        raise ValueError(f"the mask of {head.objects[i]} does not hold {len(depth)} pixels")
    if len(part) and not 0 <= part.min() <= part.max() < len(head.parts[i]):
        raise ValueError(f"{head.objects[i]} has no such part")
    if len(raster) and not 0 <= raster.min() <= raster.max() < head.camera.width * head.camera.height:
        raise ValueError(f"a point of {head.objects[i]} lies outside the picture")
    whole_depth = np.full(len(mask), np.inf, dtype=np.float32)
    whole_depth[mask] = depth
    whole_part = np.full(len(mask), -1, dtype=np.int16)
    whole_part[mask] = part
    y, x = np.divmod(raster, head.camera.width)
    return ObjectTruth(
        object_id=head.objects[i],
        window=(x0, y0, x1, y1),
        depth_m=whole_depth.reshape(y1 - y0, x1 - x0),
        part=whole_part.reshape(y1 - y0, x1 - x0),
        parts=tuple(head.parts[i]),
        full_px=head.full_px[i],
        pixels=np.column_stack([x, y]).astype(np.int32),
        points_m=points,
    )


def _ways(array: NDArray[np.generic] | None, objects: int) -> NDArray[np.float32] | None:
    if array is None:
        return None
    if (
        array.dtype != np.float32
        or array.shape != (2, objects, objects)
        or not (array >= np.float32(0)).all()
    ):
        raise ValueError(f"its ways are not lengths for each pair of {objects} objects")
    return array.astype(np.float32)


def _area(window: tuple[int, int, int, int], camera: Camera) -> int:
    x0, y0, x1, y1 = window
    if not (0 <= x0 <= x1 <= camera.width and 0 <= y0 <= y1 <= camera.height):
        raise ValueError(f"the window {window} is not inside the picture")
    return (x1 - x0) * (y1 - y0)


def _raster(s: ObjectTruth, width: int) -> NDArray[np.int64]:
    return np.asarray(s.pixels[:, 1].astype(np.int64) * width + s.pixels[:, 0])


def _steps(metres: NDArray[np.floating]) -> NDArray[np.int64]:
    return np.rint(np.asarray(metres, dtype=np.float64) / STEP_M).astype(np.int64)


def _joined(pieces: Sequence[NDArray[T]], kind: type[T]) -> NDArray[T]:
    return np.concatenate([np.zeros(0, dtype=kind), *pieces])


def _split(values: NDArray[T], counts: Sequence[int]) -> list[NDArray[T]]:
    """Return the pieces of `values` that are as long as `counts` says."""
    return np.split(values, np.cumsum(counts)[:-1]) if len(counts) else []


def _planes(values: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return (8, n) bytes, most significant first, of the zigzag-coded differences of (n,) values."""
    d = values - np.concatenate([np.zeros(1, np.int64), values])[:-1]
    folded = ((d << 1) ^ (d >> 63)).astype(">u8")
    return np.ascontiguousarray(folded.view(np.uint8).reshape(-1, 8).T)


def _values(planes: NDArray[np.uint8], count: int) -> NDArray[np.int64]:
    """Return the (count,) values whose byte planes these are."""
    if planes.shape != (8, count):
        raise ValueError(f"expected {count} values, found bytes of shape {planes.shape}")
    folded = np.ascontiguousarray(planes.T).view(">u8").reshape(-1).astype(np.uint64)
    d = (folded >> np.uint64(1)).astype(np.int64) ^ -(folded & np.uint64(1)).astype(np.int64)
    return np.cumsum(d)


def _bytes(array: NDArray[np.generic], dimensions: int) -> NDArray[np.uint8]:
    if array.dtype != np.uint8 or array.ndim != dimensions:
        raise ValueError(f"expected {dimensions}-dimensional bytes, found {array.dtype} {array.shape}")
    return array.view(np.uint8)


def _zipped(head: bytes, arrays: Arrays) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(_entry("head.json"), head, compresslevel=6)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.asarray(array), allow_pickle=False)
            z.writestr(_entry(f"{name}.npy"), data.getvalue(), compresslevel=6)
    return out.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a zip entry without the time of day, so that equal content gives equal bytes."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
