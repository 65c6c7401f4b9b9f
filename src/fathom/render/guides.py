"""What the denoiser is told, and what needs no light: albedo, normals, glow, and where the ground is seen.

The same rays as those of the truth pass, a few a pixel, so that edges are as soft as in the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.poses import pose_at, rotation_matrix
from fathom.ground_truth.alone import ObjectRays, alone
from fathom.ground_truth.solids import Solid, solid_of
from fathom.ground_truth.views import composite
from fathom.records import Camera, Scene
from fathom.render.color import Floats
from fathom.render.surfaces import SurfaceArrays, texture_at

OFFSETS = ((-0.125, -0.375), (0.375, -0.125), (0.125, 0.375), (-0.375, 0.125))
"""Where in a pixel, from its centre, the guides look: a rotated grid."""


@dataclass(frozen=True, eq=False)
class Guides:
    """Noise-free pictures of the scene; all (height, width, 3) float32, and (height, width).

    albedo : the share of light sent back; objects only, black elsewhere
    normal : world, facing the camera; objects only
    glow : light given off, in units of white level ground
    objects : (height, width) share of the pixel that shows an object
    nearness : (height, width) of objects one over their depth, 1/m, where it is seen; 0 elsewhere
    """

    albedo: Floats
    normal: Floats
    glow: Floats
    objects: Floats
    nearness: Floats


def guides(
    scene: Scene,
    models: Mapping[str, Model],
    skins: Sequence[SurfaceArrays],
    camera: Camera,
    frame: int = 0,
    offsets: Sequence[tuple[float, float]] = OFFSETS,
    solids: Sequence[Solid] | None = None,
) -> Guides:
    """Return the guides of what a camera with one pose sees, looking at these places in each pixel.

    `solids` are those of the objects, where they are at hand.
    """
    total = np.zeros((camera.height, camera.width, 11), dtype=np.float32)
    solids = solids or [solid_of(models[t.id]) for t in scene.objects]
    poses = [pose_at(t.poses, frame) for t in scene.objects]
    for dx, dy in offsets:
        moved = Camera(
            width=camera.width, height=camera.height, fx=camera.fx, fy=camera.fy,
            cx=camera.cx - dx, cy=camera.cy - dy, poses=camera.poses,
        )  # fmt: skip
        library = [alone(moved, p, s, beyond=False) for p, s in zip(poses, solids, strict=True)]
        _add(total, moved, library, skins)
    total /= len(offsets)
    normal = total[..., 3:6]
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    unit = np.where(length > 1e-6, normal / np.maximum(length, 1e-6), 0) * np.minimum(length, 1.0)
    return Guides(
        total[..., 0:3].copy(),
        unit.astype(np.float32),
        total[..., 6:9].copy(),
        total[..., 9].copy(),
        total[..., 10].copy(),
    )


def _add(
    total: Floats, camera: Camera, library: Sequence[ObjectRays], skins: Sequence[SurfaceArrays]
) -> None:
    ids, depth = composite((camera.height, camera.width), [(a.window, a.depth_m) for a in library])
    pixels = total.reshape(-1, total.shape[-1])
    for index, (a, skin) in enumerate(zip(library, skins, strict=True)):
        x0, y0, x1, y1 = a.window
        chosen = np.flatnonzero(ids[y0:y1, x0:x1] == index)
        if not len(chosen):
            continue
        rows, columns = np.divmod(chosen, x1 - x0)
        here = (rows + y0) * camera.width + (columns + x0)
        pixels[here, :10] = pixels.take(here, axis=0)[:, :10] + shown_at(camera, a, skin, chosen)
        pixels[here, 10] += 1 / np.maximum(depth.reshape(-1)[here], 1e-3)


def shown_at(camera: Camera, a: ObjectRays, skin: SurfaceArrays, chosen: NDArray[np.intp]) -> Floats:
    """Return (k, 10) albedo, normal, glow and 1 at the chosen hits."""
    face = a.hits.face.take(chosen)
    v, w = a.hits.u.take(chosen)[:, None], a.hits.v.take(chosen)[:, None]
    u = 1 - v - w
    i, j, k = (np.ascontiguousarray(corner) for corner in skin.faces.take(face, axis=0).T)

    # Taking rows is several times as fast as indexing by them.
    def between(values: Floats, columns: int = 3) -> Floats:
        first, second, third = (values.take(corner, axis=0)[:, :columns] for corner in (i, j, k))
        return np.asarray(u * first + v * second + w * third, dtype=np.float32)

    color = between(skin.colors)
    for index, picture in enumerate(skin.textures):
        here = skin.texture[face] == index
        if here.any():
            color[here] *= texture_at(picture, between(skin.uv)[here])
    metallic = between(skin.finish, 1)
    normal = between(skin.normals) @ rotation_matrix(a.pose.rotation_wxyz).T
    away = normal @ rotation_matrix(camera.poses[0].rotation_wxyz)[:, 2] > 0
    normal[away] *= -1
    out = np.ones((len(face), 10), dtype=np.float32)
    # A metal's own colour tells the denoiser little: what it shows is the world around it.
    out[:, 0:3] = np.clip(color, 0, 1) * (1 - 0.5 * metallic) + 0.25 * metallic
    out[:, 3:6] = normal
    out[:, 6:9] = color * skin.emission.take(face)[:, None]
    return out
