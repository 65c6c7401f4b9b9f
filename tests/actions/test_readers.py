"""Published annotations of actions are read as they are written; what is malformed is told."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fathom.formats.actions.breakfast import read_breakfast
from fathom.formats.actions.epic_kitchens import read_epic
from fathom.formats.actions.reading import TWICE, read_actions
from fathom.formats.actions.record import MALFORMED
from fathom.formats.actions.something import NO_CLASS
from fathom.formats.import_findings import ImportFindings
from fathom.records import InputError
from tests.actions import made


def test_a_row_of_epic_kitchens_is_an_action(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "EPIC_100_validation.csv", videos=1)
    videos, rows = read_epic(path, ImportFindings())
    (video,) = videos
    assert rows == 12
    assert video.names[0] == "P01/P01_10"
    second = video.actions[1]
    assert (second.start_s, second.stop_s, second.text) == (3.0, 4.0, "put plate")
    assert second.place == "EPIC_100_validation.csv:3"


def test_classes_are_said_as_the_files_beside_say_them(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", videos=1)
    (tmp_path / "EPIC_100_verb_classes.csv").write_text("id,key\n0,take\n1,turn-on\n2,wash\n3,open\n4,cut\n")
    (tmp_path / "EPIC_100_noun_classes.csv").write_text("id,key\n0,board:chopping\n1,knife\n2,tap\n3,cup\n")
    (video,), _ = read_epic(path, ImportFindings())
    assert video.actions[1].text == "turn on chopping board"


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        (4, "12 s", "no time"),
        (5, "00:00:00.00", "stops at 0 s"),
        (2, "../../etc", "not like P01_11"),
        (10, "77", "verb_class '77'"),
        (0, "", "no narration_id"),
        (0, "P01_10_1", "stands there twice"),
    ],
)
def test_a_malformed_row_costs_one_sentence(tmp_path: Path, column: int, value: str, says: str) -> None:
    path = made.epic(tmp_path / "a.csv", videos=1)
    (tmp_path / "EPIC_100_verb_classes.csv").write_text("id,key\n" + "".join(f"{i},v{i}\n" for i in range(5)))
    lines = path.read_text().splitlines()
    cells = lines[3].split(",")
    cells[column] = value
    lines[3] = ",".join(cells)
    path.write_text("\n".join(lines))
    findings = ImportFindings()
    (video,), _ = read_epic(path, findings)
    assert len(video.actions) == 11
    (found,) = findings.listed()
    assert (found.reason, found.examples[0].where) == (MALFORMED, "a.csv:4")
    assert says in found.examples[0].detail
    assert [a.id for a in video.actions if a.after_gap] == ["P01_10_3"]


def test_something_something_is_read_with_its_labels(tmp_path: Path) -> None:
    folder = made.something(tmp_path, [("7", "Lifting [something] up"), ("8", "Eating [something]")])
    entries = json.loads((folder / "validation.json").read_text())
    entries.append({"id": "9", "template": "Dropping [something]", "placeholders": []})
    entries.append({"id": "7", "template": "Dropping [something]", "placeholders": ["a pen"]})
    (folder / "validation.json").write_text(json.dumps(entries))
    findings = ImportFindings()
    read = read_actions(folder, findings)
    assert [v.id for v in read.videos] == ["7"]
    assert read.templates == {"Lifting [something] up": 35}
    assert {f.reason: f.count for f in findings.listed()} == {NO_CLASS: 1, MALFORMED: 2}
    assert set(read.files) == {"validation.json", "labels.json"}


def test_breakfast_counts_frames_from_one_at_fifteen_a_second(tmp_path: Path) -> None:
    path = made.breakfast(tmp_path, "P03_cam01_P03_cereals", ["take_bowl", "pour_cereals"])
    video, rows = read_breakfast(path, ImportFindings())
    assert rows == 4
    assert (video.activity, video.names[0]) == ("cereals", "P03/cam01/P03_cereals")
    assert [(a.text, a.start_s, a.stop_s) for a in video.actions[1:3]] == [
        ("take bowl", 2.0, 4.0),
        ("pour cereals", 4.0, 6.0),
    ]


def test_a_labels_file_of_breakfast_has_its_camera_from_its_folder(tmp_path: Path) -> None:
    path = made.breakfast(tmp_path / "P03" / "webcam01", "P03_cereals", ["take_bowl"])
    labels = path.rename(path.with_name("P03_cereals.avi.labels"))
    video, _ = read_breakfast(labels, ImportFindings())
    assert (video.id, video.names[0]) == ("P03_webcam01_P03_cereals", "P03/webcam01/P03_cereals")


def test_frames_that_go_back_are_a_malformed_row(tmp_path: Path) -> None:
    path = made.breakfast(tmp_path, "P03_cam01_P03_cereals", ["take_bowl", "pour_cereals", "pour_milk"])
    path.write_text(path.read_text().replace("61-90", "11-90"))
    findings = ImportFindings()
    video, _ = read_breakfast(path, findings)
    assert [a.words for a in video.actions] == ["SIL", "take_bowl", "pour_milk", "SIL"]
    assert video.actions[2].after_gap
    assert findings.left_out(MALFORMED) == 1


def test_a_video_that_is_annotated_twice_counts_once(tmp_path: Path) -> None:
    made.breakfast(tmp_path / "coarse", "P03_cam01_P03_cereals", ["take_bowl"])
    made.breakfast(tmp_path / "fine", "P03_cam01_P03_cereals", ["reach_bowl"])
    findings = ImportFindings()
    assert len(read_actions(tmp_path, findings).videos) == 1
    assert findings.left_out(TWICE) == 1


def test_a_row_that_is_no_csv_is_one_sentence(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", videos=1)
    path.write_text(path.read_text() + "P01_10_99," + "x" * 200_000 + "\n")
    # How long a field may be is a setting of the process, which some libraries raise.
    before = csv.field_size_limit(131_072)
    try:
        with pytest.raises(InputError, match=r"a\.csv:\d+: expected rows of CSV"):
            read_epic(path, ImportFindings())
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "{]"])
def test_a_folder_without_annotations_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / ("a.json" if text == "{]" else "a.csv")).write_text(text)
    with pytest.raises(InputError, match="expected"):
        read_actions(tmp_path, ImportFindings())
