"""What decides a dataset of animated objects, and what is opened for it once a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from fathom.assets.animated.lexicon import Lexicon, lexicon_in, lexicon_of
from fathom.assets.animated.library import AnimatedLibrary
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import CaptionLexicon as CaptionWords
from fathom.curation.curate import CurationSettings, Dropped
from fathom.datasets.generators.animated_library import opened, without_of
from fathom.datasets.plan import DatasetPlan
from fathom.named import attribute_of
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedQuestionRecipe
from fathom.records import InputError, Scene, Setting
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.scene_at_time import Staging
from fathom.settings import FIXED, INLINE, flat
from fathom.store.files import sha256_file

OWN = ("questions", "shown", "films", "film_quality", "truth_step")
"""The settings of a dataset itself; the others are curation's and staging's."""

MOST_QUESTIONS = 30
"""How many questions of an object, on average, can be asked for."""

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

    `captions` describe one film, of which is known what shows, in the words of `lexicon`. `showings` gives,
    for a staging, what is painted under each name that a build can be asked for.
    """

    questions: AnimatedQuestionRecipe
    captions: Callable[[Scene, VisibilityGrid], tuple[Caption, ...]]
    lexicon: CaptionWords
    showings: Callable[[Staging, str], Mapping[str, tuple[Showing, ...]]]


@dataclass(frozen=True)
class AnimatedSettings:
    """What decides animated objects, and what is painted of them.

    Of the models, what is `left_out` stands there with the reason.

    questions : how many questions are asked of an object, on average; 0: as many as the benchmark asks
    shown : which frames are painted, by name; protocol: those that the protocol shows
    films : of so many objects every frame of every view is painted
    film_quality : the quality of these frames: draft, preview or final
    truth_step : the second derivation looks at every view whose number is a multiple of this
    staging : what animated scenes are drawn from
    lexicon : a file of verbs for clips beside the built-in ones; none: fathom-lexicon.json in the folder of
        models, where there is one
    curate : whether objects are measured and left out; off: only what cannot be described goes
    quality_filter : the folder of a training of fathom curate train, which grades objects
    clip_model : the folder of the CLIP model that the quality filter was trained on
    verdicts : what people decided about objects, as verdicts.jsonl
    """

    questions: float = 0.0
    shown: str = "protocol"
    films: int = 0
    film_quality: str = "preview"
    truth_step: int = 2
    staging: Staging = field(default_factory=Staging, metadata=INLINE)
    lexicon: Path | None = None
    curation: CurationSettings | None = field(default_factory=CurationSettings, metadata={"name": CURATE})
    quality_filter: Path | None = None
    clip_model: Path | None = None
    verdicts: Path | None = None
    left_out: tuple[Dropped, ...] = field(default=(), metadata=FIXED)

    def __post_init__(self) -> None:
        """Raise InputError where a quality filter has no CLIP model, or the other way round, and where no
        number of questions can be asked.
        """
        if not 0 <= self.questions <= MOST_QUESTIONS:
            raise InputError(
                f"--set questions: expected a number from 0 to {MOST_QUESTIONS}, found {self.questions:g}; "
                "0 asks as many as the benchmark does"
            )
        if (self.quality_filter is None) != (self.clip_model is None):
            raise InputError(
                "--set quality_filter and clip_model: expected both or none, found one; give the other too"
            )


Plan = DatasetPlan[AnimatedSettings]


def settings_of(own: AnimatedSettings) -> dict[str, Setting]:
    """Return the settings as they stand in a manifest."""
    found: dict[str, Setting] = {name: getattr(own, name) for name in OWN}
    return found | flat("staging", own.staging) | curation_texts(own.curation)


def inputs_of(plan: Plan) -> dict[str, str]:
    """Return the hashes of the models and files that the dataset is made from."""
    own = plan.own
    found = {f"model:{a.name}": a.sha256 for a in library_of_plan(plan).assets}
    files = {
        "lexicon": lexicon_in(plan.assets, own.lexicon),
        "verdicts": own.verdicts,
        "classifier": own.quality_filter and own.quality_filter / "training.json",
    }
    return found | {name: _hash(path, name) for name, path in files.items() if path is not None}


def library_of_plan(plan: Plan) -> AnimatedLibrary:
    """Return the assets of a plan's films."""
    return library_of(plan.assets, without_of(plan.own.left_out))


def recipe_of(plan: Plan) -> FilmRecipe:
    """Return the benchmark's recipe for its films."""
    own = plan.own
    without = without_of(own.left_out)
    found = _recipe_of(plan.recipe, plan.seed, plan.assets, without, own.lexicon, own.staging.stage)
    if not own.questions:
        return found
    return replace(found, questions=replace(found.questions, mix=found.questions.mix.asking(own.questions)))


def curation_texts(settings: CurationSettings | None) -> dict[str, Setting]:
    """Return the settings of curation as they are set: "curate.floors.least_triangles" …"""
    return {CURATE: "off"} if settings is None else {CURATE: "on", **flat(CURATE, settings)}


def _hash(path: Path, name: str) -> str:
    try:
        return sha256_file(path)
    except OSError as e:
        raise InputError(f"{path}: the {name} cannot be read ({e.strerror}); check the path") from e


@lru_cache(maxsize=4)
def library_of(assets: Path | None, without: tuple[tuple[str, str], ...] = ()) -> AnimatedLibrary:
    """Return the cast of a folder of animated models, or the built-in one; opened once a process."""
    return opened(assets, without) if assets else built_in_animated()


@lru_cache(maxsize=4)
def _recipe_of(
    where: str,
    seed: str,
    assets: Path | None,
    without: tuple[tuple[str, str], ...],
    lexicon: Path | None,
    stage: str,
) -> FilmRecipe:
    make: Callable[[str, AnimatedLibrary, Lexicon, str], FilmRecipe] = attribute_of(where)
    return make(seed, library_of(assets, without), lexicon_of(assets, lexicon), stage)
