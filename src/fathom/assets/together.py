"""Several models made one, where they stand: what does not move is looked at and painted as one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.model import Model, Part
from fathom.geometry.poses import rotation_matrix, to_world
from fathom.records import AssetRef, Pose, Scene, SceneObject

_HERE = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0))


def together(
    name: str, objects: Sequence[SceneObject], models: Mapping[str, Model]
) -> tuple[SceneObject, Model]:
    """Return several objects that stand still as one, with a model in the world's frame.

    Its parts are named after the objects that they were of.
    """
    parts = tuple(_placed(t, p) for t in objects for p in models[t.id].parts)
    obj = SceneObject(
        id=name, category=name, subtype=name, size_m=(1.0, 1.0, 1.0), poses=(_HERE,),
        asset=AssetRef(name=name, sha256=""), attributes={},
    )  # fmt: skip
    return obj, Model(name=name, category=name, subtype=name, parts=parts)


def with_still_as_one(
    scene: Scene, models: Mapping[str, Model], name: str, which: Sequence[SceneObject]
) -> tuple[Scene, dict[str, Model]]:
    """Return the scene and its models with some objects that stand still as one, which comes last."""
    gone = {t.id for t in which}
    left = {t.id: models[t.id] for t in scene.objects if t.id not in gone and t.id in models}
    others = tuple(t for t in scene.objects if t.id not in gone)
    if not which:
        return scene, left
    obj, model = together(name, which, models)
    joined: Scene = msgspec.structs.replace(scene, objects=(*others, obj))
    return joined, {**left, name: model}


def _placed(obj: SceneObject, part: Part) -> Part:
    pose = obj.poses[0]
    turned = rotation_matrix(pose.rotation_wxyz)
    normals = None if part.normals is None else np.asarray(part.normals @ turned.T)
    return replace(part, name=obj.id, vertices=to_world(pose, part.vertices), normals=normals)
