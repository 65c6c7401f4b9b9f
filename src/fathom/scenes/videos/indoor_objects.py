"""The objects of a room as records, and their models again from the records alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import (
    Furniture,
    dressed,
    furniture_hash,
    furniture_model,
    pictured_assets,
    shining,
)
from fathom.assets.furniture.finishes import LIT
from fathom.assets.lettering import LETTERING, lettering_hash, word_model
from fathom.assets.libraries import Library
from fathom.assets.model import Model, Part, stretched_to
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import pose_at, yaw_quaternion
from fathom.records import AssetRef, DataError, Pose, Scene, SceneObject
from fathom.scenes.videos import routes
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.furnishing_rooms import Laid, RoomLayout, Stand
from fathom.scenes.videos.rooms import HOUSE, house_hash, house_parts, structure

SHADE_LIGHT, CEILING_LIGHT = 2.6, 9.0
"""What standing lamps and those under ceilings shed where they are on, white paper by day being about 1."""

OFF_LIGHT = 0.0

OPEN_ABOVE = "open above"
"""The edit that says above which height, metres, a model has no ceilings."""

PART, SKIN_M = "part", 0.001
"""The edit that says which part of a model alone is meant, and by how much it is thicker then."""


def room_objects(
    layout: RoomLayout, tracks: Mapping[int, tuple[Pose, ...]], evening: bool
) -> list[SceneObject]:
    """Return what lies, hangs and stands in a furnished room; `tracks` are the poses of what moves."""
    found = [_laid(k, r, evening) for k, r in enumerate(layout.laid)]
    rugs = [f"laid{k}" for k, r in enumerate(layout.laid) if r.what == "rug"]
    return [*found, *(_stood(k, s, layout, tracks, rugs, evening) for k, s in enumerate(layout.stands))]


def _laid(k: int, laid: Laid, evening: bool) -> SceneObject:
    lamp = laid.what in ("pendant", "ceiling lamp")
    light = (f"light:{CEILING_LIGHT if evening else OFF_LIGHT:.3f}",) if lamp else ()
    said = {"light": "on" if evening else "off"} if lamp else {}
    return structure(
        f"laid{k}", laid.what, laid.place_m, laid.heading_rad, laid.size_m, (*laid.edits, *light), said
    )


def _stood(
    k: int, stand: Stand, layout: RoomLayout, tracks: Mapping[int, tuple[Pose, ...]], rugs: list[str],
    evening: bool,
) -> SceneObject:  # fmt: skip
    fixed = {-1: "floor", -3: "wall", -4: "hand"}.get(stand.on, "")
    on = fixed or (f"thing{stand.on}" if stand.on >= 0 else _under(layout, stand, rugs))
    return stood_object(f"thing{k}", stand, on, tracks.get(k, ()), evening)


def stood_object(
    name: str, stand: Stand, on: str, poses: tuple[Pose, ...] = (), evening: bool = False
) -> SceneObject:
    """Return the record of an object on another one, the floor or the ground; without poses it stays."""
    asset = stand.asset
    edits = ["size:" + ",".join(f"{v:.6f}" for v in stand.size_m)]
    if stand.color:
        edits.insert(0, f"color:body={stand.color}")
    color = stand.color if asset.color_told and stand.color else asset.color
    said = {"name": asset.noun, "color": color, "stands_on": on}
    if not asset.has_front:
        said["front"] = "unknown"
    if shines(asset):
        said["light"] = "on" if evening else "off"
        edits.append(f"light:{SHADE_LIGHT if evening else OFF_LIGHT:.3f}")
    still = routes.rounded(np.array(stand.place_m), yaw_quaternion(stand.heading_rad), 0.0)
    return SceneObject(
        id=name,
        category=asset.noun,
        subtype=asset.noun,
        size_m=stand.size_m,
        poses=poses or (still,),
        asset=AssetRef(name=asset.asset, sha256=furniture_hash(asset), edits=tuple(edits)),
        attributes=said,
    )


def shines(asset: AssetSpec) -> bool:
    """Return whether something of an asset can give off light."""
    return any(p.material.name == LIT for p in furniture_model(asset).parts)


def _under(layout: RoomLayout, stand: Stand, rugs: list[str]) -> str:
    """Return the id of the rug on which an object stands."""
    spread = [r for r in layout.laid if r.what == "rug"]
    gaps = [float(np.linalg.norm(np.array(r.place_m[:2]) - stand.place_m[:2])) for r in spread]
    return rugs[int(np.argmin(gaps))]


def models_at(scene: Scene, frame: int, library: Library | None = None) -> dict[str, Model]:
    """Return the model of each object by its id, in its own frame; objects here look the same at every frame.

    Raises DataError where an object's model is not there, or is no longer what the scene was made with.
    """
    furniture = pictured_assets(library)
    there = (t for t in scene.objects if pose_at(t.poses, frame).valid)
    return {t.id: model_of(t, furniture) for t in there}


def model_of(obj: SceneObject, furniture: Furniture) -> Model:
    """Return the model of an object from its record alone: kind, size, colour, and whether it shines."""
    edits = {k: v for k, _, v in (e.partition(":") for e in obj.asset.edits)}
    light = float(edits.get("light", "0"))
    if obj.asset.name.startswith(HOUSE) and obj.asset.sha256 == house_hash():
        parts = house_parts(obj.asset.name.removeprefix(HOUSE), obj.size_m, edits)
        made = Model(obj.id, STRUCTURE, obj.subtype, parts)
        return shining(stretched_to(made, obj.size_m), light)
    if obj.asset.name.startswith(LETTERING) and obj.asset.sha256 == lettering_hash():
        return word_model(obj.id, obj.asset.name, obj.size_m)
    asset = furniture.get(obj.asset.name)
    if asset is None or furniture_hash(asset) != obj.asset.sha256:
        raise DataError(
            f"{obj.id}: the scene was made with {obj.asset.name} {obj.asset.sha256[:12]}, which is not "
            "among the furniture given; use the folder of models and the version of Fathom that the dataset "
            "was built with"
        )
    length, width, height = (float(v) for v in edits["size"].split(","))
    model = dressed(asset, (length, width, height), edits.get("color", "").removeprefix("body="), light)
    if OPEN_ABOVE in edits:
        model = without_ceilings(model, float(edits[OPEN_ABOVE]))
    if PART in edits:
        model = stood_alone(part_model(model, edits[PART]))
    return Model(obj.id, obj.category, obj.subtype, model.parts)


def without_ceilings(model: Model, above_m: float) -> Model:
    """Return a model without what lies flat above a height, so that light comes in from over it."""

    def kept(part: Part) -> Part:
        corners = part.vertices[part.faces]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        flat = np.abs(across[:, 2]) > 0.9 * np.maximum(np.linalg.norm(across, axis=1), 1e-12)
        return replace(part, faces=part.faces[~(flat & (corners[:, :, 2].min(axis=1) > above_m))])

    return replace(model, parts=tuple(p for p in map(kept, model.parts) if len(p.faces)))


def part_model(model: Model, node: str) -> Model:
    """Return a part of a model where it is, a little thicker: its vertices lie off its own surface."""
    parts = tuple(
        replace(p, vertices=p.vertices + SKIN_M * _outward(p)) for p in model.parts if p.name == node
    )
    return replace(model, parts=parts)


def _outward(part: Part) -> NDArray[np.float64]:
    """Return (n, 3) the unit vectors that point outwards at a part's vertices."""
    if part.normals is not None:
        return part.normals
    corners = part.vertices[part.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    found = np.zeros_like(part.vertices)
    for k in range(3):
        np.add.at(found, part.faces[:, k], across)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12))


def stood_alone(model: Model) -> Model:
    """Return a model over the origin, on the ground."""
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([*(low + high)[:2] / 2, low[2]])
    return replace(model, parts=tuple(replace(p, vertices=p.vertices - shift) for p in model.parts))
