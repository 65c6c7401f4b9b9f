"""Whether Waymo's poses, boxes and pictures belong together: parked cars stay put, boxes fall on objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings import checks
from fathom.formats.recordings.scenes import CV_FROM_FLU
from fathom.formats.recordings.waymo_tables import BoxTable, Calibration, Flat
from fathom.geometry.poses import Array
from fathom.records import InputError

STILL_MPS = 0.3
"""Below this an object stands; annotations of parked cars stray by about as much from frame to frame."""

FEW = 12
MOST_MPS = 70.0


def upright_camera(vehicle_from_camera: Array, where: str, findings: ImportFindings) -> Array:
    """Return vehicle from camera where it can be that of a camera on a car that looks ahead.

    Camera axes are x forward, y left, z up. Raises InputError for one that is inverted, has OpenCV's axes, is
    left-handed, or stands no rigid transform.
    """
    named = f"{where}: the front camera's extrinsic"
    checks.rigid(vehicle_from_camera[None], [named], named, findings)
    ahead, height = vehicle_from_camera[0, 0], vehicle_from_camera[2, 3]
    if abs(vehicle_from_camera[:3, 3]).max() > 20.0:
        raise InputError(
            f"{named}: the camera stands {abs(vehicle_from_camera[:3, 3]).max():,.0f} m from the vehicle's "
            "middle: lengths are millimeters written as meters; divide them by 1000, or set unit_m to 0.001"
        )
    if ahead < 0.5 and vehicle_from_camera[0, 2] > 0.5:
        raise InputError(
            f"{named}: has OpenCV's axes (z forward), expected the dataset's own (x forward, y left, z up); "
            "turn it back"
        )
    if ahead < 0.5 or height < 0:
        raise InputError(
            f"{named}: the camera looks back or stands below the ground: it is vehicle-to-camera, expected "
            "camera-to-vehicle; invert it"
        )
    return vehicle_from_camera


def standing(
    stamps_us: NDArray[np.int64],
    vehicle: Array,
    good: checks.Mask,
    boxes: BoxTable,
    where: str,
    findings: ImportFindings,
) -> set[str]:
    """Return the objects that stand still all the time that they are seen.

    Raises InputError where objects stand still only when the vehicle's poses are inverted.
    """
    steps = _steps(stamps_us, vehicle, good, boxes, inverted=False)
    if len(steps) < FEW:
        findings.note("too few objects in successive frames to hold the poses against", where)
    else:
        turned = _steps(stamps_us, vehicle, good, boxes, inverted=True)
        as_given, other = (float(np.median([v for _, v, _ in s])) for s in (steps, turned))
        slow = [v for _, v, stated in steps if stated < STILL_MPS]
        moved = float(np.median(slow)) if len(slow) >= FEW else as_given
        if moved > 1.0 and other < 0.5 * as_given:
            raise InputError(
                f"{where}: poses are inverted: objects that stand still move at {moved:.1f} m/s when they "
                f"are read as vehicle-to-world, and at {other:.1f} m/s the other way round; invert them, or "
                "set poses to world-to-camera"
            )
        if moved > 3.0 and len(slow) >= FEW:
            raise InputError(
                f"{where}: objects whose own speed is 0 move at {moved:.1f} m/s: poses belong to other "
                "frames, or frames are shuffled; match them by key.frame_timestamp_micros"
            )
    fastest: dict[str, float] = {}
    for name, speed, _ in steps:
        fastest[name] = max(fastest.get(name, 0.0), speed)
    return {name for name, speed in fastest.items() if speed < 4 * STILL_MPS}


def _steps(
    stamps_us: NDArray[np.int64], vehicle: Array, good: checks.Mask, boxes: BoxTable, inverted: bool
) -> list[tuple[str, float, float]]:
    """Return, for each object and pair of successive frames, its speed over the ground and the stated one."""
    known = {int(s): m for s, m, g in zip(stamps_us, vehicle, good, strict=True) if g}
    if inverted:
        known = dict(zip(known, checks.inverse(np.array(list(known.values()))), strict=True))
    last: dict[str, tuple[int, Array]] = {}
    found = []
    for row in np.argsort(boxes.stamps_us, kind="stable").tolist():
        stamp, name = int(boxes.stamps_us[row]), boxes.ids[row]
        pose = known.get(stamp)
        if pose is None:
            continue
        at = pose[:3, :3] @ boxes.centres_m[row] + pose[:3, 3]
        before = last.get(name)
        if before is not None and 0 < stamp - before[0] < 300_000:
            stated = float(np.linalg.norm(boxes.speeds_mps[row]))
            speed = float(np.linalg.norm(at - before[1])) / ((stamp - before[0]) / 1e6)
            found.append((name, speed, stated if np.isfinite(stated) else np.inf))
        last[name] = (stamp, at)
    return found


def against_flat(
    flat: Flat, boxes: BoxTable, lens: Calibration, mount: Array, where: str, findings: ImportFindings
) -> None:
    """Check that boxes, projected, fall on the boxes in the pictures that are of the same objects.

    Raises InputError where hardly any do.
    """
    row_of = {(int(s), n): i for i, (s, n) in enumerate(zip(boxes.stamps_us, boxes.ids, strict=True))}
    pairs = [
        (row_of.get((int(s), n)), k) for k, (s, n) in enumerate(zip(flat.stamps_us, flat.ids, strict=True))
    ]
    chosen = [(r, k) for r, k in pairs if r is not None and np.isfinite(flat.centres_px[k]).all()]
    if len(chosen) < FEW:
        findings.note("too few boxes in the pictures to hold the labels against", where)
        return
    at = boxes.centres_m[[r for r, _ in chosen]]
    local = (at - mount[:3, 3]) @ mount[:3, :3] @ CV_FROM_FLU.T
    ahead = local[:, 2] > 1.0
    safe = np.where(ahead, local[:, 2], 1.0)
    pixels = (local[:, :2] / safe[:, None]) * np.diag(lens.matrix)[:2] + lens.matrix[:2, 2]
    middle, size = flat.centres_px[[k for _, k in chosen]], flat.sizes_px[[k for _, k in chosen]]
    # A box that the picture's edge cuts has its middle elsewhere than its object.
    hit = ahead & (np.abs(pixels - middle) <= 0.6 * size + 40.0).all(axis=1)
    if hit.mean() < 0.5:
        raise InputError(
            f"{where}: only {hit.mean():.0%} of {len(chosen):,} boxes fall on the boxes in the pictures "
            "that are of the same objects: labels, calibration and pictures are of different frames or "
            "axes; fetch the components of one release"
        )


def against_speeds(
    name: str, times_s: Array, at_m: Array, stated_mps: Array, findings: ImportFindings
) -> None:
    """Note where a track and the stated speed disagree. Raises InputError for one faster than can be."""
    if len(times_s) < 3:
        return
    velocity = np.gradient(at_m, times_s, axis=0)
    speed = np.linalg.norm(velocity, axis=1)
    if float(np.median(speed)) > MOST_MPS:
        raise InputError(
            f"{name}: goes at {float(np.median(speed)):,.0f} m/s, at most {MOST_MPS:g} can be: times or "
            "lengths are in another unit, or frames are shuffled; fetch the component again"
        )
    known = np.isfinite(stated_mps).all(axis=1)
    if known.any():
        apart = np.abs(speed[known] - np.linalg.norm(stated_mps[known], axis=1))
        if float(np.median(apart)) > max(1.0, 0.2 * float(np.median(speed))):
            findings.note(
                "a track whose speed is not the one that is stated",
                name,
                f"{float(np.median(apart)):.1f} m/s apart",
            )
