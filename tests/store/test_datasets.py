"""A dataset folder is read strictly, and what does not fit is named by file and line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.records import DataError, InputError, Manifest
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCENES, open_dataset
from fathom.store.files import read_json, sha256_file, write_json
from tests.inference.folders import make_dataset, question


def edit(path: Path, old: str, new: str, line: int = 1) -> None:
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("".join(lines))


def edit_manifest(folder: Path, **changes: object) -> None:
    manifest = read_json(folder / MANIFEST, Manifest)
    write_json(folder / MANIFEST, msgspec.structs.replace(manifest, **changes))


def test_questions_stream_in_file_order(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=9)
    assert [q.id for q in dataset.questions()] == [f"q{k}" for k in range(9)]


def test_questions_scenes_and_media_are_found_by_id(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=40, per_scene=4)
    assert dataset.question("q17") == question(17, 4)
    assert dataset.scene("s7").id == "s7"
    assert dataset.media("s3").scene == "s3"
    assert dataset.media_bytes("s3") == (tmp_path / "d" / "media" / "s3.png").read_bytes()
    assert [s.id for s in dataset.scenes()] == [f"s{k}" for k in range(10)]


@pytest.mark.parametrize("kind", ["question", "scene", "media"])
def test_an_unknown_id_is_a_sentence(tmp_path: Path, kind: str) -> None:
    dataset = make_dataset(tmp_path / "d")
    with pytest.raises(DataError, match=f"there is no {kind} called 'nobody'"):
        getattr(dataset, kind)("nobody")


def test_a_missing_folder_another_kind_and_an_unfinished_one_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is none"):
        open_dataset(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        open_dataset(tmp_path)
    folder = make_dataset(tmp_path / "d").path
    edit_manifest(folder, complete=False)
    with pytest.raises(InputError, match="unfinished; start the command"):
        open_dataset(folder)
    edit_manifest(folder, complete=True, schema_version=99)
    with pytest.raises(InputError, match="format 99"):
        open_dataset(folder)
    edit_manifest(folder, kind="run", schema_version=2)
    with pytest.raises(InputError, match="expected a dataset folder, found a run folder"):
        open_dataset(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = make_dataset(tmp_path / "d").path
    (folder / MEDIA).unlink()
    with pytest.raises(DataError, match=r"media\.jsonl: is missing"):
        open_dataset(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"task"', '"tusk"', r"questions\.jsonl:3: .*tusk"),
        ('"answer":"3"', '"answer":"9"', r"questions\.jsonl:3: the answer '9' is not one of the 4 possible"),
        ('["s0"]', '["s77"]', r"questions\.jsonl:3: names the media 's77'"),
        ('"id":"q2"', '"id":"q1"', r"questions\.jsonl:3: the id of this Question stands in line 2 already"),
        ("}", "", r"questions\.jsonl:3: not a valid Question"),
    ],
)
def test_a_hand_edited_question_is_named_by_file_and_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    folder = make_dataset(tmp_path / "d").path
    edit(folder / QUESTIONS, old, new, line=3)
    with pytest.raises(DataError, match=message):
        list(open_dataset(folder).questions())


def test_blank_lines_do_not_move_line_numbers(tmp_path: Path) -> None:
    folder = make_dataset(tmp_path / "d").path
    path = folder / QUESTIONS
    path.write_text("\n\n" + path.read_text())
    edit(path, '"task"', '"tusk"', line=4)
    with pytest.raises(DataError, match=r"questions\.jsonl:4: "):
        list(open_dataset(folder).questions())


def test_a_hand_edited_scene_is_named_when_it_is_looked_up(tmp_path: Path) -> None:
    folder = make_dataset(tmp_path / "d").path
    edit(folder / SCENES, '"generator"', '"degenerator"', line=2)
    with pytest.raises(DataError, match=r"scenes\.jsonl:2: .*degenerator"):
        open_dataset(folder).scene("s1")


def test_a_picture_of_another_dataset_is_never_used_in_silence(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    (dataset.path / "media" / "s1.png").write_bytes((dataset.path / "media" / "s0.png").read_bytes())
    with pytest.raises(DataError, match=r"s1\.png: is not the picture that media\.jsonl describes"):
        dataset.media_bytes("s1")


def test_media_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    edit(dataset.path / MEDIA, "media/s0.png", "../secret")
    with pytest.raises(InputError, match="must stay in"):
        open_dataset(dataset.path).media_bytes("s0")


def test_verify_names_the_file_that_was_changed(tmp_path: Path) -> None:
    folder = make_dataset(tmp_path / "d").path
    edit_manifest(
        folder, files={QUESTIONS: sha256_file(folder / QUESTIONS), MEDIA: sha256_file(folder / MEDIA)}
    )
    open_dataset(folder).verify()
    edit(folder / QUESTIONS, "stand left", "stand right")
    with pytest.raises(DataError, match=r"questions\.jsonl: was changed after"):
        open_dataset(folder).verify()
    edit_manifest(folder, files={"truth/s0.npz": "0"})
    with pytest.raises(DataError, match=r"s0\.npz: the manifest lists this file, but it is missing"):
        open_dataset(folder).verify()
