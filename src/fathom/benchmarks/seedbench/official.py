"""SEED-Bench's official files of both versions, and other kits' tables of them.

    {"questions": [{"answer": "A" … "D", "choice_a" … "choice_d", "data_id", "data_type", "question",
     "question_id", "question_type_id", "segment"}], "question_type": {…}}

`data_id` is the name of a picture, mostly without extension, or the path of a video; where that is missing,
its eight frames by the question's id (task10/ssv2_8_frame/v1/1.png …) are taken. A segment of procedure
understanding counts frames at 15 a second, another one seconds. The second version's items that ask for
pictures are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from fathom.benchmarks.seedbench.tasks import NUMBERS, NUMBERS_SECOND, TASKS
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
    lettered,
    listed,
    picked,
    span_of,
    structure_of,
    text_of,
)
from fathom.formats.vlmevalkit import (
    KIT_HOLDS,
    is_kit_table,
    is_picture_table,
    media_of,
    named,
    options_of,
)

NO_TASK = "a task that the benchmark does not have"
GENERATION = "an item that asks for pictures; only answers in words are scored"
BAD_SEGMENT = "a segment that is none"

SEGMENT_FPS = 15.0
"""Segments given in frames count so many a second."""

_OPTIONS = 4
_HOLDS = "a list of question_id, question, choice_a … choice_d, answer, data_id, question_type_id"
_LMMS_HOLDS = "Parquet with question, choice_a … choice_d, answer, and image or images"
_PICTURES, _TODAY = 14_233, 17_990
"""How many questions there are on pictures, and how many in all since the videos were screened again."""

_IN_FRAMES = "procedure_understanding"
_FRAMES_EACH = 8
_FRAMES: Mapping[str, str] = {
    "action_recognition": "task10/ssv2_8_frame",
    "action_prediction": "task11/kitchen_8_frame",
    "procedure_understanding": "task12/breakfast_8_frame",
}
_COLUMNS = {"A": "choice_a", "B": "choice_b", "C": "choice_c", "D": "choice_d"}
_GENERATION_DIMENSIONS = frozenset({25, 26, 27})
_ALSO: Mapping[str, str] = {
    "instance_attribute": "instance_attributes",
    "instance_counting": "instances_counting",
    "instances_location": "instance_location",
    "text_recognition": "text_understanding",
    "interleaved_image_text_analysis": "interleaved_analysis",
}


def draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row, official or another kit's."""
    values = row.values
    question_id = first_text(values, ("question_id", "qid", "index"), notes)
    text = text_of(values.get("question"), notes)
    data_type = text_of(values.get("data_type"), notes)
    number = integer_of(values.get("question_type_id"))
    second = is_second(frozenset(values)) or bool(re.fullmatch(r"\d+_\d+", question_id))
    if "Generation" in data_type or (second and number in _GENERATION_DIMENSIONS):
        raise LeftOutError(GENERATION, question_id)
    if not text or not question_id:
        raise LeftOutError(NO_TEXT, question_id)
    options = _options(values, notes)
    choices = checked(options, _OPTIONS, notes)
    task = _task(number, first_text(values, ("category", "question_type"), notes), second)
    span, segment = _segment(values.get("segment"), task, notes)
    category = first_text(values, ("category", "question_type", "subpart"), notes)
    return ImportedQuestion(
        id=question_id,
        task=task,
        text=text,
        answer=picked(options, values.get("answer"), notes),
        media=_media(values, notes),
        instead=_frames(task, question_id),
        choices=choices,
        span_s=span,
        tags={
            "official_id": question_id,
            "category": category,
            "level": text_of(values.get("level"), notes),
            "data_type": data_type,
            "data_source": text_of(values.get("data_source"), notes),
            **segment,
        },
        index=text_of(values.get("index"), notes),
    )


def _options(values: Mapping[str, object], notes: Notes) -> Options:
    if "choice_a" in values:
        return lettered(values, _COLUMNS, notes)
    if "choices" in values:
        return listed(values["choices"], notes)
    return options_of(values, notes)


def _media(values: Mapping[str, object], notes: Notes) -> tuple[Wanted, ...]:
    if found := media_of(values, notes):
        return found
    cell = structure_of(values.get("data_id"))
    names = cell if isinstance(cell, list) else [cell]
    return tuple(named(name) for value in names if (name := text_of(value, notes)))


def _frames(task: str, question_id: str) -> tuple[NamedFile, ...]:
    """Return the frames that are published beside the questions, for those who do not have the videos."""
    folder = _FRAMES.get(task)
    if folder is None:
        return ()
    return tuple(NamedFile(names=(f"{folder}/{question_id}/{k}.png",)) for k in range(1, _FRAMES_EACH + 1))


def _segment(value: object, task: str, notes: Notes) -> tuple[tuple[float, float] | None, dict[str, str]]:
    """Return a segment in seconds, and as it stands. Raises LeftOutError where it is none."""
    value = structure_of(value)
    if value is None or value == "" or value == []:
        return None, {}
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise LeftOutError(BAD_SEGMENT, str(value)[:80])
    span = span_of(value[0], value[1], notes)
    if span is None:
        raise LeftOutError(BAD_SEGMENT, str(value)[:80])
    whole = all(integer_of(v) is not None for v in value)
    # The task tells: whole numbers may be whole seconds, and a table may hold frames as decimals.
    frames = whole and task == _IN_FRAMES
    said = {"segment": f"{span[0]:g},{span[1]:g}", "segment_unit": "frames" if frames else "seconds"}
    return (span[0] / SEGMENT_FPS, span[1] / SEGMENT_FPS) if frames else span, said


def _task(number: int | None, category: str, second: bool) -> str:
    if number is not None:
        task = (NUMBERS_SECOND if second else NUMBERS).get(number)
        if task is None:
            raise LeftOutError(NO_TASK, f"question_type_id {number}")
        return task
    plain = re.sub(r"[^a-z0-9]+", "_", category.casefold()).strip("_")
    task = _ALSO.get(plain, plain)
    if task not in TASKS:
        raise LeftOutError(NO_TASK, category)
    return task


def is_second(columns: frozenset[str]) -> bool:
    """Return whether these are columns of the second version."""
    return bool({"level", "subpart", "version", "data_source"} & columns)


def _is_official(shape: FileShape) -> bool:
    return {"question", "question_id", "choice_a", "answer", "data_id"} <= shape.columns


def _is_lmms(shape: FileShape) -> bool:
    return is_picture_table(shape) and {"question", "choice_a", "answer"} <= shape.columns


def _layouts(release: str, suffix: str) -> tuple[Layout, ...]:
    """Return the layouts of one version; `suffix` tells their names from the other's."""
    second = suffix != ""

    def mine(shape: FileShape) -> bool:
        return second == (is_second(shape.columns) or "seedbench2" in shape.name.casefold())

    def layout(
        name: str, source: str, fits: Callable[[FileShape], bool], holds: str, same: str = ""
    ) -> Layout:
        return Layout(
            name=f"{name}{suffix}",
            source=source,
            benchmark="seed-bench",
            release=release,
            fits=lambda shape: fits(shape) and mine(shape),
            holds=holds + (", and level, subpart or data_source" if second else ""),
            draft=draft,
            number=_number,
            not_asked=(GENERATION,),
            # The tables are of the first version, whose pictures alone are what one kit has.
            least=None if second else _PICTURES if source == "vlmevalkit" else _TODAY,
            same_set=lambda shape: same,
        )

    return (
        layout("lmms-eval", "lmms-eval", _is_lmms, _LMMS_HOLDS),
        layout("official", "official", _is_official, _HOLDS, "the questions"),
        layout("vlmevalkit", "vlmevalkit", is_kit_table, KIT_HOLDS),
    )


def _number(row: TableRow) -> tuple[int, int] | None:
    number = integer_of(row.values.get("answer"))
    return None if number is None else (number, len(_options(row.values, Notes(row.where))))


LAYOUTS = (*_layouts("1", ""), *_layouts("2", "-2"))
"""Ref: SEED-Bench §3.1."""
