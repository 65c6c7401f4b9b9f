"""Small recordings written in exactly the published layouts, of worlds that are known."""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fathom.geometry.cameras import look_at
from fathom.geometry.poses import quaternion, rotation_matrix

Array = NDArray[np.float64]


def matrix(position: tuple[float, float, float] | Array, rotation: Array) -> Array:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = rotation, position
    return made


def looking(eye: tuple[float, float, float], target: tuple[float, float, float]) -> Array:
    """Return world from camera (4, 4), OpenCV's axes."""
    pose = look_at(eye, target)
    return matrix(eye, rotation_matrix(pose.rotation_wxyz))


def yaw(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def picture(number: int, size: tuple[int, int], form: str) -> bytes:
    """Return a picture that no other frame has."""
    pixels = np.zeros((size[1], size[0], 3), dtype=np.uint8)
    pixels[:, :, 0] = np.linspace(0, 200, size[0]).astype(np.uint8)[None, :]
    pixels[:, :, 1] = (number * 37) % 256
    pixels[0, number % size[0]] = 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, form)
    return out.getvalue()


# ScanNet: a room of 5 × 4 × 2.5 m, whose frame is turned against its walls, with a table and a chair in it.

SCAN = "scene0000_00"
COLOR, DEPTH = (64, 48), (40, 30)
ROOM = np.array([5.0, 4.0, 2.5])
FURNITURE = {"table": ((1.0, 1.0, 0.0), (2.2, 1.8, 0.75)), "chair": ((3.0, 2.4, 0.0), (3.5, 2.9, 0.9))}
TURN = 0.4
"""How far the scan's own frame is turned about the vertical against the walls."""


def lens(size: tuple[int, int]) -> Array:
    made = np.eye(4)
    made[0, 0] = made[1, 1] = 0.9 * size[0]
    made[0, 2], made[1, 2] = size[0] / 2 - 0.5, size[1] / 2 - 0.5
    return made


def scan_poses(frames: int) -> list[Array]:
    """Return world from camera in the aligned room: a walk along one side that looks at the furniture."""
    return [
        looking((0.5 + 0.03 * i, 0.5 + 0.005 * i, 1.5 + 0.005 * np.sin(i)), (2.5, 2.0, 0.5))
        for i in range(frames)
    ]


def scanned() -> Array:
    """Return world from aligned: what takes the room to the scan's own frame."""
    return matrix((1.0, -2.0, 0.3), yaw(TURN))


def _depth(pose: Array) -> NDArray[np.uint16]:
    k = lens(DEPTH)
    u, v = np.meshgrid(np.arange(DEPTH[0]), np.arange(DEPTH[1]))
    rays = np.stack([(u - k[0, 2]) / k[0, 0], (v - k[1, 2]) / k[1, 1], np.ones(u.shape)], axis=-1)
    way = rays @ pose[:3, :3].T
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    eye = pose[:3, 3]
    best = np.maximum((0 - eye) / way, (ROOM - eye) / way).min(axis=-1)
    for low, high in FURNITURE.values():
        a, b = (np.array(low) - eye) / way, (np.array(high) - eye) / way
        near, far = np.minimum(a, b).max(axis=-1), np.maximum(a, b).min(axis=-1)
        best = np.where((near < far) & (near > 0), np.minimum(best, near), best)
    return np.asarray(np.round(best * 1000), dtype=np.uint16)


def _surface(low: Array, high: Array, n: int) -> Array:
    """Return points on the six sides of a box, corners included."""
    t = np.linspace(0, 1, n)
    a, b = (g.ravel() for g in np.meshgrid(t, t))
    sides = []
    for axis in range(3):
        for end in (0.0, 1.0):
            side = np.empty((n * n, 3))
            side[:, axis], side[:, (axis + 1) % 3], side[:, (axis + 2) % 3] = end, a, b
            sides.append(side)
    return np.asarray(low + np.concatenate(sides) * (high - low))


def mesh() -> tuple[Array, list[int], list[dict[str, Any]]]:
    """Return vertices in the scan's frame, the segment of each, and the groups."""
    parts = [("wall", _surface(np.zeros(3), ROOM, 24))]
    parts += [(name, _surface(np.array(low), np.array(high), 9)) for name, (low, high) in FURNITURE.items()]
    points = np.concatenate([p for _, p in parts])
    segment = [s for i, (_, p) in enumerate(parts) for s in (10 * i + j % 3 for j in range(len(p)))]
    groups = [
        {"id": i, "objectId": i, "segments": [10 * i, 10 * i + 1, 10 * i + 2], "label": name}
        for i, (name, _) in enumerate(parts)
    ]
    world = scanned()
    return points @ world[:3, :3].T + world[:3, 3], segment, groups


def annotate(folder: Path) -> None:
    points, segment, groups = mesh()
    header = (
        "ply\nformat binary_little_endian 1.0\ncomment VCGLIB generated\n"
        f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
        "element face 0\nproperty list uchar int vertex_indices\nend_header\n"
    )
    kinds = [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("rgba", "u1", 4)]
    rows = np.zeros(len(points), dtype=kinds)
    for i, axis in enumerate("xyz"):
        rows[axis] = points[:, i]
    (folder / f"{SCAN}_vh_clean_2.ply").write_bytes(header.encode() + rows.tobytes())
    segments = {"params": {"kThresh": "0.01"}, "sceneId": SCAN, "segIndices": segment}
    (folder / f"{SCAN}_vh_clean_2.0.010000.segs.json").write_text(json.dumps(segments))
    aggregation = {
        "sceneId": f"scannet.{SCAN}", "appId": "Aggregator.v2", "segGroups": groups,
        "segmentsFile": f"scannet.{SCAN}_vh_clean_2.0.010000.segs.json",
    }  # fmt: skip
    (folder / f"{SCAN}.aggregation.json").write_text(json.dumps(aggregation))
    align = np.linalg.inv(scanned())
    facts = [
        "axisAlignment = " + " ".join(f"{v:.6f}" for v in align.ravel()),
        f"colorHeight = {COLOR[1]}", f"colorWidth = {COLOR[0]}", "sceneType = Office",
    ]  # fmt: skip
    (folder / f"{SCAN}.txt").write_text("\n".join(facts) + "\n")


def rows_of(values: Array) -> str:
    return "".join(" ".join(f"{v:.6f}" for v in row) + "\n" for row in values)


def scannet(root: Path, frames: int = 24) -> Path:
    """Write a scan as the exporter and the release leave it, and return its folder."""
    folder = root / SCAN
    for inner in ("color", "depth", "pose", "intrinsic"):
        (folder / inner).mkdir(parents=True)
    for i, pose in enumerate(scan_poses(frames)):
        (folder / "color" / f"{i}.jpg").write_bytes(picture(i, COLOR, "JPEG"))
        Image.fromarray(_depth(pose)).save(folder / "depth" / f"{i}.png")
        (folder / "pose" / f"{i}.txt").write_text(rows_of(scanned() @ pose))
    for name, size in (("color", COLOR), ("depth", DEPTH)):
        (folder / "intrinsic" / f"intrinsic_{name}.txt").write_text(rows_of(lens(size)))
        (folder / "intrinsic" / f"extrinsic_{name}.txt").write_text(rows_of(np.eye(4)))
    annotate(folder)
    return folder


def rewrite_poses(folder: Path, change: Callable[[int, Array], Array | None]) -> None:
    """Replace each pose file of a scan; None takes it away."""
    for path in (folder / "pose").iterdir():
        made = change(int(path.stem), np.loadtxt(path))
        if made is None:
            path.unlink()
        else:
            path.write_text(rows_of(made))


def sens(root: Path, frames: int = 12, stamps: Callable[[int], int] = lambda i: 0) -> Path:
    """Write a scan as a .sens container beside its annotation, and return its folder."""
    folder = root / SCAN
    folder.mkdir(parents=True)
    name = b"StructureSensor"
    data = struct.pack("<IQ", 4, len(name)) + name
    for m in (lens(COLOR), np.eye(4), lens(DEPTH), np.eye(4)):
        data += m.astype("<f4").tobytes()
    data += struct.pack("<iiIIIIfQ", 2, 1, *COLOR, *DEPTH, 1000.0, frames)
    for i, pose in enumerate(scan_poses(frames)):
        color, depth = picture(i, COLOR, "JPEG"), zlib.compress(_depth(pose).astype("<u2").tobytes())
        data += (scanned() @ pose).astype("<f4").tobytes()
        data += struct.pack("<QQQQ", stamps(i), stamps(i), len(color), len(depth)) + color + depth
    (folder / f"{SCAN}.sens").write_bytes(data)
    annotate(folder)
    return folder


# Waymo: a car at 10 m/s past parked cars; one car drives ahead.

SEGMENT = "1005081002024129653_5313_150_5333_150"
START_US = 1_510_593_600_000_000
CAR = (4.5, 1.9, 1.6)
LATE_US = 40_000
"""How long after the sweep's beginning the front camera takes its picture."""

Tables = dict[str, dict[str, list[Any]]]


def driven(t: float) -> Array:
    """Return world from vehicle: far from the origin, as in the dataset, along a slight turn."""
    heading = 0.7 + 0.02 * t
    along = np.array([np.cos(0.7), np.sin(0.7), 0.0]) * 10.0 * t
    return matrix(np.array([14_000.0, -9_000.0, 25.0]) + along, yaw(heading))


def mount() -> Array:
    """Return vehicle from camera, in the camera's own axes: x forward, y left, z up."""
    return matrix((1.54, 0.0, 2.1), yaw(0.01))


WAYMO_SIZE = (96, 64)
WAYMO_LENS = (100.0, 100.0, 47.5, 31.5)


def parked() -> dict[str, tuple[Array, float]]:
    """Return the middles of parked cars in the world, and their headings."""
    first = driven(0.0)
    places = [(18.0 + 6.0 * i, (4.0 if i % 2 else -4.0), 0.8) for i in range(6)]
    return {f"parked-{i}": (first[:3, :3] @ np.array(p) + first[:3, 3], 0.7) for i, p in enumerate(places)}


def ahead(t: float) -> Array:
    """Return where the car ahead is: at 12 m/s."""
    first = driven(0.0)
    return np.asarray(first[:3, :3] @ np.array([15.0 + 12.0 * t, 0.0, 0.8]) + first[:3, 3])


def waymo_tables(frames: int = 12) -> Tables:
    """Return the components of one segment, column by column."""
    of = {
        c: f"[{c}Component]."
        for c in ("CameraImage", "CameraCalibration", "VehiclePose", "LiDARBox", "ProjectedLiDARBox")
    }
    tables: Tables = {
        c: {}
        for c in ("camera_image", "camera_calibration", "vehicle_pose", "lidar_box", "projected_lidar_box")
    }

    def add(table: str, **cells: Any) -> None:
        for column, cell in {"key.segment_context_name": SEGMENT, **cells}.items():
            tables[table].setdefault(column, []).append(cell)

    for camera in (2, 1):
        inner = dict(zip(("f_u", "f_v", "c_u", "c_v"), WAYMO_LENS, strict=True)) | dict.fromkeys(
            ("k1", "k2", "p1", "p2", "k3"), 0.01
        )
        add(
            "camera_calibration",
            **{"key.camera_name": camera},
            **{f"{of['CameraCalibration']}intrinsic.{k}": v for k, v in inner.items()},
            **{f"{of['CameraCalibration']}extrinsic.transform": mount().ravel().tolist()},
            **{
                f"{of['CameraCalibration']}width": WAYMO_SIZE[0],
                f"{of['CameraCalibration']}height": WAYMO_SIZE[1],
            },
            **{f"{of['CameraCalibration']}rolling_shutter_direction": 4},
        )
    for i in range(frames):
        stamp, t = START_US + 100_000 * i, 0.1 * i
        now = driven(t)
        key = {"key.frame_timestamp_micros": stamp}
        add(
            "vehicle_pose",
            **key,
            **{f"{of['VehiclePose']}world_from_vehicle.transform": now.ravel().tolist()},
        )
        for camera in (1, 2):
            add(
                "camera_image",
                **key,
                **{
                    "key.camera_name": camera,
                    f"{of['CameraImage']}image": picture(i + 50 * camera, WAYMO_SIZE, "JPEG"),
                },
                **{f"{of['CameraImage']}pose.transform": driven(t + LATE_US / 1e6).ravel().tolist()},
                **{f"{of['CameraImage']}pose_timestamp": (stamp + LATE_US) / 1e6},
            )
        cars = {n: (p, h, 0.0) for n, (p, h) in parked().items()} | {"ahead": (ahead(t), 0.7, 12.0)}
        for name, (at, heading, speed) in cars.items():
            local = now[:3, :3].T @ (at - now[:3, 3])
            box = dict(zip("xyz", local.tolist(), strict=True))
            goes = np.array([np.cos(0.7), np.sin(0.7), 0.0]) * speed
            add(
                "lidar_box",
                **key,
                **{"key.laser_object_id": name, f"{of['LiDARBox']}type": 1},
                **{f"{of['LiDARBox']}box.center.{a}": v for a, v in box.items()},
                **{f"{of['LiDARBox']}box.size.{a}": v for a, v in zip("xyz", CAR, strict=True)},
                **{f"{of['LiDARBox']}box.heading": heading - 0.7 - 0.02 * t},
                **{f"{of['LiDARBox']}speed.{a}": v for a, v in zip("xyz", goes.tolist(), strict=True)},
            )
            seen = mount()[:3, :3].T @ (local - mount()[:3, 3])
            if seen[0] < 3:
                continue
            fu, fv, cu, cv = WAYMO_LENS
            add(
                "projected_lidar_box",
                **key,
                **{"key.camera_name": 1, "key.laser_object_id": name, f"{of['ProjectedLiDARBox']}type": 1},
                **{f"{of['ProjectedLiDARBox']}box.center.x": cu - fu * seen[1] / seen[0]},
                **{f"{of['ProjectedLiDARBox']}box.center.y": cv - fv * seen[2] / seen[0]},
                **{f"{of['ProjectedLiDARBox']}box.size.x": 2.5 * fu / seen[0]},
                **{f"{of['ProjectedLiDARBox']}box.size.y": 1.6 * fv / seen[0]},
            )
    return tables


def waymo(root: Path, change: Callable[[Tables], None] = lambda tables: None, frames: int = 12) -> Path:
    """Write the components of one segment, changed by `change`, and return the folder."""
    tables = waymo_tables(frames)
    change(tables)
    return write_waymo(root, tables)


def write_waymo(root: Path, tables: Tables) -> Path:
    """Write components as Parquet files, and return the folder."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for component, columns in tables.items():
        folder = root / component
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), folder / f"{SEGMENT}.parquet", row_group_size=9)
    return root


# Omni6DPose: five objects on a table, a camera that goes about them.

OBJECTS: dict[str, tuple[str, tuple[float, float, float], tuple[float, float, float], float]] = {
    "omniobject3d-mug_001": ("mug", (0.12, 0.10, 0.08), (0.00, 0.00, 0.0), 0.3),
    "google_scan-shoe_014": ("shoe", (0.10, 0.11, 0.28), (0.25, 0.05, 0.0), 1.9),
    "omniobject3d-bottle_003": ("bottle", (0.07, 0.24, 0.07), (-0.15, 0.20, 0.0), -0.8),
    "real-box_002": ("box", (0.20, 0.09, 0.14), (0.10, -0.25, 0.0), 2.7),
    "phocal-bowl_005": ("bowl", (0.16, 0.07, 0.16), (-0.20, -0.12, 0.0), 0.0),
}
"""Class, size along the object's own axes (y up), where it stands, and its heading."""

DESK_SIZE = (64, 36)
DESK_LENS = {"fx": 60.0, "fy": 60.0, "cx": 31.5, "cy": 17.5, "width": 64, "height": 36}
Y_UP = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
"""Takes the dataset's object axes (y up) to those with x forward, y left, z up."""


def desk_pose(oid: str) -> Array:
    """Return table from object, the object's middle its origin, y up."""
    _, size, at, heading = OBJECTS[oid]
    return matrix((at[0], at[1], size[1] / 2), yaw(heading) @ Y_UP)


def desk_camera(i: int) -> Array:
    angle = -1.6 + 0.02 * i
    return looking((0.8 * np.cos(angle), 0.8 * np.sin(angle), 0.55 + 0.004 * i), (0.0, 0.0, 0.05))


def desk_metas(frames: int = 14, noise_m: float = 0.0) -> list[dict[str, Any]]:
    """Return the meta file of each frame; `noise_m` is how far an annotation strays."""
    stray = np.random.Generator(np.random.PCG64(5))
    metas: list[dict[str, Any]] = []
    for i in range(frames):
        objects = {}
        for k, (oid, (noun, size, _, _)) in enumerate(OBJECTS.items()):
            local = np.linalg.inv(desk_camera(i)) @ desk_pose(oid)
            local[:3, 3] += noise_m * stray.normal(size=3)
            objects[f"{k + 1}_{oid}"] = {
                "meta": {
                    "oid": oid, "class_name": noun, "class_label": k + 1, "instance_path": oid,
                    "scale": [1.0, 1.0, 1.0], "is_background": False, "bbox_side_len": list(size),
                },
                "quaternion_wxyz": list(quaternion(local[:3, :3])), "translation": local[:3, 3].tolist(),
                "is_valid": True, "id": k + 1, "material": [], "world_quaternion_wxyz": [1.0, 0.0, 0.0, 0.0],
                "world_translation": [0.0, 0.0, 0.0],
            }  # fmt: skip
        metas.append(
            {
                "objects": objects,
                "camera": {
                    "quaternion": [1.0, 0.0, 0.0, 0.0], "translation": [0.0, 0.0, 0.0],
                    "intrinsics": DESK_LENS,
                    "scene_obj_path": "", "background_image_path": "", "background_depth_path": "",
                    "distances": [], "kind": "",
                },
                "scene_dataset": "real", "env_param": {}, "face_up": True, "concentrated": False,
                "comments": "",
                "runtime_seed": -1, "baseline_dis": 0, "emitter_dist_l": 0,
            }
        )  # fmt: skip
    return metas


def omni6dpose(
    root: Path,
    change: Callable[[list[dict[str, Any]]], None] = lambda metas: None,
    noise_m: float = 0.0,
    frames: int = 14,
) -> Path:
    """Write one scene of ROPE, changed by `change`, and return its folder."""
    folder = root / "000123"
    folder.mkdir(parents=True)
    metas = desk_metas(frames, noise_m)
    change(metas)
    for i, meta in enumerate(metas):
        (folder / f"{i:06d}_meta.json").write_text(json.dumps(meta))
        (folder / f"{i:06d}_color.png").write_bytes(picture(i, DESK_SIZE, "PNG"))
        (folder / f"{i:06d}_depth.exr").write_bytes(b"v/1\x01")
        (folder / f"{i:06d}_mask.exr").write_bytes(b"v/1\x01")
    return folder
