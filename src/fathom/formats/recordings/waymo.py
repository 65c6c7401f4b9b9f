"""Waymo: twenty seconds of driving at ten frames a second, from the front camera, with boxes from lidar.

Ref: Scalability in Perception for Autonomous Driving: Waymo Open Dataset (CVPR 2020)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings import checks
from fathom.formats.recordings.files import folders
from fathom.formats.recordings.recordings import FrameFile, Place, ReadSettings, Recording, Video, recorded
from fathom.formats.recordings.scenes import CV_FROM_FLU, Sigma, camera_of, object_of, poses_of, scene_of
from fathom.formats.recordings.waymo_checks import against_flat, against_speeds, standing, upright_camera
from fathom.formats.recordings.waymo_tables import (
    IMAGE,
    KINDS,
    NEEDED,
    BoxTable,
    Calibration,
    Shots,
    calibration,
    flat_boxes,
    labels,
    segments,
    shots,
    vehicle_poses,
)
from fathom.geometry.poses import Array
from fathom.geometry.rigid import nearest_rotations
from fathom.records import InputError, SceneObject

FPS = 10.0
LAYOUT = "parquet v2"
CAMERA_SIGMA = Sigma(0.05, 0.005)
BOX_SIGMA = Sigma(0.10, 0.03)
MOST_OFFSET_S = 0.2
"""More than any camera's picture lies away from the sweep that it belongs to."""

_LIMITS = checks.LIMITS["outdoor"]
_SPLITS = ("training", "validation", "testing", "testing_location")


@dataclass(frozen=True)
class WaymoFrames:
    """The frames that have a picture, in the order of time, with what is known of each.

    `vehicle` is world from vehicle at `stamps_us`; `shown_s` says when the picture was taken, from the first
    frame on, and `shown` is world from vehicle then.
    """

    stamps_us: NDArray[np.int64]
    vehicle: Array
    shown_s: Array
    shown: Array
    good: checks.Mask
    places: list[Place]
    names: list[str]

    @property
    def swept_s(self) -> Array:
        """When the lidar's sweep, and with it the boxes, begins, from the first frame on."""
        return np.asarray((self.stamps_us - self.stamps_us[0]) / 1e6)


def videos(path: Path, settings: ReadSettings) -> tuple[Video, ...]:
    """Return the segments at a path that holds components, or splits of them.

    Raises InputError where there is none, and for frames of version 1.
    """
    if (path.is_file() and path.suffix == ".tfrecord") or (path.is_dir() and any(path.glob("*.tfrecord"))):
        raise InputError(
            f"{path}: these are frames of version 1 (TFRecord), which need an old TensorFlow to be read; "
            "fetch the same segments of version 2 (Parquet, the components camera_image, "
            "camera_calibration, vehicle_pose and lidar_box), where they have the same names"
        )
    if not path.is_dir():
        raise InputError(f"{path}: expected a folder with camera_image/ and other components, found none")
    inner = [f for f in folders(path) if f.name in _SPLITS]
    found = [
        Video(f"segment-{name}_camera_front", folder, partial(load, name, files, settings))
        for folder in (path, *inner)
        for name, files in segments(folder)
    ]
    if not found:
        raise InputError(
            f"{path}: expected camera_image/SEGMENT.parquet and the like, found none; name the folder that "
            "holds the components of version 2 of the perception dataset"
        )
    return tuple(found)


def load(segment: str, files: dict[str, Path], settings: ReadSettings) -> Recording:
    """Return the recording of one segment. Raises InputError, with the file, the place and a remedy."""
    findings = ImportFindings()
    lacking = [c for c in NEEDED if c not in files]
    if lacking:
        raise InputError(
            f"{files.get('camera_image', segment)}: expected {lacking[0]}/{segment}.parquet beside it, "
            "found none; fetch that component too"
        )
    lens, mount = _lens(files["camera_calibration"], segment, settings, findings)
    frames, read = _frames(files, segment, settings, findings)
    boxes = _sound(labels(files["lidar_box"], segment), settings, str(files["lidar_box"]), findings)
    checks.sizes(boxes.sizes_m[boxes.kinds == 1], _LIMITS, str(files["lidar_box"]))
    flat = flat_boxes(files, segment, findings)
    if flat is not None:
        against_flat(flat, boxes, lens, mount, str(files["lidar_box"]), findings)
    posed = str(files["vehicle_pose"])
    still = standing(frames.stamps_us, frames.vehicle, frames.good, boxes, posed, findings)
    origin = frames.shown[np.flatnonzero(frames.good)[0], :3, 3].copy()
    matrices = np.where(frames.good[:, None, None], frames.shown, 0.0) @ mount
    matrices[:, :3, :3] = matrices[:, :3, :3] @ CV_FROM_FLU.T
    matrices[:, :3, 3] -= origin
    times = frames.shown_s - frames.shown_s[0]
    good = checks.path(matrices, frames.good, times, _LIMITS, frames.names, posed, findings)
    objects = _objects(frames, boxes, origin, still, times, findings)
    camera = camera_of(lens.matrix, lens.size, poses_of(matrices, times.tolist(), good, CAMERA_SIGMA))
    source = {
        "dataset": "Waymo Open Dataset, perception",
        "layout": LAYOUT,
        "clock": "stated",
        "distortion": " ".join(f"{v:.6g}" for v in lens.distortion),
    }
    name = f"segment-{segment}_camera_front"
    scene = scene_of("waymo", "outdoor", name, times.tolist(), camera, objects, source)
    shown = enumerate(zip(scene.times_s, frames.places, strict=True))
    pictured = [FrameFile(i, t, place) for i, (t, place) in shown]
    return recorded(scene, pictured, LAYOUT, [f"{c}/{p.name}" for c, p in files.items()], read, findings)


def _lens(
    path: Path, segment: str, settings: ReadSettings, findings: ImportFindings
) -> tuple[Calibration, Array]:
    """Return the front camera, and vehicle from camera (4, 4) in metres."""
    lens = calibration(path, segment)
    checks.intrinsics(lens.matrix, lens.size, str(path))
    return lens, upright_camera(lens.vehicle_from_camera * _unit(settings), str(path), findings)


def _unit(settings: ReadSettings) -> Array:
    scale = np.ones((4, 4))
    scale[:3, 3] = settings.unit_m
    return scale


def _frames(
    files: dict[str, Path], segment: str, settings: ReadSettings, findings: ImportFindings
) -> tuple[WaymoFrames, int]:
    seen = shots(files["camera_image"], segment)
    stamps, vehicle = vehicle_poses(files["vehicle_pose"], segment)
    where = str(files["camera_image"])
    if not len(seen.stamps_us):
        raise InputError(f"{where}: expected pictures of the front camera, found none; fetch the file again")
    _check_clock(seen.stamps_us, where)
    order = _ordered(seen.stamps_us, where, findings)
    pose_at = {int(s): m for s, m in zip(stamps[::-1], vehicle[::-1], strict=True)}
    if len(pose_at) < len(stamps):
        findings.leave_out(
            "a second pose of one time", str(files["vehicle_pose"]), f"{len(stamps) - len(pose_at)}"
        )
    pictured = set(seen.stamps_us.tolist())
    for stamp in sorted(set(pose_at) - pictured):
        findings.leave_out("a frame without its picture", f"{segment}: {stamp} µs")
    chosen = seen.stamps_us[order]
    names = [f"{segment}: {s} µs" for s in chosen.tolist()]
    matrices = np.array([pose_at.get(int(s), np.full((4, 4), np.nan)) for s in chosen]) * _unit(settings)
    good = checks.rigid(matrices, names, str(files["vehicle_pose"]), findings)
    if settings.poses == "world-to-camera":
        matrices[good] = checks.inverse(matrices[good])
    shown_s, shown = _when_shown(seen, order, matrices, good, settings, names, findings)
    places = [
        Place(files["camera_image"], row_group=int(seen.groups[i]), row=int(seen.rows[i]), column=IMAGE)
        for i in order
    ]
    return WaymoFrames(chosen, matrices, shown_s, shown, good, places, names), len(pictured | set(pose_at))


def _check_clock(stamps_us: NDArray[np.int64], where: str) -> None:
    alone = np.unique(stamps_us)
    if len(alone) == 1 < len(stamps_us):
        raise InputError(
            f"{where}: all {len(stamps_us):,} frames have the time {alone[0]} µs: the clock stands still, "
            "and boxes cannot be told apart by time; fetch the file again"
        )
    step = float(np.median(np.diff(alone))) / 1e6 if len(alone) > 1 else 1 / FPS
    if not 0.01 <= step <= 2.0:
        unit = "nanoseconds" if step > 2.0 else "milliseconds or seconds"
        raise InputError(
            f"{where}: frames are {step:g} s apart when {'key.frame_timestamp_micros'} is read as "
            f"microseconds: it holds {unit}, or frames of other segments; write it in microseconds"
        )


def _ordered(stamps_us: NDArray[np.int64], where: str, findings: ImportFindings) -> list[int]:
    order = np.argsort(stamps_us, kind="stable")
    if not np.array_equal(order, np.arange(len(order))):
        findings.add("corrected", "frames in another order than their times, which are sorted", where)
    kept: list[int] = []
    for i in order.tolist():
        if kept and stamps_us[kept[-1]] == stamps_us[i]:
            findings.leave_out("a second picture of one time", where, f"{stamps_us[i]} µs")
        else:
            kept.append(i)
    return kept


def _when_shown(
    seen: Shots,
    order: list[int],
    vehicle: Array,
    good: checks.Mask,
    settings: ReadSettings,
    names: list[str],
    findings: ImportFindings,
) -> tuple[Array, Array]:
    """Return when each picture was taken, and world from vehicle then; the sweep's where it is not said."""
    swept = (seen.stamps_us[order] - seen.stamps_us[order[0]]) / 1e6
    stated = seen.pose_stamps_s[order] - seen.stamps_us[order[0]] / 1e6
    own = seen.world_from_vehicle[order] * _unit(settings)
    sound = np.isfinite(own).all(axis=(1, 2)) & np.isfinite(stated) & good
    near = np.abs(np.where(sound, stated - swept, 0.0)) <= MOST_OFFSET_S
    apart = np.linalg.norm(np.where(sound[:, None], own[:, :3, 3] - vehicle[:, :3, 3], 0.0), axis=1)
    near &= apart <= _LIMITS.camera_mps * MOST_OFFSET_S
    usable = bool(sound[good].all() and near.all()) and settings.poses == "camera-to-world"
    times = np.where(sound, stated, swept)
    if usable and (np.diff(times) > 0).all():
        own[sound] = _square(own[sound])
        return times, np.where(sound[:, None, None], own, vehicle)
    findings.note("no usable times of the pictures: they count as taken when the sweep begins", names[0])
    return swept, vehicle


def _square(matrices: Array) -> Array:
    """Return transforms with their rotations made exactly orthonormal."""
    result = matrices.copy()
    result[:, :3, :3] = nearest_rotations(matrices[:, :3, :3])
    return result


def _sound(found: BoxTable, settings: ReadSettings, where: str, findings: ImportFindings) -> BoxTable:
    """Return the boxes that have all numbers and a size, one an object and time, in metres."""
    scale = settings.unit_m
    whole = np.isfinite(found.centres_m).all(axis=1) & np.isfinite(found.headings_rad)
    whole &= np.isfinite(found.sizes_m).all(axis=1) & (np.nan_to_num(found.sizes_m) > 0).all(axis=1)
    for i in np.flatnonzero(~whole).tolist():
        findings.leave_out("a box without a place or a size", f"{where}: row {i}", found.ids[i])
    known: set[tuple[int, str]] = set()
    kept = []
    for i in np.flatnonzero(whole).tolist():
        key = (int(found.stamps_us[i]), found.ids[i])
        if key in known:
            findings.leave_out("a second box of one object at one time", f"{where}: row {i}", found.ids[i])
            continue
        known.add(key)
        kept.append(i)
    if not found.ids:
        findings.note("an empty annotation: the scene has no objects", where)
    return BoxTable(
        stamps_us=found.stamps_us[kept],
        ids=[found.ids[i] for i in kept],
        kinds=found.kinds[kept],
        centres_m=found.centres_m[kept] * scale,
        sizes_m=found.sizes_m[kept] * scale,
        headings_rad=found.headings_rad[kept],
        speeds_mps=found.speeds_mps[kept] * scale,
    )


def _objects(
    frames: WaymoFrames,
    boxes: BoxTable,
    origin: Array,
    still: set[str],
    times: Array,
    findings: ImportFindings,
) -> list[SceneObject]:
    frame_of = {int(s): i for i, s in enumerate(frames.stamps_us)}
    rows: dict[str, list[tuple[int, int]]] = {}
    for row, (stamp, name) in enumerate(zip(boxes.stamps_us.tolist(), boxes.ids, strict=True)):
        frame = frame_of.get(stamp)
        if frame is None or not frames.good[frame]:
            findings.leave_out("a box at a time that has no frame or no pose", f"{name}: {stamp} µs")
        else:
            rows.setdefault(name, []).append((frame, row))
    made = []
    for name, places in sorted(rows.items()):
        if len(places) == 1:
            findings.note("an object in one frame only: nothing can be said of its motion", name)
        made.append(_object(name, sorted(places), frames, boxes, origin, name in still, times, findings))
    return made


def _object(
    name: str,
    places: list[tuple[int, int]],
    frames: WaymoFrames,
    boxes: BoxTable,
    origin: Array,
    still: bool,
    times: Array,
    findings: ImportFindings,
) -> SceneObject:
    at, rows = np.array([f for f, _ in places]), np.array([r for _, r in places])
    size = np.median(boxes.sizes_m[rows], axis=0)
    local = np.broadcast_to(np.eye(4), (len(at), 4, 4)).copy()
    c, s = np.cos(boxes.headings_rad[rows]), np.sin(boxes.headings_rad[rows])
    local[:, 0, 0], local[:, 0, 1], local[:, 1, 0], local[:, 1, 1] = c, -s, s, c
    local[:, :3, 3] = boxes.centres_m[rows] - (0.0, 0.0, size[2] / 2)
    world = frames.vehicle[at] @ local
    world[:, :3, 3] += _drift(frames, at, world[:, :3, 3]) - origin
    against_speeds(name, frames.swept_s[at], world[:, :3, 3], boxes.speeds_mps[rows], findings)
    matrices = np.broadcast_to(np.eye(4), (len(times), 4, 4)).copy()
    matrices[at] = world
    valid = np.zeros(len(times), dtype=bool)
    valid[at] = True
    spread = float(np.sqrt(world[:, :3, 3].var(axis=0).sum())) if still and len(at) > 2 else 0.0
    sigma = Sigma(max(BOX_SIGMA.position_m, min(spread, 1.0)), BOX_SIGMA.rotation_rad)
    kinds, counts = np.unique(boxes.kinds[rows], return_counts=True)
    noun = KINDS.get(int(kinds[counts.argmax()]), "unknown")
    return object_of(name, noun, size.tolist(), poses_of(matrices, times.tolist(), valid, sigma), front=True)


def _drift(frames: WaymoFrames, at: NDArray[np.int64], world_m: Array) -> Array:
    """Return (n, 3) metres that an object goes from the sweep to the picture, by its track's own speed."""
    swept = frames.swept_s[at]
    late = frames.shown_s[at] - swept
    if len(at) < 2:
        return np.zeros_like(world_m)
    velocity = np.gradient(world_m, swept, axis=0)
    gap = np.minimum(np.gradient(swept), 10.0)
    velocity[gap > 3 / FPS] = 0.0
    return np.asarray(velocity * late[:, None])
