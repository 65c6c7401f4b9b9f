"""All five benchmarks from their official files to the report, with tiny models of real architectures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from tests.said import scored

pytest.importorskip("av", reason="the package av is not installed")
pytest.importorskip("pyarrow", reason="the package pyarrow is not installed")

from fathom import api
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL
from fathom.store.runs import open_run
from tests.five.conftest import Find
from tests.five.runs import journal, responses, rows_of, sample_scores, score, scores
from tests.five.sets import OFFICIAL as SETS
from tests.hf import models
from tests.hf.conftest import one_thread
from tests.needed import needs

pytestmark = needs("torch", "transformers")

__all__ = ["one_thread"]

OPTIONS = {"max_new_tokens": "12", "batch": "4"}
"""Twelve tokens: of three of a model that knows nothing, all may be blank, and that is no answer."""


@dataclass(frozen=True)
class Walk:
    """A small set put to an architecture under a protocol, in so many passes."""

    set: str
    architecture: str
    protocol: str = "default"
    settings: Mapping[str, str] = field(default_factory=dict)
    passes: int = 0
    ranked: bool = False

    @property
    def expected(self) -> int:
        """How many passes there are: as many as the paper's protocol has, if not said."""
        return self.passes or SETS[self.set].requests


WALKS: Mapping[str, Walk] = {
    # 18 frames of three views, as pictures and as one clip
    "4d-bench": Walk("4d-bench", "llava_onevision"),
    "4d-bench, clip": Walk("4d-bench", "qwen2_5_vl", settings={"show": "clip"}),
    "4d-bench, captions": Walk("4d-bench-captions", "llava_onevision", "captions"),
    "4d-bench, blind": Walk("4d-bench", "llava_onevision", "blind"),
    # likelihood; eight frames are joined behind its Q-Former
    "seed-bench, joined": Walk("seed-bench", "instructblip_t5", ranked=True),
    "seed-bench, one frame": Walk("seed-bench", "instructblip_t5", settings={"frames": "1"}, ranked=True),
    "seed-bench": Walk("seed-bench", "llava_onevision", ranked=True),
    "sti-bench": Walk("sti-bench", "llava_onevision"),
    "sti-bench, clip": Walk("sti-bench", "qwen2_5_vl", settings={"show": "clip"}),
    "sti-bench, letters": Walk("sti-bench", "llava_onevision", "likelihood", ranked=True),
    "3dsrbench": Walk("3dsrbench", "llava_onevision"),
    "3dsrbench, flip": Walk("3dsrbench", "llava_onevision", "flip", passes=24),
    "3dsrbench, both": Walk(
        "3dsrbench",
        "llava_onevision",
        "both",
        {"answer": "likelihood", "continuation": "letter"},
        ranked=True,
    ),
    "pulsecheck457": Walk("pulsecheck457", "llava_onevision"),
}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Path]:
    """From an architecture's name and a seed to a checkpoint with random weights."""
    folder = tmp_path_factory.mktemp("tiny")

    def find(name: str, seed: int) -> Path:
        path = folder / f"{name}-{seed}"
        if not path.exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(models, "save", partial(models.save, seed=seed))
                models.MAKERS[name](path)
        return path

    return find


Tiny = Callable[[str, int], Path]
Walked = Callable[[str, int], Path]


def run(dataset: Path, walk: Walk, checkpoint: Path, out: Path) -> api.Ran:
    return api.run_model(
        dataset, f"hf:{checkpoint}", out, options=OPTIONS, protocol=walk.protocol, settings=walk.settings
    )


@pytest.fixture(scope="module")
def walked(dataset: Find, tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """From a walk's name and a seed to its scored run, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("walked")
    made: dict[tuple[str, int], Path] = {}

    def find(name: str, seed: int = 0) -> Path:
        if (name, seed) not in made:
            walk, out = WALKS[name], folder / f"{list(WALKS).index(name)}-{seed}"
            ran = run(dataset(walk.set).path, walk, tiny(walk.architecture, seed), out)
            assert (ran.requests, ran.failed) == (walk.expected, 0), ran.text
            (out / "said.txt").write_text(scored(out), encoding="utf-8")
            made[name, seed] = out
        return made[name, seed]

    return find


@pytest.mark.parametrize("name", WALKS)
def test_every_question_has_a_mark_that_says_what_became_of_it(
    name: str, walked: Walked, dataset: Find
) -> None:
    walk, out = WALKS[name], walked(name, 0)
    found = sample_scores(out)
    assert len(found) == walk.expected
    assert {m.question for m in found} == {q.id for q in dataset(walk.set).questions()}
    assert Counter(m.status for m in found) == Counter({"ok": walk.expected})
    assert open_run(out).manifest.complete
    assert {m.how.startswith("rank") or "likel" in m.how for m in found} <= {walk.ranked}


@pytest.mark.parametrize("name", [name for name, walk in WALKS.items() if walk.ranked])
def test_what_is_ranked_has_a_likelihood_for_every_option(name: str, walked: Walked, dataset: Find) -> None:
    options = {q.id: len(q.choices) for q in dataset(WALKS[name].set).questions()}
    answered = [r for r in responses(walked(name, 0)) if r.status == "ok"]
    for r in answered:
        assert len(r.option_logprobs) == len(r.option_tokens) == options[r.question]
        assert all(math.isfinite(x) and x < 0 for x in r.option_logprobs)
        assert min(r.option_tokens) > 0
    assert len({r.option_logprobs for r in answered}) > 1, "what is shown makes a difference"
    assert all(m.picked is not None for m in sample_scores(walked(name, 0)) if m.status == "ok")


@pytest.mark.parametrize("name", WALKS)
def test_the_papers_rows_stand_above_ours_and_a_part_is_not_called_official(
    name: str, walked: Walked
) -> None:
    walk, out = WALKS[name], walked(name, 0)
    said = (out / "said.txt").read_text(encoding="utf-8")
    model = open_run(out).manifest.name
    # Table 2 of 4D-Bench is about captions, the others' tables about questions.
    tables = [
        t
        for t in api.benchmark_named(SETS[walk.set].benchmark).tables
        if f"{t.title}, published and ours" in said
    ]
    assert tables
    for table in tables:
        rows = rows_of(said, f"{table.title}, published and ours")
        assert sum(", published" in row for row in rows) == len(table.rows)
        assert any(row.startswith(model) for row in rows), rows
    assert NOT_OFFICIAL in said
    assert OFFICIAL not in said


@pytest.mark.parametrize("name", [n for n, w in WALKS.items() if w.set not in ("4d-bench-captions",)])
def test_tasks_and_questions_are_counted_in_the_scores(name: str, walked: Walked) -> None:
    walk, found = WALKS[name], scores(walked(name, 0))
    per_task = [s for s in found if s.name == "accuracy" and set(s.group) == {"task"}]
    assert len(per_task) == SETS[walk.set].tasks
    assert sum(s.n for s in per_task) == score(walked(name, 0), "accuracy").n
    for s in per_task:
        assert s.value is not None
        assert s.low is not None
        assert s.high is not None
        assert 0 <= s.low <= s.value <= s.high <= 1


def test_seed_bench_has_a_score_for_images_and_one_for_videos(walked: Walked) -> None:
    out = walked("seed-bench", 0)
    assert [score(out, "accuracy", part=part).n for part in ("spatial", "temporal")] == [14, 3]


def test_sti_bench_has_a_score_for_each_kind_of_scene(walked: Walked) -> None:
    out = walked("sti-bench", 0)
    settings = ("indoor", "outdoor", "desktop")
    assert [score(out, "accuracy", setting=setting).n for setting in settings] == [3, 3, 2]


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("3dsrbench", {"plain": 56, "circular": 24, "flip": 28, "both": 12}),
        ("3dsrbench, flip", {"plain": 24, "flip": 12, "circular": 0, "both": 0}),
        ("3dsrbench, both", {"plain": 56, "circular": 24, "flip": 28, "both": 12}),
    ],
)
def test_3dsrbench_has_four_ways_to_count_and_says_which_cannot_be_had(
    name: str, groups: Mapping[str, int], walked: Walked
) -> None:
    for way, n in groups.items():
        found = score(walked(name, 0), f"accuracy_{way}")
        assert found.n == n, way
        assert (found.value is None) == (n == 0), way
    worth = [score(walked(name, 0), f"accuracy_{way}").value or 0.0 for way in ("both", "circular", "plain")]
    assert worth == sorted(worth)


def test_captions_are_scored_by_their_own_metrics(walked: Walked) -> None:
    found = [s for s in scores(walked("4d-bench, captions", 0)) if s.group.get("protocol") == "4dbench"]
    computed = {s.name.casefold().replace("-", "_") for s in found if s.value is not None}
    assert {"bleu_1", "bleu_4", "rouge_l"} <= computed
    assert not any(
        s.name == "accuracy" and s.value is not None for s in scores(walked("4d-bench, captions", 0))
    )


@pytest.mark.parametrize("name", ["4d-bench", "seed-bench", "sti-bench", "3dsrbench", "pulsecheck457"])
def test_what_was_answered_is_not_asked_again(
    name: str, walked: Walked, dataset: Find, tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk, out = WALKS[name], walked(name, 0)
    load = "fathom.inference.models.hf.load_weights"
    monkeypatch.setattr(load, lambda *a: pytest.fail("weights were loaded"))
    before = journal(out)
    ran = run(dataset(walk.set).path, walk, tiny(walk.architecture, 0), out)
    assert f"0 answered, {walk.expected} were there already" in ran.text
    assert journal(out) == before


@pytest.mark.parametrize("name", ["4d-bench", "seed-bench", "sti-bench", "3dsrbench, both", "pulsecheck457"])
def test_a_second_run_comes_out_the_same(
    name: str, walked: Walked, dataset: Find, tiny: Tiny, tmp_path: Path
) -> None:
    walk, first, second = WALKS[name], walked(name, 0), tmp_path / "again"
    run(dataset(walk.set).path, walk, tiny(walk.architecture, 0), second)
    scored(second)
    said = [
        [(r.question, r.variant, r.text, r.option_logprobs, r.status) for r in responses(path)]
        for path in (first, second)
    ]
    assert said[0] == said[1]
    for file in ("samples.jsonl", "scores.jsonl"):
        path = Path("scores/fathom") / file
        assert (first / path).read_bytes() == (second / path).read_bytes()


@pytest.mark.parametrize("name", ["4d-bench, clip", "seed-bench", "sti-bench, letters", "3dsrbench, both"])
def test_two_models_are_compared_and_reported_together(name: str, walked: Walked, tmp_path: Path) -> None:
    walk, runs = WALKS[name], [walked(name, seed) for seed in (0, 1)]
    texts = [[(r.text, r.option_logprobs) for r in responses(path)] for path in runs]
    assert texts[0] != texts[1], "other weights say other things"
    compared = api.compare_runs(runs)
    names = [open_run(path).manifest.name for path in runs]
    assert len(set(names)) == 2
    titles = api.benchmark_named(SETS[walk.set].benchmark).tasks
    asked = {m.task for m in sample_scores(runs[0])}
    assert len(asked) == SETS[walk.set].tasks
    for task in asked:
        assert titles[task] in compared.text, task
    page = api.write_report(runs, tmp_path / "report", figures=False).read_text(encoding="utf-8")
    for model in names:
        assert model in page
    assert NOT_OFFICIAL in page
    assert OFFICIAL not in page
    assert 'src="http' not in page
