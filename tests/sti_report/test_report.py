from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.stibench import BENCHMARK
from fathom.benchmarks.stibench.paper import BY_SETTING, BY_TASK
from fathom.pages.published import find_score
from fathom.records import Score
from fathom.store.datasets import Dataset
from fathom.store.files import read_jsonl
from tests.said import scored


@pytest.fixture(scope="module")
def report(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "report"
    api.write_report([runs[name] for name in ("exact", "noisy", "random")], out)
    return out


@pytest.fixture(scope="module")
def scores(runs: dict[str, Path]) -> list[Score]:
    scored(runs["noisy"])
    return list(read_jsonl(runs["noisy"] / "scores/fathom/scores.jsonl", Score))


def rows(report: Path, name: str) -> list[list[str]]:
    text = (report / f"tables/{name}.csv").read_text(encoding="utf-8")
    return list(csv.reader(text.splitlines()))


def test_numbers_and_options_are_never_put_together(made: Dataset, scores: list[Score]) -> None:
    questions = list(made.questions())
    options, numbers = (sum(bool(q.choices) is wanted for q in questions) for wanted in (True, False))
    overall, relative = find_score(scores, "accuracy"), find_score(scores, "mean_relative_accuracy")
    assert overall is not None and overall.n == options
    assert relative is not None and relative.n == numbers
    gone = find_score(scores, "unreadable", {"answers": "numbers"})
    assert gone is not None and gone.n == numbers


def test_an_answer_without_a_number_is_counted_and_worth_nothing(made: Dataset, tmp_path: Path) -> None:
    numbers = [q for q in made.questions() if not q.choices]
    said = {q.id: q.answer if k % 2 else "I cannot tell." for k, q in enumerate(numbers)}
    lines = [json.dumps({"question": q.id, "text": said.get(q.id, q.answer)}) for q in made.questions()]
    (tmp_path / "half.jsonl").write_text("\n".join(lines))
    api.run_model(made.path, f"scripted:{tmp_path / 'half.jsonl'}", tmp_path / "run")
    scored(tmp_path / "run")
    found = list(read_jsonl(tmp_path / "run/scores/fathom/scores.jsonl", Score))
    right = sum(k % 2 for k in range(len(numbers))) / len(numbers)
    relative = find_score(found, "mean_relative_accuracy")
    gone = find_score(found, "unreadable", {"answers": "numbers"})
    assert relative is not None and relative.value == pytest.approx(right)
    assert gone is not None and gone.value == pytest.approx(1 - right)


def test_tasks_by_kind_of_scene_add_up(scores: list[Score]) -> None:
    for task in BENCHMARK.tasks:
        whole = find_score(scores, "accuracy", {"task": task})
        parts = [s for s in scores if s.name == "accuracy" and set(s.group) == {"task", "setting"}]
        parts = [s for s in parts if s.group["task"] == task]
        if whole is not None and whole.value is not None:
            assert sum(s.n for s in parts) == whole.n
            assert sum(s.n * (s.value or 0) for s in parts) == pytest.approx(whole.n * whole.value)


def test_tables_2_and_3_stand_beside_the_published_rows(report: Path) -> None:
    for published in (BY_TASK, BY_SETTING):
        table = rows(report, published.name)
        names = [row[0] for row in table[1:]]
        assert [f"{model}, published" for model in published.rows] == names[: len(published.rows)]
        assert len(names) == len(published.rows) + 3
        assert len(table[0]) == len(published.columns) + 1
    exact = next(row for row in rows(report, "table2") if row[0].startswith("oracle"))
    assert exact[2].startswith("100.0")


def test_the_report_draws_what_the_dataset_is_and_how_finely_models_measure(report: Path) -> None:
    figures = {p.name for p in (report / "figures").iterdir()}
    assert {"videos.svg", "results-by-setting.svg"} <= figures
    assert "sampled-error.pdf" not in figures, "five questions about a quantity make no curve"
    page = (report / "report.html").read_text(encoding="utf-8")
    for words in ('id="numbers"', "How long the videos are", "Questions by task and kind"):
        assert words in page
    counts = rows(report, "task-by-setting")
    assert [int(n) for n in counts[-1][1:4]] == [sum(int(r[k]) for r in counts[1:-1]) for k in (1, 2, 3)]


def test_runs_of_one_model_are_told_apart_by_their_folders(report: Path) -> None:
    names = [row[0] for row in rows(report, "leaderboard")]
    assert "oracle (exact)" in names and "oracle (noisy)" in names and "random" in names


def test_a_comparison_leaves_numbers_out(runs: dict[str, Path]) -> None:
    found = json.loads(api.compare_runs([runs["exact"], runs["noisy"]]).json)
    scored(runs["exact"])
    exact = list(read_jsonl(runs["exact"] / "scores/fathom/scores.jsonl", Score))
    overall = find_score(exact, "accuracy")
    assert overall is not None and str(overall.n) in json.dumps(found)
