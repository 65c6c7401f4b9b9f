"""The same seed gives the same bytes, whoever does the work; another seed, and the training split, do not."""

from __future__ import annotations

from pathlib import Path

from fathom import api
from fathom.records import Manifest, Scene
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_json, read_jsonl
from tests.datasets.killing import check_equal


def scenes(dataset: Path) -> list[Scene]:
    return list(read_jsonl(dataset / "scenes.jsonl", Scene))


def manifest(dataset: Path) -> Manifest:
    return read_json(dataset / MANIFEST, Manifest)


def test_two_workers_make_the_same_bytes_as_one(small_dataset: Path, tmp_path: Path) -> None:
    again = tmp_path / "dataset"
    api.build_dataset("pulsecheck457", again, scenes=4, seed="walk", renderer="none", workers=2)
    check_equal(open_dataset(small_dataset), again)
    assert manifest(again) == manifest(small_dataset)


def test_pictures_change_neither_identity_nor_scenes(painted_dataset: Path, tmp_path: Path) -> None:
    blind = tmp_path / "dataset"
    api.build_dataset("pulsecheck457", blind, scenes=2, seed="walk", renderer="none", workers=1)
    assert manifest(blind).identity == manifest(painted_dataset).identity
    assert scenes(blind) == scenes(painted_dataset)


def test_a_scene_does_not_depend_on_how_many_there_are(small_dataset: Path, painted_dataset: Path) -> None:
    assert scenes(painted_dataset) == scenes(small_dataset)[:2]


def test_a_training_split_says_so_and_shares_no_scene_with_the_test_split(
    small_dataset: Path, train_dataset: Path
) -> None:
    test, train = manifest(small_dataset), manifest(train_dataset)
    assert (test.split, train.split) == ("test", "train")
    assert not test.notes
    assert "training split" in train.notes[0]
    assert "never report scores on it" in train.notes[0]
    assert test.seed != train.seed
    assert test.identity != train.identity
    worlds = [tuple((t.subtype, t.poses) for t in s.objects) for s in scenes(small_dataset)]
    assert not set(worlds) & {tuple((t.subtype, t.poses) for t in s.objects) for s in scenes(train_dataset)}


def test_another_seed_makes_other_scenes(small_dataset: Path, train_dataset: Path) -> None:
    """The training split is the test split under another seed; nothing in its first scene is the same."""
    one, other = scenes(small_dataset)[0], scenes(train_dataset)[0]
    assert one.id == other.id
    assert one.cameras != other.cameras
    assert one.objects != other.objects
    assert one.environment != other.environment
