"""What the tests of local models share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fathom.store.datasets import Dataset

# The torchvision made for torch with CUDA does not load beside torch without it, unless what it registers for
# shapes without data is left out. Only pictures and videos are resized with it here.
STUB = "torchvision._meta_registrations"
sys.modules.setdefault(STUB, ModuleType(STUB))


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Tiny matrices are slower on two."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """From an architecture's name to a checkpoint of it, made when it is first asked for."""
    from tests.hf.models import MAKERS

    folder = tmp_path_factory.mktemp("checkpoints")

    def find(name: str) -> Path:
        if not (folder / name).exists():
            MAKERS[name](folder / name)
        return folder / name

    return find


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A dataset of six pictures and two videos."""
    from tests.hf.shown import make_dataset

    return make_dataset(tmp_path_factory.mktemp("shown") / "dataset")
