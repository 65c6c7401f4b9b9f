"""Objects for tables: nouns, usual sizes, what can stand on them, and models of any size.

wares = shelf(open_library(Path("models/tabletop")))     # the built-in ones, and those of a pack
model = dressed(wares["built-in:mug"], (0.09, 0.12, 0.10), "blue")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from fathom.assets.builtin import built_in_model, catalogue
from fathom.assets.libraries import Entry, Library
from fathom.assets.library import fingerprint
from fathom.assets.model import Material, Model, Part, Points, Rgb, painted
from fathom.assets.palette import TABLETOP_COLORS
from fathom.assets.sizes import Varies, by, evenly, near, wide
from fathom.assets.tabletop.table import table
from fathom.records import AssetError

STEADY = 0.1
"""By which share what is much the same everywhere differs from the usual size at most."""

ROUND: Varies = (by("xy", STEADY), by("z", STEADY))
FRONTED: Varies = (by("x", STEADY), by("yz", STEADY))
ALL_ROUND: Varies = (wide("xyz"), near("xy"), near("z"))
ALL_SHAPES: Varies = (wide("xyz"), near("x"), near("y"), near("z"))
ALL_SIZES: Varies = (wide("xyz", 1.2), near("xyz"))
PACKED: Varies = evenly(0.2)
"""How sizes vary: of what is as large as such things are, and what comes in all sizes; of models of packs."""

TABLE = "table"
"""What objects stand on."""

BUILT_IN = "built-in:"
"""What the names of built-in assets begin with."""

TOPS: dict[str, Rgb] = {
    "oak": (0.62, 0.45, 0.28),
    "walnut": (0.36, 0.24, 0.16),
    "birch": (0.80, 0.70, 0.54),
    "slate": (0.30, 0.32, 0.34),
    "linen": (0.78, 0.76, 0.71),
}
"""What table tops look like, sRGB."""


@dataclass(frozen=True)
class Ware:
    """One kind of object.

    name : the noun that questions use
    front : whether anybody would say which side is its front
    varies : how sizes differ (`sizes.py`): a round object is as long as wide at every size
    carries : the sides of the rectangle on its flat top on which something can stand, as shares of its length
        and width; 0 where it has none
    base : how much of its length and width touches what it stands on
    colors : those in which nobody would wonder at it; "" where it stays as it is made
    pack : the name under which a folder of models has it, with the folder's; "" for a built-in object
    parts : returns the parts of a pack's model, centred or not, at its real size
    sha256 : the hash of a pack's model
    """

    name: str
    front: bool = False
    varies: Varies = ALL_SHAPES
    carries: float = 0.0
    base: float = 1.0
    colors: tuple[str, ...] = tuple(TABLETOP_COLORS)
    pack: str = ""
    parts: Callable[[], tuple[Part, ...]] | None = None
    sha256: Callable[[], str] | None = None

    @property
    def asset(self) -> str:
        """What scenes call it."""
        return self.pack or BUILT_IN + self.name

    @property
    def round(self) -> bool:
        """Whether it is as long as wide at every size, so that nobody would see it turn."""
        return any(axes == "xy" for axes, _, _ in self.varies)


_ALL = (
    Ware("mug", varies=ROUND, base=0.9),
    Ware("bowl", varies=ALL_ROUND, base=0.5),
    Ware("plate", varies=ROUND, base=0.6),
    Ware("bottle", varies=ALL_ROUND),
    Ware("can", varies=ROUND),
    Ware("biscuit tin", varies=ALL_ROUND, carries=0.68),
    Ware("book", carries=0.98),
    Ware("box", carries=0.96),
    Ware("candle", varies=ALL_ROUND, colors=tuple(c for c in TABLETOP_COLORS if c != "black")),
    Ware("toy block", varies=ALL_SIZES, carries=0.9),
    Ware("alarm clock", front=True, varies=FRONTED),
    Ware("photo camera", front=True, varies=FRONTED),
    Ware("toy car", front=True, varies=ALL_SIZES),
    Ware("teapot", varies=ROUND),
    Ware("rubber duck", front=True, varies=ALL_SIZES),
    Ware("vase", varies=ALL_ROUND),
    Ware("cactus", varies=ALL_SIZES, colors=("green",)),
    Ware("toy house", front=True),
)

WARES: dict[str, Ware] = {w.asset: w for w in _ALL}
"""Every built-in kind of object by the name that scenes keep."""

MOST_TRIANGLES = 120_000
"""Finer models of a pack are left on the shelf."""


def shelf(library: Library | None = None) -> Mapping[str, Ware]:
    """Return the built-in objects, and those of a pack of models whose real sizes are known.

    Raises AssetError where a model of the pack cannot be used, or nobody said how large it is.
    """
    if library is None:
        return WARES
    return {**WARES, **{w.asset: w for w in map(partial(_packed, library.name), library.entries)}}


def _packed(pack: str, entry: Entry) -> Ware:
    if entry.length_m <= 0:
        raise AssetError(
            f"{pack}: nobody said how large {entry.name} is; set `size_m` to its real length in metres from "
            "front to back in the manifest"
        )
    return Ware(
        entry.subtype,
        varies=PACKED,
        colors=("",),
        pack=f"{pack}:{entry.name}",
        parts=partial(_real_parts, entry),
        sha256=entry.sha256,
    )


def _real_parts(entry: Entry) -> tuple[Part, ...]:
    """Return the parts of a pack's model at its real size."""
    model = entry.model()
    if model.triangles > MOST_TRIANGLES:
        raise AssetError(
            f"{entry.name}: has {model.triangles} triangles, at most {MOST_TRIANGLES} can be filmed at every "
            "frame; simplify it or take it out of the manifest"
        )
    factor = entry.length_m / model.extents[0]
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
def ware_model(ware: Ware) -> Model:
    """Return an object at its usual size, standing over the origin, in no particular colour."""
    if ware.parts is None:
        return built_in_model("tabletop", ware.name)
    parts = ware.parts()
    low, high = _ends(parts)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    stood = tuple(replace(p, vertices=p.vertices - shift) for p in parts)
    return Model(name=ware.name, category=ware.name, subtype=ware.name, parts=stood)


@cache
def ware_hash(ware: Ware) -> str:
    """Return the SHA-256 of an object's shape at its usual size."""
    return ware.sha256() if ware.sha256 is not None else catalogue("tabletop")[ware.name].shape


@cache
def table_hash() -> str:
    """Return the SHA-256 of the shape of a usual table."""
    return fingerprint(table_model((1.2, 0.75, 0.74)))


def sized(model: Model, size_m: tuple[float, float, float]) -> Model:
    """Return the model, standing, with exactly these extents; normals stay upright on its surface."""
    return stretched(model, np.asarray(size_m, dtype=np.float64) / model.extents)


def stretched(model: Model, factors: Points) -> Model:
    """Return the model larger by a factor along each axis, (3,)."""
    return replace(model, parts=tuple(_stretched(p, factors) for p in model.parts))


def dressed(ware: Ware, size_m: tuple[float, float, float], color: str) -> Model:
    """Return an object of a size in a nameable colour ("" leaves it as it is made)."""
    model = sized(ware_model(ware), size_m)
    return painted(model, TABLETOP_COLORS[color]) if color else model


def table_model(size_m: tuple[float, float, float], top: str = "oak") -> Model:
    """Return a table of a length, a width and a height, with a top of `TOPS`."""
    parts = table(size_m, TOPS[top])
    return Model(name=TABLE, category="structure", subtype=TABLE, parts=parts)


def _stretched(piece: Part, factors: Points) -> Part:
    normals = piece.normals
    if normals is not None:
        normals = normals / factors
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return replace(piece, vertices=piece.vertices * factors, normals=normals)


def _ends(parts: tuple[Part, ...]) -> tuple[Points, Points]:
    points = np.concatenate([p.vertices for p in parts])
    return points.min(axis=0), points.max(axis=0)
