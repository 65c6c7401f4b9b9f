"""Parts of an actor whose colour no one name fits: neither gray nor black, or of two colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Material, Model
from fathom.records import Scene
from fathom.scenes.overall_colors import DARK, LEAST_SATURATION, LEAST_SPREAD
from fathom.scenes.scene_at_time import limbs_of, model_at

OTHER_SHARE, OTHER_FAR = 0.2, 0.2
"""The least share of a limb, and how far off in sRGB, that makes another colour a second one of it."""


def vague_parts(library: AnimatedLibrary, scene: Scene) -> frozenset[str]:
    """Return the parts of a scene's actor that questions give no colour to."""
    actor = scene.objects[0]
    model = model_at(actor, library, scene.times_s[0])
    if model is None:
        return frozenset()
    limbs = limbs_of(scene, library)[actor.id]
    paints = {p.name: p.material for p in model.parts}
    return frozenset(
        name
        for name in actor.parts
        if name in paints
        and (
            is_charcoal(paints[name])
            or _has_two(model, name, limbs.of_vertex, _limbs_called(name, limbs.names))
        )
    )


def is_charcoal(paint: Material) -> bool:
    """Return whether a plain paint is neither gray nor black to everybody."""
    if paint.texture is not None:
        return False
    high, low = max(paint.color), min(paint.color)
    hueless = high - low < LEAST_SPREAD or high - low < LEAST_SATURATION * high
    return hueless and DARK[0] < high < DARK[1]


def _limbs_called(part: str, names: tuple[str, ...]) -> list[int]:
    """Return the limbs that the word for a part means: of "legs" every leg."""
    words = {w.removesuffix("s") for w in part.split(" ")} - {"body"}
    return [k for k, n in enumerate(names) if n.split(" ")[-1] in words]


def _has_two(model: Model, name: str, of_vertex: Sequence[NDArray[np.integer]], limbs: list[int]) -> bool:
    """Return whether what a part is called after also has another colour than the part."""
    own = next(p.material for p in model.parts if p.name == name)
    total, other = 0, 0
    for part, of in zip(model.parts, of_vertex, strict=True):
        count = int(np.isin(of[np.unique(part.faces)], limbs).sum())
        total += count
        far = float(np.abs(np.array(part.material.color) - np.array(own.color)).max())
        other += count if far > OTHER_FAR else 0
    return total > 0 and other >= OTHER_SHARE * total
