"""Annotations of all three kinds with their videos, made once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fathom import api
from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.kept import kept_drafts
from fathom.store.datasets import open_dataset
from tests.actions import made
from tests.actions.lies import PREDICTION, PROCEDURE, RECOGNITION
from tests.cli.conftest import fathom

__all__ = ["fathom", "raw"]

STEPS = ("take_bowl", "pour_cereals", "pour_milk", "stir_cereals", "take_spoon", "eat_cereals")


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """annotations/ and videos/ of Something-Something-v2, EPIC-KITCHENS-100 and Breakfast."""
    pytest.importorskip("av", reason="PyAV is not installed")
    folder = Path(tmp_path_factory.mktemp("raw"))
    made.epic(folder / "annotations" / "EPIC_100_validation.csv")
    for video in range(3):
        made.film(folder / "videos" / "P01" / f"P01_{10 + video}.MP4", 36, fps=made.SLOW)
    templates = list(made.CLASSES)[:6]
    made.something(folder / "annotations" / "ssv2", [(str(k), templates[k % 6]) for k in range(12)])
    for k in range(12):
        made.film(folder / "videos" / "ssv2" / f"{k}.mp4", 1)
    draw = np.random.default_rng(3)
    for person in range(8):
        steps = [STEPS[i] for i in draw.permutation(len(STEPS))]
        name = f"P{person:02}_cam01_P{person:02}_cereals"
        made.breakfast(folder / "annotations" / "breakfast", name, steps)
        made.film(folder / "videos" / f"P{person:02}" / "cam01" / f"P{person:02}_cereals.avi.mp4", 0.1)
        made.film(
            folder / "videos" / f"P{person:02}" / "cam01" / f"P{person:02}_cereals.mp4", 16, fps=made.SLOW
        )
    return folder


@pytest.fixture(scope="session")
def clips(raw: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Path(tmp_path_factory.mktemp("clips")) / "set"
    api.import_dataset(
        *("seed-bench", raw / "annotations", out), media=raw / "videos", layout="annotations",
        settings={"predictions": "drawn", "most": 8},
    )  # fmt: skip
    return out


@pytest.fixture(scope="session")
def drafts(clips: Path) -> dict[str, VideoDraft]:
    """One draft a dimension."""
    _, found = kept_drafts(clips)
    asked, tasks = list(open_dataset(clips).questions()), (RECOGNITION, PREDICTION, PROCEDURE)
    return {task: next(found[q.id] for q in asked if q.task == task) for task in tasks}
