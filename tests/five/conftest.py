"""The small official sets, each imported once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fathom.store.datasets import Dataset

Find = Callable[[str], Dataset]


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Find:
    """From a small set's name to its dataset, written and imported when it is first asked for."""
    pytest.importorskip("av", reason="the package av is not installed")
    pytest.importorskip("pyarrow", reason="the package pyarrow is not installed")
    from tests.five.sets import make

    made: dict[str, Dataset] = {}

    def find(name: str) -> Dataset:
        if name not in made:
            made[name] = make(name, tmp_path_factory.mktemp(name))
        return made[name]

    return find
