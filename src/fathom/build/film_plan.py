"""What a build of films is asked for, and how every process that works on it finds its parts again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import Lexicon as CaptionWords
from fathom.build.assets.animated.lexicon import Lexicon, lexicon_in, lexicon_of
from fathom.build.curation.curate import CurationSettings, Dropped
from fathom.build.film_cast import opened, without_of
from fathom.build.questions.stories.asking import StoryRecipe
from fathom.build.render.films import Look
from fathom.build.worlds.players import Troupe, built_in_players
from fathom.build.worlds.staging import Staging
from fathom.records import InputError, Record, Scene, Setting
from fathom.store.datasets import WORK
from fathom.store.files import sha256_file

OBJECTS_FOLDER = "objects"
STORIES_FOLDER, PROOFS_FOLDER, PICTURES_FOLDER = "stories", "questions", "pictures"
PLAYS_FOLDER = "plays"
"""Where a dataset keeps what the first derivation saw of each film."""


SETTABLE = ("shown", "films", "film_quality", "truth_step")
"""What can be set of a plan itself; the rest that can be set is curation's and staging's."""

CURATE = "curate"
"""The setting that curation is switched off by, and what its own settings begin with."""


@dataclass(frozen=True)
class Showing:
    """The cells that are painted of every film: view → frames, and the quality of each such set."""

    quality: str
    cells: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class FilmRecipe:
    """What a benchmark makes of films.

    `captions` describe one film in the words of `lexicon`, and `showings` gives, for a staging, what is
    painted under each name that a build can be asked for.
    """

    questions: StoryRecipe
    captions: Callable[[Scene], tuple[Caption, ...]]
    lexicon: CaptionWords
    showings: Callable[[Staging, str], Mapping[str, tuple[Showing, ...]]]


@dataclass(frozen=True)
class FilmPlan:
    """Everything that decides a dataset of films; plain values, so that it can be sent to other processes.

    `construct` is the "module:attribute" of the benchmark's recipe. Of the first `films` objects every frame
    of every view is painted, at `film_quality`; of the others what `shown` names. The second derivation looks
    at every `truth_step`-th view, at all frames of the grid.

    Of the `assets`, what is `left_out` stands there with the reason. `lexicon` is a file of verbs beside the
    project's. Without `curation` nothing is measured, and only what cannot be told goes; `classifier` grades
    with the CLIP model in `encoder`, and `verdicts` are people's. A `strict` plan leaves nothing out.
    `text_reader` names the independent reader of its sentences.
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
    film_quality: str = "preview"
    truth_step: int = 2
    staging: Staging = field(default_factory=Staging)
    lexicon: Path | None = None
    curation: CurationSettings | None = field(default_factory=CurationSettings)
    classifier: Path | None = None
    encoder: Path | None = None
    verdicts: Path | None = None
    left_out: tuple[Dropped, ...] = ()
    strict: bool = False
    text_reader: str = ""

    @property
    def without(self) -> tuple[tuple[str, str], ...]:
        """What is left out of the cast: actors (name, "") and clips of theirs."""
        return without_of(self.left_out)

    @property
    def work(self) -> Path:
        """Where finished parts wait until the dataset is whole."""
        return self.out / WORK

    def object_part(self, index: int) -> Path:
        """Return the file that says that a story was drawn and measured."""
        return self.work / OBJECTS_FOLDER / f"{index:06d}.json"

    def story_part(self, index: int) -> Path:
        """Return the file that says that the play and the truth of a story are done."""
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
            "assets": self.assets.name if self.assets else cast_of(None).name,
            "renderer": self.renderer,
            "quality": self.quality,
            "shown": self.shown,
            "films": self.films,
            "film_quality": self.film_quality,
            "truth_step": self.truth_step,
        }
        for name, value in asdict(self.staging).items():
            if isinstance(value, Mapping):
                found |= {f"staging.{name}.{k}": v for k, v in value.items()}
            else:
                found[f"staging.{name}"] = list(value) if isinstance(value, tuple) else value
        return found | curation_texts(self.curation)

    def inputs(self) -> dict[str, str]:
        """Return the hashes of the models and files that the dataset is made from."""
        found = {f"model:{a.name}": a.sha256 for a in self.cast().actors}
        files = {
            "lexicon": lexicon_in(self.assets, self.lexicon),
            "verdicts": self.verdicts,
            "classifier": self.classifier and self.classifier / "training.json",
        }
        return found | {name: _hash(path, name) for name, path in files.items() if path is not None}

    def cast(self) -> Troupe:
        """Return the actors of its films."""
        return cast_of(self.assets, self.without)

    def recipe(self) -> FilmRecipe:
        """Return the benchmark's recipe for its films."""
        return _recipe_of(self.construct, self.seed, self.assets, self.without, self.lexicon)


def curation_texts(settings: CurationSettings | None) -> dict[str, Setting]:
    """Return the settings of curation as they are set: "curate.floors.least_triangles" …"""
    if settings is None:
        return {CURATE: "off"}
    return {CURATE: "on", **dict(_flat(CURATE, settings))}


def _flat(prefix: str, settings: Record) -> Iterator[tuple[str, Setting]]:
    for name, value in msgspec.structs.asdict(settings).items():
        if isinstance(value, Record):
            yield from _flat(f"{prefix}.{name}", value)
        else:
            yield f"{prefix}.{name}", value


def curation_from(texts: Mapping[str, str]) -> CurationSettings | None:
    """Return the settings of curation that `curate=…` and `curate.NAME=…` give, None where it is off.

    Raises InputError for what there is not, or a value that does not fit.
    """
    switch = texts.get(CURATE, "on")
    if switch not in ("on", "off") or (switch == "off" and len(texts) > 1):
        raise InputError(
            f"--set {CURATE}={switch}: expected on, or off and no other setting of curation; give one of them"
        )
    if switch == "off":
        return None
    known = curation_texts(CurationSettings())
    raw: dict[str, Any] = {}
    for name, text in texts.items():
        if name == CURATE:
            continue
        if name not in known:
            raise InputError(f"--set {name}={text}: there is no such setting; there are {', '.join(known)}")
        place = raw
        *path, last = name.split(".")[1:]
        for key in path:
            place = place.setdefault(key, {})
        place[last] = text
    try:
        return msgspec.convert(raw, CurationSettings, strict=False)
    except msgspec.ValidationError as e:
        given = " ".join(f"--set {k}={v}" for k, v in texts.items())
        raise InputError(f"{given}: {e}; correct the value") from e


def _hash(path: Path, name: str) -> str:
    try:
        return sha256_file(path)
    except OSError as e:
        raise InputError(f"{path}: the {name} cannot be read ({e.strerror}); check the path") from e


@lru_cache(maxsize=4)
def cast_of(assets: Path | None, without: tuple[tuple[str, str], ...] = ()) -> Troupe:
    """Return the cast of a folder of animated models, or the built-in one; opened once a process."""
    return opened(assets, without) if assets else built_in_players()


@lru_cache(maxsize=4)
def _recipe_of(
    construct: str,
    seed: str,
    assets: Path | None,
    without: tuple[tuple[str, str], ...],
    lexicon: Path | None,
) -> FilmRecipe:
    module, attribute = construct.split(":")
    make: Callable[[str, Troupe, Lexicon], FilmRecipe] = getattr(import_module(module), attribute)
    return make(seed, cast_of(assets, without), lexicon_of(assets, lexicon))
