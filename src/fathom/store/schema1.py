"""Folders of schema 1 brought over to schema 2, in place.

Only names changed from one to the other:

    scenes.jsonl      things → objects, sights → visibility; in covers and sweeps too, thing → object_id
    questions.jsonl   evidence.things → evidence.objects
    outlines.jsonl    thing → object_id
    captions.json     things → objects in claims
    truth/, plays/    things → objects in the head of a file; plays/ → visibility/
    scores/EXTRACTOR/    marks.jsonl → samples.jsonl

The manifest comes last, so that a folder whose upgrade was interrupted is upgraded by starting again. The
dataset's identity stays: its runs still belong to it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from fathom.records import DataError, InputError, Manifest, Outline, Question, Record, SampleScore, Scene
from fathom.store.arrays import HEAD, entry
from fathom.store.datasets import (
    MANIFEST,
    QUESTIONS,
    SCENES,
    SCHEMA_VERSION,
    TRUTH_FOLDER,
    UPGRADED,
    identity,
)
from fathom.store.files import read_json, read_jsonl, sha256_file, write_bytes, write_json, write_jsonl

OLD_VERSION = 1

Json = dict[str, Any]

_OUTLINES, _CAPTIONS = "outlines.jsonl", "captions.json"
_OLD_VISIBILITY, _NEW_VISIBILITY = "plays", "visibility"
_OLD_SAMPLES, _NEW_SAMPLES = "marks.jsonl", "samples.jsonl"


def upgrade(folder: Path) -> bool:
    """Bring a dataset or a run over to schema 2; return whether there was anything to do.

    Raises InputError where the folder is neither, or was left unfinished, and DataError where a file in it
    does not fit.
    """
    if not (folder / MANIFEST).is_file():
        raise InputError(f"{folder}: expected a dataset or a run, but it has no {MANIFEST}; check the path")
    manifest = read_json(folder / MANIFEST, Manifest)
    if manifest.schema_version == SCHEMA_VERSION:
        return False
    if manifest.schema_version != OLD_VERSION:
        raise InputError(
            f"{folder}: is written in format {manifest.schema_version}; only format {OLD_VERSION} can be "
            f"brought over to {SCHEMA_VERSION}"
        )
    if manifest.kind == "dataset" and not manifest.complete:
        raise InputError(f"{folder}: the dataset is unfinished, in an old format; build it again")
    if manifest.kind == "dataset":
        _upgrade_dataset(folder)
    elif manifest.kind == "run":
        _upgrade_scores(folder)
    elif manifest.kind != "requests":
        raise InputError(f"{folder}: is a {manifest.kind} folder; make it again from its runs")
    write_json(folder / MANIFEST, _new_manifest(folder, manifest))
    return True


def scene(old: Json) -> Json:
    """Return a scene of schema 1 with the names of schema 2."""
    new = _renamed(old, things="objects", sights="visibility")
    if "visibility" in new:
        new["visibility"] = [_visibility(v) for v in new["visibility"]]
    if "sweeps" in new:
        new["sweeps"] = [_renamed(s, thing="object_id") for s in new["sweeps"]]
    return new


def question(old: Json) -> Json:
    """Return a question of schema 1 with the names of schema 2."""
    evidence = old.get("evidence")
    return {**old, "evidence": _renamed(evidence, things="objects")} if evidence else old


def outline(old: Json) -> Json:
    """Return an outline of schema 1 with the names of schema 2."""
    return _renamed(old, thing="object_id")


def captions(old: Json) -> Json:
    """Return the captions of schema 1 with the names of schema 2."""
    return {
        **old,
        "captions": [
            {**c, "claims": [_renamed(claim, things="objects") for claim in c["claims"]]}
            if "claims" in c
            else c
            for c in old.get("captions", [])
        ],
    }


def _visibility(old: Json) -> Json:
    new = _renamed(old, thing="object_id")
    if "covers" in new:
        new["covers"] = [_renamed(c, thing="object_id") for c in new["covers"]]
    return new


def _renamed(old: Json, **names: str) -> Json:
    return {names.get(key, key): value for key, value in old.items()}


def _upgrade_dataset(folder: Path) -> None:
    _rewrite_lines(folder / SCENES, scene, Scene)
    _rewrite_lines(folder / QUESTIONS, question, Question)
    _rewrite_lines(folder / _OUTLINES, outline, Outline)
    if (folder / _CAPTIONS).is_file():
        write_json(folder / _CAPTIONS, captions(_decoded(folder / _CAPTIONS)))
    if (folder / _OLD_VISIBILITY).is_dir():
        (folder / _OLD_VISIBILITY).rename(folder / _NEW_VISIBILITY)
    for part in (TRUTH_FOLDER, _NEW_VISIBILITY):
        for path in sorted((folder / part).glob("*")):
            if zipfile.is_zipfile(path):
                _rewrite_head(path)


def _new_manifest(folder: Path, manifest: Manifest) -> Manifest:
    """Return the manifest with the files as they are now; what is not there keeps its own."""
    files = {}
    for name, before in manifest.files.items():
        path = folder / _new_path(name)
        files[_new_path(name)] = sha256_file(path) if path.is_file() else before
    inputs = dict(manifest.inputs)
    if manifest.kind == "dataset" and manifest.command == "build":
        truth = {name: digest for name, digest in files.items() if name.startswith(f"{TRUTH_FOLDER}/")}
        questions = list(read_jsonl(folder / QUESTIONS, Question))
        inputs[UPGRADED] = identity(files.get(SCENES, ""), questions, truth)
    old = ("early_stop.policy", "early_stop_policy", "early-stop-policy")
    settings = _renamed(manifest.settings, **{name: name.replace("policy", "extractor") for name in old})
    return msgspec.structs.replace(
        manifest, schema_version=SCHEMA_VERSION, files=files, inputs=inputs, settings=settings
    )


def _upgrade_scores(folder: Path) -> None:
    for path in sorted(folder.glob(f"scores/*/{_OLD_SAMPLES}")):
        _rewrite_lines(path, lambda old: _renamed(old, policy="extractor"), SampleScore)
        path.rename(path.with_name(_NEW_SAMPLES))


def _new_path(name: str) -> str:
    first, slash, rest = name.partition("/")
    return f"{_NEW_VISIBILITY}/{rest}" if slash and first == _OLD_VISIBILITY else name


def _rewrite_lines(path: Path, mapped: Callable[[Json], Json], kind: type[Record]) -> None:
    """Write a file of lines again with the new names; each line has to fit the record of today."""
    if path.is_file():
        write_jsonl(path, list(_converted(path, mapped, kind)))


def _converted(path: Path, mapped: Callable[[Json], Json], kind: type[Record]) -> Iterator[Record]:
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            new = mapped(msgspec.json.decode(line, type=Json))
            yield msgspec.json.decode(msgspec.json.encode(new), type=kind)
        except (msgspec.ValidationError, msgspec.DecodeError, AttributeError, TypeError) as e:
            raise DataError(f"{path}:{number}: not a {kind.__name__} of format {OLD_VERSION} ({e})") from e


def _decoded(path: Path) -> Json:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Json)
    except (msgspec.ValidationError, msgspec.DecodeError) as e:
        raise DataError(f"{path}: not a file of format {OLD_VERSION} ({e})") from e


def _rewrite_head(path: Path) -> None:
    """Write a file of arrays again with a head in the new names; the arrays stay as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == HEAD:
                data = msgspec.json.encode(_renamed(msgspec.json.decode(data), things="objects"))
            made = entry(info.filename)
            made.compress_type = info.compress_type
            new.writestr(made, data, compresslevel=6)
    write_bytes(path, out.getvalue())
