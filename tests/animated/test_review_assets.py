"""What is believed of animated models is shown with its confidence, corrected in one table, and accepted."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from PIL import Image

from fathom.api import accept_assets, index_assets, review_assets
from fathom.assets.animated.manifest import FILE_NAME, read_animated_manifest
from fathom.indexing.review_table import COLUMNS, TABLE
from fathom.records import AssetError
from tests.animated.moving_gltf import clip, hopping, skinned


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("indexed")
    slides = (0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    clip(hopping("Hit_A"), "Zorg", slides).write(place / "Chest.gltf")
    skinned(name="Walk").write(place / "Grey_Fox.gltf")
    index_assets(place, animated=True)
    review_assets(place)
    return place


@pytest.fixture
def folder(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "models"))


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / TABLE).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def save(folder: Path, rows: list[dict[str, str]]) -> Path:
    path = folder / "saved.tsv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, dialect="excel-tab")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_table_and_the_page_show_confidence_and_what_is_unknown(folder: Path) -> None:
    said = review_assets(folder)
    assert "2 models, 3 clips: 1 verbs that are sure, 1 that are not, 1 clips of which nothing tells" in said
    found = [(r["file"], r["clip"], r["verb"], r["confidence"]) for r in rows_of(folder)]
    assert found == [
        ("Chest.gltf", "Hit_A", "flinch", "0.50"),
        ("", "Zorg", "unknown", ""),
        ("Grey_Fox.gltf", "Walk", "walk", "1.00"),
    ]
    page = (folder / "fathom-cast-review.html").read_text("utf-8")
    assert page.count("unknown: neither its name nor its motion tells") == 1
    assert 'class="clip low" data-clip="Hit_A" data-confidence="50%"' in page
    previews = sorted((folder / "fathom-cast-previews").iterdir())
    assert len(previews) == 5
    for path in previews:
        assert f"fathom-cast-previews/{path.name}" in page
        with Image.open(path) as picture:
            assert getattr(picture, "n_frames", 1) >= 4


def test_a_corrected_table_becomes_the_manifest(folder: Path) -> None:
    first, second, third = rows_of(folder)
    first |= {"noun": "treasure chest", "size_m": "0.6", "reviewed": "yes", "verb": "open"}
    second |= {"left_out": "it only slides"}
    said = accept_assets(folder, save(folder, [first, second, third]))
    assert "1 of 2 models are reviewed; a build leaves out the other 1" in said
    chest, fox = read_animated_manifest(folder / FILE_NAME).assets
    assert (chest.noun, chest.size_m, chest.reviewed, fox.reviewed) == ("treasure chest", 0.6, True, False)
    hit, slid = chest.clips
    assert (hit.verb, hit.confidence, hit.told_by) == ("open", 1.0, "a person")
    assert (slid.verb, slid.reason) == ("", "it only slides")
    assert fox.clips[0].verb == "walk"
    review_assets(folder)
    assert rows_of(folder)[0]["reviewed"] == "yes"


@pytest.mark.parametrize(
    ("row", "change", "why"),
    [
        (0, {"verb": "opne"}, r"row 2: the verb 'opne' is not in the lexicon \(open"),
        (0, {"clip": "Nothing"}, "row 2: Chest.gltf has no clip 'Nothing'"),
        (0, {"file": "Other.glb"}, "row 2 is of the model 'Other.glb'"),
        (0, {"size_m": "large"}, "row 2: expected a size in meters, found 'large'"),
        (2, {"category": "mammal"}, "its category is 'mammal'"),
    ],
)
def test_what_does_not_fit_is_named_with_its_row(
    folder: Path, row: int, change: dict[str, str], why: str
) -> None:
    rows = rows_of(folder)
    rows[row] |= change
    with pytest.raises(AssetError, match=why):
        accept_assets(folder, save(folder, rows))
    assert not (folder / FILE_NAME).exists()


def test_a_folder_that_was_not_indexed_and_a_table_that_is_none_are_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(AssetError, match="run `fathom assets index"):
        review_assets(tmp_path_factory.mktemp("empty"))
    with pytest.raises(AssetError, match="cannot be read"):
        accept_assets(folder, folder / "none.tsv")
    (folder / "other.tsv").write_text("a\tb\n1\t2\n", "utf-8")
    with pytest.raises(AssetError, match="'file' is not there"):
        accept_assets(folder, folder / "other.tsv")
