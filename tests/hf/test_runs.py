"""A local model is put through a whole run: killed, carried on, scored."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom import api
from fathom.records import InputError
from fathom.store.runs import open_run
from tests.hf.shown import make_dataset
from tests.inference.killing import journal_lines
from tests.needed import needs
from tests.said import scored

pytestmark = needs("torch", "transformers")

Find = Callable[[str], Path]
OPTIONS = {"max_new_tokens": "3", "batch": "2"}
QUESTIONS = 24


def test_a_run_that_is_killed_carries_on_and_comes_out_the_same(checkpoint: Find, tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "dataset", pictures=QUESTIONS).path
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.hf.starter", str(dataset), str(checkpoint("llava")), str(killed)],
        cwd=Path(__file__).parents[2],
    )
    deadline = time.monotonic() + 60
    while len(journal_lines(killed)) < 4 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    before = journal_lines(killed)
    assert 4 <= len(before) < QUESTIONS

    model = f"hf:{checkpoint('llava')}"
    api.run_model(dataset, model, killed, options=OPTIONS)
    api.run_model(dataset, model, whole, options=OPTIONS)
    assert journal_lines(killed)[: len(before)] == before
    assert len(journal_lines(killed)) == QUESTIONS, "nothing was asked twice"
    texts = [{r.question: r.text for r in open_run(run).responses()} for run in (killed, whole)]
    assert texts[0] == texts[1]
    assert open_run(killed).manifest.complete
    assert "transformers" in " ".join(open_run(killed).manifest.notes)
    assert open_run(killed).manifest.settings["parameter.image_processor"] == "CLIPImageProcessor"
    assert f"llava, {QUESTIONS} questions" in scored(killed)


def test_what_was_answered_is_in_the_journal_when_the_run_is_broken_off(
    checkpoint: Find, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fathom.inference.runner.PROGRESS_EVERY_S", 0.0)
    dataset = make_dataset(tmp_path / "dataset", pictures=6).path

    def stop(model: str, done: int, total: int, note: str = "") -> None:
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.run_model(dataset, f"hf:{checkpoint('llava')}", tmp_path / "r", options=OPTIONS, progress=stop)
    assert 2 <= len(journal_lines(tmp_path / "r")) <= 4


def test_a_dry_run_loads_no_weights(
    checkpoint: Find, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make_dataset(tmp_path / "dataset", pictures=3).path
    load = "fathom.inference.models.hf.load_weights"
    monkeypatch.setattr(load, lambda *a: pytest.fail("weights were loaded"))
    ran = api.run_model(dataset, f"hf:{checkpoint('llava')}", tmp_path / "r", options=OPTIONS, dry_run=True)
    assert "3 of 3 requests to ask" in ran.text
    assert "at most 9 out" in ran.text
    assert not (tmp_path / "r").exists()


def test_a_model_without_eyes_runs_blind(checkpoint: Find, tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "dataset", pictures=3).path
    model = f"hf:{checkpoint('llama')}"
    api.run_model(dataset, model, tmp_path / "r", options=OPTIONS, protocol="blind")
    assert [r.status for r in open_run(tmp_path / "r").responses()] == ["ok"] * 3


def test_another_checkpoint_is_another_run(checkpoint: Find, tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "dataset", pictures=2).path
    api.run_model(dataset, f"hf:{checkpoint('llava')}", tmp_path / "r", options=OPTIONS)
    with pytest.raises(InputError, match="holds another run"):
        api.run_model(dataset, f"hf:{checkpoint('gemma3')}", tmp_path / "r", options=OPTIONS)
