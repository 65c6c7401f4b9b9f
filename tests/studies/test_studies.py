"""The paper's studies as one command each: runs, tables, figures, and what the evidence says beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fathom import api
from fathom.benchmarks.fourdbench.paper import ROBUSTNESS
from fathom.benchmarks.fourdbench.studies import STUDIES
from fathom.records import InputError, SampleScore, Study, StudyMeasure
from fathom.scoring.study import settings_of, worth
from fathom.store.runs import open_run
from tests.cli.conftest import Fathom, fathom
from tests.latex import compiled
from tests.protocols.made import write_4d_bench

__all__ = ["fathom"]

BY_NAME = {study.name: study for study in STUDIES}


def studied(study: str, dataset: Path, out: Path, model: str = "oracle", **more: Any) -> dict[str, Any]:
    api.run_study(study, dataset, model, out, **more)
    found: dict[str, Any] = json.loads((out / f"{study}.json").read_bytes())
    return found


def accuracies(found: dict[str, Any]) -> list[float]:
    return [next(s["value"] for s in p["scores"] if s["name"] == "accuracy") for p in found["points"]]


@pytest.fixture(scope="module")
def sweeps(objects: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The sweeps over views and frames of the limited oracle."""
    out = tmp_path_factory.mktemp("sweeps")
    return {study: studied(study, objects, out) for study in ("views", "frames")}


@pytest.mark.parametrize("study", ["views", "frames"])
def test_the_sweep_of_the_limited_oracle_rises_as_the_evidence_says(
    study: str, sweeps: dict[str, dict[str, Any]]
) -> None:
    found = sweeps[study]
    expected = [p["expected"] for p in found["points"]]
    measured = accuracies(found)
    assert expected[0] < 0.5 < expected[-1]
    assert expected == sorted(expected)
    assert measured == sorted(measured)
    for value, point in zip(measured, expected, strict=True):
        # Of those not seen, a quarter is guessed: the spread of that luck, and no more.
        unseen = (1 - point) / 0.75
        assert abs(value - point) <= 3 * (unseen * 0.25 * 0.75 / 120) ** 0.5


def test_differences_are_paired_and_their_value_is_that_of_the_accuracies(
    sweeps: dict[str, dict[str, Any]],
) -> None:
    found = sweeps["views"]
    base = accuracies(found)[0]
    assert found["points"][0].get("difference") is None
    for point, value in zip(found["points"][1:], accuracies(found)[1:], strict=True):
        difference = point["difference"]
        assert difference["value"] == pytest.approx(value - base)
        assert difference["second_only"] == 0
        assert difference["low"] <= difference["value"] <= difference["high"]


def test_a_study_leaves_its_table_its_comparison_and_its_figure(objects: Path, tmp_path: Path) -> None:
    done = api.run_study("order", objects, "oracle", tmp_path)
    names = {path.name for path in done.files}
    assert names == {
        *(f"order{part}.{kind}" for part in ("", "-tasks", "-compared") for kind in ("csv", "tex")),
        *(f"order.{kind}" for kind in ("json", "svg", "pdf", "png")),
    }
    assert all(path.stat().st_size for path in done.files)
    assert "GPT-4o, published (Table 3)" in done.text
    assert "62.98" in done.text and "−2.13" in done.text


def test_the_tables_of_a_study_compile_in_latex(objects: Path, tmp_path: Path) -> None:
    api.run_study("order", objects, "oracle", tmp_path / "study")
    compiled(tmp_path, *(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.tex")))


def test_the_order_of_frames_does_not_matter_to_who_goes_by_them_all(objects: Path, tmp_path: Path) -> None:
    for study in ("order", "time-stamps"):
        first, second = accuracies(studied(study, objects, tmp_path))
        assert first == second


def test_studies_in_one_folder_share_the_run_of_the_papers_setting(objects: Path, tmp_path: Path) -> None:
    studied("order", objects, tmp_path)
    journal = tmp_path / "runs" / "original" / "journal"
    before = {p.name: p.read_bytes() for p in journal.iterdir()}
    studied("time-stamps", objects, tmp_path)
    assert {p.name: p.read_bytes() for p in journal.iterdir()} == before
    assert {p.name for p in (tmp_path / "runs").iterdir()} == {"original", "time-major", "time-stamps"}


def test_a_study_started_again_writes_the_same_bytes(objects: Path, tmp_path: Path) -> None:
    def files() -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}

    studied("sampling", objects, tmp_path)
    before = files()
    studied("sampling", objects, tmp_path)
    assert files() == before


def test_a_study_cut_short_carries_on_with_what_is_missing(objects: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    first = BY_NAME["order"].points[0]
    only = BY_NAME["order"].tasks
    api.run_model(objects, "oracle", cut / "runs" / first.name, tasks=only, max_requests=50)
    assert studied("order", objects, cut)["points"] == studied("order", objects, whole)["points"]


def test_the_counting_prompt_is_put_where_objects_are_counted(objects: Path, tmp_path: Path) -> None:
    found = studied("counting-prompt", objects, tmp_path)
    assert set(found["points"][0]["tasks"]) == {"object_counting"}
    run = open_run(tmp_path / "runs" / "counting-prompt")
    assert run.manifest.settings["tasks"] == ["object_counting"]
    assert run.manifest.counts["requests"] == 24
    assert run.manifest.complete


def test_chosen_views_are_worth_more_than_random_ones(objects: Path, tmp_path: Path) -> None:
    found = studied("view-choice", objects, tmp_path)
    drawn, chosen = (p["expected"] for p in found["points"])
    assert chosen > drawn + 0.1
    assert found["points"][1]["difference"]["low"] > 0


def test_captions_are_compared_by_the_first_measure_that_every_point_has(tmp_path: Path) -> None:
    folder = write_4d_bench(tmp_path / "set")
    found = studied("caption-frames", folder, tmp_path / "study", model="scripted:perfect")
    assert found["measure"] == "rouge_l"
    text = (tmp_path / "study" / "caption-frames.csv").read_text()
    assert "2.48" in text and "not available" not in text


def test_a_measure_of_captions_is_a_share_of_its_most() -> None:
    judged = StudyMeasure("judge_mean", "", {}, ("judge/appearance", "judge/action"), 5.0)
    sample_scores = [
        SampleScore(question=q, task="caption", extractor="p", status="ok", value=0.0, details=details)
        for q, details in {
            "both": {"judge/appearance": 4.0, "judge/action": 2.0},
            "half": {"judge/appearance": 4.0},
        }.items()
    ]
    (both,) = worth(sample_scores, judged)
    assert both.question == "both"
    assert both.value == pytest.approx(0.6)


def test_a_set_with_fewer_views_says_that_it_has_no_more(tmp_path: Path) -> None:
    folder = write_4d_bench(tmp_path / "set")
    said = api.run_study("views", folder, "random", tmp_path / "study").text
    assert (
        "the dataset has no more to show than at 6 views: 6 views, 12 views, 24 views show the same" in said
    )
    assert "Limited oracle" not in said


def test_a_dry_run_counts_every_point_and_writes_nothing(objects: Path, tmp_path: Path) -> None:
    said = api.run_study("views", objects, "random", tmp_path / "study", dry_run=True).text
    assert "in all: 720 of 720 requests to ask, 34,560 pictures" in said
    assert not (tmp_path / "study").exists()


def test_what_a_study_varies_cannot_be_set(objects: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="views=3: is what the study views varies"):
        api.run_study("views", objects, "oracle", tmp_path, settings={"views": "3"})


def test_what_holds_for_all_points_can_be_set(objects: Path, tmp_path: Path) -> None:
    api.run_study("view-choice", objects, "oracle", tmp_path, settings={"views": "2", "frames": "3"})
    for point in ("random-views", "chosen-views"):
        settings = open_run(tmp_path / "runs" / point).manifest.settings
        assert (settings["protocol.views"], settings["protocol.frames"]) == (2, 3)


def test_a_study_of_no_question_is_refused_before_anything_is_asked(objects: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no question here is of such a task"):
        api.run_study("caption-views", objects, "oracle", tmp_path / "study")
    assert not (tmp_path / "study").exists()


def test_an_unknown_study_is_told_which_there_are(fathom: Fathom, objects: Path, tmp_path: Path) -> None:
    ended = fathom("study", "heights", objects, "--model", "oracle", "--out", tmp_path / "study")
    assert "no such study; 4d-bench has views, frames" in ended.sentence()


def test_the_command_prints_the_tables(fathom: Fathom, objects: Path, tmp_path: Path) -> None:
    ended = fathom(
        "study", "frames", objects, "--model", "oracle", "--out", tmp_path, "--limit", 20, "--quiet"
    )
    assert (ended.code, ended.err) == (0, "")
    assert "Gemini 1.5 Flash, published (§4.5, Figure 7)" in ended.out
    assert re.search(r"oracle \(20 of \d+ questions\): each point against 1 frame", ended.out)


@pytest.mark.parametrize("study", STUDIES, ids=lambda s: s.name)
def test_a_study_is_made_of_points_that_the_protocol_can_be_set_to(study: Study) -> None:
    names = [p.name for p in study.points]
    assert len(set(names)) == len(names)
    assert study.baseline in names
    protocol = api.benchmark_named("4d-bench").protocols[study.protocol]
    assert protocol.changed is not None
    for point in study.points:
        protocol.changed(settings_of(study, point, {}))
        assert (point.at is None) == (not study.axis)
    for row in study.published:
        assert {*row.values, *row.changes} <= set(names)
        assert row.where


def test_points_of_one_name_are_put_in_the_same_way() -> None:
    held: dict[str, Any] = {}
    for study in STUDIES:
        protocol = api.benchmark_named("4d-bench").protocols[study.protocol]
        assert protocol.changed is not None
        for point in study.points:
            made = protocol.changed(settings_of(study, point, {}))
            way = (dict(made.settings), study.protocol, study.tasks)
            assert held.setdefault(point.name, way) == way


def test_published_rows_of_table_3_are_those_of_the_paper() -> None:
    for study, column in (("order", 1), ("time-stamps", 3)):
        point = BY_NAME[study].points[1].name
        for row in BY_NAME[study].published:
            cells = ROBUSTNESS.rows[row.model]
            assert (row.values["original"], row.values[point], row.changes[point]) == (
                cells[0],
                cells[column],
                cells[column + 1],
            )
