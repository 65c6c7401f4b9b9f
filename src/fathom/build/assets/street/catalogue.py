"""The street set with the models of a library beside it: which of them can stand in for what.

stock = complete(open_library(folder))
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

from fathom.build.assets.libraries import Entry, Library
from fathom.build.assets.model import Part
from fathom.build.assets.street.kinds import BUILT_IN, CARS, KINDS, Kind, Stock
from fathom.records import AssetError

ROLES: dict[str, tuple[str, str]] = {
    "sedan": ("sedan", "car"), "hatchback": ("sedan", "hatchback"), "taxi": ("sedan", "taxi"),
    "police car": ("sedan", "police car"), "wagon": ("wagon", "station wagon"), "suv": ("suv", "suv"),
    "minivan": ("minivan", "minivan"), "van": ("van", "van"), "truck": ("pickup", "pickup truck"),
    "ambulance": ("van", "ambulance"), "delivery truck": ("lorry", "truck"),
    "fire truck": ("lorry", "fire truck"), "garbage truck": ("lorry", "garbage truck"),
    "cruiser": ("motorcycle", "motorcycle"), "stop sign": ("stop sign", "stop sign"),
    "no parking sign": ("parking sign", "no parking sign"), "warning sign": ("warning sign", "warning sign"),
    "street lamp": ("globe lamp", "street lamp"), "traffic light": ("traffic light", "traffic light"),
    "town house": ("building", "building"),
}  # fmt: skip
"""Subtype of a library's model → the built-in kind whose part it can play, and its noun in questions."""

COLORED = {"stop sign": "red", "warning sign": "yellow", "taxi": "yellow", "fire truck": "red"}
"""What has one colour wherever it cannot take another."""

WIDEST_M = 2.8
"""Wider vehicles have no room in a lane."""

DRIVEN = ("sedan", "wagon", "suv", "minivan", "van", "pickup", "lorry")


@lru_cache(maxsize=8)
def complete(library: Library | None = None) -> Stock:
    """Return the built-in street set, and what a library has for streets besides.

    Raises AssetError where the library holds nothing for streets, or a model of which nobody said how large
    it is.
    """
    if library is None:
        return BUILT_IN
    usable = [e for e in library.entries if e.subtype in ROLES]
    if not usable:
        raise AssetError(
            f"{library.name}: expected models of vehicles, signs, lamps or buildings for streets, and it "
            "holds none; name another folder, or leave it out for the built-in street set"
        )
    kinds, hashes = dict(KINDS), {}
    roles: dict[str, tuple[str, ...]] = {}
    for entry in usable:
        role, noun = ROLES[entry.subtype]
        name = entry.name if ":" in entry.name else f"{library.name}:{entry.name}"
        kind = _packed(library.name, entry, role, noun)
        if role in DRIVEN and _width_m(entry) > WIDEST_M:
            continue
        kinds[name] = kind
        hashes[name] = entry.sha256()
        roles[role] = (*roles.get(role, (role,)), name)
    return Stock(kinds, roles, hashes)


def _width_m(entry: Entry) -> float:
    model = entry.model()
    return model.extents[1] * entry.length_m / model.extents[0]


def _packed(pack: str, entry: Entry, role: str, noun: str) -> Kind:
    if entry.length_m <= 0:
        raise AssetError(
            f"{pack}: nobody said how large {entry.name} is; set `size_m` to its real length in metres from "
            "front to back in the manifest"
        )
    alike = KINDS.get(role)
    own = entry.recolourable and alike is not None and bool(alike.colors)
    return Kind(
        name=noun,
        category=alike.category if alike is not None else "building",
        make=partial(_parts, entry),
        usual_m=entry.length_m,
        front=alike.front if alike is not None else True,
        spread=0.04,
        stem=(0.2, 3.2, 0.0) if role == "traffic light" and _width_m(entry) > 1.5 else (0.0, 0.0, 0.0),
        color="" if own else COLORED.get(noun, ""),
        colors=CARS if own else (),
    )


def _parts(entry: Entry) -> tuple[Part, ...]:
    """Return a model's parts; the lamps of a traffic light are called after their colours."""
    parts = entry.model().parts
    if entry.subtype != "traffic light":
        return parts
    return tuple(replace(p, name=_lamp(p)) for p in parts)


def _lamp(piece: Part) -> str:
    word = piece.material.name.lower()
    named = {"red": "lamp red", "yellow": "lamp amber", "green": "lamp green"}
    return next((lamp for color, lamp in named.items() if word.startswith(color)), piece.name)
