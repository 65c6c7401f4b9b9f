"""All built-in furniture: nouns, what it is for, usual sizes, colours, and models of any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from fathom.build.assets.furniture import cases, seats, small, tables
from fathom.build.assets.furniture.finishes import LIT, Parts
from fathom.build.assets.library import fingerprint
from fathom.build.assets.model import Model, Rgb
from fathom.build.assets.tabletop.shelf import BUILT_IN, ROUND
from fathom.records import InputError

COLORS: dict[str, Rgb] = {
    "red": (0.60, 0.11, 0.10),
    "blue": (0.12, 0.25, 0.52),
    "green": (0.16, 0.38, 0.20),
    "yellow": (0.87, 0.66, 0.13),
    "orange": (0.86, 0.40, 0.09),
    "purple": (0.38, 0.20, 0.50),
    "white": (0.90, 0.90, 0.88),
    "gray": (0.45, 0.46, 0.48),
    "black": (0.06, 0.06, 0.065),
    "brown": (0.42, 0.29, 0.19),
}
"""The nameable colours of furniture, sRGB: none that some would call by another's name."""

CLOTHS = ("red", "blue", "green", "yellow", "orange", "purple", "white", "gray", "black")
WOODS = ("brown", "brown", "white", "black", "gray")
PLASTICS = ("red", "blue", "green", "yellow", "orange", "white", "black", "gray")
WHITES = ("white", "white", "gray", "black", "red")

SHAPE = ("x", "y", "z")
EVENLY = ("xyz",)


@dataclass(frozen=True)
class Kind:
    """One model of furniture, built in or of a folder.

    asset : what scenes call the model
    name : the noun that questions use; it decides where such things stand in rooms
    model : returns it at its usual size in metres, standing over the origin, its front towards +x
    sha256 : returns the hash of what makes it
    front : whether anybody would say which side is its front
    varies : axes that grow together; none where the size is fixed
    carries : the share of its length and width on which something can stand on top; 0 where nothing can
    colors : those in which its body can be painted; none where it stays as it is
    color : what anybody would call its colour where it is not painted; "" where nobody could say
    said : whether its paint is what anybody would call its colour
    paints : the colours by their names, sRGB
    """

    asset: str
    name: str
    model: Callable[[], Model]
    sha256: Callable[[], str]
    front: bool = True
    varies: tuple[str, ...] = SHAPE
    carries: float = 0.0
    colors: tuple[str, ...] = ()
    color: str = ""
    said: bool = True
    paints: Mapping[str, Rgb] = field(default_factory=lambda: COLORS)


Furniture = Mapping[str, Kind]
"""Kinds by the names that scenes call them."""


@dataclass(frozen=True)
class _Made:
    """A built-in kind as the table below writes it; the fields are those of Kind."""

    name: str
    make: Callable[[], Parts]
    colors: tuple[str, ...]
    carries: float = 0.0
    front: bool = True
    varies: tuple[str, ...] = SHAPE
    said: bool = True
    color: str = ""


_ALL = (
    _Made("sofa", seats.sofa, CLOTHS),
    _Made("armchair", seats.armchair, CLOTHS),
    _Made("bed", seats.bed, CLOTHS),
    _Made("single bed", seats.single_bed, CLOTHS),
    _Made("chair", seats.chair, (*WOODS, "red", "blue")),
    _Made("office chair", seats.office_chair, ("black", "blue", "red", "gray", "green")),
    _Made("stool", seats.stool, (*WOODS, "red", "yellow", "blue"), front=False, varies=ROUND),
    _Made("pouf", seats.pouf, CLOTHS, front=False, varies=ROUND),
    _Made("bench", seats.bench, CLOTHS, front=False),
    _Made("coat rack", seats.coat_rack, ("black", "white", "brown", "red"), front=False, varies=ROUND),
    _Made("dining table", tables.dining_table, WOODS, carries=0.8, front=False),
    _Made("round table", tables.round_table, WOODS, carries=0.55, front=False, varies=ROUND),
    _Made("coffee table", tables.coffee_table, WOODS, carries=0.85, front=False),
    _Made("side table", tables.side_table, (*WOODS, "yellow"), carries=0.6, front=False, varies=ROUND),
    _Made("desk", tables.desk, WOODS, carries=0.85),
    _Made("nightstand", tables.nightstand, WOODS, carries=0.85),
    _Made("kitchen cabinet", tables.counter, WHITES, carries=0.8, varies=("y",)),
    _Made("sink", tables.sink_unit, WHITES, varies=("y",)),
    _Made("bookshelf", cases.bookshelf, WOODS),
    _Made("shelf", cases.open_shelf, WOODS, carries=0.85),
    _Made("wardrobe", cases.wardrobe, WOODS),
    _Made("cabinet", cases.cabinet, (*WOODS, "green", "blue"), carries=0.85),
    _Made("dresser", cases.dresser, WOODS, carries=0.85),
    _Made("TV stand", cases.tv_stand, WOODS, carries=0.9),
    _Made("television", cases.television, (), color="black"),
    _Made("monitor", cases.monitor, ("black", "white")),
    _Made("fridge", cases.fridge, ("white", "gray", "red", "black"), varies=("x", "y", "z")),
    _Made("oven", cases.stove, ("white", "gray", "black"), varies=("y",)),
    _Made("washing machine", cases.washing_machine, ("white", "gray")),
    _Made("floor lamp", small.floor_lamp, ("black", "white", "red", "brown"), front=False, varies=ROUND),
    _Made("table lamp", small.table_lamp, PLASTICS, front=False, varies=ROUND),
    _Made("desk lamp", small.desk_lamp, PLASTICS, varies=EVENLY),
    _Made("potted plant", small.plant, PLASTICS, front=False, varies=EVENLY, said=False),
    _Made("potted tree", small.small_tree, ("white", "gray", "black", "brown"), front=False, varies=EVENLY,
          said=False),
    _Made("bin", small.bin_, PLASTICS, front=False, varies=ROUND),
    _Made("cardboard box", small.cardboard_box, (), front=False),
    _Made("basket", small.basket, ("brown", "white", "gray", "blue"), front=False, varies=("xyz",)),
    _Made("suitcase", small.suitcase, PLASTICS, front=False),
    _Made("fan", small.fan, ("white", "black", "blue"), varies=EVENLY),
    _Made("floor cushion", small.stack_of_cushions, CLOTHS, front=False, varies=("xy", "z")),
    _Made("robot vacuum", small.robot_vacuum, ("white", "black", "gray", "red"), varies=EVENLY),
    _Made("toy truck", small.toy_truck, ("red", "blue", "green", "yellow", "orange"), varies=EVENLY),
)  # fmt: skip


@cache
def furniture_model(name: str) -> Model:
    """Return a built-in piece at its usual size, standing over the origin, in no particular colour.

    Raises InputError where there is no such piece.
    """
    made = next((m for m in _ALL if m.name == name), None)
    if made is None:
        raise InputError(f"{name!r}: no such furniture; there are {', '.join(m.name for m in _ALL)}")
    parts = made.make()
    points = np.concatenate([p.vertices for p in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    stood = tuple(replace(p, vertices=p.vertices - shift) for p in parts)
    return Model(name=name, category=name, subtype=name, parts=stood)


@cache
def furniture_hash(name: str) -> str:
    """Return the SHA-256 of a built-in piece's shape at its usual size."""
    return fingerprint(furniture_model(name))


def _kind(m: _Made) -> Kind:
    return Kind(
        asset=BUILT_IN + m.name,
        name=m.name,
        model=lambda: furniture_model(m.name),
        sha256=lambda: furniture_hash(m.name),
        front=m.front,
        varies=m.varies,
        carries=m.carries,
        colors=m.colors,
        color=m.color,
        said=m.said,
    )


FURNITURE: Furniture = {BUILT_IN + m.name: _kind(m) for m in _ALL}
"""Every built-in kind by its asset's name."""


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
