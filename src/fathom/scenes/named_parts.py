"""Parts that have a name as objects of their own: the shade of the lamp, the screen of the television.

    part_objects(objects, furniture, [("thing3", "shade", "shade")])

A part lies on the object that it is of, a millimetre thicker, so that the truth tells its pixels from the
rest; it goes where the object goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import Furniture
from fathom.assets.furniture.living import PEOPLE
from fathom.assets.model import Model
from fathom.geometry.poses import Array, rotation_matrix
from fathom.records import Pose, SceneObject
from fathom.scenes.videos.indoor_objects import PART, model_of, part_model

PART_OF = "part_of"
"""The attribute of a part that says of which object it is."""

NamedPart = tuple[str, str, str]
"""An object's id, the word for its part, and what the model calls it."""


def part_objects(
    objects: Sequence[SceneObject], furniture: Furniture, wanted: Sequence[NamedPart]
) -> Iterator[SceneObject]:
    """Yield the parts that are wanted as objects, each named after what it is of."""
    by_id = {o.id: o for o in objects}
    for number, (whole_id, word, node) in enumerate(wanted):
        whole = by_id[whole_id]
        low, high = _box(part_model(model_of(whole, furniture), node))
        middle = np.array([*(low + high)[:2] / 2, low[2]])
        size = high - low
        said = {"name": f"{word} of the {_called(whole)}", "color": "", "front": "unknown"}
        changed = {k: v for k, v in whole.attributes.items() if k == "changed"}
        yield SceneObject(
            id=f"part{number}",
            category=word,
            subtype=word,
            size_m=(round(float(size[0]), 6), round(float(size[1]), 6), round(float(size[2]), 6)),
            poses=tuple(_moved(p, middle) for p in whole.poses),
            asset=msgspec.structs.replace(whole.asset, edits=(*whole.asset.edits, f"{PART}:{node}")),
            attributes={**said, **changed, PART_OF: whole.id},
        )


def _called(whole: SceneObject) -> str:
    """Return what anybody would call an object: of people, by their clothes, where these are told."""
    name, color = whole.attributes["name"], whole.attributes.get("color", "")
    dressed = color and any(name == noun for noun, _ in PEOPLE.values())
    return f"{name} in {color}" if dressed else name


def _moved(pose: Pose, by: Array) -> Pose:
    """Return the pose of what lies at a place (3,) of an object's frame."""
    at = np.array(pose.position_m) + rotation_matrix(pose.rotation_wxyz) @ by
    place = (round(float(at[0]), 6), round(float(at[1]), 6), round(float(at[2]), 6))
    found: Pose = msgspec.structs.replace(pose, position_m=place)
    return found


def _box(model: Model) -> tuple[Array, Array]:
    points = np.concatenate([p.vertices for p in model.parts])
    return points.min(axis=0), points.max(axis=0)
