"""`fathom check` passes a dataset as it was built, and finds whatever was changed in it since."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.datasets.findings import Checks
from fathom.records import DataError, Manifest, Question
from fathom.store.datasets import MANIFEST, QUESTIONS, SCENES, identity, open_dataset
from fathom.store.files import read_json, read_jsonl, sha256_file, write_json, write_jsonl


def edit_questions(dataset: Path, change: Callable[[Question], Question]) -> None:
    write_jsonl(dataset / QUESTIONS, [change(q) for q in read_jsonl(dataset / QUESTIONS, Question)])


def forge_manifest(dataset: Path) -> None:
    """Make the manifest fit the folder again, as someone would who wants to hide an edit."""
    manifest = read_json(dataset / MANIFEST, Manifest)
    files = {name: sha256_file(dataset / name) for name in manifest.files}
    truth = {name: h for name, h in files.items() if name.startswith("truth/")}
    questions = list(read_jsonl(dataset / QUESTIONS, Question))
    forged = identity(files[SCENES], questions, truth)
    write_json(dataset / MANIFEST, msgspec.structs.replace(manifest, files=files, identity=forged))


def other_answer(q: Question) -> Question:
    answer = next(a for a in q.possible if a != q.answer)
    changed: Question = msgspec.structs.replace(q, answer=answer, equivalents=())
    return changed


def test_a_fresh_dataset_passes(small_dataset: Path) -> None:
    found = api.check_dataset(small_dataset, blind=False)
    assert found.passed
    questions = open_dataset(small_dataset).manifest.counts["questions"]
    assert f"{questions} questions, every file as it was made" in found.text


def test_the_blind_stress_test_says_again_what_the_build_said(small_dataset: Path) -> None:
    """On so few questions chance decides what it says; twice it says the same."""
    checks = read_json(small_dataset / "checks.json", Checks)
    said = next(v.passed for v in checks.verdicts if v.name == "nothing can be guessed blind")
    found = api.check_dataset(small_dataset)
    assert "Blind stress test" in found.text
    assert found.passed == said


def test_a_fresh_dataset_with_pictures_passes(painted_dataset: Path) -> None:
    assert api.check_dataset(painted_dataset, blind=False).passed


def test_an_answer_edited_by_hand_is_found(small_copy: Path) -> None:
    edit_questions(small_copy, other_answer)
    with pytest.raises(DataError, match=r"questions\.jsonl: was changed after the dataset was made"):
        api.check_dataset(small_copy)


def test_an_edited_answer_is_found_by_both_derivations_even_where_the_manifest_was_forged(
    small_copy: Path,
) -> None:
    first = next(iter(open_dataset(small_copy).questions()))
    edit_questions(small_copy, lambda q: other_answer(q) if q.id == first.id else q)
    forge_manifest(small_copy)
    found = api.check_dataset(small_copy, blind=False)
    assert not found.passed
    wrong = other_answer(first).answer
    for which in ("from the scene", "from the pixels"):
        assert f"{first.id}: the answer is {wrong!r}, and {first.answer!r} {which}" in found.text


def test_a_manifest_whose_identity_is_of_another_dataset_is_found(small_copy: Path) -> None:
    manifest = read_json(small_copy / MANIFEST, Manifest)
    write_json(small_copy / MANIFEST, msgspec.structs.replace(manifest, identity="0" * 64))
    with pytest.raises(DataError, match="are not those of the dataset that the manifest names"):
        api.check_dataset(small_copy, blind=False)


@pytest.mark.parametrize("name", ["scenes.jsonl", "outlines.jsonl", "checks.json", "truth/scene-000002.npz"])
def test_a_changed_file_is_named(small_copy: Path, name: str) -> None:
    with (small_copy / name).open("ab") as f:
        f.write(b" ")
    with pytest.raises(DataError, match=rf"{name}: was changed after the dataset was made \(SHA-256 "):
        api.check_dataset(small_copy)


@pytest.mark.parametrize("name", ["scenes.jsonl", "truth/scene-000000.npz"])
def test_a_missing_file_is_named(small_copy: Path, name: str) -> None:
    (small_copy / name).unlink()
    with pytest.raises(DataError, match=f"{name}: .*missing"):
        api.check_dataset(small_copy)


def test_a_missing_picture_is_named_even_where_no_question_shows_it(
    painted_dataset: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(painted_dataset, tmp_path / "d"))
    edit_questions(copy, lambda q: msgspec.structs.replace(q, media=()))
    forge_manifest(copy)
    assert api.check_dataset(copy, blind=False).passed
    (copy / "media" / "scene-000001.png").unlink()
    with pytest.raises(DataError, match=r"scene-000001\.png: cannot be read .*; restore or rebuild"):
        api.check_dataset(copy, blind=False)


def test_a_changed_picture_is_named(painted_dataset: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(painted_dataset, tmp_path / "d"))
    shutil.copy(copy / "media" / "scene-000000.png", copy / "media" / "scene-000001.png")
    with pytest.raises(DataError, match=r"scene-000001\.png: is not the picture that media\.jsonl describes"):
        api.check_dataset(copy, blind=False)
