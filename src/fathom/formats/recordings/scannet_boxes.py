"""ScanNet's annotated mesh: its vertices, which instance each belongs to, and the boxes around them.

Ref: ScanNet §4 (segmentation and aggregation)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.checks import ABSURD
from fathom.formats.recordings.files import json_file, label, read_limited
from fathom.geometry.poses import Array
from fathom.records import InputError

MAX_PLY = 2 << 30
MAX_HEADER = 64 << 10
MIN_VERTICES = 4
"""Fewer make no box."""

_SCALARS = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4",
    "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip

MESHES = (
    (
        "{id}.aggregation.json",
        "{id}_vh_clean_2.0.010000.segs.json",
        ("{id}_vh_clean_2.ply", "{id}_vh_clean_2.labels.ply"),
    ),
    ("{id}_vh_clean.aggregation.json", "{id}_vh_clean.segs.json", ("{id}_vh_clean.ply",)),
    (
        "{id}_vh_clean.aggregation.json",
        "{id}_vh_clean_2.0.010000.segs.json",
        ("{id}_vh_clean_2.ply", "{id}_vh_clean_2.labels.ply"),
    ),
)  # fmt: skip
"""Which aggregation, segmentation and mesh go together, the usual first."""


@dataclass(frozen=True)
class Instance:
    """One annotated object: its number, what it is called, and its vertices (n, 3), metres."""

    number: int
    label: str
    points_m: Array


@dataclass(frozen=True)
class Box:
    """A box about an instance: the middle of its bottom (3,), extents (3,), metres, and its heading."""

    base_m: Array
    size_m: Array
    heading_rad: float


@dataclass(frozen=True)
class Annotated:
    """The mesh of a scene in the frame of its poses: all vertices, the instances, and the files read."""

    points_m: Array
    instances: tuple[Instance, ...]
    files: tuple[Path, ...]


def annotated(files: dict[str, Path], scene: str, findings: ImportFindings) -> Annotated:
    """Return the annotated mesh of a scene, with no instances where there is no annotation.

    Raises InputError where annotation, segmentation and mesh do not belong together.
    """
    for names in MESHES:
        aggregation, segments = (files.get(n.format(id=scene)) for n in names[:2])
        mesh = next((files[n] for m in names[2] if (n := m.format(id=scene)) in files), None)
        if aggregation and segments and mesh:
            points = ply_vertices(mesh)
            parts = _instances(aggregation, segments, points, findings)
            return Annotated(points, parts, (aggregation, segments, mesh))
    findings.note("no annotation of instances: the scene has no objects", scene)
    mesh = next((files[n] for n in (f"{scene}_vh_clean_2.ply", f"{scene}_vh_clean.ply") if n in files), None)
    if mesh is None:
        return Annotated(np.empty((0, 3)), (), ())
    return Annotated(ply_vertices(mesh), (), (mesh,))


def box_about(points_m: Array, oriented: bool) -> Box:
    """Return the upright box about (n, 3) points: along the world's axes, or the one of least area.

    The heading of an oriented box is along its longer side, in [0, π).
    """
    low, high = points_m.min(axis=0), points_m.max(axis=0)
    heading = _least_area(points_m[:, :2]) if oriented else 0.0
    c, s = np.cos(heading), np.sin(heading)
    turned = points_m[:, :2] @ np.array([[c, -s], [s, c]])
    least, most = turned.min(axis=0), turned.max(axis=0)
    middle = np.array([[c, -s], [s, c]]) @ ((least + most) / 2)
    return Box(
        base_m=np.array([middle[0], middle[1], low[2]]),
        size_m=np.array([*(most - least), high[2] - low[2]]),
        heading_rad=float(heading),
    )


def _least_area(flat_m: Array) -> float:
    hull = _hull(flat_m)
    if len(hull) < 3:
        return 0.0
    edges = np.roll(hull, -1, axis=0) - hull
    angles = np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 9))
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    along, across = hull[:, 0] * c + hull[:, 1] * s, hull[:, 1] * c - hull[:, 0] * s
    length, width = np.ptp(along, axis=1), np.ptp(across, axis=1)
    best = int((length * width).argmin())
    return float(angles[best] + (np.pi / 2 if width[best] > length[best] else 0.0))


def _hull(flat_m: Array) -> Array:
    """Return the convex hull of (n, 2) points, counter-clockwise (Andrew's monotone chain)."""
    rows = np.unique(np.round(flat_m, 4), axis=0).tolist()

    def half(points: list[list[float]]) -> list[list[float]]:
        chain: list[list[float]] = []
        for x, y in points:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append([x, y])
        return chain

    return np.array(half(rows)[:-1] + half(rows[::-1])[:-1]).reshape(-1, 2)


def _instances(
    aggregation: Path, segments: Path, points_m: Array, findings: ImportFindings
) -> tuple[Instance, ...]:
    of_vertex = _segment_of_vertex(segments, len(points_m))
    groups = _field(json_file(aggregation), "segGroups", aggregation)
    found: list[Instance] = []
    taken: set[int] = set()
    for place, group in enumerate(groups):
        where = f"{label(aggregation, aggregation.parent)}: segGroups[{place}]"
        parsed = _group(group)
        if parsed is None:
            findings.leave_out("a group without a number, a label and segments", where)
            continue
        number, name, members = parsed
        if number in taken:
            findings.leave_out("a group whose number another has already", where, str(number))
            continue
        taken.add(number)
        points = points_m[np.isin(of_vertex, members)]
        points = points[np.isfinite(points).all(axis=1)]
        if len(points) < MIN_VERTICES:
            findings.leave_out("an object without vertices", where, name)
            continue
        found.append(Instance(number, name, points))
    if not groups:
        findings.note("an empty annotation: the scene has no objects", label(aggregation, aggregation.parent))
    return tuple(found)


def _segment_of_vertex(path: Path, vertices: int) -> NDArray[np.int64]:
    listed = _field(json_file(path), "segIndices", path)
    if not all(isinstance(i, int) and -(2**62) < i < 2**62 for i in listed):
        raise InputError(f"{path}: expected whole numbers in segIndices, found others; fetch the file again")
    if len(listed) != vertices:
        raise InputError(
            f"{path}: expected a segment for each of the mesh's {vertices:,} vertices, found "
            f"{len(listed):,}: they are of different meshes; fetch both from the same release"
        )
    return np.array(listed, dtype=np.int64)


def _field(value: object, key: str, path: Path) -> list[object]:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise InputError(f"{path}: expected a list {key!r}, found none; fetch the file again")
    return found


def _group(value: object) -> tuple[int, str, list[int]] | None:
    if not isinstance(value, dict):
        return None
    number, name = value.get("objectId", value.get("id")), value.get("label")
    members = value.get("segments")
    if isinstance(number, bool) or not isinstance(number, int) or not isinstance(name, str):
        return None
    if not isinstance(members, list) or not name.strip():
        return None
    whole = [m for m in members if isinstance(m, int) and -(2**62) < m < 2**62]
    return (number, name.strip()[:80], whole) if len(whole) == len(members) else None


def ply_vertices(path: Path) -> Array:
    """Return the (n, 3) vertices of a binary PLY file, in its own unit.

    Raises InputError where it is none, is cut off, or has no x, y and z.
    """
    with_header = read_limited(path, MAX_PLY)
    end = with_header.find(b"end_header", 0, MAX_HEADER)
    start = with_header.find(b"\n", end) + 1 if end >= 0 else 0
    if not with_header.startswith(b"ply") or end < 0 or not start:
        raise InputError(f"{path}: expected a PLY mesh, found something else; fetch the file again")
    count, dtype = _vertex_layout(with_header[:end].decode("ascii", "replace").split("\n"), path)
    need = count * dtype.itemsize
    if len(with_header) - start < need:
        raise InputError(
            f"{path}: expected {count:,} vertices in {need:,} bytes, found {len(with_header) - start:,} "
            "bytes: the file is cut off; fetch it again"
        )
    rows = np.frombuffer(with_header, dtype=dtype, count=count, offset=start)
    with np.errstate(invalid="ignore"):  # vertices that are no numbers are passed over where boxes are made
        points = np.column_stack([rows[axis].astype(np.float64) for axis in "xyz"])
    return np.where(np.abs(points) < ABSURD, points, np.nan)


def _vertex_layout(lines: list[str], path: Path) -> tuple[int, np.dtype[np.void]]:
    words = [line.split() for line in lines[1:]]
    form = next((w[1] for w in words if w[:1] == ["format"] and len(w) > 1), "")
    order = {"binary_little_endian": "<", "binary_big_endian": ">"}.get(form)
    elements = [i for i, w in enumerate(words) if w[:1] == ["element"]]
    first = words[elements[0]] if elements else []
    if (
        order is None
        or len(first) != 3
        or first[1] != "vertex"
        or not first[2].isdigit()
        or len(first[2]) > 10
    ):
        raise InputError(
            f"{path}: expected a binary PLY mesh that begins with its vertices, found "
            f"{form or 'another form'}; save it as binary PLY"
        )
    until = elements[1] if len(elements) > 1 else len(words)
    fields = [w for w in words[elements[0] + 1 : until] if w[:1] == ["property"]]
    names = [w[2] for w in fields if len(w) == 3 and w[1] in _SCALARS]
    if len(names) != len(fields) or len(set(names)) != len(names) or not {"x", "y", "z"} <= set(names):
        raise InputError(f"{path}: expected vertices with x, y, z, found {names[:8]}; fetch the file again")
    return int(first[2]), np.dtype([(w[2], order + _SCALARS[w[1]]) for w in fields])
