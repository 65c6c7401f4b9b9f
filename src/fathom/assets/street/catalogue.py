"""The street set with the models of a library beside it: which of them can stand in for what.

stock = complete(open_library(folder))
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from fathom.assets.libraries import Entry, Library
from fathom.assets.model import Material, Part
from fathom.assets.sizes import evenly
from fathom.assets.street.kinds import BUILT_IN, CARS, KINDS, Kind, Stock
from fathom.records import AssetError

ROLES: dict[str, tuple[str, str]] = {
    "van": ("van", "van"), "ambulance": ("van", "ambulance"), "delivery truck": ("lorry", "truck"),
    "fire truck": ("lorry", "fire truck"), "garbage truck": ("lorry", "garbage truck"),
    "cruiser": ("motorcycle", "motorcycle"), "stop sign": ("stop sign", "stop sign"),
    "no parking sign": ("parking sign", "no parking sign"), "warning sign": ("warning sign", "warning sign"),
    "street lamp": ("globe lamp", "street lamp"), "traffic light": ("traffic light", "traffic light"),
    "town house": ("building", "building"),
}  # fmt: skip
"""Subtype of a library's model → the built-in kind whose part it can play, and its noun in questions.

Cars are always built-in: those of public packs are toys, which nobody would tell from each other by name.
"""

COLORED = {"stop sign": "red", "warning sign": "yellow", "fire truck": "red"}
"""What has one colour wherever it cannot take another."""

ROAD_M = {"ambulance": (6.0, 2.3), "delivery truck": (6.6, 2.4), "fire truck": (7.2, 2.5),
          "garbage truck": (7.6, 2.5), "van": (5.2, 2.1)}  # fmt: skip
"""How long and how wide such vehicles are on roads: those of packs are made wider than any lane."""

SQUEEZED = 0.62
"""Nothing is made narrower than by this factor."""

PANES = Material("glass", (0.07, 0.09, 0.11), roughness=0.25)
"""Windows of vehicles as they look from outside by day."""

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
    roles = dict(BUILT_IN.roles)
    for entry in usable:
        role, noun = ROLES[entry.subtype]
        name = entry.name if ":" in entry.name else f"{library.name}:{entry.name}"
        kind = _packed(library.name, entry, role, noun)
        if role in DRIVEN and _narrowed(entry) < SQUEEZED:
            continue
        kinds[name] = kind
        hashes[name] = entry.sha256()
        roles[role] = (*roles.get(role, (role,)), name)
    return Stock(kinds, roles, hashes)


def _width_m(entry: Entry) -> float:
    model = entry.model()
    return model.extents[1] * entry.length_m / model.extents[0]


def _narrowed(entry: Entry) -> float:
    """Return by which factor a vehicle is made narrower to be as wide as such vehicles are."""
    if entry.subtype not in ROAD_M:
        return 1.0
    long, wide = ROAD_M[entry.subtype]
    model = entry.model()
    return min(1.0, wide * model.extents[0] / (long * model.extents[1]))


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
        usual_m=ROAD_M.get(entry.subtype, (entry.length_m, 0.0))[0],
        front=alike.front if alike is not None else True,
        varies=evenly(0.04),
        stem=(0.2, 3.2, 0.0) if role == "traffic light" and _width_m(entry) > 1.5 else (0.0, 0.0, 0.0),
        color="" if own else COLORED.get(noun, ""),
        colors=CARS if own else (),
    )


def _parts(entry: Entry) -> tuple[Part, ...]:
    """Return a model's parts; the lamps of a traffic light are called after their colours."""
    parts = entry.model().parts
    if entry.subtype in ROAD_M:
        width = np.array([1.0, _narrowed(entry), 1.0])
        return tuple(_glazed(replace(p, vertices=p.vertices * width)) for p in parts)
    if entry.subtype != "traffic light":
        return parts
    return tuple(replace(p, name=_lamp(p)) for p in parts)


def _glazed(piece: Part) -> Part:
    """Return a part of a vehicle; windows are dark, as they are on roads."""
    return replace(piece, material=PANES) if piece.material.name.startswith("window") else piece


def _lamp(piece: Part) -> str:
    word = piece.material.name.lower()
    named = {"red": "lamp red", "yellow": "lamp amber", "green": "lamp green"}
    return next((lamp for color, lamp in named.items() if word.startswith(color)), piece.name)
