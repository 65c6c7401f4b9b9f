"""The walk: from a built dataset to a report, with models whose answers are known beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.pages.published import find_score
from fathom.records import Manifest, Question, SampleScore, Score
from fathom.store.datasets import MANIFEST, QUESTIONS
from fathom.store.files import read_json, read_jsonl
from fathom.store.runs import open_run
from tests.said import scored

SCRIPTED = ("perfect", "always-a", "random", "mute", "broken")


@pytest.fixture(scope="module")
def runs(
    small_dataset: Path, train_dataset: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The folder of one scored run for each model of the walk."""
    models = {name: f"scripted:{name}" for name in SCRIPTED}
    models |= {"guess": "random", "prior": f"prior:{train_dataset}", "oracle": "oracle"}
    models["shaky-oracle"] = "oracle:position_sigma_m=0.5,heading_sigma_deg=60"
    root = tmp_path_factory.mktemp("runs")
    for name, model in models.items():
        api.run_model(small_dataset, model, root / name)
        scored(root / name)
    return {name: root / name for name in models}


@pytest.fixture(scope="module")
def questions(small_dataset: Path) -> list[Question]:
    return list(read_jsonl(small_dataset / QUESTIONS, Question))


def scores(run: Path) -> list[Score]:
    return list(read_jsonl(run / "scores" / "fathom" / "scores.jsonl", Score))


def sample_scores(run: Path) -> dict[str, SampleScore]:
    return {m.question: m for m in read_jsonl(run / "scores" / "fathom" / "samples.jsonl", SampleScore)}


def accuracy(run: Path, **group: str) -> float:
    found = find_score(scores(run), "accuracy", group)
    assert found is not None
    assert found.value is not None
    return found.value


@pytest.mark.parametrize("name", ["perfect", "oracle"])
def test_who_knows_every_answer_scores_100_per_cent_in_every_task(
    runs: dict[str, Path], questions: list[Question], name: str
) -> None:
    assert accuracy(runs[name]) == 1.0
    assert {accuracy(runs[name], task=q.task) for q in questions} == {1.0}
    assert {m.value for m in sample_scores(runs[name]).values()} == {1.0}


@pytest.mark.parametrize("name", ["mute", "broken"])
def test_who_says_nothing_scores_nothing_and_nothing_is_read(
    runs: dict[str, Path], questions: list[Question], name: str
) -> None:
    assert accuracy(runs[name]) == 0.0
    assert len(sample_scores(runs[name])) == len(questions)
    assert {m.picked for m in sample_scores(runs[name]).values()} == {None}


def test_a_failure_is_counted_as_one_and_the_run_is_not_complete(
    runs: dict[str, Path], questions: list[Question]
) -> None:
    broken, mute = (read_json(runs[name] / MANIFEST, Manifest) for name in ("broken", "mute"))
    assert not broken.complete
    assert broken.counts == {"requests": len(questions), "done": 0, "failed": len(questions)}
    assert mute.complete
    assert mute.counts == {"requests": len(questions), "done": len(questions), "failed": 0}


def test_who_always_says_the_first_answer_is_right_as_often_as_it_is_the_answer(
    runs: dict[str, Path], questions: list[Question]
) -> None:
    first = sum(q.answer == q.possible[0] for q in questions) / len(questions)
    assert accuracy(runs["always-a"]) == pytest.approx(first)


@pytest.mark.parametrize("name", ["guess", "random", "prior"])
def test_a_blind_guesser_picks_one_of_the_answers_possible(
    runs: dict[str, Path], questions: list[Question], name: str
) -> None:
    possible = {q.id: {q.answer, *q.possible, *q.equivalents} for q in questions}
    found = sample_scores(runs[name])
    assert len(found) == len(questions)
    assert all(m.picked in possible[q] for q, m in found.items())
    assert accuracy(runs[name]) < 1.0


def test_an_oracle_that_sees_badly_scores_less_but_not_nothing(runs: dict[str, Path]) -> None:
    assert 0.0 < accuracy(runs["shaky-oracle"]) < 1.0


def test_a_run_started_again_asks_nothing(
    runs: dict[str, Path], small_dataset: Path, questions: list[Question]
) -> None:
    journal = [p.read_bytes() for p in sorted((runs["perfect"] / "journal").glob("*.jsonl"))]
    said = api.run_model(small_dataset, "scripted:perfect", runs["perfect"]).text
    assert f"0 answered, {len(questions)} were there already" in said
    assert [p.read_bytes() for p in sorted((runs["perfect"] / "journal").glob("*.jsonl"))] == journal


@pytest.mark.parametrize("extractor", ["fathom", "vlmevalkit", "lmms-eval"])
def test_a_run_can_be_read_in_any_way_afterwards(runs: dict[str, Path], extractor: str) -> None:
    said = scored(runs["perfect"], extractor=extractor)
    assert said.endswith(f"scores/{extractor}")


def test_scoring_twice_writes_the_same_bytes(runs: dict[str, Path]) -> None:
    def files() -> list[bytes]:
        folder = runs["random"] / "scores" / "fathom"
        return [(folder / name).read_bytes() for name in ("samples.jsonl", "scores.jsonl")]

    before = files()
    scored(runs["random"])
    assert files() == before


def test_the_scores_come_as_the_papers_table(runs: dict[str, Path]) -> None:
    said = scored(runs["perfect"])
    for words in ("GPT-4o", "Collision", "scripted-perfect"):
        assert words in said


def test_the_report_shows_every_run_and_is_one_file(runs: dict[str, Path], tmp_path: Path) -> None:
    page = api.write_report(tuple(runs.values()), tmp_path / "report", figures=False)
    text = page.read_text(encoding="utf-8")
    for run in runs.values():
        assert open_run(run).manifest.name in text
    assert 'src="http' not in text
    assert 'href="http' not in text.replace('href="https://arxiv.org', "")


def test_a_report_of_pictures_carries_them_along(painted_dataset: Path, tmp_path: Path) -> None:
    api.run_model(painted_dataset, "oracle", tmp_path / "run")
    page = api.write_report([tmp_path / "run"], tmp_path / "report", figures=False)
    assert page.read_text(encoding="utf-8").count("data:image/") >= 2


def test_one_task_fewer_asked_is_a_limited_run_that_says_so(small_dataset: Path, tmp_path: Path) -> None:
    api.run_model(small_dataset, "scripted:perfect", tmp_path / "run", limit=5)
    manifest = read_json(tmp_path / "run" / MANIFEST, Manifest)
    assert manifest.counts["requests"] == 5
    assert not manifest.complete
    scored(tmp_path / "run")
    assert len(sample_scores(tmp_path / "run")) == 5
    assert accuracy(tmp_path / "run") == 1.0


def test_a_dry_run_writes_nothing(small_dataset: Path, tmp_path: Path, questions: list[Question]) -> None:
    said = api.run_model(small_dataset, "scripted:perfect", tmp_path / "run", dry_run=True).text
    assert f"{len(questions)} of {len(questions)} requests to ask" in said
    assert not (tmp_path / "run").exists()


def test_progress_ends_with_everything_done(small_dataset: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def show(what: str, done: int, total: int, note: str = "", /) -> None:
        seen.append((done, total))

    api.run_model(small_dataset, "scripted:perfect", tmp_path / "run", progress=show)
    assert seen[-1][0] == seen[-1][1] > 0


def test_somebody_elses_benchmark_walks_the_same_way(tmp_path: Path) -> None:
    """It is named by module:attribute, and found by that again in every stage."""
    name = "tests.other_benchmark:BENCHMARK"
    api.build_dataset(name, tmp_path / "d", scenes=2, renderer="none", workers=1)
    api.run_model(tmp_path / "d", "scripted:perfect", tmp_path / "r")
    scored(tmp_path / "r")
    assert accuracy(tmp_path / "r") == 1.0
    assert api.write_report([tmp_path / "r"], tmp_path / "page", figures=False).is_file()
