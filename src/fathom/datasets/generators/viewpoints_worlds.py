"""The worlds of a dataset of two viewpoints: rooms, streets, and rooms from files, with their models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from fathom.assets.furniture.living import living_in
from fathom.assets.libraries import Library
from fathom.assets.model import Model
from fathom.datasets.generators.videos_settings import libraries_of
from fathom.datasets.plan import DatasetPlan
from fathom.records import InputError, Scene
from fathom.scenes.imported_rooms import draw_placed_room, open_placed_rooms
from fathom.scenes.looked_streets import StreetLibraries, draw_looked_street
from fathom.scenes.street_moments import moment_models
from fathom.scenes.videos.indoor_objects import models_at
from fathom.scenes.viewpoints import Viewpoints, draw_viewpoints
from fathom.settings import INLINE

ANIMATED = "animated"
"""The folder of animated models in a folder of models: people and animals come from it."""

READABLE = ("clock", "sign", "taxi", "police car", "bus")
"""What names end with of objects that have writing, or the face of a clock."""


@dataclass(frozen=True)
class ViewpointSettings:
    """What decides rooms and streets seen from two places.

    streets : which share of the worlds are streets, the others being rooms
    hssd : a folder of rooms in HSSD's format (docs/benchmarks/3dsrbench-questions.md), in place of drawn
        rooms and streets
    mirrored : each question is asked on the mirror image of its picture too; clocks stay readable there
    augment : which questions are asked turned round as well (higher, lower): none, those of the paper's types
        in its mix, or half of every type that has an opposite, so that types stay even
    world : what worlds and cameras are drawn from
    """

    streets: float = 0.25
    hssd: str = ""
    mirrored: bool = False
    augment: Literal["none", "paper", "even"] = "none"
    world: Viewpoints = field(default_factory=Viewpoints, metadata=INLINE)

    def __post_init__(self) -> None:
        """Raise InputError where a share is none."""
        if not 0 <= self.streets <= 1:
            raise InputError(f"--set streets={self.streets:g}: expected a share of the worlds, from 0 to 1")

    @property
    def street_share(self) -> float:
        """Which share of the worlds are streets; of rooms from files none."""
        return 0.0 if self.hssd else self.streets


Plan = DatasetPlan[ViewpointSettings]


def place_of(own: ViewpointSettings, index: int) -> tuple[bool, int]:
    """Return whether a world is a street, and which one of its kind it is."""
    before, until = (math.floor(k * own.street_share + 1e-9) for k in (index, index + 1))
    return (True, before) if until > before else (False, index - before)


def draw_world(plan: Plan, index: int) -> Scene:
    """Return the world `index`. Raises UnfitError where no two viewpoints show enough of it."""
    own = plan.own
    if own.hssd:
        return draw_placed_room(index, plan.seed, open_placed_rooms(Path(own.hssd)), own.world)
    street, turn = place_of(own, index)
    if street:
        return draw_looked_street(index, plan.seed, own.world, _street_libraries(plan.assets), turn)
    return draw_viewpoints(index, plan.seed, own.world, _library_in(plan.assets), turn)


def world_models(plan: Plan, scene: Scene) -> dict[str, Model]:
    """Return the models of a world's objects by their ids; they look the same at all times."""
    if scene.source["setting"] == "outdoor":
        found = _street_libraries(plan.assets)
        return moment_models(scene, found.outdoors, found.indoors)
    return models_at(scene, 0, _rooms_library(plan))


def world_inputs(plan: Plan) -> Mapping[str, str]:
    """Return the hashes of the models that worlds are drawn from beside the built-in ones."""
    libraries = [_rooms_library(plan)]
    if plan.own.street_share:
        libraries.append(_street_libraries(plan.assets).outdoors)
    return {f"model:{x.name}:{a.name}": a.sha256 for x in libraries if x is not None for a in x.assets}


def with_writing(scene: Scene) -> frozenset[str]:
    """Return the objects by which anybody sees that an image is mirrored: with letters, or a clock's face.

    In the mirror image of their world they are painted as they are, and all else is mirrored.
    """
    return frozenset(o.id for o in scene.objects if o.attributes.get("name", "").endswith(READABLE))


def _rooms_library(plan: Plan) -> Library | None:
    if plan.own.hssd:
        return open_placed_rooms(Path(plan.own.hssd)).library
    return _library_in(plan.assets)


@lru_cache(maxsize=4)
def _street_libraries(assets: Path | None) -> StreetLibraries:
    outdoors = libraries_of(assets)["outdoor"] if assets is not None else None
    return StreetLibraries(outdoors, _library_in(assets))


@lru_cache(maxsize=4)
def _library_in(assets: Path | None) -> Library | None:
    """Return what stands in rooms from a folder of models: furniture, and who lives among animated ones."""
    if assets is None or not (assets / ANIMATED).is_dir():
        return libraries_of(assets)["indoor"]
    found, alive = libraries_of(assets)["indoor"], living_in(assets / ANIMATED)
    name, models = (found.name, found.assets) if found else (ANIMATED, ())
    return Library(name, (*models, *alive)) if models or alive else None
