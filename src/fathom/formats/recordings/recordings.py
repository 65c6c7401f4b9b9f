"""What a reader gives: a scene, where the pictures of its frames lie, and what was corrected or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fathom.formats.import_findings import ImportFinding, ImportFindings
from fathom.records import InputError, Record, Scene, missing_extra

MAX_PICTURE = 64 << 20
"""More bytes than any frame of these datasets takes."""


@dataclass(frozen=True)
class Place:
    """Where bytes lie: a whole file, `size` bytes of one from `offset` on, or a cell of a Parquet table."""

    path: Path
    offset: int = 0
    size: int = 0
    row_group: int = -1
    row: int = -1
    column: str = ""


@dataclass(frozen=True)
class FrameFile:
    """One frame of a scene: its number in the dataset, its time in the scene, and its pictures.

    `depth`, where the dataset has it, is depth along the optical axis as the dataset writes it.
    """

    number: int
    time_s: float
    picture: Place
    depth: Place | None = None


class ReadReport(Record, frozen=True, kw_only=True):
    """How many frames and objects came to what, and every reason, with the first places."""

    reader: str
    layout: str
    files: tuple[str, ...]
    frames_read: int
    frames: int
    poses_missing: int
    objects: int
    findings: tuple[ImportFinding, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"{self.frames:,} of {self.frames_read:,} frames, {self.poses_missing:,} of them without a "
            f"pose, and {self.objects:,} objects from {', '.join(self.files[:3])} ({self.reader}: "
            f"{self.layout})"
        ]
        for finding in self.findings:
            first = finding.examples[0] if finding.examples else None
            at = f", first at {first.where}" + (f" ({first.detail})" if first.detail else "") if first else ""
            lines.append(f"  {finding.outcome}: {finding.reason}: {finding.count:,}{at}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Recording:
    """One video: its scene, one file for each of the scene's times, and the report."""

    scene: Scene
    frames: tuple[FrameFile, ...]
    report: ReadReport


def recorded(
    scene: Scene,
    frames: Sequence[FrameFile],
    layout: str,
    files: Sequence[str],
    read: int,
    findings: ImportFindings,
) -> Recording:
    """Return a recording with its report; `read` is how many frames the files name."""
    report = ReadReport(
        reader=scene.generator,
        layout=layout,
        files=tuple(files),
        frames_read=read,
        frames=len(frames),
        poses_missing=sum(not p.valid for p in scene.cameras[0].poses),
        objects=len(scene.objects),
        findings=findings.listed(),
    )
    return Recording(scene, tuple(frames), report)


@dataclass(frozen=True)
class ReadSettings:
    """What may be said of files that are not as published.

    `fps` stands in for a clock that is missing or stands still (None: the dataset's own rate). `unit_m` is
    how many metres the files' unit of length has. `poses` and `quaternions` say how poses are written.
    `boxes` "oriented" turns ScanNet's boxes about the vertical to the smallest area.
    """

    fps: float | None = None
    unit_m: float = 1.0
    poses: Literal["camera-to-world", "world-to-camera"] = "camera-to-world"
    quaternions: Literal["wxyz", "xyzw"] = "wxyz"
    boxes: Literal["axis-aligned", "oriented"] = "axis-aligned"

    def __post_init__(self) -> None:
        for name, value in (("fps", self.fps), ("unit_m", self.unit_m)):
            if value is not None and not 1e-6 < value < 1e6:
                raise InputError(f"{name} {value}: expected a number above 0; set another")


@dataclass(frozen=True)
class Video:
    """A video that a reader has found, not yet read."""

    name: str
    path: Path
    load: Callable[[], Recording]


def pictures(frames: Sequence[FrameFile]) -> Iterator[tuple[FrameFile, bytes]]:
    """Yield the pictures of some frames as the bytes that they are stored as.

    Those of one table come in the order of its rows, read a few at a time. Raises InputError for one that is
    gone.
    """
    tables = [f for f in frames if f.picture.column]
    for frame in frames:
        if not frame.picture.column:
            yield frame, stored_bytes(frame.picture)
    groups = {(f.picture.path, f.picture.row_group, f.picture.column) for f in tables}
    for path, group, column in sorted(groups):
        wanted = {f.picture.row: f for f in tables if (f.picture.path, f.picture.row_group) == (path, group)}
        yield from _cells(path, group, column, wanted)


def stored_bytes(place: Place) -> bytes:
    """Return what lies at a place. Raises InputError where it is gone, or larger than any picture."""
    if place.column:
        frame = FrameFile(number=0, time_s=0.0, picture=place)
        return next(data for _, data in pictures([frame]))
    try:
        size = place.size or place.path.stat().st_size
        if size > MAX_PICTURE:
            raise InputError(
                f"{place.path}: expected a picture, found {size:,} bytes, more than any has; replace it"
            )
        with place.path.open("rb") as f:
            f.seek(place.offset)
            data = f.read(size)
    except OSError as e:
        raise InputError(f"{place.path}: cannot be read ({e.strerror or e}); put the file back") from e
    if len(data) != size:
        raise InputError(
            f"{place.path}: expected {size:,} bytes at {place.offset:,}, found {len(data):,}; fetch it again"
        )
    return data


def _cells(
    path: Path, group: int, column: str, wanted: dict[int, FrameFile]
) -> Iterator[tuple[FrameFile, bytes]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise missing_extra("pyarrow", "tables", f"reading {path.name}") from e
    row = 0
    try:
        with pq.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=16, row_groups=[group], columns=[column]):
                for cell in batch.column(0):
                    if row in wanted:
                        data = cell.as_py()
                        if not isinstance(data, bytes):
                            raise InputError(
                                f"{path}: row {row} of {column} holds no bytes; fetch the file again"
                            )
                        yield wanted.pop(row), data
                    row += 1
                if not wanted:
                    return
    except (pa.ArrowException, OSError, ValueError) as e:
        raise InputError(f"{path}: {column} cannot be read ({_first_line(e)}); fetch the file again") from e
    if wanted:
        raise InputError(
            f"{path}: expected a row {min(wanted)} in {column}, found {row} rows; fetch it again"
        )


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:160] or type(error).__name__
