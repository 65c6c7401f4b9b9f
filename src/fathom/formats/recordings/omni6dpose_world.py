"""One world for poses that are stated in each frame's camera: what stands still tells how the camera moved.

Every standing object gives the camera's pose in a frame. All of them together are aligned by the corners of
their boxes, and what is left over is how far the annotation may be off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.checks import Mask, inverse
from fathom.formats.recordings.omni6dpose_fit import MOVES_M, aligned, strays_of
from fathom.formats.recordings.omni6dpose_meta import Meta, PoseLabels
from fathom.geometry.poses import Array
from fathom.records import InputError

ROUGH_M = 0.004
"""Up to here objects shift by what annotations stray, however their poses are read."""

STILL_M = 0.02
BETTER = 0.25
"""A way of reading poses that leaves less than this share of the unrest is the one that was meant."""

UP_TOLERANCE = np.cos(np.radians(15.0))


@dataclass(frozen=True)
class RecoveredWorld:
    """World from camera (f, 4, 4) where known (f,); objects' tracks (t, f, 4, 4), where they stand (t, 4, 4),
    whether they move (t,), and how far they stray about that; the residual of all, and how it was found.
    """

    camera: Array
    known: Mask
    tracks: Array
    standing: Array
    moves: Mask
    strays_m: Array
    strays_rad: Array
    residual_m: float
    residual_rad: float
    how: str
    up: str


def still_world(
    found: PoseLabels, metas: list[Meta | None], names: list[str], where: str, findings: ImportFindings
) -> RecoveredWorld:
    """Return the world in which most objects stand still, z up, its origin at the first camera.

    Raises InputError where objects keep together only when their poses are read in another way.
    """
    if not found.valid.any():
        raise InputError(f"{where}: no frame has the pose of an object, so that the camera's way is unknown")
    _in_front(found, where)
    _one_way(found, where, findings)
    for frame in np.flatnonzero(~found.valid.any(axis=0)):
        findings.add("corrected", "a frame without any object: its pose counts as missing", names[frame])
    camera, known, moves, how = _cameras(found, metas, names, where, findings)
    standing, strays_m, strays_rad = strays_of(found, camera, known)
    moves |= strays_m > max(MOVES_M, 5 * float(np.median(strays_m[~moves])) if (~moves).any() else MOVES_M)
    for i in np.flatnonzero(moves):
        findings.note(
            "an object that moves: it is left out of the alignment", found.ids[i], f"{strays_m[i]:.3f} m"
        )
    upright, up = _upright(found, standing, camera, known, where, findings)
    camera, standing = upright @ camera, upright @ standing
    rest = ~moves & found.valid[:, known].any(axis=1)
    return RecoveredWorld(
        camera=camera,
        known=known,
        tracks=camera[None] @ found.camera_from_object,
        standing=standing,
        moves=moves,
        strays_m=np.where(moves, 0.0, strays_m),
        strays_rad=np.where(moves, 0.0, strays_rad),
        residual_m=float(np.median(strays_m[rest])) if rest.any() else 0.0,
        residual_rad=float(np.median(strays_rad[rest])) if rest.any() else 0.0,
        how=how,
        up=up,
    )


def _cameras(
    found: PoseLabels, metas: list[Meta | None], names: list[str], where: str, findings: ImportFindings
) -> tuple[Array, Mask, Mask, str]:
    """Return world from camera (f, 4, 4), where it is known, which objects move, and who tells it."""
    stated = _stated(found, metas, where, findings)
    if stated is not None:
        return (
            stated,
            np.array([m is not None for m in metas]),
            np.zeros(len(found.ids), dtype=bool),
            "stated",
        )
    camera, known, moves = aligned(found)
    for frame in np.flatnonzero(found.valid.any(axis=0) & ~known):
        reason = "a frame whose objects are in no other: its pose counts as missing"
        findings.add("corrected", reason, names[frame])
    return camera, known, moves, "objects"


def _in_front(found: PoseLabels, where: str) -> None:
    at = found.camera_from_object[found.valid][:, :3, 3]
    far = float(np.median(np.linalg.norm(at, axis=1)))
    if far > 50.0:
        raise InputError(
            f"{where}: objects are {far:,.0f} m from the camera: translations are millimeters written as "
            "meters; divide them by 1000, or set unit_m to 0.001"
        )
    if far < 0.02:
        raise InputError(
            f"{where}: objects are {1000 * far:.3g} mm from the camera: translations are in a larger unit "
            "than meters; set unit_m to what it has, such as 1000 for kilometers"
        )
    behind = float((at[:, 2] < 0).mean())
    if behind > 0.5:
        raise InputError(
            f"{where}: {behind:.0%} of the objects lie behind the camera: poses have OpenGL's axes (y up, z "
            "back), expected OpenCV's (y down, z forward); negate y and z of translations and rotations"
        )


def _one_way(found: PoseLabels, where: str, findings: ImportFindings) -> None:
    """Check that objects keep their places relative to one another, as poses of standing objects must."""
    given = _unrest(found.camera_from_object, found.valid)
    if given is None:
        findings.note("too few objects in several frames to hold the poses against each other", where)
        return
    if given <= ROUGH_M:
        return
    ways = [(_unrest(poses, found.valid), way) for way, poses in _ways(found).items()]
    least, best = min((np.inf if unrest is None else unrest, way) for unrest, way in ways)
    if least < BETTER * given:
        raise InputError(
            f"{where}: objects shift by {given:.3f} m relative to one another from frame to frame, and by "
            f"{least:.3f} m when {best}"
        )
    if given > STILL_M:
        found_out = "objects shift relative to one another: several move, or poses are rough"
        findings.note(found_out, where, f"{given:.3f} m")


def _ways(found: PoseLabels) -> dict[str, Array]:
    poses = found.camera_from_object
    swapped = poses.copy()
    swapped[..., :3, :3] = _reread(poses[..., :3, :3])
    flat = poses.reshape(-1, 4, 4)
    turned = inverse(flat).reshape(poses.shape)
    ways = {
        "quaternions are read as x, y, z, w: they are swapped; set quaternions to xyzw": swapped,
        "poses are inverted: they take the camera to the object; invert them": turned,
    }
    for axis, letter in enumerate("xyz"):
        mirrored = poses.copy()
        mirrored[..., axis, 3] *= -1
        ways[f"{letter} is negated: translations are left-handed; negate {letter} of every translation"] = (
            mirrored
        )
    return ways


def _reread(rotations: Array) -> Array:
    """Return the rotations whose quaternion, written x, y, z, w, was read as w, x, y, z."""
    flat = rotations.reshape(-1, 3, 3)
    w, x, y, z = _quaternions(flat)
    x, y, z, w = w, x, y, z
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1).reshape(rotations.shape)


def _quaternions(r: Array) -> tuple[Array, Array, Array, Array]:
    """Return w, x, y, z, each (n,), of (n, 3, 3) rotations, by the largest of the four (Shepperd)."""
    d = np.stack([r[:, 0, 0] + r[:, 1, 1] + r[:, 2, 2], r[:, 0, 0], r[:, 1, 1], r[:, 2, 2]], axis=1)
    trace = d[:, 0]
    squares = np.stack([1 + trace, *(1 + 2 * d[:, i] - trace for i in (1, 2, 3))], axis=1)
    big = np.sqrt(np.maximum(squares, 1e-12)) / 2
    f = 0.25
    wx, wy, wz = f * (r[:, 2, 1] - r[:, 1, 2]), f * (r[:, 0, 2] - r[:, 2, 0]), f * (r[:, 1, 0] - r[:, 0, 1])
    xy, xz, yz = f * (r[:, 0, 1] + r[:, 1, 0]), f * (r[:, 0, 2] + r[:, 2, 0]), f * (r[:, 1, 2] + r[:, 2, 1])
    products = np.stack(
        [
            np.stack([big[:, 0] ** 2, wx, wy, wz], axis=1),
            np.stack([wx, big[:, 1] ** 2, xy, xz], axis=1),
            np.stack([wy, xy, big[:, 2] ** 2, yz], axis=1),
            np.stack([wz, xz, yz, big[:, 3] ** 2], axis=1),
        ],
        axis=1,
    )
    most = squares.argmax(axis=1)
    rows = np.arange(len(r))
    q = products[rows, most] / big[rows, most][:, None]
    return q[:, 0], q[:, 1], q[:, 2], q[:, 3]


def _unrest(poses: Array, valid: Mask) -> float | None:
    """Return the median over pairs of objects of how far one shifts in the other's frame, in metres."""
    shifts = []
    for i in range(min(len(poses), 12)):
        for j in range(min(len(poses), 12)):
            both = np.flatnonzero(valid[i] & valid[j])
            if i == j or len(both) < 3:
                continue
            apart = poses[j, both, :3, 3] - poses[i, both, :3, 3]
            local = np.einsum("nji,nj->ni", poses[i, both, :3, :3], apart)
            shifts.append(float(np.median(np.linalg.norm(local - np.median(local, axis=0), axis=1))))
    return float(np.median(shifts)) if shifts else None


def _stated(
    found: PoseLabels, metas: list[Meta | None], where: str, findings: ImportFindings
) -> Array | None:
    """Return the cameras that the files state, where objects stand still with them; None where not."""
    if any(m is not None and m.world_from_camera is None for m in metas):
        return None
    cameras = np.array([np.eye(4) if m is None else m.world_from_camera for m in metas])
    known = np.array([m is not None for m in metas])
    if np.ptp(cameras[known], axis=0).max() < 1e-6:
        return None
    ways = {"camera-to-world": cameras, "world-to-camera": inverse(cameras)}
    strays = {way: float(np.median(strays_of(found, camera, known)[1])) for way, camera in ways.items()}
    way = min(strays, key=lambda w: strays[w])
    if strays[way] <= STILL_M:
        if way == "world-to-camera":
            findings.add("corrected", "the camera's poses are world-to-camera: they are inverted", where)
        return ways[way]
    findings.note(
        "the camera's poses that are stated do not keep the objects still: they are not used", where
    )
    return None


def _upright(
    found: PoseLabels, standing: Array, camera: Array, known: Mask, where: str, findings: ImportFindings
) -> tuple[Array, str]:
    """Return the transform to a world with z up, its origin at the first camera, and what told the vertical.

    Objects on a table stand with their y axes up; where most of them agree, that is the vertical.
    """
    first = camera[int(np.flatnonzero(known)[0])]
    axes = standing[found.valid.any(axis=1), :3, 1]
    alike = axes @ axes.T >= UP_TOLERANCE
    best = int(alike.sum(axis=1).argmax())
    told = "objects" if alike[best].sum() >= max(2, 0.5 * len(axes)) else "camera"
    if told == "objects":
        up = axes[alike[best]].mean(axis=0)
    else:
        findings.note("the vertical is not told by the objects: the first camera counts as held level", where)
        up = -first[:3, 1]
    up /= np.linalg.norm(up)
    ahead = first[:3, 2] - up * (first[:3, 2] @ up)
    if np.linalg.norm(ahead) < 1e-3:
        ahead = -first[:3, 1] + up * (first[:3, 1] @ up)
    ahead /= np.linalg.norm(ahead)
    turn = np.eye(4)
    turn[:3, :3] = np.stack([ahead, np.cross(up, ahead), up])
    turn[:3, 3] = -turn[:3, :3] @ first[:3, 3]
    return turn, told
