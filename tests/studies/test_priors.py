"""Counterfactual objects: who says what is known of the world, and who says what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.pages.published import find_score
from fathom.records import Groups, Question, SampleScore, Score
from fathom.scoring.answers import gather
from fathom.scoring.metrics.priors import prior_choice
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl, write_jsonl
from tests.said import scored

CHOICES = ("Six.", "Eight.", "Ten.", "Four.")


def spider(number: int, kind: str = "legs", prior: str = "Eight.") -> Question:
    return Question(
        id=f"q{number}",
        task="object_counting",
        text="How many legs does the spider have?",
        answer="Six.",
        choices=CHOICES,
        groups=Groups(cluster=f"asset {number}"),
        tags={"counterfactual": kind, "prior_answer": prior} if kind else {},
    )


def said(question: Question, picked: str | None) -> SampleScore:
    right = float(picked == question.answer)
    return SampleScore(
        question=question.id, task=question.task, extractor="p", status="ok", value=right, picked=picked
    )


def value(scores: list[Score], name: str, **group: str) -> float | None:
    score = find_score(scores, name, group)
    assert score is not None
    return score.value


def test_each_option_is_counted_for_what_it_is() -> None:
    questions = [spider(k, "legs" if k < 4 else "colour") for k in range(6)]
    picked = ["Eight.", "Eight.", "Six.", "Ten.", "Eight.", None]
    sample_scores = [said(q, p) for q, p in zip(questions, picked, strict=True)]
    scores = prior_choice(gather(questions, sample_scores))
    assert value(scores, "prior_chosen") == pytest.approx(3 / 6)
    assert value(scores, "prior_right") == pytest.approx(1 / 6)
    assert value(scores, "prior_of_wrong") == pytest.approx(3 / 4)
    assert value(scores, "prior_of_wrong_chance") == pytest.approx(1 / 3)
    assert value(scores, "prior_chosen", counterfactual="legs") == pytest.approx(2 / 4)


def test_intervals_are_clustered_by_asset() -> None:
    questions = [spider(k) for k in range(8)]
    sample_scores = [said(q, "Eight." if k < 4 else "Six.") for k, q in enumerate(questions)]
    score = find_score(prior_choice(gather(questions, sample_scores)), "prior_chosen")
    assert score is not None and score.low is not None and score.high is not None
    assert score.low < 0.5 < score.high
    assert "8 clusters" in score.method


def test_ordinary_questions_and_priors_that_are_right_or_not_offered_do_not_count() -> None:
    questions = [spider(0, kind=""), spider(1, prior="Six."), spider(2, prior="Twelve.")]
    assert prior_choice(gather(questions, [said(q, "Eight.") for q in questions])) == []


def test_nobody_wrong_leaves_the_share_of_wrong_answers_open() -> None:
    scores = prior_choice(gather([spider(0)], [said(spider(0), "Six.")]))
    assert value(scores, "prior_of_wrong") is None


def test_score_prints_the_table_and_what_questions_take(objects: Path, tmp_path: Path) -> None:
    lines = tmp_path / "prior.jsonl"
    write_jsonl(
        lines,
        [
            {"question": q.id, "text": f"({'ABCD'[q.choices.index(q.tags.get('prior_answer', q.answer))]})"}
            for q in open_dataset(objects).questions()
        ],
    )
    api.run_model(objects, f"scripted:{lines}", tmp_path / "run")
    text = scored(tmp_path / "run")
    assert "Counterfactual objects: what world knowledge says, or what is shown" in text
    assert "Several views needed" in text
    scores = list(read_jsonl(tmp_path / "run" / "scores" / "fathom" / "scores.jsonl", Score))
    assert value(scores, "prior_chosen") == 1.0
    assert value(scores, "prior_right") == 0.0
    page = api.write_report([tmp_path / "run"], tmp_path / "report", figures=False)
    assert 'id="counterfactual"' in page.read_text(encoding="utf-8")
    assert (tmp_path / "report" / "tables" / "counterfactual.csv").is_file()


def test_a_set_without_such_questions_shows_nothing_new(tmp_path: Path) -> None:
    from tests.protocols.made import write_4d_bench

    api.run_model(
        write_4d_bench(tmp_path / "set"), "random", tmp_path / "run", tasks=["action", "appearance"]
    )
    text = scored(tmp_path / "run")
    assert "Counterfactual" not in text and "needed" not in text
    page = api.write_report([tmp_path / "run"], tmp_path / "report", figures=False)
    assert 'id="counterfactual"' not in page.read_text(encoding="utf-8")
