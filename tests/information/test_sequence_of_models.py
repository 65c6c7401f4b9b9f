"""The whole sequence with real architectures in each place: captioner, detector, writer, readers, model.

Their weights are random, so that nothing sensible is said: each step runs all the same, and whatever is no
question is left out with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.outcomes import Rejected
from fathom.authoring.review import FILE
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl
from tests.hf.conftest import checkpoint, one_thread
from tests.information import checkpoints
from tests.information.scripted import filled, writer
from tests.information.worlds import furnished_rooms
from tests.needed import needs

pytestmark = needs("torch", "transformers")
__all__ = ["checkpoint", "one_thread"]

SETTINGS = PictureWriting(dimensions=("instance_identity", "instances_counting"))
WORDS = {"max_new_tokens": "12"}


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnished_rooms(tmp_path_factory)


def test_models_in_each_place(rooms: Path, tmp_path: Path, checkpoint: Callable[[str], Path]) -> None:
    seen = tmp_path / "seen"
    said = [
        f"captions={checkpoints.git(tmp_path / 'git')}",
        f"objects={checkpoints.yolos(tmp_path / 'yolos')},score=0.2",
    ]
    api.extract_information(rooms, seen, extractors=said)
    records = information_in(open_dataset(seen))
    assert (
        records and all(r.captions for r in records.values()) and any(r.instances for r in records.values())
    )

    # A model that writes no JSON: every reply goes with a reason, and that is said.
    # Nouns are not counted: what a model with random weights says has as many as it happens to.
    work, llama = tmp_path / "work", f"hf:{checkpoint('llama')}"
    api.write_questions(seen, work, settings=msgspec.structs.replace(SETTINGS, nouns=0))
    api.run_model(work / "write" / "01", llama, tmp_path / "written", options=WORDS)
    words = api.write_questions(seen, work, responses=[tmp_path / "written"])
    gone = list(read_jsonl(work / "rejected.jsonl", Rejected))
    assert gone and all(r.reason for r in gone), words
    asked = len((work / "write" / "01" / "requests.jsonl").read_text().splitlines())
    assert len(gone) == asked > 0
    assert all("JSON" in r.reason for r in gone), Counter(r.reason for r in gone)


def test_models_read_blind_and_are_asked(
    rooms: Path, tmp_path: Path, checkpoint: Callable[[str], Path]
) -> None:
    info, work = tmp_path / "info", tmp_path / "work"
    api.extract_information(rooms, info, extractors=["perfect"])
    truths = information_in(open_dataset(info))
    api.write_questions(info, work, settings=SETTINGS)
    api.run_model(work / "write" / "01", writer, tmp_path / "written")
    api.write_questions(info, work, responses=[tmp_path / "written"])
    readers = []
    for name in ("llama", "t5", "llava"):
        readers.append(tmp_path / name)
        api.run_model(work / "blind" / "01", f"hf:{checkpoint(name)}", readers[-1], options=WORDS)
    assert FILE in api.write_questions(info, work, responses=readers)
    (work / FILE).write_bytes(filled((work / FILE).read_bytes(), truths))
    api.write_questions(info, work, out=tmp_path / "set")
    asked = len(list(open_dataset(tmp_path / "set").questions()))
    ran = api.run_model(tmp_path / "set", f"hf:{checkpoint('llava')}", tmp_path / "run")
    assert ran.failed == 0
    assert api.score_run(tmp_path / "run")["accuracy"].n == asked > 0


def test_a_model_that_sees_the_pictures_is_asked(
    rooms: Path, tmp_path: Path, checkpoint: Callable[[str], Path]
) -> None:
    count, left = api.ask_of_pictures(rooms, tmp_path / "asked")
    assert count and not left
    llava = f"hf:{checkpoint('llava')}"
    assert api.run_model(tmp_path / "asked", llava, tmp_path / "run", options=WORDS).failed == 0
    report = api.extract_information(rooms, tmp_path / "info", extractors=[f"replies={tmp_path / 'run'}"])
    assert len(report.failures) == count
    assert all("JSON" in failure for failure in report.failures)
