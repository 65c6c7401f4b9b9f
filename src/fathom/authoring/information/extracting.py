"""From pictures to a folder of visual information, resumed where it stopped.

INFO/info.jsonl       one `VisualInformation` a picture
INFO/manifest.json    which extractors, of which pictures; with media.jsonl and questions.jsonl (empty)
                      the folder is a dataset to which questions can be written
INFO/media/           the frames that stand for videos, where these had to be decoded
INFO/work/            a file an extractor, a line a picture, until the folder is whole
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.nouns import nouns_said
from fathom.authoring.information.pictures import (
    GivenPicture,
    ScenesByCell,
    nothing_known,
    pictures_in,
    with_still,
)
from fathom.authoring.information.record import VisualInformation, joined
from fathom.authoring.requests import placed
from fathom.records import InputError, Manifest, Media
from fathom.store.datasets import (
    MANIFEST,
    MEDIA,
    MEDIA_FOLDER,
    MEDIA_ROOT,
    QUESTIONS,
    SCHEMA_VERSION,
    WORK,
    Dataset,
)
from fathom.store.files import read_json, read_jsonl, sha256_file, sweep, write_json, write_jsonl
from fathom.store.locks import FolderLock
from fathom.store.seeds import short_hash
from fathom.version import __version__

INFO = "info.jsonl"

Progress = Callable[[str, int, int, str], None]

Opened = Callable[[Sequence[GivenPicture]], Sequence[VisionExtractor]]


@dataclass(frozen=True)
class ExtractionReport:
    """What came of an extraction: counts of what was said, and a sentence for each thing that failed."""

    pictures: int
    counts: Mapping[str, int]
    failures: tuple[str, ...]

    def __str__(self) -> str:
        said = ", ".join(f"{n:,} {name}" for name, n in self.counts.items())
        return "\n".join(
            [f"{self.pictures:,} pictures: {said}", *(f"  left out: {f}" for f in self.failures)]
        )


def has_information(dataset: Dataset) -> bool:
    """Return whether a dataset folder has visual information of its pictures."""
    return (dataset.path / INFO).is_file()


def information_in(dataset: Dataset) -> dict[str, VisualInformation]:
    """Return what is said of each picture of a folder of information, by its id."""
    return {record.id: record for record in read_jsonl(dataset.path / INFO, VisualInformation)}


def extract(
    images: Path,
    out: Path,
    opened: Opened,
    benchmark: str,
    version: str,
    progress: Progress,
    scenes_by_cell: ScenesByCell = nothing_known,
) -> ExtractionReport:
    """Make a folder of visual information, with the extractors opened for its pictures; return what came.

    A picture that cannot be read, or of which an extractor can tell nothing, costs one sentence; the rest
    goes on. Started again, it carries on. Raises InputError where the folder is of other pictures, or no
    picture could be looked at.
    """
    known, pictures = pictures_in(images, scenes_by_cell)
    extractors = opened(pictures)
    inputs = {"pictures": known} | {e.name: e.version for e in extractors}
    _check(out, inputs, [e.name for e in extractors])
    out.mkdir(parents=True, exist_ok=True)
    if (out / MANIFEST).is_file():
        return _report(list(read_jsonl(out / INFO, VisualInformation)))
    lock = FolderLock(out / WORK / "lock", "folder of information")
    try:
        pictures = [p if p.wrong else with_still(p, out) for p in pictures]
        good = [p for p in pictures if not p.wrong]
        said = {p.id: VisualInformation(id=p.id) for p in good}
        for number in range(len(extractors)):
            found = _looked(out, extractors[: number + 1], good, said, progress)
            said = {name: joined(before, found[name]) for name, before in said.items()}
        wrong = {p.id: VisualInformation(id=p.id, failed={"picture": p.wrong}) for p in pictures if p.wrong}
        records = [(said | wrong)[p.id] for p in pictures]
        _write(out, records, good, inputs, [e.name for e in extractors], benchmark, version)
    finally:
        lock.release()
    shutil.rmtree(out / WORK, ignore_errors=True)
    return _report(records)


def _check(out: Path, inputs: Mapping[str, str], extractors: list[str]) -> None:
    path = out / MANIFEST
    sweep(out, INFO, MEDIA, QUESTIONS, MANIFEST)
    if path.is_file():
        old = read_json(path, Manifest)
        if dict(old.inputs) != dict(inputs) or old.settings.get("extractors") != extractors:
            raise InputError(
                f"{out}: holds information of other pictures or extractors; choose another folder"
            )
    elif out.exists() and any(
        p.name not in (WORK, INFO, MEDIA, QUESTIONS, MEDIA_FOLDER) for p in out.iterdir()
    ):
        raise InputError(f"{out}: is not empty; choose another folder")


def _looked(
    out: Path,
    extractors: Sequence[VisionExtractor],
    pictures: Sequence[GivenPicture],
    said: Mapping[str, VisualInformation],
    progress: Progress,
) -> dict[str, VisualInformation]:
    """Return what the last of the extractors says of every picture, who may know what those before said.

    What it said before it was stopped is taken over.
    """
    extractor = extractors[-1]
    path = out / WORK / f"{short_hash(*(word for e in extractors for word in (e.name, e.version)))}.jsonl"
    found = _said_before(path)
    left = [p for p in pictures if p.id not in found]
    with path.open("ab") as file:
        for start in range(0, len(left), extractor.batch):
            batch = left[start : start + extractor.batch]
            records = _looked_at(extractor, batch, [said[p.id] for p in batch])
            file.writelines(msgspec.json.encode(record) + b"\n" for record in records)
            file.flush()
            found |= {record.id: record for record in records}
            progress(extractor.name, len(found), len(pictures), batch[-1].id)
    return found


def _looked_at(
    extractor: VisionExtractor, pictures: Sequence[GivenPicture], said: Sequence[VisualInformation]
) -> list[VisualInformation]:
    """Return what an extractor says of pictures; of one of which it cannot tell, why."""
    try:
        return list(extractor.look(pictures, said))
    except InputError as e:
        if len(pictures) == 1:
            return [VisualInformation(id=pictures[0].id, failed={extractor.name: str(e)})]
    return [r for p, s in zip(pictures, said, strict=True) for r in _looked_at(extractor, [p], [s])]


def _said_before(path: Path) -> dict[str, VisualInformation]:
    """Return the whole lines of a file, and cut off a last one that is not."""
    if not path.is_file():
        return {}
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return {r.id: r for r in read_jsonl(path, VisualInformation)}


def _write(
    out: Path,
    records: Sequence[VisualInformation],
    pictures: Sequence[GivenPicture],
    inputs: Mapping[str, str],
    extractors: list[str],
    benchmark: str,
    version: str,
) -> None:
    shown: list[tuple[Media, Path]] = [(p.media, p.path) for p in pictures if p.media and p.path]
    if not pictures:
        raise InputError(f"{out}: no picture could be read: {records[0].failed['picture']}")
    root, media = placed(shown) if shown else (out, [])
    media = [msgspec.structs.replace(m, scene="", stills={}) for m in media]
    write_jsonl(out / INFO, records)
    write_jsonl(out / MEDIA, media)
    write_jsonl(out / QUESTIONS, [])
    files = {name: sha256_file(out / name) for name in (INFO, MEDIA, QUESTIONS)}
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="extract",
        name=out.resolve().name,
        benchmark=benchmark,
        benchmark_version=version,
        settings={
            "extractors": list(extractors),
            **({MEDIA_ROOT: Path(os.path.relpath(root, out.resolve())).as_posix()} if shown else {}),
        },
        inputs=dict(inputs),
        files=files,
        counts={"pictures": len(records), "questions": 0},
        identity=hashlib.sha256(f"information\n{files[INFO]}\n{files[MEDIA]}\n".encode()).hexdigest(),
        complete=True,
    )
    write_json(out / MANIFEST, manifest)


def _report(records: Sequence[VisualInformation]) -> ExtractionReport:
    counts = {
        name: sum(len(getattr(r, name)) for r in records)
        for name in ("captions", "instances", "regions", "texts")
    }
    counts["pictures of which more than five nouns are said"] = sum(len(nouns_said(r)) > 5 for r in records)
    failures = tuple(f"{r.id} ({source}): {why}" for r in records for source, why in r.failed.items())
    return ExtractionReport(len(records), counts, failures)
