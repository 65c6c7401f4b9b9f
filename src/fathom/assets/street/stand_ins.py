"""Models of a library that can stand in for built-in assets of streets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.catalogue import catalogue
from fathom.assets.libraries import Library, real_length_m
from fathom.assets.loading import unit_model
from fathom.assets.model import Material, Part
from fathom.assets.sizes import evenly
from fathom.assets.spec import AssetSpec
from fathom.records import AssetError

ROLES: dict[str, tuple[str, str]] = {
    "van": ("van", "van"), "ambulance": ("van", "ambulance"), "delivery truck": ("lorry", "truck"),
    "fire truck": ("lorry", "fire truck"), "garbage truck": ("lorry", "garbage truck"),
    "cruiser": ("motorcycle", "motorcycle"), "stop sign": ("stop sign", "stop sign"),
    "no parking sign": ("parking sign", "no parking sign"), "warning sign": ("warning sign", "warning sign"),
    "street lamp": ("globe lamp", "street lamp"), "traffic light": ("traffic light", "traffic light"),
    "town house": ("building", "building"),
}  # fmt: skip
"""Subtype of a library's model → the built-in asset whose part it can play, and its noun in questions, where
its catalogue does not say `plays`.

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

WIDE_SIGNAL_M, SIGNAL_STEM = 1.5, (0.2, 3.2, 0.0)
"""From which width on a traffic light hangs over the road, and the post that it then has."""


def stand_ins(library: Library) -> Iterator[tuple[str, AssetSpec]]:
    """Yield what a library has for streets, by the names that it has there.

    Raises AssetError where the library holds nothing for streets, or a model of which nobody said how large
    it is.
    """
    usable = [a for a in library.assets if a.plays or a.subtype in ROLES]
    if not usable:
        raise AssetError(
            f"{library.name}: expected models of vehicles, signs, lamps or buildings for streets, and it "
            "holds none; name another folder, or leave it out for the built-in street set"
        )
    for spec in usable:
        adopted = _adopted(library.name, spec)
        if adopted.plays not in DRIVEN or _narrowed(spec) >= SQUEEZED:
            yield spec.name if ":" in spec.name else f"{library.name}:{spec.name}", adopted


def _adopted(pack: str, spec: AssetSpec) -> AssetSpec:
    """Return a library's model as an asset of streets: what it does not say is as of the one it plays."""
    plays, noun = (spec.plays, spec.noun) if spec.plays else ROLES[spec.subtype]
    length_m, street = real_length_m(pack, spec), catalogue("street")
    alike = street.get(plays)
    own = spec.recolourable and alike is not None and bool(alike.colors) and not spec.colors
    hangs = plays == "traffic light" and _width_m(spec) > WIDE_SIGNAL_M
    found: AssetSpec = msgspec.structs.replace(
        spec,
        noun=noun,
        plays=plays,
        pack=pack,
        size_m=ROAD_M.get(spec.subtype, (length_m, 0.0))[0],
        has_front=alike.has_front if alike is not None else True,
        varies=spec.varies or evenly(0.04),
        stem=SIGNAL_STEM if hangs else spec.stem,
        color=spec.color or ("" if own else COLORED.get(noun, "")),
        colors=street["sedan"].colors if own else spec.colors,
        palette=street["sedan"].palette if own else spec.palette,
        stride_m=0.0,
    )
    return found


def _width_m(spec: AssetSpec) -> float:
    model = unit_model(spec)
    return model.extents[1] * spec.size_m / model.extents[0]


def _narrowed(spec: AssetSpec) -> float:
    """Return by which factor a vehicle is made narrower to be as wide as such vehicles are."""
    if spec.subtype not in ROAD_M:
        return 1.0
    long, wide = ROAD_M[spec.subtype]
    model = unit_model(spec)
    return min(1.0, wide * model.extents[0] / (long * model.extents[1]))


def real_parts(spec: AssetSpec) -> tuple[Part, ...]:
    """Return a stand-in's parts; the lamps of a traffic light are called after their colours."""
    parts = unit_model(spec).parts
    if spec.subtype in ROAD_M:
        width = np.array([1.0, _narrowed(spec), 1.0])
        return tuple(_glazed(replace(p, vertices=p.vertices * width)) for p in parts)
    if spec.plays != "traffic light":
        return parts
    return tuple(replace(p, name=_lamp(p)) for p in parts)


def _glazed(piece: Part) -> Part:
    """Return a part of a vehicle; windows are dark, as they are on roads."""
    return replace(piece, material=PANES) if piece.material.name.startswith("window") else piece


def _lamp(piece: Part) -> str:
    word = piece.material.name.lower()
    named = {"red": "lamp red", "yellow": "lamp amber", "green": "lamp green"}
    return next((lamp for color, lamp in named.items() if word.startswith(color)), piece.name)
