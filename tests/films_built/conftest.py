"""The command line in this process, and one small dataset of films that the tests here share."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from tests.built_once import built_once
from tests.cli.conftest import Fathom, fathom
from tests.films_built.made import SMALL

__all__ = ["Fathom", "fathom"]

SEED = "2"


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of three films of the built-in actors, without pictures; nobody changes it."""

    def build(out: Path) -> None:
        api.build_dataset("4d-bench", out, scenes=3, seed=SEED, renderer="none", settings=SMALL, workers=1)

    return built_once(tmp_path_factory, "films", build)
