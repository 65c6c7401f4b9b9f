from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom import api
from fathom.benchmarks.stibench.mistakes import ERROR_LABELS
from fathom.records import InputError
from fathom.review.drawing import shared_out
from fathom.review.errors import ErrorLine, read_labels, shares_of
from fathom.store.files import read_jsonl
from fathom.store.lines import read_numbered
from tests.latex import compiled

NAMES = [label.name for label in ERROR_LABELS]


def reviewed(run: Path, work: Path, number: int = 30) -> api.Review:
    plan = api.ReviewPlan(
        source=run, task="errors", work=work, people=("ann", "ben"), overlap=2, sample=number
    )
    return api.begin_review(plan)[0]


@pytest.fixture
def sample(runs: dict[str, Path], tmp_path: Path) -> Path:
    """Return a folder with what a review of 30 wrong answers exported, its one label taken out again."""
    review = reviewed(runs["random"], tmp_path / "work")
    say(review, "ann", 1, "other")
    review.export(tmp_path / "errors")
    lines = lines_of(tmp_path / "errors/labels.jsonl")
    for line in lines:
        line.label = line.reviewer = ""
    out = tmp_path / "errors/labels.jsonl"
    out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return tmp_path / "errors"


def say(review: api.Review, who: str, most: int, label: str, note: str = "") -> None:
    person = next(p for p in review.store.people() if p.name == who)
    for k in range(most):
        (given_now,) = review.store.next_items(person, 1)
        review.store.add(person, given_now.id, "label", {"label": label, "note": note}, f"{who}-client-{k}")


def lines_of(path: Path) -> list[ErrorLine]:
    return [line for _, line in read_numbered(path, ErrorLine)]


def labelled(path: Path, out: Path, label: str, reviewer: str, most: int = 1000) -> Path:
    lines = lines_of(path)
    for line in lines[:most]:
        line.label, line.reviewer = label, reviewer
    out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return out


def line(k: int, label: str, scene: str, weight: float = 1.0, reviewer: str = "a") -> ErrorLine:
    return ErrorLine(
        question=f"q{k}", model="m", task="t", setting="indoor", cluster=scene, weight=weight, text="?",
        choices=[], answer="", picked="", reasoning="", label=label, reviewer=reviewer,
    )  # fmt: skip


def test_a_sample_is_even_over_tasks_and_kinds_of_scene(sample: Path) -> None:
    counts = Counter((line.task, line.setting) for line in lines_of(sample / "labels.jsonl"))
    assert sum(counts.values()) == 30
    assert max(counts.values()) - min(counts.values()) <= 2 and len(counts) >= 15


def test_weights_add_up_to_all_wrong_answers(runs: dict[str, Path], sample: Path) -> None:
    from fathom.records import SampleScore

    sample_scores = list(read_jsonl(runs["random"] / "scores/fathom/samples.jsonl", SampleScore))
    choosing = {line.question for line in lines_of(sample / "labels.jsonl")}
    assert choosing <= {m.question for m in sample_scores if m.value < 1}
    wrong = sum(m.value < 1 and m.picked is not None for m in sample_scores)
    assert sum(line.weight for line in lines_of(sample / "labels.jsonl")) == pytest.approx(wrong, abs=0.01)


@given(st.dictionaries(st.integers(0, 9), st.integers(1, 20), min_size=1), st.integers(1, 80))
def test_what_is_taken_is_even_and_never_more_than_there_is(sizes: dict[int, int], wanted: int) -> None:
    taken = shared_out({(str(k), ""): n for k, n in sizes.items()}, wanted)
    assert sum(taken.values()) == min(wanted, sum(sizes.values()))
    most = max(taken.values())
    for (name, _), n in taken.items():
        assert n <= sizes[int(name)] and (n >= most - 1 or n == sizes[int(name)])


def test_labels_are_read_back_as_a_figure_and_a_table(
    runs: dict[str, Path], sample: Path, tmp_path: Path
) -> None:
    ann = labelled(sample / "labels.jsonl", tmp_path / "ann.jsonl", "temporal", "ann")
    ben = labelled(sample / "labels.jsonl", tmp_path / "ben.jsonl", "grounding", "ben", most=10)
    text = api.read_error_labels(runs["random"], sample, [ann, ben])
    assert "2 reviewers" in text and "0 % of the cases" in text
    assert {"labels.svg", "labels.pdf", "labels.png", "labels.csv", "labels.tex"} <= {
        p.name for p in sample.iterdir()
    }


def test_the_table_of_labels_compiles_in_latex(runs: dict[str, Path], sample: Path, tmp_path: Path) -> None:
    ann = labelled(sample / "labels.jsonl", tmp_path / "ann.jsonl", "temporal", "ann")
    api.read_error_labels(runs["random"], sample, [ann])
    compiled(tmp_path, (sample / "labels.tex").read_text(encoding="utf-8"))


def test_shares_are_over_all_wrong_answers_and_add_up() -> None:
    found = shares_of(
        [
            line(0, "temporal", "s0", 3.0),
            line(1, "grounding", "s1"),
            line(2, "", "s2"),
            line(3, "other", "s3"),
        ],
        ERROR_LABELS,
    )
    shares = {label: found.shares["", label] for label in NAMES}
    assert shares["temporal"].value == pytest.approx(0.6)
    assert sum(c.value or 0 for c in shares.values()) == pytest.approx(1)
    assert (found.labelled, found.unlabelled) == (3, 1) and found.agreement is None
    for cell in shares.values():
        assert cell.low is not None and cell.high is not None and cell.value is not None
        assert 0 <= cell.low <= cell.value <= cell.high <= 1 and cell.high > cell.low


def test_two_reviewers_of_one_answer_count_once() -> None:
    both = [line(0, "temporal", "s0"), line(0, "grounding", "s0", reviewer="b")]
    found = shares_of([*both, line(1, "temporal", "s1")], ERROR_LABELS)
    assert found.shares["", "temporal"].value == pytest.approx(0.75)
    assert found.labelled == 2 and found.agreement == 0.0


def test_a_label_that_there_is_not_is_named_with_its_line(sample: Path, tmp_path: Path) -> None:
    path = labelled(sample / "labels.jsonl", tmp_path / "wrong.jsonl", "bad luck", "ann", most=1)
    with pytest.raises(InputError, match=r"wrong\.jsonl:1: expected a label of quantification.*'bad luck'"):
        read_labels([path], ERROR_LABELS)


def test_what_people_say_in_a_review_becomes_the_table(runs: dict[str, Path], tmp_path: Path) -> None:
    review = reviewed(runs["random"], tmp_path / "work", 20)
    say(review, "ann", 20, "temporal", note="goes the other way")
    say(review, "ben", 5, "grounding")
    review.export(tmp_path / "out")
    lines = lines_of(tmp_path / "out/labels.jsonl")
    assert Counter((line.reviewer, line.label) for line in lines) == {
        ("ann", "temporal"): 20,
        ("ben", "grounding"): 5,
    }
    assert {line.note for line in lines if line.reviewer == "ann"} == {"goes the other way"}
    text = api.read_error_labels(runs["random"], tmp_path / "table", [tmp_path / "out/labels.jsonl"])
    assert "2 reviewers" in text and "0 % of the cases" in text


def test_answers_without_a_label_are_told(runs: dict[str, Path], tmp_path: Path) -> None:
    review = reviewed(runs["random"], tmp_path / "work", 20)
    say(review, "ann", 8, "temporal")
    review.export(tmp_path / "out")
    text = api.read_error_labels(runs["random"], tmp_path / "table", [tmp_path / "out/labels.jsonl"])
    assert "12 answers have no label yet" in text


def test_a_run_without_a_wrong_answer_has_nothing_to_label(runs: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to review"):
        reviewed(runs["exact"], tmp_path / "none")
