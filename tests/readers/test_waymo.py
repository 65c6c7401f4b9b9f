"""Waymo's perception tables: what is read, what is mended, and which faults are named."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fathom.formats.recordings import ReadSettings, Recording, pictures, read
from fathom.geometry.cameras import project
from fathom.geometry.poses import heading_rad, rotation_matrix
from fathom.records import InputError
from fathom.store.seeds import rng
from tests.readers import made
from tests.readers.made import Tables

POSE = "[VehiclePoseComponent].world_from_vehicle.transform"
IMAGE_POSE = "[CameraImageComponent].pose.transform"
EXTRINSIC = "[CameraCalibrationComponent].extrinsic.transform"
STAMP = "key.frame_timestamp_micros"


def one(
    folder: Path, change: Callable[[Tables], None] = lambda t: None, settings: ReadSettings | None = None
) -> Recording:
    (recording,) = read("waymo", made.waymo(folder, change), settings)
    return recording


def reasons(recording: Recording) -> str:
    return "\n".join(f"{f.outcome}: {f.reason}" for f in recording.report.findings)


def each(column: list[list[float]], change: Callable[[made.Array], made.Array]) -> None:
    column[:] = [change(np.array(cell).reshape(4, 4)).ravel().tolist() for cell in column]


def inverted(matrix: made.Array) -> made.Array:
    return np.asarray(np.linalg.inv(matrix))


def test_a_segment_is_a_scene_of_the_front_camera(tmp_path: Path) -> None:
    recording = one(tmp_path)
    scene = recording.scene
    assert scene.source["setting"] == "outdoor"
    assert scene.source["video"] == f"segment-{made.SEGMENT}_camera_front"
    assert np.allclose(np.diff(scene.times_s), 0.1)
    assert (scene.cameras[0].fx, scene.cameras[0].cx) == (100.0, 48.0)
    assert {t.id for t in scene.objects} == {*made.parked(), "ahead"}
    assert not [f for f in recording.report.findings if f.outcome != "noted"]


def test_parked_cars_stand_where_they_are_and_project_to_where_they_are_seen(tmp_path: Path) -> None:
    scene = one(tmp_path).scene
    origin = made.driven(made.LATE_US / 1e6)[:3, 3]
    for name, (at, heading) in made.parked().items():
        obj = next(t for t in scene.objects if t.id == name)
        for pose in obj.poses:
            assert np.allclose(pose.position_m, at - origin - (0, 0, 0.8), atol=1e-5)
            assert heading_rad(pose) == pytest.approx(heading, abs=1e-6)
        world = made.driven(0.3 + made.LATE_US / 1e6) @ made.mount()
        seen = np.linalg.inv(world) @ np.append(at, 1.0)
        pixel, depth = project(scene.cameras[0], np.array([at - origin]), frame=3)
        assert depth[0] == pytest.approx(seen[0], abs=1e-4)
        assert pixel[0, 0] == pytest.approx(48.0 - 100.0 * seen[1] / seen[0], abs=1e-3)


def test_a_moving_car_is_carried_to_the_moment_of_the_picture(tmp_path: Path) -> None:
    scene = one(tmp_path).scene
    late = made.LATE_US / 1e6
    ahead = next(t for t in scene.objects if t.id == "ahead")
    for i, pose in enumerate(ahead.poses):
        expected = made.ahead(0.1 * i + late) - made.driven(late)[:3, 3] - (0, 0, 0.8)
        assert np.allclose(pose.position_m, expected, atol=1e-4)
    speed = np.linalg.norm(np.diff([p.position_m for p in ahead.poses], axis=0), axis=1) / 0.1
    assert np.allclose(speed, 12.0, atol=1e-3)


def test_pictures_come_from_the_rows_of_the_front_camera(tmp_path: Path) -> None:
    recording = one(tmp_path)
    found = {f.number: data for f, data in pictures(recording.frames[::-1])}
    assert found == {i: made.picture(i + 50, made.WAYMO_SIZE, "JPEG") for i in range(12)}
    with Image.open(io.BytesIO(found[4])) as picture:
        assert picture.size == made.WAYMO_SIZE


def test_rows_in_another_order_and_doubled_rows_are_sorted_out(tmp_path: Path) -> None:
    def shuffle(tables: Tables) -> None:
        order = rng("readers", "shuffle").permutation(24).tolist()
        for column in tables["camera_image"].values():
            column[:] = [column[i] for i in order] + [column[4]]

    recording = one(tmp_path, shuffle)
    assert "another order than their times" in reasons(recording)
    assert "a second picture of one time" in reasons(recording)
    found = {f.number: data for f, data in pictures(recording.frames)}
    assert found[7] == made.picture(57, made.WAYMO_SIZE, "JPEG")


def test_a_clock_that_stands_still_is_refused(tmp_path: Path) -> None:
    def freeze(tables: Tables) -> None:
        for table in tables.values():
            if STAMP in table:
                table[STAMP][:] = [made.START_US] * len(table[STAMP])

    with pytest.raises(InputError, match="the clock stands still"):
        one(tmp_path, freeze)


def test_times_in_another_unit_are_named(tmp_path: Path) -> None:
    def nanoseconds(tables: Tables) -> None:
        for table in tables.values():
            if STAMP in table:
                table[STAMP][:] = [s * 1000 for s in table[STAMP]]

    with pytest.raises(InputError, match="nanoseconds"):
        one(tmp_path, nanoseconds)


def test_inverted_vehicle_poses_are_named_because_parked_cars_move(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="poses are inverted: objects that stand still move"):
        one(tmp_path, lambda t: each(t["vehicle_pose"][POSE], inverted))


def test_inverted_vehicle_poses_can_be_set(tmp_path: Path) -> None:
    recording = one(
        tmp_path,
        lambda t: each(t["vehicle_pose"][POSE], inverted),
        ReadSettings(poses="world-to-camera"),
    )
    standing = next(t for t in recording.scene.objects if t.id == "parked-2")
    assert np.ptp([p.position_m for p in standing.poses], axis=0).max() < 1e-4


def test_an_inverted_extrinsic_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is vehicle-to-camera, expected camera-to-vehicle; invert it"):
        one(tmp_path, lambda t: each(t["camera_calibration"][EXTRINSIC], inverted))


def test_an_extrinsic_with_opencv_axes_is_named(tmp_path: Path) -> None:
    turn = np.eye(4)
    turn[:3, :3] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]
    with pytest.raises(InputError, match="OpenCV's axes"):
        one(tmp_path, lambda t: each(t["camera_calibration"][EXTRINSIC], lambda m: m @ turn))


def test_left_handed_vehicle_poses_are_named(tmp_path: Path) -> None:
    flip = np.diag([1.0, -1.0, 1.0, 1.0])
    with pytest.raises(InputError, match="left-handed"):
        one(tmp_path, lambda t: each(t["vehicle_pose"][POSE], lambda m: m @ flip))


def test_transposed_vehicle_poses_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="transposed"):
        one(tmp_path, lambda t: each(t["vehicle_pose"][POSE], lambda m: m.T))


def _thousandfold(tables: Tables) -> None:
    for name, column in tables["lidar_box"].items():
        if ".size." in name or ".center." in name:
            column[:] = [1000 * v for v in column]


def test_boxes_in_millimetres_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="millimeters written as meters"):
        one(tmp_path, _thousandfold)


def test_poses_of_other_frames_are_named(tmp_path: Path) -> None:
    def shuffle(tables: Tables) -> None:
        order = rng("readers", "poses").permutation(12).tolist()
        tables["vehicle_pose"][POSE][:] = [tables["vehicle_pose"][POSE][i] for i in order]

    with pytest.raises(InputError, match=r"shuffled|other frames"):
        one(tmp_path, shuffle)


def test_boxes_that_do_not_fall_on_those_in_the_pictures_are_named(tmp_path: Path) -> None:
    def mirror(tables: Tables) -> None:
        column = tables["lidar_box"]["[LiDARBoxComponent].box.center.x"]
        column[:] = [-v for v in column]

    with pytest.raises(InputError, match="boxes fall on the boxes in the pictures"):
        one(tmp_path, mirror)


def test_a_missing_pose_and_a_missing_picture_are_reported(tmp_path: Path) -> None:
    def lose(tables: Tables) -> None:
        tables["vehicle_pose"][POSE][4] = [float("nan")] * 16
        for column in tables["camera_image"].values():
            del column[2 * 7]

    recording = one(tmp_path, lose)
    assert len(recording.frames) == 11 and recording.report.poses_missing == 1
    assert not recording.scene.cameras[0].poses[4].valid
    assert "a pose that is missing" in reasons(recording)
    assert "a frame without its picture" in reasons(recording)


def test_an_object_in_one_frame_only_and_boxes_without_a_size_are_reported(tmp_path: Path) -> None:
    def change(tables: Tables) -> None:
        tables["lidar_box"]["key.laser_object_id"][3] = "once"
        tables["lidar_box"]["[LiDARBoxComponent].box.size.x"][8] = float("nan")

    recording = one(tmp_path, change)
    once = next(t for t in recording.scene.objects if t.id == "once")
    assert sum(p.valid for p in once.poses) == 1
    assert "an object in one frame only" in reasons(recording)
    assert "a box without a place or a size" in reasons(recording)


def test_an_empty_annotation_gives_a_scene_without_objects(tmp_path: Path) -> None:
    def empty(tables: Tables) -> None:
        tables["lidar_box"]["key.segment_context_name"][:] = ["another"] * 84

    recording = one(tmp_path, empty)
    assert recording.scene.objects == () and "an empty annotation" in reasons(recording)


def test_speeds_that_disagree_with_the_track_are_noted(tmp_path: Path) -> None:
    def slower(tables: Tables) -> None:
        for axis in "xy":
            column = tables["lidar_box"][f"[LiDARBoxComponent].speed.{axis}"]
            column[:] = [v / 2 for v in column]

    assert "a track whose speed is not the one that is stated" in reasons(one(tmp_path, slower))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    def drop(tables: Tables) -> None:
        del tables["lidar_box"]["[LiDARBoxComponent].box.heading"]

    with pytest.raises(InputError, match=r"expected the column '\[LiDARBoxComponent\].box.heading'"):
        one(tmp_path, drop)


def test_a_missing_component_is_named(tmp_path: Path) -> None:
    folder = made.waymo(tmp_path)
    (folder / "vehicle_pose" / f"{made.SEGMENT}.parquet").unlink()
    with pytest.raises(InputError, match=r"expected vehicle_pose/.*fetch that component too"):
        list(read("waymo", folder))


def test_frames_of_version_1_are_refused_with_what_to_fetch(tmp_path: Path) -> None:
    (tmp_path / "segment-1_with_camera_labels.tfrecord").write_bytes(b"\0" * 32)
    with pytest.raises(InputError, match=r"version 1 \(TFRecord\).*fetch the same segments of version 2"):
        list(read("waymo", tmp_path))


def test_splits_are_looked_into(tmp_path: Path) -> None:
    made.waymo(tmp_path / "validation")
    (recording,) = read("waymo", tmp_path)
    assert len(recording.frames) == 12


def test_the_camera_looks_along_the_drive(tmp_path: Path) -> None:
    pose = one(tmp_path).scene.cameras[0].poses[0]
    forward = rotation_matrix(pose.rotation_wxyz)[:, 2]
    assert np.arctan2(forward[1], forward[0]) == pytest.approx(0.7 + 0.01 + 0.02 * 0.04, abs=1e-6)
