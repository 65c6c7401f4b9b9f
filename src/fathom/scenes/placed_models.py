"""From a scene's objects to the models that are drawn: sized, painted, and in the world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.loading import shape_hash, unit_model
from fathom.assets.model import Faces, Model, Points, painted, scaled
from fathom.assets.palette import BODY_COLORS
from fathom.geometry.poses import to_world
from fathom.records import DataError, Scene, SceneObject


def model_of(obj: SceneObject, library: Library) -> Model:
    """Return the model of an object in its own frame, in metres and in its colour.

    Raises DataError where the library's model is not the one the scene was made with.
    """
    spec = library.asset(obj.asset.name)
    if shape_hash(spec) != obj.asset.sha256:
        raise DataError(
            f"{obj.id}: the scene was made with {obj.asset.name} {obj.asset.sha256[:12]}, but the "
            f"library {library.name} has {shape_hash(spec)[:12]}; use the assets the dataset was built with"
        )
    model = unit_model(spec)
    length, width, _ = model.extents
    sized = scaled(model, max(obj.size_m[0], obj.size_m[1]) / max(length, width))
    color = obj.attributes.get("color", "")
    if spec.recolourable and color in BODY_COLORS:
        sized = painted(sized, BODY_COLORS[color])
    return replace(sized, name=obj.id)


def models_of(scene: Scene, library: Library) -> dict[str, Model]:
    """Return the model of each object of a scene by the object's id."""
    return {obj.id: model_of(obj, library) for obj in scene.objects}


def world_triangles(obj: SceneObject, model: Model, frame: int = 0) -> tuple[Points, Faces, np.ndarray]:
    """Return world vertices (n, 3) in metres, faces (m, 3), and for each face the index of its part."""
    vertices, faces, owner, offset = [], [], [], 0
    for index, part in enumerate(model.parts):
        vertices.append(part.vertices)
        faces.append(part.faces + offset)
        owner.append(np.full(len(part.faces), index, np.int16))
        offset += len(part.vertices)
    points = to_world(obj.poses[frame], np.concatenate(vertices))
    return points, np.concatenate(faces), np.concatenate(owner)
