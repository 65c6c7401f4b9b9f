"""What can be told of a table only by reading all of it: its columns, how answers are given, which there are.

A number for an answer is the place of an option, or an option's own text ("3" of "2", "3" and "4"). It is the
same in a whole table: a number is a text where every number is one of its row's options, and a place where
every one can be a place. Where both are so, it is a text, unless the column is called an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom.benchmarks.custom.cells import holds_picture, options_in, options_in_text
from fathom.benchmarks.custom.columns import GROUPS, INDEXES, ColumnsSaid, TableColumns, columns_of
from fathom.extraction.words import canonical
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.rows import TableRow, read_rows
from fathom.formats.table_cells import Options, integer_of, structure_of, text_of
from fathom.records import InputError

MOST_ANSWERS = 50
"""A task with more different answers than these has no list of possible ones."""

_TRUTH = frozenset({"true", "false", "yes", "no", "0", "1", ""})
_YES_NO = ("yes", "no")


@dataclass
class QuestionTable:
    """What was learnt of one table.

    `answers` are the different answers without options of each task, as they stand first; a task that has too
    many has none. `numbered`: a number for an answer is the place of an option.
    """

    columns: TableColumns
    stem: str
    numbered: bool = False
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    embedded: bool = False
    """Whether pictures stand in the table as text; the id of a row then stands for that row's picture."""

    def options(self, row: TableRow, notes: Notes) -> Options:
        """Return the options of a row, of their columns or in the question's text."""
        if found := options_in(row.values, self.columns["options"], notes):
            return found
        return options_in_text(self.text(row, notes))[1]

    def text(self, row: TableRow, notes: Notes) -> str:
        """Return the text of a row's question."""
        return text_of(row.values.get(self.columns["question"][0]), notes)

    def task(self, row: TableRow, notes: Notes) -> str:
        """Return the task of a row; the table's own name where it has no column of tasks."""
        column = self.columns["task"]
        return text_of(row.values.get(column[0]), notes) if column else self.stem

    def answer(self, row: TableRow) -> object:
        """Return the cell of a row's answer; what stands alone in a list is taken out of it."""
        cell = structure_of(row.values.get(self.columns["answer"][0]))
        return cell[0] if isinstance(cell, list) and len(cell) == 1 else cell

    def possible(self, task: str, answer: str) -> tuple[str, ...]:
        """Return the answers that a question without options can have: yes and no, or those of its task."""
        own = canonical(answer)
        found = ("Yes", "No") if own in _YES_NO else self.answers.get(task, ())
        return tuple(answer if canonical(text) == own else text for text in found) if len(found) > 1 else ()


def learn(path: Path, file: str, said: ColumnsSaid) -> QuestionTable:
    """Return what is to be known of a table before its rows are read.

    Raises InputError for a table without rows, and for columns that are needed and not there.
    """
    columns = columns_of(_names(path, file), said, file)
    table = QuestionTable(columns, stem_of(file))
    groups: dict[str, set[str]] = {name: set() for name in GROUPS if columns[name]}
    numbers, answers = _Numbers(), _Answers()
    embedded = False
    for row in _whole_rows(path, file):
        notes = Notes(row.where)
        embedded = embedded or holds_picture(row.values, columns["image"])
        for name, values in groups.items():
            if len(values) <= len(_TRUTH):
                values.add(text_of(row.values.get(columns[name][0]), notes).casefold())
        try:
            options = table.options(row, notes)
        except LeftOutError:
            continue  # the row is left out when it is drafted, and says why
        if options:
            numbers.add(table.answer(row), options, notes)
        else:
            answers.add(table.task(row, notes), table.answer(row), notes)
    for name, values in groups.items():
        if name not in said.of and values <= _TRUTH:
            columns = columns.without(name)  # whether a picture is mirrored, and not which ones go together
    index = bool(INDEXES.search(columns["answer"][0].casefold()))
    return QuestionTable(columns, table.stem, numbers.are_places(index), answers.of_tasks(), embedded)


class _Numbers:
    """Whether numbers for answers can be texts of options, and whether they can be places."""

    def __init__(self) -> None:
        self.any = False
        self.texts = self.places = True

    def add(self, answer: object, options: Options, notes: Notes) -> None:
        number = integer_of(answer)
        if number is None:
            return
        said = text_of(answer, notes).casefold()
        self.any = True
        self.texts &= any(said == text.casefold() for _, text in options)
        self.places &= 0 <= number <= len(options)

    def are_places(self, index: bool) -> bool:
        """Return whether they are places; `index`: their column is called so."""
        return self.any and (index or (self.places and not self.texts))


class _Answers:
    """The different answers without options, by task."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, str]] = {}

    def add(self, task: str, answer: object, notes: Notes) -> None:
        said = text_of(answer[0] if isinstance(answer, list) and answer else answer, notes)
        of_task = self._found.setdefault(task, {})
        if said and canonical(said) not in _YES_NO and len(of_task) <= MOST_ANSWERS:
            of_task.setdefault(canonical(said), said)

    def of_tasks(self) -> dict[str, tuple[str, ...]]:
        return {
            task: tuple(sorted(found.values()))
            for task, found in self._found.items()
            if len(found) <= MOST_ANSWERS
        }


def stem_of(file: str) -> str:
    """Return the name of a table without its extension, and with the folders that it lies in."""
    return file.rpartition(".")[0].replace("/", "-") or file


def _whole_rows(path: Path, file: str) -> Iterator[TableRow]:
    return (row for row in read_rows(path, file) if not row.broken)


def _names(path: Path, file: str) -> list[str]:
    """Return the columns of a table in their order: of JSON, all keys that any of its objects has."""
    names: dict[str, None] = {}
    for row in _whole_rows(path, file):
        names |= dict.fromkeys(map(str, row.values))
        if path.suffix.lower() not in (".json", ".jsonl"):
            break
    if not names:
        raise InputError(
            f"{file}: expected a question in every row, found no row; give a table that has some"
        )
    return list(names)
