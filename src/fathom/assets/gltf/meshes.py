"""Meshes of glTF: triangles with what hangs on their corners, from plain arrays or from Draco."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf import schema
from fathom.assets.gltf.arrays import Array, Arrays, floats, normalized
from fathom.assets.gltf.container import view_bytes
from fathom.assets.gltf.draco import decoded
from fathom.assets.gltf.limits import BrokenError, shown
from fathom.assets.model import Faces, Points

LISTS, STRIP, FAN = 4, 5, 6
"""The modes that draw triangles."""

_WANTED = ("POSITION", "NORMAL", "TEXCOORD_", "COLOR_0", "JOINTS_", "WEIGHTS_")


@dataclass(frozen=True, eq=False)
class Primitive:
    """Triangles of one surface.

    positions : (n, 3), faces : (m, 3), normals : (n, 3) or None, uv_sets : (n, 2) each, v downwards
    colors : (n, 3) linear or None; joints, weights : (n, 4k) or None
    targets : one mapping a morph target, "POSITION" and "NORMAL" → (n, 3) offsets
    """

    positions: Points
    faces: Faces
    normals: Points | None
    uv_sets: Mapping[int, Points]
    colors: Points | None
    joints: NDArray[np.int64] | None
    weights: Points | None
    targets: tuple[Mapping[str, Points], ...]
    surface: int


@dataclass(frozen=True, eq=False)
class Mesh:
    """Primitives that are placed together, and how far each morph target is on by default."""

    name: str
    primitives: tuple[Primitive, ...]
    weights: tuple[float, ...]


def read_mesh(index: int, arrays: Arrays) -> Mesh:
    """Return a mesh; points and lines are left out. Raises BrokenError."""
    record = arrays.container.gltf.meshes[index]
    read = (_primitive(p, arrays, f"mesh {index}") for p in record.primitives)
    return Mesh(record.name, tuple(p for p in read if p is not None), tuple(record.weights))


def _primitive(p: schema.GltfPrimitive, arrays: Arrays, what: str) -> Primitive | None:
    """Return the triangles of a primitive; None for points and lines."""
    if p.mode not in (LISTS, STRIP, FAN):
        if not 0 <= p.mode <= 6:
            raise BrokenError(f"{what} is drawn in mode {p.mode}, which does not exist")
        return None
    found, corners = _streams(p, arrays, what)
    if "POSITION" not in found:
        raise BrokenError(f"{what} has no positions")
    positions = floats(found["POSITION"], 3, f"the positions of {what}")
    if corners is None:
        corners = np.arange(len(positions), dtype=np.int64)
    if len(corners) and (int(corners.max()) >= len(positions) or int(corners.min()) < 0):
        raise BrokenError(f"{what} uses vertex {int(corners.max())}, but has {len(positions)}")
    faces = triangles(corners, p.mode)
    if len(faces) > arrays.container.limits.triangles or len(positions) > arrays.container.limits.vertices:
        raise BrokenError(f"{what} has {len(faces):,} triangles over {len(positions):,} vertices: too many")
    for name, values in found.items():
        if len(values) != len(positions):
            raise BrokenError(f"{what} has {len(positions)} positions, but {len(values)} of {shown(name)}")
    joints, weights = _influences(found, positions, what)
    return Primitive(
        positions=positions,
        faces=faces,
        normals=_normals(found.get("NORMAL")),
        uv_sets={k: _uv(found[f"TEXCOORD_{k}"], what) for k in range(4) if f"TEXCOORD_{k}" in found},
        colors=_colors(found.get("COLOR_0"), what),
        joints=joints,
        weights=weights,
        targets=tuple(_target(t, arrays, len(positions), what) for t in p.targets),
        surface=-1 if p.material is None else p.material,
    )


def _streams(
    p: schema.GltfPrimitive, arrays: Arrays, what: str
) -> tuple[dict[str, Array], NDArray[np.int64] | None]:
    """Return the attributes that are read, and the corners in order; from Draco where it is used."""
    wanted = {k: i for k, i in p.attributes.items() if k.startswith(_WANTED)}
    draco = p.extensions.draco
    if draco is None:
        found = {k: arrays.read(i) for k, i in wanted.items()}
        return found, None if p.indices is None else _indices(arrays.read(p.indices), what)
    if p.mode != LISTS:
        raise BrokenError(f"{what} is compressed with Draco, but not as a list of triangles")
    faces, streams = decoded(
        bytes(view_bytes(arrays.container, draco.buffer_view)[0]), arrays.container.limits
    )
    arrays.spend(faces.nbytes + sum(s.nbytes for s in streams.values()), what)
    found = {}
    for name, index in wanted.items():
        if name not in draco.attributes:
            found[name] = arrays.read(index)
        elif draco.attributes[name] in streams:
            values = streams[draco.attributes[name]]
            found[name] = normalized(values) if arrays.accessor(index).normalized else values
        else:
            raise BrokenError(f"{what}: its Draco data hold no {shown(name)}")
    return found, _indices(faces.reshape(-1, 1), what)


def _indices(values: Array, what: str) -> NDArray[np.int64]:
    if values.dtype.kind not in "iu" or values.shape[1] != 1:
        raise BrokenError(f"{what}: its indices are not whole numbers")
    return values[:, 0].astype(np.int64)


def triangles(corners: NDArray[np.int64], mode: int) -> Faces:
    """Return the (m, 3) faces of a list, a strip or a fan; an unfinished last triangle is left out."""
    if mode == LISTS:
        faces = corners[: len(corners) // 3 * 3].reshape(-1, 3)
    elif len(corners) < 3:
        faces = np.zeros((0, 3), dtype=np.int64)
    elif mode == STRIP:
        faces = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=-1)
        faces[1::2] = faces[1::2][:, [1, 0, 2]]
    else:
        faces = np.stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]], axis=-1)
    return faces.astype(np.int32)


def _normals(values: Array | None) -> Points | None:
    """Return normals; None, which means flat shading, where one is missing or no direction."""
    if values is None or values.shape[1] != 3:
        return None
    found = values.astype(np.float64)
    return found if np.isfinite(found).all() and (np.abs(found).max(axis=1) > 1e-6).all() else None


def _uv(values: Array, what: str) -> Points:
    return floats(normalized(values), 2, f"the texture coordinates of {what}")


def _colors(values: Array | None, what: str) -> Points | None:
    if values is None:
        return None
    return floats(normalized(values)[:, :3], 3, f"the vertex colors of {what}").clip(0, 1)


def _influences(
    found: Mapping[str, Array], positions: Points, what: str
) -> tuple[NDArray[np.int64] | None, Points | None]:
    sets = [k for k in range(4) if f"JOINTS_{k}" in found and f"WEIGHTS_{k}" in found]
    if not sets:
        return None, None
    joints = np.concatenate([found[f"JOINTS_{k}"] for k in sets], axis=1)
    if not np.isfinite(joints.astype(np.float64)).all() or joints.shape[1] != 4 * len(sets):
        raise BrokenError(f"{what}: its joints are not whole numbers in fours")
    weights = np.concatenate([normalized(found[f"WEIGHTS_{k}"]) for k in sets], axis=1).astype(np.float64)
    if weights.shape != joints.shape:
        raise BrokenError(f"{what}: its weights are not as many as its joints")
    weights = np.where(np.isfinite(weights), weights, 0).clip(0, 1)
    joints = joints.astype(np.int64)
    lost = weights.sum(axis=1) <= 1e-9
    if lost.any():
        _hung_on_neighbours(joints, weights, lost, positions)
    return joints, weights / weights.sum(axis=1, keepdims=True)


def _hung_on_neighbours(
    joints: NDArray[np.int64], weights: Points, lost: NDArray[np.bool_], positions: Points
) -> None:
    """Let vertices that hang on nothing hang on what the nearest other vertex does.

    Some exporters divide zero by zero there. Where nothing hangs on anything, the first joint takes all.
    """
    if lost.all():
        weights[:, 0] = 1.0
        return
    from scipy.spatial import cKDTree

    _, nearest = cKDTree(positions[~lost]).query(positions[lost])
    joints[lost], weights[lost] = joints[~lost][nearest], weights[~lost][nearest]


def _target(target: Mapping[str, int], arrays: Arrays, n: int, what: str) -> dict[str, Points]:
    found = {k: floats(arrays.read(i), 3, f"a morph target of {what}") for k, i in target.items()
             if k in ("POSITION", "NORMAL")}  # fmt: skip
    if any(len(v) != n for v in found.values()):
        raise BrokenError(f"{what} has {n} vertices, but a morph target of another number")
    return found
