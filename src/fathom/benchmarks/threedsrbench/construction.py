"""How questions of a built 3DSRBench are made: twelve types, as many of each, about two pictures a room.

Ref: 3DSRBench §3.1–3.3.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fathom.benchmarks.threedsrbench.tasks import TASKS
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Seeing
from fathom.questions.mix import VideoMix
from fathom.questions.template_files import TemplateSet, read_templates

A_ROOM = 8.4
"""So many questions are asked of each picture: 336 of 40 rooms, 28 of each type."""


@cache
def templates() -> TemplateSet:
    """Return all templates, read once. Raises InputError where one does not fit together."""
    return read_templates(Path(__file__).with_name("templates"), tuple(TASKS))


def recipe(seed: str) -> VideoQuestionRecipe:
    """Return what decides the questions: every type as often."""
    mix = VideoMix(
        questions_per_scene=A_ROOM,
        most_per_scene=16,
        most_per_task=3,
        most_per_form=3,
        shares=dict.fromkeys(TASKS, 1 / len(TASKS)),
    )
    return VideoQuestionRecipe(
        seed=seed,
        forms=templates().templates,
        mix=mix,
        seeing=Seeing(clear_frames=2, front_px=60.0),
        media="{scene}-{view}",
    )
