"""Closing an actor where a limb was taken away: triangles over each hole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Part, Points

WELD = 1e-5
"""Corners no farther apart than this are one, as a share of the actor's size."""

MOST_OF = 0.95
"""Of which share of a hole's corners one part has vertices that closes it alone."""

WITHIN = np.array([(1, 1, 1), (4, 1, 1), (1, 4, 1), (1, 1, 4), (3, 3, 1), (3, 1, 3), (1, 3, 3)], dtype=float)
WITHIN /= WITHIN.sum(axis=1, keepdims=True)
"""Shares of its corners at which the color of a triangle is looked at."""

ALIKE = 0.25
"""How far a color may be from all those of the corners, in sRGB."""

Faces = NDArray[np.int32]


@lru_cache(maxsize=256)
def removable(asset: AnimatedAsset, *limbs: str) -> bool:
    """Return whether an actor can be closed where some limbs are taken away."""
    return caps_of(asset, limbs) is not None


@lru_cache(maxsize=256)
def lost_of(asset: AnimatedAsset, gone: tuple[str, ...]) -> tuple[NDArray[np.bool_], ...]:
    """Return, per part of an actor, which vertices (n,) go with limbs that are taken away.

    A limb goes as far as it stands out of the body: what of it lies no farther out, towards its tip, than
    some place at which it and the body meet is flank or shoulder, and stays.
    """
    parts = asset.model_at("", 0.0).parts
    points = np.concatenate([p.vertices for p in parts])
    cuts = np.cumsum([len(p.vertices) for p in parts])[:-1]
    starts, welded = np.array([0, *cuts, len(points)]), _welded(parts)
    lost = np.zeros(len(points), dtype=bool)
    for name in gone:
        away = [of == tuple(asset.limbs).index(name) for of in asset.limb_of_vertex()]
        own = np.concatenate(away)
        border = np.isin(welded, list(_open_edges(parts, away, starts, welded)))
        if border.any():
            middle = points[border].mean(axis=0)
            tip = points[own][np.argmax(np.linalg.norm(points[own] - middle, axis=1))]
            along = (points - middle) @ (tip - middle)
            own &= along > along[border].max()
        lost |= own
    return tuple(np.split(lost, cuts))


@lru_cache(maxsize=256)
def caps_of(asset: AnimatedAsset, gone: tuple[str, ...]) -> tuple[Faces, ...] | None:
    """Return, per part of an actor, the triangles (k, 3) that close it where limbs are taken away.

    None where a hole cannot be closed by corners of one part: two that share it leave gaps; nor where what
    closes it would have other colors than there are around it, as of a texture in pieces.
    """
    parts, away = asset.model_at("", 0.0).parts, lost_of(asset, gone)
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    welded = _welded(parts)
    found: list[list[Faces]] = [[] for _ in parts]
    for loop in _loops(_open_edges(parts, away, starts, welded)):
        place = _one_part(loop, starts, welded)
        if place is None:
            return None
        k, corners = place
        own = _closing(parts[k].vertices, np.array(corners, np.int32))
        if not _in_colors(parts[k], own):
            return None
        found[k].append(own)
    return tuple(np.concatenate([np.zeros((0, 3), np.int32), *own]) for own in found)


def _closing(points: Points, loop: NDArray[np.int32]) -> Faces:
    """Return the triangles (n - 2, 3) that close a loop of n corners with the least area."""
    n = len(loop)
    p = points[loop]
    cost, split = np.zeros((n, n)), np.zeros((n, n), dtype=int)
    for wide in range(2, n):
        for i in range(n - wide):
            j, mids = i + wide, np.arange(i + 1, i + wide)
            area = np.linalg.norm(np.cross(p[mids] - p[i], p[j] - p[i]), axis=1)
            every = cost[i, mids] + cost[mids, j] + area
            split[i, j] = mids[int(np.argmin(every))]
            cost[i, j] = every.min()
    found, left = [], [(0, n - 1)]
    while left:
        i, j = left.pop()
        if j - i >= 2:
            k = int(split[i, j])
            found.append((loop[i], loop[k], loop[j]))
            left += [(i, k), (k, j)]
    return np.array(found, np.int32)


def _in_colors(part: Part, faces: Faces) -> bool:
    """Return whether triangles (k, 3) of a part have the colors of their corners all over."""
    texture, uv = part.material.texture, part.uv
    if texture is None or uv is None:
        return True
    size = np.array(texture.shape[1::-1])

    def colors(at: NDArray[np.float64]) -> NDArray[np.float64]:
        column, row = np.moveaxis((at * (1, -1) % 1.0 * (size - 1)).round().astype(int), -1, 0)
        return np.asarray(texture[row, column, :3] / 255.0)

    corners = uv[faces]
    inside = np.einsum("sc,kcx->ksx", WITHIN, corners)
    off = np.linalg.norm(colors(inside)[:, :, None] - colors(corners)[:, None], axis=-1).min(axis=2)
    return bool((off <= ALIKE).all())


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
