"""Anybody's own tables become datasets: columns guessed and said, answers in every form, and errors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fathom import api
from fathom.records import InputError
from tests.cli.conftest import Fathom
from tests.importing import shapes
from tests.importing.reading import Imported

IMPORT = ("import", "jsonl", "--quiet")
SIDES = ["left", "right", "both"]


def jsonl(path: Path, rows: Sequence[object]) -> Path:
    return shapes.write(path, "\n".join(map(json.dumps, rows)) + "\n")


def own(folder: Path, rows: Sequence[object], **options: str) -> Imported:
    """Return what comes of a folder with these rows, and of three images."""
    for i in range(3):
        shapes.write(folder / "images" / f"{i}.png", shapes.png(i * 60))
    jsonl(folder / "questions.jsonl", rows)
    out = folder.with_name(f"{folder.name}-set")
    api.import_dataset("jsonl", folder, out, **options)  # type: ignore[arg-type]
    return Imported(out)


def row(number: int, **more: object) -> dict[str, object]:
    image = f"images/{number % 3}.png"
    return {"id": number, "question": f"Which side is {number}?", "options": SIDES, "image": image, **more}


@pytest.mark.parametrize(
    ("answers", "base"),
    [
        (["A", "(b)", "C."], ""),
        (["left", "RIGHT", "both"], ""),
        ([0, 1, 2], "answers count from 0"),
        ([1, 2, 3], "answers count from 1"),
        (["1", "2", "3"], "answers count from 1"),
        (["A", "right", ["both"]], ""),
    ],
)
def test_an_answer_is_a_letter_a_place_or_a_text(tmp_path: Path, answers: list[object], base: str) -> None:
    found = own(tmp_path / "in", [row(i, answer=a) for i, a in enumerate(answers)])
    assert [q.answer for q in found.questions.values()] == SIDES
    assert not base or found.found("noted", base) == 1


def test_numbers_are_texts_where_every_one_is_an_option_and_places_where_one_is_none(tmp_path: Path) -> None:
    mixed = ["2", "3", "1"]
    rows = [row(i, options=mixed, answer=answer) for i, answer in enumerate((1, 2, 3))]
    counts = sorted(mixed)
    assert [q.answer for q in own(tmp_path / "texts", rows).questions.values()] == ["1", "2", "3"]
    rows = [row(i, options=counts, answer=answer) for i, answer in enumerate((0, 1, 2))]
    assert [q.answer for q in own(tmp_path / "places", rows).questions.values()] == ["1", "2", "3"]
    rows = [row(i, options=counts, answer_index=answer) for i, answer in enumerate((1, 2, 1))]
    found = own(tmp_path / "named", rows)
    assert [q.answer for q in found.questions.values()] == ["2", "3", "2"], "an index counts from 0"


@pytest.mark.parametrize(
    "options",
    [
        {"A": "left", "B": "right", "C": "both"},
        {"option_a": "left", "option_b": "right", "option_c": "both"},
        {"Option 1": "left", "Option 2": "right", "Option 3": "both"},
        {"choice0": "left", "choice1": "right", "choice2": "both"},
        {"choices": SIDES},
        {"choices": "['left', 'right', 'both']"},
        {"candidates": {"A": "left", "B": "right", "C": "both"}},
        {"options": "(A) left\n(B) right\n(C) both"},
        {"options": "left | right | both"},
    ],
)
def test_options_stand_in_columns_lists_objects_or_lines(tmp_path: Path, options: dict[str, object]) -> None:
    rows = [{k: v for k, v in row(i).items() if k != "options"} | options | {"gt": "B"} for i in range(2)]
    found = own(tmp_path / "in", rows)
    assert [(q.choices, q.answer) for q in found.questions.values()] == [(tuple(SIDES), "right")] * 2


def test_options_below_the_question_are_taken_out_of_it_and_that_is_said(tmp_path: Path) -> None:
    text = "Which side?\nOptions:\nA. left\nB. right"
    found = own(tmp_path / "in", [{"query": text, "image": "0.png", "label": "B"}])
    (question,) = found.questions.values()
    assert (question.text, question.choices, question.answer) == ("Which side?", ("left", "right"), "right")
    assert found.found("noted", "options were found in the question's text") == 1


def test_groups_spans_tasks_and_several_media_are_kept(tmp_path: Path, video: bytes) -> None:
    shapes.write(tmp_path / "in" / "clips" / "a.mp4", video)
    rows = [
        row(0, answer="A", category="sides", cluster="room 1", pair="p", flip="f", images=["0.png", "1.png"]),
        row(1, answer="A", category="sides", image="0.png;2.png"),
        {"id": 2, "question": "What moves?", "answer": ["a ball", "the ball"], "video": "clips/a.mp4",
         "category": "motion", "span": "0:00.5 - 1.5"},
        {"id": 3, "question": "Is it day?", "answer": "yes", "category": "motion", "video": "a"},
    ]  # fmt: skip
    del rows[0]["image"]
    found = own(tmp_path / "in", rows)
    first, second, third, fourth = found.questions.values()
    assert first.media == ("images/0.png", "images/1.png")
    assert (first.groups.cluster, first.groups.pair, first.groups.flip) == ("room 1", "p", "f")
    assert second.media == ("images/0.png", "images/2.png")
    assert (third.media, third.span_s) == (("clips/a.mp4",), (0.5, 1.5))
    assert (third.answer, third.equivalents) == ("a ball", ("the ball",))
    assert (fourth.media, fourth.possible) == (("clips/a.mp4",), ("yes", "No"))
    assert found.settings["tasks"] == ["sides", "motion"] and found.settings["title"] == "in"
    assert found.report.tasks == {"sides": 2, "motion": 2}


def test_open_answers_of_a_task_are_the_possible_ones_of_each_other(tmp_path: Path) -> None:
    rows = [
        {"question": f"Which colour {i}?", "answer": c, "image": "0.png"}
        for i, c in enumerate(("red", "Blue"))
    ]
    found = own(tmp_path / "in", rows)
    assert [q.possible for q in found.questions.values()] == [("Blue", "red")] * 2
    assert [q.id for q in found.questions.values()] == ["questions-1", "questions-2"]
    assert {q.task for q in found.questions.values()} == {"questions"}


def test_columns_that_are_said_go_before_those_that_are_guessed(tmp_path: Path) -> None:
    rows = [
        {"nr": "x7", "question": "not this", "frage": "Which side?", "p": "left", "q": "right", "best": "q",
         "answer": "not this", "bild": "1.png"}
    ]  # fmt: skip
    said = "id=nr,question=frage,options=p+q,answer=best,image=bild,task="
    with pytest.raises(InputError, match="the answer is outside the options: 1"):
        own(tmp_path / "in", rows, columns=said)
    rows[0]["best"] = "right"
    found = own(tmp_path / "in", rows, columns=said, name="Sides")
    (question,) = found.questions.values()
    assert (question.id, question.text, question.answer) == ("x7", "Which side?", "right")
    assert question.media == ("images/1.png",) and found.settings["title"] == "Sides"
    assert found.report.columns == (
        "questions.jsonl: question=frage,answer=best,id=nr,options=p+q,image=bild; "
        "not read: question, answer",
    )


def test_where_rows_name_their_media_in_different_columns_the_first_that_is_filled_counts(
    tmp_path: Path,
) -> None:
    rows = [{"question": "Q?", "answer": "x", column: "1.png"} for column in ("image", "img_path", "images")]
    rows += [{"question": "Q?", "answer": "x", "image": "0.png", "img_path": "2.png"}]
    found = own(tmp_path / "in", rows)
    assert [q.media for q in found.questions.values()] == [("images/1.png",)] * 3 + [("images/0.png",)]
    assert "image=image|images|img_path" in found.report.columns[0]
    found = own(tmp_path / "both", rows[3:], columns="image=image+img_path")
    assert [q.media for q in found.questions.values()] == [("images/0.png", "images/2.png")]


def test_a_task_with_many_different_open_answers_has_no_list_of_them(tmp_path: Path) -> None:
    rows = [{"question": f"Which word, {i}?", "answer": f"word{i}x", "task": "words"} for i in range(51)]
    found = own(tmp_path / "in", rows)
    assert {q.possible for q in found.questions.values()} == {()}
    with pytest.raises(InputError, match="leave the baseline out for this dataset"):
        api.run_model(tmp_path / "in-set", "random", tmp_path / "run")


def test_a_column_that_only_says_whether_a_picture_is_mirrored_groups_nothing(tmp_path: Path) -> None:
    found = own(tmp_path / "in", [row(i, answer="A", flip=bool(i)) for i in range(3)])
    assert {q.groups.flip for q in found.questions.values()} == {""}
    assert "not read: flip" in found.report.columns[0]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".json"])
def test_every_kind_of_table_gives_the_same_questions(tmp_path: Path, suffix: str) -> None:
    rows = [
        {
            "qid": f"n{i}",
            "question": f"Which, {i}?",
            "A": "left",
            "B": "right",
            "answer": "AB"[i % 2],
            "img": f"{i}",
        }
        for i in range(3)
    ]  # fmt: skip
    expected = own(tmp_path / "jsonl", rows).questions
    path = tmp_path / f"t{suffix}"
    if suffix == ".json":
        shapes.write(path, json.dumps(rows))
    else:
        (shapes.parquet if suffix == ".parquet" else shapes.table)(path, rows)
    api.import_dataset("jsonl", path, tmp_path / "set", media=tmp_path / "jsonl" / "images")
    found = Imported(tmp_path / "set").questions
    assert [(q.id, q.text, q.choices, q.answer) for q in found.values()] == [
        (q.id, q.text, q.choices, q.answer) for q in expected.values()
    ]
    assert all(q.media for q in found.values())


def test_embedded_pictures_come_out_of_a_table(tmp_path: Path) -> None:
    rows = [{"question": "Q?", "answer": "x", "image": shapes.base64_png(i)} for i in range(2)]
    rows += [{"question": "Q?", "answer": "y", "image": f"data:image/png;base64,{shapes.base64_png(9)}"}]
    found = own(tmp_path / "tsv", rows)
    found.check_media()
    shapes.parquet(
        tmp_path / "p.parquet", [{"question": "Q?", "gt": "x", "image": {"bytes": shapes.png(3), "path": ""}}]
    )
    api.import_dataset("jsonl", tmp_path / "p.parquet", tmp_path / "out")
    Imported(tmp_path / "out").check_media()


def refused(fathom: Fathom, folder: Path, *more: str) -> str:
    said = fathom(*IMPORT, folder, "--out", folder.with_name("refused"), *more).sentence()
    assert not folder.with_name("refused").exists()
    return said


def test_each_fault_of_a_table_is_one_sentence(fathom: Fathom, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    shapes.write(folder / "images" / "0.png", shapes.png())
    cases: list[tuple[list[object], str]] = [
        ([row(0)], "questions.jsonl: expected a column for the answer (answer, gt, "),
        ([{"text": "Q?", "answer": "x"}], "with the columns answer, text; say with --columns question=NAME"),
        ([row(0, answer="A"), row(3, answer="E")], "outside the options: 1, first at questions.jsonl:2 ('E'"),
        ([row(0, answer="A"), row(0, answer="B")], "two rows with one id and different words: 1, first at"),
        ([row(0, answer="A"), row(0, answer="A")], "a row that stands twice: 1, first at questions.jsonl:2"),
        ([row(0, answer="A"), row(1, answer="A"), row(2, answer="B")],
         "a picture or video is missing: 2, first at questions.jsonl:2 (images/1.png); fix them, say with "
         "--media where pictures and videos lie, or leave them out with --leave-out"),
        ([], "found questions.jsonl without rows"),
        ([row(0, answer="A", options=list(map(str, range(11))))], "more than 10 options"),
        ([row(0, answer=["left", "right"])], "several answers to a question with options"),
        ([row(0, answer="A", options=["B", "A"])], "the letter of one option and the text of another"),
        ([row(0, answer="B"), row(0, answer="B", options=[])], "that is a letter, and no options: 1"),
        ([row(0, answer="")], "the answer is missing"),
        ([row(0, answer="A", span=[3, 1])], "a time span that ends before it begins"),
    ]  # fmt: skip
    for rows, words in cases:
        jsonl(folder / "questions.jsonl", rows)
        assert words in refused(fathom, folder), words
    shapes.write(folder / "questions.jsonl", "")
    (folder / "questions.jsonl").unlink()
    shapes.write(folder / "q.csv", "question,answer\n")
    assert "q.csv: expected a question in every row, found no row" in refused(fathom, folder)


def test_tables_that_count_alike_are_told_of_and_can_be_numbered(fathom: Fathom, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("a", "b"):
        jsonl(folder / f"{name}.jsonl", [{"id": 1, "question": f"Q {name}?", "answer": name}])
    said = refused(fathom, folder)
    assert said.startswith(f"{folder}: 1 of 2 rows cannot be questions: two rows with one id and different")
    assert "first at b.jsonl:1 (1); fix them, number the rows with --columns id=, or leave" in said
    assert fathom(*IMPORT, folder, "--out", out, "--columns", "id=").code == 0
    assert [(q.id, q.task) for q in Imported(out).questions.values()] == [("a-1", "a"), ("b-1", "b")]


def test_an_object_by_id_gives_its_keys_as_ids(tmp_path: Path) -> None:
    path = shapes.write(tmp_path / "q.json", json.dumps({"x1": {"question": "Q?", "answer": "y"}}))
    api.import_dataset("jsonl", path, tmp_path / "out")
    assert list(Imported(tmp_path / "out").questions) == ["x1"]


def test_official_files_can_be_looked_at_first_too(fathom: Fathom, tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "in")
    before = sorted(tmp_path.rglob("*"))
    said = fathom("import", "3dsrbench", folder, "--dry-run", "--quiet").out
    assert "3 rows read from 3dsrbench_v1.csv" in said and "height_higher 2, orientation_viewpoint 1" in said
    assert "EF56GH78 (orientation_viewpoint): Which side faces the camera?" in said
    assert sorted(tmp_path.rglob("*")) == before


def test_columns_that_cannot_be_are_refused(fathom: Fathom, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    jsonl(folder / "questions.jsonl", [row(0, answer="A")])
    said = refused(fathom, folder, "--columns", "answer=gt")
    assert "questions.jsonl: has no column 'gt' for answer; there are id, question, options" in said
    assert "WHAT is one of question, answer, id" in refused(fathom, folder, "--columns", "colour=x")
    said = fathom("import", "3dsrbench", folder, "--out", tmp_path / "o", "--columns", "answer=gt").sentence()
    assert said == "--columns: 3dsrbench has its own; leave it out, or import as jsonl"
    assert "say it with --out" in fathom(*IMPORT, folder).sentence()


def test_rows_that_cannot_be_questions_are_left_out_only_where_that_is_said(
    fathom: Fathom, tmp_path: Path
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    shapes.write(folder / "images" / "0.png", shapes.png())
    jsonl(folder / "questions.jsonl", [row(0, answer="A"), row(1, answer="A")])
    said = fathom(*IMPORT, folder, "--out", out, "--leave-out").out
    assert "left out: a picture or video is missing: 1, first at questions.jsonl:2 (images/1.png)" in said
    assert not Imported(out).settings["whole"]


def test_a_dry_run_shows_what_would_be_read_and_writes_nothing(fathom: Fathom, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    shapes.write(folder / "images" / "0.png", shapes.png())
    jsonl(folder / "questions.jsonl", [row(i, answer="A", task="ab"[i % 2], why="so") for i in range(6)])
    before = sorted(tmp_path.rglob("*"))
    said = fathom(*IMPORT, folder, "--dry-run").out
    assert (
        "columns of questions.jsonl: question=question,answer=answer,id=id,options=options,task=task" in said
    )
    assert "not read: why" in said and "tasks: a 1, b 1" in said
    assert "left out: a picture or video is missing: 4, first at questions.jsonl:2 (images/1.png)" in said
    assert "  0 (a): Which side is 0?\n    * left\n      right\n      both\n    shown: images/0.png" in said
    assert sorted(tmp_path.rglob("*")) == before
    found = api.import_dataset("jsonl", folder, dry_run=True)
    assert [q.id for q in found.first] == ["0", "3"] and found.dry_run


def test_a_dry_run_ends_as_the_import_would(fathom: Fathom, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    lines = ['{"question": "a", "answer": "b"}', '{"question": "c", ', '{"question": "d", "answer": "e"}']
    shapes.write(folder / "half.jsonl", "\n".join(lines))
    looked, made = fathom(*IMPORT, folder, "--dry-run"), fathom(*IMPORT, folder, "--out", out)
    assert looked.code == made.code == 2
    assert looked.err == made.err and "1 of 3 rows cannot be questions" in looked.err
    assert "2 imported" in looked.out and not out.exists()
    assert fathom(*IMPORT, folder, "--dry-run", "--leave-out").code == 0


def test_a_file_of_which_no_line_is_json_is_said_to_be_that(fathom: Fathom, tmp_path: Path) -> None:
    shapes.write(tmp_path / "broken.jsonl", '{"question": "What?", "answer": ')
    said = refused(fathom, tmp_path / "broken.jsonl")
    assert said.startswith("broken.jsonl: line 1 is not JSON (Expecting value)")
    assert "--columns" not in said


def test_the_remedy_is_that_of_the_fault(fathom: Fathom, tmp_path: Path) -> None:
    jsonl(tmp_path / "q.jsonl", [row(0, answer="Z", image=""), row(1, answer="A", image="", span=["abc", 2])])
    said = refused(fathom, tmp_path / "q.jsonl", "--leave-out")
    assert "none of 2 rows could be imported" in said and "fix the files" in said
    assert "--media" not in said
    jsonl(tmp_path / "q.jsonl", [row(1, answer="A", image="", span=["abc", 2])])
    assert "no number where one should stand: 1, first at q.jsonl:1 (abc); fix" in refused(
        fathom, tmp_path / "q.jsonl"
    )
