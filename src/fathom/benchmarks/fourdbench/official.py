"""4D-Bench's official files: questions keyed by object and task, captions, and videos of each object's views.

    4d_qa.json                {"<uid>_<task>": {"Question", four choices, "Answer index", "Category"}}
    human_annotations.csv     folder_name (the uid), caption_1 … caption_5
    …/<uid>/view_<k>_rgb_white_bg.mp4

The spelling of the choices' keys varies: every other text of a record is a choice. `Answer index` counts
from 1, unless the data say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from fathom.benchmarks.fourdbench.tasks import CAPTION, OFFICIAL, OFFICIAL_VIEWS, TASKS
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape, TableRow
from fathom.formats.table_cells import (
    LETTERS,
    NO_TEXT,
    Options,
    checked,
    first_text,
    integer_of,
    listed,
    picked,
    structure_of,
    text_of,
    unmarked,
)
from fathom.formats.vlmevalkit import KIT_HOLDS, is_kit_table, media_of, options_of
from fathom.records import Groups

NO_TASK = "a task that the benchmark does not have"
NO_ID = "a record without the id of its object"
NO_CAPTION = "an object without captions"

MOST_VIEWS = 32
CAPTION_TEXT = "What does the object look like, and what does it do?"

_OFFICIAL_OPTIONS = 4
_VIEW = re.compile(r"(?:^|/)view_(\d{1,3})(?:_[^/]*)?$")
_CHOICE_END = re.compile(r"(?:^|[\s_.])\(?([A-Ja-j]|\d+)\)?$")
_NOT_CHOICES = ("question", "answer", "category", "id", "uid", "type", "task")


def question_draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a record of 4d_qa.json."""
    values = {name.strip().casefold(): value for name, value in row.values.items()}
    key = text_of(row.key or values.get("id"), notes)
    uid, _, suffix = key.partition("_")
    text = first_text(values, ("question",), notes)
    if not uid or not suffix:
        raise LeftOutError(NO_ID, key)
    if not text:
        raise LeftOutError(NO_TEXT, key)
    options = _options(values, notes)
    choices = checked(options, _OFFICIAL_OPTIONS, notes)
    return ImportedQuestion(
        id=key,
        task=_task(suffix, text_of(values.get("category"), notes), notes),
        text=text,
        answer=picked(options, _answer(values), notes, numbered=True),
        media=_views(uid),
        choices=choices,
        groups=Groups(cluster=uid),
        tags={"official_id": key, "category": text_of(values.get("category"), notes), "object": uid},
        any_medium=True,
    )


def caption_draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the caption to be written of one object, with the five that people wrote."""
    values = row.values
    uid = first_text(values, ("folder_name", "uid"), notes)
    if not uid:
        raise LeftOutError(NO_ID, "")
    columns = [name for name in values if name.startswith("caption_")]
    captions = tuple(text for name in columns if (text := text_of(values[name], notes)))
    if not captions:
        raise LeftOutError(NO_CAPTION, uid)
    if len(captions) < len(columns):
        notes.note("fewer captions than columns for them", uid)
    return ImportedQuestion(
        id=f"{uid}_{CAPTION}",
        task=CAPTION,
        text=CAPTION_TEXT,
        answer=captions[0],
        references=captions,
        media=_views(uid),
        groups=Groups(cluster=uid),
        tags={"official_id": uid, "object": uid},
        any_medium=True,
    )


def kit_draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a table that carries its own media, in another kit's columns."""
    values = row.values
    index = first_text(values, ("index", "qid", "id"), notes)
    text = text_of(values.get("question"), notes)
    if not index or not text:
        raise LeftOutError(NO_TEXT, index)
    category = first_text(values, ("category", "task", "Category"), notes)
    plain = ImportedQuestion(
        id=index,
        task=CAPTION,
        text=text,
        answer="",
        media=tuple(map(_with_view, media_of(values, notes))),
        groups=Groups(cluster=index.partition("_")[0]),
        tags={"official_id": index, "category": category},
        index=index,
    )
    if category == CAPTION:
        references = _references(values, notes)
        return replace(plain, answer=references[0], references=references)
    options = options_of(values, notes)
    choices = checked(options, _OFFICIAL_OPTIONS, notes)
    task, answer = _task(category, category, notes), picked(options, values.get("answer"), notes)
    return replace(plain, task=task, choices=choices, answer=answer)


def _references(values: Mapping[str, object], notes: Notes) -> tuple[str, ...]:
    """Return what people wrote of an object: the list that is the answer. Raises LeftOutError for none."""
    said = structure_of(values.get("answer"))
    found = tuple(t for v in (said if isinstance(said, list) else [said]) if (t := text_of(v, notes)))
    if not found:
        raise LeftOutError(NO_CAPTION, text_of(values.get("index"), notes))
    return found


def _with_view(wanted: Wanted) -> Wanted:
    """Return a medium with the number of its view, where its file's name tells it."""
    if isinstance(wanted, NamedFile) and (view := _VIEW.search(wanted.names[0])):
        return replace(wanted, view=int(view[1]))
    return wanted


def _views(uid: str) -> tuple[NamedFile, ...]:
    """Return the views of an object, those that the official code shows first of all required."""
    return tuple(
        NamedFile(
            names=(f"{uid}/view_{k}_rgb_white_bg.mp4", f"{uid}/view_{k}_rgb_white_bg"),
            view=k,
            optional=k not in OFFICIAL_VIEWS,
        )
        for k in range(MOST_VIEWS)
    )


def _task(suffix: str, category: str, notes: Notes) -> str:
    by_suffix = OFFICIAL.get(suffix.strip().casefold().replace(" ", "_"))
    plain = category.casefold().replace(" ", "_")
    by_category = OFFICIAL.get(plain) or next(
        (task for task in TASKS if plain and task.startswith(plain.partition("_")[0])), None
    )
    if by_suffix is None and by_category is None:
        raise LeftOutError(NO_TASK, suffix or category)
    if by_suffix and by_category and by_suffix != by_category:
        notes.note("id and category name different tasks; the id counts", f"{suffix}: {category}")
    return by_suffix or by_category or ""


def _options(values: Mapping[str, object], notes: Notes) -> Options:
    """Return the options of a record, whatever their keys are called, in the order that the keys tell."""
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        if name.startswith(_NOT_CHOICES):
            continue
        if isinstance(structure_of(value), list | dict):
            return listed(value, notes)
        if text := text_of(value, notes, nan=True):
            end = _CHOICE_END.search(name)
            found.append((end[1] if end else "", text))
    if all(mark for mark, _ in found):
        found.sort(key=lambda pair: (int(pair[0]) if pair[0].isdigit() else 0, pair[0]))
    return [(LETTERS[i], unmarked(text)) for i, (_, text) in enumerate(found[: len(LETTERS)])]


def _answer(values: Mapping[str, object]) -> object:
    for name in ("answer index", "answer_index", "answer_idx", "answer"):
        if values.get(name) is not None:
            return values[name]
    return None


def _number(row: TableRow) -> tuple[int, int] | None:
    values = {name.strip().casefold(): value for name, value in row.values.items()}
    number = integer_of(_answer(values))
    return None if number is None else (number, len(_options(values, Notes(row.where))))


def _is_questions(shape: FileShape) -> bool:
    columns = {name.strip().casefold() for name in shape.columns}
    return shape.keyed and "question" in columns and any(name.startswith("answer") for name in columns)


def _is_captions(shape: FileShape) -> bool:
    return {"folder_name", "caption_1"} <= shape.columns


LAYOUTS = (
    Layout(
        name="questions",
        source="official",
        benchmark="4d-bench",
        release="1",
        fits=_is_questions,
        holds="JSON keyed by UID_task, each with Question, Choice 1 …, Answer index, Category",
        draft=question_draft,
        number=_number,
        base=1,
        same_set=lambda shape: "the questions",
        least=751,
    ),
    Layout(
        name="captions",
        source="official",
        benchmark="4d-bench",
        release="1",
        fits=_is_captions,
        holds="folder_name, caption_1 … caption_5",
        draft=caption_draft,
        same_set=lambda shape: "the captions",
        least=580,
    ),
    Layout(
        name="vlmevalkit",
        source="vlmevalkit",
        benchmark="4d-bench",
        release="1",
        fits=is_kit_table,
        holds=KIT_HOLDS,
        draft=kit_draft,
        least=751,
    ),
)
"""Ref: 4D-Bench §3.1, §3.2."""
