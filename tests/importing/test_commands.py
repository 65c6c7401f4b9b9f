"""`fathom import` and `fathom import-run` from the command line: what is said, and how it ends."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from fathom.api import BENCHMARKS
from fathom.api.exchange import layouts_named
from fathom.formats.rows import FileShape
from tests.cli.conftest import Fathom
from tests.importing import predicted, shapes

IMPORT = ("import", "--quiet")


def test_an_import_says_what_it_did(fathom: Fathom, tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    (folder / "images" / "superCLEVR_new_000002.png").unlink()
    ended = fathom(*IMPORT, "pulsecheck457", str(folder), "--out", str(tmp_path / "out"))
    assert ended.code == 0
    assert ended.out.splitlines()[1] == "4 imported, of which 0 corrected; 2 left out"
    assert "questions/L1_single.json:1, item 3 (images/superCLEVR_new_000002.png)" in ended.out


def test_a_benchmark_that_there_is_not(fathom: Fathom, tmp_path: Path) -> None:
    said = fathom(*IMPORT, "none", str(tmp_path), "--out", str(tmp_path / "out")).sentence()
    assert "there is 4d-bench, seed-bench" in said


def test_a_path_that_there_is_not(fathom: Fathom, tmp_path: Path) -> None:
    ended = fathom(*IMPORT, "sti-bench", str(tmp_path / "no"), "--out", str(tmp_path / "out"))
    assert "there is none; check the path" in ended.sentence()


def test_a_folder_of_something_else(fathom: Fathom, tmp_path: Path) -> None:
    shapes.write(tmp_path / "in" / "notes.csv", "a,b\n1,2\n")
    said = fathom(*IMPORT, "sti-bench", str(tmp_path / "in"), "--out", str(tmp_path / "out")).sentence()
    assert "notes.csv with the columns a, b" in said


def test_a_wrong_table_is_refused_with_what_was_expected_and_by_its_own_path(
    fathom: Fathom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes.write(tmp_path / "notes.csv", "a,b\n1,2\n")
    monkeypatch.chdir(tmp_path)
    said = fathom(*IMPORT, "3dsrbench", "notes.csv", "--out", "out").sentence()
    assert said.startswith("notes.csv: expected questions of 3dsrbench (lmms-eval: Parquet with question, A")
    assert "official: index, question, A, B …, answer, category, image_url; vlmevalkit: index or qid" in said
    assert "found notes.csv with the columns a, b; give the file" in said
    said = fathom(*IMPORT, "3dsrbench", "notes.csv", "--out", "out", "--layout", "official").sentence()
    assert "image_url" in said and "vlmevalkit" not in said


@pytest.mark.parametrize("benchmark", list(BENCHMARKS))
def test_a_file_with_the_columns_that_a_layout_says_it_holds_is_recognised(benchmark: str) -> None:
    for layout in layouts_named(benchmark):
        columns = frozenset(re.findall(r"[A-Za-z_]+(?: index)?(?: \d)?", layout.holds)) | {
            *layout.holds.split(", ")
        }
        shape = FileShape("table.parquet", columns | {"caption_1"}, keyed="keyed" in layout.holds)
        assert layout.fits(shape), (layout.name, columns)


def test_rows_that_all_fail_alike_are_not_blamed_where_the_file_is_of_another_shape(
    fathom: Fathom, tmp_path: Path
) -> None:
    """A kit's table of one benchmark, given as one of another; and one with its pictures taken out."""
    table = shapes.threed_kit(tmp_path / "in") / "3dsrbench_v1_vlmevalkit.tsv"
    said = fathom(*IMPORT, "4d-bench", str(table), "--out", str(tmp_path / "out")).sentence()
    assert said.startswith(f"{table}: none of 3 rows could be imported, and all for one reason")
    assert "expected 4d-bench as vlmevalkit has it (index or qid, question" in said
    assert "found a file of another shape, with the columns A, B, C, D, answer, category" in said
    rows = [{**row, "image": ""} for row in shapes.threed_rows()]
    bare = shapes.table(tmp_path / "bare.tsv", rows)
    said = fathom(*IMPORT, "3dsrbench", str(bare), "--out", str(tmp_path / "out")).sentence()
    assert "no picture or video that they name is there, first " in said


def test_a_refused_import_leaves_nothing_behind(fathom: Fathom, tmp_path: Path) -> None:
    """Rows of the right columns, and not one picture of theirs: nothing can be imported."""
    path = shapes.threed(tmp_path / "in")
    for picture in path.rglob("*.jpg"):
        picture.unlink()
    for name in ("new", "empty"):
        out = tmp_path / name
        if name == "empty":
            out.mkdir()
        ended = fathom(*IMPORT, "3dsrbench", str(path), "--out", str(out))
        assert "none of" in ended.sentence()
        assert out.exists() == (name == "empty") and not list(tmp_path.glob(f"{name}/*"))


def test_a_layout_that_there_is_not(fathom: Fathom, tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    ended = fathom(*IMPORT, "pulsecheck457", str(folder), "--out", str(tmp_path / "o"), "--layout", "x")
    assert ended.sentence() == "--layout x: there is lmms-eval, official, vlmevalkit"


def test_a_folder_that_is_not_empty(fathom: Fathom, tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    shapes.write(tmp_path / "out" / "mine.txt", "mine")
    said = fathom(*IMPORT, "pulsecheck457", str(folder), "--out", str(tmp_path / "out")).sentence()
    assert "is not empty" in said
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


def test_a_disk_that_is_full_is_no_reason_to_leave_questions_out(
    fathom: Fathom,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shapes.spatial457(tmp_path / "457")

    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    ended = fathom(*IMPORT, "pulsecheck457", str(folder), "--out", str(tmp_path / "out"), "--copy")
    assert "No space left" in ended.sentence()


def test_predictions_are_imported_and_scored(fathom: Fathom, tmp_path: Path) -> None:
    folder = shapes.threed_kit(tmp_path / "3d")
    shapes.table(tmp_path / "m.tsv", predicted.vlmevalkit_rows())
    out, run = str(tmp_path / "out"), str(tmp_path / "run")
    assert fathom(*IMPORT, "3dsrbench", str(folder), "--out", out).code == 0
    ended = fathom("import-run", out, str(tmp_path / "m.tsv"), "--out", run, "--model", "them", "--quiet")
    assert ended.out.splitlines()[:2] == [
        "3 rows read from m.tsv (predictions, vlmevalkit)",
        "3 imported, of which 0 corrected; 0 left out",
    ]
    assert "them" in fathom("score", run).out


def test_a_table_is_another_word_for_jsonl(fathom: Fathom, tmp_path: Path) -> None:
    table = shapes.write(tmp_path / "survey.csv", "question,A,B,answer\nWhich is red?,bus,car,A\n")
    for name in ("table", "jsonl"):
        assert fathom(*IMPORT, name, str(table), "--out", str(tmp_path / name)).code == 0
    assert (tmp_path / "table" / "questions.jsonl").read_bytes() == (
        tmp_path / "jsonl" / "questions.jsonl"
    ).read_bytes()
