"""Cheap pictures of triangles, flat and light from above, for what is measured before anything is painted.

They are drawn by the depth buffer of `geometry.visibility`, each face in one colour; what shows no face is
transparent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Part
from fathom.curation.duplicates import Floats, surface_colors
from fathom.curation.pixels import Picture
from fathom.geometry.visibility import silhouette
from fathom.records import Camera

_LIGHT = np.array([0.4, 0.3, 0.85]) / np.linalg.norm([0.4, 0.3, 0.85])
_DARKEST = 0.35
_STEPS = 32
"""Into so many steps each channel is rounded: a face and its colour have to fit one label of 16 bits."""

_FLAT_POINTS = 400


def face_colors(parts: Sequence[Part]) -> Floats:
    """Return the colour of each face of all parts, one after the other, (m, 3) sRGB in 0..1."""
    found = [np.broadcast_to(surface_colors(p), (len(p.faces), 3)) for p in parts if len(p.faces)]
    return np.concatenate(found) if found else np.zeros((0, 3))


def joined_faces(parts: Sequence[Part]) -> NDArray[np.int64]:
    """Return the triangles (m, 3) of all parts, as indices into their vertices one after the other."""
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    found = [p.faces.astype(np.int64) + start for p, start in zip(parts, starts[:-1], strict=True)]
    return np.concatenate(found) if found else np.zeros((0, 3), np.int64)


def drawn(points_m: Floats, faces: NDArray[np.integer], colors: Floats, camera: Camera) -> Picture:
    """Return triangles before a camera, (height, width, 4) sRGB bytes, transparent where none is.

    points_m : (n, 3) world; faces : (m, 3); colors : (m, 3) sRGB in 0..1.
    """
    t = points_m[faces]
    normal = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    shade = _DARKEST + (1 - _DARKEST) * np.abs(normal @ _LIGHT)
    levels = np.minimum((colors.clip(0, 1) * shade[:, None] * _STEPS).astype(np.int64), _STEPS - 1)
    seen = silhouette(camera, points_m, faces, levels @ (_STEPS * _STEPS, _STEPS, 1))
    picture = np.full((camera.height, camera.width, 4), 255, np.uint8)
    picture[..., 3] = 0
    rows, columns = np.nonzero(seen.part >= 0)
    label = seen.part[rows, columns].astype(np.int64)
    y, x = rows + seen.top, columns + seen.left
    inside = (y >= 0) & (y < camera.height) & (x >= 0) & (x < camera.width)
    found = np.stack([label // _STEPS**2, label // _STEPS % _STEPS, label % _STEPS], axis=-1)
    picture[y[inside], x[inside], :3] = (found[inside] * 255 // (_STEPS - 1)).astype(np.uint8)
    picture[y[inside], x[inside], 3] = 255
    return picture


def outermost(points_m: Floats) -> Floats:
    """Return those of (n, 3) points that any camera has to hold to hold all of them."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(points_m[ConvexHull(points_m).vertices])
    except QhullError:  # all of them lie in a plane
        thin = points_m[:: max(1, len(points_m) // _FLAT_POINTS)]
        lows, highs = points_m.argmin(axis=0), points_m.argmax(axis=0)
        return np.concatenate([thin, points_m[lows], points_m[highs]])


def on_white(picture: Picture) -> Picture:
    """Return a picture with an alpha of 0 or 255 as (height, width, 3), white where it is transparent."""
    return np.where(picture[..., 3:] > 0, picture[..., :3], np.uint8(255))
