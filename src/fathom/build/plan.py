"""What a build is asked for, and how every process that works on it finds its parts again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path

from fathom.build.assets.libraries import Library, open_library
from fathom.build.questions.making import Recipe
from fathom.build.render.environments import drawn, environments
from fathom.build.truth.trace import covers_under
from fathom.build.worlds.placing import models_of
from fathom.build.worlds.scatter import Scatter
from fathom.programs.rules import VERSION
from fathom.records import Environment, Pose, Scene, Setting, Sight
from fathom.store.datasets import WORK

SCENES_FOLDER, PROOFS_FOLDER, PICTURES_FOLDER = "scenes", "questions", "pictures"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a dataset; plain values, so that it can be sent to other processes.

    `construct` is the "module:attribute" of the benchmark's recipe. `text_reader`
    names the independent reader of its sentences.
    """

    out: Path
    benchmark: str
    benchmark_version: str
    construct: str
    scenes: int
    seed: str
    rules: str = "fathom"
    split: str = "test"
    assets: Path | None = None
    environment: Path | None = None
    renderer: str = "mitsuba"
    quality: str = "final"
    world: Scatter = field(default_factory=Scatter)
    text_reader: str = ""

    @property
    def work(self) -> Path:
        """Where finished parts wait until the dataset is whole."""
        return self.out / WORK

    def scene_name(self, index: int) -> str:
        """Return the id of scene `index`."""
        return f"scene-{index:06d}"

    def scene_part(self, name: str) -> Path:
        """Return the file that says that a scene's world, truth and candidates are done."""
        return self.work / SCENES_FOLDER / f"{name}.json"

    def proof_part(self, name: str) -> Path:
        """Return the file that says that a scene's questions are written and proved."""
        return self.work / PROOFS_FOLDER / f"{name}.json"

    def picture_part(self, name: str) -> Path:
        """Return the file that says that a scene's picture is done."""
        return self.work / PICTURES_FOLDER / f"{name}.json"

    def settings(self) -> dict[str, Setting]:
        """Return what stands in the manifest, and what must be the same to carry on."""
        world = asdict(self.world)
        found: dict[str, Setting] = {
            "scenes": self.scenes,
            "rules": self.rules,
            "rules_version": VERSION,
            "assets": self.assets.name if self.assets else library_of(self.assets).name,
            "environment": self.environment.name if self.environment else "built-in skies",
            "renderer": self.renderer,
            "quality": self.quality,
        }
        for name, value in world.items():
            found[f"world.{name}"] = list(value) if isinstance(value, tuple) else value
        return found

    def inputs(self) -> dict[str, str]:
        """Return the hashes of models and light probes that the dataset is made from."""
        found = {f"model:{e.name}": e.sha256() for e in library_of(self.assets).entries}
        if self.environment is not None:
            found |= {f"probe:{e.name}": e.sha256 for e in environments_of(self.environment)}
        return found


@lru_cache(maxsize=4)
def library_of(assets: Path | None) -> Library:
    """Return the library of a folder of models, or the built-in one; opened once a process."""
    return open_library(assets)


@lru_cache(maxsize=4)
def environments_of(folder: Path | None) -> tuple[Environment, ...]:
    """Return the usable light probes of a folder, or the built-in skies; looked at once a process."""
    return tuple(environments(folder))


def light_for(seed: str, among: Sequence[Environment]) -> Callable[[str], Environment]:
    """Return the function that gives each scene its light."""
    return lambda name: drawn(list(among), seed, name)


@lru_cache(maxsize=4)
def recipe_of(construct: str, seed: str, rules: str, assets: Path | None) -> Recipe:
    """Return the benchmark's recipe of questions."""
    module, attribute = construct.split(":")
    make = getattr(import_module(module), attribute)
    kinds = library_of(assets).subtypes() if assets else ()
    recipe: Recipe = make(seed, rules, sights_under=partial(_sights_under, assets), kinds=kinds)
    return recipe


def _sights_under(
    assets: Path | None, scene: Scene, poses: list[tuple[Pose, ...]]
) -> list[tuple[Sight, ...]]:
    return covers_under(scene, models_of(scene, library_of(assets)), poses)
