"""Worlds on tables with what their frames show, and what can be asked of them: drawn once."""

from __future__ import annotations

import pytest

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.questions.balancing.video import chosen
from fathom.questions.candidate import Selection
from fathom.questions.contexts.video_visibility import Sights
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.video import drafted
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.questions.writing.video import written
from fathom.records import Question, Scene
from fathom.scenes.videos.desktop import draw_desktop
from tests.tracks_questions.worlds import projected

RECIPE = recipe_for("tests")


@pytest.fixture(scope="session")
def worlds() -> dict[str, tuple[Scene, Sights]]:
    scenes = [draw_desktop(k, "desks") for k in range(14)]
    return {s.id: (s, projected(s)) for s in scenes}


@pytest.fixture(scope="session")
def candidates(worlds: dict[str, tuple[Scene, Sights]]) -> list[VideoCandidate]:
    return [d for scene, visibility in worlds.values() for d in drafted(scene, visibility, RECIPE)]


@pytest.fixture(scope="session")
def selection(
    worlds: dict[str, tuple[Scene, Sights]], candidates: list[VideoCandidate]
) -> Selection[VideoSelected]:
    return chosen(candidates, wanted_of(RECIPE.mix, [s for s, _ in worlds.values()]), RECIPE)


@pytest.fixture(scope="session")
def questions(selection: Selection[VideoSelected]) -> list[Question]:
    return written(selection.selected, RECIPE)
