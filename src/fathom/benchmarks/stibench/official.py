"""STI-Bench's official files: a table of questions, and the videos that they are about.

    qa.parquet    Video, Source, Task, ID, Question, Candidates {A … E}, Answer, time_start, time_end, Scene
    video.zip or the folder that it unpacks to

VLMEvalKit's table: index, video, question, options, answer, task_type, time_start, time_end; as Parquet the
video is a list of paths, and the task may be called the category.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from fathom.benchmarks.stibench.tasks import TASKS
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape, TableRow
from fathom.formats.table_cells import (
    NO_TEXT,
    Options,
    checked,
    first_text,
    integer_of,
    listed,
    picked,
    span_of,
    structure_of,
    text_of,
)
from fathom.formats.vlmevalkit import is_kit_table, media_of, options_of
from fathom.records import Groups

NO_TASK = "a task that the benchmark does not have"

_OPTIONS = 5
_PLAIN_TASKS = {re.sub(r"[^a-z0-9]+", "", title.casefold()): task for task, title in TASKS.items()}


def draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row, official or VLMEvalKit's."""
    values = row.values
    video = _video(values, notes)
    text = first_text(values, ("Question", "question"), notes)
    index = text_of(values.get("index"), notes)
    name = PurePosixPath(video.replace("\\", "/")).name
    media: tuple[Wanted, ...] = (
        (NamedFile(names=(name, f"{name}.mp4")),) if video else media_of(values, notes)
    )
    if not media or not text:
        raise LeftOutError(NO_TEXT, video)
    options = _options(values, notes)
    choices = checked(options, _OPTIONS, notes)
    start, end = values.get("time_start"), values.get("time_end")
    number = first_text(values, ("ID", "id"), notes)
    official = "|".join((video, number, text_of(start, notes), text_of(end, notes)))
    return ImportedQuestion(
        id=index or official,
        task=_task(first_text(values, ("Task", "task_type", "task", "category"), notes)),
        text=text,
        answer=picked(options, values.get("Answer", values.get("answer")), notes),
        media=media,
        choices=choices,
        span_s=span_of(start, end, notes),
        groups=Groups(cluster=PurePosixPath(name).stem),
        tags={
            "official_id": index or official,
            "video": name,
            "source": first_text(values, ("Source", "source"), notes),
            "setting": first_text(values, ("Scene", "scene"), notes).casefold(),
            "kind": text_of(values.get("QType"), notes),
        },
        index=index,
    )


def _video(values: Mapping[str, object], notes: Notes) -> str:
    """Return the name of a row's video, also where it is a list of one."""
    cell = structure_of(values.get("Video", values.get("video")))
    return text_of(cell[0] if isinstance(cell, list) and len(cell) == 1 else cell, notes)


def _options(values: Mapping[str, object], notes: Notes) -> Options:
    """Return the options; a Parquet struct has all letters, and None under those that are not used."""
    if "Candidates" in values:
        return listed(values["Candidates"], notes)
    return options_of(values, notes)


def _task(title: str) -> str:
    task = title if title in TASKS else _PLAIN_TASKS.get(re.sub(r"[^a-z0-9]+", "", title.casefold()))
    if task is None:
        raise LeftOutError(NO_TASK, title)
    return task


def _number(row: TableRow) -> tuple[int, int] | None:
    number = integer_of(row.values.get("Answer", row.values.get("answer")))
    return None if number is None else (number, len(_options(row.values, Notes(row.where))))


def _is_official(shape: FileShape) -> bool:
    return {"Video", "Question", "Candidates", "Answer"} <= shape.columns


def _is_kit(shape: FileShape) -> bool:
    columns = shape.columns
    named = {"video", "task_type"} <= columns or ({"category"} <= columns and is_kit_table(shape))
    return named and {"question", "answer"} <= columns and "prediction" not in columns


LAYOUTS = tuple(
    Layout(
        name=name,
        source=name,
        benchmark="sti-bench",
        release="1",
        fits=fits,
        holds=holds,
        draft=draft,
        number=_number,
        same_set=lambda shape: "" if shape.name.endswith(".parquet") else "the questions",
        least=2_064,
    )
    for name, fits, holds in (
        ("official", _is_official, "Video, Question, Candidates, Answer, Task, time_start, time_end"),
        ("vlmevalkit", _is_kit, "video, question, options, answer, task_type, time_start, time_end"),
    )
)
"""Ref: STI-Bench §3."""
