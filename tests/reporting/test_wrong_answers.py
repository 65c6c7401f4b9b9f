"""A review of wrong answers shows what they were asked about, whatever the benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.api.names import BENCHMARKS, benchmark_named
from fathom.records import InputError, Question, Step
from fathom.reporting.shots import _chosen, times_asked
from fathom.review.records import ReviewItem
from fathom.review.tasks.errors import ASKED, OPTIONS, PICKED, RIGHT, SETTING, WROTE
from fathom.store.datasets import QUESTIONS, open_dataset
from fathom.store.files import read_jsonl
from tests.inference.folders import make_dataset
from tests.protocols.made import write_3dsrbench


def items_of(run: Path, work: Path, sample: int = 0) -> list[ReviewItem]:
    """Return the items of a review of a run's wrong answers."""
    plan = api.ReviewPlan(source=run, task="errors", work=work, people=("Ana",), sample=sample)
    review, _ = api.begin_review(plan)
    return list(review.store.items())


def test_questions_without_options_have_wrong_answers_too(tmp_path: Path) -> None:
    dataset, run = make_dataset(tmp_path / "d"), tmp_path / "run"
    api.run_model(dataset.path, "scripted:random", run, seed="2")
    items = items_of(run, tmp_path / "work")
    assert items and all(len(item.pictures) == 1 for item in items)
    for item in items:
        assert item.hidden[RIGHT] != item.hidden[PICKED]
        labels = benchmark_named("pulsecheck457").error_labels
        assert [choice.value for choice in item.choices] == [label.name for label in labels]


def test_a_run_that_is_not_complete_is_told_and_its_answers_are_extracted_as_asked(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    told: dict[str, list[str]] = {}
    for name, most in (("part", 5), ("whole", 0)):
        api.run_model(dataset.path, "scripted:random", tmp_path / name, seed="2", max_requests=most)
        plan = api.ReviewPlan(
            source=tmp_path / name, task="errors", work=tmp_path / f"review-{name}", people=("Ana",),
            extractor="vlmevalkit",
        )  # fmt: skip
        told[name] = []
        api.begin_review(plan, told[name].append)
        assert [p.name for p in (tmp_path / name / "scores").iterdir()] == ["vlmevalkit"]
        assert api.open_review(plan.work).plan.extractor == "vlmevalkit"
    assert told["whole"] == [] and "of 12" in " ".join(told["part"])
    with pytest.raises(InputError, match="--extractor vlmevalkit: belongs to a review of a run"):
        api.begin_review(api.ReviewPlan(dataset.path, "verify", tmp_path / "w", extractor="vlmevalkit"))


def test_an_imported_question_on_one_picture_shows_it(tmp_path: Path) -> None:
    dataset, run = write_3dsrbench(tmp_path / "d"), tmp_path / "run"
    api.run_model(dataset, "scripted:always-a", run, protocol="generation")
    items = items_of(run, tmp_path / "work", 5)
    assert len(items) == 5 and all(len(item.pictures) == 1 for item in items)
    assert "Whose point of view" in {choice.title for choice in items[0].choices}
    assert all(SETTING not in item.facts for item in items)
    for item in items:
        listed = {line.split(". ", 1)[1] for line in item.facts[OPTIONS].splitlines()}
        assert {item.hidden[RIGHT], item.hidden[PICKED]} <= listed


def test_a_wrong_answer_stands_beside_the_options_in_the_order_that_the_model_saw(tmp_path: Path) -> None:
    """Of a question that is put in several orders, only some of which are answered wrongly."""
    dataset, run = write_3dsrbench(tmp_path / "d"), tmp_path / "run"
    api.run_model(dataset, lambda view: "A", run, protocol="circular")
    items = items_of(run, tmp_path / "work", 0)
    orders = {q.id: q.choices for q in open_dataset(dataset).questions()}
    turned = 0
    for item in items:
        first, *rest = item.facts[OPTIONS].splitlines()
        assert item.hidden[WROTE] == "A" and first == f"A. {item.hidden[PICKED]}"
        turned += orders[item.about[0]][0] != item.hidden[PICKED] and bool(rest)
    assert turned, "some answers are right in the plain order, and wrong in another"


def test_every_benchmark_has_labels_of_its_own_and_one_for_the_rest() -> None:
    found = {name: benchmark_named(name).error_labels for name in BENCHMARKS}
    assert len({tuple(label.name for label in labels) for labels in found.values()}) == len(found)
    for labels in found.values():
        names = [label.name for label in labels]
        assert names[-1] == "other"
        assert len(set(names)) == len(names) <= 9, "a key of the keyboard for each"
        assert all(label.title and label.meaning for label in labels)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"program": (Step(op="at", args=("3.43",)),), "span_s": (0.0, 9.0)}, (3.43,)),
        ({"program": (Step(op="thing", args=("7",)), Step(op="span", args=("1.0", "8.0")))}, (1.0, 8.0)),
        ({"span_s": (2.0, 4.0)}, (2.0, 4.0)),
        ({}, ()),
    ],
)
def test_the_seconds_of_a_question_are_those_that_it_names(
    question: dict[str, object], expected: tuple[float, ...]
) -> None:
    asked = Question(id="q", task="t", text="", answer="", **question)  # type: ignore[arg-type]
    assert times_asked(asked) == expected


def test_frames_that_are_asked_about_are_always_among_those_shown() -> None:
    assert _chosen(range(100), [30], 6)[0] < 30
    for asked in ([], [0], [99], [0, 99], [41, 42, 43], list(range(10))):
        found = _chosen(range(100), asked, 6)
        assert len(found) == 6
        assert set(asked[:6]) <= set(found)
        assert found == sorted(set(found))
    assert _chosen([4], [4], 6) == [4]


def test_the_frames_that_a_question_about_a_video_names_are_shown_beside_it(tmp_path: Path) -> None:
    from tests.sti_report.made import make_dataset as make_videos

    dataset, run = make_videos(tmp_path / "made", 1, pictures=True), tmp_path / "run"
    api.run_model(dataset.path, "random", run)
    questions = {q.id: q for q in read_jsonl(dataset.path / QUESTIONS, Question)}
    seen = 0
    for item in items_of(run, tmp_path / "work"):
        question = questions[item.about[0]]
        times = sorted({float(a) for s in question.program if s.op in ("at", "span") for a in s.args})
        (media,) = question.media
        fps = dataset.media(media).fps
        assert [part.frame / fps for part in item.pictures] == pytest.approx(times, abs=0.3)
        assert item.clips and item.facts.get(ASKED, "") == ", ".join(f"{t:.2f} s" for t in times)
        seen += len(times)
    assert seen
