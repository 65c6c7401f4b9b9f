"""What decides a dataset of videos with exact motion, and what is opened for it once a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from fathom.assets.libraries import Library
from fathom.datasets.plan import DatasetPlan, attribute_of
from fathom.datasets.settings import flat, names_of, with_settings
from fathom.questions.tracks import TrackRecipe
from fathom.records import InputError, Media, Setting
from fathom.scenes.videos.scales import SCALES, libraries_in

SETTABLE = ("scales", "films", "film_quality", "errors", "further")
"""What can be set of a dataset itself; the rest that can be set is that of the worlds: desktop.fewest …"""

ERRORS: Mapping[str, Literal["graded", "paper"]] = {"graded": "graded", "paper": "paper"}
"""Ways to space the options of numbers."""


@dataclass(frozen=True)
class VideoRecipe:
    """What a benchmark makes of videos: its questions, and which frames of a video are shown."""

    questions: TrackRecipe
    frames: Callable[[Media], tuple[int, ...]]


@dataclass(frozen=True)
class VideoSettings:
    """What decides videos and their questions.

    Worlds are made in turn at each of the `scales`. Of the first `films` videos of each scale every frame is
    painted, at `film_quality`; of all others only the frames that are shown. `errors` says how far apart
    options lie: "graded" by how finely a careful person could answer, or as in the "paper". Where tasks or
    levels lack questions, up to `further` times as many worlds are drawn besides.
    """

    scales: tuple[str, ...] = tuple(SCALES)
    films: int = 0
    film_quality: str = "preview"
    errors: str = "graded"
    further: float = 0.5
    worlds: Mapping[str, Any] = field(default_factory=lambda: {n: s.settings for n, s in SCALES.items()})

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
    for name in SETTABLE:
        found |= flat(name, getattr(own, name))
    for scale in own.scales:
        found |= flat(scale, own.worlds[scale])
    return found


def with_worlds(own: VideoSettings, texts: Mapping[str, str]) -> tuple[VideoSettings, dict[str, str]]:
    """Return the settings with some of the worlds' set otherwise (`desktop.fewest=3`), and texts that name
    none.
    """
    worlds, left = dict(own.worlds), dict(texts)
    for scale in SCALES:
        named = {k.partition(".")[2]: v for k, v in left.items() if k.partition(".")[0] == scale}
        worlds[scale], unknown = with_settings(worlds[scale], named)
        left = {k: v for k, v in left.items() if k.partition(".")[0] != scale}
        left |= {f"{scale}.{k}": v for k, v in unknown.items()}
    return replace(own, worlds=worlds), left


def world_names(own: VideoSettings) -> tuple[str, ...]:
    """Return what can be set of the worlds, as it is written."""
    return tuple(f"{scale}.{name}" for scale in SCALES for name in names_of(own.worlds[scale]))


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
