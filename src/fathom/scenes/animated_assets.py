"""Animated assets as scenes use them: their clips, whether they hover, how large and how upright they are."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary, AssetClip, open_animated_library
from fathom.assets.loading import CREATURES
from fathom.records import InputError

BODIES = ("body", "torso", "trunk", "spine", "hull")
"""What the limb is called that carries the others, the likeliest first."""

LEAST_TRUNK = 12
"""A trunk of fewer vertices says nothing of how it lies."""


@cache
def built_in_animated() -> AnimatedLibrary:
    """Return the animated assets that come with the project, so that nothing needs downloading."""
    return open_animated_library(CREATURES)


def clip_of(asset: AnimatedAsset, name: str) -> AssetClip:
    """Return the clip called `name`. Raises InputError that lists what there is."""
    for clip in asset.clips:
        if clip.name == name:
            return clip
    known = ", ".join(c.name for c in asset.clips)
    raise InputError(f"{asset.name}: no clip called {name!r}; there are {known}")


def hovers(asset: AnimatedAsset) -> bool:
    """Return whether it swims or flies whatever it does, and needs no ground under it."""
    if asset.category == "fish":
        return True
    air = ("swim", "fly", "hover")
    going = [c.verb for c in asset.clips if c.verb.startswith(("walk", "run", "gallop", *air))]
    return bool(going) and all(v.startswith(air) for v in going)


def unit_m(asset: AnimatedAsset) -> float:
    """Return the length that everything about an asset is sized by: between its longest and its mean extent.

    Props that suit a horse would hide a snake of the same length.
    """
    x, y, z = asset.extents_m
    return 0.5 * max(x, y, z) + 0.5 * float(np.cbrt(x * y * z))


@lru_cache(maxsize=256)
def upright(asset: AnimatedAsset) -> bool:
    """Return whether the asset is taller than long, and its trunk does not lie: antlers are tall."""
    return asset.extents_m[2] > 1.1 * asset.extents_m[0] and not _lies(asset)


def torso(asset: AnimatedAsset) -> str:
    """Return the limb that carries the others, "" where none is called so."""
    for word in BODIES:
        for limb in asset.limbs:
            if word in limb.lower():
                return limb
    return ""


def _lies(asset: AnimatedAsset) -> bool:
    """Return whether an asset's trunk is longer than it is high."""
    body = torso(asset)
    if not body:
        return False
    points = np.concatenate([p.vertices for p in asset.model_at("", 0.0).parts])
    own = points[np.concatenate(asset.limb_of_vertex()) == list(asset.limbs).index(body)]
    if len(own) < LEAST_TRUNK:
        return False
    low, high = np.percentile(own, 3, axis=0), np.percentile(own, 97, axis=0)
    return bool(high[0] - low[0] > high[2] - low[2])
