"""Answers that are not there: they count as wrong, stand in columns of their own, and are told everywhere."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.pages.scope import Scope, without_sign
from fathom.records import Manifest, Response, SampleScore, Score
from fathom.store.datasets import MANIFEST, Dataset
from fathom.store.files import read_json, read_jsonl, write_json, write_jsonl
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset
from tests.protocols.made import write_3dsrbench
from tests.said import scored

FAULTS: dict[str, Callable[[], Reply]] = {
    "HTTP 500, always": lambda: (500, "boom", {}),
    "HTTP 400": lambda: (400, "bad", {}),
    "no choices": lambda: (200, {"choices": []}, {}),
    "null": lambda: (200, completion(None), {}),
    "an empty text": lambda: (200, completion(""), {}),
    "tool calls alone": lambda: (200, completion(None, "tool_calls", tool_calls=[]), {}),
    "reasoning alone": lambda: (200, completion(None, "length", reasoning_content="I think"), {}),
    "no JSON": lambda: (200, '{"choices": [{"message": {"content": NaN', {}),
}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def fathom(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fathom.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def scores_of(run: Path, extractor: str = "fathom") -> dict[str, Score]:
    found = read_jsonl(run / "scores" / extractor / "scores.jsonl", Score)
    return {score.name: score for score in found if not score.group}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_failed_counts_as_wrong_and_is_told(dataset: Dataset, tmp_path: Path, fault: str) -> None:
    def behave(before: int, asked: str) -> Reply:
        return FAULTS[fault]() if "sedan? (3)" in asked or "sedan? (7)" in asked else right(before, asked)

    with serving(behave) as server:
        model = f"openai:m@{server.url},attempts=1"
        api.run_model(dataset.path, model, tmp_path / "r", concurrency=1)
    said: list[str] = []
    text = scored(tmp_path / "r", say=said.append)
    found = scores_of(tmp_path / "r")
    assert found["accuracy"].n == 12
    assert found["accuracy"].value == pytest.approx((found["accuracy_of_read"].value or 0) * 10 / 12)
    assert sum(found[name].value or 0 for name in ("failed", "missing", "empty")) == pytest.approx(2 / 12)
    assert "2 of 12" in found["accuracy"].incomplete
    assert "m (incomplete), 12 questions" in text
    assert len(said) == 1
    assert re.search(r"of 12 answers due, 2 (failed|are empty)", said[0])


def test_what_was_never_asked_is_missing_and_the_exit_code_says_so(dataset: Dataset, tmp_path: Path) -> None:
    run = tmp_path / "r"
    api.run_model(dataset.path, "oracle", run, max_requests=7)
    ended = fathom("score", run)
    assert ended.returncode == 1
    assert "the run is not complete; of 12 answers due, 5 never came" in ended.stderr
    found = scores_of(run)
    assert found["accuracy"].n == 12
    assert found["missing"].value == pytest.approx(5 / 12)
    assert found["accuracy"].value == pytest.approx(7 / 12)
    for verb in (("report", run, "--out", tmp_path / "report"), ("compare", run, run)):
        ended = fathom(*verb)
        assert ended.returncode == 1, ended.stderr
        assert "5 never came" in ended.stderr
    api.run_model(dataset.path, "oracle", run)
    ended = fathom("score", run)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "incomplete" not in ended.stdout
    assert scores_of(run)["accuracy"].incomplete == ""


def test_a_run_cut_off_by_ctrl_c_drops_nothing(dataset: Dataset, tmp_path: Path) -> None:
    """Its manifest has no counts yet."""
    run = tmp_path / "r"
    api.run_model(dataset.path, "oracle", run, max_requests=3)
    cut = read_json(run / MANIFEST, Manifest)
    write_json(run / MANIFEST, msgspec.structs.replace(cut, counts={}))
    scored(run)
    assert scores_of(run)["accuracy"].n == 12


def test_a_run_under_a_limit_is_scored_over_what_it_was_to_ask_and_says_so(
    dataset: Dataset, tmp_path: Path
) -> None:
    run = tmp_path / "r"
    api.run_model(dataset.path, "oracle", run, limit=6)
    said: list[str] = []
    text = scored(run, say=said.append)
    assert not said
    assert "oracle (6 of 12 questions), 6 questions" in text
    assert (scores_of(run)["accuracy"].n, scores_of(run)["accuracy"].value) == (6, 1.0)
    api.run_model(dataset.path, "oracle", run, limit=9, max_requests=1)
    text = scored(run, say=said.append)
    assert "oracle (9 of 12 questions, incomplete)" in text
    assert "2 never came" in said[0]


def test_every_pass_of_a_question_is_due(tmp_path: Path) -> None:
    """In an interrupted run with rotated options, a question of which one pass is there is not right yet."""
    dataset, run = write_3dsrbench(tmp_path / "dataset"), tmp_path / "r"
    whole = tmp_path / "whole"
    api.run_model(dataset, "scripted:perfect", whole)
    due = len(list(read_sample_scores(whole)))
    api.run_model(dataset, "scripted:perfect", run, max_requests=due // 2 + 1)
    sample_scores = list(read_sample_scores(run))
    assert len(sample_scores) == due
    assert sum(m.how == "missing" for m in sample_scores) == due - due // 2 - 1
    found = {k: (scores_of(r)["accuracy_circular"].n) for k, r in (("whole", whole), ("cut", run))}
    assert found["whole"] == found["cut"]
    assert scores_of(whole)["accuracy_circular"].value == 1.0
    assert (scores_of(run)["accuracy_circular"].value or 1) < 0.75


def read_sample_scores(run: Path) -> list[SampleScore]:
    scored(run)
    return list(read_jsonl(run / "scores" / "fathom" / "samples.jsonl", SampleScore))


def test_repeats_are_due_as_often_as_they_were_to_be_put(dataset: Dataset, tmp_path: Path) -> None:
    run = tmp_path / "r"
    api.run_model(dataset.path, "oracle", run, repeats=3, max_requests=5)
    scored(run)
    assert scores_of(run)["missing"].n == 36
    assert scores_of(run)["missing"].value == pytest.approx(31 / 36)


def test_an_empty_answer_of_an_old_journal_is_no_answer(dataset: Dataset, tmp_path: Path) -> None:
    run = tmp_path / "r"
    api.run_model(dataset.path, "oracle", run)
    (shard,) = sorted((run / "journal").glob("*.jsonl"))
    responses = list(read_jsonl(shard, Response))
    responses[0] = type(responses[0])(key=responses[0].key, question=responses[0].question, status="ok")
    write_jsonl(shard, responses)
    silent: list[str] = []
    scored(run, say=silent.append)
    assert not silent, "a baseline of ours means it"
    made = read_json(run / MANIFEST, Manifest)
    write_json(run / MANIFEST, msgspec.structs.replace(made, name="m"))
    said: list[str] = []
    text = scored(run, say=said.append)
    found = scores_of(run)
    assert found["empty"].value == pytest.approx(1 / 12)
    assert found["unreadable"].value == 0
    assert "1 are empty" not in said[0]
    assert "1 is empty" in said[0]
    assert "empty" in text


def test_every_file_of_a_report_marks_the_run_that_is_not_complete(dataset: Dataset, tmp_path: Path) -> None:
    run, other, out = tmp_path / "half", tmp_path / "whole", tmp_path / "report"
    api.run_model(dataset.path, "oracle", run, max_requests=7)
    api.run_model(dataset.path, "random", other)
    page = api.write_report([run, other], out)
    words = page.read_text(encoding="utf-8")
    assert "oracle (incomplete)" in words
    assert "the run is not complete; of 12 answers due, 5 never came" in words
    for path in [*out.glob("tables/*.csv"), *out.glob("tables/*.tex"), *out.glob("figures/*.svg")]:
        text = path.read_text(encoding="utf-8")
        if "oracle" in text:
            assert text.count("oracle") == text.count("oracle (incomplete)") + text.count(
                "oracle: the run is"
            )
    with (out / "tables" / "scores.csv").open(encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert {bool(row["incomplete"]) for row in rows if row["model"] == "oracle (incomplete)"} == {True}
    assert {bool(row["incomplete"]) for row in rows if row["model"] == "random"} == {False}
    table = (out / "tables" / "leaderboard.tex").read_text(encoding="utf-8")
    assert "5 never came" in table


def test_what_stands_behind_a_name_is_what_its_numbers_are_not() -> None:
    for scope in (Scope(3, 12, 3, {}), Scope(12, 12, 12, {"failed": 1}), Scope(1, 2, 9, {"empty": 2})):
        assert without_sign(scope.named("a (b)"))[0] == "a (b)"
        assert scope.named("a (b)") != "a (b)"
    assert Scope(12, 12, 12, {}).named("a (b)") == "a (b)"
    assert without_sign("a (b)") == ("a (b)", "")


def test_compare_counts_what_is_missing_and_says_so(dataset: Dataset, tmp_path: Path) -> None:
    run, whole = tmp_path / "half", tmp_path / "whole"
    api.run_model(dataset.path, "oracle", run, max_requests=7)
    api.run_model(dataset.path, "oracle", whole)
    found = api.compare_runs([run, whole])
    said = json.loads(found.json)
    assert said["overall"]["n"] == 12
    assert said["overall"]["first"] == pytest.approx(7 / 12)
    assert "of 12 answers due, 5 never came" in found.text
