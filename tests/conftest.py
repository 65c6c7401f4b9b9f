"""Where the material for development lies, how examples are drawn, and which files pytest collects."""

import gc
import os
import shutil
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from fathom import api
from tests.built_once import built_once

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parents[1] / "shared"

# No deadline: on a machine that others use too, no example is slow by itself. The same examples in every run,
# so that a fresh clone passes or fails for what is in it; `make search` draws others, and more of them.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=500, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

COLLECTED = pytest.StashKey[set[str]]()
"""The files that pytest has really collected, or looked at and skipped."""


def pytest_configure(config: pytest.Config) -> None:
    config.option.loadscopereorder = False
    gc.disable()  # until all is collected
    config.stash[COLLECTED] = set()
    config.pluginmanager.register(_Collected(config.stash[COLLECTED]))


LONGEST = (
    "datasets", "viewpoints", "films_built", "videos_built", "stories", "stories_questions", "review_app",
    "authoring", "reporting", "questions", "wiring", "information", "dimensions", "fourdbench_sentences",
)  # fmt: skip
"""The folders whose tests take longest, which come first, so that no process is left with one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.relative_to(HERE).parts[0], len(order)))


def pytest_collection_finish() -> None:
    # What is there by now stays: nothing of it is looked at again for what can be let go. Before, that took a
    # tenth of the time of tests that make many small objects.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    # One more than there are cores: tests that kill or wait leave a core idle.
    return (os.cpu_count() or 1) + 1


class _ByFolder(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps the tests of a folder in one process, so that what they share is built once."""

    def _split_scope(self, nodeid: str) -> str:
        path = PurePosixPath(nodeid.partition("::")[0])
        return "/".join(path.parts[:2])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _ByFolder:
    return _ByFolder(config, log)


class _Collected:
    def __init__(self, files: set[str]) -> None:
        self.files = files

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.nodeid.endswith(".py"):
            self.files.add(report.nodeid)


@pytest.fixture(scope="session")
def assets_folder() -> Path:
    """The folder of third-party models; tests that need it say that they were skipped without it."""
    folder = Path(os.environ.get("FATHOM_ASSETS", BESIDE / "assets"))
    if not folder.is_dir():
        pytest.skip("FATHOM_ASSETS does not name a folder of models")
    return folder


@pytest.fixture(scope="session")
def samples_folder(assets_folder: Path) -> Path:
    """The folder of published scenes and outputs beside the models."""
    folder = assets_folder.parent / "samples"
    if not folder.is_dir():
        pytest.skip("there are no published samples beside FATHOM_ASSETS")
    return folder


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of four scenes without pictures; shared: tests that change it take `small_copy`."""

    def build(out: Path) -> None:
        api.build_dataset(
            "pulsecheck457", out, scenes=4, train_scenes=3, seed="walk", renderer="none", workers=1
        )

    return built_once(tmp_path_factory, "small", build)


@pytest.fixture(scope="session")
def train_dataset(small_dataset: Path) -> Path:
    """The training split that was built with the small dataset: three scenes."""
    return small_dataset.with_name("dataset-train")


@pytest.fixture(scope="session")
def painted_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of two scenes with pictures; shared: tests that change it copy it."""
    pytest.importorskip("mitsuba", reason="the package mitsuba is not installed")

    def build(out: Path) -> None:
        api.build_dataset("pulsecheck457", out, scenes=2, seed="walk", quality="preview", workers=1)

    return built_once(tmp_path_factory, "painted", build)


@pytest.fixture
def small_copy(small_dataset: Path, tmp_path: Path) -> Path:
    """A copy of the small dataset that a test may spoil."""
    return Path(shutil.copytree(small_dataset, tmp_path / "dataset"))
