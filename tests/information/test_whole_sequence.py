"""From built rooms to an exported dataset: extract, write, read blind, review, make, run, score, export."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.filters import BLIND_RIGHT
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.record import VisualInformation
from fathom.authoring.outcomes import Rejected
from fathom.authoring.review import FILE
from fathom.benchmarks.seedbench.authoring.review import OTHERWISE
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.records import Question
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl
from tests.information.scripted import filled, reader, writer
from tests.information.worlds import furnished_rooms

SETTINGS = PictureWriting(dimensions=("instance_identity", "instances_counting", "instance_attributes"))


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnished_rooms(tmp_path_factory)


@pytest.fixture(scope="module")
def truths(rooms: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, VisualInformation]:
    out = tmp_path_factory.mktemp("truth") / "info"
    api.extract_information(rooms, out, extractors=["perfect"])
    return information_in(open_dataset(out))


def through(rooms: Path, folder: Path, extractor: str, truths: dict[str, VisualInformation]) -> str:
    """Take every step from the pictures to a dataset in folder/set, and return what was said at the end."""
    info, work = folder / "info", folder / "work"
    api.extract_information(rooms, info, extractors=[extractor])
    assert "write" in api.write_questions(info, work, settings=SETTINGS)
    api.run_model(work / "write" / "01", writer, folder / "written")
    assert "blind" in api.write_questions(info, work, responses=[folder / "written"])
    readers = [folder / f"reader-{letter}" for letter in "ABC"]
    for path in readers:
        api.run_model(work / "blind" / "01", reader(path.name[-1]), path)
    assert FILE in api.write_questions(info, work, responses=readers)
    (work / FILE).write_bytes(filled((work / FILE).read_bytes(), truths))
    return api.write_questions(info, work, out=folder / "set")


def rejected(folder: Path) -> list[Rejected]:
    return list(read_jsonl(folder / "work" / "rejected.jsonl", Rejected))


def questions(folder: Path) -> list[Question]:
    return list(open_dataset(folder / "set").questions())


def test_from_perfect_information_people_keep_all_that_readers_do_not_guess(
    rooms: Path, truths: dict[str, VisualInformation], tmp_path: Path
) -> None:
    said = through(rooms, tmp_path, "perfect", truths)
    assert "right blind by all readers" in said
    gone = rejected(tmp_path)
    assert {r.reason for r in gone} == {BLIND_RIGHT}
    assert all("instances_counting" in r.id for r in gone)
    kept = questions(tmp_path)
    assert {q.task for q in kept} == set(SETTINGS.dimensions)
    assert not any(q.text.startswith("How many") and q.answer == "1" for q in kept)
    api.run_model(tmp_path / "set", lambda question: "A", tmp_path / "run", settings={"answer": "generation"})
    api.score_run(tmp_path / "run")
    api.export_dataset(tmp_path / "set", "vlmevalkit", tmp_path / "tsv")
    (table,) = (tmp_path / "tsv").glob("*.tsv")
    assert len(table.read_text(encoding="utf-8").splitlines()) == len(kept) + 1


def test_what_noise_makes_wrong_goes_with_its_reason_when_people_look(
    rooms: Path, truths: dict[str, VisualInformation], tmp_path: Path
) -> None:
    through(rooms, tmp_path, "noisy=labels=0.5,missed=0.2,attributes=0.5,seed=3", truths)
    people = [r for r in rejected(tmp_path) if r.step == "review"]
    assert people
    assert {r.reason for r in people} <= {OTHERWISE, "rejected by people"}
    for question in questions(tmp_path):
        there = [i.label for i in truths[question.media[0]].instances]
        if question.task == "instance_identity":
            assert question.answer in there


def write(folder: Path, *more: str) -> Sequence[str]:
    return [
        sys.executable,
        "-m",
        "fathom",
        "write-questions",
        str(folder / "info"),
        str(folder / "work"),
        *more,
    ]


def test_killed_while_it_writes_requests_the_next_call_writes_the_same(rooms: Path, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for name in ("killed", "whole"):
        api.extract_information(rooms, tmp_path / name / "info", extractors=["perfect"])
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    with subprocess.Popen(write(killed), env=env, stdout=subprocess.DEVNULL) as first:
        while first.poll() is None and not (killed / "work" / "write").exists():
            time.sleep(0.001)
        first.send_signal(signal.SIGKILL)
    cut_off = killed / "work" / "write" / "01"
    if not (cut_off / "manifest.json").exists():
        cut_off.mkdir(parents=True, exist_ok=True)
        (cut_off / ".requests.jsonl.x.part").write_text("{")
    for folder in (killed, whole):
        api.write_questions(folder / "info", folder / "work")
    for path in sorted((whole / "work").rglob("requests.jsonl")):
        twin = killed / "work" / path.relative_to(whole / "work")
        assert twin.read_bytes() == path.read_bytes()
