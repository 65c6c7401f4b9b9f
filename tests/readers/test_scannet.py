"""ScanNet as it lies on disk: what is read, what is mended, and which faults are named."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest

from fathom.formats.recordings import ReadSettings, Recording, pictures, read, videos
from fathom.formats.recordings.scannet_boxes import box_about
from fathom.geometry.cameras import project
from fathom.records import InputError
from tests.readers import made
from tests.readers.made import Array


def one(folder: Path, settings: ReadSettings | None = None) -> Recording:
    (recording,) = read("scannet", folder, settings)
    return recording


def reasons(recording: Recording) -> str:
    return "\n".join(f"{f.outcome}: {f.reason}" for f in recording.report.findings)


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return made.scannet(tmp_path)


def test_a_scan_is_a_scene_along_the_walls_with_a_pose_and_a_picture_a_frame(scan: Path) -> None:
    recording = one(scan)
    scene = recording.scene
    assert scene.source["setting"] == "indoor" and scene.source["video"] == made.SCAN
    assert len(scene.times_s) == len(recording.frames) == len(scene.cameras[0].poses) == 24
    assert scene.times_s[3] == pytest.approx(0.1, abs=1e-6)
    for i, pose in enumerate(scene.cameras[0].poses):
        assert np.allclose(pose.position_m, made.scan_poses(24)[i][:3, 3], atol=1e-5)
        assert pose.valid and pose.position_sigma_m == 0.02
    objects = {t.attributes["name"]: t for t in scene.objects}
    assert objects["wall"].category == "structure"
    assert np.allclose(objects["table"].size_m, (1.2, 0.8, 0.75), atol=1e-4)
    assert np.allclose(objects["table"].poses[0].position_m, (1.6, 1.4, 0.0), atol=1e-4)
    assert objects["table"].attributes["front"] == "unknown"


def test_a_corner_of_the_chair_is_seen_where_the_camera_and_the_box_say(scan: Path) -> None:
    scene = one(scan).scene
    pixel, depth = project(scene.cameras[0], np.array([[3.0, 2.4, 0.9]]), frame=5)
    local = np.linalg.inv(made.scan_poses(24)[5]) @ (3.0, 2.4, 0.9, 1.0)
    k = made.lens(made.COLOR)
    assert depth[0] == pytest.approx(local[2], abs=1e-4)
    assert pixel[0, 0] == pytest.approx(k[0, 0] * local[0] / local[2] + k[0, 2] + 0.5, abs=1e-2)


def test_a_container_reads_as_the_folder_that_is_exported_from_it(tmp_path: Path) -> None:
    from_folder, from_sens = one(made.scannet(tmp_path / "a", 12)), one(made.sens(tmp_path / "b", 12))
    assert [t.size_m for t in from_folder.scene.objects] == [t.size_m for t in from_sens.scene.objects]
    for a, b in zip(from_folder.scene.cameras[0].poses, from_sens.scene.cameras[0].poses, strict=True):
        assert np.allclose(a.position_m, b.position_m, atol=1e-5)
    seen = [[data for _, data in pictures(r.frames)] for r in (from_folder, from_sens)]
    assert seen[0] == seen[1]


def test_stamps_of_a_container_are_its_clock(tmp_path: Path) -> None:
    recording = one(made.sens(tmp_path, 12, stamps=lambda i: 7_000_000 + 40_000 * i))
    assert recording.scene.source["clock"] == "stated"
    assert recording.scene.times_s[5] == pytest.approx(0.2)


@pytest.mark.parametrize("stamps", [lambda i: 9_000_000, lambda i: 500 - i, lambda i: 10**15 * (i % 3)])
def test_a_clock_that_stands_still_or_jumps_is_replaced_by_counting(tmp_path: Path, stamps: object) -> None:
    assert callable(stamps)
    recording = one(made.sens(tmp_path, 12, stamps=stamps))
    assert recording.scene.source["clock"] == "counted"
    assert "clock" in reasons(recording)
    assert recording.scene.times_s[3] == pytest.approx(0.1, abs=1e-6)


def test_poses_of_minus_infinity_are_missing_and_said_to_be(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: np.full((4, 4), -np.inf) if i in (4, 5) else m)
    recording = one(scan)
    poses = recording.scene.cameras[0].poses
    assert [i for i, p in enumerate(poses) if not p.valid] == [4, 5]
    assert recording.report.poses_missing == 2 and "a pose that is missing" in reasons(recording)
    assert poses[4].position_m == poses[3].position_m and poses[5].position_m == poses[6].position_m


def test_no_pose_at_all_is_refused(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: np.full((4, 4), -np.inf))
    with pytest.raises(InputError, match="no frame has a pose; export the poses again"):
        one(scan)


def test_frames_without_a_picture_or_a_pose_file_are_reported(scan: Path) -> None:
    (scan / "color" / "7.jpg").unlink()
    (scan / "pose" / "9.txt").unlink()
    recording = one(scan)
    assert len(recording.frames) == 23 and recording.report.frames_read == 24
    assert "left out: a frame without its picture" in reasons(recording)
    assert "without a pose file" in reasons(recording)
    assert 7 not in [f.number for f in recording.frames]
    assert recording.scene.times_s[7] == pytest.approx(8 / 30, abs=1e-5)


def test_poses_that_are_inverted_are_named(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: np.asarray(np.linalg.inv(m)))
    with pytest.raises(InputError, match=r"poses are inverted.*set poses to world-to-camera"):
        one(scan)
    mended = one(scan, ReadSettings(poses="world-to-camera"))
    assert np.allclose(mended.scene.cameras[0].poses[0].position_m, (0.5, 0.5, 1.5), atol=1e-4)


def test_left_handed_poses_are_named(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: m @ np.diag([1.0, -1.0, 1.0, 1.0]))
    with pytest.raises(InputError, match=r"left-handed.*negate the axis"):
        one(scan)


def test_one_left_handed_pose_is_passed_over(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: m @ np.diag([1.0, -1, 1, 1]) if i == 3 else m)
    assert "a left-handed pose" in reasons(one(scan))


def test_transposed_poses_are_named(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: m.T)
    with pytest.raises(InputError, match="transposed"):
        one(scan)


def _millimetres(i: int, m: Array) -> Array:
    return np.asarray(np.block([[m[:3, :3], 1000 * m[:3, 3:]], [m[3:]]]))


def test_millimetres_for_metres_are_named_and_can_be_set(scan: Path) -> None:
    made.rewrite_poses(scan, _millimetres)
    with pytest.raises(InputError, match=r"millimeters written as meters.*unit_m to 0.001"):
        one(scan)
    mended = one(scan, ReadSettings(unit_m=0.001))
    assert np.allclose(mended.scene.cameras[0].poses[0].position_m, (0.5, 0.5, 1.5), atol=1e-4)


def test_shuffled_poses_are_named(scan: Path) -> None:
    order = np.random.Generator(np.random.PCG64(1)).permutation(24)
    known = {i: made.scanned() @ made.scan_poses(24)[int(order[i])] for i in range(24)}
    made.rewrite_poses(scan, lambda i, m: known[i])
    with pytest.raises(InputError, match=r"faster than .* m/s.*shuffled.*put them in the order"):
        one(scan)


def test_a_single_pose_off_the_path_is_passed_over(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: m + _aside(3.0) if i == 11 else m)
    recording = one(scan)
    assert not recording.scene.cameras[0].poses[11].valid
    assert "jumps away from the path" in reasons(recording)


def _aside(metres: float) -> Array:
    shift = np.zeros((4, 4))
    shift[0, 3] = metres
    return shift


def test_a_frame_that_doubles_the_one_before_is_left_out(scan: Path) -> None:
    shutil.copy(scan / "color" / "5.jpg", scan / "color" / "6.jpg")
    shutil.copy(scan / "pose" / "5.txt", scan / "pose" / "6.txt")
    recording = one(scan)
    assert len(recording.frames) == 23 and "doubles the one before" in reasons(recording)


def test_two_files_of_one_frame_count_once(scan: Path) -> None:
    shutil.copy(scan / "color" / "5.jpg", scan / "color" / "0005.jpg")
    recording = one(scan)
    assert len(recording.frames) == 24 and "a second file of one frame" in reasons(recording)


def test_an_empty_annotation_gives_a_scene_without_objects(scan: Path) -> None:
    path = scan / f"{made.SCAN}.aggregation.json"
    path.write_text(json.dumps({"sceneId": "x", "segGroups": []}))
    recording = one(scan)
    assert recording.scene.objects == () and "an empty annotation" in reasons(recording)


def test_annotation_of_another_mesh_is_refused(scan: Path) -> None:
    path = scan / f"{made.SCAN}_vh_clean_2.0.010000.segs.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "segIndices": value["segIndices"][:-5]}))
    with pytest.raises(InputError, match="different meshes; fetch both from the same release"):
        one(scan)


def test_smaller_pictures_get_their_intrinsics_scaled(scan: Path) -> None:
    facts = scan / f"{made.SCAN}.txt"
    twice = facts.read_text().replace("colorWidth = 64", "colorWidth = 128").replace("= 48", "= 96")
    facts.write_text(twice)
    (scan / "intrinsic" / "intrinsic_color.txt").write_text(made.rows_of(made.lens((128, 96))))
    recording = one(scan)
    camera = recording.scene.cameras[0]
    assert camera.fx == pytest.approx(0.9 * 64) and camera.cx == pytest.approx(32.0)
    assert "intrinsics scaled" in reasons(recording)


def without_stated_size(scan: Path) -> None:
    facts = scan / f"{made.SCAN}.txt"
    lines = [line for line in facts.read_text().splitlines() if not line.startswith("color")]
    facts.write_text("\n".join(lines))


def test_intrinsics_of_the_released_pictures_are_scaled_and_that_is_said(scan: Path) -> None:
    """No text says of which size they are: the principal point does."""
    without_stated_size(scan)
    (scan / "intrinsic" / "intrinsic_color.txt").write_text(made.rows_of(made.lens((1296, 968))))
    recording = one(scan)
    camera = recording.scene.cameras[0]
    assert camera.fx == pytest.approx(0.9 * 64, rel=0.01) and camera.cx == pytest.approx(32.0, abs=0.5)
    assert "intrinsics scaled" in reasons(recording)


def test_intrinsics_of_pictures_of_an_unknown_size_are_refused(scan: Path) -> None:
    without_stated_size(scan)
    (scan / "intrinsic" / "intrinsic_color.txt").write_text(made.rows_of(made.lens((90, 68))))
    with pytest.raises(InputError, match="far from the middle of pictures of 64 × 48"):
        one(scan)


def test_depth_that_shows_another_room_is_noted(scan: Path) -> None:
    made.rewrite_poses(scan, lambda i, m: made.matrix((0.2, 0.1, 0.4), made.yaw(2.0)) @ m)
    assert "do not agree" in reasons(one(scan))


def test_a_container_that_is_cut_off_gives_the_frames_before_the_cut(tmp_path: Path) -> None:
    folder = made.sens(tmp_path, 12)
    path = folder / f"{made.SCAN}.sens"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 3000])
    recording = one(folder)
    assert 0 < len(recording.frames) < 12 and "cut off" in reasons(recording)


def test_a_container_that_claims_more_than_it_has_is_refused(tmp_path: Path) -> None:
    folder = made.sens(tmp_path, 2)
    path = folder / f"{made.SCAN}.sens"
    data = bytearray(path.read_bytes())
    at = 4 + 8 + len(b"StructureSensor") + 256 + 28
    struct.pack_into("<Q", data, at, 2**60)
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="frames, at most"):
        one(folder)


def test_links_that_lead_out_are_passed_over(scan: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jpg"
    shutil.move(scan / "color" / "3.jpg", outside)
    (scan / "color" / "3.jpg").symlink_to(outside)
    recording = one(scan)
    assert "a link that leads out of the folder" in reasons(recording)
    assert all(f.picture.path.resolve().is_relative_to(scan.resolve()) for f in recording.frames)


@pytest.mark.parametrize("what", ["color", "intrinsic", "intrinsic/intrinsic_color.txt"])
def test_nothing_is_read_through_links_that_lead_out(scan: Path, tmp_path: Path, what: str) -> None:
    shutil.move(scan / what, tmp_path / "elsewhere")
    (scan / what).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"leads out|found neither"):
        one(scan)


def test_a_container_behind_a_link_that_leads_out_is_none(tmp_path: Path) -> None:
    folder = made.sens(tmp_path, 2)
    shutil.move(folder / f"{made.SCAN}.sens", tmp_path / "elsewhere.sens")
    (folder / f"{made.SCAN}.sens").symlink_to(tmp_path / "elsewhere.sens")
    with pytest.raises(InputError, match="found neither"):
        one(folder)


def test_an_oriented_box_is_the_smallest_about_the_points() -> None:
    flat = np.array([[x, y, z] for x in (0, 2.0) for y in (0, 1.0) for z in (0, 1.5)])
    box = box_about(flat @ made.yaw(0.6).T + (3, 4, 0), oriented=True)
    assert np.allclose(box.size_m, (2.0, 1.0, 1.5), atol=1e-3)
    assert box.heading_rad == pytest.approx(0.6, abs=1e-3)
    assert np.allclose(box.base_m, np.append(made.yaw(0.6)[:2, :2] @ (1.0, 0.5) + (3, 4), 0.0), atol=1e-3)


def test_a_folder_of_scans_gives_each_and_one_that_is_refused_stops_no_other(tmp_path: Path) -> None:
    made.scannet(tmp_path)
    other = tmp_path / "scene0001_00"
    (other / "color").mkdir(parents=True)
    assert [v.name for v in videos("scannet", tmp_path)] == [made.SCAN, "scene0001_00"]
    refused: list[str] = []
    found = list(read("scannet", tmp_path, refused=lambda video, error: refused.append(video.name)))
    assert len(found) == 1 and refused == ["scene0001_00"]


def test_nothing_to_read_is_said_with_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder with color/"):
        videos("scannet", tmp_path)
    with pytest.raises(InputError, match="expected one of omni6dpose, scannet, waymo"):
        videos("kitti", tmp_path)
