"""All built-in props: what they are called, where they can be, and how large they are to an actor."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from fathom.build.assets.library import fingerprint
from fathom.build.assets.model import Model, Part
from fathom.build.assets.props import standing, worn
from fathom.records import InputError

GROUND, HEAD, HAND, BACK, BELLY = "ground", "head", "hand", "back", "belly"


@dataclass(frozen=True)
class Prop:
    """One kind of prop.

    name : the noun that questions use; `plural` more than one of it
    make : returns its parts, about a metre in their longest extent
    places : where it can be: on the ground, on a head, in a hand, on or behind a back, under a belly
    size : its longest extent, as a share of the actor's
    carries : radius of the flat top that something can stand on, as a share of its longest extent; 0 for none
    opening : how wide it is where it sits on a head or a back, as a share of its longest extent
    """

    name: str
    plural: str
    make: Callable[[], tuple[Part, ...]]
    places: tuple[str, ...] = (GROUND,)
    size: float = 0.34
    carries: float = 0.0
    opening: float = 0.0


_ALL = (
    Prop("ball", "balls", standing.ball, size=0.31),
    Prop("cube", "cubes", standing.cube, size=0.32, carries=0.45),
    Prop("gift box", "gift boxes", standing.gift_box, size=0.34),
    Prop("barrel", "barrels", standing.barrel, size=0.44),
    Prop("bucket", "buckets", standing.bucket, size=0.34),
    Prop("traffic cone", "traffic cones", standing.traffic_cone, size=0.39),
    Prop("mushroom", "mushrooms", standing.mushroom, (GROUND, BACK), size=0.37),
    Prop("cactus", "cacti", standing.cactus, (GROUND, BACK), size=0.46),
    Prop("star", "stars", standing.star, size=0.39),
    Prop("ring", "rings", standing.ring, size=0.37),
    Prop("pyramid", "pyramids", standing.pyramid, size=0.39),
    Prop("chair", "chairs", standing.chair, size=0.48),
    Prop("table", "tables", standing.table, size=0.44, carries=0.43),
    Prop("tree", "trees", standing.tree, (GROUND, BACK), size=0.57),
    Prop("vase", "vases", standing.vase, size=0.39),
    Prop("lantern", "lanterns", standing.lantern, size=0.37),
    Prop("rocket", "rockets", standing.rocket, size=0.48),
    Prop("teapot", "teapots", standing.teapot, size=0.46),
    Prop("rubber duck", "rubber ducks", standing.rubber_duck, size=0.34),
    Prop("mailbox", "mailboxes", standing.mailbox, size=0.48),
    Prop("ladder", "ladders", standing.ladder, size=0.53),
    Prop("house", "houses", standing.house, size=0.48),
    Prop("top hat", "top hats", worn.top_hat, (HEAD,), size=0.20, opening=0.60),
    Prop("crown", "crowns", worn.crown, (HEAD,), size=0.14, opening=0.86),
    Prop("party hat", "party hats", worn.party_hat, (HEAD,), size=0.176, opening=0.68),
    Prop("sword", "swords", worn.sword, (HAND,), size=0.5),
    Prop("shield", "shields", worn.shield, (HAND,), size=0.34),
    Prop("flag", "flags", worn.flag, (HAND, BACK), size=0.46),
    Prop("wand", "wands", worn.wand, (HAND,), size=0.42),
    Prop("hammer", "hammers", worn.hammer, (HAND,), size=0.42),
    Prop("balloon", "balloons", worn.balloon, (HAND, BACK), size=0.56),
    Prop("backpack", "backpacks", worn.backpack, (BACK,), size=0.34, opening=0.62),
    Prop("wings", "pairs of wings", worn.wings, (BACK,), size=0.7),
    Prop("wheels", "sets of wheels", worn.wheels, (BELLY,), size=0.6),
)

PROPS: dict[str, Prop] = {p.name: p for p in _ALL}
"""Every prop by its name."""


@cache
def prop_model(name: str) -> Model:
    """Return the prop called `name`, its longest extent one metre, in no particular colour.

    What stands on the ground is centred over the origin; of the others the origin is where they touch.

    Raises InputError where there is no such prop.
    """
    if name not in PROPS:
        raise InputError(f"{name!r}: no such prop; there are {', '.join(PROPS)}")
    prop = PROPS[name]
    made = Model(name=name, category="prop", subtype=name, parts=prop.make())
    return _one_metre(made, GROUND in prop.places)


@cache
def prop_hash(name: str) -> str:
    """Return the SHA-256 of a prop's shape."""
    return hashlib.sha256(fingerprint(prop_model(name)).encode()).hexdigest()


def props_for(place: str) -> tuple[Prop, ...]:
    """Return the props that can be at a place, in the shelf's order."""
    return tuple(p for p in _ALL if place in p.places)


def _one_metre(model: Model, stands: bool) -> Model:
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]) if stands else np.zeros(3)
    factor = 1.0 / float((high - low).max())
    parts = tuple(replace(p, vertices=(p.vertices - shift) * factor) for p in model.parts)
    return replace(model, parts=parts)
