"""Omni6DPose: videos of things on tables, with each one's pose in every frame's camera (ROPE, the real part).

Ref: Omni6DPose: A Benchmark and Model for Universal 6D Object Pose Estimation and Tracking (ECCV 2024)
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings import checks
from fathom.formats.recordings.files import folders, label, listed, number_in, picture_size
from fathom.formats.recordings.omni6dpose_meta import Meta, PoseLabels, gathered, read_meta
from fathom.formats.recordings.omni6dpose_world import RecoveredWorld, still_world
from fathom.formats.recordings.recordings import FrameFile, Place, ReadSettings, Recording, Video, recorded
from fathom.formats.recordings.scenes import Sigma, camera_of, object_of, poses_of, scene_of
from fathom.geometry.poses import Array
from fathom.records import InputError, SceneObject

FPS = 30.0
"""The camera's rate; frames carry no time but their number."""

SIGMA = Sigma(0.003, 0.02)
"""At least; the residual of the alignment raises it."""

_NAME = re.compile(r"(\d{4,6})_(color\.png|meta\.json|depth\.exr)")
_LIMITS = checks.LIMITS["desktop"]

OBJECT_FROM_THING: Array = np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
"""The dataset's objects stand with y up; here x is forward (their z), y left (their x), z up (their y)."""


def videos(path: Path, settings: ReadSettings) -> tuple[Video, ...]:
    """Return the scenes at a path: one scene's folder, or a folder of them such as ROPE.

    Raises InputError where there is none.
    """
    if not path.is_dir():
        raise InputError(f"{path}: expected a folder of scenes, found none; check the path")
    inner = list(folders(path))
    rope = [f for f in inner if f.name == "ROPE"]
    candidates = [path, *inner, *(s for r in rope for s in folders(r))]
    found = [
        Video(folder.name, folder, partial(load, folder, settings))
        for folder in candidates
        if any(_NAME.fullmatch(p.name) for p in folder.glob("*_meta.json"))
    ]
    if not found:
        raise InputError(
            f"{path}: expected scenes such as 000000/000000_meta.json and 000000_color.png, found none; "
            "unpack meta.zip and color.zip of each scene of ROPE in its own folder"
        )
    return tuple(found)


def load(folder: Path, settings: ReadSettings) -> Recording:
    """Return the recording of one scene. Raises InputError, with the file, the place and a remedy."""
    findings = ImportFindings()
    files = _files(folder, findings)
    shown = _shown(files, folder, findings)
    metas = [_meta(files[n].get("meta.json"), settings, folder, findings) for n in shown]
    names = [f"{folder.name}/{n:06d}" for n in shown]
    first = next((m for m in metas if m is not None), None)
    if first is None:
        raise InputError(f"{folder}: no frame has a meta file that can be read; unpack meta.zip again")
    _check_lens(metas, first, files, shown, names)
    found = gathered(metas, names, findings)
    checks.sizes(found.sizes_m, _LIMITS, str(folder))
    world = still_world(found, metas, names, str(folder), findings)
    times = (np.array(shown, dtype=np.float64) - shown[0]) / (settings.fps or FPS)
    findings.note(
        f"no times: frames are counted at {settings.fps or FPS:g} a second by their numbers", names[0]
    )
    good = checks.path(world.camera, world.known, times, _LIMITS, names, str(folder), findings)
    sigma = Sigma(max(SIGMA.position_m, world.residual_m), max(SIGMA.rotation_rad, world.residual_rad))
    camera = camera_of(first.matrix, first.size, poses_of(world.camera, times.tolist(), good, sigma))
    objects = [_object(i, found, world, times.tolist(), good, findings) for i in range(len(found.ids))]
    source = {
        "dataset": "Omni6DPose",
        "layout": "ROPE",
        "clock": "counted",
        "world": world.how,
        "up": world.up,
        "residual_m": f"{world.residual_m:.6f}",
    }
    scene = scene_of("omni6dpose", "desktop", folder.name, times.tolist(), camera, objects, source)
    frames = [_frame(n, t, files[n]) for n, t in zip(shown, scene.times_s, strict=True)]
    return recorded(scene, frames, "ROPE", [folder.name], len(files), findings)


def _files(folder: Path, findings: ImportFindings) -> dict[int, dict[str, Path]]:
    found: dict[int, dict[str, Path]] = {}
    for name, path in listed(folder, folder, findings).items():
        match = _NAME.fullmatch(name)
        number = number_in(match.group(1)) if match else None
        if match is None or number is None:
            continue
        kind = match.group(2)
        if kind in found.setdefault(number, {}):
            findings.leave_out("a second file of one frame", label(path, folder))
        else:
            found[number][kind] = path
    return dict(sorted(found.items()))


def _shown(files: dict[int, dict[str, Path]], folder: Path, findings: ImportFindings) -> list[int]:
    """Return the numbers of the frames that have a picture, those that double the one before passed over."""
    shown: list[int] = []
    for number, kinds in files.items():
        if "color.png" not in kinds:
            findings.leave_out("a frame without its picture", f"{folder.name}/{number:06d}")
        elif shown and _same(files[shown[-1]], kinds):
            findings.leave_out("a frame that doubles the one before it", label(kinds["color.png"], folder))
        else:
            shown.append(number)
    if not shown:
        raise InputError(
            f"{folder}: expected pictures such as 000000_color.png, found none; unpack color.zip there"
        )
    return shown


def _same(a: dict[str, Path], b: dict[str, Path]) -> bool:
    try:
        return all(
            k in a
            and k in b
            and a[k].stat().st_size == b[k].stat().st_size
            and a[k].read_bytes() == b[k].read_bytes()
            for k in ("meta.json", "color.png")
        )
    except OSError:
        return False


def _meta(path: Path | None, settings: ReadSettings, folder: Path, findings: ImportFindings) -> Meta | None:
    if path is None:
        return None
    try:
        return read_meta(path, settings, label(path, folder), findings)
    except InputError as e:
        findings.add(
            "corrected", "a meta file that cannot be read: its frame has no pose", label(path, folder), str(e)
        )
        return None


def _check_lens(
    metas: list[Meta | None],
    first: Meta,
    files: dict[int, dict[str, Path]],
    shown: list[int],
    names: list[str],
) -> None:
    """Check the intrinsics, and that they are those of every frame and of the picture's size."""
    checks.intrinsics(first.matrix, first.size, names[metas.index(first)])
    for meta, name in zip(metas, names, strict=True):
        if meta is not None and (meta.size != first.size or np.abs(meta.matrix - first.matrix).max() > 2.0):
            raise InputError(
                f"{name}: other intrinsics than those of {names[metas.index(first)]}: frames are of several "
                "videos; put each in its own folder"
            )
    path = files[shown[0]]["color.png"]
    size = picture_size(Place(path))
    if size != first.size:
        raise InputError(
            f"{path}: expected a picture of {first.size[0]} × {first.size[1]}, as the intrinsics are for, "
            f"found {size[0]} × {size[1]}; unpack the pictures as they were published"
        )


def _frame(number: int, time_s: float, files: dict[str, Path]) -> FrameFile:
    depth = files.get("depth.exr")
    return FrameFile(number, time_s, Place(files["color.png"]), Place(depth) if depth else None)


def _object(
    i: int,
    found: PoseLabels,
    world: RecoveredWorld,
    times_s: list[float],
    good: checks.Mask,
    findings: ImportFindings,
) -> SceneObject:
    valid = found.valid[i] & good
    seen = int(valid.sum())
    if seen == 1:
        findings.note("an object in one frame only: nothing can be said of its motion", found.ids[i])
    x, y, z = found.sizes_m[i]
    base = np.eye(4)
    base[1, 3] = -y / 2
    moves = bool(world.moves[i])
    sigma = Sigma(
        max(SIGMA.position_m, float(world.strays_m[i])), max(SIGMA.rotation_rad, float(world.strays_rad[i]))
    )
    if moves:
        poses = poses_of(world.tracks[i] @ base @ OBJECT_FROM_THING, times_s, valid, sigma)
    else:
        standing = (world.standing[i] @ base @ OBJECT_FROM_THING)[None]
        poses = poses_of(standing, times_s[:1], np.array([seen > 0]), sigma)
    return object_of(found.ids[i], found.nouns[i], (float(z), float(x), float(y)), poses, front=False)
