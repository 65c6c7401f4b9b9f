"""Rooms seen from two places, what they show, and everything that could be asked of them: drawn once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.threedsrbench.construction import recipe
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.questions.contexts.video_visibility import Sights, sights_in
from fathom.questions.sampling.viewpoints import view_candidates
from fathom.questions.view_candidate import ViewCandidate
from fathom.records import Scene
from fathom.scenes.looked_rooms import TIMES_S
from fathom.scenes.looked_streets import draw_looked_street
from fathom.scenes.street_moments import moment_models
from fathom.scenes.videos.indoor_objects import models_at
from fathom.scenes.viewpoints import Viewpoints, draw_viewpoints
from fathom.verify.observed.video import ObservedVideo, observed_video

RECIPE = recipe("tests")

ROOMS = (0, 1, 2, 4, 7)
"""Which rooms of this seed: all types are offered of them, and people are asked about in many ways."""


@dataclass(frozen=True)
class SeenRoom:
    """A room, what its two pictures show, as both derivations have it, and what could be asked."""

    scene: Scene
    visibility: Sights
    observed: ObservedVideo
    candidates: list[ViewCandidate]


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> list[SeenRoom]:
    folder = tmp_path_factory.mktemp("rooms")
    return [_seen(draw_viewpoints(k, "tests"), folder / f"{k}.zip") for k in ROOMS]


@pytest.fixture(scope="session")
def streets(tmp_path_factory: pytest.TempPathFactory) -> list[SeenRoom]:
    folder, wanted = tmp_path_factory.mktemp("streets"), Viewpoints()
    drawn = [draw_looked_street(k, "tests", wanted, turn=k) for k in (0, 1)]
    return [_seen(scene, folder / f"{scene.id}.zip") for scene in drawn]


@pytest.fixture(scope="session")
def worlds(rooms: list[SeenRoom], streets: list[SeenRoom]) -> list[SeenRoom]:
    """Return rooms and streets."""
    return [*rooms, *streets]


@pytest.fixture(scope="session")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a whole set of two rooms, one with a clock, and of their mirror images; nobody changes it."""
    out = tmp_path_factory.mktemp("painted") / "set"
    settings = {"width": "160", "height": "120", "mirrored": "yes"}
    api.build_dataset("3dsrbench", out, scenes=2, seed="4", quality="draft", settings=settings)
    return out


def _seen(scene: Scene, path: Path) -> SeenRoom:
    outdoors = scene.source["setting"] == "outdoor"
    filmed, models = as_filmed(scene, moment_models(scene) if outdoors else models_at(scene, 0))
    write_cells(path, filmed, footage(filmed, models, range(len(TIMES_S)), POINTS), POINTS)
    with TruthCells(path) as cells:
        visibility = sights_in(scene, cells)
        observed = observed_video(scene, [cells.read(*at) for at in cells.cells])
    return SeenRoom(scene, visibility, observed, view_candidates(scene, visibility, RECIPE))
