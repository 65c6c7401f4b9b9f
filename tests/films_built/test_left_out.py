"""A dataset whose models go without clips that hardly move is derived again from its folder of models."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fathom.datasets.generators.animated_library import clips_left_out, opened
from fathom.datasets.generators.animated_proofs import library_of_film
from fathom.records import InputError

SPRING = "platformer-bouncer"


@pytest.fixture(scope="module")
def folder(assets_folder: Path) -> Path:
    found = assets_folder / "animated"
    if not found.is_dir():
        pytest.skip("there are no animated models in FATHOM_ASSETS")
    return found


def built_with(sha256: str) -> Any:
    return SimpleNamespace(inputs={f"model:{SPRING}": sha256, "lexicon": "0"})


def test_the_clips_that_a_build_leaves_out_are_left_out_again(folder: Path) -> None:
    left_out = clips_left_out(folder, (SPRING,))
    assert left_out and all(name == SPRING for name, _ in left_out)
    drawn, whole = (opened(folder, less).asset(SPRING).sha256 for less in (left_out, ()))
    assert drawn != whole
    library = library_of_film(built_with(drawn), folder)
    assert library is not None and [a.sha256 for a in library.assets] == [drawn]


def test_another_model_of_that_name_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="is another one"):
        library_of_film(built_with("0" * 64), folder)
