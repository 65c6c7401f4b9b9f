"""What people decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.curation.verdicts import (
    apply_to_questions,
    apply_verdicts,
    labels,
    read_verdicts,
    verdicts_of,
)
from fathom.records import DataError, Question, Verdict
from fathom.store.files import write_jsonl


def keep(name: str, reviewer: str = "ann") -> Verdict:
    return Verdict(question=name, reviewer=reviewer, decision="keep")


def reject(name: str, reviewer: str = "ann", reason: str = "blurred") -> Verdict:
    return Verdict(question=name, reviewer=reviewer, decision="reject", reason=reason)


def test_the_last_line_of_a_reviewer_counts() -> None:
    applied = apply_verdicts(["a", "b"], [keep("a"), reject("b"), reject("a"), keep("b")])
    assert applied.kept == ("b",)
    assert applied.dropped == {"a": "rejected by 1 (ann: blurred)"}


def test_a_tie_goes_and_a_majority_stays() -> None:
    lines = [reject("a"), keep("a", "ben"), reject("b"), keep("b", "ben"), keep("b", "cleo")]
    applied = apply_verdicts(["a", "b", "c"], lines)
    assert applied.kept == ("b", "c")
    assert applied.dropped["a"] == "rejected by 1, kept by 1 (ann: blurred)"


def test_nothing_is_learnt_from_what_people_are_divided_over_nor_from_filters() -> None:
    lines = [reject("a"), keep("a", "ben"), reject("b"), keep("c"), reject("d", "filter:static")]
    assert labels(lines) == {"b": False, "c": True}


def test_the_questions_of_a_rejected_object_go_with_it() -> None:
    questions = [
        Question(id=f"q{i}", task="action", text="?", answer="a", scene=f"o{i % 2}") for i in range(4)
    ]
    kept, applied = apply_to_questions(questions, [reject("o1"), reject("q2", reason=""), keep("typo")])
    assert [q.id for q in kept] == ["q0"]
    assert applied.dropped["q1"] == "its object o1 was rejected by 1 (ann: blurred)"
    assert applied.dropped["q2"] == "rejected by 1 (ann: no reason given)"
    assert applied.unknown == ("typo",)


def test_lines_are_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    write_jsonl(path, verdicts_of({"a": "static"}, "static"))
    assert read_verdicts(path) == [reject("a", "filter:static", "static")]
    path.write_text(path.read_text() + '{"question": "b"}\n')
    with pytest.raises(DataError, match=r"verdicts\.jsonl:2"):
        read_verdicts(path)
