"""How questions of a built STI-Bench are made from videos, and which frames of a video are shown.

Ref: STI-Bench §3.2, §4.1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fathom.benchmarks.stibench.paper import TASK_SIZES
from fathom.benchmarks.stibench.protocol import PAPER
from fathom.benchmarks.stibench.tasks import TASKS
from fathom.datasets.generators.videos_settings import VideoRecipe
from fathom.media.sampling import sample
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.mix import VideoMix
from fathom.questions.template_files import TemplateSet, read_templates
from fathom.records import Media


@cache
def templates() -> TemplateSet:
    """Return all templates, read once. Raises InputError where one does not fit together."""
    return read_templates(Path(__file__).with_name("templates"), tuple(TASKS))


def recipe(seed: str) -> VideoRecipe:
    """Return what a benchmark makes of a set of videos."""
    return VideoRecipe(questions=questions(seed), frames=frames)


def questions(seed: str, **changes: Any) -> VideoQuestionRecipe:
    """Return what decides the questions, with some of its fields otherwise.

    Tasks have the sizes of the paper's. Which of the 24 cells of task and setting are empty, the paper shows
    in a figure without numbers: all are asked.
    """
    return VideoQuestionRecipe(
        seed=seed, **{"forms": templates().templates, "mix": VideoMix(shares=TASK_SIZES), **changes}
    )


def frames(media: Media) -> tuple[int, ...]:
    """Return the frames that the paper's protocol shows of a video: they are the ones that get truth."""
    return tuple(sample(media.frames, PAPER.frames, PAPER.sampling))
