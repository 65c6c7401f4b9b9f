"""Files as they are really published: archives in parts, frames in place of videos, results, odd pictures."""

from __future__ import annotations

import base64
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from fathom import api
from fathom.formats.rows import read_rows
from fathom.media.images import as_png
from fathom.records import InputError
from fathom.store.datasets import open_dataset
from fathom.store.runs import open_run
from tests.importing import shapes
from tests.importing.breaking import workbook
from tests.importing.reading import imported


def frames_of_videos(folder: Path) -> Path:
    """Write the eight frames of each video question, as they are published."""
    for number, place in (("v10", "task10/ssv2"), ("v11", "task11/kitchen"), ("v12", "task12/breakfast")):
        for k in range(1, 9):
            name = folder / "v1_video" / f"{place}_8_frame" / number / f"{k}.png"
            shapes.write(name, shapes.png(10 * k + int(number[1:])))
    return folder


def cut(folder: Path, parts: int) -> Path:
    """Pack a folder as one zip, cut into parts, and remove the folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(folder.parent).as_posix())
    shutil.rmtree(folder)
    data = packed.getvalue()
    size = -(-len(data) // parts)
    for k in range(parts):
        shapes.write(folder.with_name(f"{folder.name}.zip.{k + 1:03}"), data[k * size : (k + 1) * size])
    return folder.with_name(f"{folder.name}.zip.001")


def seed_without_videos(tmp_path: Path) -> Path:
    folder = shapes.seed(tmp_path / "seed", b"no video")
    for name in ("ssv2", "epic", "breakfast"):
        shutil.rmtree(folder / name)
    return folder


@pytest.mark.parametrize("packed", [False, True], ids=["unpacked", "in parts"])
def test_the_eight_frames_of_a_video_are_shown_where_the_video_is_missing(
    tmp_path: Path, packed: bool
) -> None:
    folder = frames_of_videos(seed_without_videos(tmp_path))
    if packed:
        cut(folder / "v1_video", 3)
    found = imported("seed-bench", folder, tmp_path / "out")
    assert set(found.questions) == {"7", "8", "v10", "v11", "v12"}
    assert found.found("noted", "the frames of it that were published are shown") == 3
    for name in ("v10", "v11", "v12"):
        shown = [found.dataset.media_bytes(m) for m in found.questions[name].media]
        assert shown == [shapes.png(10 * k + int(name[1:])) for k in range(1, 9)]


def test_a_video_of_which_a_frame_is_missing_too_is_left_out_by_its_own_name(tmp_path: Path) -> None:
    folder = frames_of_videos(seed_without_videos(tmp_path))
    (folder / "v1_video" / "task10" / "ssv2_8_frame" / "v10" / "5.png").unlink()
    found = imported("seed-bench", folder, tmp_path / "out")
    assert "v10" not in found.questions
    (left,) = [f for f in found.report.findings if f.outcome == "left out"]
    assert left.examples[0].detail == "77.webm"


def test_a_video_that_is_there_is_shown_whole(tmp_path: Path, video: bytes) -> None:
    folder = frames_of_videos(shapes.seed(tmp_path / "seed", video))
    found = imported("seed-bench", folder, tmp_path / "out")
    assert [found.dataset.media(m).kind for m in found.questions["v10"].media] == ["video"]


@pytest.mark.parametrize("part", ["001", "002"])
def test_an_archive_in_parts_is_read_as_one_from_any_of_them(tmp_path: Path, part: str) -> None:
    first = cut(shapes.spatial457(tmp_path / "457"), 4)
    found = imported("pulsecheck457", first.with_suffix(f".{part}"), tmp_path / "out")
    assert len(found.questions) == 6


def test_parts_that_are_missing_are_named(tmp_path: Path) -> None:
    first = cut(shapes.spatial457(tmp_path / "457"), 4)
    last = first.with_suffix(".004")
    last.rename(tmp_path / "away")
    with pytest.raises(InputError, match=r"is the last one there\?"):
        imported("pulsecheck457", first, tmp_path / "out")
    (tmp_path / "away").rename(last)
    first.with_suffix(".002").unlink()
    with pytest.raises(InputError, match=r"parts 001 to 004 beside one another, found no 457\.zip\.002"):
        imported("pulsecheck457", first, tmp_path / "out")


def test_the_results_of_sti_benchs_own_scripts_become_a_run(tmp_path: Path, video: bytes) -> None:
    api.import_dataset("sti-bench", shapes.sti(tmp_path / "sti", video), tmp_path / "set")
    said = ["C", "The answer is (A)", "ERROR_CALL_API"]
    results = [
        {
            "id": row["Video"], "id_file": row["ID"], "time_s": row["time_start"], "time_e": row["time_end"],
            "model_out": text, "ans": row["Answer"], "Task": row["Task"], "que": "…", "Source": row["Source"],
        }
        for row, text in zip(shapes.sti_rows(), said, strict=True)
    ]  # fmt: skip
    path = shapes.write(tmp_path / "gpt-4o.json", json.dumps(results, indent=4))
    report = api.import_run(tmp_path / "set", path, tmp_path / "run")
    assert (report.imported, report.left_out, report.layout) == (3, 0, "predictions, sti-bench")
    order = [q.id for q in open_dataset(tmp_path / "set").questions()]
    found = {r.question: (r.status, r.text) for r in open_run(tmp_path / "run").responses()}
    assert [found[name] for name in order] == [("ok", said[0]), ("ok", said[1]), ("failed", "")]


def saved(kind: str, mode: str = "RGB", **how: object) -> tuple[bytes, object]:
    """Return a picture of a kind as bytes, and its pixels as Pillow reads them from those."""
    image = pytest.importorskip("PIL.Image")
    with image.open(io.BytesIO(shapes.png(40, 16, 12))) as picture:
        out = io.BytesIO()
        try:
            picture.convert(mode).save(out, kind, **how)
        except (KeyError, OSError) as e:
            pytest.skip(f"this Pillow writes no {kind} ({e})")
    with image.open(io.BytesIO(out.getvalue())) as again:
        return out.getvalue(), again.convert("RGB").tobytes()


@pytest.mark.parametrize(
    ("kind", "ending", "mode"),
    [("BMP", "bmp", "RGB"), ("TIFF", "tif", "RGB"), ("TIFF", "tiff", "L"), ("AVIF", "avif", "RGB"),
     ("JPEG2000", "jp2", "RGB"), ("BMP", "bmp", "P")],
)  # fmt: skip
@pytest.mark.parametrize("embedded", [False, True], ids=["file", "in a table"])
def test_pictures_of_other_kinds_are_converted_with_every_pixel_kept(
    tmp_path: Path, kind: str, ending: str, mode: str, embedded: bool
) -> None:
    from PIL import Image

    data, pixels = saved(kind, mode)
    if embedded:
        rows = [{**row, "image": base64.b64encode(data).decode()} for row in shapes.threed_rows()]
        shapes.table(tmp_path / "in" / "3dsrbench.tsv", rows)
    else:
        rows = [{**row, "image_path": f"pictures/x.{ending}"} for row in shapes.threed_rows()]
        shapes.table(tmp_path / "in" / "3dsrbench.tsv", rows)
        shapes.write(tmp_path / "in" / "pictures" / f"x.{ending}", data)
    found = imported("3dsrbench", tmp_path / "in", tmp_path / "out")
    assert len(found.questions) == 3
    assert found.found("noted", "converted to PNG, every pixel kept") == 1
    (media,) = {m for q in found.questions.values() for m in q.media}
    shown = found.dataset.media_bytes(media)
    assert shown.startswith(b"\x89PNG") and found.dataset.media(media).size == (16, 12)
    with Image.open(io.BytesIO(shown)) as picture:
        assert picture.convert("RGB").tobytes() == pixels


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (saved("TIFF", "CMYK")[0], "pixels of the kind CMYK"),
        (saved("TIFF", "RGB", save_all=True, append_images=[])[0][:60], "cannot be decoded"),
        (b"BM" + bytes(200), "BMP picture cannot be decoded"),
    ],
    ids=["colors of printers", "cut off", "only begins so"],
)
def test_pictures_that_cannot_be_converted_without_loss_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        as_png(data, "x")


def test_a_file_of_several_pictures_is_refused() -> None:
    image = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    image.new("RGB", (4, 3)).save(out, "TIFF", save_all=True, append_images=[image.new("RGB", (4, 3))])
    with pytest.raises(InputError, match="TIFF file holds 2 pictures, expected one"):
        as_png(out.getvalue(), "x")


def test_pictures_that_models_take_stay_byte_for_byte() -> None:
    for data in (shapes.png(), b"\xff\xd8\xffwhatever", b"no picture"):
        assert as_png(data, "x") == (data, "")


@pytest.mark.parametrize(
    ("kind", "segment", "span", "unit"),
    [
        (11, [3, 5], (3.0, 5.0), "seconds"),
        (11, [3.0, 5.0], (3.0, 5.0), "seconds"),
        (12, [30, 45], (2.0, 3.0), "frames"),
        (12, [30.0, 45.0], (2.0, 3.0), "frames"),
    ],
)
def test_the_task_says_whether_a_segment_is_in_frames(
    tmp_path: Path, video: bytes, kind: int, segment: list[float], span: tuple[float, float], unit: str
) -> None:
    question = shapes.seed_questions()[3] | {"question_type_id": kind, "segment": segment}
    shapes.write(tmp_path / "in" / "SEED-Bench.json", json.dumps({"questions": [question]}))
    shapes.write(tmp_path / "in" / "P03" / "P03_24.MP4", video)
    (found,) = imported("seed-bench", tmp_path / "in", tmp_path / "out").questions.values()
    assert (found.span_s, found.tags["segment_unit"]) == (span, unit)


def test_items_that_share_a_line_are_told_apart_by_their_number(tmp_path: Path) -> None:
    lines = tmp_path / "items.json"
    lines.write_text('{"questions": [\n{"a": 1}, {"a": 2},\n{"a": 3}\n]}')
    assert [row.where for row in read_rows(lines, "x")] == ["x:2, item 1", "x:2, item 2", "x:3"]


def test_an_option_that_reads_nan_is_kept_where_others_stand_behind_it(tmp_path: Path) -> None:
    rows = [dict(row) for row in shapes.threed_rows()]
    rows[2] |= {"A": "inf", "B": "nan", "C": "0", "D": "1", "answer": "B"}
    rows[0] |= {"C": "nan", "D": "nan"}
    rows = [{**row, "image": shapes.base64_png(i)} for i, row in enumerate(rows)]
    shapes.table(tmp_path / "3dsrbench.tsv", rows)
    found = imported("3dsrbench", tmp_path / "3dsrbench.tsv", tmp_path / "out")
    assert found.questions["EF56GH78"].choices == ("inf", "nan", "0", "1")
    assert found.questions["EF56GH78"].answer == "nan"
    assert found.questions["AB12CD34"].choices == ("lamp", "cup")
    assert found.found("noted", "reads nan") == 1


def test_an_option_of_a_list_may_read_nan(tmp_path: Path, video: bytes) -> None:
    rows = shapes.sti_rows()
    rows[0]["Candidates"] = {"A": "1", "B": "2", "C": "3", "D": "4", "E": "NaN"}
    rows[0]["Answer"] = "E"
    folder = shapes.sti(tmp_path / "sti", video)
    shapes.parquet(folder / "qa.parquet", rows)
    found = next(iter(imported("sti-bench", folder, tmp_path / "out").questions.values()))
    assert (found.choices, found.answer) == (("1", "2", "3", "4", "NaN"), "NaN")


def test_a_workbook_that_unpacks_to_far_more_is_refused_before_it_is_read(tmp_path: Path) -> None:
    bomb = tmp_path / "m.xlsx"
    bomb.write_bytes(workbook([{"index": "a", "prediction": "A"}]))
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", b"<row></row>" * 1_000_000)
    with pytest.raises(InputError, match=r"sheet2\.xml would unpack from [\d,]+ to 11,000,000 bytes"):
        list(read_rows(bomb, "m.xlsx"))
