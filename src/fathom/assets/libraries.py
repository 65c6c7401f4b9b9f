"""A library of models, wherever they come from: what a world draws its objects from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.assets.catalogue import catalogue, catalogue_of
from fathom.assets.loading import shape_hash
from fathom.assets.spec import AssetSpec
from fathom.records import AssetError, AssetRef, InputError

VERSION = "1"
"""Raised whenever a built-in vehicle changes shape."""

VEHICLES: Mapping[str, AssetSpec] = catalogue("vehicles")
"""The built-in vehicles: 21 subtypes in 5 classes, so that nothing needs downloading.

Ref: PulseCheck457 §3.2; the longer sides of the footprints are those of the published unit models, in metres.
"""


@dataclass(frozen=True)
class Library:
    """Assets by name; several may share a subtype. What is not built-in has a real length, or is refused
    where real lengths count.
    """

    name: str
    assets: tuple[AssetSpec, ...]

    def subtypes(self) -> tuple[tuple[str, str], ...]:
        """Return the (category, subtype) pairs that can be drawn, in a stable order."""
        return tuple(dict.fromkeys((a.category, a.subtype) for a in self.assets))

    def of_subtype(self, subtype: str) -> tuple[AssetSpec, ...]:
        """Return the assets of one subtype."""
        return tuple(a for a in self.assets if a.subtype == subtype)

    def asset(self, name: str) -> AssetSpec:
        """Return the asset called `name`. Raises InputError that lists what there is."""
        for a in self.assets:
            if a.name == name:
                return a
        known = ", ".join(a.name for a in self.assets)
        raise InputError(f"{name!r}: no such model in the library {self.name}; there are {known}")

    def ref(self, name: str) -> AssetRef:
        """Return the reference that a scene keeps of the asset called `name`."""
        return AssetRef(name=name, sha256=shape_hash(self.asset(name)))


def built_in_library() -> Library:
    """Return the library of the 21 built-in vehicles."""
    return Library(name=f"built-in-{VERSION}", assets=tuple(VEHICLES.values()))


def open_library(folder: Path | None) -> Library:
    """Return the library of a folder of models with a catalogue; without a folder, the built-in one.

    Raises AssetError where the catalogue is missing or wrong, or names models that nobody has reviewed.
    """
    if folder is None:
        return built_in_library()
    found = catalogue_of(folder)
    unseen = [m.name for m in found.models if not m.reviewed]
    if unseen:
        some = ", ".join(unseen[:3]) + (" …" if len(unseen) > 3 else "")
        raise AssetError(
            f"{folder}: {len(unseen)} models were not reviewed ({some}); look at the contact sheet, correct "
            "their entries and set `reviewed` to true, or take them out"
        )
    return Library(name=found.name, assets=found.models)


def joined_library(folders: Sequence[Path]) -> Library | None:
    """Return what several folders hold as one library, None of no folder; names tell the folder where there
    are several.
    """
    found = [open_library(f) for f in folders]
    if len(found) < 2:
        return found[0] if found else None
    assets = (msgspec.structs.replace(a, name=f"{x.name}:{a.name}") for x in found for a in x.assets)
    return Library("+".join(x.name for x in found), tuple(assets))


def real_length_m(pack: str, spec: AssetSpec) -> float:
    """Return how long a folder's model really is, from front to back, in metres.

    Raises AssetError where nobody said.
    """
    if spec.size_m <= 0:
        raise AssetError(
            f"{pack}: nobody said how large {spec.name} is; set `size_m` to its real length in meters from "
            "front to back in the catalogue"
        )
    return spec.size_m
