"""How questions of a built SEED-Bench are made: nine dimensions of pictures, three of videos.

Ref: SEED-Bench §3.1, Figure 1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fathom.benchmarks.seedbench.paper import PUBLISHED_COUNTS, TEMPORAL
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.mix import PartsMix
from fathom.questions.template_files import TemplateSet, read_templates

A_SCENE = 3.6
"""So many questions are asked of a scene: 1,080 of 300, 90 of each dimension."""


PICTURED = tuple(task for task in FIRST if task not in TEMPORAL)
FILMED = ("desktop", "acted")
"""The settings of videos: each of their dimensions is asked as often of either, where there are both."""

STREETS = {
    "scene_understanding": 0.4,
    "instance_identity": 0.15,
    "instance_attributes": 0.06,
    "instance_location": 0.12,
    "instances_counting": 0.2,
    "spatial_relation": 0.12,
    "text_understanding": 0.12,
}
"""Task of pictures → how much of it is asked of streets; the rest of rooms."""


@cache
def templates() -> TemplateSet:
    """Return all templates, read once. Raises InputError where one does not fit together."""
    return read_templates(Path(__file__).with_name("templates"), tuple(FIRST))


def recipe(seed: str, shares: str = "even") -> VideoQuestionRecipe:
    """Return what decides the questions: every dimension as often, or of pictures and of videos each with
    the share that it has in the paper.
    """
    mix = PartsMix(
        questions_per_scene=A_SCENE,
        most_per_scene=7,
        most_per_task=3,
        most_per_form=2,
        shares=PUBLISHED_COUNTS if shares == "paper" else dict.fromkeys(FIRST, 1 / len(FIRST)),
        cells={task: FILMED if task in TEMPORAL else ("indoor", "outdoor") for task in FIRST},
        parts=(("indoor", "outdoor"), FILMED),
        spread={t: {"indoor": 1 - STREETS.get(t, 0.0), "outdoor": STREETS.get(t, 0.0)} for t in PICTURED},
    )
    return VideoQuestionRecipe(seed=seed, forms=templates().templates, mix=mix, media="{video}")
