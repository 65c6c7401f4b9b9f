"""One small dataset of videos that the tests here share, and what is seen in its first one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.benchmarks.stibench.authoring.facts import recipe_of
from fathom.benchmarks.stibench.authoring.footage import opened
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.benchmarks.stibench.authoring.vocabulary import DescriptionVocabulary, vocabulary_of
from fathom.questions.contexts.video import VideoContext
from fathom.store.datasets import open_dataset
from tests.cli.conftest import Fathom, fathom
from tests.videos_built.conftest import videos

__all__ = ["Fathom", "fathom", "videos"]


@pytest.fixture(scope="session")
def stages(videos: Path) -> list[VideoContext]:
    dataset = open_dataset(videos)
    return [opened(dataset, scene, recipe_of(VideoWriting())) for scene in dataset.scenes()]


@pytest.fixture(scope="session")
def vocabulary(stages: list[VideoContext]) -> DescriptionVocabulary:
    return vocabulary_of(
        (n for s in stages for n in s.tracks.names), (c for s in stages for c in s.tracks.colors)
    )
