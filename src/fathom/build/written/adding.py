"""Questions that models wrote and people kept, among those of a dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fathom.build.amending import amended
from fathom.records import InputError, Question
from fathom.store.datasets import Dataset

SOURCE = "written:"
"""What the source of a question begins with that a model wrote."""


def with_written(dataset: Dataset, out: Path, written: Sequence[Question]) -> int:
    """Make a dataset in `out` with these questions behind the dataset's own, and return how many there are.

    Raises InputError where there are none, or the dataset has one of them already.
    """
    own = list(dataset.questions())
    if not written:
        raise InputError(
            f"{out}: no question was kept yet that could be added to {dataset.path}; go on without --out "
            "first"
        )
    known = {q.id for q in own}
    if twice := [q.id for q in written if q.id in known]:
        raise InputError(f"{dataset.path}: has the question {twice[0]} already; give the dataset without it")
    digest = hashlib.sha256(msgspec.json.encode(list(written))).hexdigest()
    by = sorted({q.source.removeprefix(SOURCE) for q in written})
    note = f"{len(written)} questions were written by models ({', '.join(by)}) and kept by people"
    amended(dataset, out, [*own, *written], note, {"written": digest})
    return len(written)
