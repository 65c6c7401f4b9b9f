"""Made-up datasets, and runs of a model on them that is right as often as its skill says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fathom import api
from tests.cli.conftest import fathom
from tests.wiring.made import MAKERS, MODEL, PROTOCOLS, make_captions

__all__ = ["fathom"]

MakeRun = Callable[..., Path]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the dataset of a name, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("wiring")

    def dataset(name: str) -> Path:
        if not (folder / name).exists():
            MAKERS[name](folder / name)
        return folder / name

    return dataset


@pytest.fixture
def run_on(made: Callable[[str], Path], tmp_path: Path) -> MakeRun:
    """Return a run of the made-up model on a dataset, with its settings as words."""

    def run(name: str, skill: str = "0.7", protocol: str = "", **settings: str) -> Path:
        out = tmp_path / f"{name}-{skill}-{'-'.join(settings)}"
        api.run_model(
            made(name),
            MODEL,
            out,
            options={"skill": skill},
            protocol=protocol or PROTOCOLS.get(name, "default"),
            settings={k.replace("_", "-"): v for k, v in settings.items()},
        )
        return out

    return run


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    """Return a run of captions of objects that are shown in one picture each."""
    dataset, run = make_captions(tmp_path / "objects", films=False), tmp_path / "captioned"
    api.run_model(dataset, MODEL, run, options={"skill": "0.6"}, protocol="captions", settings={})
    return run
