"""Rooms in a picture, tables and people who act in videos, and all that could be asked: drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from fathom.benchmarks.seedbench.construction import recipe
from fathom.datasets.generators.dimensions import ACTED_POINTS, GENERATOR, SEEING
from fathom.datasets.generators.dimensions_settings import DimensionSettings
from fathom.datasets.plan import DatasetPlan
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.balancing.choices import chosen
from fathom.questions.choice_candidate import ChoiceCandidate
from fathom.questions.contexts.video_visibility import Sights, seen_by, sights_in
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.choices import choice_candidates
from fathom.questions.writing.choices import written_choices
from fathom.records import Question, Scene
from fathom.scenes.acting import rooms as acted_rooms
from fathom.scenes.videos import desktop, indoor_objects, streetscape
from fathom.verify.observed.video import ObservedVideo, observed_video

SCENES = (0, 1, 2, 4, 5, 6, 7, 8, 11, 15, 19, 59, 67)
"""The numbers of six rooms, a street, four tables, and two rooms in which somebody acts."""

MODELS_AT = {
    "indoor": indoor_objects.models_at,
    "outdoor": streetscape.models_at,
    "desktop": desktop.models_at,
    "acted": acted_rooms.models_at,
}

RECIPE = replace(recipe("tests"), seeing=SEEING)


@dataclass(frozen=True)
class Seen:
    """A scene, what its frames show, as both derivations have it, and what could be asked."""

    scene: Scene
    visibility: Sights
    view: VideoView
    observed: ObservedVideo
    candidates: list[ChoiceCandidate]
    truth: Path


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[Seen]:
    folder = tmp_path_factory.mktemp("dimensions")
    plan = DatasetPlan(
        out=folder,
        benchmark="seed-bench",
        benchmark_version="1",
        generator="dimensions",
        scenes=len(SCENES),
        recipe="fathom.benchmarks.seedbench.construction:recipe",
        seed="tests",
        own=DimensionSettings(),
    )
    return [_seen(GENERATOR.draw(plan, k), folder / f"{k}.zip") for k in SCENES]


@pytest.fixture(scope="session")
def questions(seen: Sequence[Seen]) -> list[Question]:
    candidates = [c for s in seen for c in s.candidates]
    selection = chosen(candidates, wanted_of(RECIPE.mix, [s.scene for s in seen]), RECIPE)
    return list(written_choices(selection.selected, RECIPE))


def _seen(scene: Scene, path: Path) -> Seen:
    models_at = MODELS_AT[scene.source["setting"]]
    filmed, models = as_filmed(scene, models_at(scene, 0))
    points = ACTED_POINTS if scene.source["setting"] == "acted" else POINTS
    acting = partial(acted_rooms.acting_at, scene)
    write_cells(path, filmed, footage(filmed, models, range(len(scene.times_s)), points, acting), points)
    with TruthCells(path) as cells:
        visibility = sights_in(scene, cells)
        made_out = (SEEING.made_out_px, SEEING.made_out_share)
        observed = observed_video(scene, [cells.read(*at) for at in cells.cells], made_out)
    view = seen_by(video_view(scene), visibility, SEEING)
    return Seen(scene, visibility, view, observed, choice_candidates(scene, visibility, RECIPE), path)
