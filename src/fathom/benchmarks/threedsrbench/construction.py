"""How questions of a built 3DSRBench are made: twelve types, as many of each, about two pictures a room.

Questions can be asked turned round as well. The paper's numbers give how many of each category its synthetic
splits have then: 40, 164, 96 and 124 of 424. With height and two of three types of location asked both ways,
as in its real split, 20, 96, 96 and 124 can come before: 336, which is what it says was annotated.

Ref: 3DSRBench §3.1–3.3, §4.1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType

from fathom.benchmarks.threedsrbench.tasks import TASKS
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Seeing
from fathom.questions.mix import VideoMix
from fathom.questions.template_files import TemplateSet, read_templates

ROOMS, A_TYPE = 40, 28
"""Of so many rooms, so many questions of each type are asked of each of both pictures: 336."""

INDOORS = ("location_above",)
"""The type that is asked in rooms alone: in streets everything stands on the ground."""

PAPER_TURNED = frozenset({"height_higher", "location_above", "location_closer_to_camera"})
"""The types that the paper's mix asks turned round as well."""

PAPER_DRAWN = MappingProxyType(
    {
        "height_higher": 20,
        "location_above": 34,
        "location_closer_to_camera": 34,
        "location_next_to": 28,
        **dict.fromkeys((t for t in TASKS if t.startswith("orientation")), 32),
        **dict.fromkeys((t for t in TASKS if t.startswith("multi_object")), 24.8),
    }
)
"""How many questions of each type are drawn for the paper's mix of 336, before some are turned round."""


@cache
def templates() -> TemplateSet:
    """Return all templates, read once. Raises InputError where one does not fit together."""
    return read_templates(Path(__file__).with_name("templates"), tuple(TASKS))


def recipe(seed: str, augment: str = "none", streets: float = 0.0) -> VideoQuestionRecipe:
    """Return what decides the questions; what is turned round is said by `augment`: none, paper or even;
    `streets` is which share of the worlds are streets.
    """
    drawn, turned = _drawn(augment)
    total = sum(drawn.values())
    both = sum(n for task, n in drawn.items() if task not in INDOORS)
    # What is asked in rooms alone is asked there so much more often than the rest.
    rooms = {
        task: n if task in INDOORS else n * max(1 - streets * total / both, 0) for task, n in drawn.items()
    }
    mix = VideoMix(
        questions_per_scene=total / ROOMS,
        most_per_scene=16,
        most_per_task=3,
        most_per_form=3,
        shares=rooms if streets < 1 else drawn,
        cells=dict.fromkeys(INDOORS, ("indoor",)),
    )
    return VideoQuestionRecipe(
        seed=seed,
        forms=tuple(t for t in templates().templates if not t.opposite_of or t.task in turned),
        mix=mix,
        seeing=Seeing(clear_frames=2, front_px=60.0),
        media="{scene}-{view}",
    )


def _drawn(augment: str) -> tuple[dict[str, float], frozenset[str]]:
    """Return how many questions of each type are drawn of all rooms, and the types that are turned round."""
    if augment == "paper":
        return dict(PAPER_DRAWN), PAPER_TURNED
    drawn = dict.fromkeys(TASKS, float(A_TYPE))
    if augment == "none":
        return drawn, frozenset()
    turned = frozenset(t.task for t in templates().templates if t.opposite_of)
    return {task: n / 2 if task in turned else n for task, n in drawn.items()}, turned
