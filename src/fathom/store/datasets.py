"""Reading a dataset folder: manifest, questions, media, scenes.

DATASET/manifest.json     records.Manifest, complete once everything else is in place
DATASET/scenes.jsonl      one records.Scene a line (none where a dataset was imported without)
DATASET/truth/SCENE.npz   what the truth pass saw of a scene
DATASET/questions.jsonl   one records.Question a line
DATASET/media.jsonl       one records.Media a line
DATASET/media/            the pictures and videos; beside a video the frames of it that are pictures
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from fathom.records import DataError, InputError, Manifest, Media, Question, Scene, still_path
from fathom.store.files import inside, read_json, read_jsonl, sha256_file
from fathom.store.lines import LineIndex, read_numbered

SCHEMA_VERSION = 2

MANIFEST = "manifest.json"
SCENES = "scenes.jsonl"
QUESTIONS = "questions.jsonl"
MEDIA = "media.jsonl"
TRUTH_FOLDER = "truth"
MEDIA_FOLDER = "media"
UPGRADED = "upgraded"
"""The input of a dataset that was brought over from an older format: its identity by the files of today.

`Manifest.identity` stays what it was, so that its runs still belong to it.
"""
WORK = "work"
"""Where a build's finished parts wait until the dataset is whole; it is no part of the dataset."""
TITLE, TASKS = "title", "tasks"
"""The settings with which a dataset of somebody's own says what it is called, and which tasks it has."""
MEDIA_ROOT = "media_root"
"""The setting that says where media lie which an imported dataset did not copy, from the dataset's folder."""


@dataclass(frozen=True)
class Dataset:
    """A dataset folder that was found complete; nothing but the manifest is held in memory."""

    path: Path
    manifest: Manifest

    def questions(self) -> Iterator[Question]:
        """Yield the questions in file order. Raises DataError with file and line where one does not fit."""
        self._questions  # noqa: B018  (finds an id that occurs twice before the first question goes out)
        for number, question in read_numbered(self.path / QUESTIONS, Question):
            _check_question(self, question, f"{self.path / QUESTIONS}:{number}")
            yield question

    def question(self, question_id: str) -> Question:
        """Return one question. Raises DataError where the dataset has none of that id."""
        question = self._questions.get(question_id)
        if question is None:
            raise DataError(
                f"{self.path / QUESTIONS}: there is no question called {question_id!r}; rebuild the folder"
            )
        return question

    def media(self, media_id: str) -> Media:
        """Return the entry of one picture. Raises DataError where the dataset has none of that id."""
        media = self._media.get(media_id)
        if media is None:
            raise DataError(f"{self.path / MEDIA}: there is no media called {media_id!r}; rebuild the folder")
        return media

    def has_media(self, media_id: str) -> bool:
        """Return whether media.jsonl lists the id."""
        return media_id in self._media

    def media_bytes(self, media_id: str) -> bytes:
        """Return the bytes of a picture as they lie on disk.

        Raises DataError where the file is missing, or is not the one that the dataset was made with.
        """
        media = self.media(media_id)
        path = self.media_path(media)
        try:
            data = path.read_bytes()
        except OSError as e:
            raise DataError(f"{path}: cannot be read ({e.strerror}); restore or rebuild the folder") from e
        found = hashlib.sha256(data).hexdigest()
        if found != media.sha256:
            raise DataError(
                f"{path}: is not the picture that media.jsonl describes (SHA-256 {media.sha256[:12]}… "
                f"expected, {found[:12]}… found); restore or rebuild the folder"
            )
        return data

    def media_path(self, media: Media) -> Path:
        """Return where a medium lies. Raises InputError for a path that leaves its folder.

        What an import wrote itself lies in its own media folder, wherever the others stayed.
        """
        root = str(self.manifest.settings.get(MEDIA_ROOT) or "")
        own = not root or media.path.startswith(f"{MEDIA_FOLDER}/")
        return inside(self.path if own else self.path / root, media.path)

    def still_bytes(self, media_id: str, frame: int) -> bytes:
        """Return the bytes of one frame of a video of which a picture lies beside it.

        Raises DataError where there is none of that frame, the file is missing, or is not the one that the
        dataset was made with.
        """
        media = self.media(media_id)
        path = self.media_path(msgspec.structs.replace(media, path=still_path(media, frame)))
        expected = media.stills.get(frame)
        if expected is None:
            raise DataError(not_rendered(media, (frame,)))
        try:
            data = path.read_bytes()
        except OSError as e:
            raise DataError(f"{path}: cannot be read ({e.strerror}); restore or rebuild the folder") from e
        if (found := hashlib.sha256(data).hexdigest()) != expected:
            raise DataError(
                f"{path}: is not the frame that media.jsonl describes (SHA-256 {expected[:12]}… expected, "
                f"{found[:12]}… found); restore or rebuild the folder"
            )
        return data

    def scene(self, scene_id: str) -> Scene:
        """Return one scene. Raises DataError where the dataset has none of that id."""
        scene = self._scenes.get(scene_id)
        if scene is None:
            raise DataError(
                f"{self.path / SCENES}: there is no scene called {scene_id!r}; rebuild the folder"
            )
        return scene

    def scenes(self) -> Iterator[Scene]:
        """Yield the scenes in file order; nothing where the dataset was imported without scenes."""
        if (self.path / SCENES).exists():
            yield from read_jsonl(self.path / SCENES, Scene)

    def truth_path(self, scene: Scene) -> Path:
        """Return where the truth of a scene lies. Raises InputError for a path that leaves the folder."""
        return inside(self.path, scene.truth or f"{TRUTH_FOLDER}/{scene.id}.npz")

    def verify(self) -> None:
        """Check every file that the manifest lists against its hash.

        Raises DataError that names the first file which is missing or was changed.
        """
        for name, expected in self.manifest.files.items():
            path = inside(self.path, name)
            if not path.is_file():
                raise DataError(
                    f"{path}: the manifest lists this file, but it is missing; restore or rebuild the folder"
                )
            if (found := sha256_file(path)) != expected:
                raise DataError(
                    f"{path}: was changed after the dataset was made (SHA-256 {expected[:12]}… expected, "
                    f"{found[:12]}… found); restore or rebuild the folder"
                )

    @cached_property
    def _questions(self) -> LineIndex[Question]:
        return LineIndex(self.path / QUESTIONS, Question)

    @cached_property
    def _media(self) -> LineIndex[Media]:
        return LineIndex(self.path / MEDIA, Media)

    @cached_property
    def _scenes(self) -> LineIndex[Scene]:
        return LineIndex(self.path / SCENES, Scene)


def hash_of_stills(stills: Mapping[int, str]) -> str:
    """Return the hash of a video of which only stills were made: of their hashes by frame, a line each."""
    return hashlib.sha256("".join(f"{stills[k]}\n" for k in sorted(stills)).encode()).hexdigest()


def has_film(media: Media) -> bool:
    """Return whether a video was made whole, so that there is a file at its path."""
    return media.sha256 != hash_of_stills(media.stills)


MOST_NAMED = 12
"""So many of the frames that there are, are named where another was asked for."""


def not_rendered(media: Media, frames: Sequence[int]) -> str:
    """Return what to say where frames of a video were neither rendered nor are in a film."""
    asked = ", ".join(map(str, frames))
    there = ", ".join(map(str, sorted(media.stills)[:MOST_NAMED]))
    more = " …" if len(media.stills) > MOST_NAMED else ""
    which, were = ("frame", "was") if len(frames) == 1 else ("frames", "were")
    return (
        f"{media.id}: {which} {asked} of view {media.view} {were} not rendered; build with --films, or "
        f"sample among {there}{more}"
    )


def open_dataset(path: Path) -> Dataset:
    """Return the dataset in a folder.

    Raises InputError where the folder is missing, is of another kind, was left unfinished, or was made by
    another version of the format.
    """
    if not path.is_dir():
        raise InputError(f"{path}: expected a dataset folder, but there is none; check the path")
    if not (path / MANIFEST).is_file():
        raise InputError(
            f"{path}: expected a dataset folder, but it has no {MANIFEST}; give the folder that "
            "`fathom build` or `fathom import` wrote"
        )
    manifest = read_json(path / MANIFEST, Manifest)
    check_manifest(path, manifest, "dataset")
    if not manifest.complete:
        raise InputError(
            f"{path}: the dataset is unfinished; start the command that builds it again, and it carries on"
        )
    for name in (QUESTIONS, MEDIA):
        if not (path / name).is_file():
            raise DataError(f"{path / name}: is missing; restore or rebuild the folder")
    return Dataset(path=path, manifest=manifest)


def check_manifest(path: Path, manifest: Manifest, kind: str) -> None:
    """Raise InputError unless the manifest is of this kind of folder, in a format this version reads."""
    if manifest.kind != kind:
        raise InputError(f"{path}: expected a {kind} folder, found a {manifest.kind} folder; check the path")
    if manifest.schema_version < SCHEMA_VERSION:
        raise InputError(
            f"{path}: is written in format {manifest.schema_version}, and this version reads format "
            f"{SCHEMA_VERSION}; bring it over with: fathom upgrade {path}"
        )
    if manifest.schema_version != SCHEMA_VERSION:
        raise InputError(
            f"{path}: is written in format {manifest.schema_version}, and this version reads format "
            f"{SCHEMA_VERSION}; use {manifest.tool} {manifest.tool_version}, which made it, or make it again"
        )


def _check_question(dataset: Dataset, question: Question, where: str) -> None:
    """Raise DataError where a question names media that is not there, or an answer that is not a choice."""
    for media_id in question.media:
        if not dataset.has_media(media_id):
            raise DataError(
                f"{where}: names the media {media_id!r}, which media.jsonl does not list; "
                "restore or rebuild the folder"
            )
    for name, listed in (("choices", question.choices), ("possible answers", question.possible)):
        if listed and question.answer not in listed:
            raise DataError(
                f"{where}: the answer {question.answer!r} is not one of the {len(listed)} {name}; "
                "restore or rebuild the folder"
            )


def identity(scenes_sha256: str, questions: Sequence[Question], truth: Mapping[str, str]) -> str:
    """Return the hash that a dataset is known by: of its scenes, its questions and its truth.

    Bias scores do not enter: they come from a forest, and follow the version of the library that grows it.
    """
    h = hashlib.sha256(f"{scenes_sha256}\n".encode())
    encoder = msgspec.json.Encoder()
    for q in questions:
        h.update(encoder.encode(msgspec.structs.replace(q, bias_score=None, media=())) + b"\n")
    for name, digest in sorted(truth.items()):
        h.update(f"{name} {digest}\n".encode())
    return h.hexdigest()
