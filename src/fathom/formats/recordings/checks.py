"""Whether poses can be those of a camera in the world, and what is the matter where they cannot.

Each check raises InputError that names the fault and how to fix it, or returns which frames to pass over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.geometry.poses import Array
from fathom.records import InputError

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class RecordingLimits:
    """What a recording of one scale cannot go beyond."""

    camera_mps: float
    camera_extent_m: float
    object_m: float


LIMITS: dict[Literal["desktop", "indoor", "outdoor"], RecordingLimits] = {
    "desktop": RecordingLimits(camera_mps=4.0, camera_extent_m=20.0, object_m=3.0),
    "indoor": RecordingLimits(camera_mps=6.0, camera_extent_m=100.0, object_m=40.0),
    "outdoor": RecordingLimits(camera_mps=70.0, camera_extent_m=20_000.0, object_m=60.0),
}

MANY = 0.1
"""Above this share of frames a fault is one of the whole recording."""

ABSURD = 1e12
"""No length, angle or time of a recording has a value beyond this: it counts as missing."""

_ORTHONORMAL = 0.02
_FOLLOWS = 8


def rigid(matrices: Array, names: list[str], where: str, findings: ImportFindings) -> Mask:
    """Return which of (n, 4, 4) matrices are poses; the others are reported.

    Raises InputError where most are left-handed, transposed or no rigid transforms, and where none is left.
    """
    finite: Mask = np.asarray((np.abs(matrices) < ABSURD).all(axis=(1, 2)))
    safe = np.where(finite[:, None, None], matrices, np.eye(4))
    missing: Mask = np.asarray(~finite | (np.abs(safe[:, :3, :3]) < 1e-12).all(axis=(1, 2)))
    last_row = np.abs(safe[:, 3] - (0, 0, 0, 1)).max(axis=1) > 1e-3
    last_column = np.abs(safe[:, :, 3] - (0, 0, 0, 1)).max(axis=1) > 1e-3
    turn = np.clip(safe[:, :3, :3], -1e6, 1e6)
    skewed = np.abs(turn @ turn.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2)) > _ORTHONORMAL
    mirrored = ~skewed & (np.linalg.det(turn) < 0)
    given = ~missing
    _many(
        given & last_row & ~last_column, given, f"{where}: poses are transposed (the translation stands in "
        "the last row); write them row by row, with the translation in the last column",
    )  # fmt: skip
    _many(
        given & mirrored, given, f"{where}: poses are left-handed (the determinant of their rotation is −1); "
        "negate the axis that was flipped when they were written, or export them again",
    )  # fmt: skip
    _many(
        given & (skewed | last_row), given, f"{where}: poses are no rigid transforms (their axes are not at "
        "right angles and of length 1); take the scale out of the rotation, or export them again",
    )  # fmt: skip
    for mask, reason in (
        (missing, "a pose that is missing (inf, nan or nothing)"),
        (given & mirrored, "a left-handed pose, which is passed over"),
        (given & ~mirrored & (skewed | last_row), "a pose that is no rigid transform, which is passed over"),
    ):
        for i in np.flatnonzero(mask):
            findings.add("corrected", reason, names[i])
    good = given & ~mirrored & ~skewed & ~last_row
    if not good.any():
        raise InputError(f"{where}: no frame has a pose; export the poses again")
    return np.asarray(good)


def _many(bad: Mask, of: Mask, message: str) -> None:
    if bad.sum() > max(1, 0.5 * of.sum()) or (bad.sum() == of.sum() > 0):
        raise InputError(message)


def clock(
    stamps_s: Array, fallback_fps: float, names: list[str], findings: ImportFindings
) -> tuple[Array, Literal["stated", "counted"]]:
    """Return times in seconds from 0 on, and whether they are stated or counted from the rate.

    Times that stand still, run backwards, or make no rate that a camera has are replaced, and that is
    reported. A few that are doubled or out of place are for the caller to sort out beforehand.
    """
    n = len(stamps_s)
    counted = np.arange(n) / fallback_fps
    if n < 2:
        return counted, "counted"
    steps = np.diff(stamps_s)
    typical = float(np.median(steps)) if np.isfinite(steps).all() else 0.0
    if (steps > 0).all() and 1e-3 <= typical <= 2.0:
        return stamps_s - stamps_s[0], "stated"
    if not np.isfinite(stamps_s).all() or not (steps != 0).any():
        why = "a clock that stands still"
    elif (steps <= 0).any():
        why = "a clock that runs backwards or stands still in between"
    else:
        why = f"a clock whose steps of {typical:.3g} s no camera makes"
    findings.add("corrected", f"{why}: frames are counted at {fallback_fps:g} a second", names[0])
    return counted, "counted"


def path(
    matrices: Array,
    good: Mask,
    times_s: Array,
    limits: RecordingLimits,
    names: list[str],
    where: str,
    findings: ImportFindings,
) -> Mask:
    """Return which poses lie on a path that a camera can take; single jumps are reported and passed over.

    Raises InputError for millimetres written as metres, and for frames in another order than their poses.
    """
    known = np.flatnonzero(good)
    at = matrices[known, :3, 3]
    _extent(at, limits, where)
    if len(known) < 3:
        return good
    fast = _fast(at, times_s[known], limits.camera_mps)
    if fast.mean() > MANY and fast.sum() > 2:
        i = int(np.flatnonzero(fast)[0])
        gap = float(np.linalg.norm(at[i + 1] - at[i]))
        raise InputError(
            f"{where}: {fast.sum():,} of {len(fast):,} steps from frame to frame are faster than "
            f"{limits.camera_mps:g} m/s, first from {names[known[i]]} to {names[known[i + 1]]} ({gap:.2f} "
            "m): the frames are shuffled, or poses belong to other frames; put them in the order in which "
            "they were taken"
        )
    kept = good.copy()
    bad, breaks = _outliers(at, times_s[known], limits.camera_mps)
    for i in bad:
        kept[known[i]] = False
        findings.add(
            "corrected", "a pose that jumps away from the path, which is passed over", names[known[i]]
        )
    for i in breaks:
        findings.note("a break in the camera's path", names[known[i]], "the frames after it lie elsewhere")
    return kept


def _extent(at: Array, limits: RecordingLimits, where: str) -> None:
    extent, most = float(np.ptp(at, axis=0).max()), limits.camera_extent_m
    if extent <= most:
        return
    named, remedy = "no meters", "export the poses again"
    if extent / 1000 <= most:
        named, remedy = "millimeters written as meters", "divide them by 1000, or set unit_m to 0.001"
    raise InputError(
        f"{where}: the camera's positions span {extent:,.0f} m, at most {most:,.0f} m can be: they are "
        f"{named}; {remedy}"
    )


def _fast(at: Array, times_s: Array, most: float) -> Mask:
    lengths = np.linalg.norm(np.diff(at, axis=0), axis=1)
    return np.asarray(lengths > most * np.maximum(np.diff(times_s), 1e-4) + 1e-3)


def _outliers(at: Array, times_s: Array, most: float) -> tuple[list[int], list[int]]:
    """Return the frames that lie off the path, and those with which it goes on at another place."""
    bad: list[int] = []
    breaks: list[int] = []
    last = 0
    for i in range(1, len(at)):
        reach = most * max(float(times_s[i] - times_s[last]), 1e-4) + 1e-3
        after = slice(i, i + _FOLLOWS)
        if float(np.linalg.norm(at[i] - at[last])) <= reach:
            last = i
        elif i + 3 <= len(at) and not _fast(at[after], times_s[after], most).any():
            breaks.append(i)
            last = i
        else:
            bad.append(i)
    return bad, breaks


def intrinsics(matrix: Array, size: tuple[int, int], where: str) -> None:
    """Check an intrinsic matrix against the picture that it is of. Raises InputError."""
    fx, fy, cx, cy = (float(v) for v in (matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]))
    width, height = size
    sound = np.isfinite([fx, fy, cx, cy]).all() and width > 0 and height > 0 and width * height <= 100_000_000
    if sound:
        longest = max(width, height)
        sound = 0.1 * longest < min(fx, fy) <= max(fx, fy) < 20 * longest
        sound = sound and -0.2 * width < cx < 1.2 * width and -0.2 * height < cy < 1.2 * height
    if not sound:
        raise InputError(
            f"{where}: fx {fx:g}, fy {fy:g}, cx {cx:g}, cy {cy:g} cannot be the intrinsics of pictures of "
            f"{width} × {height}; give those of the pictures as they are, in pixels"
        )


def sizes(
    extents_m: Array,
    limits: RecordingLimits,
    where: str,
    remedy: str = "divide them by 1000, or set unit_m to 0.001",
) -> None:
    """Check (n, 3) sizes of objects. Raises InputError where they are millimetres written as metres."""
    typical = float(np.median(extents_m.max(axis=1))) if len(extents_m) else 0.0
    if typical > limits.object_m:
        raise InputError(
            f"{where}: half of the objects are larger than {typical:,.0f} m: lengths are millimeters written "
            f"as meters; {remedy}"
        )


def inverse(matrices: Array) -> Array:
    """Return the inverses of (n, 4, 4) rigid transforms."""
    turned = matrices[:, :3, :3].transpose(0, 2, 1)
    result = np.zeros_like(matrices)
    result[:, :3, :3] = turned
    result[:, :3, 3] = -np.einsum("nij,nj->ni", turned, matrices[:, :3, 3])
    result[:, 3, 3] = 1.0
    return result
