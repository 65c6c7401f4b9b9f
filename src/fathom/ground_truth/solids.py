"""Triangles that rays can be cast at: one Embree scene a model, in the model's own frame."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Faces, Model, Points
from fathom.records import AssetError, missing_extra

_KEPT_TRIANGLES = 600_000
"""How many triangles the solids kept for reuse may hold together: about 150 MB."""


@dataclass(frozen=True, eq=False)
class Solid:
    """The triangles of a model in one array, and the Embree scene over them.

    vertices : (n, 3) float64 metres, object frame
    faces : (m, 3) int32
    part_of : (m,) int16, the part that each face belongs to
    face_of : (m,) int32, the face's index within its part
    hull : (h, 3) float64, points whose convex hull holds the model
    """

    vertices: Points
    faces: Faces
    part_of: NDArray[np.int16]
    face_of: NDArray[np.int32]
    hull: Points
    rays: Any
    keep: Any


@dataclass(frozen=True, eq=False)
class Hits:
    """Where rays met a solid first; `face` is -1 and `distance` infinite where they missed.

    distance : (n,) float32, in lengths of the ray's direction
    face : (n,) int32, index into the solid's faces
    u, v : (n,) float32, weights of the face's second and third corner
    """

    distance: NDArray[np.float32]
    face: NDArray[np.int32]
    u: NDArray[np.float32]
    v: NDArray[np.float32]


_solids: OrderedDict[bytes, Solid] = OrderedDict()


def solid_of(model: Model) -> Solid:
    """Return the solid of `model`; one that was made before for the same triangles is used again.

    Raises AssetError where the model has no triangles or a coordinate that is not finite.
    """
    digest = hashlib.blake2b(digest_size=16)
    for p in model.parts:
        digest.update(np.ascontiguousarray(p.vertices).data)
        digest.update(np.ascontiguousarray(p.faces).data)
    key = digest.digest()
    if key in _solids:
        _solids.move_to_end(key)
        return _solids[key]
    made = _made(model)
    _solids[key] = made
    while len(_solids) > 1 and sum(len(s.faces) for s in _solids.values()) > _KEPT_TRIANGLES:
        _solids.popitem(last=False)
    return made


def cast(solid: Solid, origin_m: Points, directions: NDArray[np.floating]) -> Hits:
    """Return where rays from one origin (3,) along (n, 3) directions, object frame, meet the solid first."""
    return _cast(
        solid, np.broadcast_to(np.asarray(origin_m, dtype=np.float32), (len(directions), 3)), directions
    )


def cast_from(solid: Solid, origins_m: NDArray[np.floating], direction: NDArray[np.floating]) -> Hits:
    """Return where parallel rays from (n, 3) origins along one direction (3,), object frame, meet the solid
    first.
    """
    return _cast(
        solid, origins_m, np.broadcast_to(np.asarray(direction, dtype=np.float32), (len(origins_m), 3))
    )


def _cast(solid: Solid, origins_m: NDArray[np.floating], directions: NDArray[np.floating]) -> Hits:
    if not len(directions):
        none = np.zeros(0, np.float32)
        return Hits(none, np.zeros(0, np.int32), none, none)
    origins = np.ascontiguousarray(origins_m, dtype=np.float32)
    found = solid.rays.run(origins, np.ascontiguousarray(directions, dtype=np.float32), output=True)
    hit = found["primID"] >= 0
    distance = np.where(hit, found["tfar"], np.float32(np.inf)).astype(np.float32, copy=False)
    return Hits(distance, found["primID"], found["u"], found["v"])


def surface_points(solid: Solid, hits: Hits, chosen: NDArray[np.intp]) -> Points:
    """Return the (k, 3) points in the object frame of the chosen hits, from their faces' corners."""
    corners = solid.vertices[solid.faces[hits.face[chosen]]]
    u, v = hits.u[chosen].astype(np.float64), hits.v[chosen].astype(np.float64)
    weights = np.stack([1 - u - v, u, v], axis=-1)
    return np.asarray(np.einsum("nk,nkc->nc", weights, corners))


def _made(model: Model) -> Solid:
    try:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene
    except ImportError as e:
        raise missing_extra("embreex", "build", "The truth pass") from e

    counts = [len(p.faces) for p in model.parts]
    if not sum(counts):
        raise AssetError(f"model {model.name}: expected triangles, but it has none; leave it out")
    offsets = np.cumsum([0] + [len(p.vertices) for p in model.parts])
    vertices = np.concatenate([np.asarray(p.vertices, dtype=np.float64) for p in model.parts])
    faces = np.concatenate(
        [p.faces + o for p, o in zip(model.parts, offsets[:-1], strict=True)], dtype=np.int32
    )
    if not np.isfinite(vertices).all():
        raise AssetError(f"model {model.name}: a vertex is not finite; repair the file or leave it out")
    rays = EmbreeScene()
    mesh = TriangleMesh(rays, vertices.astype(np.float32), faces)
    return Solid(
        vertices=vertices,
        faces=faces,
        part_of=np.repeat(np.arange(len(counts), dtype=np.int16), counts),
        face_of=np.concatenate([np.arange(c, dtype=np.int32) for c in counts]),
        hull=_hull(vertices),
        rays=rays,
        keep=mesh,
    )


def _hull(vertices: Points) -> Points:
    """Return points whose convex hull holds the vertices: few, where that can be had cheaply."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(vertices[ConvexHull(vertices).vertices])
    except QhullError:
        # A flat model has no volume; its bounding box does as well.
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        picks = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
        return np.asarray(np.where(picks == 0, low, high))
