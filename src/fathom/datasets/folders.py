"""The folder that a build fills: whether it is free, begun by the same build, or whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from fathom.records import InputError, Manifest, Setting
from fathom.store.datasets import MANIFEST, SCHEMA_VERSION, WORK
from fathom.store.files import read_json, write_json
from fathom.version import __version__

LOCK = "lock"
"""The lock of a build, in the folder where its finished parts wait."""


class Built(Protocol):
    """A plan of a dataset, as far as its manifest is concerned."""

    @property
    def out(self) -> Path:
        """The folder."""
        ...

    @property
    def benchmark(self) -> str:
        """Which benchmark."""
        ...

    @property
    def benchmark_version(self) -> str:
        """In which version."""
        ...

    @property
    def seed(self) -> str:
        """What everything random follows from."""
        ...

    @property
    def split(self) -> str:
        """The test split, or the one to train on."""
        ...


def manifest_of(plan: Built, settings: Mapping[str, Setting], inputs: Mapping[str, str]) -> Manifest:
    """Return the manifest of a dataset that is begun.

    `settings` must be the same to carry on, and `inputs` are the hashes of what it is made from.
    """
    notes = (
        "a training split: its scenes share no seed with the test split; never report scores on it",
    ) if plan.split == "train" else ()  # fmt: skip
    return Manifest(
        kind="dataset",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="build",
        name=plan.out.resolve().name,
        benchmark=plan.benchmark,
        benchmark_version=plan.benchmark_version,
        settings=dict(settings),
        seed=plan.seed,
        split=plan.split,
        inputs=dict(inputs),
        notes=notes,
    )


def is_whole(out: Path, wanted: Manifest) -> bool:
    """Return whether the dataset is there already. Raises InputError where the folder holds another thing."""
    path = out / MANIFEST
    if not path.exists():
        if out.exists() and not out.is_dir():
            raise InputError(f"{out}: expected a folder, found a file; choose another with --out")
        if out.exists() and not _is_free(out):
            raise InputError(f"{out}: is not empty, and not a dataset; choose another folder with --out")
        return False
    found = read_json(path, Manifest)
    difference = _difference(found, wanted)
    if difference:
        raise InputError(
            f"{out}: holds another build ({difference}); give the same arguments to carry it on, or "
            "another folder with --out"
        )
    return found.complete


def _is_free(out: Path) -> bool:
    """Return whether a folder holds nothing but what a build leaves that was cut off at its very start."""
    left = {p.name for p in out.iterdir() if not p.match(f".{MANIFEST}.*.part")}
    work = out / WORK
    return not left or (left == {WORK} and work.is_dir() and {p.name for p in work.iterdir()} <= {LOCK})


def begin(out: Path, wanted: Manifest) -> None:
    """Write the unfinished manifest where there is none, and sweep up what was only half written."""
    for part in out.rglob(".*.part"):
        part.unlink(missing_ok=True)
    if not (out / MANIFEST).exists():
        write_json(out / MANIFEST, wanted)


def _difference(found: Manifest, wanted: Manifest) -> str:
    for name in ("kind", "benchmark", "benchmark_version", "tool_version", "seed", "split"):
        old, new = getattr(found, name), getattr(wanted, name)
        if old != new:
            return f"{name} {old!r} there, {new!r} wanted"
    for name in sorted(set(found.settings) | set(wanted.settings)):
        if found.settings.get(name) != wanted.settings.get(name):
            return f"{name} {found.settings.get(name)!r} there, {wanted.settings.get(name)!r} wanted"
    for name in sorted(set(found.inputs) | set(wanted.inputs)):
        if found.inputs.get(name) != wanted.inputs.get(name):
            return f"{name} has changed"
    return ""
