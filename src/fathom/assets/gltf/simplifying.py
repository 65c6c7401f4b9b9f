"""Meshes with more vertices than anybody sees, simplified: of vertices that lie together one stays.

What stays is a vertex of the file, with its own skin weights, texture coordinates and morph targets, so that
it moves as before. Vertices are together where they are in one cell of a grid, hang on the same joint most,
and lie in one part of the texture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.meshes import Mesh, Primitive
from fathom.assets.model import Points

CELLS = (1024, 724, 512, 362, 256, 181, 128, 91, 64)
"""Cells along the longest side of a mesh, the finest grid first."""

_TEXTURE_CELLS = 64
_MIXED = np.int64(-7046029254386353131)
"""An odd number that spreads what it is multiplied by over all 64 bits."""


def simplified(meshes: Mapping[int, Mesh], most: int) -> tuple[Mapping[int, Mesh], str]:
    """Return the meshes with at most so many vertices, where a grid gives that, and what was done, in words.

    Meshes that have no more are as they were, and "" is said.
    """
    before = _vertices(meshes)
    if before <= most:
        return meshes, ""
    for cells in CELLS:
        found = {i: _coarser(m, cells) for i, m in meshes.items()}
        if _vertices(found) <= most:
            break
    return found, (
        f"its {before:,} vertices were simplified to {_vertices(found):,}: of those within 1/{cells} of a "
        "mesh's size that hang on the same joint one stays"
    )


def _vertices(meshes: Mapping[int, Mesh]) -> int:
    return sum(len(p.positions) for m in meshes.values() for p in m.primitives)


def _coarser(mesh: Mesh, cells: int) -> Mesh:
    low = np.min([p.positions.min(axis=0) for p in mesh.primitives], axis=0)
    high = np.max([p.positions.max(axis=0) for p in mesh.primitives], axis=0)
    edge = max(float((high - low).max()) / cells, 1e-30)
    return replace(mesh, primitives=tuple(_merged(p, low, edge) for p in mesh.primitives))


def _merged(p: Primitive, low: Points, edge: float) -> Primitive:
    """Return the triangles over one vertex of each cell; those that have become lines or points go."""
    _, kept, now = np.unique(_keys(p, low, edge), return_index=True, return_inverse=True)
    faces = now.reshape(-1)[p.faces]
    a, b, c = faces.T
    return replace(
        p,
        positions=p.positions[kept],
        faces=faces[(a != b) & (b != c) & (c != a)].astype(np.int32),
        normals=None if p.normals is None else p.normals[kept],
        uv_sets={k: uv[kept] for k, uv in p.uv_sets.items()},
        colors=None if p.colors is None else p.colors[kept],
        joints=None if p.joints is None else p.joints[kept],
        weights=None if p.weights is None else p.weights[kept],
        targets=tuple({k: v[kept] for k, v in t.items()} for t in p.targets),
    )


def _keys(p: Primitive, low: Points, edge: float) -> NDArray[np.int64]:
    """Return (n,) numbers that are the same for vertices that are together."""
    columns = [np.floor((p.positions - low) / edge)]
    columns += [np.floor(uv.clip(-(2**20), 2**20) * _TEXTURE_CELLS) for uv in p.uv_sets.values()]
    if p.joints is not None and p.weights is not None:
        columns.append(p.joints[np.arange(len(p.joints)), p.weights.argmax(axis=1)][:, None])
    keys = np.zeros(len(p.positions), np.int64)
    for column in np.concatenate(columns, axis=1).astype(np.int64).T:
        keys = (keys ^ (keys >> 29)) * _MIXED + column
    return keys
