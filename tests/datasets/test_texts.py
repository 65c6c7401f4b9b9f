"""No dataset is built, or passes a check, whose words do not mean what its programs compute."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import api
from fathom.datasets.findings import Checks
from fathom.datasets.texts import texts_read
from fathom.records import Manifest, Question, Step, UnfitError
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_json


def built(out: Path, reader: str) -> Checks:
    return api.build_dataset(
        f"tests.text_readers:{reader}", out, scenes=2, seed="walk", renderer="none", workers=1
    )


def test_a_build_whose_words_say_another_object_stops_and_is_not_whole(tmp_path: Path) -> None:
    with pytest.raises(UnfitError, match="says another thing"):
        built(tmp_path / "set", "CONTRARY")
    assert not read_json(tmp_path / "set" / MANIFEST, Manifest).complete


def test_a_reader_that_breaks_has_read_nothing_and_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(UnfitError, match=r"unreadable.*KeyError"):
        built(tmp_path / "set", "BROKEN")


def test_a_build_and_a_check_say_how_many_texts_were_read(tmp_path: Path) -> None:
    found = built(tmp_path / "set", "CONTENT")
    (kept,) = (v for v in found.verdicts if v.name == "each question's text means what its program computes")
    assert kept.passed and "0 mean something else" in kept.found
    checked = api.check_dataset(tmp_path / "set", blind=False)
    assert checked.passed and "read back by an independent grammar" in checked.text


def test_a_check_finds_words_that_say_another_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tmp_path / "set", "CONTENT")
    from tests import text_readers

    monkeypatch.setattr(text_readers, "CONTENT", text_readers.CONTRARY)
    checked = api.check_dataset(tmp_path / "set", blind=False)
    assert not checked.passed and "says another thing" in checked.text


def test_only_questions_with_a_program_are_read(small_dataset: Path) -> None:
    opened = open_dataset(small_dataset)
    scene = opened.scene(next(iter(opened.questions())).scene)
    plain = Question(id="a", task="t", text="Why?", answer="x")
    proved = Question(id="b", task="t", text="Why?", answer="x", program=(Step(op="scene"),))
    assert set(texts_read("tests.text_readers:content", scene, [plain, proved])) == {"b"}
