"""The folders of requests of a piece of work, which `fathom run` answers.

    WORK/settings.json     what is written, and about which dataset
    WORK/STEP/01/          requests of a step, with media.jsonl beside them
    WORK/runs.json         which runs answer which of these folders

A folder of requests is written once and never again: what comes up later, because a writer was added or a
failure asked again, goes into the next one of its step (02, 03 …), so that no answer is ever asked for twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.records import Manifest, Media, Prompt, Purpose, Request, UnansweredQuestion, Variant, pictures_of
from fathom.store.datasets import MANIFEST, MEDIA, MEDIA_FOLDER, MEDIA_ROOT, SCHEMA_VERSION, Dataset
from fathom.store.files import read_json, sweep, write_jsonl
from fathom.store.requests import REQUESTS, open_requests, request_key, write_requests
from fathom.store.subjects import Subject
from fathom.version import __version__


@dataclass(frozen=True)
class ModelStep:
    """A step that models do: its name, what its requests are for, and what is wanted of whom, in words.

    `wanted` may say {models}: how many different ones.
    """

    name: str
    purpose: Purpose
    wanted: str


@dataclass(frozen=True)
class RequestContext:
    """What requests are about: a dataset, what of it is written about, the seed, the prompt set's version."""

    dataset: Dataset
    subjects: Mapping[str, Subject]
    seed: str
    version: str


def request_of(
    step: ModelStep,
    name: str,
    kind: str,
    prompt: Prompt,
    variant: Variant,
    version: str,
    choices: tuple[str, ...] = (),
) -> Request:
    """Return one request of a step; `version` is that of the prompt set."""
    request = Request(
        key="",
        asked=UnansweredQuestion(
            id=name, task=step.name, text=kind, choices=choices, tags={"subtask": kind, "words": version}
        ),
        prompt=prompt,
        variant=variant,
        purpose=step.purpose,
    )
    return msgspec.structs.replace(request, key=request_key(request))


def rounds(work: Path, step: str) -> list[Path]:
    """Return the folders of requests of a step, in the order in which they were written."""
    found = [p for p in (work / step).glob("[0-9]*") if p.name.isdigit() and (p / MANIFEST).is_file()]
    return sorted(found, key=lambda p: int(p.name))


def asked_in(folder: Path) -> tuple[str, ...]:
    """Return the names of what is asked in a folder of requests. Raises DataError where it was changed."""
    return tuple(r.asked.id for r in open_requests(folder).requests())


def write_round(work: Path, step: ModelStep, requests: Sequence[Request], about: RequestContext) -> Path:
    """Write the next folder of a step's requests, with the media that they show, and return it."""
    number = len(rounds(work, step.name)) + 1
    folder = work / step.name / f"{number:02d}"
    shown = {part.media for request in requests for part in pictures_of(request.prompt)}
    media = [m for subject in about.subjects.values() for m in subject.media if m.id in shown]
    manifest = Manifest(
        kind="requests",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="build",
        benchmark=about.dataset.manifest.benchmark,
        benchmark_version=about.dataset.manifest.benchmark_version,
        settings={"purpose": step.name, "words": about.version, "round": number},
        seed=about.seed,
        inputs={"dataset": about.dataset.manifest.identity},
    )
    write_with_media(folder, requests, [(m, about.dataset.media_path(m)) for m in media], manifest)
    return folder


def write_with_media(
    folder: Path, requests: Sequence[Request], media: Sequence[tuple[Media, Path]], manifest: Manifest
) -> None:
    """Write requests, and beside them which media they show and where these lie."""
    root, moved = placed(media) if media else (folder, [])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MEDIA).unlink(missing_ok=True)  # of a folder that was cut off
    where = Path(os.path.relpath(root, folder.resolve())).as_posix()
    settings = {**manifest.settings, **({MEDIA_ROOT: where} if media else {})}
    write_requests(folder, requests, msgspec.structs.replace(manifest, settings=settings))
    if media:
        write_jsonl(folder / MEDIA, moved)


def placed(media: Sequence[tuple[Media, Path]]) -> tuple[Path, list[Media]]:
    """Return the folder in which all media lie, and the media with their paths from there.

    Each comes with where it lies; there is at least one.
    """
    paths = [path.resolve() for _, path in media]
    root = Path(os.path.commonpath([p.parent for p in paths]))
    # A path that begins so is looked up in the folder itself that names the root.
    while any(p.relative_to(root).parts[0] == MEDIA_FOLDER for p in paths) and root != root.parent:
        root = root.parent
    return root, [
        msgspec.structs.replace(m, path=p.relative_to(root).as_posix())
        for (m, _), p in zip(media, paths, strict=True)
    ]


def mend_rounds(work: Path, steps: Iterable[ModelStep]) -> None:
    """Take away what was written of a step's newest folder where it was cut off before it was whole."""
    for step in steps:
        for folder in (work / step.name).glob("[0-9]*"):
            if not (folder / MANIFEST).is_file():
                for name in (REQUESTS, MEDIA, MANIFEST):
                    (folder / name).unlink(missing_ok=True)
                sweep(folder, REQUESTS, MEDIA, MANIFEST)
        for folder in rounds(work, step.name)[-1:]:
            manifest = read_json(folder / MANIFEST, Manifest)
            if MEDIA_ROOT in manifest.settings and not (folder / MEDIA).is_file():
                (folder / MANIFEST).unlink()
                (folder / REQUESTS).unlink(missing_ok=True)
