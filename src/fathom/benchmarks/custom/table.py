"""Anybody's tables of questions: JSONL, JSON, CSV, TSV, Parquet or Excel; a row becomes a question.

The answer is a letter, a place counted from 0 or from 1, or the text of an option; without options it is the
text itself, or a list of texts that all count as right. Options stand in columns of their own, in one column
(a list, an object by letter, or lines), or below the question. Images and videos are named or, images,
embedded.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from fathom.benchmarks.custom.cells import IN_THE_TEXT, media_in, options_in, options_in_text, span_in
from fathom.benchmarks.custom.columns import MEDIA, ColumnsSaid, has_questions, said_columns
from fathom.benchmarks.custom.learning import QuestionTable, learn
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.rows import TableRow
from fathom.formats.table_cells import (
    NO_ANSWER,
    NO_TEXT,
    OUTSIDE,
    Options,
    checked,
    integer_of,
    picked,
    structure_of,
    text_of,
)
from fathom.records import Groups

NO_ID = "a row without an id"
SEVERAL = "several answers to a question with options"
TWO_WAYS = "an answer that is the letter of one option and the text of another"
LETTER_ALONE = "an answer that is a letter, and no options"
OTHER_TASK = "other"
NO_TASK = f"a row without a task, which is called {OTHER_TASK!r}"
WORDS_ALONE = "a question that names no image and no video, asked by its words alone"

_NAMES_LETTERS = re.compile(r"(?:^|\W)\(?A[).:]\s*\S.*\W\(?B[).:]\s*\S", re.DOTALL)


def draft(table: QuestionTable, row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row. Raises LeftOutError for what cannot be one."""
    text = table.text(row, notes)
    if not text:
        raise LeftOutError(NO_TEXT)
    task = table.task(row, notes)
    if not task:
        notes.note(NO_TASK)
    text, options = _options(table, row, text, notes)
    answer, others = _answer(table, row, text, options, notes)
    media = tuple(wanted for what in MEDIA for wanted in _media(table, row, what, notes))
    name = _id(table, row, notes)
    if not media:
        notes.note(WORDS_ALONE)
    return ImportedQuestion(
        id=name,
        index=name,
        task=task or OTHER_TASK,
        text=text,
        answer=answer,
        media=media,
        choices=checked(options, 0, notes) if options else (),
        possible=() if options else _possible(table, row, task, answer, notes),
        equivalents=(*others, *_texts(_cell(table, row, "equivalents"), notes)),
        span_s=span_in(row.values, table.columns["span"], notes),
        groups=Groups(
            **{name: text_of(_cell(table, row, name), notes) for name in ("cluster", "flip", "pair")}
        ),
        words_alone=True,
    )


def _media(table: QuestionTable, row: TableRow, what: str, notes: Notes) -> tuple[Wanted, ...]:
    """Return the images, or the videos, of a row."""
    columns = table.columns[what]
    if what not in table.columns.either:
        return media_in(row.values, columns, notes, table.embedded)
    found = (media_in(row.values, (name,), notes, table.embedded) for name in columns)
    return next((some for some in found if some), ())


def _cell(table: QuestionTable, row: TableRow, what: str) -> object:
    names = table.columns[what]
    return row.values.get(names[0]) if names else None


def _id(table: QuestionTable, row: TableRow, notes: Notes) -> str:
    if not table.columns["id"]:
        return row.key or f"{table.stem}-{row.ordinal + 1}"
    found = text_of(_cell(table, row, "id"), notes)
    if not found:
        raise LeftOutError(NO_ID)
    return found


def _options(table: QuestionTable, row: TableRow, text: str, notes: Notes) -> tuple[str, Options]:
    """Return the question's own words, and its options."""
    if found := options_in(row.values, table.columns["options"], notes):
        return text, found
    text, found = options_in_text(text)
    if found:
        notes.note(IN_THE_TEXT)
    return text, found


def _answer(
    table: QuestionTable, row: TableRow, text: str, options: Options, notes: Notes
) -> tuple[str, tuple[str, ...]]:
    """Return the right answer, and others that count as the same."""
    cell = table.answer(row)
    if not options:
        texts = _texts(cell, notes)
        if not texts:
            raise LeftOutError(NO_ANSWER, "" if cell is None else str(cell)[:80])
        listed = table.columns["options"] or _NAMES_LETTERS.search(text)
        if listed and re.fullmatch("[A-J]", texts[0]):
            raise LeftOutError(
                LETTER_ALONE, f"{texts[0]!r}; their columns can be said with --columns options="
            )
        return texts[0], texts[1:]
    if isinstance(cell, list) and cell:
        raise LeftOutError(SEVERAL, str(cell)[:80])
    return _option(options, text_of(cell, notes), table.numbered, notes), ()


def _option(options: Options, said: str, numbered: bool, notes: Notes) -> str:
    """Return the text of the option that an answer names: by its letter, its place, or its own text."""
    by_letter = dict(options).get(said.upper())
    alike = [text for _, text in options if text.casefold() == said.casefold()]
    if by_letter is not None and alike and by_letter not in alike:
        raise LeftOutError(TWO_WAYS, said)
    if alike and not numbered:
        return said if said in alike else alike[0]
    if integer_of(said) is not None and not numbered:
        raise LeftOutError(OUTSIDE, f"{said[:80]!r} of {len(options)} options")
    return picked(options, said, notes, numbered=numbered)


def _possible(table: QuestionTable, row: TableRow, task: str, answer: str, notes: Notes) -> tuple[str, ...]:
    """Return the answers that a question without options can have, the right one among them."""
    said = _texts(_cell(table, row, "possible"), notes)
    return said if answer in said else table.possible(task, answer)


def _texts(cell: object, notes: Notes) -> tuple[str, ...]:
    """Return the texts of a cell: one, or those of a list."""
    cell = structure_of(cell)
    several = cell if isinstance(cell, list) else [cell]
    return tuple(text for one in several if (text := text_of(one, notes)))


def _number(table: QuestionTable, row: TableRow) -> tuple[int, int] | None:
    """Return the number that stands for the answer, and how many options there are."""
    number = integer_of(table.answer(row))
    if number is None:
        return None
    try:
        options = table.options(row, Notes(row.where))
    except LeftOutError:
        return None
    return (number, len(options)) if options else None


def _unlearned(row: TableRow, notes: Notes) -> ImportedQuestion:
    raise LeftOutError("a table that was not read as a whole first", row.where)


HOLDS = "columns for the question and the answer, and what there is of id, options, task, image and video"


def layout_of(columns: str) -> Layout:
    """Return the layout of tables whose columns are these, as `--columns` says them; "" for guessed ones.

    Raises InputError for a text that is no list of columns.
    """
    said = said_columns(columns)
    named = "+".join(said.of.get("question", ()))
    found = Layout(
        name="table",
        source="own",
        benchmark="jsonl",
        release="1",
        fits=lambda shape: has_questions(shape.columns, said),
        draft=_unlearned,
        holds=f"the column {named!r} for the question, as --columns says" if named else HOLDS,
        least=None,
        open_tasks=True,
        strict=True,
        with_columns=layout_of,
        remedy="say with --columns question=NAME,answer=NAME which columns hold them",
    )
    return replace(found, learned=partial(_learned, found, said))


def _learned(layout: Layout, said: ColumnsSaid, path: Path, file: str) -> Layout:
    """Return the layout of one table, which was read as a whole."""
    table = learn(path, file, said)
    return replace(
        layout,
        draft=partial(draft, table),
        number=partial(_number, table) if table.numbered else None,
        columns=str(table.columns),
        learned=None,
    )


LAYOUTS = (layout_of(""),)
