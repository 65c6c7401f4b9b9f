"""Scene files of CLEVR's family are read as they were meant."""

import json
from pathlib import Path

import numpy as np
import pytest

from fathom.geometry.cameras import project
from fathom.geometry.poses import heading_rad
from fathom.records import DataError
from fathom.scenes.clevr import PAPER_CAMERA_M, read_scenes


def test_every_published_relation_list_comes_out_identical(samples_folder: Path) -> None:
    lists = 0
    for path in sorted((samples_folder / "super-clevr" / "scenes").glob("*.json")):
        (published,) = read_scenes(path)
        centres = np.array([t.poses[0].position_m for t in published.scene.objects])
        for word, theirs in published.relationships.items():
            if word not in ("left", "right", "front", "behind"):
                continue
            along = centres @ np.array(published.directions[word])
            for i, expected in enumerate(theirs):
                found = tuple(j for j in range(len(centres)) if j != i and along[j] - along[i] > 0.2)
                assert found == expected, (path.name, word, i)
                lists += 1
    assert lists == 268


def test_the_camera_is_found_within_the_published_jitter_and_explains_the_picture(
    samples_folder: Path,
) -> None:
    for path in sorted((samples_folder / "super-clevr" / "scenes").glob("*.json")):
        (published,) = read_scenes(path)
        camera = published.scene.cameras[0]
        assert np.abs(np.array(camera.poses[0].position_m) - PAPER_CAMERA_M).max() <= 0.5
        raw = json.loads(path.read_text())["objects"]
        pixels, depth = project(camera, np.array([o["3d_coords"] for o in raw]))
        seen = np.array([o["pixel_coords"][0] for o in raw])
        assert np.sqrt(((pixels - seen[:, :2]) ** 2).mean()) < 0.5
        assert np.abs(depth - seen[:, 2]).max() < 0.05


def scene(**changes: object) -> dict[str, object]:
    obj = {"shape": "suv", "size": "large", "color": "red", "3d_coords": [1, 2, 0.4], "rotation": 30.0}
    return {"image_filename": "x_000001.png", "objects": [obj | changes]}


def test_a_bicycle_faces_along_its_own_x_and_everything_else_along_its_own_y(tmp_path: Path) -> None:
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps({"scenes": [scene(), scene(shape="road")]}))
    car, bicycle = (p.scene.objects[0] for p in read_scenes(path))
    assert np.degrees(heading_rad(car.poses[0])) == pytest.approx(120)
    assert np.degrees(heading_rad(bicycle.poses[0])) == pytest.approx(30)
    assert car.size_m[0] == pytest.approx(0.8736 * 3.5) and bicycle.size_m[0] == pytest.approx(0.8583 * 3.5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "expected scenes as CLEVR"),
        ('{"questions": []}', "expected scenes as CLEVR"),
        (json.dumps(scene(size="huge")), "has size 'huge'"),
        (json.dumps(scene(**{"3d_coords": [1, 2]})), "three finite numbers"),
    ],
)
def test_a_file_of_another_kind_is_refused_in_one_sentence(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "scenes.json"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        read_scenes(path)
