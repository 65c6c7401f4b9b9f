"""The words for parts of the shared models are held against where these parts lie: bellies below, eyes ahead.

A word on the wrong material makes every question about it wrong, and both derivations would agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary

LOW = ("hooves", "boots", "wheels", "tail and feet", "base")
AHEAD = ("eyes", "eye", "nose", "muzzle", "mouth", "teeth")
OVER = {"plates": "body", "mane and tail": "body", "horns": "body", "ears": "body", "cap": "coil"}
"""What lies higher than what, where a model has both."""

UNDER = ("belly", "throat", "legs and chest")
"""What looks down more than the rest of a body does."""

LARGEST = ("body", "coat")
"""What no other part of a model is larger than, but a back."""


def misplaced(asset: AnimatedAsset) -> Iterator[str]:
    """Yield what is said of a part that it cannot be, by where it lies on the model as it stands."""
    model = asset.model_at("", 0.0)
    points = {n: np.concatenate([p.vertices for p in model.parts if p.name == n]) for n in names(asset)}
    every = np.concatenate([p.vertices for p in model.parts])
    low, high = every.min(axis=0), every.max(axis=0)
    middle = {n: (p.mean(axis=0) - low) / (high - low) for n, p in points.items()}
    for n, at in middle.items():
        if n in LOW and at[2] > 0.5:
            yield f"{asset.name}: its {n} are not low"
        if n in AHEAD and at[0] < 0.5:
            yield f"{asset.name}: its {n} are not in front"
        if n in OVER and at[2] <= middle.get(OVER[n], low * 0 - 1)[2]:
            yield f"{asset.name}: its {n} is not above its {OVER[n]}"
        rest = [m for m in ("body", "back") if m in middle]
        if n in UNDER and rest and looks_up(asset, n) >= looks_up(asset, rest[0]):
            yield f"{asset.name}: its {n} does not look down"
    areas = {n: area(asset, n) for n in points}
    for n in LARGEST:
        others = [a for m, a in areas.items() if m not in (n, "back", "jacket", "stripes", "fins")]
        if n in areas and areas[n] < max(others, default=0.0):
            yield f"{asset.name}: its {n} is not most of it"


def names(asset: AnimatedAsset) -> list[str]:
    there = {p.name for p in asset.model_at("", 0.0).parts}
    return [p.word for p in asset.parts if p.word in there]


def crosses(asset: AnimatedAsset, name: str) -> NDArray[np.float64]:
    parts = [p for p in asset.model_at("", 0.0).parts if p.name == name]
    corners = np.concatenate([p.vertices[p.faces] for p in parts])
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def area(asset: AnimatedAsset, name: str) -> float:
    return float(np.linalg.norm(crosses(asset, name), axis=1).sum())


def looks_up(asset: AnimatedAsset, name: str) -> float:
    """Return how much of a part's surface looks up, less what of it looks down, as a share."""
    return float(crosses(asset, name)[:, 2].sum()) / area(asset, name)


def exchanged(asset: AnimatedAsset) -> AnimatedAsset:
    """Return an asset with the words of its first two parts the other way round."""
    one, other, *rest = (p for p in asset.parts if p.word)
    return replace(asset, parts=(replace(one, word=other.word), replace(other, word=one.word), *rest))


def test_the_parts_of_every_shared_model_lie_where_their_words_say(library: AnimatedLibrary) -> None:
    assert not [fault for asset in library.assets for fault in misplaced(asset)]


def test_words_on_the_wrong_materials_are_found(library: AnimatedLibrary) -> None:
    several = [a for a in library.assets if sum(bool(p.word) for p in a.parts) > 1]
    found = [a.name for a in several if list(misplaced(exchanged(a)))]
    assert {"stegosaurus", "horse", "alpaca", "dolphin"} <= set(found)
    assert len(found) >= 0.6 * len(several)
