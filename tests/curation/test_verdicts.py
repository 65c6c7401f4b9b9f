"""What people decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.curation.verdicts import (
    apply_verdicts,
    labels,
    read_verdicts,
)
from fathom.records import DataError, Verdict
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


def test_lines_are_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    write_jsonl(path, [reject("a", "filter:static", "static")])
    assert read_verdicts(path) == [reject("a", "filter:static", "static")]
    path.write_text(path.read_text() + '{"question": "b"}\n')
    with pytest.raises(DataError, match=r"verdicts\.jsonl:2"):
        read_verdicts(path)


def test_what_belongs_to_a_rejected_object_goes_with_it() -> None:
    names = [f"q{i}" for i in range(4)]
    owners = {name: f"o{i % 2}" for i, name in enumerate(names)}
    applied = apply_verdicts(names, [reject("o1"), reject("q2", reason=""), keep("typo")], owners)
    assert applied.kept == ("q0",)
    assert applied.dropped["q1"] == "its object o1 was rejected by 1 (ann: blurred)"
    assert applied.dropped["q2"] == "rejected by 1 (ann: no reason given)"
    assert applied.unknown == ("typo",)
