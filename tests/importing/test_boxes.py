"""A player that sees boxes alone, on imported questions: what it says, and where it cannot tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fathom
from fathom import api
from fathom.benchmarks.threedsrbench.boxes import OPERATORS, suggested
from fathom.benchmarks.threedsrbench.tasks import TASKS
from fathom.records import InputError, UnansweredQuestion
from tests.importing import shapes

BOXES = {
    "cup": [(0.0, 0.0, 10.0, 10.0)],
    "dog": [(40.0, 50.0, 70.0, 90.0)],
    "potted plant": [(12.0, 2.0, 20.0, 9.0)],
    "chair": [(0.0, 0.0, 5.0, 5.0), (60.0, 0.0, 70.0, 9.0)],
}


def _said(task: str, text: str, *choices: str) -> str:
    return suggested(UnansweredQuestion(id="q", task=task, text=text, choices=choices), BOXES)


@pytest.mark.parametrize(
    ("task", "text", "choices", "says"),
    [
        ("height_higher", "Which is higher, the dog or the cup?", ("the dog", "the cup"), "the cup"),
        ("height_higher", "Which is lower, the dog or the cup?", ("the dog", "the cup"), "the dog"),
        ("location_closer_to_camera", "Which is closer?", ("red cup", "brown dog"), "brown dog"),
        ("location_closer_to_camera", "Which is farther?", ("red cup", "brown dog"), "red cup"),
        ("location_above", "Is the cup directly above the dog?", ("yes", "no"), "no"),
        ("location_next_to", "Are the cup and the potted plant next to each other or far apart?",
         ("next to each other", "far apart"), "next to each other"),
        ("location_next_to", "Are the cup and the dog next to each other?", ("yes", "no"), "no"),
        ("orientation_in_front_of", "Is the dog in front of the cup?", ("yes", "no"), "yes"),
        ("orientation_in_front_of", "From the point of view of the dog: is the cup in front or behind?",
         ("in front", "behind"), "behind"),
        ("orientation_on_the_left", "From the point of view of the dog: is the cup to its left or right?",
         ("left", "right"), "left"),
        ("orientation_viewpoint", "Which side of the dog faces the camera?",
         ("left", "back", "front", "right"), "front"),
        ("multi_object_closer_to", "What is the cup closer to?", ("dog", "potted plant"), "potted plant"),
        ("multi_object_facing", "What does the cup face?", ("dog", "potted plant"), "potted plant"),
        ("multi_object_viewpoint_towards_object", "Which side of the cup faces the dog?",
         ("front", "left", "back", "right"), "front"),
        ("multi_object_parallel", "Are the cup and the dog parallel?", ("yes", "no"), "yes"),
        ("multi_object_same_direction", "Do the cup and the dog face the same way or opposite ways?",
         ("the same way", "opposite ways"), "the same way"),
        # Two chairs, nothing that is known, one object where it takes two: nobody can tell whom it means.
        ("height_higher", "Which is higher?", ("the chair", "the cup"), ""),
        ("height_higher", "Which is higher?", ("the lamp", "the cup"), ""),
        ("location_above", "Is the cup above the lamp?", ("yes", "no"), ""),
    ],
)  # fmt: skip
def test_boxes_suggest_an_option(task: str, text: str, choices: tuple[str, ...], says: str) -> None:
    assert _said(task, text, *choices) == says


def test_every_type_has_a_rule() -> None:
    assert set(OPERATORS) == set(TASKS)


def test_an_imported_set_is_played_with_the_boxes_of_its_pictures(tmp_path: Path) -> None:
    """The cup is higher in the picture, also in its mirror image; of the third picture nothing is known."""
    folder = shapes.threed(tmp_path / "3d")
    api.import_dataset("3dsrbench", folder / "3dsrbench_v1.csv", tmp_path / "set", media=folder / "coco")
    instances = tmp_path / "instances.json"
    image = {"id": 1, "file_name": "000000000001.jpg", "width": 6, "height": 6}
    instances.write_text(
        json.dumps(
            {
                "images": [image],
                "categories": [{"id": 1, "name": "cup"}, {"id": 2, "name": "lamp"}],
                "annotations": [
                    {"image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2]},
                    {"image_id": 1, "category_id": 2, "bbox": [3, 3, 2, 3]},
                ],
            }
        )
    )
    fathom.run(tmp_path / "set", f"boxes:instances={instances}", tmp_path / "run", protocol="generation")
    scores = fathom.score(tmp_path / "run")
    by_task = scores.by("task")
    assert by_task["height_higher"].value == 1.0 and by_task["orientation_viewpoint"].value == 0.0
    assert scores["accuracy_of_read"].value == 1.0 and scores["unreadable"].value == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="boxes:instances=FILE"):
        fathom.run(tmp_path / "set", "boxes", tmp_path / "other")
