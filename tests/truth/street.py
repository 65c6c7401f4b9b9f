"""Small worlds of simple solids, quick to make, for the tests of what is seen."""

from __future__ import annotations

import math

from fathom.assets.model import Material, Model, Rgb
from fathom.assets.shapes import box, ellipsoid, moved, part
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import yaw_quaternion
from fathom.records import AssetRef, Camera, Environment, Pose, Scene, SceneObject
from fathom.store.seeds import rng

SLATE: Rgb = (0.3, 0.35, 0.4)
Eye = tuple[float, float, float]


def lorry(length_m: float = 1.6, paint: Rgb = SLATE) -> Model:
    """A block with a cabin in front and a ball on top: no two headings of it look the same."""
    width, height = length_m * 0.45, length_m * 0.4
    bed = box((-0.1 * length_m, 0, 0.5 * height), (0.8 * length_m, width, height))
    cabin = box((0.4 * length_m, 0, 0.35 * height), (0.2 * length_m, 0.9 * width, 0.7 * height))
    ball = moved(ellipsoid((0, 0, 0), (0.2 * width,) * 3), (-0.2 * length_m, 0.2 * width, 1.1 * height))
    body, dark = Material("body", paint, roughness=0.5), Material("dark", (0.05, 0.05, 0.06))
    return Model(
        "lorry",
        "car",
        "lorry",
        (part("bed", bed, body), part("cabin", cabin, dark), part("ball", ball, body)),
    )


def block(size_m: tuple[float, float, float], paint: Rgb = SLATE) -> Model:
    """A plain block on the ground."""
    solid = box((0, 0, size_m[2] / 2), size_m)
    return Model("block", "car", "block", (part("block", solid, Material("body", paint, roughness=0.6)),))


def at(x_m: float, y_m: float, heading_rad: float = 0.0) -> Pose:
    return Pose(position_m=(x_m, y_m, 0.0), rotation_wxyz=yaw_quaternion(heading_rad))


def obj(name: str, model: Model, pose: Pose) -> SceneObject:
    return SceneObject(
        id=name, category=model.category, subtype=model.subtype, size_m=model.extents, poses=(pose,),
        asset=AssetRef(name=model.name, sha256=""),
    )  # fmt: skip


def camera(
    width: int = 160, height: int = 120, eye_m: Eye = (7.5, -6.5, 5.3), focal: float = 700 / 640
) -> Camera:
    return Camera(
        width=width, height=height, fx=focal * width, fy=focal * width, cx=width / 2, cy=height / 2,
        poses=(look_at(eye_m, (0.0, 0.0, 0.0)),),
    )  # fmt: skip


def world(
    placed: dict[str, tuple[Model, Pose]], seen_from: Camera | None = None
) -> tuple[Scene, dict[str, Model]]:
    scene = Scene(
        id="street", generator="test", version="1", seed="1",
        objects=tuple(obj(name, model, pose) for name, (model, pose) in placed.items()),
        cameras=(seen_from or camera(),), environment=Environment(name="sky:veiled-sun", ground="asphalt"),
    )  # fmt: skip
    return scene, {name: model for name, (model, _) in placed.items()}


def street(seed: int, count: int = 6, seen_from: Camera | None = None) -> tuple[Scene, dict[str, Model]]:
    """Lorries of two sizes at random, apart from one another: some hide others."""
    g = rng("street", seed)
    placed: dict[str, tuple[Model, Pose]] = {}
    taken: list[tuple[float, float, float]] = []
    while len(placed) < count:
        x, y, heading = (float(v) for v in g.uniform((-3, -3, 0), (3, 3, 2 * math.pi)))
        length = 2.4 if g.random() < 0.3 else 1.2
        if all(math.hypot(x - u, y - v) > 0.56 * (length + m) for u, v, m in taken):
            taken.append((x, y, length))
            placed[f"lorry{len(placed)}"] = (lorry(length), at(x, y, heading))
    return world(placed, seen_from)
