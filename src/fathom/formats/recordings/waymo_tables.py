"""Waymo's perception tables, version 2: one Parquet file a component and segment, by the published columns.

Ref: Scalability in Perception for Autonomous Driving: Waymo Open Dataset (CVPR 2020)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings, one_line
from fathom.formats.recordings.checks import ABSURD
from fathom.geometry.poses import Array
from fathom.records import InputError, missing_extra

FRONT = 1
KINDS = {0: "unknown", 1: "vehicle", 2: "pedestrian", 3: "sign", 4: "cyclist"}
NEEDED = ("camera_image", "camera_calibration", "vehicle_pose", "lidar_box")
OPTIONAL = ("projected_lidar_box", "camera_box", "camera_to_lidar_box_association")

MAX_ROWS = 5_000_000
MAX_GROUPS = 100_000

SEGMENT = "key.segment_context_name"
STAMP = "key.frame_timestamp_micros"
CAMERA = "key.camera_name"
OBJECT = "key.laser_object_id"
IMAGE = "[CameraImageComponent].image"


@dataclass(frozen=True)
class Calibration:
    """The front camera: intrinsics (3, 3), k1, k2, p1, p2, k3, size, vehicle from camera (4, 4)."""

    matrix: Array
    distortion: Array
    size: tuple[int, int]
    vehicle_from_camera: Array


@dataclass(frozen=True)
class Shots:
    """The front camera's pictures, a row each: stamps in µs, world from vehicle (n, 4, 4) and its stamp in
    seconds, both nan where they are not stated, and where the picture lies.
    """

    stamps_us: NDArray[np.int64]
    world_from_vehicle: Array
    pose_stamps_s: Array
    groups: NDArray[np.int64]
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class BoxTable:
    """The boxes, a row each, in the vehicle's frame: centres and sizes (n, 3), headings, and, where stated,
    speeds (n, 3) in the world, nan elsewhere.
    """

    stamps_us: NDArray[np.int64]
    ids: list[str]
    kinds: NDArray[np.int64]
    centres_m: Array
    sizes_m: Array
    headings_rad: Array
    speeds_mps: Array


@dataclass(frozen=True)
class Flat:
    """Boxes in the front camera's pictures: stamps, labelled objects, centres and sizes (n, 2) in pixels."""

    stamps_us: NDArray[np.int64]
    ids: list[str]
    centres_px: Array
    sizes_px: Array


class SegmentTable:
    """Some columns of one Parquet file, those of one segment."""

    def __init__(self, path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> None:
        self.path = path
        pq, errors = _parquet(path)
        try:
            with pq.ParquetFile(path) as file:
                names = set(file.schema_arrow.names)
                missing = [c for c in columns if c not in names]
                if missing:
                    raise InputError(
                        f"{path}: expected the column {missing[0]!r}, found "
                        f"{one_line(', '.join(sorted(names)))}; fetch the component of version 2 of the "
                        "perception dataset"
                    )
                sizes = [file.metadata.row_group(i).num_rows for i in range(_groups(file, path))]
                wanted = [*columns, *(c for c in optional if c in names)]
                self._table = file.read(columns=wanted)
        except errors as e:
            raise InputError(f"{path}: cannot be read as Parquet ({one_line(str(e))}); fetch it again") from e
        self.names = frozenset(wanted)
        self.count = int(self._table.num_rows)
        spans = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.cumsum([0, *sizes[:-1]]) if sizes else np.zeros(1)
        if len(spans) != self.count:
            raise InputError(
                f"{path}: expected {self.count:,} rows in its parts, found {len(spans):,}; fetch it again"
            )
        self.groups = spans.astype(np.int64)
        self.rows = np.arange(self.count, dtype=np.int64) - starts[spans].astype(np.int64)

    def whole(self, column: str) -> NDArray[np.int64]:
        """Return a column of whole numbers. Raises InputError where it holds others."""
        values = self._values(column)
        if not all(isinstance(v, int) and -(2**62) < v < 2**62 for v in values):
            raise self._other(column, "whole numbers")
        return np.array(values, dtype=np.int64)

    def texts(self, column: str) -> list[str]:
        """Return a column of texts. Raises InputError where it holds others."""
        values = self._values(column)
        if not all(isinstance(v, str) for v in values):
            raise self._other(column, "texts")
        return [str(v)[:200] for v in values]

    def reals(self, columns: Sequence[str]) -> Array:
        """Return (n, len(columns)) numbers, nan where a cell or a column is empty."""
        found = np.full((self.count, len(columns)), np.nan)
        for i, column in enumerate(columns):
            if column in self.names:
                values = self._values(column)
                if not all(v is None or isinstance(v, int | float) for v in values):
                    raise self._other(column, "numbers")
                found[:, i] = [np.nan if v is None else float(v) for v in values]
        return _plausible(found)

    def transforms(self, column: str) -> Array:
        """Return (n, 4, 4) transforms, written row by row; nan where there is none."""
        found = np.full((self.count, 4, 4), np.nan)
        for i, cell in enumerate(self._values(column) if column in self.names else ()):
            if cell is None:
                continue
            sound = isinstance(cell, list) and len(cell) == 16
            if not sound or not all(v is None or isinstance(v, int | float) for v in cell):
                raise self._other(column, "16 numbers in each cell")
            found[i] = np.array([np.nan if v is None else v for v in cell], dtype=np.float64).reshape(4, 4)
        return _plausible(found)

    def _values(self, column: str) -> list[Any]:
        _, errors = _parquet(self.path)
        try:
            return list(self._table.column(column).to_pylist())
        except errors as e:
            raise InputError(
                f"{self.path}: {column} cannot be read ({one_line(str(e))}); fetch it again"
            ) from e

    def _other(self, column: str, expected: str) -> InputError:
        return InputError(
            f"{self.path}: expected {expected} in {column!r}, found others; fetch the file again"
        )


def _plausible(values: Array) -> Array:
    return np.where(np.abs(values) < ABSURD, values, np.nan)


def _groups(file: Any, path: Path) -> int:
    if file.metadata.num_rows > MAX_ROWS or file.metadata.num_row_groups > MAX_GROUPS:
        raise InputError(
            f"{path}: states {file.metadata.num_rows:,} rows, more than a segment has; fetch it again"
        )
    return int(file.metadata.num_row_groups)


def _parquet(path: Path) -> tuple[Any, tuple[type[BaseException], ...]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise missing_extra("pyarrow", "tables", f"reading {path.name}") from e
    return pq, (
        pa.ArrowException,
        OSError,
        ValueError,
        OverflowError,
        MemoryError,
        UnicodeDecodeError,
        TypeError,
    )


def calibration(path: Path, segment: str) -> Calibration:
    """Return the front camera's calibration. Raises InputError where there is none."""
    of = "[CameraCalibrationComponent]."
    inner = [f"{of}intrinsic.{n}" for n in ("f_u", "f_v", "c_u", "c_v", "k1", "k2", "p1", "p2", "k3")]
    columns = [SEGMENT, CAMERA, *inner[:4], f"{of}extrinsic.transform", f"{of}width", f"{of}height"]
    table = SegmentTable(path, columns, inner[4:])
    front = _of(table, segment) & (table.whole(CAMERA) == FRONT)
    if not front.any():
        raise InputError(
            f"{path}: expected a row of the front camera (camera_name 1), found none; fetch it again"
        )
    i = int(np.flatnonzero(front)[0])
    f_u, f_v, c_u, c_v, *distortion = table.reals(inner)[i]
    size = (int(table.whole(f"{of}width")[i]), int(table.whole(f"{of}height")[i]))
    return Calibration(
        matrix=np.array([[f_u, 0, c_u], [0, f_v, c_v], [0, 0, 1]], dtype=np.float64),
        distortion=np.nan_to_num(np.array(distortion)),
        size=size,
        vehicle_from_camera=table.transforms(f"{of}extrinsic.transform")[i],
    )


def shots(path: Path, segment: str) -> Shots:
    """Return the front camera's pictures in the order of the file; their bytes are not read."""
    of = "[CameraImageComponent]."
    pose, stamp = f"{of}pose.transform", f"{of}pose_timestamp"
    table = SegmentTable(path, [SEGMENT, STAMP, CAMERA], [pose, stamp])
    _has(path, IMAGE)
    mine = _of(table, segment) & (table.whole(CAMERA) == FRONT)
    return Shots(
        stamps_us=table.whole(STAMP)[mine],
        world_from_vehicle=table.transforms(pose)[mine],
        pose_stamps_s=table.reals([stamp])[mine, 0],
        groups=table.groups[mine],
        rows=table.rows[mine],
    )


def _has(path: Path, column: str) -> None:
    pq, errors = _parquet(path)
    try:
        names = pq.read_schema(path).names
    except errors as e:
        raise InputError(f"{path}: cannot be read as Parquet ({one_line(str(e))}); fetch it again") from e
    if column not in names:
        raise InputError(f"{path}: expected the column {column!r}, found none; fetch the component again")


def vehicle_poses(path: Path, segment: str) -> tuple[NDArray[np.int64], Array]:
    """Return stamps in µs and world from vehicle (n, 4, 4), in the order of the file."""
    column = "[VehiclePoseComponent].world_from_vehicle.transform"
    table = SegmentTable(path, [SEGMENT, STAMP, column])
    mine = _of(table, segment)
    return table.whole(STAMP)[mine], table.transforms(column)[mine]


def labels(path: Path, segment: str) -> BoxTable:
    """Return the boxes of a segment, in the order of the file."""
    of = "[LiDARBoxComponent]."
    centre, size = ([f"{of}box.{part}.{axis}" for axis in "xyz"] for part in ("center", "size"))
    speed = [f"{of}speed.{axis}" for axis in "xyz"]
    heading, kind = f"{of}box.heading", f"{of}type"
    table = SegmentTable(path, [SEGMENT, STAMP, OBJECT, *centre, *size, heading, kind], speed)
    mine = _of(table, segment)
    ids = table.texts(OBJECT)
    return BoxTable(
        stamps_us=table.whole(STAMP)[mine],
        ids=[ids[i] for i in np.flatnonzero(mine)],
        kinds=table.whole(kind)[mine],
        centres_m=table.reals(centre)[mine],
        sizes_m=table.reals(size)[mine],
        headings_rad=table.reals([heading])[mine, 0],
        speeds_mps=table.reals(speed)[mine],
    )


def flat_boxes(files: dict[str, Path], segment: str, findings: ImportFindings) -> Flat | None:
    """Return boxes in the front camera's pictures with the object that each is of; None where there are none.

    They are the labels that the dataset projected itself, else drawn boxes through the association.
    """
    try:
        if "projected_lidar_box" in files:
            return _projected(files["projected_lidar_box"], segment)
        if "camera_box" in files and "camera_to_lidar_box_association" in files:
            return _associated(files["camera_box"], files["camera_to_lidar_box_association"], segment)
    except InputError as e:
        findings.note("boxes in the pictures that cannot be read", segment, str(e))
    return None


def _projected(path: Path, segment: str) -> Flat:
    of = "[ProjectedLiDARBoxComponent].box."
    columns = [f"{of}{part}.{axis}" for part in ("center", "size") for axis in "xy"]
    table = SegmentTable(path, [SEGMENT, STAMP, OBJECT, CAMERA, *columns])
    mine = _of(table, segment) & (table.whole(CAMERA) == FRONT)
    ids, boxes = table.texts(OBJECT), table.reals(columns)[mine]
    return Flat(table.whole(STAMP)[mine], [ids[i] for i in np.flatnonzero(mine)], boxes[:, :2], boxes[:, 2:])


def _associated(boxes: Path, pairs: Path, segment: str) -> Flat:
    drawn_id = "key.camera_object_id"
    of = "[CameraBoxComponent].box."
    columns = [f"{of}{part}.{axis}" for part in ("center", "size") for axis in "xy"]
    table = SegmentTable(boxes, [SEGMENT, STAMP, CAMERA, drawn_id, *columns])
    link = SegmentTable(pairs, [SEGMENT, STAMP, CAMERA, drawn_id, OBJECT])
    known = dict(
        zip(
            zip(link.whole(STAMP).tolist(), link.texts(drawn_id), strict=True),
            link.texts(OBJECT),
            strict=True,
        )
    )
    stamps, drawn = table.whole(STAMP), table.texts(drawn_id)
    owner = [known.get((int(s), d), "") for s, d in zip(stamps, drawn, strict=True)]
    mine = (
        _of(table, segment) & (table.whole(CAMERA) == FRONT) & np.array([bool(o) for o in owner], dtype=bool)
    )
    values = table.reals(columns)[mine]
    return Flat(stamps[mine], [owner[i] for i in np.flatnonzero(mine)], values[:, :2], values[:, 2:])


def _of(table: SegmentTable, segment: str) -> NDArray[np.bool_]:
    return np.array([s == segment for s in table.texts(SEGMENT)], dtype=bool)


def segments(folder: Path) -> Iterator[tuple[str, dict[str, Path]]]:
    """Yield the segments of a folder that holds components, with the file of each component."""
    for image in sorted((folder / "camera_image").glob("*.parquet")):
        files = {c: folder / c / image.name for c in (*NEEDED, *OPTIONAL)}
        yield image.stem, {c: p for c, p in files.items() if p.is_file() and _inside(p, folder)}


def _inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
