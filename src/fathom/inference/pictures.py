"""The pictures of prompts as bytes, and as pixels for models that run here.

A picture goes out as it lies on disk, and so does a frame of a video that lies beside it as a still. Other
frames are decoded and written as new pictures; all frames of one video that a request shows are decoded in
one go. Both calls block while they decode, and both may be called from several threads at once, as with
`asyncio.to_thread`.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from fathom.media.video import iter_frames
from fathom.records import DataError, InputError, MediaPart
from fathom.store.datasets import Dataset, has_film, not_rendered
from fathom.store.files import sha256_file

KEPT_BYTES = 64 << 20
"""Frames kept as pictures for the next question about the same video."""

JPEG_QUALITY = 95


class PromptImages:
    """From the pictures of a prompt to their bytes or pixels, out of one dataset.

    Frames become JPEG of this quality, PNG where it is 0.
    """

    def __init__(self, dataset: Dataset, jpeg_quality: int = JPEG_QUALITY) -> None:
        if not 0 <= jpeg_quality <= 100:
            raise InputError(f"JPEG quality: expected 0 (PNG) to 100, found {jpeg_quality}")
        self._dataset = dataset
        self._quality = jpeg_quality
        self._lock = Lock()
        self._kept: OrderedDict[MediaPart, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._unchanged: set[str] = set()

    def __call__(self, parts: Sequence[MediaPart]) -> list[bytes]:
        """Return the bytes of each picture.

        Raises DataError where a file is missing or was changed, InputError where a video cannot be decoded.
        """
        found = self._as_they_lie(parts)
        frames = set(parts) - found.keys()
        with self._lock:
            for part in frames & self._kept.keys():
                self._kept.move_to_end(part)
                found[part] = self._kept[part]
        for part, pixels in self._frames(frames - found.keys()):
            found[part] = self._keep(part, encode_picture(pixels, self._quality))
        return [found[part] for part in parts]

    def pixels(self, parts: Sequence[MediaPart]) -> list[NDArray[np.uint8]]:
        """Return each picture as (height, width, 3) RGB; frames are exactly what the video or still holds.

        Raises what `__call__` raises, and InputError where a picture cannot be decoded.
        """
        found = {part: decode_picture(data, part.media) for part, data in self._as_they_lie(parts).items()}
        found.update(self._frames(set(parts) - found.keys()))
        return [found[part] for part in parts]

    def _as_they_lie(self, parts: Sequence[MediaPart]) -> dict[MediaPart, bytes]:
        """Return the bytes of what lies on disk as a picture: pictures, and stills of videos."""
        found = {}
        for part in set(parts):
            if part.frame < 0:
                found[part] = self._dataset.media_bytes(part.media)
            elif part.frame in self._dataset.media(part.media).stills:
                found[part] = self._dataset.still_bytes(part.media, part.frame)
        return found

    def _frames(self, parts: set[MediaPart]) -> Iterator[tuple[MediaPart, NDArray[np.uint8]]]:
        """Yield the frames, each video opened once."""
        wanted: dict[str, list[int]] = {}
        for part in parts:
            wanted.setdefault(part.media, []).append(part.frame)
        for media_id, numbers in sorted(wanted.items()):
            media = self._dataset.media(media_id)
            path = self._dataset.media_path(media)
            if not has_film(media):
                raise DataError(not_rendered(media, sorted(numbers)))
            if not path.is_file():
                raise DataError(f"{path}: the video is missing; restore it, or import the dataset again")
            # A video is read many times and is large, so that its hash is taken once.
            if media_id not in self._unchanged and sha256_file(path) != media.sha256:
                raise DataError(
                    f"{path}: is not the video that media.jsonl describes (its SHA-256 is another than "
                    f"{media.sha256[:12]}…); restore it, or import the dataset again"
                )
            self._unchanged.add(media_id)
            for number, pixels in iter_frames(path, numbers):
                yield MediaPart(media=media_id, frame=number), pixels

    def _keep(self, part: MediaPart, data: bytes) -> bytes:
        with self._lock:
            if part not in self._kept:
                self._kept[part] = data
                self._kept_bytes += len(data)
            while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
                self._kept_bytes -= len(self._kept.popitem(last=False)[1])
        return data


def encode_picture(pixels: NDArray[np.uint8], jpeg_quality: int = JPEG_QUALITY) -> bytes:
    """Return (height, width, 3) RGB as a JPEG of this quality, as a PNG where it is 0."""
    from PIL import Image  # 30 ms to import, and most runs show pictures as they are

    out = io.BytesIO()
    if jpeg_quality:
        Image.fromarray(pixels).save(out, "JPEG", quality=jpeg_quality)
    else:
        Image.fromarray(pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()


def decode_picture(data: bytes, where: str) -> NDArray[np.uint8]:
    """Return a picture as (height, width, 3) RGB, the way up that its camera says.

    Raises InputError, with `where`, for what is no picture, is too large, or is damaged.
    """
    from PIL import Image, ImageOps

    from fathom.media.images import inspect_image

    inspect_image(data, where)
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
    except (OSError, ValueError, SyntaxError) as e:
        raise InputError(f"{where}: the picture cannot be decoded ({e}); replace it") from e
