"""How many pieces of a part are seen: sets of surface points, at rest, with a gap between them.

Nothing is known of how triangles hang together; where points that were seen lie near one another, there is
one piece.
"""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed.animation import ObservedAnimation

LINKS = (0.014, 0.018, 0.022)
"""How near to one another points are that belong together, as shares of the size: all must count the same."""

FEW, STRAY = 12, 0.01
"""Fewer points than the first are no piece: they strayed from one, as no more than such a share may."""


def counted(film: ObservedAnimation, part: str) -> str | None:
    """Return how many pieces a part is seen to come in; None where that is a matter of how near is near."""
    rep = film.repertoire
    if rep is None or part not in rep.parts:
        return None
    name = rep.parts.index(part)
    return _number(film, [row[0].rest_m[rep.part_of_face[row[0].faces] == name] for row in film.found.looks])


def bodies(film: ObservedAnimation) -> str | None:
    """Return how many objects all that is seen of the actor at rest is; None where it is one, or untold."""
    found = _number(film, [row[0].rest_m for row in film.found.looks])
    return None if found == "1" else found


def _number(film: ObservedAnimation, seen: list[Points]) -> str | None:
    rep, points = film.repertoire, np.concatenate(seen)
    if rep is None or len(points) < FEW:
        return None
    counts = {_pieces(points, link * rep.size_m) for link in LINKS}
    found = counts.pop()
    return str(found) if not counts and found else None


def _pieces(points: Points, link_m: float) -> int:
    """Return how many heaps of points there are with gaps between; 0 where too many points are in none."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    # Points of many looks lie where those of others do: one for each small cube is enough.
    cubes, counts = np.unique(np.round(points / (link_m / 4)), axis=0, return_counts=True)
    pairs = cKDTree(cubes).query_pairs(4.0, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cubes),) * 2)
    count, piece = connected_components(graph, directed=False)
    heaps = np.bincount(piece, counts, minlength=count)
    stray = float(heaps[heaps < FEW].sum())
    return int((heaps >= FEW).sum()) if stray <= STRAY * len(points) else 0
