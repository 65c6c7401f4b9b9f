"""Questions about videos that models put into words, proved once more and added to their dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fathom.build.amending import amended
from fathom.build.questions.tracks.sights import Seeing
from fathom.build.truth.cell_files import Cells
from fathom.build.videos.recheck import video_answers
from fathom.build.written.videos.footage import films_of
from fathom.build.written.videos.second import SOURCE
from fathom.records import InputError, Question, UnfitError
from fathom.store.datasets import Dataset


def with_worded(dataset: Dataset, out: Path, questions: Sequence[Question]) -> int:
    """Make a dataset in `out` with these questions behind the dataset's own, and return how many there are.

    Raises InputError where there are none, or the dataset has one of them already; UnfitError where the two
    derivations of an answer no longer agree: then nothing is written.
    """
    own = list(dataset.questions())
    if not questions:
        raise InputError(f"{out}: no question can be added to {dataset.path} yet; go on without --out first")
    known = {q.id for q in own}
    if twice := [q.id for q in questions if q.id in known]:
        raise InputError(f"{dataset.path}: has the question {twice[0]} already; give the dataset without it")
    _prove(dataset, questions)
    digest = hashlib.sha256(msgspec.json.encode(list(questions))).hexdigest()
    by = sorted({q.source.removeprefix(SOURCE) for q in questions})
    note = (
        f"{len(questions)} questions were put into words by models ({', '.join(by)}), and every one was held "
        "against the truth and derived twice"
    )
    amended(dataset, out, [*own, *questions], note, {"written": digest})
    return len(questions)


def _prove(dataset: Dataset, questions: Sequence[Question]) -> None:
    """Raise UnfitError for a question whose answer is not what both derivations come to."""
    for scene, _ in films_of(dataset):
        asked = [q for q in questions if q.scene == scene.id]
        if not asked:
            continue
        with Cells(dataset.path / scene.truth) as cells:
            answers = list(video_answers(scene, cells, asked, Seeing()))
        for q, (first, second) in zip(asked, answers, strict=True):
            if not first == second == q.answer:
                raise UnfitError(
                    f"{dataset.path}: the answer of {q.id} is {q.answer!r}, and its derivations come to "
                    f"{first!r} and {second!r}; the dataset or the work on it was changed: write its "
                    "questions again, in another folder"
                )
