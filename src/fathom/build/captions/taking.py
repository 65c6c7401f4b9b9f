"""Captions that people wrote or revised, as the references of a dataset."""

from __future__ import annotations

from pathlib import Path

from fathom.build.amending import amended
from fathom.build.captions.people import Mode, take_captions
from fathom.build.curation.verdicts import FILE as VERDICTS
from fathom.build.curation.verdicts import read_verdicts
from fathom.records import InputError
from fathom.store.datasets import Dataset
from fathom.store.files import sha256_file
from fathom.store.kits.findings import ImportReport


def with_captions(
    dataset: Dataset, path: Path, out: Path, mode: Mode = "replace", writer: str = ""
) -> ImportReport:
    """Make a dataset in `out` with people's captions from a file; return what was taken over and what not.

    What they decided about captions is added to its verdicts. Raises InputError where the file is unreadable,
    or nothing in it can be taken over.
    """
    questions = list(dataset.questions())
    taken = take_captions(questions, path, mode, writer)
    changed = sum(a != b for a, b in zip(questions, taken.questions, strict=True))
    if not changed and not taken.verdicts:
        raise InputError(
            f"{path}: changes no caption of {dataset.path} ({'; '.join(str(taken.report).splitlines())}); "
            "correct the file"
        )
    said = dataset.path / VERDICTS
    before = read_verdicts(said) if said.is_file() else []
    lines = {VERDICTS: [*before, *taken.verdicts]} if taken.verdicts else {}
    note = f"people wrote or revised the captions of {changed} objects ({path.name})"
    amended(dataset, out, taken.questions, note, {"captions": sha256_file(path)}, lines)
    return taken.report
