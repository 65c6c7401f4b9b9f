"""Does an object stand out from what it stands on? Its surface's colours against another's, light aside."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fathom.assets.model import Model, Part, Rgb
from fathom.assets.spec import AssetSpec
from fathom.assets.tabletop.catalogue import dressed, tabletop_model
from fathom.geometry.poses import Array
from fathom.render.color import linear, oklab

MOST_ALIKE = 0.5
"""At least such a share of a surface has another colour than what it lies on."""


FLAT = 0.2
"""What is lower than this share of its length has no shaded sides, and is seen by its colour alone."""

DARKER = 0.45
"""By such a share a metal looks darker than it is painted: it shows what is around it."""


def stands_out(asset: AssetSpec, color: str, top: Rgb, apart: float) -> bool:
    """Return whether most of an object's surface differs enough from a top: by `apart` of what is flat.

    In Oklab, where black and white differ by 1; half as much is enough of what has sides.
    """
    x, y, z = tabletop_model(asset).extents
    needed = apart if z < FLAT * max(x, y) else apart / 2
    return _share_apart(asset, color, top, needed) >= MOST_ALIKE


@lru_cache(maxsize=4096)
def _share_apart(asset: AssetSpec, color: str, top: Rgb, apart: float) -> float:
    model = dressed(asset, tabletop_model(asset).extents, color)
    return share_apart(model, top, apart)


def share_apart(model: Model, top: Rgb, apart: float) -> float:
    """Return the share of a model's surface of which the colour differs by so much from another."""
    ground = oklab(linear(np.array(top)))
    areas, far = [], []
    for piece in model.parts:
        area, colors = _painted(piece)
        areas.append(area)
        far.append(np.linalg.norm(oklab(linear(colors)) - ground, axis=-1) >= apart)
    every = np.concatenate(areas)
    return float((every * np.concatenate(far)).sum() / max(every.sum(), 1e-12))


def _painted(piece: Part) -> tuple[Array, Array]:
    """Return the area of each face, (m,), and its colour, (m, 3) sRGB; of a texture, that in its middle."""
    a, b, c = (piece.vertices[piece.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    paint = np.array(piece.material.color, dtype=np.float64) * (1 - DARKER * piece.material.metallic)
    colors = np.broadcast_to(paint, (len(area), 3))
    if piece.vertex_colors is not None:
        colors = colors * piece.vertex_colors[piece.faces[:, 0], :3]
    if piece.material.texture is not None and piece.uv is not None:
        picture = piece.material.texture
        h, w = picture.shape[:2]
        u, v = piece.uv[piece.faces].mean(axis=1).T
        rows, columns = ((1 - v) % 1 * h).astype(int).clip(0, h - 1), (u % 1 * w).astype(int).clip(0, w - 1)
        colors = colors * picture[rows, columns, :3] / 255
    return np.asarray(area), np.asarray(colors)
