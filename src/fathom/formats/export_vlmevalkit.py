"""VLMEvalKit: one TSV, a row a question, with pictures in base64 or beside it.

OUT/NAME.tsv    index, question, A, B …, answer, category; then, where there are any:
                image        base64; of several pictures a list; of one that an earlier row has, its index
                image_path   names of several pictures; or, with pictures as files, where they lie
                video        path, or list of paths, within OUT; options as a list, task_type beside it
OUT/images/     pictures, where they are to be files
OUT/videos/

A cell is what the dataset has, also where it begins with "=" or "@": a program that calculates with such
cells must be told that the file is text.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator

import msgspec

from fathom.formats.export_columns import as_list, text_columns
from fathom.formats.export_media import ExportedMedia, MediaShelf
from fathom.formats.export_plan import ExportPlan, Progress, Survey, slug
from fathom.formats.vlmevalkit import REFERENCE_CHARACTERS
from fathom.records import InputError, Question

IMAGES, VIDEOS = "images", "videos"

_QUOTE = '"'
_QUOTED = ("\t", "\r", "\n", _QUOTE)


def export_vlmevalkit(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write the table and return what is to be known about it."""
    name = f"{slug(plan.dataset.manifest.benchmark)}.tsv"
    with (shelf.out / name).open("w", encoding="utf-8", newline="") as out:
        for number, row in enumerate(_rows(plan, found, shelf), 1):
            if number == 1:
                out.write(line_of(row))
            out.write(line_of(row.values()))
            progress("exporting", number, found.questions, name)
    return _notes(plan, found, name)


def _rows(plan: ExportPlan, found: Survey, shelf: MediaShelf) -> Iterator[dict[str, object]]:
    met: dict[str, str] = {}
    for question in plan.dataset.questions():
        row = text_columns(question, plan.own, found)
        pictures = shelf.of(question, "image")
        if found.pictures and plan.files:
            row["image_path"] = _one_or_list([shelf.picture_file(m, IMAGES) for m in pictures])
        elif found.pictures:
            row["image"], names = embedded(question, pictures, shelf, met)
            if found.pictures > 1:
                row["image_path"] = _one_or_list(names)
        if found.videos:
            row["video"] = _one_or_list(shelf.video_files(shelf.of(question, "video"), VIDEOS))
            row["options"], row["task_type"] = as_list(question.choices), question.task
        yield row


def embedded(
    question: Question, pictures: list[ExportedMedia], shelf: MediaShelf, met: dict[str, str]
) -> tuple[str, list[str]]:
    """Return the cell of a question's pictures, and their names.

    `met` says which row has a picture already, by its hash; the question's id is what its row is called.
    """
    named = [shelf.picture(media) for media in pictures]
    names = [name for name, _ in named]
    if len(pictures) == 1 and (before := met.get(pictures[0].sha256)):
        return before, names
    texts = [base64.b64encode(data).decode() for _, data in named]
    short = next((n for n, text in zip(names, texts, strict=True) if len(text) <= REFERENCE_CHARACTERS), None)
    if short:
        raise InputError(
            f"question {question.id}: the picture {short} is so small that its base64 reads as the index of "
            "another row; export with --pictures files"
        )
    if len(pictures) == 1 and len(question.id) <= REFERENCE_CHARACTERS:
        met[pictures[0].sha256] = question.id
    return _one_or_list(texts), names


def _one_or_list(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else as_list(texts) if texts else ""


def line_of(cells: Iterable[object]) -> str:
    """Return a line of the table.

    Python's own writer leaves a lone carriage return bare, at which other readers break the line.
    """
    return "\t".join(map(_cell, cells)) + "\n"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    if isinstance(value, list):
        text = msgspec.json.encode(value).decode()
    return f'"{text.replace(_QUOTE, _QUOTE * 2)}"' if any(c in text for c in _QUOTED) else text


def _notes(plan: ExportPlan, found: Survey, name: str) -> list[str]:
    notes = []
    if plan.files:
        notes.append("paths in image_path begin in the folder: start VLMEvalKit there")
    if found.read_as_missing:
        notes.append(
            f"{found.read_as_missing:,} questions have an option or answer such as None or NA, which "
            f"VLMEvalKit takes for an empty cell of {name}"
        )
    if found.videos:
        notes.append("VLMEvalKit reads videos by a class of its own for each set; paths begin in the folder")
    if found.captions:
        notes.append("the answer of a caption is the list of what people wrote")
    return notes
