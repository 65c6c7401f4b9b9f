"""A reader of scene files in the shape of CLEVR, Super-CLEVR and PulseCheck457.

Positions and headings are taken over as they are; the camera, which the files do not give, is found from
where the files say that the objects appear in the picture.

Ref: PulseCheck457 §3.2; CLEVR §3.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fathom.geometry.cameras import look_at, project
from fathom.geometry.poses import yaw_quaternion
from fathom.records import AssetRef, Camera, DataError, Environment, Pose, Record, Scene, SceneObject
from fathom.records.scene import Vec3

CATEGORIES = {
    "suv": "car", "wagon": "car", "minivan": "car", "sedan": "car", "truck": "car", "addi": "car",
    "articulated": "bus", "regular": "bus", "double": "bus", "school": "bus",
    "chopper": "motorbike", "dirtbike": "motorbike", "scooter": "motorbike", "cruiser": "motorbike",
    "jet": "aeroplane", "fighter": "aeroplane", "biplane": "aeroplane", "airliner": "aeroplane",
    "road": "bicycle", "utility": "bicycle", "mountain": "bicycle", "tandem": "bicycle",
}  # fmt: skip

UNIT_BOXES_M: dict[str, tuple[float, float, float]] = {
    "suv": (0.3646, 0.8736, 0.3224), "wagon": (0.379, 0.8872, 0.263), "minivan": (0.3782, 0.8603, 0.3419),
    "sedan": (0.3528, 0.8964, 0.2685), "truck": (0.3554, 0.8906, 0.2837),
    "addi": (0.3528, 0.8964, 0.2685),
    "articulated": (0.1729, 0.9718, 0.1603), "regular": (0.2646, 0.9299, 0.2555),
    "double": (0.2161, 0.929, 0.3005), "school": (0.2027, 0.9491, 0.2411),
    "chopper": (0.2588, 0.8685, 0.4228), "dirtbike": (0.2925, 0.8293, 0.4761),
    "scooter": (0.3679, 0.7773, 0.5104), "cruiser": (0.281, 0.8444, 0.4561),
    "jet": (0.7609, 0.6082, 0.2262), "fighter": (0.6369, 0.7543, 0.1591),
    "biplane": (0.7423, 0.6087, 0.2802), "airliner": (0.6449, 0.7261, 0.2386),
    "road": (0.8583, 0.199, 0.4731), "utility": (0.7973, 0.297, 0.5254),
    "mountain": (0.8162, 0.3183, 0.4822), "tandem": (0.9121, 0.1572, 0.3787),
}  # fmt: skip
"""Extents along x, y and z of the published unit models, in metres; `addi` has the sedan's."""

SIZES = {"large": 3.5, "small": 1.8}
CLEVR_SIZES = {"large": 0.7, "small": 0.35}
PAPER_CAMERA_M = (7.4811, -6.5076, 5.3437)


class _Object(msgspec.Struct, kw_only=True):
    shape: str
    size: str
    color: str
    coords: list[float] = msgspec.field(name="3d_coords")
    rotation: float = 0.0
    pixel_coords: Any = None
    material: str | None = None
    parts: dict[str, dict[str, str]] = {}


class _Scene(msgspec.Struct, kw_only=True):
    objects: list[_Object]
    image_filename: str = ""
    image_index: int = -1
    split: str = ""
    directions: dict[str, list[float]] = {}
    relationships: dict[str, list[list[int]]] = {}


class _File(msgspec.Struct, kw_only=True):
    scenes: list[_Scene]


class ClevrScene(Record, frozen=True, kw_only=True):
    """A scene as it was published: ours, its axes on the ground, and its own relation lists."""

    scene: Scene
    directions: dict[str, tuple[float, ...]]
    relationships: dict[str, tuple[tuple[int, ...], ...]]


def read_scenes(path: Path) -> tuple[ClevrScene, ...]:
    """Return the scenes of one JSON file (one scene, or {"scenes": […]}).

    Raises DataError where the file is not such a file.
    """
    try:
        data = path.read_bytes()
        try:
            scenes = msgspec.json.decode(data, type=_File).scenes
        except msgspec.ValidationError:
            scenes = [msgspec.json.decode(data, type=_Scene)]
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as e:
        raise DataError(
            f"{path}: expected scenes as CLEVR or Super-CLEVR writes them, found {e}; "
            "give the file of scenes, not of questions"
        ) from e
    return tuple(_published(path, k, s) for k, s in enumerate(scenes))


def _published(path: Path, index: int, s: _Scene) -> ClevrScene:
    name = s.image_filename.rsplit(".", 1)[0] or f"{path.stem}-{index}"
    objects = tuple(_object(path, k, o) for k, o in enumerate(s.objects))
    scene = Scene(
        id=name,
        generator="clevr-file",
        version="1",
        seed="",
        objects=objects,
        cameras=(_camera(s),),
        environment=Environment(name="unknown"),
        directions=_directions(path, s),
        source={"file": path.name, "image": s.image_filename},
    )
    return ClevrScene(
        scene=scene,
        directions={k: tuple(v) for k, v in s.directions.items()},
        relationships={k: tuple(tuple(i) for i in v) for k, v in s.relationships.items()},
    )


def _directions(path: Path, s: _Scene) -> dict[str, Vec3]:
    """Return the unit directions of the four relation words, as far as the file gives them.

    Raises DataError where one is no direction on the ground.
    """
    found: dict[str, Vec3] = {}
    for word in ("left", "right", "front", "behind"):
        if word not in s.directions:
            continue
        axis = s.directions[word]
        if len(axis) != 3 or not np.isfinite(axis).all() or np.hypot(axis[0], axis[1]) < 0.5:
            raise DataError(
                f"{path}: the direction {word!r} is {axis}; expected three numbers, a vector of length 1 "
                "along the ground; give the file of scenes as it was published"
            )
        found[word] = (axis[0], axis[1], axis[2])
    return found


def _object(path: Path, k: int, o: _Object) -> SceneObject:
    known = o.shape in UNIT_BOXES_M
    factor = (SIZES if known else CLEVR_SIZES).get(o.size)
    if factor is None or len(o.coords) != 3 or not np.isfinite([*o.coords, o.rotation]).all():
        raise DataError(
            f"{path}: object {k} has size {o.size!r} and 3d_coords {o.coords}; expected large or small and "
            "three finite numbers"
        )
    category = CATEGORIES.get(o.shape, o.shape)
    x, y, z = UNIT_BOXES_M.get(o.shape, (2.0, 2.0, 2.0))
    length, width = (x, y) if category == "bicycle" else (y, x)
    turn = math.radians(o.rotation + (0.0 if category == "bicycle" or not known else 90.0))
    attributes = {"size": o.size, "color": o.color}
    if o.material:
        attributes["material"] = o.material
    return SceneObject(
        id=f"t{k}",
        category=category,
        subtype=o.shape,
        size_m=(length * factor, width * factor, z * factor),
        poses=(Pose(position_m=(o.coords[0], o.coords[1], 0.0), rotation_wxyz=yaw_quaternion(turn)),),
        asset=AssetRef(name=o.shape, sha256=""),
        attributes=attributes,
        parts=o.parts,
    )


def _camera(s: _Scene) -> Camera:
    """Return the camera that looks at the origin and sees the objects where the file says they are."""
    width, height, points, pixels = _observations(s)
    focal = 700.0 * width / 640

    def at(position: np.ndarray) -> Camera:
        x, y, z = (float(v) for v in position)
        return Camera(
            width=width,
            height=height,
            fx=focal,
            fy=focal,
            cx=width / 2,
            cy=height / 2,
            poses=(look_at((x, y, z), (0.0, 0.0, 0.0)),),
        )

    position = np.array(PAPER_CAMERA_M)
    if len(points) < 2:
        return at(position)
    for _ in range(12):  # Gauss-Newton on three unknowns; it settles in four or five steps
        seen = project(at(position), points)[0]
        columns = [(project(at(position + d), points)[0] - seen).ravel() / 1e-5 for d in np.eye(3) * 1e-5]
        step = np.linalg.lstsq(np.column_stack(columns), (pixels - seen).ravel(), rcond=None)[0]
        if not np.isfinite(step).all() or np.linalg.norm(step) > 3:
            return at(np.array(PAPER_CAMERA_M))
        position = position + step
    return at(position)


def _observations(s: _Scene) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Return the picture's size, the (n, 3) object centres and the (n, 2) pixels they appear at."""
    width, height = 640, 480
    points, pixels = [], []
    for o in s.objects:
        p = o.pixel_coords
        if isinstance(p, list) and len(p) == 2 and isinstance(p[0], list):
            (px, py, *_), (width, height) = p[0], p[1]
            points.append(o.coords)
            pixels.append((px, py))
    return int(width), int(height), np.array(points, dtype=float), np.array(pixels, dtype=float)
