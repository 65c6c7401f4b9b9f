"""What a dataset is about, by its media: objects with their views, or single videos."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from fathom.records import Media
from fathom.store.datasets import MEDIA, Dataset
from fathom.store.files import read_jsonl


@dataclass(frozen=True)
class Subject:
    """Something that a dataset shows, with the media that show it in the order of their views."""

    id: str
    media: tuple[Media, ...]


def subjects_of(dataset: Dataset, most: int = 0) -> Iterator[Subject]:
    """Yield what a dataset is about in the order of its media, at most so many (0: all).

    Media belong together by their scene, or by the folder in which they lie. Raises DataError where a medium
    does not validate.
    """
    found: dict[str, list[Media]] = {}
    for media in read_jsonl(dataset.path / MEDIA, Media):
        name = media.scene or PurePosixPath(media.path).parent.name
        found.setdefault(name, []).append(media)
    for count, (name, listed) in enumerate(found.items(), 1):
        yield Subject(name, tuple(sorted(listed, key=lambda m: m.view)))
        if count == most:
            return
