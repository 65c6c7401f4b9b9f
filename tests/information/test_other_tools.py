"""Files of Tag2Text, VinVL, GRiT and PaddleOCR are read in their own names and units."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.record import VisualInformation
from fathom.records import DataError
from fathom.store.datasets import open_dataset
from tests.inference.folders import png

DOC = Path(__file__).resolve().parents[2] / "docs" / "benchmarks" / "seed-bench-written.md"
WIDE, HIGH = 80, 40

TAGS = '{"image": "one.png", "tags": "dog | fence", "caption": "a dog behind a fence"}'
THINGS = (
    'one.png\t{"objects": [{"rect": [8, 10, 40, 30], "class": "dog", "conf": 0.9, "attr": ["brown", "wet"],'
    ' "attr_conf": [0.8, 0.4]}]}'
)
REGIONS = (
    '{"image": "one.png", "pred_boxes": [[8, 10, 40, 30]], "scores": [0.7],'
    ' "pred_object_descriptions": ["a brown dog"]}'
)
WORDS = (
    '{"input_path": "/data/photos/one.png", "rec_texts": ["EXIT"], "rec_scores": [0.98],'
    ' "rec_polys": [[[8, 12], [40, 10], [40, 28], [9, 30]]]}'
)
TRANSCRIPTS = 'one.png\t[{"transcription": "EXIT", "points": [[8, 12], [40, 10], [40, 28], [9, 30]]}]'
BOX = (0.1, 0.25, 0.5, 0.75)


def said(folder: Path, tool: str, *lines: str) -> VisualInformation:
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    (pictures / "one.png").write_bytes(png((1, 2, 3), (WIDE, HIGH)))
    (folder / "said.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    api.extract_information(pictures, folder / "info", extractors=[f"{tool}={folder / 'said.txt'}"])
    return information_in(open_dataset(folder / "info"))["one"]


def test_tag2text_says_a_caption_and_tags(tmp_path: Path) -> None:
    found = said(tmp_path, "tag2text", TAGS)
    assert [c.text for c in found.captions] == ["a dog behind a fence", "A picture of dog, fence."]
    assert {(c.of, c.source) for c in found.captions} == {("tags", "tag2text")}


def test_vinvl_says_objects_with_attributes_in_pixels(tmp_path: Path) -> None:
    (thing,) = said(tmp_path, "vinvl", THINGS).instances
    assert (thing.label, thing.box, thing.score, thing.source) == ("dog", BOX, 0.9, "vinvl")
    assert list(thing.attributes.values()) == ["brown", "wet"]


def test_grit_says_sentences_about_regions(tmp_path: Path) -> None:
    (region,) = said(tmp_path, "grit", REGIONS).regions
    assert (region.text, region.box, region.score) == ("a brown dog", BOX, 0.7)


@pytest.mark.parametrize(("line", "score"), [(WORDS, 0.98), (TRANSCRIPTS, 1.0)])
def test_paddleocr_says_words_with_four_corners(tmp_path: Path, line: str, score: float) -> None:
    (text,) = said(tmp_path, "paddleocr", line).texts
    assert (text.text, text.box, text.score) == ("EXIT", BOX, score)


def test_boxes_may_be_shares_or_pixels_of_another_size_and_other_pictures_are_passed_over(
    tmp_path: Path,
) -> None:
    line = json.loads(REGIONS)
    shares = {**line, "pred_boxes": [BOX]}
    larger = {**line, "pred_boxes": [[80, 100, 400, 300]], "width": 800, "height": 400}
    other = {**line, "image": "two.png", "pred_boxes": [[0, 0, 9999, 9999]]}
    for k, form in enumerate((shares, larger)):
        folder = tmp_path / str(k)
        folder.mkdir()
        assert said(folder, "grit", json.dumps(other), "", json.dumps(form)).regions[0].box == BOX


@pytest.mark.parametrize(
    ("tool", "line", "why"),
    [
        ("tag2text", "{", "truncated"),
        ("tag2text", '{"image": "one.png"}', "neither a caption nor tags"),
        ("tag2text", '{"caption": "a dog"}', "names no picture"),
        ("vinvl", THINGS.replace('"class"', '"kind"'), "missing required field `class`"),
        ("vinvl", THINGS.replace("[8, 10, 40, 30]", "[40, 10, 8, 30]"), "is not left, top, right, bottom"),
        ("vinvl", THINGS.replace("[8, 10, 40, 30]", "[8, 10, 40]"), "length 4"),
        (
            "grit",
            REGIONS.replace("[8, 10, 40, 30]", "[8, 10, 82, 30]"),
            "not within a picture of 80 by 40 pixels",
        ),
        ("grit", REGIONS.replace('["a brown dog"]', "[]"), "are not as many as each other"),
        ("paddleocr", WORDS.replace("[40, 10], [40, 28], [9, 30]", "[8, 12]"), "has no area"),
        ("paddleocr", WORDS + "\n" + WORDS, "stands in a line before it"),
    ],
)
def test_a_line_that_is_not_of_the_tool_is_one_sentence_with_its_place(
    tmp_path: Path, tool: str, line: str, why: str
) -> None:
    number = line.count("\n") + 1
    with pytest.raises(DataError, match=rf"said\.txt:{number}: not a line of {tool} \(.*{re.escape(why)}"):
        said(tmp_path, tool, line)


def test_a_line_of_our_own_may_have_boxes_in_pixels_and_the_size_of_its_picture(tmp_path: Path) -> None:
    line = {
        "id": "one",
        "size": [WIDE, HIGH],
        "instances": [{"label": "dog", "box": [8, 10, 40, 30], "polygons": [[8, 10, 40, 10, 40, 30]]}],
        "texts": [{"text": "EXIT", "box": [8, 10, 40, 30]}],
    }
    found = said(tmp_path, "jsonl", json.dumps(line))
    assert (found.instances[0].box, found.texts[0].box) == (BOX, BOX)
    assert found.instances[0].polygons == ((0.1, 0.25, 0.5, 0.25, 0.5, 0.75),)
    for box, size, why in (
        ([8, 10, 82, 30], [WIDE, HIGH], "within 80 by 40 pixels"),
        ([8, 10, 40, 30], [0, 40], "not visual information"),
    ):
        line |= {"size": size, "texts": [{"text": "EXIT", "box": box}]}
        with pytest.raises(DataError, match=rf"said\.txt:1: .*{why}"):
            said(tmp_path, "jsonl", json.dumps(line))


def test_the_lines_in_the_documents_are_read(tmp_path: Path) -> None:
    blocks = re.findall(r"```\n# (\w+)\n(.*?)```", DOC.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert sorted(tool for tool, _ in blocks) == ["grit", "jsonl", "paddleocr", "tag2text", "vinvl"]
    for tool, lines in blocks:
        pictures = tmp_path / "pictures"
        pictures.mkdir(exist_ok=True)
        (pictures / "street.png").write_bytes(png((1, 2, 3), (640, 480)))
        (tmp_path / tool).write_text(lines.replace("⇥", "\t"), encoding="utf-8")
        api.extract_information(pictures, tmp_path / f"{tool}-info", extractors=[f"{tool}={tmp_path / tool}"])
        found = information_in(open_dataset(tmp_path / f"{tool}-info"))["street"]
        assert not found.failed
