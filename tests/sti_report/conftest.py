"""One small built-like dataset, and runs on it, for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.store.datasets import Dataset
from tests.sti_report.made import make_dataset


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Fifteen videos with their questions and twins without options."""
    return make_dataset(tmp_path_factory.mktemp("sti") / "made", 5, pictures=True)


@pytest.fixture(scope="session")
def runs(made: Dataset, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of players on it, by a name of ours."""
    folder = tmp_path_factory.mktemp("runs")
    models = {
        "random": "random",
        "exact": "oracle",
        "noisy": "oracle:position_sigma_m=0.2,time_sigma_s=0.1,angle_sigma_deg=5",
    }
    for name, model in models.items():
        api.run_model(made.path, model, folder / name)
    return {name: folder / name for name in models}
