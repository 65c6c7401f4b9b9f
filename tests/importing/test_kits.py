"""VLMEvalKit's tables and lmms-eval's, and archives, as they are published and as they should not be."""

from __future__ import annotations

import ast
import base64
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom.records import InputError
from tests.importing import shapes
from tests.importing.reading import imported


def test_base64_pictures_are_written_under_their_hash_once(tmp_path: Path) -> None:
    found = imported("3dsrbench", shapes.threed_kit(tmp_path / "3d"), tmp_path / "out")
    for i, name in enumerate(("AB12CD34", "AB12CD34-flip", "EF56GH78")):
        media = found.dataset.media(found.questions[name].media[0])
        assert found.dataset.media_bytes(media.id) == shapes.png(i)
        assert media.path == f"media/{media.sha256[:2]}/{media.sha256}.png"
    assert found.settings["source"] == "vlmevalkit"


def test_circular_copies_are_folded_into_their_question(tmp_path: Path) -> None:
    circular = imported("3dsrbench", shapes.threed_kit(tmp_path / "c", circular=True), tmp_path / "out")
    plain = imported("3dsrbench", shapes.threed_kit(tmp_path / "p"), tmp_path / "plain")
    assert circular.questions == plain.questions
    assert circular.report.folded == 5
    assert circular.report.left_out == 0


def circular_rows() -> list[dict[str, object]]:
    rows = [{k: v for k, v in r.items() if k != "image_url"} for r in shapes.threed_rows()]
    base = rows[2] | {"image": shapes.base64_png(1)}
    return [base, *(shapes.turned(base, k) for k in (1, 2, 3))]


def test_circular_copies_may_come_before_their_question(tmp_path: Path) -> None:
    rows = circular_rows()
    shapes.table(tmp_path / "a.tsv", rows[::-1])
    shapes.table(tmp_path / "b.tsv", rows)
    late, soon = (imported("3dsrbench", tmp_path / f"{n}.tsv", tmp_path / n) for n in "ab")
    assert late.questions == soon.questions
    assert late.report.folded == soon.report.folded == 3


def test_a_question_of_which_only_copies_are_there_is_turned_back(tmp_path: Path) -> None:
    shapes.table(tmp_path / "a.tsv", circular_rows()[2:])
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert found.questions["EF56GH78"].choices == ("front", "left", "back", "right")
    assert found.questions["EF56GH78"].answer == "front"
    assert found.found("noted", "only circular copies") == 1
    assert (found.report.read, found.report.imported, found.report.folded) == (2, 1, 1)


@pytest.mark.parametrize(
    "spoil", [{"answer": "B"}, {"A": "top"}, {"A": "back", "C": "front"}, {"question": "Which one?"}]
)
def test_a_circular_copy_that_disagrees_is_listed(tmp_path: Path, spoil: dict[str, object]) -> None:
    rows = circular_rows()
    rows[1] |= spoil
    shapes.table(tmp_path / "a.tsv", rows)
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert len(found.questions) == 1
    assert found.report.left_out == 1
    assert found.report.folded == 2


def test_a_picture_shared_by_index_may_stand_in_a_later_row(tmp_path: Path) -> None:
    rows = [{k: v for k, v in r.items() if k != "image_url"} for r in shapes.threed_rows()]
    first, second, third = rows
    shapes.table(
        tmp_path / "a.tsv",
        [first | {"image": "1"}, second | {"image": "2"}, third | {"image": shapes.base64_png(4)}],
    )
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert len({q.media for q in found.questions.values()}) == 1
    assert len(found.questions) == 3


@pytest.mark.parametrize("index", ["99", "0"])
def test_a_picture_of_a_row_that_is_not_there_leaves_the_row_out(tmp_path: Path, index: str) -> None:
    rows = [{k: v for k, v in r.items() if k != "image_url"} for r in shapes.threed_rows()]
    shapes.table(tmp_path / "a.tsv", [rows[0] | {"image": index}, rows[1] | {"image": shapes.base64_png(4)}])
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert found.found("left out", "the row whose picture is meant") == 1


def test_several_pictures_in_one_cell_keep_their_order(tmp_path: Path) -> None:
    row = {k: v for k, v in shapes.threed_rows()[0].items() if k != "image_url"}
    shapes.table(tmp_path / "a.tsv", [row | {"image": repr([shapes.base64_png(i) for i in (7, 5)])}])
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    media = found.questions["AB12CD34"].media
    assert [found.dataset.media_bytes(m) for m in media] == [shapes.png(7), shapes.png(5)]


def test_local_paths_are_found_by_folder_or_by_name(tmp_path: Path) -> None:
    row = {k: v for k, v in shapes.threed_rows()[0].items() if k != "image_url"}
    shapes.write(tmp_path / "in" / "x" / "7.png", shapes.png(7))
    shapes.table(tmp_path / "in" / "a.tsv", [row | {"image_path": "/home/somebody/LMUData/x/7.png"}])
    found = imported("3dsrbench", tmp_path / "in", tmp_path / "out")
    assert found.questions["AB12CD34"].media == ("x/7.png",)


def test_fields_may_be_larger_than_a_line_reader_allows_and_hold_line_breaks(tmp_path: Path) -> None:
    row = {k: v for k, v in shapes.threed_rows()[0].items() if k != "image_url"}
    large = shapes.png(1) + os.urandom(300_000)
    text = 'Which object\nis "higher",\tand why?'
    shapes.table(
        tmp_path / "a.tsv",
        [
            row | {"question": text, "image": base64.b64encode(large).decode()},
            row | {"qid": "ZZ12CD34", "answer": "Q", "image": "0"},
        ],
    )
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert found.questions["AB12CD34"].text == text
    assert found.dataset.media_bytes(found.questions["AB12CD34"].media[0]) == large
    assert found.place("outside the options") == "a.tsv:4", "the line, and not the number of the row"


def test_what_is_no_base64_is_left_out(tmp_path: Path) -> None:
    row = {k: v for k, v in shapes.threed_rows()[0].items() if k != "image_url"}
    good = row | {"qid": "ZZ12CD34", "image": shapes.base64_png(1)}
    shapes.table(tmp_path / "a.tsv", [row | {"image": "§" * 100}, row | {"image": "A" * 101}, good])
    found = imported("3dsrbench", tmp_path / "a.tsv", tmp_path / "out")
    assert found.found("left out", "cannot be used") == 2
    assert list(found.questions) == ["ZZ12CD34"]


def test_options_that_are_a_python_list_are_read_and_never_executed(tmp_path: Path, video: bytes) -> None:
    folder = shapes.sti_kit(tmp_path / "sti", video)
    path = folder / "STIBench.tsv"
    marker = tmp_path / "executed"
    lines = path.read_text().splitlines()
    options = repr([f"0.{n} m/s" for n in range(1, 6)])
    assert ast.literal_eval(options)
    lines[1] = lines[1].replace(options, f"[__import__('pathlib').Path('{marker}').touch()]")
    path.write_text("\n".join(lines) + "\n")
    found = imported("sti-bench", folder, tmp_path / "out")
    assert not marker.exists()
    assert len(found.questions) == 2
    assert found.found("left out", "fewer than two options") == 1


def test_lmms_eval_tables_hold_their_pictures(tmp_path: Path) -> None:
    shapes.parquet(tmp_path / "in" / "data" / "test-00000-of-00001.parquet", shapes.lmms_rows())
    found = imported("seed-bench", tmp_path / "in", tmp_path / "out")
    assert found.settings["source"] == "lmms-eval"
    assert len(found.questions["v10"].media) == 8
    assert len(found.questions["7"].media) == 1
    assert found.questions["v11"].span_s == (1.5, 2.5)
    assert found.questions["v12"].tags["segment_unit"] == "frames"


def test_a_parquet_of_several_parts_is_one_dataset(tmp_path: Path) -> None:
    rows = shapes.lmms_rows()
    shapes.parquet(tmp_path / "in" / "test-00000-of-00002.parquet", rows[:2])
    shapes.parquet(tmp_path / "in" / "test-00001-of-00002.parquet", rows[2:])
    assert len(imported("seed-bench", tmp_path / "in", tmp_path / "out").questions) == 5


def test_the_level_of_an_lmms_eval_table_is_its_configuration(tmp_path: Path) -> None:
    row = {"image": {"bytes": shapes.png(1), "path": "a.png"}, "question": "How many?", "answer": "3"}
    shapes.parquet(tmp_path / "in" / "L1_single" / "test.parquet", [row | {"question_index": 100_001}])
    found = imported("pulsecheck457", tmp_path / "in", tmp_path / "out")
    assert found.questions["L1_single-100001"].task == "L1_single"


def test_plain_and_circular_tables_side_by_side_ask_which(tmp_path: Path) -> None:
    folder = shapes.threed_kit(shapes.threed_kit(tmp_path / "3d"), circular=True)
    with pytest.raises(InputError, match=r"hold the same questions .*give one of the files"):
        imported("3dsrbench", folder, tmp_path / "out")
    found = imported("3dsrbench", folder / "3dsrbench_v1_vlmevalkit.tsv", tmp_path / "out")
    assert len(found.questions) == 3


def zipped(path: Path, folder: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(file, file.relative_to(folder).as_posix())
    return path


def tarred(path: Path, folder: Path) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        archive.add(folder, arcname=".")
    return path


@pytest.mark.parametrize("name", ["457.zip", "457.tar", "457.tar.gz"])
def test_archives_are_read_without_unpacking_them(tmp_path: Path, name: str) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    pack = zipped if name.endswith("zip") else tarred
    found = imported("pulsecheck457", pack(tmp_path / name, folder), tmp_path / "out")
    plain = imported("pulsecheck457", folder, tmp_path / "plain")
    assert found.questions == plain.questions
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "import.json", "manifest.json", "media", "media.jsonl", "questions.jsonl",
    ]  # fmt: skip


def test_videos_may_lie_in_an_archive_beside_the_questions(tmp_path: Path, video: bytes) -> None:
    folder = shapes.sti(tmp_path / "sti", video)
    zipped(folder / "video.zip", folder / "video")
    for path in (folder / "video").iterdir():
        path.unlink()
    found = imported("sti-bench", folder, tmp_path / "out")
    assert len(found.questions) == 3
    media = found.dataset.media(found.questions["scene0001_00.mp4|12|2|6.5"].media[0])
    assert media.path.startswith("media/") and media.frames == 12


def zip_with(path: Path, name: str, link: bool = False) -> Path:
    zipped(path, shapes.spatial457(path.parent / "in"))
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = (stat.S_IFLNK if link else stat.S_IFREG) << 16
        archive.writestr(info, "/etc/passwd" if link else b"mine")
    return path


@pytest.mark.parametrize(
    "name", ["../evil.png", "/tmp/evil.png", "a/../../evil.png", "C:/evil.png", "a\\..\\b"]
)
def test_a_zip_that_would_leave_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="would leave the folder; such an archive is refused"):
        imported("pulsecheck457", zip_with(tmp_path / "x.zip", name), tmp_path / "out")
    assert not list(tmp_path.glob("**/evil.png"))


def test_a_zip_with_a_link_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a link or a device"):
        imported("pulsecheck457", zip_with(tmp_path / "x.zip", "images/a.png", link=True), tmp_path / "out")


Spoil = Callable[[tarfile.TarInfo], None]


def _symlink(info: tarfile.TarInfo) -> None:
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"


def _hard_link(info: tarfile.TarInfo) -> None:
    info.type, info.linkname = tarfile.LNKTYPE, "questions/L1_single.json"


def _device(info: tarfile.TarInfo) -> None:
    info.type = tarfile.CHRTYPE


def _outside(info: tarfile.TarInfo) -> None:
    info.name = "../../evil"


@pytest.mark.parametrize("spoil", [_symlink, _hard_link, _device, _outside])
def test_a_tar_that_would_leave_its_folder_is_refused(tmp_path: Path, spoil: Spoil) -> None:
    path = tarred(tmp_path / "x.tar", shapes.spatial457(tmp_path / "in"))
    with tarfile.open(path, "a") as archive:
        info = tarfile.TarInfo("images/more.png")
        spoil(info)
        archive.addfile(info, io.BytesIO())
    with pytest.raises(InputError, match="such an archive is refused"):
        imported("pulsecheck457", path, tmp_path / "out")


def test_a_decompression_bomb_is_refused(tmp_path: Path, video: bytes) -> None:
    folder = shapes.sti(tmp_path / "sti", video)
    name = "scene0001_00.mp4"
    (folder / "video" / name).unlink()
    with zipfile.ZipFile(folder / "video.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"\0" * (100 << 20))
    found = imported("sti-bench", folder, tmp_path / "out")
    assert len(found.questions) == 2
    assert found.found("left out", "cannot be used") == 1


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz"])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.4])
def test_an_archive_that_is_cut_off_is_refused(tmp_path: Path, name: str, share: float) -> None:
    folder = shapes.spatial457(tmp_path / "in")
    path = (zipped if name.endswith("zip") else tarred)(tmp_path / name, folder)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(InputError, match="; "):
        found = imported("pulsecheck457", path, tmp_path / "out")
        # A tar that is cut off between two members cannot be told from a whole one.
        assert found.report.left_out
        raise InputError("cut; told by what is missing")
