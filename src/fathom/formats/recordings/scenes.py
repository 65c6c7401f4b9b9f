"""Scenes from measured matrices: poses with their uncertainty, cameras, and objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array, quaternion
from fathom.records import AssetRef, Camera, Environment, Pose, Scene, SceneObject

VERSION = "1"
STRUCTURE = frozenset({"wall", "floor", "ceiling", "roof", "ground", "floor mat"})
"""Names of what a room is made of, which is not asked about."""

MEASURED = AssetRef(name="measured", sha256="")

CV_FROM_FLU: Array = np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]])
"""Takes x forward, y left, z up to OpenCV's axes: x right, y down, z forward."""


@dataclass(frozen=True)
class Sigma:
    """How far an annotation may be off: metres, and radians."""

    position_m: float
    rotation_rad: float


def pose_of(matrix: Array, time_s: float, valid: bool, sigma: Sigma) -> Pose:
    """Return the pose of a (4, 4) rigid transform, rounded to a micrometre."""
    x, y, z = (round(float(v), 6) + 0.0 for v in matrix[:3, 3])
    w, i, j, k = (round(v, 9) + 0.0 for v in quaternion(matrix[:3, :3]))
    return Pose(
        position_m=(x, y, z),
        rotation_wxyz=(w, i, j, k),
        time_s=round(time_s, 6),
        valid=valid,
        position_sigma_m=round(sigma.position_m, 6),
        rotation_sigma_rad=round(sigma.rotation_rad, 6),
    )


def poses_of(
    matrices: Array, times_s: Sequence[float], valid: NDArray[np.bool_], sigma: Sigma
) -> tuple[Pose, ...]:
    """Return one pose a frame of (n, 4, 4) transforms; for one that is missing the nearest stands in."""
    whole = held(matrices, valid)
    return tuple(
        pose_of(m, t, bool(v), sigma) for m, t, v in zip(whole, times_s, valid.tolist(), strict=True)
    )


def held(matrices: Array, valid: NDArray[np.bool_]) -> Array:
    """Return the matrices with every missing one taken from the nearest frame that has one."""
    known = np.flatnonzero(valid)
    if not len(known):
        return np.broadcast_to(np.eye(4), matrices.shape)
    frames = np.arange(len(matrices))
    after = np.minimum(np.searchsorted(known, frames), len(known) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(known[after] - frames) <= np.abs(known[before] - frames)
    return np.asarray(matrices[np.where(nearer, known[after], known[before])])


def camera_of(matrix: Array, size: tuple[int, int], poses: tuple[Pose, ...]) -> Camera:
    """Return the camera of an intrinsic matrix (3, 3) or (4, 4) in pixels.

    Published intrinsics put the centre of the first pixel at (0, 0); here it is at (0.5, 0.5).
    """
    return Camera(
        width=size[0],
        height=size[1],
        fx=round(float(matrix[0, 0]), 6),
        fy=round(float(matrix[1, 1]), 6),
        cx=round(float(matrix[0, 2]) + 0.5, 6),
        cy=round(float(matrix[1, 2]) + 0.5, 6),
        poses=poses,
    )


def object_of(
    name: str,
    noun: str,
    size_m: Sequence[float] | Array,
    poses: tuple[Pose, ...],
    front: bool,
    category: str = "",
) -> SceneObject:
    """Return an object; `front` says whether its forward axis means the object's front."""
    plain = " ".join(noun.lower().replace("_", " ").split()) or "object"
    x, y, z = (round(float(v), 6) for v in size_m)
    return SceneObject(
        id=name,
        category=category or ("structure" if plain in STRUCTURE else plain),
        subtype=plain,
        size_m=(x, y, z),
        poses=poses,
        asset=MEASURED,
        attributes={"name": plain, "color": "", "front": "known" if front else "unknown"},
    )


def scene_of(
    generator: str,
    setting: str,
    video: str,
    times_s: Sequence[float],
    camera: Camera,
    objects: Sequence[SceneObject],
    source: dict[str, str],
) -> Scene:
    """Return the scene of one video."""
    return Scene(
        id=f"{generator}-{video}",
        generator=generator,
        version=VERSION,
        seed="",
        objects=tuple(objects),
        cameras=(camera,),
        environment=Environment(name="recorded"),
        times_s=tuple(round(float(t), 6) for t in times_s),
        source={"setting": setting, "video": video, **source},
    )
