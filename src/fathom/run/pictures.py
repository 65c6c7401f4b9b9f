"""The pictures of prompts as bytes."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.records import InputError, MediaPart
from fathom.store.datasets import Dataset


class Pictures:
    """From the pictures of a prompt to their bytes, out of one dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def __call__(self, parts: Sequence[MediaPart]) -> list[bytes]:
        """Return the bytes of each picture, as they lie on disk.

        Raises DataError where a file is missing or was changed, InputError where a frame of a video is asked
        for.
        """
        for part in parts:
            if part.frame >= 0:
                raise InputError(f"{part.media}: frames of videos cannot be shown yet")
        return [self._dataset.media_bytes(part.media) for part in parts]
