"""Anybody's own questions go the whole way: import, run, score, compare, check, report, and back again."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom import api
from fathom.records import InputError, Score
from fathom.store.files import read_jsonl
from tests.cli.conftest import Fathom
from tests.importing import shapes
from tests.importing.reading import Imported

IMPORTING = Path(__file__).resolve().parents[2] / "docs" / "importing.md"


@pytest.fixture
def own(tmp_path: Path, video: bytes) -> Path:
    """Twelve questions with options about six images, six open ones about a video, and one of words alone."""
    folder = tmp_path / "My questions"
    for i in range(6):
        shapes.write(folder / "images" / f"{i}.png", shapes.png(i * 40, 32, 24))
    shapes.write(folder / "clips" / "a.mp4", video)
    rows: list[dict[str, object]] = [
        {"id": i, "question": f"Which side is dark, {i}?", "options": ["left", "right", "none"],
         "answer": "ABC"[i % 3], "image": f"images/{i % 6}.png", "category": "sides"}
        for i in range(12)
    ]  # fmt: skip
    rows += [
        {"id": 20 + i, "question": f"How many balls, {i}?", "answer": i % 3, "video": "clips/a.mp4",
         "category": "counts", "start": i / 6, "end": 1 + i / 6}
        for i in range(6)
    ]  # fmt: skip
    rows.append({"id": 30, "question": "Is snow white?", "answer": "Yes", "category": "words, alone"})
    shapes.write(folder / "q.jsonl", "\n".join(map(json.dumps, rows)))
    api.import_dataset("jsonl", folder, tmp_path / "set")
    return tmp_path / "set"


def accuracy(run: Path, **group: str) -> Score:
    scores = read_jsonl(run / "scores" / "fathom" / "scores.jsonl", Score)
    return next(s for s in scores if s.name == "accuracy" and s.group == group)


def test_own_questions_are_run_scored_compared_checked_and_reported(
    own: Path, tmp_path: Path, fathom: Fathom
) -> None:
    perfect, random = tmp_path / "perfect", tmp_path / "random"
    for model, run in (("scripted:perfect", perfect), ("random", random)):
        assert "19 answered" in api.run_model(own, model, run).text
        assert "My questions" in str(api.score_run(run))
    assert accuracy(perfect).value == 1 and accuracy(perfect).n == 19
    assert {accuracy(perfect, task=t).n for t in ("sides", "counts", "words, alone")} == {12, 6, 1}
    assert 0 < (accuracy(random).value or 0) < 1
    assert "scripted-perfect is better than random" in api.compare_runs([perfect, random]).text
    page = api.write_report([random, perfect], tmp_path / "report", figures=False).read_text(encoding="utf-8")
    assert ">My questions</h1>" in page and "words, alone" in page and "after </" not in page
    checked = api.check_dataset(own)
    assert checked.passed and "Blind stress test" in checked.text
    said = fathom("run", own, "--task", "x", "--model", "random", "--out", tmp_path / "no").sentence()
    assert said == "--task x: jsonl has sides, counts, words, alone"
    assert fathom("tables", "jsonl").sentence().startswith("jsonl: has no published tables")


def test_a_model_sees_images_frames_of_the_span_and_letters_and_nothing_where_it_is_blind(
    own: Path, tmp_path: Path
) -> None:
    seen: dict[str, list[tuple[str, int]]] = {}

    def asked(name: str, **options: Any) -> dict[str, tuple[str, int]]:
        found = seen.setdefault(name, [])

        def model(text: str, pictures: Sequence[bytes]) -> str:
            found.append((text, len(pictures)))
            return "(A)"

        api.run_model(own, model, tmp_path / name, concurrency=1, **options)
        return {text.partition("Question")[2]: (text, count) for text, count in found}

    plain = asked("plain", settings={"frames": "4"})
    sides = [(text, count) for text, count in plain.values() if "Which side is dark, 0?" in text]
    assert sides[0][1] == 1 and "Options:\nA. left\nB. right\nC. none" in sides[0][0]
    counts = [(text, count) for text, count in plain.values() if "How many balls" in text]
    assert {count for _, count in counts} == {4} and "as few words as possible" in counts[0][0]
    asked("circular", protocol="circular")
    assert len(seen["circular"]) == 12 * 3 + 7
    assert {count for text, count in seen["circular"] if "How many balls" in text} == {6}, "a second of two"
    asked("blind", protocol="blind")
    assert {count for _, count in seen["blind"]} == {0}
    whole = asked("whole", settings={"span": "whole"})
    assert {count for text, count in whole.values() if "How many balls" in text} == {12}
    assert any("about the time from 0.5 to 1.5 seconds of the video" in text for text, _ in whole.values())
    with pytest.raises(InputError, match="question 20: has no options whose likelihoods could be compared"):
        api.run_model(own, "random", tmp_path / "ranked", protocol="likelihood")


@pytest.mark.parametrize("kit", ["vlmevalkit", "huggingface"])
def test_what_goes_out_to_another_kit_comes_in_again(tmp_path: Path, kit: str) -> None:
    folder = tmp_path / "in"
    rows = [
        {"id": f"n{i}", "question": f"Which, {i}?", "A": "left", "B": "right", "answer": "AB"[i % 2],
         "image": f"{i % 2}.png", "task": "ab"[i % 2]}
        for i in range(4)
    ]  # fmt: skip
    for i in range(2):
        shapes.write(folder / f"{i}.png", shapes.png(i))
    shapes.table(folder / "q.csv", rows)
    api.import_dataset("jsonl", folder, tmp_path / "set")
    api.export_dataset(tmp_path / "set", kit, tmp_path / "there")
    api.import_dataset("jsonl", tmp_path / "there", tmp_path / "back")
    first, second = (
        [(q.id, q.text, q.choices, q.answer, q.task) for q in Imported(tmp_path / name).questions.values()]
        for name in ("set", "back")
    )
    assert first == second
    Imported(tmp_path / "back").check_media()


def test_the_worked_example_of_the_documentation_does_what_it_says(
    fathom: Fathom, tmp_path: Path, video: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = (
        IMPORTING.read_text(encoding="utf-8").partition("## Your own questions\n")[2].partition("\n## ")[0]
    )
    rows, first, printed, others = re.findall(r"```\w*\n(.*?)```", section, re.DOTALL)
    folder = tmp_path / "my-questions"
    shapes.write(folder / "questions.jsonl", rows)
    for name in ("street", "table"):
        shapes.write(folder / "images" / f"{name}.png", shapes.png(90))
    shapes.write(folder / "clips" / "lid.mp4", video)
    monkeypatch.chdir(tmp_path)
    ended = fathom(*shlex.split(first)[1:])
    assert (ended.code, ended.out) == (0, printed)
    for line in others.splitlines():
        ended = fathom(*shlex.split(line)[1:])
        assert ended.code == 0, ended.err
    assert (tmp_path / "report" / "report.html").is_file()
    said = shlex.split(re.findall(r"`(--columns [^`]*)`", section)[0])
    assert (
        "the column 'frage' for the question, as --columns says"
        in fathom("import", "jsonl", folder, *said, "--dry-run").sentence()
    )


WORDS = st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,2}", fullmatch=True).filter(lambda w: w != "nan")


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw questions with their options, the place of the right one, and a task."""
    size = draw(st.integers(2, 5))
    one = st.fixed_dictionaries(
        {
            "text": WORDS,
            "options": st.lists(WORDS, min_size=size, max_size=size, unique_by=str.casefold),
            "place": st.integers(0, size - 1),
            "task": st.sampled_from(["one", "two, with a comma", "three"]),
        }
    )
    return draw(st.lists(one, min_size=1, max_size=8))


@given(
    tables(), st.sampled_from([".csv", ".tsv", ".jsonl", ".json"]),
    st.sampled_from(["letter", "text", "0", "1"]), st.booleans(),
)  # fmt: skip
@settings(max_examples=60)
def test_every_table_that_can_be_written_is_read_as_it_was_meant(
    drawn: list[dict[str, Any]], suffix: str, form: str, in_one_column: bool
) -> None:
    # Whether places count from 0 or from 1 is told by a 0, or by one as large as there are options.
    if form == "1":
        drawn[0]["place"] = len(drawn[0]["options"]) - 1
    rows = []
    for number, one in enumerate(drawn):
        place = one["place"]
        forms = {"letter": "ABCDE"[place], "text": one["options"][place], "0": place, "1": place + 1}
        columns = dict(zip("ABCDE", one["options"], strict=False))
        rows.append(
            {"qid": f"q{number}", "query": one["text"], "gt": forms[form], "category": one["task"]}
            | ({"choices": json.dumps(one["options"])} if in_one_column else columns)
        )
    if form == "0":
        rows[0]["gt"], drawn[0]["place"] = 0, 0
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"table{suffix}"
        if suffix in (".csv", ".tsv"):
            shapes.table(path, rows)
        else:
            shapes.write(path, json.dumps(rows) if suffix == ".json" else "\n".join(map(json.dumps, rows)))
        api.import_dataset("jsonl", path, Path(name) / "set")
        found = Imported(Path(name) / "set").questions.values()
    assert [(q.text, list(q.choices), q.answer, q.task) for q in found] == [
        (one["text"], one["options"], one["options"][one["place"]], one["task"]) for one in drawn
    ]


CELLS = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=12)
    | st.sampled_from(["A", "(b)", "1", "0.png", "1:05", "A. x\nB. y", "[1", "data:image/png;base64,xx"]),
    lambda cells: st.lists(cells, max_size=4)
    | st.dictionaries(st.sampled_from(["A", "B", "bytes", "path", "x"]), cells),
    max_leaves=6,
)  # fmt: skip
COLUMNS = ("question", "answer", "options", "A", "B", "id", "task", "image", "video", "span", "start", "end",
           "flip", "cluster", "possible", "equivalents", "answer_index")  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(COLUMNS), CELLS, max_size=8), max_size=5), st.booleans())
@settings(max_examples=150)
def test_whatever_stands_in_a_table_it_is_imported_or_refused_in_one_sentence(
    drawn: list[dict[str, Any]], leave_out: bool
) -> None:
    rows = [{"question": f"Q{i}?", "answer": "A"} | one for i, one in enumerate(drawn)]
    with tempfile.TemporaryDirectory() as name:
        shapes.write(Path(name) / "in" / "0.png", shapes.png())
        shapes.write(Path(name) / "in" / "q.jsonl", "\n".join(map(json.dumps, rows)))
        for look in (True, False):
            try:
                found = api.import_dataset(
                    "jsonl", Path(name) / "in", Path(name) / "set", leave_out=leave_out, dry_run=look
                )
            except InputError as e:
                assert "\n" not in str(e) and not (Path(name) / "set").exists()
            else:
                assert found.read == len(rows) == found.imported + found.left_out
                assert str(found)
        if (Path(name) / "set").exists():
            for question in Imported(Path(name) / "set").questions.values():
                assert not question.choices or question.answer in question.choices
                assert not question.possible or question.answer in question.possible
