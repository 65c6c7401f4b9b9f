"""The clips of a dataset: found, cut once, and listed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.formats.actions.record import AnnotatedVideo
from fathom.formats.import_findings import LeftOutError
from fathom.formats.imported_media import REFUSED
from fathom.formats.lookup import VIDEOS, Lookup, NamedFile
from fathom.media.cutting import cut
from fathom.media.video import VideoInfo, probe
from fathom.records import InputError, Media
from fathom.store.datasets import MEDIA_FOLDER
from fathom.store.files import sha256_file
from fathom.store.seeds import short_hash

SHORTER = "a video that is shorter than its annotation"
PACKED = "a video inside an archive; unpack it"

_SLACK_S = 0.5
"""So much earlier than its last annotation a video may end: annotators round, and last frames get lost."""


def find_video(videos: Lookup, video: AnnotatedVideo) -> Path:
    """Return where the file of a video lies. Raises LeftOutError where it is missing."""
    names = tuple(f"{name}{ending}" for name in video.names for ending in sorted(VIDEOS))
    place, name = videos.locate(NamedFile(names=names))
    path = videos.sources[place].path(name)
    if path is None:
        raise LeftOutError(PACKED, name)
    return path


def inspect_video(path: Path) -> VideoInfo:
    """Return what a video is. Raises LeftOutError where it cannot be used."""
    try:
        return probe(path)
    except InputError as e:
        raise LeftOutError(REFUSED, str(e)) from e


def check_length(draft: VideoDraft, info: VideoInfo) -> None:
    """Raise LeftOutError where a video ends before what is annotated in it."""
    there = info.frames / info.fps if info.fps > 0 else 0.0
    needed = max(a.stop_s for a in draft.actions)
    if needed > there + _SLACK_S:
        raise LeftOutError(SHORTER, f"{draft.video.id} has {there:.2f} s of {needed:.2f} s")


class Clips:
    """Cuts clips into DATASET/media. One that is there already is whole, and is not cut again."""

    def __init__(self, out: Path, settings: VideoQuestionSettings) -> None:
        self._folder = out / MEDIA_FOLDER
        self._settings = settings
        self._listed: dict[str, Media] = {}
        self.made = 0

    def clip(self, draft: VideoDraft, source: Path, info: VideoInfo) -> Media:
        """Return the clip of a question. Raises LeftOutError where it cannot be cut."""
        whole = draft.stop_s == 0.0
        own = self._settings
        names = [draft.video.source, draft.video.id, str(source.stat().st_size)]
        if not whole:
            names += [f"{v:.6f}" for v in (draft.start_s, draft.stop_s, own.fps)] + [str(own.height)]
        name = short_hash("clip", *names, length=20)
        if name in self._listed:
            return self._listed[name]
        path = self._folder / f"{name}{source.suffix.lower() if whole else '.mp4'}"
        if not path.is_file():
            self._make(draft, source, info, path)
            self.made += 1
        found = inspect_video(path)
        self._listed[name] = Media(
            id=name,
            path=f"{MEDIA_FOLDER}/{path.name}",
            kind="video",
            size=(found.width, found.height),
            sha256=sha256_file(path),
            frames=found.frames,
            fps=found.fps,
        )
        return self._listed[name]

    def listed(self) -> Sequence[Media]:
        """Return all clips in the order in which they were asked for."""
        return list(self._listed.values())

    def tidy(self) -> None:
        """Remove what an earlier start left behind and no question shows."""
        kept = {Path(media.path).name for media in self._listed.values()}
        for path in self._folder.iterdir():
            if path.is_file() and path.name not in kept:
                path.unlink()

    def _make(self, draft: VideoDraft, source: Path, info: VideoInfo, path: Path) -> None:
        own = self._settings
        try:
            if draft.stop_s == 0.0:
                copy_whole(source, path)
            else:
                cut(source, info, draft.start_s, draft.stop_s, path, own.fps, own.height)
        except InputError as e:
            raise LeftOutError(REFUSED, str(e)) from e


def copy_whole(source: Path, path: Path) -> None:
    """Copy a file so that there is the whole copy, or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        shutil.copyfile(source, part)
        Path(part).chmod(0o644)
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)
