"""What two datasets are compared by, and the few objects that a test asks of an export."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fathom.records import Media, Question
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, open_dataset
from fathom.store.files import read_json, write_bytes, write_json, write_jsonl

EVERY = ("4d-bench", "seed-bench", "seed-bench-2", "pulsecheck457", "sti-bench", "3dsrbench")
WITH_CAPTIONS = (*EVERY, "4d-bench-captions")


def said(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return what each question says, its media by their hashes, in their order."""
    dataset = open_dataset(folder)
    return {
        q.id: (
            q.task,
            q.text,
            q.choices,
            q.answer,
            q.references,
            q.span_s,
            q.groups.flip,
            [dataset.media(m).sha256 for m in q.media],
        )
        for q in dataset.questions()
    }


def table(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(1 << 27)
    with path.open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def parquet(folder: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(next(folder.glob("data/*.parquet"))).to_pylist()
    return rows


def dataset_of(folder: Path, questions: Sequence[Question], pictures: dict[str, bytes] | None = None) -> Path:
    """Write a dataset of questions, as an import would, with pictures by their ids."""
    import hashlib

    from fathom.records import Manifest

    media = []
    for name, data in (pictures or {}).items():
        write_bytes(folder / "media" / f"{name}.png", data)
        sha = hashlib.sha256(data).hexdigest()
        media.append(Media(id=name, path=f"media/{name}.png", kind="image", size=(6, 4), sha256=sha))
    write_jsonl(folder / QUESTIONS, questions)
    write_jsonl(folder / MEDIA, media)
    write_json(
        folder / MANIFEST,
        Manifest(
            kind="dataset",
            tool="fathom",
            tool_version="0",
            schema_version=2,
            command="import",
            settings={},
            benchmark="3dsrbench",
            benchmark_version="1",
            identity="0" * 64,
            complete=True,
        ),
    )
    assert read_json(folder / MANIFEST, Manifest).complete
    return folder


def choice(question_id: str, text: str = "Which?", choices: tuple[str, ...] = ("left", "right")) -> Question:
    return Question(
        id=question_id, task="height_higher", text=text, answer=choices[-1], choices=choices, media=("p",)
    )
