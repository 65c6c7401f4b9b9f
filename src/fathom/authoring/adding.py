"""A dataset with the questions that were written about it and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fathom.authoring.protocol import Authoring, S
from fathom.records import InputError, Question
from fathom.store.amending import amended
from fathom.store.datasets import Dataset


def with_written(authoring: Authoring[S], dataset: Dataset, out: Path, written: Sequence[Question]) -> int:
    """Make a dataset in `out` with these questions, and return how many there are.

    They stand behind the dataset's own, or in their place where the benchmark says so.

    Raises InputError where there are none, or the dataset has one of them already; what the proof of the
    benchmark raises for a question that the dataset does not bear out: then nothing is written.
    """
    own = [] if authoring.replaces else list(dataset.questions())
    if not written:
        raise InputError(
            f"{out}: no question was kept yet that could be added to {dataset.path}; go on without --out "
            "first"
        )
    known = {q.id for q in own}
    if twice := [q.id for q in written if q.id in known]:
        raise InputError(f"{dataset.path}: has the question {twice[0]} already; give the dataset without it")
    authoring.prove(dataset, written)
    digest = hashlib.sha256(msgspec.json.encode(list(written))).hexdigest()
    by = sorted({q.source.removeprefix(authoring.source) for q in written})
    note = authoring.note.format(count=len(written), models=", ".join(by))
    amended(dataset, out, [*own, *written], note, {"written": digest})
    return len(written)
