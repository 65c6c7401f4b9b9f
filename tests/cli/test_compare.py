"""`fathom compare` on whole run folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fathom import api
from tests.cli.conftest import Fathom


@pytest.fixture(scope="module")
def runs(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("compared")
    for model in ("oracle", "random"):
        api.run_model(small_dataset, model, folder / model)
    return {model: folder / model for model in ("oracle", "random")}


def test_two_runs_are_compared_task_by_task(fathom: Fathom, runs: dict[str, Path]) -> None:
    ended = fathom("compare", runs["oracle"], runs["random"])
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("oracle (first) and random (second)")
    assert "All questions" in ended.out
    assert "too few to tell two runs apart" in ended.out


def test_a_run_compared_with_itself_does_equally_well(fathom: Fathom, runs: dict[str, Path]) -> None:
    said = fathom("compare", runs["random"], runs["random"]).out
    assert f"{runs['random']} and {runs['random']} do equally well on each of" in said


def test_json_is_printed_and_can_be_read(fathom: Fathom, runs: dict[str, Path]) -> None:
    held = json.loads(fathom("compare", runs["oracle"], runs["random"], "--json").out)
    assert held["overall"]["first"] == 1
    assert held["grouping"] == "plain"


def test_two_extractors_are_compared_on_one_run(fathom: Fathom, runs: dict[str, Path]) -> None:
    said = fathom("compare", runs["random"], "--extractors", "fathom,lmms-eval").out
    assert "fathom and lmms-eval read" in said


def test_a_worse_run_fails_only_where_that_is_asked_for(
    fathom: Fathom, runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fathom.scoring.compare.LEVEL", 0.2)  # Four scenes cannot say it at the usual level.
    assert fathom("compare", runs["random"], runs["oracle"]).code == 0
    assert fathom("compare", runs["random"], runs["oracle"], "--fail-if-worse").code == 1
    assert fathom("compare", runs["oracle"], runs["random"], "--fail-if-worse").code == 0


def test_what_cannot_be_compared_is_said_in_one_sentence(
    fathom: Fathom, runs: dict[str, Path], train_dataset: Path, tmp_path: Path
) -> None:
    assert "expected two run folders" in fathom("compare", runs["random"]).sentence()
    assert (
        "expected two run folders"
        in fathom("compare", runs["random"], runs["oracle"], "--extractors", "fathom,lmms-eval").sentence()
    )
    assert (
        "there is plain, circular, flip, both"
        in fathom("compare", runs["random"], runs["oracle"], "--grouping", "spiral").sentence()
    )
    assert (
        "were not rotated"
        in fathom("compare", runs["random"], runs["oracle"], "--grouping", "circular").sentence()
    )
    api.run_model(train_dataset, "random", tmp_path / "elsewhere")
    assert "made on another dataset" in fathom("compare", runs["random"], tmp_path / "elsewhere").sentence()


def test_a_run_that_was_stopped_early_cannot_tell_of_each_pass(
    fathom: Fathom, runs: dict[str, Path], small_dataset: Path, tmp_path: Path
) -> None:
    stopped = tmp_path / "stopped"
    shutil.copytree(runs["random"], stopped)
    manifest = json.loads((stopped / "manifest.json").read_text(encoding="utf-8"))
    manifest["settings"] |= {
        "dataset": str(small_dataset),
        "protocol.grouping": "circular",
        "protocol.early-stop": True,
        "protocol.early-stop-extractor": "fathom",
        "early_stop.grouping": "circular",
        "early_stop.extractor": "fathom-3",
    }
    (stopped / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    said = fathom("compare", stopped, runs["oracle"], "--grouping", "plain").sentence()
    assert "compare with --grouping circular --extractor fathom" in said
