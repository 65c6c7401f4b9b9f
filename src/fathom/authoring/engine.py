"""One call of the work: what can be done is done, and what is to be done next is said.

A step writes a folder of requests, `fathom run` has a model answer it, and the next call goes on from there.
Everything is worked out again from the requests, the answers and the review file, so that a call may be
repeated at any time, and changes nothing where nothing is new.

    WORK/questions.jsonl   the questions that were kept so far
    WORK/verdicts.jsonl    what models and people decided
    WORK/rejected.jsonl    what was not taken, and why
    WORK/steps.jsonl       how many came how far
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from fathom.authoring.outcomes import OutcomeTable, table_of
from fathom.authoring.protocol import Authoring, S, Writing
from fathom.authoring.requests import RequestContext, mend_rounds
from fathom.authoring.review import FILE, REVIEW
from fathom.authoring.runs import RUNS, take_runs
from fathom.authoring.work import WaitError, Work
from fathom.records import DataError, InputError, Question, Verdict
from fathom.store.datasets import MANIFEST, Dataset
from fathom.store.files import read_json, sweep, write_json, write_jsonl
from fathom.store.seeds import short_hash

SETTINGS, QUESTIONS, VERDICTS = "settings.json", "questions.jsonl", "verdicts.jsonl"
REJECTED, TABLE = "rejected.jsonl", "steps.jsonl"

DONE = "done"


@dataclass(frozen=True)
class Next:
    """Where the work stands.

    `step` is the one that waits for somebody, or DONE; `say` tells in words what to do. `questions` are those
    that were kept so far, `verdicts` all that was decided, `requests` the folders that wait for models.
    """

    step: str
    say: str
    table: OutcomeTable
    questions: tuple[Question, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    requests: tuple[Path, ...] = ()

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.step == DONE


def next_step(
    authoring: Authoring[S],
    dataset: Dataset,
    folder: Path,
    responses: Sequence[Path] = (),
    settings: S | None = None,
) -> Next:
    """Return what to do next to have questions about a dataset written, after doing all that can be done.

    `responses` are runs that answer requests in the work folder; they need be given once. `settings` may be
    left out where work has begun.

    Raises InputError where the work folder is of another dataset or of other settings, where a run answers
    other requests, and for a line of the review file that is no decision.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder, SETTINGS, RUNS, FILE, TABLE, VERDICTS, REJECTED, QUESTIONS)
    settled = _settled(authoring, dataset, folder, settings)
    mend_rounds(folder, authoring.model_steps)
    runs = take_runs(folder, authoring.model_steps, responses)
    writing = authoring.begin(dataset, settled)
    about = RequestContext(dataset, writing.subjects, writing.seed, authoring.version)
    work = Work(folder, about, runs)
    found = _went_on(work, writing)
    write_jsonl(folder / TABLE, found.table.records())
    write_jsonl(folder / VERDICTS, found.verdicts)
    write_jsonl(folder / REJECTED, work.outcomes.rejected)
    write_jsonl(folder / QUESTIONS, found.questions)
    return found


def _went_on(work: Work, writing: Writing) -> Next:
    """Return where the work stands after everything that can be done now."""
    folders: tuple[Path, ...] = ()
    try:
        questions = tuple(writing.go_on(work))
        step, say = DONE, f"{len(questions):,} questions are kept: {work.folder / QUESTIONS}"
    except WaitError as wait:
        step, say, folders, questions = wait.step, wait.say, wait.requests, wait.questions
    found = work.outcomes
    say = "\n".join([*found.notes, say])
    if found.undecided and step in (DONE, REVIEW):
        say += (
            f"\n{found.undecided:,} questions are not decided because requests failed; start the same "
            "`fathom run` again to ask them once more"
        )
    table = table_of(found.fates, writing.columns)
    return Next(step, say, table, questions, tuple(found.verdicts), folders)


def _settled(authoring: Authoring[S], dataset: Dataset, folder: Path, settings: S | None) -> S:
    """Return the settings that the work was begun with, or is begun with now."""
    path, identity = folder / SETTINGS, dataset.manifest.identity
    if not path.is_file():
        if any(folder.iterdir()):
            raise InputError(f"{folder}: is not empty, and holds no work on questions; choose another folder")
        chosen = settings or authoring.settings
        authoring.check(chosen)
        write_json(path, {"dataset": identity, "path": _way_to(dataset, folder), authoring.key: chosen})
        return chosen
    begun: dict[str, Any] = read_json(path, dict)
    if begun.get("dataset") != identity:
        raise InputError(
            f"{folder}: is about the dataset {str(begun.get('dataset'))[:12]}, and {dataset.path} holds "
            f"{identity[:12]}; give the dataset that it was begun with, or another folder"
        )
    try:
        known = msgspec.convert(begun.get(authoring.key), type(authoring.settings))
    except msgspec.ValidationError as e:
        raise DataError(f"{path}: {e}; restore the file, or begin again in another folder") from e
    if settings is not None and settings != known:
        raise InputError(
            f"{folder}: was begun with other settings ({_difference(known, settings)}); give the same, "
            "or another folder"
        )
    if begun.get("path") != (way := _way_to(dataset, folder)):
        write_json(path, {"dataset": identity, "path": way, authoring.key: known})
    return known


def _way_to(dataset: Dataset, folder: Path) -> str:
    """Return where a dataset lies, as seen from the work folder: people are shown its pictures."""
    return Path(os.path.relpath(dataset.path.resolve(), folder.resolve())).as_posix()


def is_work(folder: Path) -> bool:
    """Return whether a folder holds work on questions."""
    return (folder / SETTINGS).is_file() and not (folder / MANIFEST).exists()


def identity_of_work(folder: Path) -> str:
    """Return what tells work from other work: its dataset and settings, wherever the dataset lies."""
    begun: dict[str, Any] = read_json(folder / SETTINGS, dict)
    return short_hash(*(repr((k, v)) for k, v in sorted(begun.items()) if k != "path"), length=32)


def dataset_of_work(folder: Path) -> Path:
    """Return where the dataset lies that work is about. Raises InputError where the work does not say it."""
    begun: dict[str, Any] = read_json(folder / SETTINGS, dict)
    if not isinstance(way := begun.get("path"), str):
        raise InputError(
            f"{folder}: does not say where its dataset lies; call fathom write-questions DATASET {folder} "
            "once more"
        )
    return Path(os.path.normpath(folder.resolve() / way))


def _difference(old: S, new: S) -> str:
    a, b = msgspec.structs.asdict(old), msgspec.structs.asdict(new)
    return ", ".join(f"{name} is {a[name]} there, and {b[name]} now" for name in a if a[name] != b[name])
