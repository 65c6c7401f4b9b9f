"""Objects for tables: the built-in ones and those of folders, and their models at any size.

assets = tabletop_assets(open_library(Path("models/tabletop")))
model = dressed(assets["built-in:mug"], (0.09, 0.12, 0.10), "blue")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import msgspec
import numpy as np

from fathom.assets.catalogue import catalogue
from fathom.assets.libraries import Library, real_length_m
from fathom.assets.loading import built_in_model, unit_model
from fathom.assets.model import Material, Model, Part, Points, fingerprint, painted, stretched_to
from fathom.assets.palette import PALETTES
from fathom.assets.sizes import Varies, evenly
from fathom.assets.spec import AssetSpec
from fathom.assets.tabletop.table import table
from fathom.records import AssetError

PACKED: Varies = evenly(0.2)
"""How the sizes of a folder's models vary that do not say it themselves."""

TABLE = "table"
"""What objects stand on."""

TOPS = PALETTES["table tops"]
"""What table tops look like, sRGB."""

TABLETOP: Mapping[str, AssetSpec] = {a.asset: a for a in catalogue("tabletop").values()}
"""Every built-in object by the name that scenes keep."""

MOST_TRIANGLES = 120_000
"""Finer models of a folder are refused."""


def tabletop_assets(library: Library | None = None) -> Mapping[str, AssetSpec]:
    """Return the built-in objects, and those of a library whose real sizes are known.

    Raises AssetError where nobody said how large a model is.
    """
    if library is None:
        return TABLETOP
    return {**TABLETOP, **{a.asset: a for a in (_adopted(library.name, a) for a in library.assets)}}


def _adopted(pack: str, spec: AssetSpec) -> AssetSpec:
    """Return a library's model as an object for tables; nobody was asked for the fronts of such."""
    real_length_m(pack, spec)
    found: AssetSpec = msgspec.structs.replace(
        spec,
        pack=pack,
        has_front=False,
        varies=spec.varies or PACKED,
        colors=spec.colors or ("",),
    )
    return found


def _real_parts(spec: AssetSpec) -> tuple[Part, ...]:
    """Return the parts of a folder's model at its real size."""
    model = unit_model(spec)
    if model.triangles > MOST_TRIANGLES:
        raise AssetError(
            f"{spec.name}: has {model.triangles} triangles, at most {MOST_TRIANGLES} can be filmed at every "
            "frame; simplify it or take it out of the catalogue"
        )
    factor = spec.size_m / model.extents[0]
    return tuple(
        replace(p, vertices=p.vertices * factor, material=_as_meant(p.material)) for p in model.parts
    )


def _as_meant(material: Material) -> Material:
    """Return a material; one that is all metal and wholly rough was never looked at by whoever exported it.

    Such files hold colours as screens show them, where light was to be written: apples are pink in them.
    """
    if material.metallic < 1.0 or material.roughness < 1.0 or material.texture is not None:
        return material
    shown = np.asarray(material.color, dtype=np.float64)
    meant = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    red, green, blue = (round(float(v), 4) for v in meant)
    return replace(material, color=(red, green, blue), metallic=0.0, roughness=0.7)


@cache
def tabletop_model(spec: AssetSpec) -> Model:
    """Return an object at its usual size, standing over the origin, in no particular colour.

    Raises AssetError where its file cannot be used.
    """
    if spec.built_in:
        return built_in_model(spec.pack, spec.name)
    parts = _real_parts(spec)
    low, high = _ends(parts)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    stood = tuple(replace(p, vertices=p.vertices - shift) for p in parts)
    return Model(name=spec.noun, category=spec.noun, subtype=spec.noun, parts=stood)


@cache
def table_hash() -> str:
    """Return the SHA-256 of the shape of a usual table."""
    return fingerprint(table_model((1.2, 0.75, 0.74)))


def dressed(spec: AssetSpec, size_m: tuple[float, float, float], color: str) -> Model:
    """Return an object of a size in a nameable colour ("" leaves it as it is made)."""
    model = stretched_to(tabletop_model(spec), size_m)
    return painted(model, PALETTES[spec.palette][color]) if color else model


def table_model(size_m: tuple[float, float, float], top: str = "oak") -> Model:
    """Return a table of a length, a width and a height, with a top of `TOPS`."""
    parts = table(size_m, TOPS[top])
    return Model(name=TABLE, category="structure", subtype=TABLE, parts=parts)


def _ends(parts: tuple[Part, ...]) -> tuple[Points, Points]:
    points = np.concatenate([p.vertices for p in parts])
    return points.min(axis=0), points.max(axis=0)
