"""Datasets that tests of several folders look at: built once in a run, by whoever comes first."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom.records import InputError
from fathom.store.locks import FolderLock


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return the folder that `build` fills: in one process, while the others wait. Nobody may change it."""
    root = factory.getbasetemp()
    root = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "shared" / name
    with _lock(root / "lock"):
        if not (root / "whole").exists():
            build(root / "dataset")
            (root / "whole").touch()
    return root / "dataset"


def _lock(path: Path) -> FolderLock:
    while True:
        try:
            return FolderLock(path, "dataset")
        except InputError:
            time.sleep(0.2)
