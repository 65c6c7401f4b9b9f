"""Streets as records, and their models from the record alone."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.model import Model, Part
from fathom.assets.street.catalogue import complete
from fathom.assets.street.kinds import FRONTAGES, Stock, frontage
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
STREET_VERSION = "1"
"""Raised whenever the same numbers give another street."""

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def objects_of(
    street: Street, plan: DrivingPlan, moved: Moved, ground: Ground, crowd: Crowd, times_s: Array
) -> tuple[SceneObject, ...]:
    """Return everything on a street: the street itself, what stands, what drives and who walks."""
    counts: dict[str, int] = {}

    def numbered(word: str) -> str:
        counts[word] = counts.get(word, -1) + 1
        return f"{word.replace(' ', '-')}{counts[word]}"

    stock = plan.stock
    objects = [_street(street)]
    for s in ground.stood:
        if s.number >= 0:
            objects.append(_building(numbered("building"), s, stock))
        else:
            objects.append(_still(numbered(stock.kind(s.kind).category), s, stock))
    for k, v in enumerate(moved.vehicles):
        if v.kind:
            poses = v.driver.poses(moved.lengths_m[k], times_s)
            objects.append(
                _moving(numbered(stock.kind(v.kind).category), v.kind, v.size_m, v.color, poses, stock)
            )
    for w in crowd.walkers:
        name = numbered(stock.kind(w.kind).category)
        objects.append(_moving(name, w.kind, w.size_m, w.color, w.poses(times_s), stock))
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


def _asset(name: str) -> str:
    return name if ":" in name else BUILT + name


def _size(size: tuple[float, float, float]) -> str:
    return "size:" + ",".join(f"{v:.6f}" for v in size)


def _building(name: str, s: Stood, stock: Stock) -> SceneObject:
    noun = "house" if s.kind == "house" else "building"
    edits = (_size(s.size_m), f"number:{s.number}") if s.kind in FRONTAGES else (_size(s.size_m),)
    return SceneObject(
        id=name, category=STRUCTURE, subtype=s.kind.rpartition(":")[2], size_m=s.size_m, poses=(_pose(s),),
        asset=AssetRef(name=_asset(s.kind), sha256=stock.sha256(s.kind), edits=edits),
        attributes={"name": noun, "color": ""},
    )  # fmt: skip


def _pose(s: Stood) -> Pose:
    return routes.rounded(np.array([*s.place_m, 0.0]), yaw_quaternion(s.heading_rad), 0.0)


def _still(name: str, s: Stood, stock: Stock) -> SceneObject:
    return _object(
        name, s.kind, s.size_m, s.color, (_pose(s),), stock, {**dict(s.said), **stem_words(s.stem)}
    )


def _moving(
    name: str, kind: str, size: tuple[float, float, float], color: str, poses: tuple[Pose, ...], stock: Stock
) -> SceneObject:
    return _object(name, kind, size, color, poses, stock, {})


def _object(
    name: str, kind: str, size: tuple[float, float, float], color: str, poses: tuple[Pose, ...], stock: Stock,
    said: dict[str, str],
) -> SceneObject:  # fmt: skip
    known = stock.kind(kind)
    edits = (f"color:body={color}", _size(size)) if color and color in known.colors else (_size(size),)
    front = {} if known.front else {"front": "unknown"}
    return SceneObject(
        id=name, category=known.category, subtype=kind.rpartition(":")[2], size_m=size, poses=poses,
        asset=AssetRef(name=_asset(kind), sha256=stock.sha256(kind), edits=edits),
        attributes={"name": known.name, "color": color, "stands_on": "ground", **front, **said},
    )  # fmt: skip


def models_at(scene: Scene, frame: int, library: Library | None = None) -> dict[str, Model]:
    """Return the model of each object at a frame by its id, in its own frame.

    Who walks swings legs and arms; all else looks the same at every frame. `library` is the one that the
    scene was drawn with.

    Raises DataError where an object is not of the built-in set or the library, or is no longer what the scene
    was made with.
    """
    stock = complete(library)
    there = (t for t in scene.objects if pose_at(t.poses, frame).valid)
    return {t.id: model_of(t, stock, frame) for t in there}


def walking_at(scene: Scene, frame: int | None, library: Library | None = None) -> dict[str, Model]:
    """Return the models of those who walk; without a frame, their limbs reach as far as they ever do."""
    stock = complete(library)
    return {t.id: model_of(t, stock, frame) for t in scene.objects if _walks(t, stock)}


def _walks(obj: SceneObject, stock: Stock) -> bool:
    kind = stock.kinds.get(obj.asset.name.removeprefix(BUILT))
    return kind is not None and kind.at is not None


def model_of(obj: SceneObject, stock: Stock, frame: int | None = None) -> Model:
    """Return the model of an object from its record alone: kind, size, colour, number, and the way it walked.

    Without a frame the limbs of who walks reach as far as they ever do.
    """
    edits = dict(e.partition(":")[::2] for e in obj.asset.edits)
    if obj.asset.name == BUILT + STREET:
        if obj.asset.sha256 != _street_hash():
            raise _other(obj)
        return replace(paving(street_of(obj.asset.edits))[0], name=obj.id)
    kind = obj.asset.name.removeprefix(BUILT)
    if (kind not in stock.kinds and kind not in FRONTAGES) or stock.sha256(kind) != obj.asset.sha256:
        raise _other(obj)
    color = edits.get("color", "").partition("=")[2]
    if frame is not None and _walks(obj, stock):
        walking = stock.walking(kind, obj.size_m, color, _gone_m(obj, frame))
        return replace(walking, name=obj.id)
    made = _made(stock, kind, obj.size_m, color, int(edits.get("number", -1)))
    signal = obj.attributes.get("signal", "")
    return replace(_lit(made, signal) if signal else made, name=obj.id)


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
def _made(stock: Stock, kind: str, size: tuple[float, float, float], color: str, number: int) -> Model:
    return frontage(kind, size, number) if kind in FRONTAGES else stock.dressed(kind, size, color)


def _lit(model: Model, signal: str) -> Model:
    """Return a traffic light with the lamp of that colour on and the others dark."""

    def lamp(piece: Part) -> Part:
        on = piece.name == f"lamp {signal}"
        r, g, b = piece.material.color
        color = (r, g, b) if on else (0.25 * r, 0.25 * g, 0.25 * b)
        return replace(piece, material=replace(piece.material, emission=0.9 if on else 0.0, color=color))

    parts = tuple(lamp(p) if p.name.startswith("lamp ") else p for p in model.parts)
    return replace(model, parts=parts)
