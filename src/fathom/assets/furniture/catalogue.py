"""Everything that rooms can be furnished with: built-in furniture, small objects on top of it, and packs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

from fathom.assets.furniture.finishes import LIT
from fathom.assets.furniture.shelf import FURNITURE, Furniture, FurnitureModel, shining
from fathom.assets.libraries import Entry, Library
from fathom.assets.model import Model, painted
from fathom.assets.palette import TABLETOP_COLORS
from fathom.assets.tabletop.shelf import PACKED, WARES, Ware, sized, ware_hash, ware_model
from fathom.records import AssetError

SHINES = ("light", "white")
"""The materials of lamps in packs that give off light, in small letters."""


@lru_cache(maxsize=8)
def complete(library: Library | None = None) -> Furniture:
    """Return all built-in kinds, and those of a library besides.

    Raises AssetError where the library holds nothing, or a model of which nobody said how large it is.
    """
    found = {**FURNITURE, **{w.asset: _small(w) for w in WARES.values()}}
    if library is None:
        return found
    if not library.entries:
        raise AssetError(
            f"{library.name}: expected models to furnish rooms with, and it holds none; name another folder, "
            "or leave it out for the built-in furniture"
        )
    packed = (_packed(library.name, e) for e in library.entries)
    return {**found, **{k.asset: k for k in packed}}


def dressed(
    kind: FurnitureModel, size_m: tuple[float, float, float], color: str, light: float = 0.0
) -> Model:
    """Return a kind at a size, in a nameable colour ("" leaves it as it is made), shining or not."""
    model = sized(kind.model(), size_m)
    model = painted(model, kind.paints[color]) if color else model
    return shining(model, light) if light else model


def _small(ware: Ware) -> FurnitureModel:
    """Return an object for tables as a kind of furniture."""
    return FurnitureModel(
        asset=ware.asset,
        name=ware.name,
        model=partial(ware_model, ware),
        sha256=partial(ware_hash, ware),
        front=ware.front,
        varies=ware.varies,
        colors=ware.colors,
        paints=TABLETOP_COLORS,
    )


def _packed(pack: str, entry: Entry) -> FurnitureModel:
    if entry.length_m <= 0:
        raise AssetError(
            f"{pack}: nobody said how large {entry.name} is; set `size_m` to its real length in metres from "
            "front to back in the manifest"
        )
    alike = next((k for k in FURNITURE.values() if k.name == entry.subtype), None)
    own = entry.recolourable and alike is not None
    return FurnitureModel(
        asset=f"{pack}:{entry.name}",
        name=entry.subtype,
        model=partial(_real_model, entry),
        sha256=entry.sha256,
        front=alike.front if alike is not None else True,
        varies=PACKED,
        carries=min(alike.carries, 0.6) if alike is not None else 0.0,
        colors=alike.colors if own and alike is not None else (),
    )


@lru_cache(maxsize=512)
def _real_model(entry: Entry) -> Model:
    """Return a pack's model at its real size; what shines of a lamp can shine."""
    model = entry.model()
    factor = entry.length_m / model.extents[0]
    lamp = "lamp" in entry.subtype
    parts = []
    for p in model.parts:
        shines = lamp and p.material.name.lower() in SHINES
        material = replace(p.material, name=LIT) if shines else replace(p.material, emission=0.0)
        parts.append(replace(p, vertices=p.vertices * factor, material=material))
    return replace(model, parts=tuple(parts))
