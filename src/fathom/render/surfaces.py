"""Every surface of a scene's objects in a few arrays, the same for the guides and for Mitsuba."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import BODY, Material, Model, Part
from fathom.geometry.poses import rotation_matrix, to_world
from fathom.records import Pose, Scene
from fathom.render.color import Floats, linear

SMOOTHEST = 0.06
"""Surfaces are not painted smoother than this: a mirror shows more noise than a few samples can clear."""

DULLEST_PAINT, GLOSSIEST_PAINT = 0.6, 0.03
"""The least roughness and the most clear coat of what has the body's colour: facing a low sun, glossy paint
of any colour is white."""


@dataclass(frozen=True, eq=False)
class SurfaceArrays:
    """The surface of a model, in its own frame; faces are in the order of the truth pass's solid.

    positions, normals : (n, 3), normals of unit length; every part has its own vertices
    faces : (m, 3) int32
    colors : (n, 3) linear; 1 where a texture gives the colour, times its factor
    finish : (n, 3) metallic, roughness, clearcoat
    uv : (n, 2), v upwards; 0 where a part has none
    emission : (m,) light that a face gives off, in units of its colour
    texture : (m,) int16, index into `textures`, -1 for none
    textures : (h, w, 3) linear pictures, row 0 at the top
    """

    positions: Floats
    normals: Floats
    faces: NDArray[np.int32]
    colors: Floats
    finish: Floats
    uv: Floats
    emission: Floats
    texture: NDArray[np.int16]
    textures: tuple[Floats, ...]


def skin_of(model: Model) -> SurfaceArrays:
    """Return the model's surface; parts without normals are shaded flat."""
    pieces = [_piece(p) for p in model.parts if len(p.faces)]
    offsets = np.cumsum([0] + [len(p[0]) for p in pieces])
    textures: list[Floats] = []
    places: dict[tuple[object, ...], int] = {}
    texture = []
    for k, part in enumerate(model.parts):
        m, index = part.material, -1
        if m.texture is not None and part.uv is not None:
            # Parts that share a picture share its surface: each one more costs time in every frame.
            tint = m.color if part.vertex_colors is None else k
            index = places.setdefault((tint, m.texture.shape, m.texture.tobytes()), len(textures))
            if index == len(textures):
                textures.append(linear(m.texture[..., :3].astype(np.float32) / 255))
        texture.append(np.full(len(part.faces), index, dtype=np.int16))
    emission = [np.full(len(p.faces), p.material.emission, dtype=np.float32) for p in model.parts]
    positions, normals, colors, finish, uv = (
        np.concatenate([p[k] for p in pieces]).astype(np.float32) for k in (0, 1, 3, 4, 5)
    )
    faces = np.concatenate([p[2] + o for p, o in zip(pieces, offsets[:-1], strict=True)]).astype(np.int32)
    return SurfaceArrays(
        positions=positions,
        normals=normals,
        faces=faces,
        colors=colors,
        finish=finish,
        uv=uv,
        emission=np.concatenate(emission),
        texture=np.concatenate(texture),
        textures=tuple(textures),
    )


def placed(skin: SurfaceArrays, pose: Pose) -> tuple[Floats, Floats]:
    """Return the skin's positions and normals (n, 3) in the world."""
    if pose.position_m == (0.0, 0.0, 0.0) and pose.rotation_wxyz == (1.0, 0.0, 0.0, 0.0):
        return skin.positions, skin.normals
    turn = rotation_matrix(pose.rotation_wxyz)
    return to_world(pose, skin.positions).astype(np.float32), (skin.normals @ turn.T).astype(np.float32)


def skins_of(scene: Scene, models: Mapping[str, Model]) -> list[SurfaceArrays]:
    """Return the skin of every object, in the scene's order."""
    return [skin_of(models[t.id]) for t in scene.objects]


def _piece(p: Part) -> tuple[NDArray[np.generic], ...]:
    """Return a part's positions, normals, faces, colours, finish and uv, one row a vertex."""
    vertices, faces, normals, uv, tints = p.vertices, p.faces, p.normals, p.uv, p.vertex_colors
    if normals is None or not np.isfinite(normals).all():
        corners = vertices[faces]
        face_normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        uv = None if uv is None else uv[faces].reshape(-1, 2)
        tints = None if tints is None else tints[faces].reshape(-1, 3)
        vertices = corners.reshape(-1, 3)
        normals = np.repeat(face_normals, 3, axis=0)
        faces = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 1e-12, normals / np.maximum(lengths, 1e-12), (0.0, 0.0, 1.0))
    n = len(vertices)
    colors = np.broadcast_to(linear(p.material.color), (n, 3))
    if tints is not None:
        colors = colors * linear(tints)
    return vertices, normals, faces, colors, _finish(p.material, n), np.zeros((n, 2)) if uv is None else uv


def _finish(m: Material, n: int) -> Floats:
    values = np.array([m.metallic, max(m.roughness, SMOOTHEST), m.clearcoat], dtype=np.float32)
    if m.name == BODY:
        values = np.array([0, max(m.roughness, DULLEST_PAINT), min(m.clearcoat, GLOSSIEST_PAINT)], np.float32)
    return np.broadcast_to(np.clip(values, 0, 1), (n, 3))


def texture_at(picture: Floats, uv: NDArray[np.floating]) -> Floats:
    """Return the (n, 3) colours of a picture at (n, 2) texture coordinates, repeating, nearest pixel."""
    h, w, _ = picture.shape
    columns = np.floor((uv[:, 0] % 1.0) * w).astype(np.int64).clip(0, w - 1)
    rows = np.floor(((1.0 - uv[:, 1]) % 1.0) * h).astype(np.int64).clip(0, h - 1)
    return np.asarray(picture[rows, columns])
