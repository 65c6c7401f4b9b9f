"""Omni6DPose as ROPE publishes it: one world from poses in each frame's camera, and faults by name."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.formats.recordings import ReadSettings, Recording, pictures, read
from fathom.formats.recordings.omni6dpose_world import _reread
from fathom.geometry.poses import quaternion, rotation_matrix
from fathom.records import InputError, Pose
from tests.readers import made
from tests.readers.made import Array

Metas = list[dict[str, Any]]


def one(
    folder: Path,
    change: Callable[[Metas], None] = lambda m: None,
    read_settings: ReadSettings | None = None,
    noise_m: float = 0.0,
) -> Recording:
    (recording,) = read("omni6dpose", made.omni6dpose(folder, change, noise_m), read_settings)
    return recording


def reasons(recording: Recording) -> str:
    return "\n".join(f"{f.outcome}: {f.reason}" for f in recording.report.findings)


def each(metas: Metas, change: Callable[[dict[str, Any]], None]) -> None:
    for meta in metas:
        for entry in meta["objects"].values():
            change(entry)


def moved(entry: dict[str, Any], local: Array) -> None:
    entry["quaternion_wxyz"], entry["translation"] = list(quaternion(local[:3, :3])), local[:3, 3].tolist()


def whole(pose: Pose) -> Array:
    return made.matrix(np.array(pose.position_m), rotation_matrix(pose.rotation_wxyz))


def between(recording: Recording) -> tuple[list[Array], dict[str, Array]]:
    """Return each camera in the frame of the first, and each object there."""
    first = np.linalg.inv(whole(recording.scene.cameras[0].poses[0]))
    cameras = [first @ whole(p) for p in recording.scene.cameras[0].poses]
    return cameras, {t.id: first @ whole(t.poses[0]) for t in recording.scene.objects}


def test_the_cameras_way_is_found_from_what_stands_still(tmp_path: Path) -> None:
    recording = one(tmp_path)
    cameras, objects = between(recording)
    start = np.linalg.inv(made.desk_camera(0))
    for i, found in enumerate(cameras):
        assert np.allclose(found, start @ made.desk_camera(i), atol=1e-5)
    for oid, (_, size, at, heading) in made.OBJECTS.items():
        obj = next(t for t in recording.scene.objects if t.id == oid)
        assert np.allclose(obj.size_m, (size[2], size[0], size[1]))
        assert np.allclose(objects[oid], start @ made.matrix(at, made.yaw(heading)), atol=1e-5)
        assert len(obj.poses) == 1


def test_the_world_stands_upright_because_the_objects_do(tmp_path: Path) -> None:
    recording = one(tmp_path)
    assert recording.scene.source["up"] == "objects"
    for obj in recording.scene.objects:
        assert np.allclose(rotation_matrix(obj.poses[0].rotation_wxyz)[:, 2], (0, 0, 1), atol=1e-6)
        assert obj.poses[0].position_m[2] == pytest.approx(-0.55, abs=1e-5)
    first = recording.scene.cameras[0].poses[0]
    assert np.allclose(first.position_m, 0.0, atol=1e-6)
    assert rotation_matrix(first.rotation_wxyz)[1, 2] == pytest.approx(0.0, abs=1e-6)


def test_what_annotations_stray_is_their_uncertainty(tmp_path: Path) -> None:
    recording = one(tmp_path, noise_m=0.006)
    for obj in recording.scene.objects:
        assert 0.004 < obj.poses[0].position_sigma_m < 0.02
    assert recording.scene.cameras[0].poses[0].position_sigma_m > 0.004
    cameras, _ = between(recording)
    expected = np.linalg.inv(made.desk_camera(0)) @ made.desk_camera(13)
    assert np.linalg.norm(cameras[13][:3, 3] - expected[:3, 3]) < 0.03


def test_frames_are_counted_at_thirty_a_second_or_as_is_set(tmp_path: Path) -> None:
    assert one(tmp_path / "a").scene.times_s[3] == pytest.approx(0.1)
    assert one(tmp_path / "b", read_settings=ReadSettings(fps=15.0)).scene.times_s[3] == pytest.approx(0.2)


def test_an_object_that_moves_keeps_its_track_and_does_not_move_the_camera(tmp_path: Path) -> None:
    name = "3_omniobject3d-bottle_003"

    def push(metas: Metas) -> None:
        for i, meta in enumerate(metas):
            shifted = made.desk_pose("omniobject3d-bottle_003")
            shifted[0, 3] += 0.02 * i
            moved(meta["objects"][name], np.linalg.inv(made.desk_camera(i)) @ shifted)

    recording = one(tmp_path, push)
    bottle = next(t for t in recording.scene.objects if t.id == "omniobject3d-bottle_003")
    assert len(bottle.poses) == 14
    way = np.linalg.norm(np.subtract(bottle.poses[13].position_m, bottle.poses[0].position_m))
    assert way == pytest.approx(0.26, abs=2e-3)
    cameras, _ = between(recording)
    assert np.allclose(cameras[13], np.linalg.inv(made.desk_camera(0)) @ made.desk_camera(13), atol=3e-3)
    assert "an object that moves" in reasons(recording)


def test_swapped_quaternions_are_named_and_can_be_set(tmp_path: Path) -> None:
    def swap(metas: Metas) -> None:
        each(metas, lambda e: e.update(quaternion_wxyz=[*e["quaternion_wxyz"][1:], e["quaternion_wxyz"][0]]))

    with pytest.raises(InputError, match="swapped; set quaternions to xyzw"):
        one(tmp_path / "a", swap)
    recording = one(tmp_path / "b", swap, ReadSettings(quaternions="xyzw"))
    cameras, _ = between(recording)
    assert np.allclose(cameras[9], np.linalg.inv(made.desk_camera(0)) @ made.desk_camera(9), atol=1e-5)


def test_inverted_object_poses_are_named(tmp_path: Path) -> None:
    def invert(metas: Metas) -> None:
        for i, meta in enumerate(metas):
            for key, entry in meta["objects"].items():
                local = np.linalg.inv(made.desk_pose(key.partition("_")[2])) @ made.desk_camera(i)
                moved(entry, local)

    with pytest.raises(InputError, match=r"inverted|behind the camera"):
        one(tmp_path, invert)


@pytest.mark.parametrize("axis", [0, 1])
def test_left_handed_translations_are_named(tmp_path: Path, axis: int) -> None:
    def mirror(metas: Metas) -> None:
        def flip(entry: dict[str, Any]) -> None:
            entry["translation"][axis] *= -1

        each(metas, flip)

    with pytest.raises(InputError, match=f"left-handed; negate {'xyz'[axis]}"):
        one(tmp_path, mirror)


def test_opengl_axes_are_named(tmp_path: Path) -> None:
    def turn(metas: Metas) -> None:
        for i, meta in enumerate(metas):
            for key, entry in meta["objects"].items():
                local = np.linalg.inv(made.desk_camera(i)) @ made.desk_pose(key.partition("_")[2])
                moved(entry, np.diag([1.0, -1, -1, 1]) @ local)

    with pytest.raises(InputError, match="OpenGL's axes"):
        one(tmp_path, turn)


def test_millimetres_for_metres_are_named_and_can_be_set(tmp_path: Path) -> None:
    def thousandfold(metas: Metas) -> None:
        def grow(entry: dict[str, Any]) -> None:
            entry["translation"] = [1000 * v for v in entry["translation"]]
            entry["meta"]["bbox_side_len"] = [1000 * v for v in entry["meta"]["bbox_side_len"]]

        each(metas, grow)

    with pytest.raises(InputError, match="millimeters written as meters"):
        one(tmp_path / "a", thousandfold)
    recording = one(tmp_path / "b", thousandfold, ReadSettings(unit_m=0.001))
    assert max(t.size_m[0] for t in recording.scene.objects) < 0.3


def test_shuffled_frames_are_named(tmp_path: Path) -> None:
    def shuffle(metas: Metas) -> None:
        order = np.random.Generator(np.random.PCG64(2)).permutation(120)[:14]
        far = made.desk_metas(120)
        metas[:] = [far[int(i)] for i in order]

    with pytest.raises(InputError, match=r"faster than .*shuffled"):
        one(tmp_path, shuffle)


def test_an_object_in_one_frame_only_and_a_frame_without_objects_are_reported(tmp_path: Path) -> None:
    def change(metas: Metas) -> None:
        for meta in metas[1:]:
            del meta["objects"]["1_omniobject3d-mug_001"]
        metas[6]["objects"] = {}

    recording = one(tmp_path, change)
    assert "an object in one frame only" in reasons(recording)
    assert "a frame without any object" in reasons(recording)
    assert [i for i, p in enumerate(recording.scene.cameras[0].poses) if not p.valid] == [6]


def test_an_empty_annotation_is_refused_since_nothing_tells_the_cameras_way(tmp_path: Path) -> None:
    def empty(metas: Metas) -> None:
        for meta in metas:
            meta["objects"] = {}

    with pytest.raises(InputError, match="no frame has the pose of an object"):
        one(tmp_path, empty)


def test_frames_without_a_picture_and_doubled_frames_are_left_out(tmp_path: Path) -> None:
    folder = made.omni6dpose(tmp_path)
    (folder / "000004_color.png").unlink()
    for kind in ("color.png", "meta.json"):
        shutil.copy(folder / f"000009_{kind}", folder / f"000010_{kind}")
    (recording,) = read("omni6dpose", folder)
    assert [f.number for f in recording.frames] == [n for n in range(14) if n not in (4, 10)]
    assert "a frame without its picture" in reasons(recording)
    assert "doubles the one before" in reasons(recording)
    assert [data for _, data in pictures(recording.frames[:1])] == [made.picture(0, made.DESK_SIZE, "PNG")]


def test_what_is_marked_invalid_or_background_is_left_out(tmp_path: Path) -> None:
    def mark(metas: Metas) -> None:
        for meta in metas:
            meta["objects"]["1_omniobject3d-mug_001"]["is_valid"] = False
            meta["objects"]["2_google_scan-shoe_014"]["meta"]["is_background"] = True

    recording = one(tmp_path, mark)
    assert len(recording.scene.objects) == 3
    assert "marked as not valid" in reasons(recording) and "background" in reasons(recording)


@pytest.mark.parametrize("inverted", [False, True])
def test_cameras_that_the_files_state_are_used_where_objects_stand_still_with_them(
    tmp_path: Path, inverted: bool
) -> None:
    def state(metas: Metas) -> None:
        for i, meta in enumerate(metas):
            camera = np.asarray(np.linalg.inv(made.desk_camera(i))) if inverted else made.desk_camera(i)
            meta["camera"]["quaternion"] = list(quaternion(camera[:3, :3]))
            meta["camera"]["translation"] = camera[:3, 3].tolist()

    recording = one(tmp_path, state)
    assert recording.scene.source["world"] == "stated"
    assert ("world-to-camera" in reasons(recording)) == inverted
    cameras, _ = between(recording)
    assert np.allclose(cameras[9], np.linalg.inv(made.desk_camera(0)) @ made.desk_camera(9), atol=1e-5)


def test_frames_of_several_videos_in_one_folder_are_refused(tmp_path: Path) -> None:
    def other(metas: Metas) -> None:
        metas[5]["camera"] = {**metas[5]["camera"], "intrinsics": {**made.DESK_LENS, "fx": 90.0}}

    with pytest.raises(InputError, match=r"other intrinsics.*put each in its own folder"):
        one(tmp_path, other)


def test_scenes_below_rope_are_found(tmp_path: Path) -> None:
    made.omni6dpose(tmp_path / "ROPE")
    (recording,) = read("omni6dpose", tmp_path)
    assert recording.scene.source["video"] == "000123"


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.1))
def test_reading_a_quaternion_the_other_way_round_is_what_xyzw_means(
    q: tuple[float, float, float, float],
) -> None:
    w, x, y, z = q
    assert np.allclose(_reread(rotation_matrix(q)[None])[0], rotation_matrix((z, w, x, y)), atol=1e-6)
