"""ScanNet's frames: a folder as its exporter writes it, or the .sens container, read in place.

Ref: ScanNet §3 (RGB-D sequences)
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.files import label, listed, number_in, numbers, parsed, picture_size
from fathom.formats.recordings.recordings import MAX_PICTURE, Place
from fathom.geometry.poses import Array
from fathom.records import InputError

MAX_FRAMES = 200_000
SENS_VERSION = 4
NO_POSE: Array = np.full((4, 4), -np.inf)
PICTURES = (".jpg", ".jpeg", ".png")

RELEASED = (1296, 968)
"""The size of ScanNet's own pictures, of which its intrinsics are."""

OFF_CENTRE = 0.2
"""How far from the middle of a picture, ÷ half its side, a principal point may lie."""

_COLOR = {0: "raw", 1: "png", 2: "jpeg"}
_DEPTH = {0: "raw_ushort", 1: "zlib_ushort", 2: "occi_ushort"}


@dataclass(frozen=True)
class ScanFrame:
    """One frame: its number, its time by the sensor's clock (0: none), its files and its pose."""

    number: int
    stamp_us: int
    picture: Place
    depth: Place | None
    camera_to_world: Array


@dataclass(frozen=True)
class Stream:
    """The frames of one scan, and the intrinsics of its pictures (4, 4) and of its depth, if there is any.

    `depth_unit_m` is the length of one step of a depth picture, `depth_form` how that is packed.
    """

    layout: str
    source: Path
    intrinsic: Array
    size: tuple[int, int]
    depth_intrinsic: Array | None
    depth_unit_m: float
    depth_form: str
    depth_size: tuple[int, int]
    shots: tuple[ScanFrame, ...]
    read: int


def exported(folder: Path, root: Path, facts: dict[str, str], findings: ImportFindings) -> Stream:
    """Return the frames of a folder with color/, pose/, intrinsic/ and, where it is there, depth/.

    Raises InputError where there are no pictures, or no intrinsics.
    """
    color = _by_number(folder / "color", root, PICTURES, findings)
    if not color:
        raise InputError(
            f"{folder / 'color'}: expected pictures such as 0.jpg, found none; export the scan again"
        )
    poses = _by_number(folder / "pose", root, (".txt",), findings)
    depth = _by_number(folder / "depth", root, (".png",), findings) if (folder / "depth").is_dir() else {}
    for number in sorted(set(poses) - set(color)):
        findings.leave_out("a frame without its picture", label(poses[number], root))
    shots = []
    for number, path in color.items():
        pose = _pose(poses.get(number), label(path, root), root, findings)
        seen = Place(depth[number]) if number in depth else None
        shots.append(ScanFrame(number, 0, Place(path), seen, pose))
    size = picture_size(shots[0].picture)
    intrinsic = _intrinsic(folder, "color", facts, size)
    if intrinsic is None:
        raise InputError(
            f"{folder}: expected intrinsic/intrinsic_color.txt or fx_color … in {folder.name}.txt, found "
            "neither; export the scan again"
        )
    stated = (_whole(facts.get("colorWidth")), _whole(facts.get("colorHeight")))
    where = label(folder, root)
    intrinsic = _scaled(intrinsic, _stated_or_known(stated, intrinsic, size), size, where, findings)
    _check_centre(intrinsic, size, f"{folder}: intrinsic/intrinsic_color.txt")
    first_depth = next((s.depth for s in shots if s.depth), None)
    depth_size = _size_or_none(first_depth, root, findings) if first_depth else (0, 0)
    return Stream(
        layout="exported",
        source=folder,
        intrinsic=intrinsic,
        size=size,
        depth_intrinsic=_intrinsic(folder, "depth", facts, depth_size) if depth_size[0] else None,
        depth_unit_m=0.001,
        depth_form="png",
        depth_size=depth_size,
        shots=tuple(shots),
        read=len(set(color) | set(poses)),
    )


def _by_number(
    folder: Path, root: Path, endings: tuple[str, ...], findings: ImportFindings
) -> dict[int, Path]:
    found: dict[int, Path] = {}
    if not folder.is_dir():
        return found
    for path in listed(folder, root, findings).values():
        stem, ending = path.stem, path.suffix.lower()
        number = number_in(stem)
        if number is None or ending not in endings:
            findings.note("a file whose name is not that of a frame", label(path, root))
        elif number in found:
            findings.leave_out(
                "a second file of one frame", label(path, root), f"{found[number].name} is first"
            )
        else:
            found[number] = path
    return dict(sorted(found.items()))


def _pose(path: Path | None, frame: str, root: Path, findings: ImportFindings) -> Array:
    if path is None:
        findings.add("corrected", "a frame without a pose file: its pose counts as missing", frame)
        return NO_POSE
    try:
        return numbers(path, 16).reshape(4, 4)
    except InputError as e:
        findings.add(
            "corrected",
            "a pose file that cannot be read: its pose counts as missing",
            label(path, root),
            str(e),
        )
        return NO_POSE


def _intrinsic(folder: Path, which: str, facts: dict[str, str], size: tuple[int, int]) -> Array | None:
    inner = folder / "intrinsic"
    path = (listed(inner, folder, ImportFindings()) if inner.is_dir() else {}).get(f"intrinsic_{which}.txt")
    if path is not None:
        return numbers(path, 16).reshape(4, 4)
    keys = (f"fx_{which}", f"fy_{which}", f"mx_{which}", f"my_{which}")
    if not all(k in facts for k in keys):
        return None
    fx, fy, cx, cy = parsed(" ".join(facts[k] for k in keys), 4, f"{folder.name}.txt: {', '.join(keys)}")
    matrix = np.eye(4)
    matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2] = fx, fy, cx, cy
    return matrix


def _stated_or_known(stated: tuple[int, int], matrix: Array, size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the pictures that intrinsics are of: what the scan's text says, else that of
    ScanNet's own pictures where the principal point lies in the middle of those and not of these.
    """
    if min(stated) > 0 or _is_central(matrix, size) or not _is_central(matrix, RELEASED):
        return stated
    return RELEASED


def _is_central(matrix: Array, size: tuple[int, int]) -> bool:
    middle = matrix[:2, 2] + 0.5
    return bool((np.abs(2 * middle / size - 1) <= OFF_CENTRE).all())


def _check_centre(matrix: Array, size: tuple[int, int], where: str) -> None:
    """Raise InputError where the principal point is far from the middle of the pictures."""
    if not _is_central(matrix, size):
        raise InputError(
            f"{where}: cx {matrix[0, 2]:g}, cy {matrix[1, 2]:g} is far from the middle of pictures of "
            f"{size[0]} × {size[1]}: expected the intrinsics of these pictures; put the scan's text "
            "with colorWidth and colorHeight beside them, or scale the intrinsics"
        )


def _scaled(
    matrix: Array, stated: tuple[int, int], size: tuple[int, int], where: str, findings: ImportFindings
) -> Array:
    """Return intrinsics for pictures of `size`, where they were stated for others."""
    width, height = stated
    if width <= 0 or height <= 0 or (width, height) == size:
        return matrix
    x, y = size[0] / width, size[1] / height
    if abs(x / y - 1) > 0.02:
        raise InputError(
            f"{where}: pictures are {size[0]} × {size[1]}, and the scan's text says {width} × {height}: "
            "they were cropped, so that the intrinsics hold no more; export the pictures whole"
        )
    findings.add(
        "corrected", "intrinsics scaled to pictures that were made smaller", where, f"{width} → {size[0]}"
    )
    scaled = matrix.copy()
    scaled[0, :3] *= x
    scaled[1, :3] *= y
    scaled[0, 2] += (x - 1) / 2
    scaled[1, 2] += (y - 1) / 2
    return scaled


def _size_or_none(place: Place, root: Path, findings: ImportFindings) -> tuple[int, int]:
    try:
        return picture_size(place)
    except InputError as e:
        findings.note("a depth picture that cannot be read", label(place.path, root), str(e))
        return (0, 0)


def _whole(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,6}", text) else 0


def container(path: Path, findings: ImportFindings) -> Stream:
    """Return the frames of a .sens container; only its headers are read.

    Raises InputError where it is none, or states sizes that cannot be. A file that is cut off gives the
    frames before the cut, and that is reported.
    """
    try:
        total = path.stat().st_size
        with path.open("rb") as f:
            return _container(f, path, total, findings)
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror or e}); put the file back") from e
    except struct.error as e:
        raise InputError(f"{path}: the header is cut off; fetch the file again") from e


def _container(f: IO[bytes], path: Path, total: int, findings: ImportFindings) -> Stream:
    version, named = _take(f, "<IQ")
    if version != SENS_VERSION or named > 4096:
        raise InputError(
            f"{path}: expected a .sens container of version {SENS_VERSION}, found version {version}; fetch "
            "it again"
        )
    f.read(named)
    matrices = np.array(_take(f, "<64f"), dtype=np.float64).reshape(4, 4, 4)
    color, depth, width, height, depth_width, depth_height, shift, count = _take(f, "<iiIIIIfQ")
    if color not in (1, 2) or depth not in _DEPTH:
        raise InputError(
            f"{path}: expected pictures as JPEG or PNG, found {_COLOR.get(color, f'kind {color}')} and "
            f"depth of kind {depth}; export the scan to a folder, and read that"
        )
    largest = max(width, height, depth_width, depth_height)
    if not 0 < shift < 1e7 or largest > 20_000:
        raise InputError(f"{path}: the header states sizes that no camera has; fetch the file again")
    if count > MAX_FRAMES:
        raise InputError(f"{path}: states {count:,} frames, at most {MAX_FRAMES:,} can be; fetch it again")
    shots = _shots(f, path, count, total, findings)
    return Stream(
        layout="sens",
        source=path,
        intrinsic=matrices[0],
        size=(width, height),
        depth_intrinsic=matrices[2],
        depth_unit_m=1.0 / shift,
        depth_form=_DEPTH[depth],
        depth_size=(depth_width, depth_height),
        shots=shots,
        read=count,
    )


def _shots(
    f: IO[bytes], path: Path, count: int, total: int, findings: ImportFindings
) -> tuple[ScanFrame, ...]:
    shots = []
    for number in range(count):
        shot = _shot(f, path, number, total, findings)
        if shot is None:
            reason = "frames behind the place where the file is cut off"
            findings.leave_out(reason, f"{path.name}: frame {number}", f"{count - number:,}")
            break
        shots.append(shot)
    if not shots:
        raise InputError(f"{path}: expected frames, found none of {count:,}; fetch the file again")
    return tuple(shots)


def _shot(f: IO[bytes], path: Path, number: int, total: int, findings: ImportFindings) -> ScanFrame | None:
    head = f.read(64 + 32)
    if len(head) < 96:
        return None
    pose = np.array(struct.unpack_from("<16f", head), dtype=np.float64).reshape(4, 4)
    stamp, _, color, depth = struct.unpack_from("<4Q", head, 64)
    start = f.tell()
    if color > MAX_PICTURE or depth > MAX_PICTURE:
        raise InputError(
            f"{path}: frame {number} at byte {start:,} states pictures of {color:,} and {depth:,} bytes, "
            "which none has: the file is damaged there; fetch it again"
        )
    if start + color + depth > total:
        return None
    f.seek(start + color + depth)
    if not color:
        findings.leave_out("a frame without its picture", f"{path.name}: frame {number}")
    return ScanFrame(
        number=number,
        stamp_us=stamp,
        picture=Place(path, start, color),
        depth=Place(path, start + color, depth) if depth else None,
        camera_to_world=pose,
    )


def _take(f: IO[bytes], form: str) -> tuple[int, ...]:
    return struct.unpack(form, f.read(struct.calcsize(form)))
