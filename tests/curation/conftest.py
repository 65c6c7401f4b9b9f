"""A tiny CLIP with random weights, and objects that people decided about."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def clip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vision encoder of three layers, as a checkpoint is saved. It has learnt nothing."""
    pytest.importorskip("torch", reason="the package torch is not installed")
    pytest.importorskip("transformers", reason="the package transformers is not installed")
    from tests.curation.learning import make_clip

    return make_clip(tmp_path_factory.mktemp("clip"))
