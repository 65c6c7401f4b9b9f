"""Where the material for development lies, where there is any."""

import os
from pathlib import Path

import pytest

from fathom import api

BESIDE = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def assets_folder() -> Path:
    """The folder of third-party models; tests that need it say that they were skipped without it."""
    folder = Path(os.environ.get("FATHOM_ASSETS", BESIDE / "assets"))
    if not folder.is_dir():
        pytest.skip("FATHOM_ASSETS does not name a folder of models")
    return folder


@pytest.fixture(scope="session")
def samples_folder(assets_folder: Path) -> Path:
    """The folder of published scenes and outputs beside the models."""
    folder = assets_folder.parent / "samples"
    if not folder.is_dir():
        pytest.skip("there are no published samples beside FATHOM_ASSETS")
    return folder


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of four scenes without pictures; shared: tests that change it copy it first."""
    out = tmp_path_factory.mktemp("small") / "dataset"
    api.build_dataset("pulsecheck457", out, scenes=4, seed="walk", renderer="none", workers=1)
    return out
