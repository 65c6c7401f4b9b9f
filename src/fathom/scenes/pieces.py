"""The pieces that the parts of a model come in: fins, coins, stripes, each of which hangs together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points

WELD = 5e-5
"""Corners of triangles no farther apart than this are one, as a share of the model's longest side."""

MOST = 9
"""More pieces of a part nobody counts."""

APART = 0.03
"""How far pieces of a part lie apart at least that everybody tells apart: a share of the longest side."""

JOINED = 0.01
"""Up to how far apart what belongs to one object may lie, as a wheel from its axle: a share likewise."""

ALIKE = 0.1
"""By which share of it one of several objects alike may be smaller than the largest."""

NONE = -1


def pieces_of(rest_m: Points, faces: NDArray[np.integer], part: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return (m,) which piece of its part each triangle belongs to, counted on from part to part; -1 of parts
    that nobody could count: of too many pieces, or of pieces that lie too near to one another.

    `rest_m` (n, 3) are the model's vertices at rest, `faces` (m, 3) its triangles, `part` (m,) their parts.
    """
    size = float(np.ptp(rest_m[np.unique(faces)], axis=0).max())
    corners = np.unique(np.round(rest_m / (WELD * size)).astype(np.int64), axis=0, return_inverse=True)[1]
    out, count = np.full(len(faces), NONE, dtype=np.int64), 0
    for name in np.unique(part):
        own = np.flatnonzero(part == name)
        piece = _connected(corners.reshape(-1)[faces[own]])
        found = int(piece.max()) + 1
        if found <= MOST and _apart(rest_m, faces[own], piece, found, APART * size):
            out[own] = count + piece
            count += found
    return out


def bodies_of(rest_m: Points, faces: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Return (m,) which of several objects alike each triangle belongs to, as the birds of a flock; None of a
    model that is one object, or of which nobody could say how many it is.

    Objects are what hangs together, or nearly so, at rest; of two to `MOST` that lie apart all have as many
    triangles as any other, and are as large.
    """
    size = float(np.ptp(rest_m[np.unique(faces)], axis=0).max())
    corners = np.unique(np.round(rest_m / (WELD * size)).astype(np.int64), axis=0, return_inverse=True)[1]
    own = _joined(rest_m, faces, _connected(corners.reshape(-1)[faces]), JOINED * size)
    count = int(own.max()) + 1
    if not 2 <= count <= MOST or len(set(np.bincount(own).tolist())) > 1:
        return None
    boxes = np.array([np.ptp(rest_m[np.unique(faces[own == k])], axis=0).max() for k in range(count)])
    alike = float(np.ptp(boxes)) <= ALIKE * float(boxes.max())
    return own if alike and _apart(rest_m, faces, own, count, APART * size) else None


def _joined(
    rest_m: Points, faces: NDArray[np.integer], piece: NDArray[np.int64], near_m: float
) -> NDArray[np.int64]:
    """Return (m,) the pieces once those are one of which corners lie so near to one another."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    used, first = np.unique(faces, return_index=True)
    of_corner = piece[first // 3]
    pairs = of_corner[cKDTree(rest_m[used]).query_pairs(near_m, output_type="ndarray")]
    count = int(piece.max()) + 1
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1][piece], dtype=np.int64)


def _connected(corners: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return (m,) which of the sets that hang together each triangle (m, 3) is in, from 0."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    used, at = np.unique(corners, return_inverse=True)
    at = at.reshape(corners.shape)
    rows, columns = np.concatenate([at[:, 0], at[:, 1]]), np.concatenate([at[:, 1], at[:, 2]])
    graph = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(used), len(used)))
    return np.asarray(connected_components(graph, directed=False)[1][at[:, 0]], dtype=np.int64)


def _apart(
    rest_m: Points, faces: NDArray[np.integer], piece: NDArray[np.int64], count: int, far: float
) -> bool:
    """Return whether no corner, or middle, of a triangle of one piece is nearer to another piece."""
    from scipy.spatial import cKDTree

    corners = rest_m[faces]
    points = [np.concatenate([corners[piece == k].reshape(-1, 3), corners[piece == k].mean(axis=1)])
              for k in range(count)]  # fmt: skip
    trees = [cKDTree(p) for p in points]
    return all(
        float(np.min(trees[a].query(points[b], distance_upper_bound=far)[0])) >= far
        for a, b in combinations(range(count), 2)
    )
