"""Closing an actor where a limb was taken away: a fan of triangles over each hole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Part

WELD = 1e-5
"""Corners no farther apart than this are one, as a share of the actor's size."""

MOST_OF = 0.95
"""Of which share of a hole's corners one part has vertices that closes it alone."""

Faces = NDArray[np.int32]


@lru_cache(maxsize=256)
def removable(asset: AnimatedAsset, limb: str) -> bool:
    """Return whether an actor can be closed where a limb is taken away."""
    return caps_of(asset, (limb,)) is not None


@lru_cache(maxsize=256)
def caps_of(asset: AnimatedAsset, gone: tuple[str, ...]) -> tuple[Faces, ...] | None:
    """Return, per part of an actor, the triangles (k, 3) that close it where limbs are taken away.

    None where a hole cannot be closed by corners of one part: two that share it leave gaps.
    """
    index = [tuple(asset.limbs).index(n) for n in gone]
    parts = asset.model_at("", 0.0).parts
    away = [np.isin(of, index) for of in asset.limb_of_vertex()]
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    welded = _welded(parts)
    found: list[list[tuple[int, int, int]]] = [[] for _ in parts]
    for loop in _loops(_open_edges(parts, away, starts, welded)):
        place = _one_part(loop, starts, welded)
        if place is None:
            return None
        k, corners = place
        found[k] += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
    return tuple(np.array(own, np.int32).reshape(-1, 3) for own in found)


def _welded(parts: Sequence[Part]) -> NDArray[np.int64]:
    """Return for each vertex of all parts (n,) the number of its place at rest."""
    points = np.concatenate([p.vertices for p in parts])
    size = float(np.ptp(points, axis=0).max())
    _, of = np.unique(np.round(points / (WELD * size)), axis=0, return_inverse=True)
    return np.asarray(of.reshape(-1), np.int64)


def _open_edges(
    parts: Sequence[Part],
    away: Sequence[NDArray[np.bool_]],
    starts: NDArray[np.int64],
    welded: NDArray[np.int64],
) -> dict[int, list[int]]:
    """Return the edges of what is taken away at which something stays, from place to place.

    They run as the triangles that go have them, so that what closes the hole looks the same way.
    """
    kept: set[tuple[int, int]] = set()
    gone: list[tuple[int, int]] = []
    for p, lost, start in zip(parts, away, starts, strict=False):
        corners = welded[p.faces + start]
        leaves = lost[p.faces].any(axis=1)
        for faces, into in ((corners[~leaves], kept.add), (corners[leaves], gone.append)):
            for a, b, c in faces.tolist():
                for edge in ((a, b), (b, c), (c, a)):
                    into(edge)
    edges: dict[int, list[int]] = {}
    for a, b in gone:
        if a != b and (b, a) in kept:
            edges.setdefault(a, []).append(b)
    return edges


def _loops(edges: dict[int, list[int]]) -> list[list[int]]:
    """Return the ways along edges, each as its places in order, until they close or end."""
    left, out = {a: list(ends) for a, ends in edges.items()}, []
    while left:
        start = next(iter(left))
        way, at = [start], _step(left, start)
        while at != start and at in left:
            way.append(at)
            at = _step(left, at)
        out.append(way)
    return [way for way in out if len(way) > 2]


def _step(left: dict[int, list[int]], at: int) -> int:
    """Return where the next edge from a place leads, which is then used up."""
    ends = left[at]
    end = ends.pop()
    if not ends:
        del left[at]
    return end


def _one_part(
    loop: Sequence[int], starts: NDArray[np.int64], welded: NDArray[np.int64]
) -> tuple[int, list[int]] | None:
    """Return the part that has a vertex at nearly all places of a loop, and these vertices; None for none."""
    found = []
    for k in range(len(starts) - 1):
        at = {place: n for n, place in enumerate(welded[starts[k] : starts[k + 1]].tolist())}
        found.append((k, [at[place] for place in loop if place in at]))
    k, corners = max(found, key=lambda own: len(own[1]))
    return (k, corners) if len(corners) >= max(3, MOST_OF * len(loop)) else None
