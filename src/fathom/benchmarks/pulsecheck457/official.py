"""PulseCheck457's official files: one list of questions a task, and the pictures that they are about.

    questions/L1_single.json …   image_filename, question, answer, program, question_index
    images/superCLEVR_new_0XXXXX.png

The task is the file's name; in a VLMEvalKit table it is the category, in lmms-eval's the configuration.
Answers are open: true and false are written as yes and no, and numbers as they stand.
"""

from __future__ import annotations

from fathom.benchmarks.pulsecheck457.tasks import PAPER_COUNTS, TASKS, VOCABULARY
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape, TableRow
from fathom.formats.table_cells import NO_ANSWER, NO_TEXT, first_text, text_of
from fathom.formats.vlmevalkit import is_kit_table, is_picture_table, media_of
from fathom.records import Groups

NO_TASK = "the task is not said: neither by a category, nor by the name of file or folder"
STRANGE_ANSWER = "an answer that no question of the benchmark can have"

_YES_NO = {"true": "yes", "false": "no", "yes": "yes", "no": "no"}
_COUNTS = tuple(str(n) for n in range(11))
_DIRECTIONS = ("front", "back", "left", "right")


def draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row, official or another kit's."""
    values = row.values
    task = _task(first_text(values, ("category", "level", "task"), notes), row.where)
    number = first_text(values, ("question_index", "index", "question_id"), notes) or str(row.ordinal)
    text = text_of(values.get("question"), notes)
    if not text:
        raise LeftOutError(NO_TEXT, number)
    answer, possible, asks = read_answer(text_of(values.get("answer"), notes))
    image = text_of(values.get("image_filename"), notes)
    return ImportedQuestion(
        id=f"{task}-{number}",
        task=task,
        text=text,
        answer=answer,
        media=_media(row, image, notes),
        possible=possible,
        equivalents=VOCABULARY.also.get(answer, ()),
        groups=Groups(cluster=image),
        tags={"official_id": number, "asks": asks},
        index=text_of(values.get("index"), notes),
    )


def read_answer(said: str) -> tuple[str, tuple[str, ...], str]:
    """Return the answer as it is written here, the answers that its kind can have, and what is asked.

    Raises LeftOutError for a word that is no answer of the benchmark.
    """
    plain = said.casefold()
    if not plain:
        raise LeftOutError(NO_ANSWER, said)
    if plain in _YES_NO:
        return _YES_NO[plain], ("yes", "no"), "exist"
    if plain in _COUNTS:
        return plain, _COUNTS, "count"
    of_shape = {word: shape for shape, words in VOCABULARY.also.items() for word in words}
    plain = plain if plain in VOCABULARY.shapes else of_shape.get(plain, plain)
    kinds = {
        "size": VOCABULARY.sizes,
        "color": VOCABULARY.colors,
        "shape": tuple(VOCABULARY.shapes),
        "pose": _DIRECTIONS,
    }
    for asks, possible in kinds.items():
        if plain in possible:
            return plain, possible, asks
    raise LeftOutError(STRANGE_ANSWER, said)


def _media(row: TableRow, image: str, notes: Notes) -> tuple[Wanted, ...]:
    # The official records also have `image`, the name without extension.
    return (NamedFile(names=(f"images/{image}", image)),) if image else media_of(row.values, notes)


def _task(category: str, where: str) -> str:
    """Return the task that a category names, or the path of a file."""
    plain = category.casefold()
    place = where.casefold()
    for task in TASKS:
        if plain == task.casefold() or (not plain and task.casefold() in place):
            return task
    raise LeftOutError(NO_TASK, category)


def _is_official(shape: FileShape) -> bool:
    return {"image_filename", "question", "answer"} <= shape.columns


def _is_lmms(shape: FileShape) -> bool:
    return is_picture_table(shape) and {"question", "answer"} <= shape.columns


LAYOUTS = tuple(
    Layout(
        name=name,
        source=name,
        benchmark="pulsecheck457",
        release="1",
        fits=fits,
        holds=holds,
        draft=draft,
        least=min(PAPER_COUNTS.values()),  # each task has a column of its own, and can stand alone
    )
    for name, fits, holds in (
        ("lmms-eval", _is_lmms, "Parquet with question, answer, and image or images"),
        ("official", _is_official, "a list of image_filename, question, answer, question_index"),
        ("vlmevalkit", is_kit_table, "index, question, answer, category, and image, image_path or video"),
    )
)
"""Ref: PulseCheck457 §3."""
