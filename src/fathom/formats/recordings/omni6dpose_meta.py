"""One frame's meta file of Omni6DPose: intrinsics, and each object's pose in the camera's frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.checks import Mask
from fathom.formats.recordings.files import json_file
from fathom.formats.recordings.recordings import ReadSettings
from fathom.geometry.poses import Array, rotation_matrix
from fathom.records import InputError

MAX_OBJECTS = 500


@dataclass(frozen=True)
class Object:
    """An object in one frame: id, class, size (3,) along its own axes, and camera from object (4, 4)."""

    id: str
    mask: int
    noun: str
    size_m: Array
    camera_from_object: Array


@dataclass(frozen=True)
class Meta:
    """One frame: intrinsics (3, 3), the picture's size, the camera's pose if it is stated, the objects."""

    matrix: Array
    size: tuple[int, int]
    world_from_camera: Array | None
    objects: tuple[Object, ...]


@dataclass(frozen=True)
class PoseLabels:
    """The objects (t) of a video over its frames (f): camera from object (t, f, 4, 4), and where known."""

    ids: list[str]
    nouns: list[str]
    sizes_m: Array
    camera_from_object: Array
    valid: Mask


def read_meta(path: Path, settings: ReadSettings, where: str, findings: ImportFindings) -> Meta:
    """Return what a meta file says. Raises InputError where it lacks the camera or the objects."""
    value = json_file(path)
    camera = value.get("camera") if isinstance(value, dict) else None
    lens = camera.get("intrinsics") if isinstance(camera, dict) else None
    lens_values = (
        _reals([lens.get(k) for k in ("fx", "fy", "cx", "cy", "width", "height")], 6)
        if isinstance(lens, dict)
        else None
    )
    objects = value.get("objects") if isinstance(value, dict) else None
    if lens_values is None or lens_values[4:].min() < 1 or lens_values[4:].max() > 20_000:
        raise InputError(
            f"{path}: expected camera.intrinsics with fx, fy, cx, cy, width, height; unpack it again"
        )
    if not isinstance(objects, dict | list) or len(objects) > MAX_OBJECTS:
        raise InputError(
            f"{path}: expected at most {MAX_OBJECTS} objects, found none or more; unpack it again"
        )
    listed = objects.items() if isinstance(objects, dict) else ((f"{i}", o) for i, o in enumerate(objects))
    found = []
    for key, entry in listed:
        made = _object(str(key), entry, settings, f"{where}: objects[{str(key)[:60]!r}]", findings)
        if made is not None:
            found.append(made)
    fx, fy, cx, cy, width, height = lens_values
    assert isinstance(camera, dict)
    return Meta(
        matrix=np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]]),
        size=(round(width), round(height)),
        world_from_camera=_pose(camera.get("quaternion"), camera.get("translation"), settings),
        objects=tuple(found),
    )


def _object(
    key: str, entry: object, settings: ReadSettings, where: str, findings: ImportFindings
) -> Object | None:
    meta = entry.get("meta") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(meta, dict):
        findings.leave_out("an object without its meta", where)
        return None
    if meta.get("is_background") is True:
        findings.leave_out("an object of the background", where)
        return None
    if entry.get("is_valid") is False:
        findings.leave_out("an object that is marked as not valid", where)
        return None
    size = _reals(meta.get("bbox_side_len"), 3)
    if size is None or size.min() <= 0:
        findings.leave_out("an object without a size", where)
        return None
    pose = _pose(entry.get("quaternion_wxyz"), entry.get("translation"), settings)
    if pose is None:
        findings.leave_out("an object whose pose is missing, or whose quaternion has not the length 1", where)
        return None
    stem, _, name = key.partition("_")
    mask = entry.get("mask_id", int(stem) if stem.isascii() and stem.isdigit() and len(stem) < 9 else 0)
    oid = meta.get("oid")
    noun = meta.get("class_name")
    return Object(
        id=str(oid if isinstance(oid, str) and oid else name or key)[:80],
        mask=mask if isinstance(mask, int) else 0,
        noun=noun[:80] if isinstance(noun, str) and noun.strip() else "object",
        size_m=size * settings.unit_m,
        camera_from_object=pose,
    )


def _pose(quaternion: object, translation: object, settings: ReadSettings) -> Array | None:
    q, t = _reals(quaternion, 4), _reals(translation, 3)
    if q is None or t is None or abs(float(np.linalg.norm(q)) - 1.0) > 0.02:
        return None
    w, x, y, z = np.roll(q, 1) if settings.quaternions == "xyzw" else q
    pose = np.eye(4)
    pose[:3, :3] = rotation_matrix((float(w), float(x), float(y), float(z)))
    pose[:3, 3] = t * settings.unit_m
    return pose


def _reals(value: object, count: int) -> Array | None:
    if not isinstance(value, list) or len(value) != count:
        return None
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e9 for v in value):
        return None
    found = np.array(value, dtype=np.float64)
    return found if np.isfinite(found).all() else None


def gathered(metas: list[Meta | None], names: list[str], findings: ImportFindings) -> PoseLabels:
    """Return the objects of all frames, each under one id; several alike are told apart by their masks."""
    doubled = {
        o.id for m in metas if m for o in m.objects if sum(o.id == other.id for other in m.objects) > 1
    }
    rows: dict[str, dict[int, Object]] = {}
    for frame, meta in enumerate(metas):
        for o in meta.objects if meta else ():
            name = f"{o.id}#{o.mask}" if o.id in doubled else o.id
            if frame in rows.setdefault(name, {}):
                findings.leave_out("a second pose of one object in one frame", f"{names[frame]}: {name}")
            else:
                rows[name][frame] = o
    ids = sorted(rows)
    if not ids:
        findings.note("an empty annotation: the scene has no objects", names[0])
    poses = np.broadcast_to(np.eye(4), (len(ids), len(metas), 4, 4)).copy()
    valid = np.zeros((len(ids), len(metas)), dtype=bool)
    sizes = np.zeros((len(ids), 3))
    for i, name in enumerate(ids):
        for frame, o in rows[name].items():
            poses[i, frame], valid[i, frame] = o.camera_from_object, True
        all_sizes = np.array([o.size_m for o in rows[name].values()])
        sizes[i] = np.median(all_sizes, axis=0)
        if np.ptp(all_sizes, axis=0).max() > 0.02 * sizes[i].max():
            findings.note("an object whose size differs from frame to frame: the median counts", name)
    return PoseLabels(ids, [next(iter(rows[n].values())).noun for n in ids], sizes, poses, valid)
