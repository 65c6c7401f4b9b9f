"""Clips: a stretch of a video as a film of its own, with no frame of what comes before or after."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from fathom.media.film import FilmWriter
from fathom.media.video import Picture, VideoInfo, iter_frames
from fathom.records import InputError

QUALITY = 20
"""The constant rate factor of clips: they are looked at, and not measured."""

_NEARLY = 1e-6
"""So much of a frame a time may be off by rounding."""


def frames_between(info: VideoInfo, start_s: float, stop_s: float, fps: float) -> tuple[list[int], float]:
    """Return the numbers of the frames that show a stretch at no more than `fps`, and their rate.

    A frame is shown from its own time to that of the next one. No frame is taken whose time is before the
    start, but for the one that is shown then, and none whose time is at or after the end.
    """
    rate = min(fps, info.fps)
    count = max(1, math.floor((stop_s - start_s) * rate + _NEARLY))
    numbers = [math.floor((start_s + k / rate) * info.fps + _NEARLY) for k in range(count)]
    last = math.ceil(stop_s * info.fps - _NEARLY) - 1
    last = min(last, info.frames - 1)
    return [n for n in numbers if n <= last] or [last], rate


def cut(
    path: Path, info: VideoInfo, start_s: float, stop_s: float, out: Path, fps: float, height: int
) -> None:
    """Write the stretch of a video to `out`: whole, or not at all.

    It has at most `fps` frames a second and at most `height` pixels from top to bottom. Raises InputError
    where frames are not at even times, so that a number does not give a time, or cannot be decoded.
    """
    if not info.steady:
        raise InputError(f"{path}: its frames are not at even times; convert it to a constant rate")
    numbers, rate = frames_between(info, start_s, stop_s, fps)
    size = _size(info, height)
    with FilmWriter(out, rate, size, QUALITY) as film:
        for _, picture in iter_frames(path, numbers):
            film.add(_resized(picture, size))


def _size(info: VideoInfo, height: int) -> tuple[int, int]:
    """Return width and height, both even."""
    scale = min(1.0, height / info.height)
    return max(2, round(info.width * scale) // 2 * 2), max(2, round(info.height * scale) // 2 * 2)


def _resized(picture: Picture, size: tuple[int, int]) -> Picture:
    if picture.shape[1::-1] == size:
        return picture
    from PIL import Image

    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS))
