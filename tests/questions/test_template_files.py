"""Files of templates, as anybody could write them, and what is said of one that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.programs.values import Scenes
from fathom.questions.template_files import read_templates
from fathom.questions.templates import Template
from fathom.records import InputError

STILLS = """
task = "shapes"
scenes = "stills"
section = "§1"

[words]
name = "own"

[rows]
attribute = [
  { x = "size", y = ["color", "shape"], most = "4" },
  { x = "color", y = ["size"], most = "2" },
]

[[template]]
id = "<name>.<x>.count"
for = "attribute"
program = "count same_<x> unique filter:$A scene"
asks = "count"
texts = ["how many are like {A.the} in <x>?"]
possible = "1 to <most>"

[[template]]
id = "<name>.<x>.<y>"
for = "attribute"
program = "query_<y> unique filter:$A scene"
asks = "<y>"
texts = ["what <y> is {A.the}?"]
section = "§2"
"""

VIDEOS = """
task = "far"
scenes = "videos"
section = "§3"

[[template]]
id = "apart"
program = "distance $a camera at:$t"
asks = "number"
texts = ["At {t}, how far away is {a}?"]
"""


def read(folder: Path, **files: str) -> tuple[Template, ...]:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return read_templates(folder, tuple(files)).templates


def test_templates_are_written_out_row_by_row(tmp_path: Path) -> None:
    found = read(tmp_path, shapes=STILLS)
    assert [t.id for t in found] == [
        "own.size.count", "own.size.color", "own.size.shape", "own.color.count", "own.color.size",
    ]  # fmt: skip
    first, second = found[:2]
    assert first.scenes is Scenes.STILL and first.possible == ("1", "2", "3", "4")
    assert first.texts == ("how many are like {A.the} in size?",)
    assert (first.section, second.section) == ("§1", "§2")
    assert found[3].possible == ("1", "2")


def test_a_file_takes_another_ones_templates_with_its_own_words(tmp_path: Path) -> None:
    other = 'task = "others"\nscenes = "stills"\nsection = "§4"\nlike = "shapes"\n[words]\nname = "other"\n'
    found = read(tmp_path, shapes=STILLS, others=other)
    assert [t.id.replace("own", "other") for t in found[:5]] == [t.id for t in found[5:]]
    assert {t.task for t in found[5:]} == {"others"}
    assert [t.program for t in found[:5]] == [t.program for t in found[5:]]


def test_what_a_template_of_videos_asks_about_is_in_its_program(tmp_path: Path) -> None:
    (found,) = read(tmp_path, far=VIDEOS)
    assert found.objects == ("a",) and found.of_camera and found.when == "time"
    assert found.settings == ("desktop", "indoor", "outdoor")
    assert not found.into_first and found.quantity == "distance"


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("asks", 'asks = "number"', 'asks = "price"'),
        ("wight", "asks", "wight = 2\nasks"),
        ("texts", "{a}?", "{b}?"),
        ("texts", 'texts = ["At {t}, how far away is {a}?"]', ""),
        ("near", "asks", "near = 2\nasks"),
        ("no such operator", "distance", "remoteness"),
        ("too early", " at:$t", ""),
        ("left over", "$a", "$a $a"),
        ("for", "asks", 'for = "rows"\nasks'),
        ("<row>", "how far", "how <row>"),
        ("weight", "asks", 'weight = "much"\nasks'),
        ("settings", "asks", 'settings = ["moon"]\nasks'),
    ],
)
def test_what_does_not_fit_is_named_by_file_template_and_field(
    tmp_path: Path, wrong: str, right: str, says: str
) -> None:
    with pytest.raises(InputError) as e:
        read(tmp_path, far=VIDEOS.replace(right, says, 1))
    assert f"{tmp_path / 'far.toml'}: template apart: " in str(e.value) and wrong in str(e.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("task = ", "far.toml"),
        (VIDEOS.replace('"videos"', '"songs"'), "scenes"),
        (VIDEOS.replace('section = "§3"', ""), "section"),
        (VIDEOS + "colour = 1\n[strange]\n", "strange"),
        (VIDEOS.replace('task = "far"', 'task = "near"'), "name of the file"),
        (VIDEOS + VIDEOS[VIDEOS.index("[[") :], "twice"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as e:
        read(tmp_path, far=text)
    assert "far.toml" in str(e.value)


def test_a_task_without_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"far\.toml: cannot be read"):
        read_templates(tmp_path, ("far",))
