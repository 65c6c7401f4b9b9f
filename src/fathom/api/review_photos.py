"""Photographs as something that people write questions about, with what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.scoring import Say
from fathom.records import InputError, MediaPart, Question, WrittenForm

if TYPE_CHECKING:
    from fathom.review.records import OfferedMark, ReviewClip
    from fathom.review.source import ReviewSource

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif")


@dataclass(frozen=True)
class PhotoHelp:
    """What goes with photographs: whose questions are written, in which forms, and COCO's instances."""

    benchmark: str
    tasks: Mapping[str, str]
    forms: tuple[WrittenForm, ...]
    instances: Path | None = None


def source_of_photos(folder: Path, more: PhotoHelp, say: Say) -> ReviewSource:
    """Return photographs as something to review. Raises InputError where the folder has none."""
    from fathom.review.source import ReviewSource
    from fathom.store.seeds import short_hash

    names = _different(folder, _photo_names(folder), say)
    if not names:
        raise InputError(
            f"{folder}: is no dataset and no run, and has no photographs ({', '.join(PHOTOS)}); "
            "check the path"
        )

    def questions() -> Iterator[Question]:
        for name in names:
            yield Question(id=name, task="photographs", text="", answer="", media=(name,), scene=name)

    def shown(question: Question) -> tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]:
        return tuple(MediaPart(media=m) for m in question.media), ()

    identity = short_hash("photographs", *names, length=32)
    return ReviewSource(
        path=folder,
        title=folder.name,
        identity=identity,
        benchmark=more.benchmark,
        tasks=more.tasks,
        questions=questions,
        shown=shown,
        forms=more.forms,
        offered=_offered(folder, more.instances, names, say),
    )


def _offered(
    folder: Path, instances: Path | None, names: Sequence[str], say: Say
) -> Callable[[Question], tuple[OfferedMark, ...]]:
    """Return what is known of each photograph; `say` is told of all that does not fit."""
    from PIL import Image

    from fathom.formats.coco_instances import not_there, offered_of, read_instances
    from fathom.review.records import OfferedMark

    if instances is None:
        return lambda question: ()
    found = read_instances(instances)
    marks: dict[str, tuple[OfferedMark, ...]] = {}
    for sentence in (*found.said, not_there(found, names, folder)):
        if sentence:
            say(sentence)
    for name in names:
        with Image.open(folder / name) as opened:
            size, orientation = opened.size, opened.getexif().get(0x0112, 1)
        known, problem = offered_of(found, name, size, orientation)
        if problem:
            say(problem)
        marks[name] = tuple(OfferedMark(label=k.label, box=k.box) for k in known)
    return lambda question: marks.get(question.id, ())


def _photo_names(folder: Path) -> list[str]:
    return sorted(
        p.relative_to(folder).as_posix()
        for p in folder.rglob("*")
        if p.suffix.lower() in PHOTOS and p.is_file() and not p.is_symlink()
    )


def _different(folder: Path, names: list[str], say: Say) -> list[str]:
    """Return the names of photographs that can be read, of equal files the first; say which are left out."""
    from PIL import Image

    from fathom.store.files import sha256_file

    first: dict[str, str] = {}
    for name in names:
        try:
            with Image.open(folder / name):
                known = first.setdefault(sha256_file(folder / name), name)
        except (OSError, ValueError, Image.DecompressionBombError) as e:
            say(f"{name}: cannot be read as a picture ({e}); it is left out")
            continue
        if known != name:
            say(f"{name}: is the same file as {known}; it is shown once")
    return list(first.values())
