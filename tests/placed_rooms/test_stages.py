"""The walls of a stage stand where its file says, hide what is behind them, and are in the way of moves."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from fathom.geometry.poses import pose_at, to_world
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.questions.contexts.video_visibility import sights_in
from fathom.records import Scene, SceneObject
from fathom.scenes.imported_rooms import LEFT_OUT, draw_placed_room, open_placed_rooms
from fathom.scenes.looked_rooms import TIMES_S
from fathom.scenes.stage_walls import wall_boxes
from fathom.scenes.videos.indoor_objects import models_at
from fathom.scenes.viewpoints import Viewpoints
from tests.placed_rooms.made import HIGH, OPENING_X, PLACES, WALL_Z, staged_folder


def _shift(scene: Scene) -> np.ndarray:
    """Return by how much the file's places, with z up, were moved into the room."""
    desk = next(o for o in scene.objects if o.asset.name == "hssd:desk1")
    (x, y, z), _ = PLACES["desk1"]
    return np.subtract(desk.poses[0].position_m, (x, -z, y))


def _behind(scene: Scene, obj: SceneObject, frame: int) -> bool:
    """Return whether the wall is before all of an object's box, seen from the camera at a time."""
    eye = np.array(scene.cameras[0].poses[frame].position_m) - _shift(scene)
    half = [(-s / 2, s / 2) for s in obj.size_m[:2]]
    corners = to_world(pose_at(obj.poses, frame), np.array(list(product(*half, (0.0, obj.size_m[2])))))
    for corner in corners - _shift(scene):
        if (eye[1] + WALL_Z) * (corner[1] + WALL_Z) >= 0:
            return False
        share = (-WALL_Z - eye[1]) / (corner[1] - eye[1])
        x, _, z = eye + share * (corner - eye)
        if OPENING_X[0] - 0.1 < x < OPENING_X[1] + 0.1 or z > HIGH:
            return False
    return True


def test_what_is_behind_a_wall_of_the_stage_is_hidden(tmp_path: Path) -> None:
    opened = open_placed_rooms(staged_folder(tmp_path / "a"))
    hidden = shown = 0
    for index in range(2):
        scene = draw_placed_room(index, "tests", opened, Viewpoints(seen=3, width=160, height=120))
        filmed, models = as_filmed(scene, models_at(scene, 0, opened.library))
        path = tmp_path / f"{index}.zip"
        write_cells(path, filmed, footage(filmed, models, range(len(TIMES_S)), POINTS), POINTS)
        with TruthCells(path) as cells:
            sights = sights_in(scene, cells)
        for k, obj in enumerate(scene.objects):
            if not obj.id.startswith("thing"):
                continue
            for frame in range(len(TIMES_S)):
                if _behind(scene, obj, frame):
                    hidden += 1
                    assert sights.visible_px[k, frame] == 0, (obj.asset.name, frame)
                shown += bool(sights.visible_px[k, frame])
    assert hidden > 4 and shown > 10


def test_a_stage_stands_where_its_file_says_without_its_ceiling(tmp_path: Path) -> None:
    opened = open_placed_rooms(staged_folder(tmp_path / "a"))
    scene = draw_placed_room(0, "tests", opened, Viewpoints(seen=3))
    house = next(o for o in scene.objects if o.id == "stage")
    parts = models_at(scene, 0, opened.library)["stage"].parts
    points = np.concatenate([to_world(house.poses[0], p.vertices[p.faces].reshape(-1, 3)) for p in parts])
    points -= _shift(scene)
    assert points[:, :2].min(axis=0) == pytest.approx((-4, -4), abs=1e-3)
    assert points[:, :2].max(axis=0) == pytest.approx((4, 4), abs=1e-3)
    corners = points.reshape(-1, 3, 3)
    assert not ((np.ptp(corners[:, :, 2], axis=1) < 1e-3) & (corners[:, 0, 2] > 2.0)).any(), "no ceiling"
    within = corners[
        (np.abs(corners[:, :, :2]).max(axis=(1, 2)) < 4.01) & (np.ptp(corners[:, :, 2], axis=1) > 2)
    ]
    assert len(within) and np.abs(within[:, :, 1] + WALL_Z).max() == pytest.approx(0.05, abs=1e-3)
    assert not [o for o in scene.objects if o.attributes.get("name") == "stage" and o.category != "structure"]


def test_a_stage_without_a_model_is_said_and_the_room_stands_without_it(tmp_path: Path) -> None:
    opened = open_placed_rooms(staged_folder(tmp_path / "a", model=False))
    scene = draw_placed_room(0, "tests", opened, Viewpoints(seen=3))
    assert "no file house.glb of its stage" in scene.source[LEFT_OUT]
    assert not [o for o in scene.objects if o.id == "stage"]


def test_boxes_cover_a_wall_and_leave_its_way_through_free() -> None:
    def panel(low: float, high: float) -> list[list[tuple[float, float, float]]]:
        a, b, c, d = (low, 0.0, 0.0), (high, 0.0, 0.0), (high, 0.0, 2.5), (low, 0.0, 2.5)
        return [[a, b, c], [a, c, d]]

    boxes = wall_boxes(np.array([*panel(-3.0, -0.5), *panel(0.5, 3.0)]))
    assert len(boxes) < 12

    def inside(place: tuple[float, float, float]) -> bool:
        return any(bool((low <= place).all() and (place <= high).all()) for low, high in boxes)

    assert inside((-2.0, 0.01, 1.2)) and inside((1.5, 0.01, 0.4))
    assert not inside((0.0, 0.01, 1.2)) and not inside((-2.0, 0.4, 1.2))
    assert wall_boxes(np.zeros((0, 3, 3))) == []
