"""Patches of paint on an actor: which side of it is painted, and with what.

A patch lies on what faces one side at the middle heights, and moves along with it. It tells left from right
where a body is alike on both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Material, Model, Part
from fathom.assets.palette import BODY_COLORS
from fathom.programs.painted import PAINTS, SUFFIX
from fathom.programs.state import SINCE
from fathom.records import SceneObject
from fathom.store.seeds import rng

PATCH = "patch"
"""How the edits begin that paint patches."""

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

MOMENTS = 5
"""At how many times of a film a patch may come."""

EPS_S = 1e-6

OFTEN_OF_FOUR = (
    (0.03, 0.10, 0.0, 0.0, 0.0),
    (0.02, 0.03, 0.08, 0.0, 0.0),
    (0.02, 0.0, 0.03, 0.08, 0.0),
    (0.02, 0.04, 0.05, 0.08, 0.42),
)
OFTEN_OF_FEWER = (
    (0.11, 0.22, 0.0, 0.0, 0.0),
    (0.05, 0.06, 0.23, 0.0, 0.0),
    (0.03, 0.02, 0.05, 0.23, 0.0),
)
"""How often an actor that is painted has one patch, two, three, four, and how often none of them, one … four
come while the film runs: of an actor with room for four, and of one with room for fewer. As nearly as many
actors have either, one to four there are as often, and one to four come as often.
"""

BLOCK = 8
"""In every so many films amounts of patches are as often as they should be."""


def painted(
    actor: SceneObject,
    asset: AnimatedAsset,
    amounts: tuple[int, int],
    g: np.random.Generator,
    frames: int,
    fps: float,
) -> SceneObject:
    """Return the actor of a film of so many frames with patches of paint, or as it is.

    `amounts` are how many patches there are, and how many of them come while the film runs.
    """
    count, coming = amounts
    edits = patches_of(asset, count, g)
    if not edits or actor.asset is None:
        return actor
    return msgspec.structs.replace(
        actor,
        asset=msgspec.structs.replace(actor.asset, edits=edits),
        parts=actor.parts | patch_parts(edits, paint_times(edits, coming, frames, g), fps),
    )


def amounts_of(index: int, seed: str, sides: int) -> tuple[int, int]:
    """Return how many patches a film has of an actor with room on so many sides, and how many of them come:
    every few films have all amounts as often as they should be.
    """
    often = OFTEN_OF_FOUR if sides == len(SIDES) else OFTEN_OF_FEWER
    g = rng(seed, "stories", "patches", index // BLOCK)
    place = (g.permutation(BLOCK) + g.random(BLOCK))[index % BLOCK] / BLOCK
    drawn = int(np.searchsorted(np.cumsum(often), place * np.sum(often), side="right"))
    count, coming = divmod(min(drawn, np.size(often) - 1), len(SIDES) + 1)
    return count + 1, coming


def patches_of(asset: AnimatedAsset, count: int, g: np.random.Generator) -> tuple[str, ...]:
    """Return the edits that paint an actor, so many patches where it has the sides for them; () for one that
    is left as it is.
    """
    order, colors = g.permutation(len(SIDES)), g.permutation(len(PAINTS))
    first = int(order[0])
    # Two that face away from one another, and then the other two: only who goes around sees all.
    places = (first, (first + 2) % 4, *(int(k) for k in order if int(k) % 2 != first % 2))
    sides = [SIDES[k] for k in places if paintable(asset)[k]]
    if not all(_is_free(asset, c) for c in PAINTS):
        return ()
    return tuple(f"{PATCH}:{s}={PAINTS[int(k)]}" for s, k in zip(sides[:count], colors, strict=False))


def paint_times(edits: Sequence[str], coming: int, frames: int, g: np.random.Generator) -> dict[str, int]:
    """Return at which frame those patches come that are not there from the start, by their sides: `coming` of
    them, or all.

    Of six frames evenly spaced over the film one lies between any two of them, and one behind the last,
    whether the sixth is the film's last frame or, as in the protocol, a sixth of the film before its end.
    """
    sides = [side for side, _ in _patches(edits)]
    late = [sides[int(k)] for k in g.permutation(len(sides))[:coming]]
    order = g.permutation(MOMENTS)
    ends = [((frames - 1) * k / MOMENTS, frames * (k + 1) / (MOMENTS + 1)) for k in order.tolist()]
    return {s: round(sum(between) / 2) for s, between in zip(late, ends, strict=False)}


def patch_parts(
    edits: Sequence[str], times: Mapping[str, int] = MappingProxyType({}), fps: float = 1.0
) -> dict[str, dict[str, str]]:
    """Return the parts that patches are, as a scene's record has them: name → colour, word, when it comes."""
    found = {}
    for side, color in _patches(edits):
        name = f"{color}{SUFFIX}"
        found[name] = {"color": color, "word": name}
        if side in times:
            found[name][SINCE] = f"{times[side] / fps:.9f}"
    return found


def yet_to_come(parts: Mapping[str, Mapping[str, str]], time_s: float) -> frozenset[str]:
    """Return the parts of a scene's record that have not got their colour by a time."""
    return frozenset(n for n, told in parts.items() if float(told.get(SINCE, 0.0)) > time_s + EPS_S)


def with_patches(
    model: Model, edits: Sequence[str], asset: AnimatedAsset, bare: Collection[str] = ()
) -> Model:
    """Return the model with its patches as parts of their own, behind the others; () of them changes nothing.

    The triangles that are painted leave the parts that they are of. A patch has all vertices of such a part;
    one that is `bare` looks like it, too.
    """
    found = _patches(edits)
    if not found:
        return model
    parts, added = list(model.parts), []
    for side, color in found:
        for k, own in enumerate(_painted(asset, side)):
            if own.any():
                p, name, faces = (
                    model.parts[k],
                    f"{color}{SUFFIX}",
                    np.ascontiguousarray(model.parts[k].faces[own]),
                )
                paint = Material(name, BODY_COLORS[color], roughness=0.5)
                colored = Part(name, p.vertices, faces, paint, p.normals)
                added.append(replace(p, name=name, faces=faces) if name in bare else colored)
    gone = [np.any([_painted(asset, side)[k] for side, _ in found], axis=0) for k in range(len(model.parts))]
    parts = [
        replace(p, faces=np.ascontiguousarray(p.faces[~away])) if away.any() else p
        for p, away in zip(model.parts, gone, strict=True)
    ]
    return replace(model, parts=(*parts, *added))


def owners_of(asset: AnimatedAsset, edits: Sequence[str]) -> tuple[NDArray[np.int64], ...]:
    """Return, per part of an edited actor, which limb (n,) each vertex hangs on; -1 for none."""
    own = asset.limb_of_vertex()
    more = [k for side, _ in _patches(edits) for k, mine in enumerate(_painted(asset, side)) if mine.any()]
    return (*own, *(own[k] for k in more))


def _patches(edits: Collection[str]) -> list[tuple[str, str]]:
    """Return the sides that are painted, and their colours."""
    found = [e.partition(":")[2].partition("=") for e in edits if e.startswith(f"{PATCH}:")]
    return [(side, color) for side, _, color in found]


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


def _is_free(asset: AnimatedAsset, color: str) -> bool:
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
