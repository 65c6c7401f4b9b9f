"""What a build of videos is asked for, and how every process that works on it finds its parts again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from fathom.build.assets.libraries import Library
from fathom.build.questions.tracks import TrackRecipe
from fathom.build.render.films import Look
from fathom.build.settings import names_of, with_settings
from fathom.build.worlds.videos.scales import SCALES, libraries_in
from fathom.records import InputError, Media, Record, Scene, Setting
from fathom.store.datasets import MEDIA_FOLDER, WORK

VIDEOS_FOLDER, PROOFS_FOLDER, PICTURES_FOLDER = "videos", "proofs", "pictures"

SETTABLE = ("scales", "films", "film_quality", "errors", "further")
"""What can be set of a plan itself; the rest that can be set is that of the worlds: desktop.fewest …"""


ERRORS: Mapping[str, Literal["graded", "paper"]] = {"graded": "graded", "paper": "paper"}
"""Ways to space the options of numbers."""


@dataclass(frozen=True)
class VideoRecipe:
    """What a benchmark makes of videos: its questions, and which frames of a video are shown."""

    questions: TrackRecipe
    frames: Callable[[Media], tuple[int, ...]]


@dataclass(frozen=True)
class VideoPlan:
    """Everything that decides a dataset of videos; plain values, so that it can be sent to other processes.

    `construct` is the "module:attribute" of the benchmark's recipe. Worlds are made in turn at each of the
    `scales`. Of the first `films` videos of each scale every frame is painted, at `film_quality`; of all
    others only the frames that are shown. `text_reader` names the independent reader of its sentences.
    `errors` says how far apart options lie: "graded" by how finely a careful person could answer, or as in
    the "paper". Where tasks or levels lack questions, up to `further` times as many worlds are drawn besides.
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
    quality: str = "preview"
    scales: tuple[str, ...] = tuple(SCALES)
    films: int = 0
    film_quality: str = "preview"
    errors: str = "graded"
    further: float = 0.5
    worlds: Mapping[str, Any] = field(default_factory=lambda: {n: s.settings for n, s in SCALES.items()})
    text_reader: str = ""

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

    @property
    def work(self) -> Path:
        """Where finished parts wait until the dataset is whole."""
        return self.out / WORK

    def place(self, index: int) -> tuple[str, int]:
        """Return the scale of a video, and which one of that scale it is."""
        return self.scales[index % len(self.scales)], index // len(self.scales)

    def video_part(self, index: int) -> Path:
        """Return the file that says that a video's world and truth are done."""
        return self.work / VIDEOS_FOLDER / f"{index:06d}.json"

    @property
    def asked_part(self) -> Path:
        """The file that says that the questions of all videos are chosen and written."""
        return self.work / "asked.json"

    def proof_part(self, index: int) -> Path:
        """Return the file that says that a video's answers are proved."""
        return self.work / PROOFS_FOLDER / f"{index:06d}.json"

    def picture_part(self, index: int) -> Path:
        """Return the file that says that a video's pictures are done."""
        return self.work / PICTURES_FOLDER / f"{index:06d}.json"

    def look(self, quality: str) -> Look:
        """Return how pictures are painted: previews with fewer samples than a single picture has."""
        return Look("draft" if quality == "preview" else quality)

    def settings(self) -> dict[str, Setting]:
        """Return what stands in the manifest, and what must be the same to carry on."""
        found: dict[str, Setting] = {
            "scenes": self.scenes,
            "assets": self.assets.name if self.assets else "built-in",
            "renderer": self.renderer,
            "quality": self.quality,
            "scales": list(self.scales),
            "films": self.films,
            "film_quality": self.film_quality,
            "errors": self.errors,
            "further": self.further,
        }
        for scale in self.scales:
            for name, value in asdict(self.worlds[scale]).items():
                parts = msgspec.structs.asdict(value) if isinstance(value, Record) else {"": value}
                for part, one in parts.items():
                    key = f"{scale}.{name}.{part}" if part else f"{scale}.{name}"
                    found[key] = list(one) if isinstance(one, tuple) else one
        return found

    def inputs(self) -> dict[str, str]:
        """Return the hashes of the models that the dataset is made from, beside the built-in ones."""
        libraries = [library for library in libraries_of(self.assets).values() if library is not None]
        return {f"model:{b.name}:{e.name}": e.sha256() for b in libraries for e in b.entries}

    def library(self, scale: str) -> Library | None:
        """Return the models for a scale."""
        return libraries_of(self.assets)[scale]

    def recipe(self) -> VideoRecipe:
        """Return the benchmark's recipe for its videos."""
        found = _recipe_of(self.construct, self.seed)
        return replace(found, questions=replace(found.questions, errors=ERRORS[self.errors]))


def with_worlds(plan: VideoPlan, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the settings of the worlds with some set otherwise (`desktop.fewest=3`), and what named none."""
    worlds, left = dict(plan.worlds), dict(texts)
    for scale in SCALES:
        own = {k.partition(".")[2]: v for k, v in left.items() if k.partition(".")[0] == scale}
        worlds[scale], unknown = with_settings(worlds[scale], own)
        left = {k: v for k, v in left.items() if k.partition(".")[0] != scale}
        left |= {f"{scale}.{k}": v for k, v in unknown.items()}
    return worlds, left


def world_names(plan: VideoPlan) -> tuple[str, ...]:
    """Return what can be set of the worlds, as it is written."""
    return tuple(f"{scale}.{name}" for scale in SCALES for name in names_of(plan.worlds[scale]))


def media_of_video(scene: Scene) -> Media:
    """Return the record of a scene's one film, still without pictures, named as the video is."""
    camera, name = scene.cameras[0], scene.source["video"]
    step = (scene.times_s[-1] - scene.times_s[0]) / (len(scene.times_s) - 1)
    return Media(
        id=name,
        path=f"{MEDIA_FOLDER}/{name}.mp4",
        kind="video",
        size=(camera.width, camera.height),
        sha256="",
        scene=scene.id,
        frames=len(scene.times_s),
        fps=round(1 / step, 6),
    )


@lru_cache(maxsize=4)
def libraries_of(assets: Path | None) -> dict[str, Library | None]:
    """Return the models for every scale; opened once a process."""
    return libraries_in(assets)


@lru_cache(maxsize=4)
def _recipe_of(construct: str, seed: str) -> VideoRecipe:
    module, attribute = construct.split(":")
    make: Callable[[str], VideoRecipe] = getattr(import_module(module), attribute)
    return make(seed)
