"""All built-in props and screens: where they can be, and their models."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from fathom.assets.catalogue import catalogue
from fathom.assets.loading import built_in_model
from fathom.assets.model import Model
from fathom.assets.spec import AssetSpec
from fathom.records import InputError

GROUND, HEAD, HAND, BACK, BELLY = "ground", "head", "hand", "back", "belly"

LEFT_SIDE, RIGHT_SIDE, CHEST = "left side", "right side", "chest"
"""Places where something grows alone: an actor's own left and right, and the front of an upright one."""

GROWN = "grown"
"""The place of what only grows on bodies, and is neither worn nor stands about."""

SCREEN = "screen"
"""The category of objects that hide others: they are in the scene, and no question counts or names them."""

PROPS: Mapping[str, AssetSpec] = {n: a for n, a in catalogue("props").items() if a.category != SCREEN}
"""Every prop by its name."""

SCREENS: Mapping[str, AssetSpec] = {n: a for n, a in catalogue("props").items() if a.category == SCREEN}
"""Every screen by its name."""


def prop_model(name: str) -> Model:
    """Return the prop called `name`, its longest extent one metre, in no particular colour.

    What stands on the ground is centred over the origin; of the others the origin is where they touch.

    Raises InputError where there is no such prop.
    """
    if name not in PROPS:
        raise InputError(f"{name!r}: no such prop; there are {', '.join(PROPS)}")
    return built_in_model("props", name)


def prop_hash(name: str) -> str:
    """Return the SHA-256 of the shape of a prop or a screen."""
    return hashlib.sha256(catalogue("props")[name].shape.encode()).hexdigest()


def props_for(place: str) -> tuple[AssetSpec, ...]:
    """Return the props that can be at a place, in the catalogue's order."""
    return tuple(p for p in PROPS.values() if place in p.places)
