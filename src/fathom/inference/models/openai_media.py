"""Pictures and videos as data URLs.

What takes long, frames of videos and pictures made smaller, is got ready in threads while others wait, and
once, however many questions wait for it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal

from fathom.inference.backend import MediaBytes
from fathom.inference.bodies import Picture, Piece
from fathom.media.images import inspect_image, shrink_image, upright_image
from fathom.records import InputError, MediaPart

KEPT_BYTES = 8 << 20
"""Pictures kept for the next question about the same scene, as data URLs once that has come."""

MOST_VIDEO_BYTES = 128 << 20

Shown = tuple[Literal["image", "video"], MediaPart]
"""One object that goes out as a data URL: a picture or a frame, or a video as it lies on disk."""

URLs = dict[Shown, Piece]


class DataURLs:
    """What is shown, ready to be sent as data URLs; the last few are kept."""

    def __init__(self, max_side_px: int = 0) -> None:
        """Take how long the longer side of a picture may be; 0: as it is."""
        self._max_side_px = max_side_px
        self._kept: OrderedDict[Shown, Piece] = OrderedDict()
        self._kept_bytes = 0
        self._coming: dict[Shown, asyncio.Task[URLs]] = {}

    async def of(self, shown: Sequence[Shown], media: MediaBytes) -> URLs:
        """Return the data URL of each. Raises DataError or InputError where one cannot be had."""
        found: URLs = {}
        coming: dict[Shown, asyncio.Task[URLs]] = {}
        missing: list[Shown] = []
        for one in dict.fromkeys(shown):
            if one in self._kept:
                found[one] = self._encoded_once(one)
            elif one in self._coming:
                coming[one] = self._coming[one]
            else:
                missing.append(one)
        if missing and not self._takes_long(missing):
            found |= self._keep(self._encode(missing, media))
        elif missing:
            task = asyncio.create_task(self._encode_aside(missing, media))
            self._coming |= dict.fromkeys(missing, task)
            coming |= dict.fromkeys(missing, task)
        for one, task in coming.items():
            # Whoever is cut off while it waits must not take the others' pictures along.
            found[one] = (await asyncio.shield(task))[one]
        return found

    def _encoded_once(self, one: Shown) -> Piece:
        """Return a kept picture; that it is wanted again makes its data URL worth keeping."""
        piece = self._kept[one]
        self._kept.move_to_end(one)
        if isinstance(piece, Picture):
            self._kept_bytes -= len(piece.data)
            piece = piece.url()
            self._keep({one: piece})
        return piece

    def _takes_long(self, shown: Sequence[Shown]) -> bool:
        return bool(self._max_side_px) or any(kind == "video" or part.frame >= 0 for kind, part in shown)

    async def _encode_aside(self, shown: Sequence[Shown], media: MediaBytes) -> URLs:
        try:
            return self._keep(await asyncio.to_thread(self._encode, shown, media))
        finally:
            for one in shown:
                del self._coming[one]

    def _encode(self, shown: Sequence[Shown], media: MediaBytes) -> URLs:
        data = media([part for _, part in shown])
        return {one: _data_url(d, one, self._max_side_px) for one, d in zip(shown, data, strict=True)}

    def _keep(self, urls: URLs) -> URLs:
        self._kept |= urls
        self._kept_bytes += sum(map(_weight, urls.values()))
        while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
            self._kept_bytes -= _weight(self._kept.popitem(last=False)[1])
        return urls


def _weight(piece: Piece) -> int:
    return len(piece.data) if isinstance(piece, Picture) else len(piece)


def _data_url(data: bytes, shown: Shown, max_side_px: int) -> Picture:
    kind, part = shown
    if kind == "video":
        mime = _video_mime(data, part.media)
    else:
        if max_side_px:
            data = shrink_image(data, max_side_px, part.media)
        else:
            data = upright_image(data, part.media)
        mime = inspect_image(data, part.media).mime
    return Picture(b"data:" + mime.encode() + b";base64,", data)


def _video_mime(data: bytes, where: str) -> str:
    """Return the media type of a video. Raises InputError for one that no server takes, or that is huge."""
    if len(data) > MOST_VIDEO_BYTES:
        raise InputError(
            f"{where}: the video has {len(data):,} bytes, and at most {MOST_VIDEO_BYTES:,} go out in one "
            "piece; send frames with --option video=pictures"
        )
    if data[4:8] == b"ftyp":
        return "video/quicktime" if data[8:10] == b"qt" else "video/mp4"
    if data[:4] == b"\x1aE\xdf\xa3":
        return "video/webm" if b"webm" in data[:64] else "video/x-matroska"
    if data[:4] == b"RIFF" and data[8:12] == b"AVI ":
        return "video/x-msvideo"
    raise InputError(
        f"{where}: expected an MP4, WebM, Matroska or AVI video, found something else (first bytes "
        f"{data[:8].hex(' ') or 'none'}); send frames with --option video=pictures"
    )
