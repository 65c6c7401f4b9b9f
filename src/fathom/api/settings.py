"""What can be set of each benchmark, protocol and piece of work, for help and for programs."""

from __future__ import annotations

from pathlib import Path

from fathom.api.authoring import authoring_of
from fathom.api.names import benchmark_named, benchmark_of
from fathom.api.paths import takes_paths
from fathom.records import InputError
from fathom.settings import SettingLine, listed


def build_settings(benchmark: str, generator: str = "") -> tuple[str, tuple[SettingLine, ...]]:
    """Return what a benchmark's scenes are, and a line for each of their settings.

    Raises InputError where it cannot be built.
    """
    from fathom.datasets.registry import generator_named

    found = benchmark_named(benchmark)
    if not found.generators:
        raise InputError(f"{benchmark}: can be imported and run, but not built")
    made_by = generator_named(generator or next(iter(found.generators)))
    return f"{found.name}: {made_by.title}", listed(made_by.defaults)


@takes_paths
def run_settings(dataset: Path, protocol: str = "default") -> tuple[str, tuple[SettingLine, ...]]:
    """Return which protocol a dataset is put by, and a line for each of its settings.

    Raises InputError where the folder is no dataset, or its benchmark has no such protocol.
    """
    from fathom.store.datasets import open_dataset

    benchmark = benchmark_of(open_dataset(dataset).manifest)
    if protocol not in benchmark.protocols:
        raise InputError(f"--protocol {protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    own = benchmark.protocols[protocol].own
    return f"the protocol {protocol} of {benchmark.name}", () if own is None else listed(own, hyphens=True)


@takes_paths
def writing_settings(dataset: Path) -> tuple[SettingLine, ...]:
    """Return a line for each setting of having models write questions about a dataset.

    Raises InputError where that cannot be done.
    """
    from fathom.store.datasets import open_dataset

    return listed(authoring_of(open_dataset(dataset)).settings)


def training_settings() -> tuple[SettingLine, ...]:
    """Return a line for each setting of the training of a quality filter."""
    from fathom.curation.training import TrainingSettings

    return listed(TrainingSettings())
