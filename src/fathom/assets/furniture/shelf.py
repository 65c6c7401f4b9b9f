"""All built-in furniture: nouns, what it is for, usual sizes, colours, and models of any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from fathom.assets.builtin import built_in_model, catalogue
from fathom.assets.furniture.finishes import LIT
from fathom.assets.model import Model, Rgb
from fathom.assets.palette import FURNITURE_COLORS
from fathom.assets.sizes import Varies, by, evenly, near, wide
from fathom.assets.tabletop.shelf import BUILT_IN

CLOTHS = ("red", "blue", "green", "yellow", "orange", "purple", "white", "gray", "black")
WOODS = ("brown", "brown", "white", "black", "gray")
PLASTICS = ("red", "blue", "green", "yellow", "orange", "white", "black", "gray")
WHITES = ("white", "white", "gray", "black", "red")

STEADY: Varies = (by("x", 0.08), by("y", 0.08), by("z", 0.05))
STEADY_ROUND: Varies = (by("xy", 0.08), by("z", 0.05))
FITTED: Varies = (by("y", 0.1),)
SOME: Varies = evenly(0.25)
ROUND: Varies = (wide("xyz"), near("xy"), near("z"))
SHAPES: Varies = (wide("xyz"), near("x"), near("y"), near("z"))
SIZES: Varies = (wide("xyz"), near("xyz"))
TABLES: Varies = (wide("xy"), near("x"), near("y"), by("z", 0.05))
ROUND_TABLES: Varies = (wide("xy"), near("xy"), by("z", 0.05))
LONG: Varies = (wide("y"), near("y"), by("x", 0.08), by("z", 0.05))
CASES: Varies = (wide("yz"), near("y"), near("z"), by("x", 0.08))
"""How sizes vary: of what is as large as such furniture is (seats are as high as people need them), of
tables, whose tops come in all sizes at one height, of what is as long as there was room for it, of what is
so in height as well, and of what comes in all sizes."""


@dataclass(frozen=True)
class FurnitureModel:
    """One model of furniture, built in or of a folder.

    asset : what scenes call the model
    name : the noun that questions use; it decides where such objects stand in rooms
    model : returns it at its usual size in metres, standing over the origin, its front towards +x
    sha256 : returns the hash of what makes it
    front : whether anybody would say which side is its front
    varies : how sizes differ (`sizes.py`); none where the size is fixed
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
    varies: Varies = STEADY
    carries: float = 0.0
    colors: tuple[str, ...] = ()
    color: str = ""
    said: bool = True
    paints: Mapping[str, Rgb] = field(default_factory=lambda: FURNITURE_COLORS)


Furniture = Mapping[str, FurnitureModel]
"""Kinds by the names that scenes call them."""


@dataclass(frozen=True)
class _Made:
    """A built-in kind as the table below writes it; the fields are those of Kind."""

    name: str
    colors: tuple[str, ...]
    carries: float = 0.0
    front: bool = True
    varies: Varies = STEADY
    said: bool = True
    color: str = ""


_ALL = (
    _Made("sofa", CLOTHS),
    _Made("armchair", CLOTHS),
    _Made("bed", CLOTHS),
    _Made("single bed", CLOTHS),
    _Made("chair", (*WOODS, "red", "blue")),
    _Made("office chair", ("black", "blue", "red", "gray", "green")),
    _Made("stool", (*WOODS, "red", "yellow", "blue"), front=False, varies=STEADY_ROUND),
    _Made("pouf", CLOTHS, front=False, varies=ROUND),
    _Made("bench", CLOTHS, front=False, varies=LONG),
    _Made("coat rack", ("black", "white", "brown", "red"), front=False, varies=STEADY_ROUND),
    _Made("dining table", WOODS, carries=0.8, front=False, varies=TABLES),
    _Made("round table", WOODS, carries=0.55, front=False, varies=ROUND_TABLES),
    _Made("coffee table", WOODS, carries=0.85, front=False, varies=TABLES),
    _Made("side table", (*WOODS, "yellow"), carries=0.6, front=False, varies=ROUND_TABLES),
    _Made("desk", WOODS, carries=0.85, varies=LONG),
    _Made("nightstand", WOODS, carries=0.85),
    _Made("kitchen cabinet", WHITES, carries=0.8, varies=LONG),
    _Made("sink", WHITES, varies=FITTED),
    _Made("bookshelf", WOODS, varies=LONG),
    _Made("shelf", WOODS, carries=0.85, varies=CASES),
    _Made("wardrobe", WOODS, varies=LONG),
    _Made("cabinet", (*WOODS, "green", "blue"), carries=0.85, varies=CASES),
    _Made("dresser", WOODS, carries=0.85, varies=CASES),
    _Made("TV stand", WOODS, carries=0.9, varies=LONG),
    _Made("television", (), color="black", varies=SIZES),
    _Made("monitor", ("black", "white")),
    _Made("fridge", ("white", "gray", "red", "black")),
    _Made("oven", ("white", "gray", "black"), varies=FITTED),
    _Made("washing machine", ("white", "gray")),
    _Made("floor lamp", ("black", "white", "red", "brown"), front=False, varies=SOME),
    _Made("table lamp", PLASTICS, front=False, varies=ROUND),
    _Made("desk lamp", PLASTICS, varies=SIZES),
    _Made("potted plant", PLASTICS, front=False, said=False, varies=SIZES),
    _Made("potted tree", ("white", "gray", "black", "brown"), front=False,
          said=False, varies=SOME),
    _Made("bin", PLASTICS, front=False, varies=ROUND),
    _Made("cardboard box", (), front=False, varies=SHAPES),
    _Made("basket", ("brown", "white", "gray", "blue"), front=False, varies=SIZES),
    _Made("suitcase", PLASTICS, front=False, varies=SOME),
    _Made("fan", ("white", "black", "blue"), varies=SOME),
    _Made("floor cushion", CLOTHS, front=False, varies=ROUND),
    _Made("robot vacuum", ("white", "black", "gray", "red"), varies=STEADY_ROUND),
    _Made("toy truck", ("red", "blue", "green", "yellow", "orange"), varies=SIZES),
)  # fmt: skip


def furniture_model(name: str) -> Model:
    """Return a built-in piece at its usual size, standing over the origin, in no particular colour.

    Raises InputError where there is no such piece.
    """
    return built_in_model("furniture", name)


def furniture_hash(name: str) -> str:
    """Return the SHA-256 of a built-in piece's shape at its usual size."""
    return catalogue("furniture")[name].shape


def _kind(m: _Made) -> FurnitureModel:
    return FurnitureModel(
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
