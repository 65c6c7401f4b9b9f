"""A dataset with other questions in it, as a dataset of its own beside the one that it was made from.

Everything else is the same files, linked where the file system can. Runs on the first one stay what they are:
the new one has an identity of its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from fathom.records import InputError, Manifest, Question, Record
from fathom.store.datasets import (
    MANIFEST,
    MEDIA_ROOT,
    QUESTIONS,
    SCENES,
    TRUTH_FOLDER,
    WORK,
    Dataset,
    identity,
)
from fathom.store.files import read_json, sha256_file, write_json, write_jsonl


def amended(
    dataset: Dataset,
    out: Path,
    questions: Sequence[Question],
    note: str,
    inputs: Mapping[str, str],
    lines: Mapping[str, Sequence[Record]] | None = None,
) -> Manifest:
    """Make a dataset in `out` with these questions in place of the dataset's own, and return its manifest.

    `note` and `inputs` (name → hash) say in the manifest what was done with what; `lines` are further files
    of records. A folder that holds the very same already is left as it is. Raises InputError where the folder
    holds something else.
    """
    half = out.with_name(f".{out.name}.part")
    shutil.rmtree(half, ignore_errors=True)
    _link(dataset.path, half)
    write_jsonl(half / QUESTIONS, questions)
    for name, records in (lines or {}).items():
        (half / name).unlink(missing_ok=True)  # never through a link
        write_jsonl(half / name, records)
    manifest = _manifest(dataset, out, half, questions, note, inputs)
    write_json(half / MANIFEST, manifest)
    try:
        _put(half, out, manifest)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return manifest


def _put(half: Path, out: Path, manifest: Manifest) -> None:
    if (out / MANIFEST).is_file() and read_json(out / MANIFEST, Manifest) == manifest:
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is not empty, and holds something else; choose another folder with --out")
    half.replace(out)


def _link(source: Path, target: Path) -> None:
    """Put everything but the manifest and the questions of a dataset into another folder."""
    target.mkdir(parents=True)
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if name.parts[0] in (MANIFEST, QUESTIONS, WORK) or path.is_dir():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path, target / name)
        except OSError:
            shutil.copy2(path, target / name)


def _manifest(
    dataset: Dataset,
    out: Path,
    half: Path,
    questions: Sequence[Question],
    note: str,
    inputs: Mapping[str, str],
) -> Manifest:
    old = dataset.manifest
    files = {**old.files, QUESTIONS: sha256_file(half / QUESTIONS)}
    counts = {k: n for k, n in old.counts.items() if not k.startswith("task:")}
    counts |= {"questions": len(questions)} | Counter(f"task:{q.task}" for q in questions)
    settings = dict(old.settings)
    if root := settings.get(MEDIA_ROOT):
        there = (dataset.path / str(root)).resolve()
        settings[MEDIA_ROOT] = Path(os.path.relpath(there, out.resolve())).as_posix()
    if old.command == "build":
        truth = {name: h for name, h in files.items() if name.startswith(f"{TRUTH_FOLDER}/")}
        known_by = identity(files.get(SCENES, ""), questions, truth)
    else:
        known_by = hashlib.sha256(f"{old.identity}\n{files[QUESTIONS]}".encode()).hexdigest()
    changed: Manifest = msgspec.structs.replace(
        old,
        name=out.resolve().name,
        settings=settings,
        inputs={**old.inputs, "amended": old.identity, **inputs},
        files=files,
        counts=counts,
        identity=known_by,
        notes=(*old.notes, note),
    )
    return changed
