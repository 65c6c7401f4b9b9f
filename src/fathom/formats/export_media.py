"""The media of an export: names that are safe everywhere, and files beside the table.

A file is named by its hash, so that one picture of many questions lies there once; a video keeps the name by
which its benchmark knows it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fathom.records import DataError, Media, Question
from fathom.store.datasets import Dataset, has_film
from fathom.store.files import sha256_file

_PLAIN_PATH = re.compile(r"^(?:[A-Za-z0-9_][\w.+-]*/)*[A-Za-z0-9_][\w.+-]*\.[A-Za-z0-9]{2,5}$", re.ASCII)
_BEGINNINGS = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"GIF8", ".gif"), (b"RIFF", ".webp"))


@dataclass(frozen=True)
class ExportedMedia:
    """What a question shows: a picture, a video, or one still of a video that was not made whole."""

    media: Media
    frame: int | None = None

    @property
    def kind(self) -> str:
        """What an export holds it as: "image" or "video"."""
        return self.media.kind if self.frame is None else "image"

    @property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return self.media.sha256 if self.frame is None else self.media.stills[self.frame]


def shown(dataset: Dataset, question: Question) -> list[ExportedMedia]:
    """Return what a question shows, in its order; of a video not made whole, every still there is."""
    found: list[ExportedMedia] = []
    for media in map(dataset.media, question.media):
        if media.kind == "video" and not has_film(media):
            found += [ExportedMedia(media, frame) for frame in sorted(media.stills)]
        else:
            found.append(ExportedMedia(media))
    return found


@dataclass
class MediaShelf:
    """Gives out pictures as bytes and by name, and puts files beside the table; counts what it gave."""

    dataset: Dataset
    out: Path
    pictures: set[str] = field(default_factory=set)
    videos: set[str] = field(default_factory=set)

    def of(self, question: Question, kind: str) -> list[ExportedMedia]:
        """Return what a question shows of one kind, in its order."""
        return [s for s in shown(self.dataset, question) if s.kind == kind]

    def picture(self, seen: ExportedMedia) -> tuple[str, bytes]:
        """Return the name of a picture and its bytes as they are. Raises DataError where it was changed."""
        media, frame = seen.media, seen.frame
        if frame is None:
            data = self.dataset.media_bytes(media.id)
        else:
            data = self.dataset.still_bytes(media.id, frame)
        self.pictures.add(seen.sha256)
        return f"{seen.sha256[:32]}{suffix_of(data)}", data

    def picture_file(self, seen: ExportedMedia, folder: str) -> str:
        """Return the path of a picture in the export once it lies there."""
        name, data = self.picture(seen)
        target = self.out / folder / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return f"{folder}/{name}"

    def video_file(self, media: Media, folder: str) -> str:
        """Return the path of a video in the export once it lies there.

        Raises DataError where the video is missing, or is not the one that the dataset was made with.
        """
        path = f"{folder}/{video_name(media)}"
        if media.id in self.videos:
            return path
        source, target = self.dataset.media_path(media), self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, target)
        except FileNotFoundError as e:
            raise DataError(f"{source}: the video is missing; restore it, or import the dataset again") from e
        if sha256_file(target) != media.sha256:
            raise DataError(
                f"{source}: is not the video that media.jsonl describes (its SHA-256 is another than "
                f"{media.sha256[:12]}…); restore it, or import the dataset again"
            )
        self.videos.add(media.id)
        return path

    def video_files(self, videos: Sequence[ExportedMedia], folder: str) -> list[str]:
        """Return the paths of videos in the export once they lie there."""
        return [self.video_file(video.media, folder) for video in videos]


def video_name(media: Media) -> str:
    """Return a path for a video that stays in its folder, on any system: its id, or else its hash."""
    if _PLAIN_PATH.match(media.id) and len(media.id) < 200:
        return media.id
    suffix = PurePosixPath(media.path).suffix.casefold()
    return f"{media.sha256[:32]}{suffix if re.fullmatch(r'[.][a-z0-9]{2,5}', suffix) else '.mp4'}"


def suffix_of(data: bytes) -> str:
    """Return the ending that goes with the first bytes of a picture."""
    return next((suffix for beginning, suffix in _BEGINNINGS if data.startswith(beginning)), ".png")
