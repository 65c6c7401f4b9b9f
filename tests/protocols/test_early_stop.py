"""Stopping early asks less, and decides exactly the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom import api
from fathom.inference.variants import rotations
from fathom.records import (
    InputError,
    Manifest,
    Prompt,
    Question,
    Request,
    Response,
    SampleScore,
    Score,
    Variant,
    without_answer,
)
from fathom.scoring.early_stopping import EarlyStop, decided
from fathom.scoring.groups import GROUPINGS, Grouping, form_groups, values_of
from fathom.scoring.sample_scores import score_responses
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_json, read_jsonl
from tests.extractors import EXTRACTORS
from tests.protocols.made import write_3dsrbench
from tests.protocols.test_groups import question
from tests.said import scored

BATCHES, HOSTED = "tests.protocols.made:open_batches", "tests.protocols.made:open_hosted"

QUESTIONS = [
    question("a", 2, flip="a"),
    question("a-flip", 2, flip="a"),
    question("b", 4, flip="b"),
    question("b-flip", 4, flip="b"),
    question("c", 3),
]
PASSES = [(q, v) for q in QUESTIONS for v in rotations(len(q.choices))]
outcomes = st.lists(
    st.sampled_from(["right", "wrong", "mute", "refused", "failed"]), min_size=15, max_size=15
)


def response(q: Question, variant: Variant, outcome: str) -> Response:
    text = {"right": q.answer, "wrong": next(c for c in q.choices if c != q.answer)}.get(outcome, "")
    status = outcome if outcome in ("refused", "failed") else "ok"
    return Response(key="k", question=q.id, status=status, text=text, variant=variant)  # type: ignore[arg-type]


def verdicts(responses: list[Response], grouping: Grouping, early: bool) -> dict[str, bool | None]:
    heard = {r.question for r in responses}
    sample_scores = score_responses([q for q in QUESTIONS if q.id in heard], responses, EXTRACTORS["fathom"])
    groups, _ = form_groups(QUESTIONS, values_of(sample_scores), grouping, early)
    return {g.question.id: g.right for g in groups}


@given(outcomes, st.permutations(range(15)), st.sampled_from(["circular", "both"]))
def test_whatever_the_answers_and_their_order_the_verdicts_are_those_of_a_full_run(
    said: list[str], order: list[int], grouping: Grouping
) -> None:
    by_name = {q.id: q for q in QUESTIONS}
    flips = {q.id: q.groups.flip for q in QUESTIONS if q.groups.flip}
    stop = EarlyStop(by_name.__getitem__, flips, grouping, EXTRACTORS["fathom"], None)
    every = [response(*p, outcome) for p, outcome in zip(PASSES, said, strict=True)]
    some = []
    for place in order:
        q, variant = PASSES[place]
        request = Request(key="k", asked=without_answer(q), prompt=Prompt(parts=()), variant=variant)
        if not stop.needless(request):
            some.append(every[place])
            stop.hear(every[place])
    assert verdicts(some, grouping, early=True) == verdicts(every, grouping, early=False)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_3dsrbench(tmp_path_factory.mktemp("3dsr") / "dataset")


def grouped(run: Path, extractor: str = "fathom") -> dict[str, Score]:
    scores = read_jsonl(run / "scores" / extractor / "scores.jsonl", Score)
    return {f"{s.name} {s.group}": s for s in scores if s.name.startswith("accuracy")}


def both_runs(dataset: Path, folder: Path, model: str, protocol: str, **settings: str) -> tuple[Path, Path]:
    full, early = folder / "full", folder / "early"
    api.run_model(dataset, model, full, protocol=protocol, settings=settings)
    api.run_model(
        dataset, model, early, protocol=protocol, settings={**settings, "early-stop": "yes"}, concurrency=5
    )
    for run in (full, early):
        scored(run)
    return full, early


@pytest.mark.parametrize("grouping", ["circular", "flip", "both"])
@pytest.mark.parametrize("opener", [BATCHES, HOSTED])
@pytest.mark.parametrize("skill", ["0", "0.8"])
def test_a_run_that_stops_early_scores_the_same_and_asks_less(
    dataset: Path, tmp_path: Path, grouping: Grouping, opener: str, skill: str
) -> None:
    full, early = both_runs(dataset, tmp_path, f"{opener},skill={skill}", grouping)
    expected = {k: s for k, s in grouped(full).items() if k.startswith(f"accuracy_{grouping} ")}
    assert len(expected) == 1 + 12 + 4
    assert {k: grouped(early)[k] for k in expected} == expected
    counts = {run: read_json(run / MANIFEST, Manifest).counts for run in (full, early)}
    assert read_json(early / MANIFEST, Manifest).complete
    assert (
        counts[early]["done"] + counts[early]["spared"] == counts[early]["requests"] == counts[full]["done"]
    )
    assert counts[early]["spared"] > 0


def test_likelihoods_stop_early_too(dataset: Path, tmp_path: Path) -> None:
    full, early = both_runs(dataset, tmp_path, BATCHES, "likelihood", grouping="circular")
    name = "accuracy_circular {}"
    assert grouped(early)[name] == grouped(full)[name]
    scored(early, extractor="rank-char")
    assert "stopped early under the extractor rank-sum-1" in grouped(early, "rank-char")[name].note


def test_what_the_stop_leaves_unknown_says_so(dataset: Path, tmp_path: Path) -> None:
    _, early = both_runs(dataset, tmp_path, BATCHES, "circular")
    found = {k: s.value for k, s in grouped(early).items()}
    assert found["accuracy {}"] is None
    assert found["accuracy_plain {}"] is None
    assert found["accuracy_flip {}"] is None
    assert found["accuracy_circular {}"] is not None
    every = list(read_jsonl(early / "scores" / "fathom" / "scores.jsonl", Score))
    assert {s.value for s in every if s.name.startswith("place_")} == {None}
    said = scored(early)
    assert "not available" in said
    assert "the run was stopped early, once circular groups were decided" in said


def test_the_saving_is_said(dataset: Path, tmp_path: Path) -> None:
    said = api.run_model(dataset, f"{BATCHES},skill=0", tmp_path / "r", settings={"early-stop": "yes"}).text
    assert "not needed: their verdicts were decided" in said


def test_a_run_that_was_cut_off_goes_on_to_the_same_end(dataset: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    settings = {"early-stop": "yes"}
    api.run_model(dataset, HOSTED, once, settings=settings)
    api.run_model(dataset, HOSTED, twice, settings=settings, limit=5)
    again = api.run_model(dataset, HOSTED, twice, settings=settings)
    assert "were there already" in again.text
    counts = [read_json(run / MANIFEST, Manifest).counts for run in (once, twice)]
    for run in (once, twice):
        scored(run)
    assert counts[0]["requests"] == counts[1]["requests"]
    assert grouped(once)["accuracy_circular {}"] == grouped(twice)["accuracy_circular {}"]


def test_passes_that_failed_are_asked_again_and_decide_nothing(dataset: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = api.run_model(dataset, f"{BATCHES},failing=0.3", run, settings={"early-stop": "yes"})
    assert first.failed > 0
    assert not read_json(run / MANIFEST, Manifest).complete
    again = api.run_model(dataset, f"{BATCHES},failing=0.3", run, settings={"early-stop": "yes"})
    assert 0 < again.failed <= first.failed  # some are not needed any more


def test_a_report_can_be_made_of_a_run_that_stopped_early(dataset: Path, tmp_path: Path) -> None:
    _, early = both_runs(dataset, tmp_path, BATCHES, "circular")
    assert api.write_report([early], tmp_path / "page", figures=False).is_file()


@pytest.mark.parametrize(
    ("settings", "limit", "why"),
    [
        ({"early-stop": "yes", "grouping": "plain"}, 0, "each pass counts by itself"),
        ({"early-stop": "yes", "early-stop-extractor": "nobody"}, 0, "there is fathom"),
        ({"early-stop": "yes", "grouping": "both"}, 7, "could not be told"),
    ],
)
def test_what_cannot_be_stopped_early_is_refused(
    dataset: Path, tmp_path: Path, settings: dict[str, str], limit: int, why: str
) -> None:
    with pytest.raises(InputError, match=why):
        api.run_model(dataset, BATCHES, tmp_path / "run", settings=settings, limit=limit)
    assert not (tmp_path / "run").exists()


def test_nothing_is_decided_by_other_extractors_other_questions_or_failures() -> None:
    q, other = QUESTIONS[:2]

    def sample_score(
        of: Question, extractor: str = "p-1", status: str = "ok", value: float = 0.0
    ) -> SampleScore:
        return SampleScore(question=of.id, task="t", extractor=extractor, status=status, value=value)  # type: ignore[arg-type]

    assert decided(q, [sample_score(q)], "circular", "p-1")
    assert decided(q, [sample_score(q, status="refused")], "circular", "p-1")
    assert decided(q, [sample_score(other)], "both", "p-1")
    for sample_scores in (
        [sample_score(other)],
        [sample_score(q, "p-2")],
        [sample_score(q, status="failed")],
        [sample_score(q, value=1.0)],
        [],
    ):
        assert not decided(q, sample_scores, "circular", "p-1")
    assert not decided(q, [sample_score(q)], "plain", "p-1")
    assert set(GROUPINGS) == {"plain", "circular", "flip", "both"}
