"""Pictures, frames and videos of an item, as bytes for a browser; only what the item shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from fathom.records import MediaPart
from fathom.review.records import ReviewItem

PictureOf = Callable[[MediaPart], bytes]
"""From a picture or a frame to the bytes of a file that browsers show."""

FilmOf = Callable[[str], Path | None]
"""From a medium's id to its video file, None where there is none."""

KEPT = 256
"""So many pictures are kept ready."""

_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
    (b"BM", "image/bmp"),
)


def kind_of(data: bytes) -> str:
    """Return the media type of a picture by its first bytes; never one that a browser would run."""
    return next((kind for start, kind in _KINDS if data.startswith(start)), "application/octet-stream")


def frames_of(item: ReviewItem) -> tuple[MediaPart, ...]:
    """Return every picture that an item shows, in order: its pictures, then the frames of its clips."""
    return (*item.pictures, *(frame for clip in item.clips for frame in clip.frames))


class ItemMedia:
    """The pictures of items, kept ready."""

    def __init__(self, picture: PictureOf, film: FilmOf) -> None:
        self._picture = lru_cache(KEPT)(picture)
        self._film = film

    def picture(self, item: ReviewItem, index: int) -> bytes | None:
        """Return one of an item's pictures; None where it has no such one."""
        frames = frames_of(item)
        return self._picture(frames[index]) if 0 <= index < len(frames) else None

    def film(self, item: ReviewItem, index: int) -> Path | None:
        """Return the video file of one of an item's clips; None where it has none."""
        if not 0 <= index < len(item.clips) or not item.clips[index].whole:
            return None
        return self._film(item.clips[index].whole)
