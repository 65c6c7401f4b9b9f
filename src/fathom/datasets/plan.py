"""What a build is asked for, and how every process that works on it finds its parts again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from fathom.store.datasets import WORK

S = TypeVar("S")

DRAWN, SCENES, PROOFS, PICTURES = "drawn", "observed", "proved", "painted"
"""The folders of parts; a scene's part is called alike in each of them."""


@dataclass(frozen=True)
class DatasetPlan(Generic[S]):
    """Everything that decides a dataset; plain values, so that it can be sent to other processes.

    `generator` names ("module:attribute") what makes the scenes, and `recipe` what the benchmark makes of
    them. `own` are the generator's settings. `assets` is a folder of models, None for the built-in ones.
    `text_reader` names the independent reader of the benchmark's sentences, `operators` and `verification`
    the operators that it brings along. A `strict` plan leaves nothing out that cannot be used, and fails
    where a promise of the whole dataset is not kept.
    """

    out: Path
    benchmark: str
    benchmark_version: str
    generator: str
    recipe: str
    scenes: int
    seed: str
    own: S
    split: str = "test"
    assets: Path | None = None
    renderer: str = "mitsuba"
    quality: str = "final"
    text_reader: str = ""
    operators: str = ""
    verification: str = ""
    strict: bool = False

    @property
    def work(self) -> Path:
        """Where finished parts wait until the dataset is whole."""
        return self.out / WORK

    def part(self, folder: str, index: int) -> Path:
        """Return the file that says that a step of scene `index` is done."""
        return self.work / folder / f"scene-{index:06d}.json"

    @property
    def choice_part(self) -> Path:
        """The file that says that the questions of all scenes are chosen."""
        return self.work / "choice.json"


AnyPlan: TypeAlias = DatasetPlan[Any]
