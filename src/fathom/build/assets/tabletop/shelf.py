"""All built-in things for tables: nouns, usual sizes, what can stand on them, and models of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from fathom.build.assets.library import built_in, fingerprint
from fathom.build.assets.model import Model, Part, Points, Rgb, painted
from fathom.build.assets.props import standing
from fathom.build.assets.tabletop import household
from fathom.build.assets.vehicles.materials import BODY_COLORS
from fathom.records import InputError

COLORS: dict[str, Rgb] = {
    **{name: BODY_COLORS[name] for name in ("red", "blue", "green", "yellow", "purple")},
    "orange": (0.93, 0.42, 0.05),
    "white": (0.90, 0.90, 0.89),
    "black": (0.06, 0.06, 0.065),
}
"""The nameable colours of things on tables, sRGB: none that some would call by another's name."""

ROUND = ("xy", "z")
EVENLY = ("xyz",)

TABLE = "table"
"""The asset name of what things stand on."""


@dataclass(frozen=True)
class Ware:
    """One kind of thing.

    name : the noun that questions use
    make : returns its parts, centred or not, at any scale
    usual_m : its longest extent at its usual size, in metres; 0: as it is made
    front : whether anybody would say which side is its front
    varies : axes that grow together: a round thing is as long as wide at every size
    carries : the sides of the rectangle on its flat top on which something can stand, as shares of its length
        and width; 0 where it has none
    base : how much of its length and width touches what it stands on
    colors : those in which nobody would wonder at it
    """

    name: str
    make: Callable[[], tuple[Part, ...]]
    usual_m: float = 0.0
    front: bool = False
    varies: tuple[str, ...] = ("x", "y", "z")
    carries: float = 0.0
    base: float = 1.0
    colors: tuple[str, ...] = tuple(COLORS)


def _toy_car() -> tuple[Part, ...]:
    return built_in("sedan").parts


_ALL = (
    Ware("mug", household.mug, varies=ROUND, base=0.9),
    Ware("bowl", household.bowl, varies=ROUND, base=0.5),
    Ware("plate", household.plate, varies=ROUND, base=0.6),
    Ware("bottle", household.bottle, varies=ROUND),
    Ware("can", household.can, varies=ROUND),
    Ware("biscuit tin", household.tin, varies=ROUND, carries=0.68),
    Ware("book", household.book, carries=0.98),
    Ware("box", household.carton, carries=0.96),
    Ware("candle", household.candle, varies=ROUND, colors=tuple(c for c in COLORS if c != "black")),
    Ware("toy block", household.block, varies=EVENLY, carries=0.9),
    Ware("alarm clock", household.clock, front=True, varies=("x", "yz")),
    Ware("camera", household.camera, front=True, varies=("x", "yz")),
    Ware("toy car", _toy_car, usual_m=0.115, front=True, varies=EVENLY),
    Ware("teapot", standing.teapot, usual_m=0.23, varies=ROUND),
    Ware("rubber duck", standing.rubber_duck, usual_m=0.085, front=True, varies=EVENLY),
    Ware("vase", standing.vase, usual_m=0.20, varies=ROUND),
    Ware("cactus", standing.cactus, usual_m=0.15, varies=EVENLY, colors=("green",)),
    Ware("toy house", standing.house, usual_m=0.13, front=True),
)

WARES: dict[str, Ware] = {w.name: w for w in _ALL}
"""Every kind of thing by its name."""


@cache
def ware_model(name: str) -> Model:
    """Return a thing at its usual size, standing over the origin, in no particular colour.

    Raises InputError where there is no such thing.
    """
    if name not in WARES:
        raise InputError(f"{name!r}: no such thing for tables; there are {', '.join(WARES)}")
    ware = WARES[name]
    parts = ware.make()
    low, high = _ends(parts)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    factor = ware.usual_m / float((high - low).max()) if ware.usual_m else 1.0
    stood = tuple(replace(p, vertices=(p.vertices - shift) * factor) for p in parts)
    return Model(name=name, category=name, subtype=name, parts=stood)


@cache
def ware_hash(name: str) -> str:
    """Return the SHA-256 of a thing's shape at its usual size; of the table, of a usual one."""
    return fingerprint(table_model((1.2, 0.75, 0.74)) if name == TABLE else ware_model(name))


def sized(model: Model, size_m: tuple[float, float, float]) -> Model:
    """Return the model, standing, with exactly these extents; normals stay upright on its surface."""
    factors = np.asarray(size_m, dtype=np.float64) / model.extents
    return replace(model, parts=tuple(_stretched(p, factors) for p in model.parts))


def dressed(name: str, size_m: tuple[float, float, float], color: str) -> Model:
    """Return a thing of a size in a nameable colour ("" leaves it as it is made)."""
    model = table_model(size_m) if name == TABLE else sized(ware_model(name), size_m)
    return painted(model, COLORS[color]) if color else model


def table_model(size_m: tuple[float, float, float]) -> Model:
    """Return a table of a length, a width and a height."""
    make = partial(household.table, size_m)
    return Model(name=TABLE, category="structure", subtype=TABLE, parts=make())


def _stretched(piece: Part, factors: Points) -> Part:
    normals = piece.normals
    if normals is not None:
        normals = normals / factors
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return replace(piece, vertices=piece.vertices * factors, normals=normals)


def _ends(parts: tuple[Part, ...]) -> tuple[Points, Points]:
    points = np.concatenate([p.vertices for p in parts])
    return points.min(axis=0), points.max(axis=0)
