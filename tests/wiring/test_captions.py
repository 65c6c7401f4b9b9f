"""Captions from run to scores: both protocols, people's row, each object's own values, and the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.records import InputError, SampleScore, Score
from fathom.scoring.metrics.captions.captions import VARIABLES
from fathom.store.files import read_jsonl
from tests.cli.conftest import Ended
from tests.said import scored
from tests.wiring.answered import answer


@pytest.fixture(autouse=True)
def without_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)


def scores_of(run: Path, extractor: str = "fathom") -> dict[tuple[str, str, str], Score]:
    found = read_jsonl(run / "scores" / extractor / "scores.jsonl", Score)
    return {
        (s.name, s.group.get("protocol", s.group.get("aspect", "")), s.group.get("of", "")): s for s in found
    }


def sample_scores_of(run: Path) -> list[SampleScore]:
    return list(read_jsonl(run / "scores" / "fathom" / "samples.jsonl", SampleScore))


def test_captions_are_scored_under_both_protocols_and_for_people(captions: Path) -> None:
    scored(captions)
    scores = scores_of(captions)
    for protocol in ("coco", "4dbench"):
        bleu = scores["bleu_4", protocol, ""]
        assert bleu.value is not None
        assert bleu.low is not None
        assert bleu.n == 6
    assert scores["rouge_l", "4dbench", "people"].value is not None
    assert ("rouge_l", "coco", "people") not in scores


def test_a_metric_whose_tool_is_missing_says_so_in_scores_and_in_words(captions: Path) -> None:
    said = scored(captions)
    score = scores_of(captions)["bert_score", "4dbench", ""]
    assert (score.value, score.method) == (None, "not available")
    assert "FATHOM_BERT" in score.note
    assert "BERTScore (4dbench): not available: " in said
    assert "SBERT (4dbench): not available: " in said


def test_the_published_rows_stand_beside_ours_in_their_own_units(captions: Path) -> None:
    said = scored(captions)
    table = said[said.index("Table 2: captions") :].splitlines()
    theirs = next(line for line in table if line.startswith("GPT-4o, published"))
    assert theirs.split()[-9:] == ["69.0", "6.4", "35.9", "32.1", "64.1", "66.4", "3.507", "3.258", "3.382"]
    bleu = scores_of(captions)["bleu_4", "4dbench", ""].value
    assert bleu is not None
    ours = next(line for line in table if line.startswith("made-up-0.6"))
    assert f" {100 * bleu:.1f} " in ours
    assert any(line.startswith("One person’s caption against the others’") for line in table)


def test_every_mark_of_a_caption_holds_its_own_values(captions: Path) -> None:
    scored(captions)
    sample_scores = sample_scores_of(captions)
    assert len(sample_scores) == 6
    for sample_score in sample_scores:
        assert {"coco/bleu_4", "coco/cider_d", "4dbench/bleu_4", "4dbench/rouge_l"} <= set(
            sample_score.details
        )
    mean = sum(m.details["4dbench/rouge_l"] for m in sample_scores) / len(sample_scores)
    assert mean == pytest.approx(scores_of(captions)["rouge_l", "4dbench", ""].value)


def judged(run: Path, folder: Path, model: str = "judge-model-1", lost: int = 0) -> Path:
    """The run of a judge that gives 4 for appearance and 2 for action, and fails so many times."""
    scored(run, judge_requests=folder / "requests")
    failures = iter(range(lost))

    def say(request: object) -> str | None:
        if next(failures, None) is not None:
            return None
        return '{"score": 4}' if request.variant.name == "appearance" else '{"score": 2}'  # type: ignore[attr-defined]

    return answer(folder / "requests", folder / "judged", say, model)


def test_a_judge_is_asked_in_a_folder_and_scoring_goes_on_with_its_run(
    captions: Path, tmp_path: Path
) -> None:
    said = scored(captions, responses=[judged(captions, tmp_path)])
    scores = scores_of(captions)
    assert [scores[f"judge_{n}", "", ""].value for n in ("appearance", "action", "mean")] == [4, 2, 3]
    assert scores["judge_mean_bounds", "", ""].low == 3
    assert all(m.details["judge/appearance"] == 4 for m in sample_scores_of(captions))
    assert "judged by judge-model-1" in said
    ours = next(line for line in said.splitlines() if line.startswith("made-up-0.6  "))
    assert ours.split()[-3:] == ["4.000", "2.000", "3.000"]


def test_fathom_run_answers_the_requests_of_fathom_score(captions: Path, tmp_path: Path) -> None:
    scored(captions, judge_requests=tmp_path / "asked")
    api.run_model(tmp_path / "asked", "tests.wiring.made:open_judge", tmp_path / "judged")
    scored(captions, responses=[tmp_path / "judged"])
    scores = scores_of(captions)
    assert [scores[f"judge_{n}", "", ""].value for n in ("appearance", "action", "mean")] == [4, 2, 3]


def test_what_to_do_with_the_requests_is_said(captions: Path, tmp_path: Path) -> None:
    said = scored(captions, judge_requests=tmp_path / "requests")
    assert f"fathom run {tmp_path / 'requests'} --model MODEL" in said
    assert "Judge: not available: no judge was asked" in said


def test_the_judge_is_remembered_for_a_report_made_later(captions: Path, tmp_path: Path) -> None:
    scored(captions, responses=[judged(captions, tmp_path)])
    assert "with the help of judge-model-1" in scored(captions)
    page = api.write_report([captions], tmp_path / "report", figures=False).read_text(encoding="utf-8")
    assert "judge: appearance 4 of 5, action 2 of 5" in page
    assert "3.00" in page


def test_too_many_judgements_lost_leave_bounds_and_no_mean(captions: Path, tmp_path: Path) -> None:
    said = scored(captions, responses=[judged(captions, tmp_path, lost=2)])
    scores = scores_of(captions)
    assert scores["judge_appearance", "", ""].value is None
    bounds = scores["judge_appearance_bounds", "", ""]
    assert bounds.low is not None
    assert bounds.high is not None
    assert bounds.low < 4 <= bounds.high
    assert "if each of the 1 captions without a score had got 0, or 5" in said


def test_a_judge_of_the_models_own_family_is_marked(captions: Path, tmp_path: Path) -> None:
    run = judged(captions, tmp_path, model="gpt-4o")
    manifest = (captions / "manifest.json").read_text(encoding="utf-8")
    (captions / "manifest.json").write_text(
        manifest.replace('"name": "made-up-0.6"', '"name": "gpt-4o-mini"')
    )
    assert "of one family (openai)" in scored(captions, responses=[run])


def test_peoples_scores_tell_how_far_the_judge_agrees(captions: Path, tmp_path: Path) -> None:
    run = judged(captions, tmp_path)
    lines = ["object,appearance,action", *(f"object{i},4,{i % 5}" for i in range(6))]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    said = scored(captions, responses=[run], human_scores=tmp_path / "people.csv")
    assert scores_of(captions)["judge_agreement_exact", "appearance", ""].value == 1
    assert "agreement with people on appearance, exact: 1.00" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("object,appearance\nobject0,4\n", "found no action"),
        ("object,appearance,action\nobject0,4,9\n", "people.csv:2: expected a score from 0 to 5, found '9'"),
        ("object,appearance,action\nobject0,4,2\nobject0,4,2\n", "people.csv:3: scores 'object0' a second"),
        ("object,appearance,action\nnobody,4,2\n", "of none of the captions"),
    ],
)
def test_scores_of_people_that_are_none_are_refused(
    captions: Path, tmp_path: Path, text: str, says: str
) -> None:
    run = judged(captions, tmp_path)
    (tmp_path / "people.csv").write_text(text)
    with pytest.raises(InputError, match=says):
        scored(captions, responses=[run], human_scores=tmp_path / "people.csv")


def test_a_judge_of_other_captions_is_refused(captions: Path, tmp_path: Path) -> None:
    run = judged(captions, tmp_path)
    with pytest.raises(InputError, match="answers other requests about captions"):
        scored(captions, responses=[run], seed="another")


def test_a_run_that_judges_nothing_is_refused(captions: Path) -> None:
    with pytest.raises(InputError, match="expected the run of a request folder"):
        scored(captions, responses=[captions])


def test_the_command_line_takes_the_same_words(captions: Path, tmp_path: Path, fathom: object) -> None:
    call = fathom
    ended: Ended = call("score", captions, "--judge-requests", tmp_path / "asked")  # type: ignore[operator]
    assert ended.code == 0
    judge = answer(tmp_path / "asked", tmp_path / "judged", lambda r: '{"score": 5}')
    ended = call("score", captions, "--responses", judge)  # type: ignore[operator]
    assert "Judge, mean of both, 0 to 5" in ended.out
    assert "5.00" in ended.out
