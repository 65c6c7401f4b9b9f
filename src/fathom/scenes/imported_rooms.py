"""Rooms of a folder of placed models (`formats/hssd.py`), seen from two places as other rooms are.

rooms = open_placed_rooms(Path("hssd"))
scene = draw_placed_room(17, "0", rooms, Viewpoints())

The objects stand as the files say, in a plain room as large as they need. Where a file names a stage, its
walls stand in that room, and hide what is behind them; its ceilings are left out, since light comes from
above.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import Furniture, furniture_model, room_assets
from fathom.assets.gltf import LIMITS, read_document, still_parts
from fathom.assets.gltf.axes import turned
from fathom.assets.libraries import Library
from fathom.assets.spec import AssetSpec
from fathom.formats.hssd import FRONT, STAGE, ModelTemplate, PlacedObject, PlacedRoom, read_placed_rooms
from fathom.geometry.poses import Array, to_world
from fathom.records import AssetError, Scene, SceneObject, UnfitError
from fathom.scenes.looked_rooms import RoomName, scene_of
from fathom.scenes.stage_walls import wall_boxes
from fathom.scenes.turned_answers import FIRST
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.bodies import OPEN
from fathom.scenes.videos.furnishing_rooms import GAP_M, WALL_GAP_M, RoomLayout, Stand
from fathom.scenes.videos.indoor_objects import OPEN_ABOVE, model_of, stood_object
from fathom.scenes.videos.rooms import drawn_room
from fathom.scenes.viewpoints import ATTEMPTS, UNCOMMON, Viewpoints, looked_at
from fathom.scenes.wall_things import ON_WALL
from fathom.store.files import sha256_file
from fathom.store.seeds import Name, rng

PACK = "hssd"
LEFT_OUT = "left_out"
"""The key of a scene's source that says what of its file was left out."""

FLOORS = ("oak", "ash", "tile")
LEAST_HIGH_M, OVER_M = 2.6, 0.15
"""How high a room is at least, and how far its ceiling is above what stands in it."""

LEAST_SIDE_M = 2.2
CEILING_M, LIFTED_M = 1.9, 0.002
"""Above which height a stage is without what lies flat; by how much its floor is above that of the room."""

_WALL = AssetSpec(file="", category=STRUCTURE, subtype="wall", noun="wall", has_front=False)
RESTS_M, FLOATS_M = 0.04, 0.3
"""By how much a foot is above, or in, what it rests on; from which height on what rests on nothing hangs."""


@dataclass(frozen=True)
class OpenedModel:
    """A model of a folder: its spec, and where the middle of its underside is in its own axes, metres."""

    spec: AssetSpec
    size_m: tuple[float, float, float]
    foot_m: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class OpenedRooms:
    """The rooms of a folder with the models in them; `left_out` says which files cannot be used."""

    rooms: tuple[PlacedRoom, ...]
    models: Mapping[str, OpenedModel]
    faults: Mapping[str, str]
    left_out: tuple[str, ...]

    @property
    def library(self) -> Library:
        """The models as a library of furniture."""
        return Library(PACK, tuple(m.spec for m in self.models.values()))


@lru_cache(maxsize=4)
def open_placed_rooms(folder: Path) -> OpenedRooms:
    """Return the rooms of a folder; models that cannot be used are left out, and said.

    Raises InputError where the folder holds no rooms.
    """
    found = read_placed_rooms(folder)
    models, faults = {}, {}
    every = (
        o.template for room in found.rooms for o in (*room.objects, *([room.stage] if room.stage else ()))
    )
    for template in {t.id: t for t in every}.values():
        try:
            models[template.id] = _opened(template, folder)
        except AssetError as e:
            faults[template.id] = str(e)
    return OpenedRooms(found.rooms, models, faults, found.left_out)


def _opened(template: ModelTemplate, folder: Path) -> OpenedModel:
    """Return a model with its real size. Raises AssetError where its file cannot be used."""
    front = template.front or FRONT
    points = np.concatenate(
        [p.vertices for p in turned(still_parts(read_document(template.path, folder, LIMITS)), front, "+y")]
    )
    low, high = points.min(axis=0), points.max(axis=0)
    length, width, height = (high - low).tolist()
    spec = AssetSpec(
        file=template.path.relative_to(folder).as_posix(),
        category=template.noun,
        subtype=template.noun,
        name=template.id,
        noun=template.noun,
        size_m=round(length, 6),
        sha256=sha256_file(template.path),
        front=front,
        has_front=bool(template.front),
        reviewed=True,
        palette="furniture",
        folder=str(folder),
        pack=PACK,
    )
    furniture_model(spec)
    return OpenedModel(
        spec,
        (length, width, height),
        (float((low + high)[0] / 2), float((low + high)[1] / 2), float(low[2])),
    )


def draw_placed_room(index: int, seed: Name, opened: OpenedRooms, wanted: Viewpoints) -> Scene:
    """Return world `index`: one of the rooms, in turn, and two cameras in it.

    Raises UnfitError where no two viewpoints show enough of any room.
    """
    faults = [*opened.left_out] if index == 0 else []
    for k in range(len(opened.rooms)):
        room = opened.rooms[(index + k) % len(opened.rooms)]
        try:
            return _drawn(index, seed, room, opened, wanted, faults)
        except UnfitError as e:
            faults.append(str(e))
    raise UnfitError(faults[-1])


def _drawn(
    index: int, seed: Name, room: PlacedRoom, opened: OpenedRooms, wanted: Viewpoints, known: Sequence[str]
) -> Scene:
    """Return the scene of one room. Raises UnfitError where no two viewpoints show enough of it."""
    furniture = room_assets(opened.library)
    strange = UNCOMMON[index % len(UNCOMMON)]
    faults = [*room.left_out, *_missing(room, opened), *known]
    for attempt in range(ATTEMPTS):
        g = rng(seed, PACK, index, attempt)
        layout, house = _layout(g, room, opened, furniture)
        looked = looked_at(g, layout, strange, FIRST[index % len(FIRST)], wanted)
        if looked is not None:
            name = RoomName(index, str(seed), room.name, strange, False)
            scene = scene_of(name, looked, 0, furniture, wanted.environment)
            source = {**scene.source, "file": room.name, LEFT_OUT: "; ".join(faults)}
            objects = (*scene.objects, *([house] if house else ()))
            found: Scene = msgspec.structs.replace(scene, source=source, objects=objects)
            return found
    raise UnfitError(
        f"{room.name}: of {len(room.objects)} objects no common and {strange} viewpoint shows {wanted.seen} "
        f"that have a name of their own, in {ATTEMPTS} attempts; ask for fewer (seen)"
    )


def _missing(room: PlacedRoom, opened: OpenedRooms) -> Iterator[str]:
    """Yield why models of a room cannot be used, each once."""
    every = (*room.objects, *([room.stage] if room.stage else ()))
    yield from dict.fromkeys(opened.faults[o.template.id] for o in every if o.template.id in opened.faults)


def _layout(
    g: np.random.Generator, room: PlacedRoom, opened: OpenedRooms, furniture: Furniture
) -> tuple[RoomLayout, SceneObject | None]:
    """Return the objects where the file says, in a room around them, their lowest foot on its floor; and the
    record of its stage, where it has one that can be used.
    """
    stands = [_stand(o, opened, furniture) for o in room.objects if o.template.id in opened.models]
    if not stands:
        raise UnfitError(f"{room.name}: none of its {len(room.objects)} objects can be used")
    staged = room.stage is not None and room.stage.template.id in opened.models
    stage = _stand(room.stage, opened, furniture) if room.stage is not None and staged else None
    around = [*stands, *([stage] if stage else ())]
    corners = np.concatenate([s.box.corners.reshape(-1, 2) for s in around])
    low, high = corners.min(axis=0), corners.max(axis=0)
    floor = min(s.place_m[2] for s in stands)
    top = max(s.place_m[2] + s.size_m[2] for s in stands) - floor
    sides = np.maximum(high - low + 2 * (WALL_GAP_M + GAP_M), LEAST_SIDE_M)
    empty = drawn_room(
        g, (float(sides[0]), float(sides[1])), round(max(LEAST_HIGH_M, top + OVER_M), 3), False, FLOORS
    )
    shift = -np.array([*(low + high) / 2, floor])
    layout = RoomLayout(empty, g, furniture, most=len(stands))
    layout.stands = _resting([_shifted(s, shift) for s in stands])
    if stage is None:
        return layout, None
    house = _stage_object(_shifted(stage, shift + np.array([0.0, 0.0, LIFTED_M])))
    triangles = _triangles(house, furniture)
    layout.walls = tuple(_block(low, high) for low, high in wall_boxes(triangles))
    return layout, house


def _stage_object(stage: Stand) -> SceneObject:
    """Return the record of a stage: structure, of which nothing is asked."""
    plain = stood_object(STAGE, stage, "floor")
    edits = (*plain.asset.edits, f"{OPEN_ABOVE}:{CEILING_M}")
    found: SceneObject = msgspec.structs.replace(
        plain,
        category=STRUCTURE,
        asset=msgspec.structs.replace(plain.asset, edits=edits),
        attributes={"name": STAGE, "color": "", "front": "unknown", **OPEN},
    )
    return found


def _triangles(house: SceneObject, furniture: Furniture) -> Array:
    """Return (n, 3, 3) the triangles of a stage where it stands."""
    parts = model_of(house, furniture).parts
    return np.concatenate([to_world(house.poses[0], p.vertices)[p.faces] for p in parts])


def _block(low: Array, high: Array) -> Stand:
    """Return a box along the axes as what stands there."""
    x, y = ((low + high) / 2)[:2].tolist()
    size = high - low
    return Stand(_WALL, "", (float(size[0]), float(size[1]), float(size[2])), (x, y, float(low[2])), 0.0)


def _stand(obj: PlacedObject, opened: OpenedRooms, furniture: Furniture) -> Stand:
    """Return an object as it stands in its file's world."""
    model = opened.models[obj.template.id]
    size = [round(s * f, 6) for s, f in zip(model.size_m, obj.scale, strict=True)]
    along, left, up = (v * f for v, f in zip(model.foot_m, obj.scale, strict=True))
    c, s = math.cos(obj.heading_rad), math.sin(obj.heading_rad)
    x, y, z = obj.place_m
    place = (x + c * along - s * left, y + s * along + c * left, z + up)
    spec = furniture[f"{PACK}:{obj.template.id}"]
    return Stand(spec, "", (size[0], size[1], size[2]), place, obj.heading_rad)


def _shifted(stand: Stand, by: Array) -> Stand:
    x, y, z = (round(float(a + b), 6) for a, b in zip(stand.place_m, by, strict=True))
    return replace(stand, place_m=(x, y, z))


def _resting(stands: Sequence[Stand]) -> list[Stand]:
    """Return objects that say what they rest on: the floor, another one, or the wall behind them."""
    return [_rests(s, stands) for s in stands]


def _rests(stand: Stand, stands: Sequence[Stand]) -> Stand:
    foot = stand.place_m[2]
    if foot <= RESTS_M:
        return stand
    tops = [k for k, s in enumerate(stands) if abs(s.place_m[2] + s.size_m[2] - foot) <= RESTS_M]
    below = [k for k in tops if _over(stand, stands[k])]
    return replace(stand, on=below[0] if below else ON_WALL if foot >= FLOATS_M else -1)


def _over(stand: Stand, other: Stand) -> bool:
    """Return whether the middle of an object is over another one's box."""
    x, y = np.array(stand.place_m[:2]) - other.place_m[:2]
    c, s = math.cos(other.heading_rad), math.sin(other.heading_rad)
    long, wide = other.size_m[:2]
    return bool(abs(c * x + s * y) <= long / 2 and abs(c * y - s * x) <= wide / 2)
