"""A small film: a lorry drives past a block, and a ball is there from the third frame on."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from fathom.assets.model import Material, Model, Rgb
from fathom.assets.shapes import ellipsoid, moved, part
from fathom.geometry.poses import to_world
from fathom.geometry.views import fitted_orbit
from fathom.records import AssetRef, Environment, Pose, Scene, SceneObject
from tests.truth.street import at, block, lorry

FRAMES = 6
COMES = 2
RED: Rgb = (0.8, 0.06, 0.05)


def ball(radius_m: float = 0.3) -> Model:
    solid = moved(ellipsoid((0, 0, 0), (radius_m,) * 3), (0, 0, radius_m))
    return Model("ball", "prop", "ball", (part("ball", solid, Material("body", RED, roughness=0.6)),))


def objects() -> dict[str, tuple[Model, tuple[Pose, ...]]]:
    drive = tuple(at(-0.6 + 0.24 * k, 0.0, 0.1 * k) for k in range(FRAMES))
    return {
        "lorry": (lorry(), drive),
        "block": (block((0.5, 0.5, 0.9)), (at(0.2, -1.0),)),
        "ball": (ball(), (at(0.3, 1.0),)),
    }


def film(views: int = 4, size: int = 64, environment: str = "white") -> Scene:
    corners = []
    for model, poses in objects().values():
        points = [p.vertices for p in model.parts]
        corners += [c for pose in poses for c in (to_world(pose, v) for v in points)]
    return Scene(
        id="5c" * 16,
        generator="stories",
        version="1",
        seed="s",
        objects=tuple(
            SceneObject(
                id=name, category=model.category, subtype=model.subtype, size_m=model.extents, poses=poses,
                asset=AssetRef(name=model.name, sha256=""),
            )
            for name, (model, poses) in objects().items()
        ),
        cameras=fitted_orbit(
            np.concatenate(corners), math.radians(15), views, (size, size), math.radians(30)
        ),
        environment=Environment(name=environment, ground="asphalt"),
        times_s=tuple(k / 12 for k in range(FRAMES)),
    )  # fmt: skip


def models_at(frame: int) -> Mapping[str, Model]:
    """The models of what is there: the ball comes late."""
    return {name: m for name, (m, _) in objects().items() if name != "ball" or frame >= COMES}
