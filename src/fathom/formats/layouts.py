"""What an importer knows of a benchmark's files: how to recognise them, and what a row becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom.formats.import_findings import Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.rows import FileShape, TableRow
from fathom.records import Groups


@dataclass(frozen=True)
class ImportedQuestion:
    """A question as a row holds it, before its media are found.

    `rotation` says by how many places a circular copy has its options turned: it is folded into the question
    of the same `id`. `index` is what other rows call this row when they share its media. `expected` of these
    media are said to be there; fewer are noted.
    """

    id: str
    task: str
    text: str
    answer: str
    media: tuple[Wanted, ...] = ()
    choices: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    span_s: tuple[float, float] | None = None
    groups: Groups = field(default_factory=Groups)
    tags: Mapping[str, str] = field(default_factory=dict)
    rotation: int = 0
    index: str = ""
    instead: tuple[Wanted, ...] = ()
    """What is shown where the media are missing: frames that were published in place of a video."""
    any_medium: bool = False
    """Whether media that are missing may be left away as long as one is there."""
    words_alone: bool = False
    """Whether a question that names no media is asked by its words alone; else its row is left out."""


@dataclass(frozen=True)
class Layout:
    """One way in which a benchmark's questions are written down.

    `fits` tells its files from others by their shape. `draft` returns the question of a row, and raises
    LeftOutError. `number` returns what stands for the answer in a row where it is a number, and how many
    options there are, from which it is told whether options count from 0 or from 1 (`base` where the data
    do not say). `source` is whose files these are.
    """

    name: str
    source: str
    benchmark: str
    release: str
    fits: Callable[[FileShape], bool]
    draft: Callable[[TableRow, Notes], ImportedQuestion]
    number: Callable[[TableRow], tuple[int, int] | None] | None = None
    base: int = 0
    holds: str = ""
    """Which columns or keys its files hold, in words: what is said to have been expected."""
    same_set: Callable[[FileShape], str] = lambda shape: ""
    """Files of which only one is to be read: those with the same text here, which is also what to say."""
    not_asked: tuple[str, ...] = ()
    """Reasons to leave a row out that take nothing from what the benchmark scores."""
    least: int | None = 0
    """So many questions the set has at least whose scores were published: fewer are a part of it. None: no
    scores of this release stand in the paper's tables."""
    open_tasks: bool = False
    """Whether the tasks are those that the rows name, and the dataset has a title of its own."""
    strict: bool = False
    """Whether a row that cannot be a question is an error; else it is left out and counted."""
    columns: str = ""
    """Which column holds what, in words, where that differs from file to file."""
    learned: Callable[[Path, str], Layout] | None = None
    """Reads a file of questions as a whole, by its path and name, and returns the layout that knows it."""
    with_columns: Callable[[str], Layout] | None = None
    """Returns the layout that takes columns as `--columns` says; None: its columns are fixed."""
    remedy: str = "give the file or the folder as it was published"
    """What to do where no file fits."""
