"""ScanNet: hand-held RGB-D videos of rooms, with poses and instances on the reconstructed mesh.

Ref: ScanNet: Richly-annotated 3D Reconstructions of Indoor Scenes (CVPR 2017)
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings import checks
from fathom.formats.recordings.files import (
    MAX_TEXT,
    folders,
    label,
    listed,
    parsed,
    picture_size,
    read_limited,
    stays_inside,
)
from fathom.formats.recordings.recordings import (
    FrameFile,
    ReadSettings,
    Recording,
    Video,
    recorded,
    stored_bytes,
)
from fathom.formats.recordings.scannet_boxes import Annotated, Box, annotated, box_about
from fathom.formats.recordings.scannet_depth import against_depth
from fathom.formats.recordings.scannet_streams import ScanFrame, Stream, container, exported
from fathom.formats.recordings.scenes import Sigma, camera_of, object_of, poses_of, scene_of
from fathom.geometry.poses import Array, yaw_quaternion
from fathom.records import InputError, Pose, SceneObject

FPS = 30.0
"""The sensor's rate; exported frames carry no time but their number."""

CAMERA_SIGMA = Sigma(0.02, 0.01)
BOX_SIGMA = Sigma(0.03, 0.05)

_NAME = re.compile(r"scene\d{4}_\d{2}")
_LIMITS = checks.LIMITS["indoor"]


def videos(path: Path, settings: ReadSettings) -> tuple[Video, ...]:
    """Return the scans at a path: one scan's folder, a folder of scans, or a .sens file.

    Raises InputError where there is none.
    """
    if path.is_file() and path.suffix == ".sens" and stays_inside(path, path.parent):
        return (Video(_scan_name(path), path, partial(load, path.parent, path, settings)),)
    if not path.is_dir():
        raise InputError(f"{path}: expected a scan's folder or a .sens file, found none; check the path")
    found = []
    for folder in (path, *folders(path)):
        named = folder != path or _NAME.search(path.name)
        sens = sorted(p for p in folder.glob("*.sens") if stays_inside(p, folder)) if named else []
        if (folder / "color").is_dir():
            found.append(Video(folder.name, folder, partial(load, folder, None, settings)))
        elif sens:
            found.append(Video(_scan_name(sens[0]), folder, partial(load, folder, sens[0], settings)))
    if not found:
        raise InputError(
            f"{path}: expected a folder with color/, pose/ and intrinsic/, or with a .sens file, found "
            "neither; export scans with ScanNet's reader, or name the folder that holds them"
        )
    return tuple(found)


def _scan_name(path: Path) -> str:
    match = _NAME.search(path.name)
    return match.group() if match else path.stem


def load(folder: Path, sens: Path | None, settings: ReadSettings) -> Recording:
    """Return the recording of one scan. Raises InputError, with the file, the place and a remedy."""
    findings = ImportFindings()
    name = _scan_name(sens) if sens else folder.name
    beside = _beside(folder, name, findings)
    facts = _facts(beside.get(f"{name}.txt"), findings)
    stream = container(sens, findings) if sens else exported(folder, folder, facts, findings)
    shots = _shown(stream, findings)
    where = str(stream.source)
    names = [label(s.picture.path, folder) if not sens else f"{sens.name}: frame {s.number}" for s in shots]
    _check_sizes(stream, shots, names, findings)
    checks.intrinsics(stream.intrinsic, stream.size, where)
    times, clock = _times(shots, settings, names, findings)
    matrices, good = _poses(shots, times, settings, names, where, findings)
    mesh = annotated(beside, name, findings)
    against_depth(stream, shots, matrices, good, mesh.points_m, where, findings)
    align = _alignment(facts, name, findings)
    matrices[good] = align @ matrices[good]
    objects = _objects(mesh, align, settings, name)
    camera = camera_of(stream.intrinsic, stream.size, poses_of(matrices, times.tolist(), good, CAMERA_SIGMA))
    source = {
        "dataset": "ScanNet",
        "layout": stream.layout,
        "clock": clock,
        "boxes": settings.boxes,
        "axis_aligned": "yes" if "axisAlignment" in facts else "no",
    }
    scene = scene_of("scannet", "indoor", name, times.tolist(), camera, objects, source)
    frames = [FrameFile(s.number, t, s.picture, s.depth) for s, t in zip(shots, scene.times_s, strict=True)]
    files = tuple(dict.fromkeys(label(p, folder) for p in (stream.source, *mesh.files)))
    return recorded(scene, frames, stream.layout, files, stream.read, findings)


def _poses(
    shots: list[ScanFrame],
    times: Array,
    settings: ReadSettings,
    names: list[str],
    where: str,
    findings: ImportFindings,
) -> tuple[Array, checks.Mask]:
    """Return world from camera (n, 4, 4) in the scan's own frame, and which of them are poses."""
    matrices = np.array([s.camera_to_world for s in shots])
    matrices[:, :3, 3] *= settings.unit_m
    good = checks.rigid(matrices, names, where, findings)
    if settings.poses == "world-to-camera":
        matrices[good] = checks.inverse(matrices[good])
    return matrices, checks.path(matrices, good, times, _LIMITS, names, where, findings)


def _beside(folder: Path, name: str, findings: ImportFindings) -> dict[str, Path]:
    """Return the scan's files of annotation, which lie in its folder or next to it."""
    found = {n: p for n, p in listed(folder.parent, folder.parent, findings).items() if n.startswith(name)}
    return {**found, **listed(folder, folder, findings)}


def _facts(path: Path | None, findings: ImportFindings) -> dict[str, str]:
    """Return the lines "key = value" of a scan's text; nothing where there is none."""
    if path is None:
        return {}
    lines = read_limited(path, MAX_TEXT).decode("utf-8", "replace").splitlines()
    found: dict[str, str] = {}
    for line in lines:
        key, equals, value = line.partition("=")
        if equals:
            found[key.strip()] = value.strip()
        elif line.strip():
            findings.note("a line without a value", path.name, line)
    return found


def _alignment(facts: dict[str, str], name: str, findings: ImportFindings) -> Array:
    text = facts.get("axisAlignment")
    if text is None:
        findings.note("no axisAlignment: walls may stand askew to the world's axes", f"{name}.txt")
        return np.eye(4)
    where = f"{name}.txt: axisAlignment"
    matrix = parsed(text, 16, where).reshape(1, 4, 4)
    checks.rigid(matrix, [where], where, findings)
    if matrix[0, 2, 2] < 0.9:
        raise InputError(f"{where}: expected a turn about the vertical, found another; fetch the file again")
    return np.asarray(matrix[0])


def _shown(stream: Stream, findings: ImportFindings) -> list[ScanFrame]:
    """Return the frames with a picture of their own: neighbours alike in picture and pose count once."""
    shots: list[ScanFrame] = []
    for shot in stream.shots:
        if shot.picture.offset and not shot.picture.size:
            continue
        if shots and _same(shots[-1], shot):
            alike = np.array_equal(shots[-1].camera_to_world, shot.camera_to_world)
            where = f"{shot.picture.path.name}" + (f": frame {shot.number}" if shot.picture.offset else "")
            if alike:
                findings.leave_out("a frame that doubles the one before it", where)
                continue
            findings.note("a picture that is that of the frame before, under another pose", where)
        shots.append(shot)
    if not shots:
        raise InputError(f"{stream.source}: no frame has a picture; export the scan again")
    return shots


def _same(a: ScanFrame, b: ScanFrame) -> bool:
    try:
        sizes = [s.picture.size or s.picture.path.stat().st_size for s in (a, b)]
        return sizes[0] == sizes[1] and stored_bytes(a.picture) == stored_bytes(b.picture)
    except (OSError, InputError):
        return False


def _check_sizes(stream: Stream, shots: list[ScanFrame], names: list[str], findings: ImportFindings) -> None:
    """Check a few pictures against the size that the intrinsics are for."""
    for i in sorted({0, len(shots) // 2, len(shots) - 1}):
        try:
            size = picture_size(shots[i].picture)
        except InputError as e:
            if i == 0:
                raise
            findings.note("a picture that cannot be read", names[i], str(e))
            continue
        if size != stream.size:
            raise InputError(
                f"{stream.source}: {names[i]}: expected a picture of {stream.size[0]} × {stream.size[1]}, "
                f"found {size[0]} × {size[1]}: frames are of different exports; export the scan again"
            )


def _times(
    shots: list[ScanFrame], settings: ReadSettings, names: list[str], findings: ImportFindings
) -> tuple[Array, str]:
    """Return the frames' times from 0 on: the sensor's where they can be, else by their numbers."""
    fps = settings.fps or FPS
    by_number = (np.array([s.number for s in shots], dtype=np.float64) - shots[0].number) / fps
    stamps = np.array([s.stamp_us for s in shots], dtype=np.float64) / 1e6
    if settings.fps or not stamps.any():
        if not stamps.any():
            findings.note(f"no times: frames are counted at {fps:g} a second by their numbers", names[0])
        return by_number, "counted"
    times, how = checks.clock(stamps, fps, names, findings)
    return (times, how) if how == "stated" else (by_number, how)


def _objects(mesh: Annotated, align: Array, settings: ReadSettings, name: str) -> list[SceneObject]:
    turned = [i.points_m @ align[:3, :3].T + align[:3, 3] for i in mesh.instances]
    boxes = [box_about(points, settings.boxes == "oriented") for points in turned]
    extents = np.array([b.size_m for b in boxes]).reshape(-1, 3)
    checks.sizes(extents, _LIMITS, f"{name}: the annotated mesh", "divide its vertices by 1000")
    return [
        object_of(f"{_slug(i.label)}-{i.number}", i.label, box.size_m, (_standing(box),), front=False)
        for i, box in zip(mesh.instances, boxes, strict=True)
        if bool(_sound(box.size_m))
    ]


def _sound(size_m: Array) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(size_m).all() and (size_m > 0).any())


def _standing(box: Box) -> Pose:
    x, y, z = (round(float(v), 6) for v in box.base_m)
    return Pose(
        position_m=(x, y, z),
        rotation_wxyz=yaw_quaternion(box.heading_rad),
        position_sigma_m=BOX_SIGMA.position_m,
        rotation_sigma_rad=BOX_SIGMA.rotation_rad,
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "object"
