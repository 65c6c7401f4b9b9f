"""Putting requests to models: what was not asked yet is written down, and who is waited for is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fathom.build.written.candidates import Shown
from fathom.build.written.prompts import VERSION
from fathom.build.written.requests import Said, Step, asked_in, rounds, write_round
from fathom.records import InputError, Request
from fathom.store.datasets import Dataset


def put(
    work: Path,
    step: Step,
    requests: Sequence[Request],
    dataset: Dataset,
    objects: Mapping[str, Shown],
    seed: str,
    words: str = VERSION,
) -> tuple[Path, ...]:
    """Write what was not asked yet into a folder of its own, and return the folders that matter."""
    before = {name for folder in rounds(work, step) for name in asked_in(folder)}
    if new := [r for r in requests if r.asked.id not in before]:
        write_round(work, step, new, dataset, objects, seed, words)
    wanted = {r.asked.id for r in requests}
    return tuple(f for f in rounds(work, step) if wanted & set(asked_in(f)))


def waiting(
    asked: Sequence[Path], said: Sequence[Said], models: int, wanted: str
) -> tuple[list[str], list[Path]]:
    """Return in words what is waited for, and the folders of requests that no, or too few, models answered.

    `wanted` says what a model is to do.
    """
    words, folders = [], []
    for folder in asked:
        heard = [s for s in said if s.round == int(folder.name)]
        unfinished = [s for s in heard if s.missing]
        words += [
            f"{s.path}: {s.missing:,} of {len(s.asked):,} requests were not put yet; start `fathom run` "
            "again with the same settings, and it carries on"
            for s in unfinished
        ]
        finished = {s.model for s in heard if not s.missing}
        if len(finished) < models:
            so_far = f" ({', '.join(sorted(finished))} did)" if finished else ""
            words.append(
                f"{wanted}{so_far}: fathom run {folder} --model MODEL --out RUN\n"
                "then start the same command again with --responses RUN"
            )
        if unfinished or len(finished) < models:
            folders.append(folder)
    return words, folders


def check_new(work: Path) -> None:
    """Raise InputError for a folder that holds something, and no work on questions."""
    if any(work.iterdir()):
        raise InputError(f"{work}: is not empty, and holds no work on questions; choose another folder")


def check_same(work: Path, begun_with: str, dataset: Dataset) -> None:
    """Raise InputError where work was begun with a dataset of another identity."""
    identity = dataset.manifest.identity
    if begun_with != identity:
        raise InputError(
            f"{work}: is about the dataset {begun_with[:12]}, and {dataset.path} holds {identity[:12]}; "
            "give the dataset that it was begun with, or another folder"
        )
