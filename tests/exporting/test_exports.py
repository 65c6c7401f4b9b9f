"""What is exported comes back the same, and is whole, safe and self-contained."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fathom import api
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.records import DataError, Groups, InputError, Media, Question, UnfitError, still_path
from fathom.store.datasets import MEDIA, hash_of_stills, open_dataset
from fathom.store.files import write_bytes, write_jsonl
from fathom.store.runs import open_run
from tests.cli.conftest import Fathom
from tests.cli.conftest import fathom as fathom
from tests.exporting.official_loader import loaded
from tests.exporting.seen import EVERY, WITH_CAPTIONS, choice, dataset_of, parquet, said, table
from tests.importing import shapes


def benchmark_of(name: str) -> str:
    return name.removesuffix("-2").removesuffix("-captions")


@pytest.mark.parametrize("files", [False, True], ids=["embedded", "files"])
@pytest.mark.parametrize("name", WITH_CAPTIONS)
def test_a_vlmevalkit_table_comes_back_as_the_same_questions(
    imported: Path, tmp_path: Path, name: str, files: bool
) -> None:
    api.export_dataset(imported / name, "vlmevalkit", tmp_path / "tsv", files=files)
    api.import_dataset(benchmark_of(name), tmp_path / "tsv", tmp_path / "back")
    assert said(tmp_path / "back") == said(imported / name)


@pytest.mark.parametrize(
    ("name", "kit"),
    [*((name, "huggingface") for name in WITH_CAPTIONS), *((name, "lmms-eval") for name in EVERY)],
)
def test_a_parquet_table_comes_back_as_the_same_questions(
    imported: Path, tmp_path: Path, name: str, kit: str
) -> None:
    api.export_dataset(imported / name, kit, tmp_path / "out")
    api.import_dataset(benchmark_of(name), tmp_path / "out", tmp_path / "back")
    assert said(tmp_path / "back") == said(imported / name)


@pytest.mark.parametrize("name", ["seed-bench", "seed-bench-2"])
def test_the_official_json_comes_back_as_the_same_questions(
    imported: Path, tmp_path: Path, name: str
) -> None:
    api.export_dataset(imported / name, "official", tmp_path / "out")
    api.import_dataset("seed-bench", tmp_path / "out", tmp_path / "back")
    assert said(tmp_path / "back") == said(imported / name)
    rows = json.loads((tmp_path / "out" / "SEED-Bench.json").read_text())
    for row in rows["questions"]:
        assert row["question_type_id"] in rows["question_type"].values()
        names = row["data_id"] if isinstance(row["data_id"], list) else [row["data_id"]]
        folders = [tmp_path / "out" / folder for folder in ("SEED-Bench-image", "videos")]
        assert all(any((folder / each).is_file() for folder in folders) for each in names)


def test_the_authors_loader_reads_the_official_json_of_an_imported_set(
    imported: Path, tmp_path: Path
) -> None:
    api.export_dataset(imported / "seed-bench", "official", tmp_path / "out")
    found = {item.id: item for item in loaded(tmp_path / "out")}
    for question in open_dataset(imported / "seed-bench").questions():
        item = found.pop(question.tags["official_id"])
        assert (item.kind, item.question) == (FIRST[question.task], question.text)
        assert (item.choices, item.right) == (question.choices, question.answer)
        assert item.frames >= 1 or question.task == "procedure_understanding"  # its film is shorter
    assert not found
    rows = json.loads((tmp_path / "out" / "SEED-Bench.json").read_text())["questions"]
    assert [row["segment"] for row in rows if "segment" in row] == [[1.5, 2.5], [12, 80]]


@pytest.mark.parametrize("table_name", ["3dsrbench_v1_vlmevalkit", "3dsrbench_v1_vlmevalkit_circular"])
def test_the_official_tables_come_back_as_the_same_questions(
    imported: Path, tmp_path: Path, table_name: str
) -> None:
    api.export_dataset(imported / "3dsrbench", "official", tmp_path / "out")
    path = tmp_path / "out" / f"{table_name}.tsv"
    api.import_dataset("3dsrbench", path, tmp_path / "back")
    assert said(tmp_path / "back") == said(imported / "3dsrbench")
    questions = {q.id: q for q in open_dataset(imported / "3dsrbench").questions()}
    rows = table(path)
    turns = len(rows) > len(questions)
    assert turns == table_name.endswith("circular")
    assert len(rows) == sum(len(q.choices) if turns else 1 for q in questions.values())


def test_questions_of_any_name_get_official_ids_that_group_as_they_do(tmp_path: Path) -> None:
    """Both of a mirrored pair share eight characters; all others differ."""
    names = {"room-1_common": "", "room-1_common-mirrored": "room-1_common", "room-2_common": ""}
    made = [
        Question(
            id=name, task="height_higher", text="Which is higher?", choices=("the lamp", "the shelf"),
            answer="the lamp", media=(name,), groups=Groups(cluster=name[:6], flip=flip or name),
            tags={"flipped": "yes"} if flip else {},
        )
        for name, flip in names.items()
    ]  # fmt: skip
    dataset = dataset_of(tmp_path / "d", made, {n: shapes.png(40 * k, 48, 32) for k, n in enumerate(names)})
    api.export_dataset(dataset, "official", tmp_path / "out")
    rows = table(tmp_path / "out" / "3dsrbench_v1_vlmevalkit_circular.tsv")
    qids = [row["qid"] for row in rows]
    assert all(re.fullmatch(r"[A-Z0-9]{8}(-flip)?(-1)?", qid) for qid in qids) and len(set(qids)) == 6
    assert qids[2] == f"{qids[0]}-flip" and qids[4][:8] != qids[0][:8]
    assert [row["answer"] for row in rows] == ["A", "B"] * 3
    wide = [msgspec.structs.replace(made[0], choices=("the lamp", *"abcd"))]
    other = dataset_of(tmp_path / "w", wide, {"room-1_common": shapes.png(10, 48, 32)})
    with pytest.raises(UnfitError, match="one picture and 2 to 4 options, and it has 1 and 5"):
        api.export_dataset(other, "official", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_only_who_declares_official_files_has_them(imported: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--to official: nothing here writes the files of sti-bench"):
        api.export_dataset(imported / "sti-bench", "official", tmp_path / "out")


@pytest.mark.parametrize("name", [*EVERY, "4d-bench-captions"])
def test_huggingface_rows_hold_all_that_a_question_says(imported: Path, tmp_path: Path, name: str) -> None:
    api.export_dataset(imported / name, "huggingface", tmp_path / "out")
    rows = {row["index"]: row for row in parquet(tmp_path / "out")}
    dataset = open_dataset(imported / name)
    for question in dataset.questions():
        row = rows[question.id]
        assert (row["question"], row["category"]) == (question.text, question.task)
        assert row["answer_text"] == question.answer
        assert tuple(row["choices"]) == question.choices
        assert tuple(row["references"]) == question.references
        assert json.loads(row["tags"]) == question.tags
        shown = [row["image"]] if row.get("image") else row.get("images") or []
        found = [hashlib.sha256(p["bytes"]).hexdigest() for p in shown]
        videos = [tmp_path / "out" / v for v in row.get("video") or ()]
        found += [hashlib.sha256(v.read_bytes()).hexdigest() for v in videos]
        assert sorted(found) == sorted(dataset.media(m).sha256 for m in question.media)
    assert len(rows) == len(list(dataset.questions()))


def test_a_picture_that_an_earlier_row_has_is_named_by_its_index(imported: Path, tmp_path: Path) -> None:
    api.export_dataset(imported / "pulsecheck457", "vlmevalkit", tmp_path / "tsv")
    rows = table(tmp_path / "tsv" / "pulsecheck457.tsv")
    by_index = {row["index"]: row["image"] for row in rows}
    short = [row["image"] for row in rows if len(row["image"]) <= 64]
    assert len(short) == 3
    assert all(len(by_index[index]) > 64 for index in short)


def test_several_pictures_are_lists_that_are_python_literals_with_a_name_each(
    imported: Path, tmp_path: Path
) -> None:
    api.export_dataset(imported / "seed-bench-2", "vlmevalkit", tmp_path / "tsv")
    row = table(tmp_path / "tsv" / "seed_bench.tsv")[1]
    pictures, names = ast.literal_eval(row["image"]), ast.literal_eval(row["image_path"])
    assert len(pictures) == len(names) == 2
    assert all(base64.b64decode(p).startswith(b"\x89PNG") for p in pictures)
    assert all(name.endswith(".png") and "/" not in name for name in names)


def test_videos_have_options_as_a_list_and_seconds(imported: Path, tmp_path: Path) -> None:
    api.export_dataset(imported / "sti-bench", "vlmevalkit", tmp_path / "tsv")
    for row in table(tmp_path / "tsv" / "sti_bench.tsv"):
        assert ast.literal_eval(row["options"]) == [row[x] for x in "ABCDE"]
        assert (float(row["time_start"]), float(row["time_end"])) == (2.0, 6.5)
        assert (tmp_path / "tsv" / row["video"]).is_file()


def test_captions_answer_with_the_list_of_what_people_wrote(imported: Path, tmp_path: Path) -> None:
    api.export_dataset(imported / "4d-bench-captions", "vlmevalkit", tmp_path / "tsv")
    rows = table(tmp_path / "tsv" / "4d_bench.tsv")
    assert all(len(ast.literal_eval(row["answer"])) == 5 for row in rows)


@pytest.mark.parametrize("kit", ["lmms-eval", "inspect"])
def test_captions_are_refused_where_they_cannot_be_marked(imported: Path, tmp_path: Path, kit: str) -> None:
    with pytest.raises(UnfitError, match="3 captions, which"):
        api.export_dataset(imported / "4d-bench-captions", kit, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_inspect_refuses_videos_that_it_cannot_show(imported: Path, tmp_path: Path) -> None:
    with pytest.raises(UnfitError, match=r"mp4, mov and mpeg, found \.webm"):
        api.export_dataset(imported / "seed-bench", "inspect", tmp_path / "out")


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("B", "right"), ("(B)", "right"), ("B. right", "right"), ("The answer is B", "right"),
        ("Option A is wrong. The answer: B, because", "right"), ("**Answer:** B", "right"),
        ("Right.", "right"), ("Answer: A", "left"),
        ("A man can be observed", None), ("The answer is clearly to the left", None), ("Answer: A car", None),
        ("A. left\nB. right\nWhich one?", None), ("Answer: D", None), ("", None), ("Because", None),
    ],
)  # fmt: skip
def test_the_reader_of_an_lmms_task_prefers_nothing_to_a_guess(said: str, option: str | None) -> None:
    from fathom.formats.export_lmms_utils import read

    assert read(said, ["left", "right"]) == option


def test_an_lmms_task_marks_words_that_mean_the_same() -> None:
    from fathom.formats.export_lmms_utils import process_results

    doc = {"choices": [], "answer_text": "suv", "equivalents": ["sport utility vehicle"]}
    assert process_results(doc, [" Sport  utility vehicle."])["accuracy"] == 1.0
    assert process_results(doc, ["sedan"]) == {"accuracy": 0.0, "unreadable": 0.0}
    assert process_results(doc, []) == {"accuracy": 0.0, "unreadable": 1.0}


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS.map(lambda t: t.strip() or "x"), min_size=2, max_size=6, unique=True), TEXTS)
def test_any_text_stays_as_it_is(tmp_path: Path, options: list[str], text: str) -> None:
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    questions = [choice("q", text, tuple(options))]
    dataset_of(folder / "in", questions, {"p": shapes.png()})
    api.export_dataset(folder / "in", "vlmevalkit", folder / "tsv")
    (row,) = table(folder / "tsv" / "3dsrbench.tsv")
    assert row["question"] == text
    assert [row["ABCDEFGHIJ"[i]] for i in range(len(options))] == options
    assert row[row["answer"]] == options[-1]


def test_a_formula_is_written_as_the_text_that_it_is(tmp_path: Path) -> None:
    options = ('=HYPERLINK("http://a")', "@SUM(A1)")
    dataset_of(tmp_path / "in", [choice("q", "+1", options)], {"p": shapes.png()})
    api.export_dataset(tmp_path / "in", "vlmevalkit", tmp_path / "tsv")
    (row,) = table(tmp_path / "tsv" / "3dsrbench.tsv")
    assert (row["A"], row["B"], row["question"]) == (*options, "+1")


def test_options_that_pandas_takes_for_empty_cells_are_said(tmp_path: Path) -> None:
    questions = [choice("a", choices=("None", "two")), choice("b")]
    dataset_of(tmp_path / "in", questions, {"p": shapes.png()})
    report = api.export_dataset(tmp_path / "in", "vlmevalkit", tmp_path / "tsv")
    assert any(note.startswith("1 questions have an option or answer such as None") for note in report.notes)


def test_of_two_options_with_one_text_the_first_letter_is_right(tmp_path: Path) -> None:
    questions = [choice("a", choices=("one", "two", "two"))]
    dataset_of(tmp_path / "in", questions, {"p": shapes.png()})
    api.export_dataset(tmp_path / "in", "vlmevalkit", tmp_path / "tsv")
    assert table(tmp_path / "tsv" / "3dsrbench.tsv")[0]["answer"] == "B"


def test_a_picture_that_was_changed_stops_the_export_and_leaves_nothing(tmp_path: Path) -> None:
    dataset_of(tmp_path / "in", [choice("a")], {"p": shapes.png()})
    (tmp_path / "in" / "media" / "p.png").write_bytes(shapes.png(9))
    with pytest.raises(DataError, match="not the picture"):
        api.export_dataset(tmp_path / "in", "vlmevalkit", tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("kit", ["vlmevalkit", "lmms-eval", "huggingface", "inspect"])
def test_of_a_video_that_was_not_made_whole_the_stills_are_shown(tmp_path: Path, kit: str) -> None:
    folder = dataset_of(tmp_path / "in", [choice("a")], {"q": shapes.png()})
    stills = {frame: shapes.png(frame) for frame in (3, 11)}
    known_by = {frame: hashlib.sha256(data).hexdigest() for frame, data in stills.items()}
    film = Media(
        id="p", path="media/p.mp4", kind="video", size=(6, 4), sha256=hash_of_stills(known_by), frames=12,
        fps=12.0, stills=known_by,
    )  # fmt: skip
    write_jsonl(folder / MEDIA, [film])
    for frame, data in stills.items():
        write_bytes(folder / still_path(film, frame), data)
    report = api.export_dataset(folder, kit, tmp_path / "out", files=kit == "vlmevalkit")
    assert (report.pictures, report.videos) == (2, 0)
    if kit in ("vlmevalkit", "inspect"):
        shown = {p.read_bytes() for p in (tmp_path / "out").rglob("*.png")}
    else:
        shown = {p["bytes"] for p in parquet(tmp_path / "out")[0]["images"]}
    assert shown == set(stills.values())


def test_more_options_than_letters_are_refused(tmp_path: Path) -> None:
    options = tuple(f"option {i}" for i in range(11))
    dataset_of(tmp_path / "in", [choice("a", choices=options)], {"p": shapes.png()})
    with pytest.raises(InputError, match="question a: has 11 options"):
        api.export_dataset(tmp_path / "in", "vlmevalkit", tmp_path / "out")


def test_no_path_of_this_computer_stands_in_an_export(imported: Path, tmp_path: Path) -> None:
    for kit in ("vlmevalkit", "lmms-eval", "huggingface", "inspect"):
        api.export_dataset(imported / "sti-bench", kit, tmp_path / kit)
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.suffix != ".mp4":
            assert os.fsencode(imported) not in path.read_bytes(), path


def test_a_video_with_a_strange_id_is_named_by_its_hash() -> None:
    from fathom.formats.export_media import video_name
    from fathom.records import Media

    for name in ("../../x.mp4", "/x.mp4", "a b.mp4", "CON:.mp4", "-x.mp4", ".x/y.mp4", "a//b.mp4", "é.mp4"):
        media = Media(id=name, path="v.webm", kind="video", size=(1, 1), sha256="ab" * 32)
        assert video_name(media) == f"{'ab' * 16}.webm"


def test_the_command_line_says_what_was_written(imported: Path, tmp_path: Path, fathom: object) -> None:
    call = fathom
    assert callable(call)
    ended = call("export", imported / "3dsrbench", "--to", "vlmevalkit", "--out", tmp_path / "tsv", "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("3 questions of 3dsrbench with 3 pictures, for vlmevalkit\n")
    assert ended.out.endswith(f"{tmp_path / 'tsv'}\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "excel"], "--to excel: there is official, vlmevalkit, lmms-eval, huggingface, inspect"),
        (["--to", "inspect", "--pictures", "files"], "--pictures files: is for vlmevalkit"),
        (["--to", "vlmevalkit", "--pictures", "none"], "--pictures none: expected embedded or files"),
    ],
)
def test_a_wrong_word_is_one_sentence(
    imported: Path, tmp_path: Path, fathom: object, words: list[str], sentence: str
) -> None:
    assert callable(fathom)
    ended = fathom("export", imported / "3dsrbench", "--out", tmp_path / "out", *words)
    assert ended.sentence().startswith(sentence)


def test_the_name_of_a_benchmark_stays_a_name() -> None:
    from fathom.formats.export_plan import slug

    assert slug("4d-bench") == "4d_bench"
    assert slug("../my.module:BENCHMARK\n") == "my_module_benchmark"
    assert slug("…") == "questions"


def test_an_export_that_was_cut_off_is_begun_again(imported: Path, tmp_path: Path) -> None:
    (tmp_path / ".out.part").mkdir()
    (tmp_path / ".out.part" / "half.tsv").write_text("index")
    api.export_dataset(imported / "3dsrbench", "vlmevalkit", tmp_path / "out")
    assert {p.name for p in tmp_path.iterdir()} == {"out"}
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"3dsrbench.tsv", "export.json"}


def test_a_folder_that_is_not_empty_is_left_alone(imported: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(InputError, match="is not empty"):
        api.export_dataset(imported / "3dsrbench", "vlmevalkit", tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["seed-bench-2", "3dsrbench"])
def test_samples_of_an_exported_task_are_known_where_the_import_folded_or_left_out_rows(
    imported: Path, tmp_path: Path, name: str
) -> None:
    """As lmms-eval 0.7.3 logs them: the place of a row, no row, and what marking a sample returned."""
    from fathom.formats.export_lmms_utils import process_results

    counts = open_dataset(imported / name).manifest.counts
    assert counts["folded"] + counts["left out"] > 0
    api.export_dataset(imported / name, "lmms-eval", tmp_path / "task")
    rows = parquet(tmp_path / "task")
    samples = [
        {"doc_id": i, "target": row["answer"], "filtered_resps": [f"said of {row['index']}"], "input": "…"}
        | process_results(row, ["A"])
        for i, row in enumerate(rows)
    ]
    lines = "".join(json.dumps(sample) + "\n" for sample in reversed(samples))
    path = shapes.write(tmp_path / "0_samples_fathom.jsonl", lines)
    report = api.import_run(imported / name, path, tmp_path / "run")
    assert (report.imported, report.left_out) == (len(rows), 0)
    said_of = {r.question: r.text for r in open_run(tmp_path / "run").responses()}
    assert said_of == {row["index"]: f"said of {row['index']}" for row in rows}


def test_samples_known_by_place_alone_are_refused_with_the_reason(imported: Path, tmp_path: Path) -> None:
    line = json.dumps({"doc_id": 0, "target": "A", "filtered_resps": ["A"]}) + "\n"
    path = shapes.write(tmp_path / "samples.jsonl", line)
    with pytest.raises(InputError, match="known by its place alone, and rows of that table were folded"):
        api.import_run(imported / "3dsrbench", path, tmp_path / "run")


def test_a_view_of_4d_bench_keeps_its_number(imported: Path, tmp_path: Path) -> None:
    api.export_dataset(imported / "4d-bench", "vlmevalkit", tmp_path / "tsv")
    api.import_dataset("4d-bench", tmp_path / "tsv", tmp_path / "back")
    back = open_dataset(tmp_path / "back")
    views = {tuple(back.media(m).view for m in q.media) for q in back.questions()}
    assert views == {shapes.VIEWS}


@pytest.mark.parametrize("name", ["3dsrbench", "pulsecheck457", "seed-bench", "sti-bench"])
def test_sets_of_which_nothing_can_be_written_are_refused_before_anything_is_begun(
    imported: Path, tmp_path: Path, fathom: Fathom, name: str
) -> None:
    ended = fathom("write-questions", str(imported / name), str(tmp_path / "work"))
    assert "objects that are each filmed from several directions (4d-bench)" in ended.sentence()
    assert "videos that were built with exact tracks (sti-bench)" in ended.sentence()
    assert f"found a set of {name} that has none of this" in ended.sentence()
    assert not (tmp_path / "work").exists()


def test_an_imported_set_of_objects_in_several_views_is_taken(imported: Path, tmp_path: Path) -> None:
    said = api.write_questions(imported / "4d-bench", tmp_path / "work", settings={"tasks": "action"})
    assert "steps, in their order: write, check, blind, review" in said
    assert "3 directions" in (tmp_path / "work" / "write" / "01" / "requests.jsonl").read_text()
