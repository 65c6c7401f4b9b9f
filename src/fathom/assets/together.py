"""Several models made one, where they stand: what does not move is looked at and painted as one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.model import Model, Part
from fathom.geometry.poses import rotation_matrix, to_world
from fathom.records import AssetRef, Pose, Scene, Thing

_HERE = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0))


def together(name: str, things: Sequence[Thing], models: Mapping[str, Model]) -> tuple[Thing, Model]:
    """Return several things that stand still as one, with a model in the world's frame.

    Its parts are named after the things that they were of.
    """
    parts = tuple(_placed(t, p) for t in things for p in models[t.id].parts)
    thing = Thing(
        id=name, category=name, subtype=name, size_m=(1.0, 1.0, 1.0), poses=(_HERE,),
        asset=AssetRef(name=name, sha256=""), attributes={},
    )  # fmt: skip
    return thing, Model(name=name, category=name, subtype=name, parts=parts)


def with_still_as_one(
    scene: Scene, models: Mapping[str, Model], name: str, which: Sequence[Thing]
) -> tuple[Scene, dict[str, Model]]:
    """Return the scene and its models with some things that stand still as one, which comes last."""
    gone = {t.id for t in which}
    left = {t.id: models[t.id] for t in scene.things if t.id not in gone and t.id in models}
    others = tuple(t for t in scene.things if t.id not in gone)
    if not which:
        return scene, left
    thing, model = together(name, which, models)
    joined: Scene = msgspec.structs.replace(scene, things=(*others, thing))
    return joined, {**left, name: model}


def _placed(thing: Thing, part: Part) -> Part:
    pose = thing.poses[0]
    turned = rotation_matrix(pose.rotation_wxyz)
    normals = None if part.normals is None else np.asarray(part.normals @ turned.T)
    return replace(part, name=thing.id, vertices=to_world(pose, part.vertices), normals=normals)
