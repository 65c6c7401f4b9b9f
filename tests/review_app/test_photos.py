"""Photographs become a dataset: pages are prepared, people write, the same command makes the set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import fathom
from fathom import api
from fathom.api.photos import build_from_photos
from fathom.formats.coco_instances import read_instances, upright
from fathom.records import InputError
from fathom.review.forms import values_of
from fathom.review.site.sending import item_as_sent
from fathom.review.tasks.forms import NOTHING
from fathom.store.datasets import open_dataset
from tests.cli.conftest import Fathom
from tests.cli.conftest import fathom as run_fathom

__all__ = ["run_fathom"]

CUP = {"A": "the cup", "B": "the plate on the shelf"}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two photographs, one of them turned by its camera, the first one's copy, and one that is broken."""
    folder = tmp_path / "photos"
    folder.mkdir()
    Image.new("RGB", (40, 30), (200, 0, 40)).save(folder / "a.jpg")
    turned = Image.new("RGB", (40, 30), (20, 90, 40))
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(folder / "b.jpg", exif=exif)
    (folder / "copy.jpg").write_bytes((folder / "a.jpg").read_bytes())
    (folder / "broken.jpg").write_bytes(b"\xff\xd8 no picture")
    return folder


def instances_at(path: Path, **more: Any) -> Path:
    """Write COCO's instances of both photographs, of one that is not there, and some that do not fit."""
    file = {
        "images": [
            {"id": 1, "file_name": "a.jpg", "width": 40, "height": 30},
            {"id": 2, "file_name": "b.jpg", "width": 40, "height": 30},
            {"id": 3, "file_name": "gone.jpg", "width": 40, "height": 30},
        ],
        "categories": [{"id": 7, "name": "cup"}, {"id": 8, "name": "dog"}],
        "annotations": [
            {"image_id": 1, "category_id": 7, "bbox": [10, 15, 10, 15]},
            {"image_id": 1, "category_id": 8, "bbox": [30, 0, 20, 15]},
            {"image_id": 2, "category_id": 8, "bbox": [0, 0, 10, 15]},
            {"image_id": 3, "category_id": 8, "bbox": [0, 0, 10, 15]},
            {"image_id": 9, "category_id": 8, "bbox": [0, 0, 10, 15]},
            {"image_id": 1, "category_id": 99, "bbox": [0, 0, 10, 15]},
            {"image_id": 1, "category_id": 8, "bbox": [50, 0, 10, 15]},
            {"image_id": 1, "category_id": 8, "bbox": [0, 0, float("1e300"), None]},
        ],
        **more,
    }
    path.write_text(json.dumps(file))
    return path


def _write(work: Path, answers: dict[str, dict[str, Any]]) -> None:
    """Let Ana fill in every item; of those that are not named there is nothing to ask."""
    review = api.open_review(work)
    (ana,) = [p for p in review.store.people() if p.name == "Ana"]
    stage = review.task.stages[0]
    while given := review.store.next_items(ana, 1):
        item = given[0].item
        values = values_of(review.task, stage, item, answers.get(item.name, {"skip": NOTHING}))
        review.store.add(ana, given[0].id, stage.name, values, f"Ana {item.name}"[-60:])


def test_from_a_folder_of_photographs_to_a_dataset_that_is_run(photos: Path, tmp_path: Path) -> None:
    out, said = tmp_path / "out", list[str]()
    built = build_from_photos("3dsrbench", photos, out, people=["Ana"], say=said.append)
    assert "2 photographs, each in 12 forms" in built.text and set(built.links) == {"manager", "Ana"}
    assert sum("broken.jpg" in s for s in said) == sum("copy.jpg" in s for s in said) == 1
    again = build_from_photos("3dsrbench", photos, out)
    assert "no question is written yet" in again.text and not again.links and again.dataset is None

    _write(
        out / "review",
        {
            "a.jpg · height_higher": {**CUP, "picked": 0},
            "b.jpg · height_higher": {**CUP, "picked": 1},
            "b.jpg · orientation_viewpoint": {"A": "the van", "picked": 2},
        },
    )
    made = build_from_photos("3dsrbench", photos, out)
    assert made.dataset == out / "sets" / "1" and "Balance by form" in made.text
    questions = list(open_dataset(made.dataset).questions())
    assert sorted((q.task, q.answer) for q in questions) == [
        ("height_higher", "the cup"),
        ("height_higher", "the plate on the shelf"),
        ("orientation_viewpoint", "back"),
    ]
    assert build_from_photos("3dsrbench", photos, out).dataset == made.dataset
    assert [p.name for p in (out / "sets").iterdir()] == ["1"]

    fathom.run(made.dataset, "scripted:perfect", tmp_path / "run")
    scores = fathom.score(tmp_path / "run")
    assert scores.by("split", "accuracy_circular")["real"].value == 1.0


def test_instances_are_offered_as_words_and_marks_the_way_up_that_is_shown(
    photos: Path, tmp_path: Path
) -> None:
    said = list[str]()
    file = instances_at(tmp_path / "instances.json")
    built = build_from_photos("3dsrbench", photos, tmp_path / "out", instances=file, say=said.append)
    assert "of 2 the objects are known" in built.text
    review = api.open_review(tmp_path / "out" / "review")
    offered = {i.about[0]: i.offered for i in review.store.items()}
    assert [(o.label, o.box) for o in offered["a.jpg"]] == [
        ("cup", (0.25, 0.5, 0.5, 1.0)),
        ("dog", (0.75, 0.0, 1.0, 0.5)),
    ]
    # Turned to the right: what is at the top left of the stored picture is at the top right of the shown one.
    assert [(o.label, o.box) for o in offered["b.jpg"]] == [("dog", (0.5, 0.0, 1.0, 0.25))]
    sentences = " | ".join(said)
    for part in (
        "1 annotation of a picture that the file does not list",
        "1 annotation of a category that the file does not list",
        "2 annotations without a box within the picture",
        "1 annotated photograph is not in",
        "gone.jpg",
    ):
        assert sentences.count(part) == 1, part
    (person,) = [p for p in review.store.people() if p.role == "person"]
    (given,) = review.store.next_items(person, 1)
    sent = item_as_sent(review.task, "0", given, person)
    assert sent["offered"] == [
        {"label": o.label, "box": o.box, "picture": 0} for o in offered[given.item.about[0]]
    ]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_boxes_are_turned_as_pillow_turns_pictures(orientation: int) -> None:
    from PIL import ImageOps

    picture = Image.new("L", (8, 4))
    picture.paste(255, (1, 1, 3, 2))
    exif = picture.getexif()
    exif[0x0112] = orientation
    shown = ImageOps.exif_transpose(picture)
    left, top, right, bottom = upright((1 / 8, 1 / 4, 3 / 8, 2 / 4), orientation)
    found = (left * shown.width, top * shown.height, right * shown.width, bottom * shown.height)
    assert found == pytest.approx(shown.getbbox())


def test_annotations_of_another_size_are_of_another_picture(photos: Path, tmp_path: Path) -> None:
    said = list[str]()
    images = [{"id": 1, "file_name": "a.jpg", "width": 400, "height": 100}]
    file = instances_at(tmp_path / "instances.json", images=images)
    build_from_photos("3dsrbench", photos, tmp_path / "out", instances=file, say=said.append)
    assert any("a.jpg: has 40 × 30 pixels, annotated are 400 × 100" in s for s in said)
    items = api.open_review(tmp_path / "out" / "review").store.items()
    assert not any(item.offered for item in items)


def test_what_cannot_be_is_one_sentence(photos: Path, tmp_path: Path, run_fathom: Fathom) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"images": [')
    for path in (broken, tmp_path / "nowhere.json"):
        with pytest.raises(InputError):
            read_instances(path)
    with pytest.raises(InputError, match="has no forms"):
        build_from_photos("sti-bench", photos, tmp_path / "sti")
    build_from_photos("3dsrbench", photos, tmp_path / "out")
    other = tmp_path / "others"
    other.mkdir()
    with pytest.raises(InputError, match="is about"):
        build_from_photos("3dsrbench", other, tmp_path / "out")
    for words in (["--photos", str(photos), "--set", "mirrored=yes"], ["--instances", str(broken)]):
        found = run_fathom("build", "3dsrbench", "--out", str(tmp_path / "x"), *words)
        assert found.code == 2 and "Traceback" not in found.err
