"""Streets as records, and their models from the record alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fathom.assets.lettering import LETTERING, lettering_hash, word_model
from fathom.assets.libraries import Library
from fathom.assets.model import Model, Part, Rgb, fingerprint
from fathom.assets.street.catalogue import FRONTAGES, Size, StreetAssets, frontage, street_assets
from fathom.assets.street.finishes import GLASS, GLOBE
from fathom.assets.street.signs import hanging_sign
from fathom.geometry.poses import Array, pose_at, yaw_quaternion
from fathom.records import AssetRef, DataError, Pose, Scene, SceneObject
from fathom.scenes.videos import routes
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.bodies import OPEN, stem_words
from fathom.scenes.videos.driving import DrivingPlan, Moved
from fathom.scenes.videos.pedestrians import Crowd
from fathom.scenes.videos.roadside import Ground, Stood
from fathom.scenes.videos.street_surfaces import paving
from fathom.scenes.videos.streets import Street, edits_of, street_of
from fathom.store.seeds import short_hash

BUILT = "built-in:"
STREET = "street"
SIGN = "hanging sign"
STREET_VERSION = "1"
"""Raised whenever the same numbers give another street."""

SHINES: Mapping[str, tuple[Rgb, float]] = {
    GLOBE.name: ((1.0, 0.86, 0.6), 2.4),
    GLASS.name: ((1.0, 0.74, 0.38), 0.5),
}
"""Material → its colour, and what it gives off, where a lamp or a house is lit."""

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def objects_of(
    street: Street, plan: DrivingPlan, moved: Moved, ground: Ground, crowd: Crowd, times_s: Array
) -> tuple[SceneObject, ...]:
    """Return everything on a street: the street itself, what stands, what drives and who walks."""
    counts: dict[str, int] = {}

    def numbered(word: str) -> str:
        counts[word] = counts.get(word, -1) + 1
        return f"{word.replace(' ', '-')}{counts[word]}"

    assets = plan.assets
    objects = [_street(street)]
    for s in ground.stood:
        if s.number >= 0:
            objects.append(_building(numbered("building"), s, assets))
        else:
            objects.append(standing_object(numbered(assets.category(s.kind)), s, assets))
    for k, v in enumerate(moved.vehicles):
        if v.kind:
            poses = v.driver.poses(moved.lengths_m[k], times_s)
            objects.append(
                _moving(numbered(assets.category(v.kind)), v.kind, v.size_m, v.color, poses, assets)
            )
    for w in crowd.walkers:
        name = numbered(assets.category(w.kind))
        objects.append(_moving(name, w.kind, w.size_m, w.color, w.poses(times_s), assets))
    return tuple(objects)


def _street(street: Street) -> SceneObject:
    model, (x, y) = paving(street)
    length, width, height = (round(v, 6) for v in model.extents)
    return SceneObject(
        id=STREET, category=STRUCTURE, subtype=STREET, size_m=(length, width, height),
        poses=(Pose(position_m=(x, y, 0.0), rotation_wxyz=UPRIGHT),),
        asset=AssetRef(name=BUILT + STREET, sha256=_street_hash(), edits=edits_of(street)),
        attributes={"name": STREET, "color": "", **OPEN},
    )  # fmt: skip


def _street_hash() -> str:
    return short_hash("street", STREET_VERSION, length=64)


def _sign_hash() -> str:
    return fingerprint(hanging_sign((0.1, 1.0, 0.5)))


def sign_object(name: str, size_m: Size, pose: Pose) -> SceneObject:
    """Return a sign that hangs out over the pavement, for a word to stand on."""
    return SceneObject(
        id=name, category=STRUCTURE, subtype=SIGN, size_m=size_m, poses=(pose,),
        asset=AssetRef(name=BUILT + SIGN, sha256=_sign_hash()),
        attributes={"name": "sign", "color": ""},
    )  # fmt: skip


def _asset(name: str) -> str:
    return name if ":" in name else BUILT + name


def _size(size: tuple[float, float, float]) -> str:
    return "size:" + ",".join(f"{v:.6f}" for v in size)


def _building(name: str, s: Stood, assets: StreetAssets) -> SceneObject:
    noun = "house" if s.kind == "house" else "building"
    edits = (_size(s.size_m), f"number:{s.number}") if s.kind in FRONTAGES else (_size(s.size_m),)
    return SceneObject(
        id=name, category=STRUCTURE, subtype=s.kind.rpartition(":")[2], size_m=s.size_m, poses=(_pose(s),),
        asset=AssetRef(name=_asset(s.kind), sha256=assets.sha256(s.kind), edits=edits),
        attributes={"name": noun, "color": ""},
    )  # fmt: skip


def _pose(s: Stood) -> Pose:
    return routes.rounded(np.array([*s.place_m, 0.0]), yaw_quaternion(s.heading_rad), 0.0)


def standing_object(name: str, s: Stood, assets: StreetAssets) -> SceneObject:
    """Return the record of something small that stands on a street."""
    return _object(
        name, s.kind, s.size_m, s.color, (_pose(s),), assets, {**dict(s.said), **stem_words(s.stem)}
    )


def _moving(
    name: str,
    kind: str,
    size: tuple[float, float, float],
    color: str,
    poses: tuple[Pose, ...],
    assets: StreetAssets,
) -> SceneObject:
    return _object(name, kind, size, color, poses, assets, {})


def _object(
    name: str, kind: str, size: Size, color: str, poses: tuple[Pose, ...], assets: StreetAssets,
    said: dict[str, str],
) -> SceneObject:  # fmt: skip
    known = assets.asset(kind)
    edits = (f"color:body={color}", _size(size)) if color and color in known.colors else (_size(size),)
    front = {} if known.has_front else {"front": "unknown"}
    return SceneObject(
        id=name, category=assets.category(kind), subtype=kind.rpartition(":")[2], size_m=size, poses=poses,
        asset=AssetRef(name=_asset(kind), sha256=assets.sha256(kind), edits=edits),
        attributes={"name": known.noun, "color": color, "stands_on": "ground", **front, **said},
    )  # fmt: skip


def models_at(scene: Scene, frame: int, library: Library | None = None) -> dict[str, Model]:
    """Return the model of each object at a frame by its id, in its own frame.

    Who walks swings legs and arms; all else looks the same at every frame. `library` is the one that the
    scene was drawn with.

    Raises DataError where an object is not of the built-in set or the library, or is no longer what the scene
    was made with.
    """
    assets = street_assets(library)
    there = (t for t in scene.objects if pose_at(t.poses, frame).valid)
    return {t.id: model_of(t, assets, frame) for t in there}


def walking_at(scene: Scene, frame: int | None, library: Library | None = None) -> dict[str, Model]:
    """Return the models of those who walk; without a frame, their limbs reach as far as they ever do."""
    assets = street_assets(library)
    return {t.id: model_of(t, assets, frame) for t in scene.objects if _walks(t, assets)}


def _walks(obj: SceneObject, assets: StreetAssets) -> bool:
    spec = assets.assets.get(obj.asset.name.removeprefix(BUILT))
    return spec is not None and spec.stride_m > 0


def model_of(obj: SceneObject, assets: StreetAssets, frame: int | None = None) -> Model:
    """Return the model of an object from its record alone: kind, size, colour, number, and the way it walked.

    Without a frame the limbs of who walks reach as far as they ever do.
    """
    edits = dict(e.partition(":")[::2] for e in obj.asset.edits)
    if obj.asset.name == BUILT + STREET:
        if obj.asset.sha256 != _street_hash():
            raise _other(obj)
        return replace(paving(street_of(obj.asset.edits))[0], name=obj.id)
    if obj.asset.name == BUILT + SIGN:
        if obj.asset.sha256 != _sign_hash():
            raise _other(obj)
        return replace(hanging_sign(obj.size_m), name=obj.id)
    if obj.asset.name.startswith(LETTERING):
        if obj.asset.sha256 != lettering_hash():
            raise _other(obj)
        return word_model(obj.id, obj.asset.name, obj.size_m)
    kind = obj.asset.name.removeprefix(BUILT)
    if (kind not in assets.assets and kind not in FRONTAGES) or assets.sha256(kind) != obj.asset.sha256:
        raise _other(obj)
    color = edits.get("color", "").partition("=")[2]
    if frame is not None and _walks(obj, assets):
        walking = assets.walking(kind, obj.size_m, color, _gone_m(obj, frame))
        return replace(walking, name=obj.id)
    made = _made(assets, kind, obj.size_m, color, int(edits.get("number", -1)))
    signal = obj.attributes.get("signal", "")
    made = _lit(made, signal) if signal else made
    return replace(_shining(made) if obj.attributes.get("light") == "on" else made, name=obj.id)


def _gone_m(obj: SceneObject, frame: int) -> float:
    """Return how far an object went until a frame; nobody begins with the same step as another."""
    places = np.array([p.position_m[:2] for p in obj.poses[: frame + 1]], dtype=np.float64)
    begun = 7.0 * (abs(float(places[0, 0])) + abs(float(places[0, 1])))
    return begun + float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def _other(obj: SceneObject) -> DataError:
    return DataError(
        f"{obj.id}: the scene was made with {obj.asset.name} {obj.asset.sha256[:12]}, which neither "
        "the built-in set nor the library has; use the version of Fathom and the folders of models that the "
        "dataset was built with"
    )


@lru_cache(maxsize=512)
def _made(
    assets: StreetAssets, kind: str, size: tuple[float, float, float], color: str, number: int
) -> Model:
    return frontage(kind, size, number) if kind in FRONTAGES else assets.dressed(kind, size, color)


def _shining(model: Model) -> Model:
    """Return a lamp, or a house, with its globes and panes lit from within."""
    parts = []
    for piece in model.parts:
        color, emission = SHINES.get(piece.material.name, (piece.material.color, piece.material.emission))
        parts.append(replace(piece, material=replace(piece.material, color=color, emission=emission)))
    return replace(model, parts=tuple(parts))


def _lit(model: Model, signal: str) -> Model:
    """Return a traffic light with the lamp of that colour on and the others dark."""

    def lamp(piece: Part) -> Part:
        on = piece.name == f"lamp {signal}"
        r, g, b = piece.material.color
        color = (r, g, b) if on else (0.25 * r, 0.25 * g, 0.25 * b)
        return replace(piece, material=replace(piece.material, emission=0.9 if on else 0.0, color=color))

    parts = tuple(lamp(p) if p.name.startswith("lamp ") else p for p in model.parts)
    return replace(model, parts=parts)
