"""SEED-Bench's official JSON as its authors' loader reads it, in a few lines of our own.

Their loader is given a folder of pictures and one for each dimension of videos; it opens what `data_id` names
there, takes frames where a segment has whole numbers and seconds else, and asks the four choices.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
from PIL import Image

VIDEOS = {10, 11, 12}


@dataclass(frozen=True)
class Loaded:
    """An item as their evaluation takes it; `frames` are what was read: one of a picture."""

    id: str
    kind: str
    question: str
    choices: tuple[str, str, str, str]
    right: str
    frames: int


def loaded(out: Path) -> Iterator[Loaded]:
    """Yield every item of an exported folder."""
    found = json.loads((out / "SEED-Bench.json").read_text(encoding="utf-8"))
    kinds = {number: title for title, number in found["question_type"].items()}
    for item in found["questions"]:
        letters = ("a", "b", "c", "d")
        a, b, c, d = (item[f"choice_{letter}"] for letter in letters)
        kind = item["question_type_id"]
        assert (kind in VIDEOS) == (item["data_type"] == "video")
        yield Loaded(
            id=item["question_id"],
            kind=kinds[kind],
            question=item["question"],
            choices=(a, b, c, d),
            right=(a, b, c, d)[letters.index(item["answer"].casefold())],
            frames=_frames(out, item)
            if kind in VIDEOS
            else _picture(out / "SEED-Bench-image" / item["data_id"]),
        )


def _picture(path: Path) -> int:
    with path.open("rb") as file:
        Image.open(file).convert("RGB")
    return 1


def _frames(out: Path, item: dict[str, object]) -> int:
    segment = item.get("segment")
    with av.open(str(out / "videos" / str(item["data_id"]))) as container:
        stream = container.streams.video[0]
        count, rate = sum(1 for _ in container.decode(stream)), float(stream.average_rate or 1)
    if not isinstance(segment, list):
        return count
    first, last = segment
    whole = isinstance(first, int)
    assert whole == (item["question_type_id"] == 12)
    start, stop = (first, last) if whole else (int(first * rate), int(last * rate))
    return len(range(count)[start:stop])
