"""From a dataset in the shape of the official files to the paper's table, benchmark by benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.api import benchmark_named
from fathom.english import rounded
from fathom.pages.published import find_score
from fathom.records import Manifest, SampleScore, Score
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_json, read_jsonl
from tests.protocols.made import WRITERS, write_3dsrbench
from tests.said import scored

RANKED = "tests.protocols.made:open_batches"
SKILLED = {"perfect": "scripted:perfect", "guess": "random"}


def scores(run: Path, extractor: str = "fathom") -> list[Score]:
    return list(read_jsonl(run / "scores" / extractor / "scores.jsonl", Score))


def value(run: Path, name: str, **group: str) -> float | None:
    found = find_score(scores(run), name, group)
    assert found is not None, (name, group)
    return found.value


@pytest.fixture(scope="module", params=sorted(WRITERS))
def walked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, str]:
    """A benchmark's name, the scored run of a perfect model, and what scoring it said."""
    name: str = request.param
    root = tmp_path_factory.mktemp(name)
    dataset = WRITERS[name](root / "dataset")
    api.run_model(dataset, "scripted:perfect", root / "run")
    return name, root / "run", scored(root / "run")


def test_who_knows_every_answer_is_right_everywhere(walked: tuple[str, Path, str]) -> None:
    _, run, _ = walked
    right = [s for s in scores(run) if s.name.startswith("accuracy") and s.value is not None]
    assert len(right) > 5
    assert {s.value for s in right} == {1.0}


def test_every_cell_of_the_papers_main_table_has_our_score(walked: tuple[str, Path, str]) -> None:
    name, run, said = walked
    for table in benchmark_named(name).tables:
        if (name, table.name) == ("3dsrbench", "table4"):
            continue  # of built sets alone: tests/viewpoints
        for column, (score, group) in zip(table.columns, table.ours, strict=False):
            if score.startswith("accuracy"):
                assert value(run, score, **group) == 1.0, (table.name, column)
    assert said.count("published and ours") >= 1
    assert "Guessing, from the options here" in said


def test_chance_is_one_over_the_number_of_options(walked: tuple[str, Path, str]) -> None:
    name, run, _ = walked
    per_task = [2] * 10 + [4] * 2 if name == "3dsrbench" else [5 if name == "sti-bench" else 4]
    assert value(run, "chance") == pytest.approx(sum(1 / n for n in per_task) / len(per_task))


def test_the_protocols_settings_stand_in_the_manifest(walked: tuple[str, Path, str]) -> None:
    name, run, _ = walked
    settings = read_json(run / MANIFEST, Manifest).settings
    for setting, chosen in benchmark_named(name).protocols["default"].settings.items():
        assert settings[f"protocol.{setting}"] == chosen


@pytest.mark.parametrize("name", sorted(WRITERS))
@pytest.mark.parametrize("protocol", ["generation", "likelihood", "circular", "blind"])
def test_every_protocol_runs_and_is_scored(name: str, protocol: str, tmp_path: Path) -> None:
    dataset = WRITERS[name](tmp_path / "dataset")
    ran = api.run_model(dataset, f"{RANKED},skill=0.6", tmp_path / "run", protocol=protocol)
    assert ran.failed == 0
    scored(tmp_path / "run")
    found = value(tmp_path / "run", "accuracy")
    assert found is not None
    assert 0 < found < 1
    sample_scores = list(read_jsonl(tmp_path / "run" / "scores" / "fathom" / "samples.jsonl", SampleScore))
    ranked = {m.extractor for m in sample_scores if m.task != "caption"} == {"rank-sum-1"}
    assert ranked == (protocol == "likelihood" or (name == "seed-bench" and protocol == "blind"))


@pytest.mark.parametrize("extractor", ["rank-sum", "rank-token", "rank-char"])
def test_a_run_of_likelihoods_can_be_normalised_in_any_way_afterwards(extractor: str, tmp_path: Path) -> None:
    dataset = WRITERS["seed-bench"](tmp_path / "dataset")
    api.run_model(dataset, RANKED, tmp_path / "run")
    scored(tmp_path / "run", extractor=extractor)
    sample_scores = read_jsonl(tmp_path / "run" / "scores" / extractor / "samples.jsonl", SampleScore)
    assert {m.extractor for m in sample_scores} == {f"{extractor}-1"}


def test_3dsrbench_is_scored_in_four_ways_and_the_paper_takes_the_circular_one(tmp_path: Path) -> None:
    dataset = write_3dsrbench(tmp_path / "dataset", per_task=8)
    api.run_model(dataset, RANKED, tmp_path / "run")
    said = scored(tmp_path / "run")
    found = {
        g: value(tmp_path / "run", f"accuracy_{g}") or 0.0 for g in ("plain", "circular", "flip", "both")
    }
    assert 0 < found["both"] < found["circular"] < found["plain"] < 1
    assert found["flip"] < found["plain"]
    row = next(line for line in said.splitlines() if line.startswith("erratic"))
    assert rounded(100 * found["circular"], 2) in row
    assert "passes that count as one" in said


def test_always_the_first_option_is_a_bias_that_shows(tmp_path: Path) -> None:
    script = tmp_path / "a.jsonl"
    dataset = write_3dsrbench(tmp_path / "dataset")
    questions = (dataset / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ids = [line.split('"id":"', 1)[1].split('"', 1)[0] for line in questions]
    script.write_text("".join(f'{{"question":"{i}","text":"(A)"}}\n' for i in ids), encoding="utf-8")
    api.run_model(dataset, f"scripted:{script}", tmp_path / "run")
    scored(tmp_path / "run")
    assert value(tmp_path / "run", "place_picked", options="2", place="1") == 1.0
    assert value(tmp_path / "run", "place_right", options="2", place="1") == 0.5
    assert value(tmp_path / "run", "accuracy_circular") == 0.0
    assert value(tmp_path / "run", "accuracy_plain") == pytest.approx(
        (20 * 2 * 0.5 + 4 * 2 * 2 * 0.25) / 56, abs=0.05
    )


def test_captions_are_left_to_their_own_metrics(tmp_path: Path) -> None:
    dataset = WRITERS["4d-bench"](tmp_path / "dataset")
    api.run_model(dataset, "scripted:perfect", tmp_path / "run", protocol="captions")
    scored(tmp_path / "run")
    found = scores(tmp_path / "run")
    whole = find_score(found, "accuracy", {})
    assert whole is not None
    assert whole.n == 5
    assert not any(s.group.get("task") == "caption" for s in found if s.name == "accuracy")
    captioned = [s for s in found if s.group.get("protocol") == "4dbench" and s.value is not None]
    assert captioned


def test_a_report_can_be_made_of_each(walked: tuple[str, Path, str], tmp_path: Path) -> None:
    _, run, _ = walked
    assert api.write_report([run], tmp_path / "page", figures=False).is_file()


def test_settings_and_protocols_are_given_on_the_command_line(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from fathom.cli import app

    dataset = WRITERS["sti-bench"](tmp_path / "dataset")
    words = ["run", str(dataset), "--model", "scripted:perfect", "--out", str(tmp_path / "run"), "--quiet"]
    ended = CliRunner().invoke(
        app, [*words, "--protocol", "circular", "--set", "frames=8", "--set", "span=segment"]
    )
    assert ended.exit_code == 0, ended.output
    settings = read_json(tmp_path / "run" / MANIFEST, Manifest).settings
    assert (settings["protocol"], settings["protocol.frames"], settings["protocol.span"]) == (
        "circular",
        8,
        "segment",
    )
