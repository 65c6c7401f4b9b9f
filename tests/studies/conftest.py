"""One made-up set for all tests that only read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.made import write_objects


@pytest.fixture(scope="session")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of 24 objects with five questions each, and no pictures."""
    return write_objects(tmp_path_factory.mktemp("objects") / "set", 24)
