"""What decides a dataset of animated objects, and what is opened for it once a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.animated.lexicon import Lexicon, lexicon_in, lexicon_of
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import Lexicon as CaptionWords
from fathom.curation.curate import CurationSettings, Dropped
from fathom.datasets.generators.animated_cast import opened, without_of
from fathom.datasets.plan import DatasetPlan, attribute_of
from fathom.datasets.settings import flat
from fathom.questions.stories.asking import StoryRecipe
from fathom.records import InputError, Scene, Setting
from fathom.scenes.players import Troupe, built_in_players
from fathom.scenes.staging import Staging
from fathom.store.files import sha256_file

SETTABLE = ("shown", "films", "film_quality", "truth_step")
"""What can be set of a dataset itself; the rest that can be set is curation's and staging's."""

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
class AnimatedSettings:
    """What decides animated objects, and what is painted of them.

    Of the first `films` objects every frame of every view is painted, at `film_quality`; of the others what
    `shown` names. The second derivation looks at every `truth_step`-th view, at all frames of the grid.

    Of the models, what is `left_out` stands there with the reason. `lexicon` is a file of verbs beside the
    project's. Without `curation` nothing is measured, and only what cannot be told goes; `classifier` grades
    with the CLIP model in `encoder`, and `verdicts` are people's.
    """

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


Plan = DatasetPlan[AnimatedSettings]


def settings_of(own: AnimatedSettings) -> dict[str, Setting]:
    """Return the settings as they stand in a manifest."""
    found: dict[str, Setting] = {name: getattr(own, name) for name in SETTABLE}
    return found | flat("staging", own.staging) | curation_texts(own.curation)


def inputs_of(plan: Plan) -> dict[str, str]:
    """Return the hashes of the models and files that the dataset is made from."""
    own = plan.own
    found = {f"model:{a.name}": a.sha256 for a in cast_of_plan(plan).actors}
    files = {
        "lexicon": lexicon_in(plan.assets, own.lexicon),
        "verdicts": own.verdicts,
        "classifier": own.classifier and own.classifier / "training.json",
    }
    return found | {name: _hash(path, name) for name, path in files.items() if path is not None}


def cast_of_plan(plan: Plan) -> Troupe:
    """Return the actors of a plan's films."""
    return cast_of(plan.assets, without_of(plan.own.left_out))


def recipe_of(plan: Plan) -> FilmRecipe:
    """Return the benchmark's recipe for its films."""
    return _recipe_of(plan.recipe, plan.seed, plan.assets, without_of(plan.own.left_out), plan.own.lexicon)


def curation_texts(settings: CurationSettings | None) -> dict[str, Setting]:
    """Return the settings of curation as they are set: "curate.floors.least_triangles" …"""
    return {CURATE: "off"} if settings is None else {CURATE: "on", **flat(CURATE, settings)}


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
    where: str,
    seed: str,
    assets: Path | None,
    without: tuple[tuple[str, str], ...],
    lexicon: Path | None,
) -> FilmRecipe:
    make: Callable[[str, Troupe, Lexicon], FilmRecipe] = attribute_of(where)
    return make(seed, cast_of(assets, without), lexicon_of(assets, lexicon))
