"""All built-in props: what they are called, where they can be, and how large they are to an actor."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from fathom.assets.builtin import built_in_model, catalogue
from fathom.assets.model import Model
from fathom.records import InputError

GROUND, HEAD, HAND, BACK, BELLY = "ground", "head", "hand", "back", "belly"


@dataclass(frozen=True)
class Prop:
    """One kind of prop.

    name : the noun that questions use; `plural` more than one of it
    places : where it can be: on the ground, on a head, in a hand, on or behind a back, under a belly
    size : its longest extent, as a share of the actor's
    carries : radius of the flat top that something can stand on, as a share of its longest extent; 0 for none
    opening : how wide it is where it sits on a head or a back, as a share of its longest extent
    """

    name: str
    plural: str
    places: tuple[str, ...] = (GROUND,)
    size: float = 0.34
    carries: float = 0.0
    opening: float = 0.0


_ALL = (
    Prop("ball", "balls", size=0.31),
    Prop("cube", "cubes", size=0.32, carries=0.45),
    Prop("gift box", "gift boxes", size=0.34),
    Prop("barrel", "barrels", size=0.44),
    Prop("bucket", "buckets", size=0.34),
    Prop("traffic cone", "traffic cones", size=0.39),
    Prop("mushroom", "mushrooms", (GROUND, BACK), size=0.37),
    Prop("cactus", "cacti", (GROUND, BACK), size=0.46),
    Prop("star", "stars", size=0.39),
    Prop("ring", "rings", size=0.37),
    Prop("pyramid", "pyramids", size=0.39),
    Prop("chair", "chairs", size=0.48),
    Prop("table", "tables", size=0.44, carries=0.43),
    Prop("tree", "trees", (GROUND, BACK), size=0.57),
    Prop("vase", "vases", size=0.39),
    Prop("lantern", "lanterns", size=0.37),
    Prop("rocket", "rockets", size=0.48),
    Prop("teapot", "teapots", size=0.46),
    Prop("rubber duck", "rubber ducks", size=0.34),
    Prop("mailbox", "mailboxes", size=0.48),
    Prop("ladder", "ladders", size=0.53),
    Prop("house", "houses", size=0.48),
    Prop("top hat", "top hats", (HEAD,), size=0.20, opening=0.60),
    Prop("crown", "crowns", (HEAD,), size=0.14, opening=0.86),
    Prop("party hat", "party hats", (HEAD,), size=0.176, opening=0.68),
    Prop("sword", "swords", (HAND,), size=0.5),
    Prop("shield", "shields", (HAND,), size=0.34),
    Prop("flag", "flags", (HAND, BACK), size=0.46),
    Prop("wand", "wands", (HAND,), size=0.42),
    Prop("hammer", "hammers", (HAND,), size=0.42),
    Prop("balloon", "balloons", (HAND, BACK), size=0.56),
    Prop("backpack", "backpacks", (BACK,), size=0.34, opening=0.62),
    Prop("wings", "pairs of wings", (BACK,), size=0.7),
    Prop("wheels", "sets of wheels", (BELLY,), size=0.6),
)

PROPS: dict[str, Prop] = {p.name: p for p in _ALL}
"""Every prop by its name."""


def prop_model(name: str) -> Model:
    """Return the prop called `name`, its longest extent one metre, in no particular colour.

    What stands on the ground is centred over the origin; of the others the origin is where they touch.

    Raises InputError where there is no such prop.
    """
    if name not in PROPS:
        raise InputError(f"{name!r}: no such prop; there are {', '.join(PROPS)}")
    return built_in_model("props", name)


def prop_hash(name: str) -> str:
    """Return the SHA-256 of a prop's shape."""
    return hashlib.sha256(catalogue("props")[name].shape.encode()).hexdigest()


def props_for(place: str) -> tuple[Prop, ...]:
    """Return the props that can be at a place, in the shelf's order."""
    return tuple(p for p in _ALL if place in p.places)
