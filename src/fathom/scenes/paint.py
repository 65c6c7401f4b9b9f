"""Paint on an actor: which of its limbs is painted, and with what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Material, Model, Part
from fathom.assets.palette import BODY_COLORS

T = TypeVar("T")

PAINT = "paint"
"""How the edits begin that paint limbs."""

TEXELS_APART = 7
"""Every so many pixels of a texture are looked at."""

UNLIKE, FEW = 0.4, 0.01
"""How far a paint is from all colours of the actor, in sRGB, but for so small a share of each surface."""


def paint_parts(edits: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the parts that painted limbs are, as a scene's record has them: name → colour and word."""
    return {limb: {"color": color, "word": limb} for limb, color in _limbs_of(edits)}


def with_paint(model: Model, edits: Sequence[str], asset: AnimatedAsset) -> Model:
    """Return the model with its painted limbs as parts of their own, behind the others; () of them changes
    nothing.

    The triangles that are painted leave the parts that they are of. A limb has all vertices of such a part.
    """
    layers = [(limb, color, triangles_of(asset, limb)) for limb, color in _limbs_of(edits)]
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
    return per_part(asset, edits, asset.limb_of_vertex())


def per_part(asset: AnimatedAsset, edits: Sequence[str], own: Sequence[T]) -> tuple[T, ...]:
    """Return what is said of each part of an actor for each part of the edited one."""
    painted = (triangles_of(asset, limb) for limb, _ in _limbs_of(edits))
    more = [k for chosen in painted for k, mine in enumerate(chosen) if mine.any()]
    return (*own, *(own[k] for k in more))


def _limbs_of(edits: Collection[str]) -> list[tuple[str, str]]:
    """Return the limbs that edits paint, and their colours."""
    found = [e.partition(":")[2].partition("=") for e in edits if e.startswith(f"{PAINT}:")]
    return [(limb, color) for limb, _, color in found]


@lru_cache(maxsize=1024)
def triangles_of(asset: AnimatedAsset, limb: str) -> tuple[NDArray[np.bool_], ...]:
    """Return, per part of an actor, which triangles (m,) have two corners at least on a limb."""
    k = tuple(asset.limbs).index(limb)
    owners = asset.limb_of_vertex()
    parts = asset.model_at("", 0.0).parts
    return tuple((of[p.faces] == k).sum(axis=1) >= 2 for p, of in zip(parts, owners, strict=True))


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
