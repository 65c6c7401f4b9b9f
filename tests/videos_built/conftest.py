"""One small dataset of videos that the tests here share."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from tests.built_once import built_once
from tests.cli.conftest import Fathom, fathom

__all__ = ["Fathom", "fathom"]

SMALL = {
    "scales": "desktop",
    "desktop.seconds": "4",
    "desktop.most_moved": "2",
    "desktop.fps": "15",
    "desktop.width": "400",
    "desktop.height": "300",
    "further": "1",
}
SCENES, SEED = 4, "5"


@pytest.fixture(scope="session")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of four videos, without pictures; nobody changes it."""

    def build(out: Path) -> None:
        api.build_dataset(
            "sti-bench", out, scenes=SCENES, seed=SEED, renderer="none", settings=SMALL, workers=1
        )

    return built_once(tmp_path_factory, "videos", build)
