"""Folders of schema 1, as they were written then, are brought over with every value that they hold.

schema1.tar.xz holds a dataset of each kind with a run of it and its scores; of the videos without truth and
pictures.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from fathom import api
from fathom.records import DataError, InputError, SampleScore
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_jsonl
from fathom.store.runs import open_run
from fathom.store.schema1 import upgrade

ARCHIVE = Path(__file__).parent / "schema1.tar.xz"
DATASETS = ("stills", "films", "videos")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Unpack the folders of schema 1 and return where they lie."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "schema1"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("name", DATASETS)
def test_an_old_folder_is_refused_with_what_brings_it_over(old: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"fathom upgrade .*{name}"):
        open_dataset(old / name)
    with pytest.raises(InputError, match=f"fathom upgrade .*{name}-run"):
        open_run(old / f"{name}-run")


@pytest.mark.parametrize("name", DATASETS)
def test_every_value_of_a_dataset_is_there_under_its_new_name(old: Path, name: str) -> None:
    folder = old / name
    scenes, questions = lines(folder / "scenes.jsonl"), lines(folder / "questions.jsonl")
    identity = json.loads((folder / MANIFEST).read_text())["identity"]
    assert upgrade(folder)
    dataset = open_dataset(folder)
    assert dataset.manifest.identity == identity
    for was, scene in zip(scenes, dataset.scenes(), strict=True):
        assert [t["id"] for t in was["things"]] == [o.id for o in scene.objects]
        assert [s["thing"] for s in was.get("sights", [])] == [v.object_id for v in scene.visibility]
        assert [[c["thing"] for c in s.get("covers", [])] for s in was.get("sights", [])] == [
            [c.object_id for c in v.covers] for v in scene.visibility
        ]
        assert [s["thing"] for s in was.get("sweeps", [])] == [s.object_id for s in scene.sweeps]
    for before, question in zip(questions, dataset.questions(), strict=True):
        assert (before["text"], before["answer"]) == (question.text, question.answer)
        evidence = before.get("evidence", {"things": []})
        assert tuple(evidence["things"]) == (question.evidence.objects if question.evidence else ())


@pytest.mark.parametrize("name", ["stills", "films"])
def test_answers_are_derived_again_from_what_was_brought_over(old: Path, name: str) -> None:
    upgrade(old / name)
    open_dataset(old / name).verify()
    assert not (old / name / "plays").exists()
    found = api.check_dataset(old / name, blind=False)
    assert found.passed
    assert "every file as it was made" in found.text


@pytest.mark.parametrize("name", DATASETS)
def test_a_run_is_scored_as_before(old: Path, name: str) -> None:
    run = old / f"{name}-run"
    (was,) = (run / "scores").iterdir()
    values = [(m["question"], m["value"]) for m in lines(was / "marks.jsonl")]
    scores = lines(was / "scores.jsonl")
    upgrade(old / name), upgrade(run)
    samples = read_jsonl(was / "samples.jsonl", SampleScore)
    assert [(s.question, s.value) for s in samples] == values
    api.score_run(run)
    again = {(s["name"], str(s.get("group"))): s["value"] for s in lines(was / "scores.jsonl")}
    assert again == {(s["name"], str(s.get("group"))): s["value"] for s in scores}


def test_an_upgrade_that_was_interrupted_is_finished_by_starting_again(old: Path) -> None:
    folder = old / "stills"
    manifest = (folder / MANIFEST).read_bytes()
    assert upgrade(folder)
    whole = contents(folder)
    (folder / MANIFEST).write_bytes(manifest)
    assert upgrade(folder)
    assert contents(folder) == whole
    assert not upgrade(folder)


def test_a_line_that_does_not_fit_is_named(old: Path) -> None:
    scenes = old / "stills" / "scenes.jsonl"
    scenes.write_text(scenes.read_text().replace('"things"', '"thinks"'))
    with pytest.raises(DataError, match=r"scenes\.jsonl:1: not a Scene of format 1"):
        upgrade(old / "stills")
