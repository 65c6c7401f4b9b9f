"""What rooms can be furnished with: built-in furniture, small objects on top of it, and folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import msgspec

from fathom.assets.acting.figures import Figure, figure_model, figures
from fathom.assets.catalogue import catalogue
from fathom.assets.furniture.finishes import LIT
from fathom.assets.furniture.living import Posed, living, posed_model
from fathom.assets.libraries import Library, real_length_m
from fathom.assets.loading import built_in_model, shape_hash, unit_model
from fathom.assets.model import Model, painted, stretched_to
from fathom.assets.palette import PALETTES
from fathom.assets.spec import AssetSpec
from fathom.assets.tabletop.catalogue import PACKED, TABLETOP
from fathom.records import AssetError

Furniture = Mapping[str, AssetSpec]
"""Assets by the names that scenes call them."""

FURNITURE: Furniture = {a.asset: a for a in catalogue("furniture").values()}
"""Every built-in piece of furniture."""

INDOORS: Furniture = {a.asset: a for a in catalogue("indoors").values()}
"""What hangs on walls, and people who sit on the floor."""

MOST_CARRIED = 0.6
"""The share of the top of a folder's furniture that something stands on at most: its edges may be round."""

SHINES = ("light", "white")
"""The materials of lamps in folders that give off light, in small letters."""


@lru_cache(maxsize=8)
def furniture_assets(library: Library | None = None) -> Furniture:
    """Return all built-in furniture and small objects, and what a library has besides.

    Raises AssetError where the library holds nothing, or a model of which nobody said how large it is.
    """
    found = {**FURNITURE, **TABLETOP}
    if library is None:
        return found
    if not library.assets:
        raise AssetError(
            f"{library.name}: expected models to furnish rooms with, and it holds none; name another folder, "
            "or leave it out for the built-in furniture"
        )
    adopted = (_adopted(library.name, a) for a in library.assets)
    return {**found, **{a.asset: a for a in adopted}}


@lru_cache(maxsize=8)
def room_assets(library: Library | None = None) -> Furniture:
    """Return what rooms are furnished with, and what hangs on their walls and who is in them besides.

    Raises as `furniture_assets` does.
    """
    return {**furniture_assets(library), **INDOORS, **living()}


@lru_cache(maxsize=8)
def pictured_assets(library: Library | None = None) -> Furniture:
    """Return all that rooms in pictures may hold: what other rooms do, and people in postures of their own.

    Raises as `furniture_assets` does.
    """
    return {**room_assets(library), **figures()}


def _adopted(pack: str, spec: AssetSpec) -> AssetSpec:
    """Return a library's model as furniture: what it does not say is as of the built-in of its noun."""
    real_length_m(pack, spec)
    alike = next((a for a in FURNITURE.values() if a.noun == spec.noun), None)
    said: AssetSpec = msgspec.structs.replace(spec, pack=pack, varies=spec.varies or PACKED)
    if alike is None:
        return said
    colors = (alike.palette, alike.colors) if spec.recolourable and not spec.colors else None
    found: AssetSpec = msgspec.structs.replace(
        said,
        has_front=spec.has_front and alike.has_front,
        carries=spec.carries or min(alike.carries, MOST_CARRIED),
        palette=colors[0] if colors else spec.palette,
        colors=colors[1] if colors else spec.colors,
    )
    return found


def furniture_model(spec: AssetSpec) -> Model:
    """Return a piece at its usual size, standing over the origin, its front towards +x, in no colour yet.

    Raises AssetError where its file cannot be used.
    """
    if isinstance(spec, Posed):
        return posed_model(spec)
    if isinstance(spec, Figure):
        return figure_model(spec)
    return built_in_model(spec.pack, spec.name) if spec.built_in else _real_model(spec)


def furniture_hash(spec: AssetSpec) -> str:
    """Return what scenes keep of a piece to know its shape by."""
    if isinstance(spec, Figure):
        return spec.shape_of_posture
    return spec.shape_of_moment if isinstance(spec, Posed) else shape_hash(spec)


@lru_cache(maxsize=512)
def _real_model(spec: AssetSpec) -> Model:
    """Return a folder's model at its real size; what shines of a lamp can shine."""
    model = unit_model(spec)
    factor = spec.size_m / model.extents[0]
    lamp = "lamp" in spec.noun
    parts = []
    for p in model.parts:
        shines = lamp and p.material.name.lower() in SHINES
        material = replace(p.material, name=LIT) if shines else replace(p.material, emission=0.0)
        parts.append(replace(p, vertices=p.vertices * factor, material=material))
    return replace(model, parts=tuple(parts))


def dressed(spec: AssetSpec, size_m: tuple[float, float, float], color: str, light: float = 0.0) -> Model:
    """Return a piece at a size, in a nameable colour ("" leaves it as it is made), shining or not."""
    model = stretched_to(furniture_model(spec), size_m)
    model = painted(model, PALETTES[spec.palette][color]) if color else model
    return shining(model, light) if light else model


def shining(model: Model, light: float) -> Model:
    """Return the model with what can shine of it shining.

    `light` is its radiance, white paper in a well-lit room being about 1.
    """
    return replace(
        model,
        parts=tuple(
            replace(p, material=replace(p.material, emission=light)) if p.material.name == LIT else p
            for p in model.parts
        ),
    )
