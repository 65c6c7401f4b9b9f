"""How well extractors read what a person has read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom.records import DataError
from tests.extraction.labelled import Labelled, Measured, measure, read_labels
from tests.extractors import EXTRACTORS

LABELS = Path(__file__).parent / "labels"
FATHOM = EXTRACTORS["fathom"]


@pytest.fixture(scope="module")
def invented() -> list[Labelled]:
    return read_labels(LABELS / "invented.jsonl")


@pytest.fixture(scope="module")
def real(samples_folder: Path) -> list[Labelled]:
    lines = (samples_folder / "model-outputs" / "4d-bench.jsonl").read_text().splitlines()
    return read_labels(LABELS / "4d-bench.jsonl", [json.loads(line)["output"] for line in lines])


def test_there_are_enough_labels_of_each_kind(invented: list[Labelled]) -> None:
    assert len(invented) >= 500
    assert 0.4 < sum(one.half == "written" for one in invented) / len(invented) < 0.6
    kinds = {one.kind for one in invented}
    assert kinds >= {
        "article",
        "boundary",
        "denial",
        "correction",
        "listing",
        "json",
        "box",
        "tags",
        "language",
    }


@pytest.mark.parametrize("half", ["written", "held out"])
def test_invented_hard_cases_are_read_as_a_person_reads_them(invented: list[Labelled], half: str) -> None:
    found = measure(FATHOM, [one for one in invented if one.half == half])
    assert found.precision >= 0.97
    assert found.recall >= 0.9


@pytest.mark.parametrize("half", ["written", "held out"])
def test_real_answers_are_read_as_a_person_reads_them(real: list[Labelled], half: str) -> None:
    assert len(real) == 322
    found = measure(FATHOM, [one for one in real if one.half == half])
    assert found.precision >= 0.93
    assert found.recall >= 0.93


def test_no_published_rule_reads_real_answers_as_well(real: list[Labelled]) -> None:
    ours = measure(FATHOM, real)
    for name in ("4d-bench-official", "sti-bench-official", "vlmevalkit", "lmms-eval", "lmms-eval-3dsrbench"):
        theirs = measure(EXTRACTORS[name], real)
        assert ours.precision > theirs.precision and ours.recall > theirs.recall


def test_shares_are_made_of_counts() -> None:
    found = Measured(right=6, wrong=1, missed=3, left=4, invented=1)
    assert (found.n, found.precision, found.recall, found.abstention) == (15, 0.75, 0.6, 7 / 15)


def test_labels_that_fit_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"ordinal": 0, "sha256": "00", "stated": "A"}\n')
    with pytest.raises(DataError, match="text 0 is not the one that was labelled"):
        read_labels(file, ["B"])
    with pytest.raises(DataError, match="expected text 0, found 0 texts"):
        read_labels(file)
    file.write_text('{"stated": "F", "choices": ["x", "y"]}\n')
    with pytest.raises(DataError, match="expected one of 2 options, found F"):
        read_labels(file)
    file.write_text('{"said": "F"}\n')
    with pytest.raises(DataError, match=r"labels.jsonl:1: expected a label"):
        read_labels(file)
