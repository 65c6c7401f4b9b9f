"""What a build of films is asked for, and how every process that works on it finds its parts again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from fathom.build.assets.animated.cast import open_cast
from fathom.build.folders import WORK
from fathom.build.questions.stories.asking import StoryRecipe
from fathom.build.render.films import Look
from fathom.build.worlds.players import Troupe, built_in_players
from fathom.build.worlds.staging import Staging
from fathom.records import Question, Scene, Setting

STORIES_FOLDER, PROOFS_FOLDER, PICTURES_FOLDER = "stories", "questions", "pictures"
PLAYS_FOLDER = "plays"
"""Where a dataset keeps what the first derivation saw of each film."""


SETTABLE = ("shown", "films", "truth_step")
"""What can be set of a plan itself; the rest that can be set is staging's."""


@dataclass(frozen=True)
class Showing:
    """The cells that are painted of every film: view → frames, and the quality of each such set."""

    quality: str
    cells: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class FilmRecipe:
    """What a benchmark makes of films.

    `more` are further questions of one film that nothing is selected for (to describe it), and `showings`
    gives, for a staging, what is painted under each name that a build can be asked for.
    """

    questions: StoryRecipe
    more: Callable[[Scene], tuple[Question, ...]]
    showings: Callable[[Staging, str], Mapping[str, tuple[Showing, ...]]]


@dataclass(frozen=True)
class FilmPlan:
    """Everything that decides a dataset of films; plain values, so that it can be sent to other processes.

    `construct` is the "module:attribute" of the benchmark's recipe. Of the first `films` objects every frame
    of every view is painted; of the others what `shown` names. The second derivation looks at every
    `truth_step`-th view, at all frames of the grid.
    """

    out: Path
    benchmark: str
    benchmark_version: str
    construct: str
    scenes: int
    seed: str
    split: str = "test"
    assets: Path | None = None
    renderer: str = "mitsuba"
    quality: str = "final"
    shown: str = "protocol"
    films: int = 0
    truth_step: int = 2
    staging: Staging = field(default_factory=Staging)

    @property
    def work(self) -> Path:
        """Where finished parts wait until the dataset is whole."""
        return self.out / WORK

    def story_part(self, index: int) -> Path:
        """Return the file that says that a story, its play and its truth are done."""
        return self.work / STORIES_FOLDER / f"{index:06d}.json"

    def proof_part(self, index: int) -> Path:
        """Return the file that says that a story's questions are written and proved."""
        return self.work / PROOFS_FOLDER / f"{index:06d}.json"

    def picture_part(self, index: int) -> Path:
        """Return the file that says that a story's pictures are done."""
        return self.work / PICTURES_FOLDER / f"{index:06d}.json"

    def play_path(self, scene: str) -> Path:
        """Return where the first derivation's view of a film lies."""
        return self.out / PLAYS_FOLDER / f"{scene}.npz"

    def look(self, quality: str) -> Look:
        """Return how pictures are painted."""
        return Look(quality=quality)

    def settings(self) -> dict[str, Setting]:
        """Return what stands in the manifest, and what must be the same to carry on."""
        found: dict[str, Setting] = {
            "scenes": self.scenes,
            "assets": self.assets.name if self.assets else cast_of(self.assets).name,
            "renderer": self.renderer,
            "quality": self.quality,
            "shown": self.shown,
            "films": self.films,
            "truth_step": self.truth_step,
        }
        for name, value in asdict(self.staging).items():
            if isinstance(value, Mapping):
                found |= {f"staging.{name}.{k}": v for k, v in value.items()}
            else:
                found[f"staging.{name}"] = list(value) if isinstance(value, tuple) else value
        return found

    def inputs(self) -> dict[str, str]:
        """Return the hashes of the models that the dataset is made from."""
        return {f"model:{a.name}": a.sha256 for a in cast_of(self.assets).actors}


@lru_cache(maxsize=4)
def cast_of(assets: Path | None) -> Troupe:
    """Return the cast of a folder of animated models, or the built-in one; opened once a process."""
    return open_cast(assets) if assets else built_in_players()


@lru_cache(maxsize=4)
def film_recipe_of(construct: str, seed: str, assets: Path | None) -> FilmRecipe:
    """Return the benchmark's recipe for films of a cast."""
    module, attribute = construct.split(":")
    make: Callable[[str, Troupe], FilmRecipe] = getattr(import_module(module), attribute)
    return make(seed, cast_of(assets))
