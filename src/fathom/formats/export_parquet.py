"""One Parquet table of a dataset's questions with their pictures in it, as lmms-eval and `datasets` read it.

index, question, A, B … (in SEED-Bench choice_a, choice_b …), answer, category, and a benchmark's own columns;
image      {bytes, path}, or `images`, a list of them, where any question has several
video      list of paths of videos, which lie in the folder `videos` beside the table's
and what Fathom knows beyond that: answer_text, choices, possible, equivalents, references, cluster, flip,
pair, and the tags as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from fathom.formats.export_columns import text_columns
from fathom.formats.export_media import MediaShelf
from fathom.formats.export_plan import ExportPlan, Progress, Survey
from fathom.records import Question, missing_extra

TABLE = "data/test-00000-of-00001.parquet"
VIDEOS = "videos"

_GROUP_BYTES = 16 << 20
_GROUP_ROWS = 1000
_LISTS = ("choices", "possible", "equivalents", "references")


def write_parquet(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> Path:
    """Write the table, a group of rows at a time, and return its path.

    Raises MissingExtraError where pyarrow is missing.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise missing_extra("pyarrow", "tables", "writing Parquet files") from e
    path = shelf.out / TABLE
    path.parent.mkdir(parents=True, exist_ok=True)
    schema, done = _schema(plan, found), 0
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for group in _groups(plan, found, shelf):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            done += len(group)
            progress("exporting", done, found.questions, path.name)
    return path


def _groups(plan: ExportPlan, found: Survey, shelf: MediaShelf) -> Iterator[list[dict[str, object]]]:
    """Yield the rows in groups that fit in memory."""
    group: list[dict[str, object]] = []
    held = 0
    for question in plan.dataset.questions():
        row, size = _row(question, plan, found, shelf)
        if group and (held + size > _GROUP_BYTES or len(group) >= _GROUP_ROWS):
            yield group
            group, held = [], 0
        group.append(row)
        held += size
    yield group


def _row(
    question: Question, plan: ExportPlan, found: Survey, shelf: MediaShelf
) -> tuple[dict[str, object], int]:
    """Return the row of a question, and how many bytes its pictures have."""
    row = _text(question, plan, found)
    row |= {name: list(getattr(question, name)) for name in _LISTS}
    row |= {
        "answer_text": question.answer,
        "cluster": question.groups.cluster,
        "flip": question.groups.flip,
        "pair": question.groups.pair,
        "tags": msgspec.json.encode(question.tags).decode(),
    }
    named = [shelf.picture(media) for media in shelf.of(question, "image")]
    pictures = [{"bytes": data, "path": name} for name, data in named]
    if found.pictures == 1:
        row["image"] = pictures[0] if pictures else None
    elif found.pictures:
        row["images"] = pictures
    if found.videos:
        row["video"] = shelf.video_files(shelf.of(question, "video"), VIDEOS)
    return row, sum(len(data) for _, data in named)


def _text(question: Question, plan: ExportPlan, found: Survey) -> dict[str, object]:
    return text_columns(question, plan.own, found, plan.own.options)


def _schema(plan: ExportPlan, found: Survey) -> Any:
    """Return the columns with their types, and what `datasets` is to make of them."""
    import pyarrow as pa

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    kinds: dict[str, tuple[Any, dict[str, object]]] = {
        "string": (pa.string(), _value("string")),
        "number": (pa.float64(), _value("float64")),
        "strings": (pa.list_(pa.string()), _list(_value("string"))),
        "numbers": (pa.list_(pa.float64()), _list(_value("float64"))),
        "picture": (picture, {"_type": "Image"}),
        "pictures": (pa.list_(picture), _list({"_type": "Image"})),
    }
    first = next(plan.dataset.questions())
    columns = dict.fromkeys(_text(first, plan, found), "string")
    columns |= {n: "number" for n in ("time_start", "time_end") if n in columns}
    columns |= {"segment": "numbers"} if "segment" in columns else {}
    columns |= {**dict.fromkeys(_LISTS, "strings"), "answer_text": "string"}
    columns |= dict.fromkeys(("cluster", "flip", "pair", "tags"), "string")
    if found.pictures:
        columns |= {"image": "picture"} if found.pictures == 1 else {"images": "pictures"}
    if found.videos:
        columns["video"] = "strings"
    features = {name: kinds[kind][1] for name, kind in columns.items()}
    return pa.schema(
        [(name, kinds[kind][0]) for name, kind in columns.items()],
        metadata={"huggingface": msgspec.json.encode({"info": {"features": features}})},
    )


def _value(dtype: str) -> dict[str, object]:
    return {"dtype": dtype, "_type": "Value"}


def _list(of: dict[str, object]) -> dict[str, object]:
    # By this name every version of `datasets` knows a list.
    return {"feature": of, "_type": "Sequence"}
