"""The recipes of CONTRIBUTING.md are parts of the files of this package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"```(?:python|toml)\n# (tests/extending/\S+)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S
)


def test_there_is_a_recipe_for_every_file() -> None:
    files = {
        p.relative_to(ROOT).as_posix()
        for p in (ROOT / "tests/extending").rglob("*.*")
        if p.suffix in (".py", ".toml")
    }
    own = {f for f in files if not Path(f).name.startswith("test_") and f != "tests/extending/__init__.py"}
    assert own == {path for path, _ in BLOCKS}


@pytest.mark.parametrize(("path", "code"), BLOCKS, ids=[f"{k}-{path}" for k, (path, _) in enumerate(BLOCKS)])
def test_a_recipe_is_a_part_of_the_file_that_it_names(path: str, code: str) -> None:
    assert code in (ROOT / path).read_text()


def test_the_asset_of_the_recipe_is_the_one_that_is_built_with() -> None:
    (written,) = re.findall(r"```json\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)
    assert written == (ROOT / "tests/extending/models/tabletop/fathom-assets.json").read_text()
