"""Recordings of real scenes as people have them on disk: ScanNet, Waymo, Omni6DPose.

A reader finds the videos of a folder, and makes of each one Scene with tracks, with where every frame's
picture lies. Nothing is copied, executed or unpickled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from fathom.formats.recordings.recordings import (
    FrameFile,
    Place,
    ReadReport,
    ReadSettings,
    Recording,
    Video,
    pictures,
)
from fathom.named import CANNOT_BE_IMPORTED, attribute_of
from fathom.records import InputError

__all__ = [
    "FrameFile",
    "Place",
    "ReadReport",
    "ReadSettings",
    "Recording",
    "Video",
    "open_readers",
    "pictures",
    "read",
    "videos",
]

open_readers: dict[str, str] = {
    "scannet": "fathom.formats.recordings.scannet:videos",
    "waymo": "fathom.formats.recordings.waymo:videos",
    "omni6dpose": "fathom.formats.recordings.omni6dpose:videos",
}
"""Readers by name; each takes a path and settings, and returns the videos there."""


def videos(name: str, path: Path, settings: ReadSettings | None = None) -> tuple[Video, ...]:
    """Return the videos that the reader `name` finds at `path`, in the order of their names.

    `name` may also be "module:function". Raises InputError where there is no such reader, and no video.
    """
    target = open_readers.get(name, name)
    try:
        found: Callable[[Path, ReadSettings], tuple[Video, ...]] = attribute_of(target)
    except CANNOT_BE_IMPORTED as e:
        known = ", ".join(sorted(open_readers))
        raise InputError(
            f"reader {name!r}: expected one of {known}, or module:function, found none ({e})"
        ) from e
    return found(Path(path), settings or ReadSettings())


def read(
    name: str,
    path: Path,
    settings: ReadSettings | None = None,
    refused: Callable[[Video, InputError], None] | None = None,
) -> Iterator[Recording]:
    """Yield the recordings that the reader `name` finds at `path`.

    Where `refused` is given, it is told of each video that cannot be read, and the others go on; else the
    first of these ends the reading. Raises InputError, with the file, the place and a remedy.
    """
    for video in videos(name, path, settings):
        try:
            recording = video.load()
        except InputError as e:
            if refused is None:
                raise
            refused(video, e)
            continue
        yield recording
