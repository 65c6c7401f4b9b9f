"""One small dataset of videos that the tests here share, and what is seen in its first one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.stibench.authoring.facts import recipe_of
from fathom.benchmarks.stibench.authoring.footage import opened
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.benchmarks.stibench.authoring.vocabulary import DescriptionVocabulary, vocabulary_of
from fathom.questions.contexts.video import VideoContext
from fathom.store.datasets import open_dataset
from tests.cli.conftest import Fathom, fathom

__all__ = ["Fathom", "fathom"]

SMALL = {"scales": "desktop", "desktop.seconds": "4", "desktop.most_moved": "2", "desktop.fps": "15"}


@pytest.fixture(scope="session")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of four videos, without pictures; nobody changes it."""
    out = tmp_path_factory.mktemp("written") / "videos"
    api.build_dataset("sti-bench", out, scenes=4, seed="5", renderer="none", settings=SMALL, workers=1)
    return out


@pytest.fixture(scope="session")
def stages(videos: Path) -> list[VideoContext]:
    dataset = open_dataset(videos)
    return [opened(dataset, scene, recipe_of(VideoWriting())) for scene in dataset.scenes()]


@pytest.fixture(scope="session")
def vocabulary(stages: list[VideoContext]) -> DescriptionVocabulary:
    return vocabulary_of(
        (n for s in stages for n in s.tracks.names), (c for s in stages for c in s.tracks.colors)
    )
