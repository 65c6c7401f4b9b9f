"""The shared animated models with their reviewed packs."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.assets.animated.library import AnimatedLibrary, open_animated_library


@pytest.fixture(scope="module")
def library(assets_folder: Path) -> AnimatedLibrary:
    folder = assets_folder / "animated"
    if not folder.is_dir():
        pytest.skip("there are no animated models in FATHOM_ASSETS")
    return open_animated_library(folder)
