"""What an export is made from, and what a first look over the questions tells about its columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fathom.formats.export_media import shown
from fathom.formats.table_cells import LETTERS
from fathom.records import InputError, OwnTable, Question, Record
from fathom.store.datasets import Dataset

REPORT = "export.json"

Progress = Callable[[str, int, int, str], None]

READ_AS_MISSING = frozenset(
    ("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
     "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
)  # fmt: skip
"""Texts that pandas, with which most kits read tables of text, takes for empty cells."""


@dataclass(frozen=True)
class ExportPlan:
    """What to export, for whom, and where to; `files`: pictures lie beside the table instead of in it.

    `own` is what the benchmark's own table calls otherwise; `official` names what writes its own files
    ("module:attribute"), "" where nothing does.
    """

    dataset: Dataset
    kit: str
    out: Path
    files: bool = False
    own: OwnTable = field(default_factory=OwnTable)
    official: str = ""


@dataclass(frozen=True)
class Survey:
    """What all questions of a dataset have in common: the most options, pictures and videos of any.

    `captions` counts questions with reference texts, `read_as_missing` those with an option or an answer
    that pandas takes for an empty cell. `tags` are the names of those that any question has.
    """

    questions: int = 0
    options: int = 0
    pictures: int = 0
    videos: int = 0
    spans: int = 0
    captions: int = 0
    read_as_missing: int = 0
    tags: frozenset[str] = frozenset()


class ExportReport(Record, frozen=True, kw_only=True):
    """What `export.json` holds: for whom, of which dataset, how much, and what is to be known."""

    kit: str
    benchmark: str
    benchmark_version: str
    identity: str
    questions: int
    pictures: int
    videos: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f"{self.questions:,} questions of {self.benchmark} with {self.pictures:,} pictures"
        said += f" and {self.videos:,} videos" if self.videos else ""
        return "\n".join([f"{said}, for {self.kit}", *(f"  {note}" for note in self.notes)])


def survey(dataset: Dataset) -> Survey:
    """Return what the questions have in common. Raises InputError for more options than there are letters."""
    most: Counter[str] = Counter()
    count: Counter[str] = Counter()
    tags: set[str] = set()
    for question in dataset.questions():
        _check_letters(question)
        kinds = Counter(s.kind for s in shown(dataset, question))
        for name, number in (
            ("options", len(question.choices)),
            ("pictures", kinds["image"]),
            ("videos", kinds["video"]),
        ):
            most[name] = max(most[name], number)
        tags |= question.tags.keys()
        count["questions"] += 1
        count["spans"] += question.span_s is not None
        count["captions"] += bool(question.references)
        count["read_as_missing"] += bool(READ_AS_MISSING & {*question.choices, question.answer})
    if not count["questions"]:
        raise InputError(f"{dataset.path}: has no questions to export; give a dataset that has some")
    return Survey(**most, **count, tags=frozenset(tags))


def slug(benchmark: str) -> str:
    """Return the name of a benchmark as part of a file's name: letters, digits and underscores."""
    return re.sub(r"[^A-Za-z0-9]+", "_", benchmark).strip("_").lower() or "questions"


def letter_of(question: Question) -> str:
    """Return the letter of the right option; of two with the same text, that of the first."""
    return LETTERS[question.choices.index(question.answer)]


def _check_letters(question: Question) -> None:
    if len(question.choices) > len(LETTERS):
        raise InputError(
            f"question {question.id}: has {len(question.choices)} options, and the tables of other kits have "
            f"columns up to {LETTERS[-1]}; leave the question out of the dataset"
        )
