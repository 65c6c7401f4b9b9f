"""Documented dirt is mended or left out, and listed with file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fathom.records import InputError
from tests.importing import shapes
from tests.importing.reading import Imported, imported

Record = dict[str, Any]


def seed_with(tmp_path: Path, change: Callable[[list[Record]], object], video: bytes = b"") -> Imported:
    """Import SEED-Bench's two picture questions after a change to its records."""
    folder = tmp_path / "seed"
    records: list[Record] = shapes.seed_questions()[:2]
    change(records)
    shapes.write(folder / "SEED-Bench.json", json.dumps({"questions": records}, indent=1))
    shapes.write(folder / "12_34.jpg", shapes.png(1))
    return imported("seed-bench", folder, tmp_path / "out")


@pytest.mark.parametrize("answer", ["A ", " A", "a", "(A)", "A."])
def test_a_letter_written_another_way_is_read(tmp_path: Path, answer: str) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(answer=answer))
    assert found.questions["7"].answer == "One"
    assert found.report.mended == 1


def test_an_answer_given_as_the_options_text_is_read(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(answer="three"))
    assert found.questions["7"].answer == "Three"


def test_an_answer_outside_the_options_is_left_out_with_its_line(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r[1].update(answer="E"))
    assert sorted(found.questions) == ["7"]
    assert found.found("left out", "outside the options") == 1
    assert found.place("outside the options") == "SEED-Bench.json:15"
    assert found.settings["official"] is False


@pytest.mark.parametrize("lost", ["C", "D"])
def test_an_answer_that_is_one_of_the_missing_options_is_left_out(tmp_path: Path, lost: str) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(choice_c="nan", choice_d=None, answer=lost))
    assert found.found("left out", "outside the options") == 1


def test_two_options_where_four_are_said_are_kept_and_said(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(choice_c="", choice_d=float("nan")))
    assert found.questions["7"].choices == ("One", "Two")
    assert found.found("noted", "2 options where 4 are said") == 1


def test_two_options_of_one_text_are_kept_and_tagged(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(choice_c="Two"))
    assert found.questions["7"].tags["alike"] == "yes"
    assert "alike" not in found.questions["8"].tags
    assert found.found("noted", "same text") == 1


def test_a_row_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r.append(dict(r[0])))
    assert len(found.questions) == 2
    assert found.found("left out", "there twice") == 1
    assert found.settings["whole"] is True


def test_of_two_rows_that_disagree_the_first_counts(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r.append({**r[0], "answer": "D"}))
    assert found.questions["7"].answer == "Two"
    assert found.found("left out", "disagree") == 1


@pytest.mark.parametrize("field", ["question", "question_id", "answer", "choice_a"])
@pytest.mark.parametrize("value", [None, "", "nan", float("nan"), [], {"a": 1}])
def test_what_is_missing_never_becomes_the_word_nan(tmp_path: Path, field: str, value: object) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update({field: value}))
    for question in found.questions.values():
        assert "nan" not in (question.text, question.answer)
        if (field, value) != ("choice_a", "nan"):
            assert "nan" not in question.choices
    assert found.report.read == 2


def test_a_picture_that_is_missing_leaves_its_questions_out(tmp_path: Path) -> None:
    found = seed_with(tmp_path, lambda r: r[0].update(data_id="gone"))
    assert sorted(found.questions) == ["8"]
    assert found.found("left out", "a picture or video is missing") == 1


def test_two_pictures_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    shapes.write(tmp_path / "seed" / "a" / "55.jpg", shapes.png(5))
    shapes.write(tmp_path / "seed" / "b" / "55.jpg", shapes.png(6))
    found = seed_with(tmp_path, lambda r: r[0].update(data_id="55"))
    assert found.found("left out", "several files") == 1


@pytest.mark.parametrize("name", ["../12_34.jpg", "/etc/passwd", "a/../../12_34"])
def test_a_name_that_leads_elsewhere_finds_nothing(tmp_path: Path, name: str) -> None:
    shapes.write(tmp_path / "12_34.jpg", shapes.png(9))
    found = seed_with(tmp_path, lambda r: r[0].update(data_id=name))
    assert found.questions.get("7") is None or found.questions["7"].media == ("12_34.jpg",)


def test_a_picture_of_absurd_size_is_refused(tmp_path: Path) -> None:
    shapes.write(
        tmp_path / "seed" / "bomb.png", shapes.png(1)[:16] + b"\x00\xff\xff\xff\x00\xff\xff\xff" + b"\0" * 40
    )
    found = seed_with(tmp_path, lambda r: r[0].update(data_id="bomb"))
    assert found.found("left out", "cannot be used") == 1


def fourd_with(tmp_path: Path, video: bytes, answers: list[object]) -> Imported:
    folder = shapes.fourd(tmp_path / "4d", video)
    records = shapes.fourd_questions()
    for record, answer in zip(records.values(), answers, strict=True):
        record["Answer index"] = answer
    shapes.write(folder / "data" / "4d_qa.json", json.dumps(records))
    return imported("4d-bench", folder, tmp_path / "out")


def test_answers_that_count_from_one_are_told_by_the_data(tmp_path: Path, video: bytes) -> None:
    found = fourd_with(tmp_path, video, [1, 2, 3, 4, "4"])
    assert [q.answer for q in found.questions.values()] == [
        "Left",
        "Right",
        "It does not",
        "Both ways",
        "Both ways",
    ]
    assert found.found("noted", "answers count from 1: none is 0") == 1


def test_answers_that_count_from_zero_are_told_by_the_data(tmp_path: Path, video: bytes) -> None:
    found = fourd_with(tmp_path, video, [0, 1, 2, 3, 3.0])
    assert [q.answer for q in found.questions.values()] == [
        "Left",
        "Right",
        "It does not",
        "Both ways",
        "Both ways",
    ]
    assert found.found("noted", "answers count from 0: a 0 is among them") == 1


def test_where_the_data_have_both_the_benchmarks_way_counts_and_the_rest_is_left_out(
    tmp_path: Path, video: bytes
) -> None:
    found = fourd_with(tmp_path, video, [0, 1, 2, 3, 4])
    assert [q.answer for q in found.questions.values()] == ["Left", "Right", "It does not", "Both ways"]
    assert found.found("noted", "answers count from 1: the data have both") == 1
    assert found.found("left out", "outside the options") == 1


@pytest.mark.parametrize("names", [("a", "b", "c", "d"), ("Option A", "Option B", "Option C", "Option D")])
def test_choices_of_4d_bench_may_be_called_anything(
    tmp_path: Path, video: bytes, names: tuple[str, ...]
) -> None:
    folder = shapes.fourd(tmp_path / "4d", video)
    texts = ("Left", "Right", "Up", "Down")
    record = {"Question": "Which way?", **dict(zip(reversed(names), reversed(texts), strict=True))}
    record |= {"Answer index": 2, "Category": "Action"}  # type: ignore[dict-item]
    shapes.write(folder / "data" / "4d_qa.json", json.dumps({f"{shapes.UIDS[0]}_motion": record}))
    found = imported("4d-bench", folder, tmp_path / "out")
    question = found.questions[f"{shapes.UIDS[0]}_motion"]
    assert (question.choices, question.answer) == (texts, "Right")


def test_ids_that_occur_twice_in_one_object_are_seen(tmp_path: Path, video: bytes) -> None:
    folder = shapes.fourd(tmp_path / "4d", video)
    path = folder / "data" / "4d_qa.json"
    text = json.dumps(shapes.fourd_questions())
    path.write_text(text[:-1] + ", " + text[1:])
    found = imported("4d-bench", folder, tmp_path / "out")
    assert found.found("left out", "there twice") == 5


Bytes = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "change",
    [lambda d: b"\xef\xbb\xbf" + d, lambda d: d.replace(b"\n", b"\r\n"), lambda d: d + b"\n\n\n"],
    ids=["byte order mark", "CRLF", "blank lines at the end"],
)
def test_marks_and_line_ends_change_nothing(tmp_path: Path, change: Bytes) -> None:
    folder = shapes.threed(tmp_path / "3d")
    plain = imported("3dsrbench", folder, tmp_path / "plain")
    path = folder / "3dsrbench_v1.csv"
    path.write_bytes(change(path.read_bytes()))
    assert imported("3dsrbench", folder, tmp_path / "out").questions == plain.questions


def test_a_json_file_that_is_cut_off_is_refused_with_its_line(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    path = folder / "questions" / "L1_single.json"
    text = json.dumps(json.loads(path.read_text()), indent=1)
    path.write_text(text[: len(text) // 2])
    lines = text[: len(text) // 2].count("\n") + 1
    with pytest.raises(InputError, match=rf"L1_single\.json:{lines}: .* cut off or damaged: fetch it again"):
        imported("pulsecheck457", folder, tmp_path / "out")


def test_a_table_whose_last_row_is_cut_off_lists_that_row(tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "3d")
    path = folder / "3dsrbench_v1.csv"
    path.write_bytes(path.read_bytes()[:-80])
    found = imported("3dsrbench", folder, tmp_path / "out")
    assert len(found.questions) == 2
    assert found.place("cannot be read") == "3dsrbench_v1.csv:4"


def test_a_bad_byte_is_replaced_and_said(tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "3d")
    path = folder / "3dsrbench_v1.csv"
    path.write_bytes(path.read_bytes().replace(b"object is higher", b"object is h\xffgher", 1))
    found = imported("3dsrbench", folder, tmp_path / "out")
    assert found.questions["AB12CD34"].text == "Which object is h\ufffdgher?"
    assert found.found("corrected", "not UTF-8") == 1


def test_json_of_another_encoding_is_refused(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    path = folder / "questions" / "L1_single.json"
    path.write_text(path.read_text(), encoding="utf-16")
    shapes.write(folder / "questions" / "L4_pose.json", "{")
    with pytest.raises(InputError, match="UTF-16; save it as UTF-8"):
        imported("pulsecheck457", folder, tmp_path / "out")


def test_the_report_keeps_twenty_examples_and_counts_all(tmp_path: Path) -> None:
    found = seed_with(
        tmp_path, lambda r: r.extend({**r[0], "question_id": f"x{i}", "answer": "Z"} for i in range(50))
    )
    finding = next(f for f in found.report.findings if "outside" in f.reason)
    assert (finding.count, len(finding.examples)) == (50, 20)
    assert found.dataset.manifest.counts == {
        "read": 52, "imported": 2, "folded": 0, "mended": 0, "left out": 50,
    }  # fmt: skip
    assert "left out: the answer is outside the options: 50, first at SEED-Bench.json:" in str(found.report)
