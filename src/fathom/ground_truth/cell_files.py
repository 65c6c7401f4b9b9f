"""One file for the truth of a film: a zip with an entry a cell, read one cell at a time.

An entry is a short head and a stream of bytes. The picture of labels (thing and part) is kept as what changes
from the row above it, masks as bits in the same way, points as differences from the one before in planes of
bytes: nearly all are 0, and deflated to a few kB. Where points lie in the picture follows from the labels.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Rgb
from fathom.geometry.cameras import unproject
from fathom.ground_truth.cells import DEPTH_STEP_M, REST_STEP_M, Glimpse, TruthCell, evenly
from fathom.ground_truth.trace import still
from fathom.ground_truth.views import Window
from fathom.records import Camera, DataError, InputError, Scene
from fathom.store.arrays import DAMAGE, HEAD, entry
from fathom.store.files import sha256_file

T = TypeVar("T", np.uint8, np.uint16)
U = TypeVar("U", str, Rgb)

_FORMAT = 2
_MOST_CELL_BYTES = 64 << 20


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    scene: str
    objects: list[str]
    cameras: list[Camera]
    parts: list[list[list[str]]]
    paints: list[list[list[Rgb]]]
    cells: list[tuple[int, int]]


class _CellHead(msgspec.Struct, forbid_unknown_fields=True, array_like=True):
    """`parts` and `paints` say, for each object, which of the file's lists of names and of colours it has."""

    points: int
    parts: list[int]
    paints: list[int]
    windows: list[Window]
    full_px: list[int]
    sizes: list[int]
    rest: list[bool]
    over_px: list[list[int]]
    seen_px: list[list[int]]


def write_cells(path: Path, scene: Scene, cells: Iterable[TruthCell], points: int) -> str:
    """Write cells as they come, each let go of before the next, and return the SHA-256 of the file.

    `points` is what `cells_of` was given. The file is whole or not there; the same cells in the same order
    give the same bytes. Raises InputError where it cannot be written.
    """
    head = _Head(
        format=_FORMAT, scene=scene.id, objects=[t.id for t in scene.objects], cameras=list(scene.cameras),
        parts=[[] for _ in scene.objects], paints=[[] for _ in scene.objects], cells=[],
    )  # fmt: skip
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as f:
            with zipfile.ZipFile(f, "w") as z:
                for cell in cells:
                    z.writestr(
                        entry(_name(cell.view, cell.frame)), _bytes(cell, head, points), compresslevel=4
                    )
                    head.cells.append((cell.view, cell.frame))
                z.writestr(entry(HEAD), msgspec.json.encode(head), compresslevel=6)
            f.flush()
            os.fsync(f.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
        temporary = ""
    except OSError as e:
        raise InputError(
            f"{path}: could not be written ({e.strerror or e}); free some space or choose another folder, "
            "then start the same command again"
        ) from e
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
    return sha256_file(path)


class TruthCells:
    """The truth of a film on disk. Cells are read when they are asked for, and none is kept.

        with Cells(path) as film:
            cell = film.read(view=0, frame=8)

    Raises DataError where the file is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as e:
            raise DataError(f"{path}: expected the truth of a film, but there is none; build it again") from e
        except DAMAGE as e:
            raise self._damaged(e) from e
        try:
            self._head = msgspec.json.decode(self._raw(HEAD), type=_Head)
            if self._head.format != _FORMAT or len(self._head.parts) != len(self._head.objects):
                raise ValueError(f"its head is not of format {_FORMAT}")
        except DAMAGE as e:
            self._zip.close()
            raise self._damaged(e) from e
        self._there = frozenset(self._head.cells)

    @property
    def scene(self) -> str:
        """The id of the scene."""
        return self._head.scene

    @property
    def objects(self) -> tuple[str, ...]:
        """The ids of the objects, in the scene's order."""
        return tuple(self._head.objects)

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """(view, frame) of every cell, in the order in which they were written."""
        return tuple(self._head.cells)

    def __contains__(self, cell: object) -> bool:
        return cell in self._there

    def read(self, view: int, frame: int) -> TruthCell:
        """Return one cell. Raises DataError where the file does not hold it, or is damaged."""
        if (view, frame) not in self._there:
            raise DataError(
                f"{self.path}: holds no truth of frame {frame} of view {view}; build it with these cells"
            )
        try:
            return _cell(self._raw(_name(view, frame)), self._head, view, frame)
        except DAMAGE as e:
            raise self._damaged(e) from e

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def __enter__(self) -> TruthCells:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _raw(self, name: str) -> bytes:
        if self._zip.getinfo(name).file_size > _MOST_CELL_BYTES:
            raise ValueError(f"{name} is larger than any cell")
        return self._zip.read(name)

    def _damaged(self, error: BaseException) -> DataError:
        return DataError(
            f"{self.path}: not a valid truth of a film ({error}); restore it or build the scene again"
        )


def _name(view: int, frame: int) -> str:
    return f"{view}/{frame}"


def _bytes(cell: TruthCell, head: _Head, points: int) -> bytes:
    """Return a cell's entry; lists of part names and of colours that are new are added to the file's head."""
    which = [_numbered(known, names) for known, names in zip(head.parts, cell.parts, strict=True)]
    paints = [_numbered(known, colors) for known, colors in zip(head.paints, cell.paints, strict=True)]
    offsets = _offsets(cell.parts)
    labels = np.where(cell.ids >= 0, 1 + offsets[cell.ids] + cell.part, 0)
    if labels.max(initial=0) >= 1 << 16:
        raise InputError(
            f"cell {cell.view}/{cell.frame}: its objects have more than 65535 parts; leave some out"
        )
    rest = [bool(len(g.rest_m)) and bool(np.isfinite(g.rest_m).all()) for g in cell.objects]
    small = msgspec.msgpack.encode(
        _CellHead(
            points=points,
            parts=which,
            paints=paints,
            windows=[g.window for g in cell.objects],
            full_px=[g.full_px for g in cell.objects],
            sizes=[len(g.pixels) for g in cell.objects],
            rest=rest,
            over_px=cell.over_px.tolist(),
            seen_px=cell.seen_px.tolist(),
        )
    )
    pieces = [len(small).to_bytes(4, "little"), small, _halves(_risen(labels.astype(np.uint16)))]
    for g, known_rest in zip(cell.objects, rest, strict=True):
        pieces.append(_risen(np.packbits(g.amodal, axis=1)).tobytes())
        pieces.append(_planes(np.rint(g.depth_m / DEPTH_STEP_M), 4))
        pieces.append(_planes(g.faces, 4))
        if known_rest:
            pieces += [_planes(np.rint(g.rest_m[:, c] / REST_STEP_M), 4) for c in range(3)]
    return b"".join(pieces)


def _numbered(known: list[list[U]], one: Sequence[U]) -> int:
    """Return which of the known lists this is; a new one is added to them."""
    if list(one) not in known:
        known.append(list(one))
    return known.index(list(one))


def _cell(data: bytes, head: _Head, view: int, frame: int) -> TruthCell:
    size = int.from_bytes(data[:4], "little")
    small = msgspec.msgpack.decode(data[4 : 4 + size], type=_CellHead)
    camera = still(head.cameras[view], frame)
    n = len(head.objects)
    if any(
        len(v) != n
        for v in (small.parts, small.paints, small.windows, small.full_px, small.sizes, small.rest)
    ):
        raise ValueError(f"cell {view}/{frame} does not list {n} objects")
    names = tuple(tuple(head.parts[k][which]) for k, which in enumerate(small.parts))
    paints = tuple(tuple(head.paints[k][which]) for k, which in enumerate(small.paints))
    stream = _Stream(data, 4 + size)
    shape = (camera.height, camera.width)
    labels = _sunk(stream.halves(shape))
    if labels.max(initial=0) > sum(map(len, names)):
        raise ValueError(f"cell {view}/{frame} shows a part that no object has")
    ids = np.array([-1, *(k for k, own in enumerate(names) for _ in own)], np.int16)[labels]
    part = np.array([-1, *(p for own in names for p in range(len(own)))], np.int16)[labels]
    objects = tuple(_glimpse(stream, head, small, k, ids, camera) for k in range(n))
    counts = [np.array(v, np.int64).reshape(n, n) for v in (small.over_px, small.seen_px)]
    return TruthCell(view, frame, ids, part, names, paints, objects, counts[0], counts[1], camera)


def _glimpse(
    stream: _Stream, head: _Head, small: _CellHead, k: int, ids: NDArray[np.int16], camera: Camera
) -> Glimpse:
    x0, y0, x1, y1 = small.windows[k]
    if not (0 <= x0 <= x1 <= camera.width and 0 <= y0 <= y1 <= camera.height):
        raise ValueError(f"the window of {head.objects[k]} is not inside the picture")
    bits = _sunk(stream.bytes(y1 - y0, -(-(x1 - x0) // 8)))
    amodal = np.unpackbits(bits, axis=1, count=x1 - x0).astype(np.bool_)
    shown = evenly(np.flatnonzero(ids[y0:y1, x0:x1] == k), small.points)
    if len(shown) != small.sizes[k]:
        raise ValueError(f"{head.objects[k]} shows {len(shown)} points, not {small.sizes[k]}")
    rows, columns = np.divmod(shown, max(x1 - x0, 1))
    pixels = np.column_stack([columns + x0, rows + y0]).astype(np.int32)
    depth = stream.values(len(shown)) * np.float64(DEPTH_STEP_M)
    faces = stream.values(len(shown)).astype(np.int32)
    rest = np.full((len(shown), 3), np.nan)
    if small.rest[k]:
        rest = np.stack([stream.values(len(shown)) * REST_STEP_M for _ in range(3)], axis=-1)
    return Glimpse(
        object_id=head.objects[k],
        window=(x0, y0, x1, y1),
        amodal=amodal,
        full_px=small.full_px[k],
        pixels=pixels,
        depth_m=depth,
        points_m=unproject(camera, pixels + 0.5, depth),
        faces=faces,
        rest_m=rest,
    )


class _Stream:
    """The bytes of a cell, taken from the front."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._at = data, start

    def bytes(self, rows: int, columns: int) -> NDArray[np.uint8]:
        """Return the next (rows, columns) bytes."""
        taken = np.frombuffer(self._data, np.uint8, rows * columns, self._at) if rows * columns else None
        self._at += rows * columns
        return np.zeros((rows, columns), np.uint8) if taken is None else taken.reshape(rows, columns)

    def halves(self, shape: tuple[int, int]) -> NDArray[np.uint16]:
        """Return the next (h, w) numbers of two bytes."""
        low, high = self.bytes(*shape), self.bytes(*shape)
        return low | high.astype(np.uint16) << np.uint16(8)

    def values(self, count: int) -> NDArray[np.int64]:
        """Return the next numbers, kept as differences in four planes of bytes."""
        planes = self.bytes(4, count).T.copy()
        folded = planes.view("<u4").ravel().astype(np.int64) if count else np.zeros(0, np.int64)
        return np.cumsum((folded >> 1) ^ -(folded & 1))


def _offsets(parts: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Return (n,) where the parts of each object begin when all are put in a row."""
    return np.cumsum([0] + [len(p) for p in parts])[:-1]


def _risen(rows: NDArray[T]) -> NDArray[T]:
    """Return what each row changes of the one above, bit by bit."""
    changed = rows.copy()
    changed[1:] = rows[1:] ^ rows[:-1]
    return changed


def _sunk(changed: NDArray[T]) -> NDArray[T]:
    return np.bitwise_xor.accumulate(changed, axis=0) if len(changed) else changed


def _halves(values: NDArray[np.generic]) -> bytes:
    """Return numbers of two bytes, first all their low ones."""
    wide = values.astype(np.uint16)
    return (wide & np.uint16(255)).astype(np.uint8).tobytes() + (wide >> np.uint16(8)).astype(
        np.uint8
    ).tobytes()


def _planes(values: NDArray[np.generic], planes: int) -> bytes:
    """Return the differences of (n,) whole numbers, folded to be positive, in planes of bytes."""
    whole = values.astype(np.int64)
    d = np.diff(whole, prepend=np.int64(0))
    folded = (d << 1) ^ (d >> 63)
    if folded.max(initial=0) >= 1 << (8 * planes):
        raise InputError("a point is farther away than a truth can say; leave the scene out")
    return b"".join((folded >> (8 * k) & 255).astype(np.uint8).tobytes() for k in range(planes))
