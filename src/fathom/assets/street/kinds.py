"""All built-in kinds of the street set: nouns, usual sizes, colours, and models of any size.

size = BUILT_IN.size(generator, "street lamp")
model = BUILT_IN.dressed("street lamp", size, "")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np

from fathom.assets.builtin import built_in_parts, built_in_parts_at, catalogue
from fathom.assets.library import fingerprint
from fathom.assets.model import Model, Part, painted
from fathom.assets.palette import STREET_COLORS
from fathom.assets.sizes import Varies, by, drawn_size, evenly, near, wide
from fathom.assets.street.buildings import building, house
from fathom.assets.tabletop.shelf import sized, stretched
from fathom.records import InputError

Size = tuple[float, float, float]

CARS = ("white", "black", "gray", "red", "blue", "green", "yellow")
CLOTHES = ("white", "black", "red", "blue", "green", "yellow", "orange")

STRIDE_M = 1.30
"""How far a walker of the usual size goes with two steps."""

USUAL = evenly(0.08)
PEOPLE = evenly(0.07)
SIZES: Varies = (wide("xyz"), near("xyz"))
ROUND: Varies = (wide("xyz"), near("xy"), near("z"))
TALL: Varies = (wide("z", 1.35), near("z"), by("xy", 0.18))
SIGNS: Varies = (wide("xyz", 1.05), near("xyz"))
GLOBES: Varies = (wide("z", 1.1), near("z"), by("xy", 0.1))
CONES: Varies = (wide("xyz", 0.85), near("xyz"))
LAMPS: Varies = (wide("z", 1.35), near("z"), by("x", 0.12), by("y", 0.12))
LONG: Varies = (wide("y"), near("y"), by("x", 0.08), by("z", 0.05))
"""How sizes vary, of what comes in all sizes: wholly; trees and lamps, below which people pass, in height
alone; signs with their posts; benches and shelters in their length."""


@dataclass(frozen=True)
class Kind:
    """One kind of object.

    name : the noun that questions use
    category : the class that it counts as
    make : returns its parts, at its usual size where `usual_m` is 0
    usual_m : its usual length along x, in metres; 0: as its parts have it
    front : whether anybody would say which side is its front
    varies : how sizes differ (`sizes.py`)
    stem : width and height of the part below, where what spreads above is wider, and how far before the
        middle it is, all in metres at its usual size; (0, 0, 0) for none
    color : the colour that it always has, "" where it has none that is nameable
    colors : those in which it comes
    stride_m : how far it goes with two steps, at its usual size; 0 where nothing of it swings
    at : returns its parts at a phase of the stride, with the same triangles as `make`
    """

    name: str
    category: str
    make: Callable[[], tuple[Part, ...]]
    usual_m: float = 0.0
    front: bool = True
    varies: Varies = USUAL
    stem: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: str = ""
    colors: tuple[str, ...] = ()
    stride_m: float = 0.0
    at: Callable[[float], tuple[Part, ...]] | None = None


def _built(name: str) -> Callable[[], tuple[Part, ...]]:
    return partial(built_in_parts, "street", name)


def _stander(looks: str) -> Kind:
    return Kind("pedestrian", "pedestrian", _built(f"stander {looks}"), varies=PEOPLE, colors=CLOTHES)


def _walker(looks: str) -> Kind:
    name = f"walker {looks}"
    return Kind("pedestrian", "pedestrian", _built(name), varies=PEOPLE, colors=CLOTHES, stride_m=STRIDE_M,
                at=partial(_striding, name))  # fmt: skip


def _striding(name: str, phase: float) -> tuple[Part, ...]:
    """Return a walker at a phase of the stride, 0 where the left heel comes down: the clip takes a second."""
    return built_in_parts_at("street", name, "Walk", phase % 1.0)


KINDS: dict[str, Kind] = {
    "sedan": Kind("car", "car", _built("sedan"), varies=evenly(0.04), colors=CARS),
    "taxi": Kind("taxi", "car", _built("taxi"), varies=evenly(0.03), color="yellow"),
    "police car": Kind("police car", "car", _built("police car"), varies=evenly(0.03)),
    "wagon": Kind("car", "car", _built("wagon"), varies=evenly(0.04), colors=CARS),
    "suv": Kind("suv", "car", _built("suv"), varies=evenly(0.04), colors=CARS),
    "minivan": Kind("minivan", "car", _built("minivan"), varies=evenly(0.04), colors=CARS),
    "pickup": Kind("pickup truck", "truck", _built("pickup"), varies=evenly(0.04), colors=CARS),
    "van": Kind("van", "van", _built("van"), varies=evenly(0.05), colors=CARS),
    "lorry": Kind("truck", "truck", _built("lorry"), varies=evenly(0.06), colors=CARS),
    "bus": Kind("bus", "bus", _built("bus"), varies=evenly(0.04), colors=CARS),
    "double-decker": Kind("double-decker bus", "bus", _built("double-decker"), varies=evenly(0.03),
                          colors=("red", "blue")),
    "school bus": Kind("school bus", "bus", _built("school bus"), varies=evenly(0.03), colors=("yellow",)),
    "cyclist": Kind("cyclist", "cyclist", _built("cyclist"), varies=evenly(0.04), colors=CLOTHES),
    "motorcycle": Kind("motorcycle", "motorcycle", _built("motorcycle"), varies=evenly(0.04), colors=CARS),
    "walker a": _walker("a"),
    "walker b": _walker("b"),
    "stander a": _stander("a"),
    "stander b": _stander("b"),
    "broad tree": Kind("tree", "tree", _built("broad tree"), front=False, varies=TALL,
                       stem=(0.7, 2.4, 0.0)),
    "tall tree": Kind("tree", "tree", _built("tall tree"), front=False, varies=TALL,
                      stem=(0.6, 2.3, 0.0)),
    "fir": Kind("fir tree", "tree", _built("fir"), front=False, varies=ROUND),
    "bush": Kind("bush", "bush", _built("bush"), front=False, varies=ROUND),
    "street lamp": Kind("street lamp", "street lamp", _built("street lamp"), varies=LAMPS,
                        stem=(0.26, 4.6, -0.93)),
    "globe lamp": Kind("globe lamp", "street lamp", _built("globe lamp"), front=False, varies=GLOBES),
    "traffic light": Kind("traffic light", "traffic light", _built("traffic light"), varies=evenly(0.06)),
    "stop sign": Kind("stop sign", "sign", _built("stop sign"), varies=SIGNS, color="red"),
    "warning sign": Kind("warning sign", "sign", _built("warning sign"), varies=SIGNS),
    "parking sign": Kind("parking sign", "sign", _built("parking sign"), varies=SIGNS, color="blue"),
    "speed sign": Kind("speed limit sign", "sign", _built("speed sign"), varies=SIGNS),
    "bench": Kind("bench", "bench", _built("bench"), varies=LONG),
    "bin": Kind("rubbish bin", "bin", _built("bin"), front=False, varies=ROUND,
                colors=("green", "blue", "gray", "orange")),
    "hydrant": Kind("fire hydrant", "hydrant", _built("hydrant"), varies=evenly(0.1),
                    colors=("red", "yellow")),
    "cone": Kind("traffic cone", "cone", _built("cone"), front=False, varies=CONES, color="orange"),
    "post box": Kind("post box", "post box", _built("post box"), varies=SIZES,
                     colors=("red", "yellow", "blue")),
    "bollard": Kind("bollard", "bollard", _built("bollard"), front=False, varies=ROUND),
    "planter": Kind("planter", "planter", _built("planter"), front=False, varies=ROUND),
    "barrier": Kind("barrier", "barrier", _built("barrier"), front=False, varies=LONG),
    "bus shelter": Kind("bus shelter", "bus shelter", _built("bus shelter"), varies=LONG,
                        colors=("gray", "green", "blue")),
}  # fmt: skip
"""Every kind of object by its asset name."""

FRONTAGES = ("building", "shops", "house")
"""What lines streets: models of any size, numbered."""


@dataclass(frozen=True, eq=False)
class Stock:
    """Kinds to draw from: `roles` names for a built-in kind all those that can stand in for it."""

    kinds: Mapping[str, Kind]
    roles: Mapping[str, tuple[str, ...]]
    hashes: Mapping[str, str] = field(default_factory=dict)
    _models: dict[str, Model] = field(default_factory=dict)

    def pick(self, g: np.random.Generator, role: str) -> str:
        """Return one of the kinds that can play a role."""
        names = self.roles.get(role, (role,))
        return names[int(g.integers(len(names)))] if len(names) > 1 else names[0]

    def kind(self, name: str) -> Kind:
        """Return a kind. Raises InputError where there is no such object."""
        if name not in self.kinds:
            raise InputError(f"{name!r}: no such thing for streets; there are {', '.join(self.kinds)}")
        return self.kinds[name]

    def model(self, name: str) -> Model:
        """Return an object at its usual size, standing over the origin, in no particular colour."""
        if name not in self._models:
            kind = self.kind(name)
            model = stood(Model(name=name, category=kind.category, subtype=name, parts=kind.make()))
            factor = kind.usual_m / model.extents[0] if kind.usual_m else 1.0
            parts = tuple(replace(p, vertices=p.vertices * factor) for p in model.parts)
            self._models[name] = replace(model, parts=parts)
        return self._models[name]

    def size(self, g: np.random.Generator, name: str) -> Size:
        """Return length, width and height, drawn continuously about the usual ones; micrometres are kept."""
        return drawn_size(g, self.model(name).extents, self.kind(name).varies)

    def color(self, g: np.random.Generator, name: str) -> str:
        """Return a nameable colour in which a kind comes, "" where it has none."""
        kind = self.kind(name)
        return kind.colors[int(g.integers(len(kind.colors)))] if kind.colors else kind.color

    def stem(self, name: str, size_m: Size) -> tuple[float, float, float] | None:
        """Return the width, the height and the place before the middle of what an object stands on."""
        wide, high, before = self.kind(name).stem
        if not wide:
            return None
        x, _, z = (s / u for s, u in zip(size_m, self.model(name).extents, strict=True))
        return round(wide * x, 4), round(high * z, 4), round(before * x, 4)

    def dressed(self, name: str, size_m: Size, color: str) -> Model:
        """Return an object of a size in a nameable colour ("" leaves it as it is made)."""
        model = sized(self.model(name), size_m)
        return painted(model, STREET_COLORS[color]) if color and color in self.kind(name).colors else model

    def walking(self, name: str, size_m: Size, color: str, gone_m: float) -> Model:
        """Return an object `dressed`, its limbs as they are after a way, where it has any that swing."""
        kind = self.kind(name)
        if kind.at is None:
            return self.dressed(name, size_m, color)
        usual = self.model(name)
        factors = np.asarray(size_m, dtype=np.float64) / usual.extents
        posed = replace(usual, parts=kind.at(gone_m / (kind.stride_m * float(factors[0]))))
        model = stretched(posed, factors)
        return painted(model, STREET_COLORS[color]) if color and color in kind.colors else model

    def sha256(self, name: str) -> str:
        """Return the SHA-256 of an object's shape at its usual size; of a frontage, of a usual one."""
        if name in self.hashes:
            return self.hashes[name]
        return _frontage_hash(name) if name in FRONTAGES else _hash(self, name)


ALIKE: dict[str, tuple[str, ...]] = {"sedan": (*["sedan"] * 7, "taxi", "taxi", "police car")}
"""What can play the part of a kind, as often as it stands here."""

BUILT_IN = Stock(KINDS, ALIKE)
"""The built-in street set alone."""


@cache
def _frontage_hash(name: str) -> str:
    return fingerprint(frontage(name, (11.0, 14.0, 11.0), 0))


@cache
def _hash(stock: Stock, name: str) -> str:
    spec = catalogue("street").get(name)
    return fingerprint(stock.model(name)) if spec is None else spec.shape


def frontage(name: str, size_m: Size, number: int) -> Model:
    """Return a building of a size; its number draws its colours, windows and doors."""
    model = house(size_m, number) if name == "house" else building(size_m, number, name == "shops")
    return sized(stood(model), size_m)


def stood(model: Model) -> Model:
    """Return the model over the origin, on the ground."""
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return replace(model, parts=tuple(replace(p, vertices=p.vertices - shift) for p in model.parts))
