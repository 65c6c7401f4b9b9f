"""3DSRBench's official tables, plain and circular, joined with a folder of COCO pictures by name.

    3dsrbench_v1.csv                        index, question, A … D, answer, category, image_source, image_url
    3dsrbench_v1_vlmevalkit[_circular].tsv  the same with qid and the picture in base64

A qid is eight characters, `-flip` where the picture is mirrored, and `-N` where the options are turned by N.
A mirrored picture that is named and not given is made from the picture of that name. Tables of what people
wrote about photographs have a column more: the pair, which two questions in the same words share.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from fathom.benchmarks.threedsrbench.tasks import OPTION_COUNTS, TASKS
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.imported_media import Wanted
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import NamedFile
from fathom.formats.rows import FileShape, TableRow
from fathom.formats.table_cells import NO_TEXT, checked, first_text, integer_of, picked, text_of
from fathom.formats.vlmevalkit import KIT_HOLDS, is_kit_table, is_picture_table, media_of, options_of
from fathom.records import Groups

NO_TASK = "a task that the benchmark does not have"
NO_ID = "a row without an id"

_QID = re.compile(r"^(?P<base>[A-Za-z0-9]{8})(?P<flip>-flip)?(?:-(?P<turn>[1-3]))?$")


def draft(row: TableRow, notes: Notes) -> ImportedQuestion:
    """Return the question of a row; a circular copy says by how many places its options are turned."""
    values = row.values
    index = text_of(values.get("index"), notes)
    qid = text_of(values.get("qid"), notes) or index
    text = text_of(values.get("question"), notes)
    if not qid:
        raise LeftOutError(NO_ID, text)
    if not text:
        raise LeftOutError(NO_TEXT, qid)
    base, flipped, turn = parse_qid(qid)
    task = text_of(values.get("category"), notes)
    if task not in TASKS:
        raise LeftOutError(NO_TASK, task)
    options = options_of(values, notes)
    choices = checked(options, OPTION_COUNTS[task], notes)
    url = text_of(values.get("image_url"), notes)
    return ImportedQuestion(
        id=f"{base}-flip" if flipped else base,
        task=task,
        text=text,
        answer=picked(options, values.get("answer"), notes),
        media=_media(values, url, flipped, notes),
        choices=choices,
        groups=Groups(
            cluster=PurePosixPath(url).stem or base, flip=base, pair=text_of(values.get("pair"), notes)
        ),
        tags={
            "official_id": f"{base}-flip" if flipped else base,
            "image_source": text_of(values.get("image_source"), notes),
            "flipped": "yes" if flipped else "",
        },
        rotation=turn,
        index=index,
    )


def parse_qid(qid: str) -> tuple[str, bool, int]:
    """Return the base of a qid, whether the picture is mirrored, and how far the options are turned."""
    match = _QID.match(qid)
    if match is None:
        return qid, False, 0
    return match["base"], match["flip"] is not None, int(match["turn"] or 0)


def _media(values: Mapping[str, object], url: str, flipped: bool, notes: Notes) -> tuple[Wanted, ...]:
    if found := media_of(values, notes):
        return found
    parts = PurePosixPath(url).parts
    name = first_text(values, ("image_name", "file_name"), notes) or (parts[-1] if parts else "")
    if not name:
        return ()
    return (NamedFile(names=("/".join(parts[-2:]), name) if len(parts) > 1 else (name,), mirrored=flipped),)


def _number(row: TableRow) -> tuple[int, int] | None:
    number = integer_of(row.values.get("answer"))
    return None if number is None else (number, len(options_of(row.values, Notes(row.where))))


def _is_plain(shape: FileShape) -> bool:
    return {"question", "A", "B", "answer", "category", "image_url"} <= shape.columns and not (
        {"image", "prediction"} & shape.columns
    )


def _is_lmms(shape: FileShape) -> bool:
    return is_picture_table(shape) and {"question", "A", "B", "category"} <= shape.columns


LAYOUTS = tuple(
    Layout(
        name=name,
        source=name,
        benchmark="3dsrbench",
        release="1",
        fits=fits,
        holds=holds,
        draft=draft,
        number=_number,
        same_set=lambda shape: "" if shape.name.endswith(".parquet") else "the questions",
        least=2_100,
    )
    for name, fits, holds in (
        ("lmms-eval", _is_lmms, "Parquet with question, A, B …, answer, category, and image or images"),
        ("official", _is_plain, "index, question, A, B …, answer, category, image_url"),
        ("vlmevalkit", is_kit_table, KIT_HOLDS),
    )
)
"""Ref: 3DSRBench §3."""
