"""What moves from step to step: objects, settings, and questions that are not yet accepted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from fathom.build.written.rules import SUBTASKS
from fathom.media.sampling import sample, spread
from fathom.records import DataError, InputError, Media, MediaPart, Record
from fathom.store.datasets import MEDIA, Dataset, has_film
from fathom.store.files import read_jsonl

OFFICIAL_VIEWS = (1, 8, 16)
"""The views that are shown where three are, as in the protocol of the benchmark."""


class Writing(Record, frozen=True, kw_only=True):
    """What is written, and from what.

    The models see `frames` frames of `views` views. `each` is how many questions a writer is asked for, of
    each object and subtask; `objects` how many objects (0: all). What `readers` blind readers all get right
    goes.
    """

    seed: str = "0"
    tasks: tuple[str, ...] = tuple(SUBTASKS)
    views: int = 3
    frames: int = 6
    each: int = 1
    objects: int = 0
    readers: int = 2


def check_writing(writing: Writing) -> None:
    """Raise InputError for settings that make no sense."""
    for name in writing.tasks:
        if name not in SUBTASKS:
            raise InputError(
                f"task {name!r}: nobody has said how to write it; there are {', '.join(SUBTASKS)}"
            )
    if not writing.tasks or min(writing.views, writing.frames, writing.each, writing.readers) < 1:
        raise InputError(
            f"writing {writing.each} questions of {len(writing.tasks)} subtasks from {writing.views} × "
            f"{writing.frames} frames with {writing.readers} readers: expected at least one of each"
        )


class Candidate(Record, frozen=True, kw_only=True):
    """A question as a model wrote it, its options in the order in which they are shown."""

    id: str
    object: str
    task: str
    text: str
    choices: tuple[str, ...]
    answer: str
    reasoning: str = ""
    writer: str = ""


class Shown(Record, frozen=True, kw_only=True):
    """One object, with the videos or pictures of its views in their order."""

    id: str
    media: tuple[Media, ...]


def objects_of(dataset: Dataset, most: int = 0) -> Iterator[Shown]:
    """Yield the objects of a dataset in the order of its media, at most so many (0: all).

    Media belong together by their scene, or by the folder in which they lie. Raises DataError where a medium
    does not validate.
    """
    found: dict[str, list[Media]] = {}
    for media in read_jsonl(dataset.path / MEDIA, Media):
        name = media.scene or PurePosixPath(media.path).parent.name
        found.setdefault(name, []).append(media)
    for count, (name, listed) in enumerate(found.items(), 1):
        yield Shown(id=name, media=tuple(sorted(listed, key=lambda m: m.view)))
        if count == most:
            return


def is_of_objects(dataset: Dataset) -> bool:
    """Return whether a dataset shows objects, each filmed from several directions."""
    if not (dataset.path / MEDIA).is_file():
        return False
    return any(len({m.view for m in shown.media if m.kind == "video"}) > 1 for shown in objects_of(dataset))


def views_shown(shown: Shown, views: int) -> tuple[Media, ...]:
    """Return the media of the views that models see, of those of which there are pictures.

    Raises InputError where there are none.
    """
    seen = [m for m in shown.media if m.stills or has_film(m)]
    if not seen:
        raise InputError(
            f"object {shown.id}: there are no pictures of it for a model to see; build the dataset with a "
            "renderer"
        )
    by_view = {m.view: m for m in seen}
    if views == len(OFFICIAL_VIEWS) and by_view.keys() >= set(OFFICIAL_VIEWS):
        return tuple(by_view[view] for view in OFFICIAL_VIEWS)
    return tuple(seen[i] for i in spread(len(seen), views))


def pictures_of_view(media: Media, frames: int) -> tuple[MediaPart, ...]:
    """Return the pictures that models see of one view: frames of its video, or the picture that it is.

    Raises DataError where a video does not say how many frames it has.
    """
    if media.kind != "video":
        return (MediaPart(media=media.id),)
    if media.frames < 1:
        raise DataError(f"media {media.id!r}: is a video of no frames; build or import the dataset again")
    chosen = sample(media.frames, frames, "floor-step")
    if media.stills and not media.stills.keys() >= set(chosen):
        there = sorted(media.stills)
        chosen = tuple(there[i] for i in sample(len(there), frames, "linspace"))
    return tuple(MediaPart(media=media.id, frame=frame) for frame in chosen)
