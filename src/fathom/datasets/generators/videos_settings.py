"""What decides a dataset of videos with exact motion, and what is opened for it once a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from fathom.assets.libraries import Library
from fathom.datasets.plan import DatasetPlan
from fathom.named import attribute_of
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.records import InputError, Media, Setting
from fathom.scenes.videos.scales import SCALES, libraries_in
from fathom.settings import INLINE, flat

OWN = ("scales", "films", "film_quality", "errors", "further")
"""The settings of a dataset itself; the others are those of the worlds: desktop.fewest …"""

ERRORS: Mapping[str, Literal["graded", "paper"]] = {"graded": "graded", "paper": "paper"}
"""Ways to space the options of numbers."""


@dataclass(frozen=True)
class VideoRecipe:
    """What a benchmark makes of videos: its questions, and which frames of a video are shown."""

    questions: VideoQuestionRecipe
    frames: Callable[[Media], tuple[int, ...]]


@dataclass(frozen=True)
class VideoSettings:
    """What decides videos and their questions.

    scales : worlds are made in turn at each of these
    films : of so many videos of each scale every frame is painted; of the others those that are shown
    film_quality : the quality of these frames: draft, preview or final
    errors : how far apart options lie: by how finely a careful person could answer (graded), or as in the
        paper (paper)
    further : up to so many times as many worlds are drawn besides where questions are lacking
    worlds : what the worlds of each scale are drawn from
    """

    scales: tuple[str, ...] = tuple(SCALES)
    films: int = 0
    film_quality: str = "preview"
    errors: str = "graded"
    further: float = 0.5
    worlds: Mapping[str, Any] = field(
        default_factory=lambda: {n: s.settings for n, s in SCALES.items()}, metadata=INLINE
    )

    def __post_init__(self) -> None:
        """Raise InputError where a scale, or a way to space options, is not known."""
        if self.errors not in ERRORS:
            raise InputError(f"--set errors={self.errors}: there is {', '.join(ERRORS)}")
        for name in self.scales:
            if name not in SCALES:
                raise InputError(f"--set scales={','.join(self.scales)}: there is {', '.join(SCALES)}")

    @property
    def graded(self) -> bool:
        """Whether options are hard, middle and easy."""
        return self.errors == "graded"


Plan = DatasetPlan[VideoSettings]


def place_of(own: VideoSettings, index: int) -> tuple[str, int]:
    """Return the scale of a video, and which one of that scale it is."""
    return own.scales[index % len(own.scales)], index // len(own.scales)


def settings_of(own: VideoSettings) -> dict[str, Setting]:
    """Return the settings as they stand in a manifest: of the worlds those that are made."""
    found: dict[str, Setting] = {}
    for name in OWN:
        found |= flat(name, getattr(own, name))
    for scale in own.scales:
        found |= flat(scale, own.worlds[scale])
    return found


@lru_cache(maxsize=4)
def libraries_of(assets: Path | None) -> dict[str, Library | None]:
    """Return the models for every scale; opened once a process."""
    return libraries_in(assets)


def recipe_of(plan: Plan) -> VideoRecipe:
    """Return the benchmark's recipe for its videos."""
    found = _recipe_of(plan.recipe, plan.seed)
    return replace(found, questions=replace(found.questions, errors=ERRORS[plan.own.errors]))


@lru_cache(maxsize=4)
def _recipe_of(where: str, seed: str) -> VideoRecipe:
    make: Callable[[str], VideoRecipe] = attribute_of(where)
    return make(seed)
