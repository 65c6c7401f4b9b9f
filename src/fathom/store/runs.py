"""A run folder: what was asked of which model, and the journal of its answers.

    RUN/manifest.json   kind "run"; settings name the dataset, the model, the protocol and its parameters
    RUN/journal/        the answers; see store/journal.py

The requests themselves are not stored: they are derived again from the dataset, and come out the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.records import InputError, Manifest, Response
from fathom.store import journal
from fathom.store.datasets import MANIFEST, Dataset, check_manifest, open_dataset
from fathom.store.files import read_json, sweep, write_json

DATASET = "dataset"
"""The setting that says where the dataset lies (relative to the run), and the input that is its identity."""

REQUESTS = "requests"
"""The same of the request folder, in a run that answers one."""

TASKS = "tasks"
"""The setting that lists the tasks whose questions a run puts, where it does not put all of them."""

LIMIT = "limit"
"""The setting that says how many questions a run puts at most; a run may be carried on under another."""

REPEATS = "repeats"
"""The setting that says how often a run puts each question, where it is more than once; likewise."""


@dataclass(frozen=True)
class RunFolder:
    """A run on disk."""

    path: Path
    manifest: Manifest

    @property
    def journal_folder(self) -> Path:
        """Return where the answers lie."""
        return self.path / journal.FOLDER

    def responses(self) -> Iterator[Response]:
        """Yield the response that counts for each request. Raises DataError with file and line."""
        return journal.read_responses(self.journal_folder)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Return the tasks whose questions are put, () for all of them."""
        listed = self.manifest.settings.get(TASKS)
        return tuple(map(str, listed)) if isinstance(listed, list) else ()

    @property
    def limit(self) -> int:
        """Return how many questions are put at most, 0 for all of them."""
        return self._number(LIMIT, 0)

    @property
    def repeats(self) -> int:
        """Return how often each question is put."""
        return self._number(REPEATS, 1)

    def _number(self, name: str, otherwise: int) -> int:
        found = self.manifest.settings.get(name)
        return found if isinstance(found, int) else otherwise

    def dataset(self) -> Dataset:
        """Return the dataset that was asked. Raises InputError where it is gone, or is another one now."""
        if REQUESTS in self.manifest.settings:
            raise InputError(
                f"{self.path}: answers the requests of `fathom score`, not a dataset's questions; give it "
                "with --responses to the run that they are about"
            )
        path = Path(os.path.normpath(self.path / str(self.manifest.settings.get(DATASET, ""))))
        dataset = open_dataset(path)
        expected = self.manifest.inputs.get(DATASET, "")
        if dataset.manifest.identity != expected:
            raise InputError(
                f"{self.path}: the run was made on the dataset {expected[:12]}, and {path} holds "
                f"{dataset.manifest.identity[:12]} now; put the right dataset there, or run the model again"
            )
        return dataset


def open_run(path: Path) -> RunFolder:
    """Return the run in a folder, finished or not. Raises InputError where there is none."""
    if not (path / MANIFEST).is_file():
        raise InputError(f"{path}: expected a run folder, which `fathom run` writes; check the path")
    manifest = read_json(path / MANIFEST, Manifest)
    check_manifest(path, manifest, "run")
    return RunFolder(path=path, manifest=manifest)


def begin_run(path: Path, manifest: Manifest) -> RunFolder:
    """Return the run in a folder, new or carried on.

    Raises InputError where the folder holds a run of something else, and names what differs.
    """
    sweep(path, MANIFEST)
    if (path / MANIFEST).exists():
        found = open_run(path).manifest
        # What was found out about the model in earlier starts is still true of the answers that are kept.
        notes = tuple(dict.fromkeys((*found.notes, *manifest.notes)))
        manifest = msgspec.structs.replace(manifest, notes=notes)
        difference = _difference(found, manifest)
        if difference:
            raise InputError(
                f"{path}: holds another run ({difference}); give the same settings to carry on, "
                "or another folder"
            )
    elif path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path}: is not empty, and not a run; choose another folder")
    write_json(path / MANIFEST, manifest)
    return RunFolder(path=path, manifest=manifest)


def end_run(run: RunFolder, counts: dict[str, int], complete: bool, notes: tuple[str, ...] = ()) -> RunFolder:
    """Return the run with its counts and notes in place, marked complete where every request is answered."""
    notes = tuple(dict.fromkeys((*run.manifest.notes, *notes)))
    manifest = msgspec.structs.replace(run.manifest, counts=counts, complete=complete, notes=notes)
    write_json(run.path / MANIFEST, manifest)
    return RunFolder(path=run.path, manifest=manifest)


def dataset_setting(run: Path, dataset: Path) -> str:
    """Return the dataset's place as seen from the run folder, so that both can be moved together."""
    try:
        return Path(os.path.relpath(dataset.resolve(), run.resolve())).as_posix()
    except ValueError:  # another drive
        return dataset.resolve().as_posix()


def _difference(found: Manifest, wanted: Manifest) -> str:
    """Return in words the first object that would make two runs of these manifests differ, or ""."""
    pairs: list[tuple[str, object, object]] = [
        ("benchmark", found.benchmark, wanted.benchmark),
        ("benchmark version", found.benchmark_version, wanted.benchmark_version),
    ]
    pairs += [
        (f"{name} identity", found.inputs.get(name, ""), wanted.inputs.get(name, ""))
        for name in sorted(set(found.inputs) | set(wanted.inputs))
    ]
    names = sorted((set(found.settings) | set(wanted.settings)) - {DATASET, REQUESTS, LIMIT, REPEATS})
    pairs += [(name, found.settings.get(name), wanted.settings.get(name)) for name in names]
    for name, old, new in pairs:
        if old != new:
            return f"{name} is {old!r} there, and {new!r} now"
    return ""
