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
    """Return the folder that `build` fills: in one process, while the others wait.

    Nobody may change it: where somebody has, whoever asks for it next is told the first file.
    """
    root = factory.getbasetemp()
    root = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "shared" / name
    with _lock(root / "lock"):
        if not (root / "files").exists():
            build(root / "dataset")
            (root / "files").write_text(_files(root), "utf-8")
        before, now = (text.splitlines() for text in ((root / "files").read_text("utf-8"), _files(root)))
        changed = sorted(set(before) ^ set(now))
        assert not changed, f"a test changed a dataset that others look at: {changed[0]}"
    return root / "dataset"


def _files(root: Path) -> str:
    """Return every file beside the lock, its size and when it was written, a line each."""
    found = [p for p in sorted(root.rglob("*")) if p.is_file() and p.parent != root]
    return "\n".join(f"{p.relative_to(root)} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in found)


def _lock(path: Path) -> FolderLock:
    while True:
        try:
            return FolderLock(path, "dataset")
        except InputError:
            time.sleep(0.2)
