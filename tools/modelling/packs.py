"""Every built-in pack: what is in it, what models it, and how large it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fathom.assets.model import Model, Part, scaled, standing, stretched
from fathom.assets.props.catalogue import GROUND, PROPS, SCREEN, SCREENS
from fathom.assets.street.catalogue import STREET as STREET_ASSETS
from tools.modelling.furniture import carried, cases, seats, small, tables, walls
from tools.modelling.props import grown, screens, worn
from tools.modelling.props import standing as ground
from tools.modelling.rigged import Rigged
from tools.modelling.street import carriers, fixtures, growing, liveries, people, striding
from tools.modelling.tabletop import household
from tools.modelling.vehicles import aeroplanes, bicycles, buses, cars, motorbikes

Maker = Callable[[], tuple[Part, ...]]


def _centred(name: str, category: str, make: Maker, longest_m: float = 0.0, along: int = 3) -> Model:
    """Return parts as a model over the origin, one extent `longest_m` where that is given.

    `along` is the axis of that extent, 3 for the longest of the three.
    """
    parts = make()
    points = np.concatenate([p.vertices for p in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    span = float((high - low).max() if along == 3 else (high - low)[along])
    factor = longest_m / span if longest_m else 1.0
    stood = tuple(replace(p, vertices=(p.vertices - shift) * factor) for p in parts)
    return Model(name=name, category=category, subtype=name, parts=stood)


VEHICLES: Mapping[str, tuple[Callable[[], Model], float]] = {
    "suv": (cars.suv, 0.8736),
    "wagon": (cars.wagon, 0.8872),
    "minivan": (cars.minivan, 0.8603),
    "sedan": (cars.sedan, 0.8964),
    "truck": (cars.truck, 0.8906),
    "articulated": (buses.articulated, 0.9718),
    "regular": (buses.regular, 0.9299),
    "double": (buses.double, 0.9290),
    "school": (buses.school, 0.9491),
    "chopper": (motorbikes.chopper, 0.8685),
    "dirtbike": (motorbikes.dirtbike, 0.8293),
    "scooter": (motorbikes.scooter, 0.7773),
    "cruiser": (motorbikes.cruiser, 0.8444),
    "jet": (aeroplanes.jet, 0.7609),
    "fighter": (aeroplanes.fighter, 0.7543),
    "biplane": (aeroplanes.biplane, 0.7423),
    "airliner": (aeroplanes.airliner, 0.7261),
    "road": (bicycles.road, 0.8583),
    "utility": (bicycles.utility, 0.7973),
    "mountain": (bicycles.mountain, 0.8162),
    "tandem": (bicycles.tandem, 0.9121),
}
"""Subtype → what makes it, and the longer side of its footprint at unit size.

Ref: PulseCheck457 §3.2; the longer sides are those of the published unit models, in metres.
"""


def vehicle(name: str) -> Model:
    """Return a vehicle as it is modelled, at unit size."""
    make, longest_m = VEHICLES[name]
    return standing(make(), longest_m)


DRIVEN: Mapping[str, tuple[str, float]] = {
    "sedan": ("sedan", 4.65),
    "wagon": ("wagon", 4.70),
    "suv": ("suv", 4.60),
    "minivan": ("minivan", 4.75),
    "pickup": ("truck", 5.30),
    "bus": ("regular", 9.60),
    "double-decker": ("double", 9.80),
    "school bus": ("school", 9.80),
    "motorcycle": ("cruiser", 2.15),
}
"""What drives in streets → the vehicle that it is, and its real length in metres."""

STREET: Mapping[str, tuple[Maker, float]] = {
    "taxi": (lambda: liveries.taxi(vehicle("sedan")), liveries.LONG_M),
    "police car": (lambda: liveries.police_car(vehicle("sedan")), liveries.LONG_M),
    "van": (carriers.van, 5.40),
    "lorry": (carriers.lorry, 7.60),
    "cyclist": (lambda: people.cyclist(vehicle("utility")), 0.0),
    "stander a": (lambda: people.standing("a"), 0.0),
    "stander b": (lambda: people.standing("b"), 0.0),
    "broad tree": (growing.broad_tree, 0.0),
    "tall tree": (growing.tall_tree, 0.0),
    "fir": (growing.fir, 0.0),
    "bush": (growing.bush, 0.0),
    "street lamp": (fixtures.street_lamp, 0.0),
    "globe lamp": (fixtures.globe_lamp, 0.0),
    "traffic light": (fixtures.traffic_light, 0.0),
    "stop sign": (fixtures.stop_sign, 0.0),
    "warning sign": (fixtures.warning_sign, 0.0),
    "parking sign": (fixtures.parking_sign, 0.0),
    "speed sign": (fixtures.speed_sign, 0.0),
    "bench": (fixtures.bench, 0.0),
    "bin": (fixtures.rubbish_bin, 0.0),
    "hydrant": (fixtures.hydrant, 0.0),
    "cone": (fixtures.cone, 0.0),
    "post box": (fixtures.post_box, 0.0),
    "bollard": (fixtures.bollard, 0.0),
    "planter": (fixtures.planter, 0.0),
    "barrier": (fixtures.barrier, 0.0),
    "bus shelter": (fixtures.shelter, 0.0),
}
"""What stands and goes in streets → what makes it, and its usual length; 0: as it is made."""

TABLETOP: Mapping[str, Maker] = {
    "mug": household.mug,
    "bowl": household.bowl,
    "plate": household.plate,
    "bottle": household.bottle,
    "can": household.can,
    "biscuit tin": household.tin,
    "book": household.book,
    "box": household.carton,
    "candle": household.candle,
    "toy block": household.block,
    "alarm clock": household.clock,
    "photo camera": household.camera,
}

SMALLER: Mapping[str, tuple[str, str, Maker, float]] = {
    "toy car": ("vehicles", "sedan", lambda: vehicle("sedan").parts, 0.115),
    "teapot": ("props", "teapot", ground.teapot, 0.23),
    "rubber duck": ("props", "rubber duck", ground.rubber_duck, 0.085),
    "vase": ("props", "vase", ground.vase, 0.20),
    "cactus": ("props", "cactus", ground.cactus, 0.15),
    "toy house": ("props", "house", ground.house, 0.13),
}
"""What stands on tables and is another pack's model → pack, name, maker, and its longest extent in metres."""

FURNITURE: Mapping[str, Maker] = {
    "sofa": seats.sofa,
    "armchair": seats.armchair,
    "bed": seats.bed,
    "single bed": seats.single_bed,
    "chair": seats.chair,
    "office chair": seats.office_chair,
    "stool": seats.stool,
    "pouf": seats.pouf,
    "bench": seats.bench,
    "coat rack": seats.coat_rack,
    "dining table": tables.dining_table,
    "round table": tables.round_table,
    "coffee table": tables.coffee_table,
    "side table": tables.side_table,
    "desk": tables.desk,
    "nightstand": tables.nightstand,
    "kitchen cabinet": tables.counter,
    "sink": tables.sink_unit,
    "bookshelf": cases.bookshelf,
    "shelf": cases.open_shelf,
    "wardrobe": cases.wardrobe,
    "cabinet": cases.cabinet,
    "dresser": cases.dresser,
    "TV stand": cases.tv_stand,
    "television": cases.television,
    "monitor": cases.monitor,
    "fridge": cases.fridge,
    "oven": cases.stove,
    "washing machine": cases.washing_machine,
    "floor lamp": small.floor_lamp,
    "table lamp": small.table_lamp,
    "desk lamp": small.desk_lamp,
    "potted plant": small.plant,
    "potted tree": small.small_tree,
    "bin": small.bin_,
    "cardboard box": small.cardboard_box,
    "basket": small.basket,
    "suitcase": small.suitcase,
    "fan": small.fan,
    "floor cushion": small.floor_cushion,
    "robot vacuum": small.robot_vacuum,
    "toy truck": small.toy_truck,
}

INDOORS: Mapping[str, Maker] = {
    "wide picture": walls.wide_picture,
    "tall picture": walls.tall_picture,
    "wall clock": walls.wall_clock,
    "wall lamp": walls.wall_lamp,
    "wall shelf": walls.wall_shelf,
    "notice board": walls.notice_board,
    "seated woman": lambda: people.seated("a"),
    "seated man": lambda: people.seated("b"),
    "woman on a seat": lambda: people.on_seat("a"),
    "man on a seat": lambda: people.on_seat("b"),
    "pushing woman": lambda: people.pushing("a"),
    "pushing man": lambda: people.pushing("b"),
    "holding woman": lambda: people.holding("a"),
    "holding man": lambda: people.holding("b"),
    "lying woman": lambda: people.lying("a"),
    "lying man": lambda: people.lying("b"),
    "handbag": carried.handbag,
    "ball": carried.ball,
    "umbrella": carried.umbrella,
    "watering can": carried.watering_can,
}
"""What hangs on the walls of rooms, who sits, lies, pushes or holds there, and what only they hold."""

PROP_MODULES = (ground, worn, grown)


def prop(name: str) -> Model:
    """Return a prop as it is modelled, its longest extent a metre."""
    word = name.replace(" ", "_")
    make: Maker = next(getattr(m, word) for m in PROP_MODULES if hasattr(m, word))
    if GROUND in PROPS[name].places:
        return _centred(name, "prop", make, 1.0)
    made = Model(name=name, category="prop", subtype=name, parts=make())
    return scaled(made, 1.0 / max(made.extents))


def screen(name: str) -> Model:
    """Return a screen as it is modelled, 1 high."""
    make: Maker = getattr(screens, name.replace(" ", "_"))
    made = Model(name=name, category=SCREEN, subtype=name, parts=make())
    high = max(float(p.vertices[:, 2].max()) for p in made.parts)
    return stretched(made, (1.0, 1.0, 1.0 / high))


WALKERS: Mapping[str, str] = {"walker a": "a", "walker b": "b"}
"""Those who walk, and how they look."""


@dataclass(frozen=True)
class Modelled:
    """A model of a pack: its name in the catalogue, what makes it, and whose file it shares, if any;
    `rigged` returns it with its skeleton and clips where it moves.

    The model is at its usual size, standing over the origin, its front towards +x.
    """

    name: str
    make: Callable[[], Model]
    shares: tuple[str, str] | None = None
    rigged: Callable[[], Rigged] | None = None


def _vehicles() -> tuple[Modelled, ...]:
    return tuple(Modelled(n, partial(vehicle, n)) for n in VEHICLES)


def _props() -> tuple[Modelled, ...]:
    standing_ = (Modelled(n, partial(prop, n)) for n in PROPS)
    return (*standing_, *(Modelled(n, partial(screen, n)) for n in SCREENS))


def _street() -> tuple[Modelled, ...]:
    found = []
    for name, asset in STREET_ASSETS.items():
        if name in DRIVEN:
            which, long_m = DRIVEN[name]
            parts = partial(_parts_of, which)
            made = partial(_centred, name, asset.category, parts, long_m, 0)
            found.append(Modelled(name, made, ("vehicles", which)))
        elif name in STREET:
            make, long_m = STREET[name]
            found.append(Modelled(name, partial(_centred, name, asset.category, make, long_m, 0)))
        elif name in WALKERS:
            looks = WALKERS[name]
            made = partial(_centred, name, asset.category, partial(striding.walker, looks))
            found.append(Modelled(name, made, rigged=partial(striding.rigged_walker, looks)))
    return tuple(found)


def _parts_of(which: str) -> tuple[Part, ...]:
    return vehicle(which).parts


def _tabletop() -> tuple[Modelled, ...]:
    own = (Modelled(n, partial(_centred, n, n, make)) for n, make in TABLETOP.items())
    shared = (
        Modelled(n, partial(_centred, n, n, make, long_m), (pack, other))
        for n, (pack, other, make, long_m) in SMALLER.items()
    )
    return (*own, *shared)


def _furniture() -> tuple[Modelled, ...]:
    return tuple(Modelled(n, partial(_centred, n, n, make)) for n, make in FURNITURE.items())


def _indoors() -> tuple[Modelled, ...]:
    return tuple(Modelled(n, partial(_centred, n, n, make)) for n, make in INDOORS.items())


PACKS: Mapping[str, Callable[[], tuple[Modelled, ...]]] = {
    "vehicles": _vehicles,
    "props": _props,
    "street": _street,
    "tabletop": _tabletop,
    "furniture": _furniture,
    "indoors": _indoors,
}
"""Every pack, those whose files others share before those."""
