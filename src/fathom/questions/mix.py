"""How much is asked of a set of scenes, and how many questions of each task that makes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fathom.questions.candidate import Cell
from fathom.questions.numeric.separation import SHARES
from fathom.questions.template_files import SETTINGS
from fathom.questions.templates import Template
from fathom.records import InputError, Scene


@dataclass(frozen=True)
class Mix:
    """How much is asked.

    questions_per_scene : on average; `most_per_scene` of any one, `most_per_task` of a task
    shares : task → its share of the questions of a setting, beside those of the others
    """

    questions_per_scene: float
    most_per_scene: int
    most_per_task: int
    shares: Mapping[str, float] = field(default_factory=dict)

    def most(self, template: Template) -> int:
        """Return how often a template may be asked of one scene."""
        return self.most_per_task

    def wanted(self, settings: Sequence[str]) -> dict[Cell, int]:
        """Return how many questions are wanted of each task, of scenes of these settings."""
        total = self.questions_per_scene * len(settings)
        return {(task, ""): round(total * share) for task, share in self.shares.items()}


@dataclass(frozen=True)
class AnimatedMix(Mix):
    """How much is asked of animated objects.

    both : the least share that needs several views and several times
    views, times : the least shares that need several views, and several times, at least
    over : by how much more than these shares is aimed for
    form_share : the largest share of a task's questions that one form may have, where the others suffice
    beyond : the largest share that the cells which are always shown do not answer
    """

    questions_per_scene: float = 8.5
    most_per_scene: int = 11
    most_per_task: int = 5
    shares: Mapping[str, float] = field(
        default_factory=lambda: {
            "object_counting": 0.19, "temporal_relationship": 0.2, "action": 0.22,
            "spatial_relationship": 0.19, "appearance": 0.2,
        }
    )  # fmt: skip
    both: float = 0.5
    views: float = 0.0
    times: float = 0.0
    over: float = 0.06
    form_share: float = 0.12
    beyond: float = 0.15

    def asking(self, questions_per_scene: float) -> AnimatedMix:
        """Return the same mix of so many questions a scene: half as many again of any one, three in four of
        a task.
        """
        most = [math.ceil(share * questions_per_scene) for share in (1.5, 0.75)]
        return replace(
            self, questions_per_scene=questions_per_scene, most_per_scene=most[0], most_per_task=most[1]
        )


@dataclass(frozen=True)
class VideoMix(Mix):
    """How much is asked of videos.

    most_per_form : how many questions of a form a video takes, but of trajectories as many as of a task
    cells : task → the settings in which it is asked; a task that is not named: in all
    most_missing : the largest share of a level spread of answers that may be missing: else a form is asked
        less, or not at all
    fewest : of how many candidates at least a form's answers can be spread
    levels : which share of the questions is wanted hard, middle and easy
    """

    questions_per_scene: float = 7.5
    most_per_scene: int = 12
    most_per_task: int = 3
    most_per_form: int = 2
    cells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most_missing: float = 0.1
    fewest: int = 6
    levels: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))

    def most(self, template: Template) -> int:
        """Return how often a template may be asked of one video."""
        return self.most_per_task if template.asks == "trajectory" else self.most_per_form

    def wanted(self, settings: Sequence[str]) -> dict[Cell, int]:
        """Return how many questions are wanted of each task in each setting.

        Each setting gets questions for each of its videos, shared among its tasks. Raises InputError where a
        setting has no tasks.
        """
        out: dict[Cell, int] = {}
        for setting, count in sorted(Counter(settings).items()):
            shares = {
                t: s for t, s in self.shares.items() if setting in self.cells.get(t, SETTINGS) and s > 0
            }
            if not shares:
                raise InputError(
                    f"setting {setting!r} of {count} videos: expected tasks that are asked there, found "
                    "none; name it in the cells of the mix, or leave these videos out"
                )
            total, done, given = count * self.questions_per_scene, 0.0, 0
            for task, share in shares.items():
                done += total * share / sum(shares.values())
                out[task, setting] = round(done) - given
                given = round(done)
        return out


@dataclass(frozen=True)
class PartsMix(VideoMix):
    """How much is asked where settings share tasks: each part has its questions, spread over its settings.

    parts : the settings of each part
    spread : task → setting → its share of the questions of the task, where there are worlds of it
    """

    parts: tuple[tuple[str, ...], ...] = ()
    spread: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def wanted(self, settings: Sequence[str]) -> dict[Cell, int]:
        """Return how many questions are wanted of each task in each setting."""
        out: dict[Cell, int] = {}
        for part in self.parts:
            there = [s for s in part if s in settings]
            tasks = {t: s for t, s in self.shares.items() if set(self.cells.get(t, SETTINGS)) & set(there)}
            total = self.questions_per_scene * sum(s in part for s in settings)
            done, given = 0.0, 0
            for task, share in tasks.items():
                done += total * share / sum(tasks.values())
                for setting, n in self._split(task, round(done) - given, there).items():
                    out[task, setting] = n
                given = round(done)
        return out

    def _split(self, task: str, count: int, there: Sequence[str]) -> dict[str, int]:
        own = {s: w for s, w in self.spread.get(task, {}).items() if s in there and w > 0}
        own = own or {s: 1.0 for s in self.cells.get(task, SETTINGS) if s in there}
        out, done, given = {}, 0.0, 0
        for setting, weight in own.items():
            done += count * weight / sum(own.values())
            out[setting], given = round(done) - given, round(done)
        return out


def wanted_of(mix: Mix, scenes: Iterable[Scene]) -> dict[Cell, int]:
    """Return how many questions are wanted of each task and setting."""
    return mix.wanted([scene.source.get("setting", "") for scene in scenes])
