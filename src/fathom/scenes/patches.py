"""Paint on an actor: which side of it, or which limb, is painted, and with what.

A patch lies on what faces one side at the middle heights, and moves along with it. It tells left from right
where a body is alike on both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Material, Model, Part
from fathom.assets.palette import BODY_COLORS
from fathom.programs.painted import PAINTS, SUFFIX
from fathom.records import SceneObject
from fathom.store.seeds import rng

PATCH, PAINT = "patch", "paint"
"""How the edits begin that paint patches, and limbs."""

SIDES = ("front", "left", "behind", "right")
"""Counter-clockwise from the actor's forward axis: the middle of the k-th lies k · 90° from it."""

HALF_DEG = 42.0
"""How far to either side a patch reaches, seen from the actor's middle, of an actor as long as it is wide."""

BAND = (0.3, 0.9)
"""Between which shares of the actor's height patches lie: legs are not painted."""

FACES = 0.6
"""From which cosine on a triangle faces a side."""

LEAST_SHARE = 0.03
"""What a patch covers at least of all that is to be seen from its side."""

TEXELS_APART = 7
"""Every so many pixels of a texture are looked at."""

WELD = 1e-4
"""Corners of triangles no farther apart than this are one, as a share of the actor's half length."""

UNLIKE, FEW = 0.4, 0.01
"""How far a paint is from all colours of the actor, in sRGB, but for so small a share of each surface."""

PLAINER = 2.5
"""How many times as much of a patch is seen from its own side as from those beside it, at least."""

OFTEN = ((0.3, 0.3, 0.4, 0.0), (0.25, 0.25, 0.25, 0.25))
"""How often an actor has one patch, two, three, four: one with room for fewer than four, and one for four."""

BLOCK = 8
"""In every so many films amounts of patches are as often as they should be."""


def painted(actor: SceneObject, asset: AnimatedAsset, count: int, g: np.random.Generator) -> SceneObject:
    """Return an actor with so many patches of paint, or as it is."""
    edits = patches_of(asset, count, g)
    if not edits or actor.asset is None:
        return actor
    return msgspec.structs.replace(
        actor,
        asset=msgspec.structs.replace(actor.asset, edits=edits),
        parts=actor.parts | paint_parts(edits),
    )


def amount_of(index: int, seed: str, sides: int) -> int:
    """Return how many patches a film has of an actor with room on so many sides: every few films have all
    amounts as often as they should be.
    """
    often = OFTEN[sides == len(SIDES)]
    g = rng(seed, "stories", "patches", index // BLOCK)
    place = (g.permutation(BLOCK) + g.random(BLOCK))[index % BLOCK] / BLOCK
    return min(int(np.searchsorted(np.cumsum(often), place, side="right")), len(SIDES) - 1) + 1


def patches_of(asset: AnimatedAsset, count: int, g: np.random.Generator) -> tuple[str, ...]:
    """Return the edits that paint an actor, so many patches where it has the sides for them; () for one that
    is left as it is.
    """
    order, colors = g.permutation(len(SIDES)), g.permutation(len(PAINTS))
    first = int(order[0])
    # Two that face away from one another, and then the other two: only who goes around sees all.
    places = (first, (first + 2) % 4, *(int(k) for k in order if int(k) % 2 != first % 2))
    sides = [SIDES[k] for k in places if paintable(asset)[k]]
    if not all(is_free(asset, c) for c in PAINTS):
        return ()
    return tuple(f"{PATCH}:{s}={PAINTS[int(k)]}" for s, k in zip(sides[:count], colors, strict=False))


def paint_parts(edits: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the parts that painted pieces are, as a scene's record has them: name → colour and word."""
    return {name: {"color": color, "word": name} for name, color, _ in _named(edits)}


def with_patches(model: Model, edits: Sequence[str], asset: AnimatedAsset) -> Model:
    """Return the model with its painted pieces as parts of their own, behind the others; () of them changes
    nothing.

    The triangles that are painted leave the parts that they are of. A piece has all vertices of such a part.
    """
    layers = _layers(asset, edits)
    if not layers:
        return model
    parts, added = list(model.parts), []
    for name, color, chosen in layers:
        for p, own in zip(model.parts, chosen, strict=False):
            if own.any():
                paint = Material(name, BODY_COLORS[color], roughness=0.5)
                added.append(Part(name, p.vertices, np.ascontiguousarray(p.faces[own]), paint, p.normals))
    gone = [np.any([chosen[k] for _, _, chosen in layers], axis=0) for k in range(len(model.parts))]
    parts = [
        replace(p, faces=np.ascontiguousarray(p.faces[~away])) if away.any() else p
        for p, away in zip(model.parts, gone, strict=True)
    ]
    return replace(model, parts=(*parts, *added))


def owners_of(asset: AnimatedAsset, edits: Sequence[str]) -> tuple[NDArray[np.int64], ...]:
    """Return, per part of an edited actor, which limb (n,) each vertex hangs on; -1 for none."""
    own = asset.limb_of_vertex()
    more = [k for _, _, chosen in _layers(asset, edits) for k, mine in enumerate(chosen) if mine.any()]
    return (*own, *(own[k] for k in more))


def _layers(
    asset: AnimatedAsset, edits: Sequence[str]
) -> list[tuple[str, str, tuple[NDArray[np.bool_], ...]]]:
    """Return what is painted: the name of each piece, its colour and, per part, its triangles (m,)."""
    found = []
    for name, color, where in _named(edits):
        chosen = _painted(asset, where) if where in SIDES else triangles_of(asset, where)
        found.append((name, color, chosen))
    return found


def _named(edits: Collection[str]) -> list[tuple[str, str, str]]:
    """Return the name of each painted piece, its colour, and where it is: a side, or a limb."""
    sides = [(f"{color}{SUFFIX}", color, side) for side, color in _edits_of(PATCH, edits)]
    return sides + [(limb, color, limb) for limb, color in _edits_of(PAINT, edits)]


@lru_cache(maxsize=1024)
def triangles_of(asset: AnimatedAsset, limb: str) -> tuple[NDArray[np.bool_], ...]:
    """Return, per part of an actor, which triangles (m,) have two corners at least on a limb."""
    k = tuple(asset.limbs).index(limb)
    owners = asset.limb_of_vertex()
    parts = asset.model_at("", 0.0).parts
    return tuple((of[p.faces] == k).sum(axis=1) >= 2 for p, of in zip(parts, owners, strict=True))


def _edits_of(kind: str, edits: Collection[str]) -> list[tuple[str, str]]:
    """Return what the edits of a kind are about, and their colours."""
    found = [e.partition(":")[2].partition("=") for e in edits if e.startswith(f"{kind}:")]
    return [(what, color) for what, _, color in found]


@lru_cache(maxsize=1024)
def _painted(asset: AnimatedAsset, side: str) -> tuple[NDArray[np.bool_], ...]:
    """Return, per part of an actor, which triangles (m,) a patch of a side is made of."""
    ahead = _towards(SIDES.index(side))
    rest = asset.model_at("", 0.0)
    points = np.concatenate([p.vertices for p in rest.parts])
    low, high = np.percentile(points, 1, axis=0), np.percentile(points, 99, axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-9)
    out = []
    for p in rest.parts:
        corners = p.vertices[p.faces]
        at = (corners.mean(axis=1) - middle) / half
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        facing = normal[:, :2] @ ahead / np.maximum(np.linalg.norm(normal, axis=1), 1e-12)
        along, across = at[:, :2] @ ahead, np.abs(at[:, 0] * ahead[1] - at[:, 1] * ahead[0])
        band = (at[:, 2] >= 2 * BAND[0] - 1) & (at[:, 2] <= 2 * BAND[1] - 1)
        near = across <= math.tan(math.radians(HALF_DEG)) * np.maximum(along, 0.0)
        out.append(np.asarray(band & near & (facing >= FACES)))
    return _in_one_piece(rest.parts, out, ahead, float(half.max()))


def _in_one_piece(
    parts: Sequence[Part], chosen: Sequence[NDArray[np.bool_]], ahead: NDArray[np.float64], size_m: float
) -> tuple[NDArray[np.bool_], ...]:
    """Return the chosen triangles that hang together with most of what is to be seen of them from one side.

    Corners that lie at one place are one, whichever part they are of.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    corners = np.concatenate([p.vertices[p.faces[own]] for p, own in zip(parts, chosen, strict=True)])
    if not len(corners):
        return tuple(chosen)
    _, at = np.unique(np.round(corners.reshape(-1, 3) / (WELD * size_m)), axis=0, return_inverse=True)
    at = at.reshape(-1, 3)
    pairs = np.concatenate([at[:, :2], at[:, 1:]])
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(at.max() + 1,) * 2)
    piece = connected_components(links, directed=False)[1][at[:, 0]]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, :2] @ ahead
    kept = piece == np.argmax(np.bincount(piece, weights=np.maximum(flat, 0.0)))
    out, start = [], 0
    for own in chosen:
        mask = own.copy()
        mask[own] = kept[start : start + int(own.sum())]
        start += int(own.sum())
        out.append(mask)
    return tuple(out)


@lru_cache(maxsize=512)
def paintable(asset: AnimatedAsset) -> tuple[bool, ...]:
    """Return for each side whether there is enough on it to paint."""
    found = []
    for k, side in enumerate(SIDES):
        ahead, left = _towards(k), _towards(k + 1)
        own = {w: _seen_area(asset, side, w) for w in ((*ahead,), (*left,), (*-left,))}
        straight, *across = own.values()
        found.append(straight >= LEAST_SHARE * _seen_area(asset, "", (*ahead,)) > 0
                     and straight >= PLAINER * max(across))  # fmt: skip
    return tuple(found)


def _towards(quarter: int) -> NDArray[np.float64]:
    """Return the direction (2,) on the ground so many quarter turns counter-clockwise from ahead."""
    return np.array([math.cos(quarter * math.pi / 2), math.sin(quarter * math.pi / 2)])


def _seen_area(asset: AnimatedAsset, side: str, towards: tuple[float, ...]) -> float:
    """Return how large the patch of a side looks from far off, all of an actor for "", in square metres."""
    parts = asset.model_at("", 0.0).parts
    chosen = _painted(asset, side) if side else tuple(np.ones(len(p.faces), dtype=bool) for p in parts)
    area = 0.0
    for p, mine in zip(parts, chosen, strict=True):
        corners = p.vertices[p.faces[mine]]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
        area += float(np.maximum(normal[:, :2] @ np.array(towards), 0.0).sum())
    return area


def is_free(asset: AnimatedAsset, color: str) -> bool:
    """Return whether nobody would take a paint for a colour of the actor."""
    rgb = np.array(BODY_COLORS[color])
    return all(
        float((np.linalg.norm(_colors(p) - rgb, axis=1) < UNLIKE).mean()) <= FEW
        for p in asset.model_at("", 0.0).parts
    )


def _colors(part: Part) -> NDArray[np.float64]:
    """Return colours (n, 3) that a part has, in sRGB."""
    found = np.array(part.material.color, dtype=float)[None]
    if part.material.texture is not None:
        found = found * part.material.texture[..., :3].reshape(-1, 3)[::TEXELS_APART] / 255
    return found if part.vertex_colors is None else np.asarray(found.mean(axis=0) * part.vertex_colors[:, :3])


@lru_cache(maxsize=512)
def limb_share(asset: AnimatedAsset, limb: str) -> float:
    """Return how much of an actor's surface is a limb's."""
    own = whole = 0.0
    for p, mine in zip(asset.model_at("", 0.0).parts, triangles_of(asset, limb), strict=True):
        corners = p.vertices[p.faces]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        own, whole = own + float(area[mine].sum()), whole + float(area.sum())
    return own / max(whole, 1e-12)
