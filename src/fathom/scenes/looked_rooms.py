"""A furnished room that is looked at from two places, before and after a change, as a scene.

scene = scene_of(RoomName(17, "0", "study", "low", False), looked, 3, furniture, environment)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import Furniture
from fathom.geometry.poses import yaw_quaternion
from fathom.records import Camera, Environment, Pose, Scene, SceneObject
from fathom.scenes.estimated_views import in_pictures
from fathom.scenes.named_parts import NamedPart, part_objects
from fathom.scenes.videos import routes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import DAY, EVENING
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoint_changes import RoomChange
from fathom.scenes.wall_things import ON_WALL
from fathom.store.seeds import rng

GENERATOR, VERSION = "viewpoints", "6"
TIMES_S = (0.0, 1.0, 2.0, 3.0)
"""When the scene is seen: from the common and the uncommon viewpoint, and from both after the change."""

CHANGED_FROM = 2
"""From this time on the scene is changed."""


@dataclass(frozen=True)
class LookedRoom:
    """A furnished room, the camera that looks into it, and the change that turns most answers round."""

    layout: RoomLayout
    camera: Camera
    change: RoomChange


@dataclass(frozen=True)
class RoomName:
    """Which room it is: its number and seed, what kind of room, and how uncommon its second viewpoint is."""

    index: int
    seed: str
    kind: str
    uncommon: str
    evening: bool


def scene_of(
    name: RoomName, found: LookedRoom, parts: int, furniture: Furniture, environment: Environment
) -> Scene:
    """Return the scene of a room; up to so many parts in it are objects of their own."""
    things = _objects(found.layout, found.change.stands, name.evening)
    named = named_parts(rng(name.seed, GENERATOR, name.index, "parts"), found, parts)
    light = EVENING if name.evening else DAY
    house = house_objects(found.layout.room, name.kind, f"{name.seed} {name.index}", *light)
    called = f"room-{name.index:06d}"
    return Scene(
        id=called,
        generator=GENERATOR,
        version=VERSION,
        seed=name.seed,
        objects=(*house, *things, *part_objects(things, furniture, named)),
        cameras=(at_all_times(found.camera),),
        environment=environment,
        times_s=TIMES_S,
        source={"setting": "indoor", "video": called, "room": name.kind, "uncommon": name.uncommon},
    )


def named_parts(g: np.random.Generator, found: LookedRoom, count: int) -> list[NamedPart]:
    """Return up to so many parts of objects of which there is one in the room and in the pictures, and which
    stay as they are: a part hides some of what it is of.
    """
    stands = found.layout.stands
    nouns = Counter(s.asset.noun for s in stands)
    those = [
        k
        for k, s in enumerate(stands)
        if s.asset.named_parts and nouns[s.asset.noun] == 1 and k not in found.change.stands
        if in_pictures(s, stands, found.camera)
    ]
    drawn = sorted(int(k) for k in g.permutation(those)[:count])
    return [(f"thing{k}", *stands[k].asset.named_parts[0]) for k in drawn]


def _objects(layout: RoomLayout, changes: Mapping[int, Stand], evening: bool) -> list[SceneObject]:
    """Return the objects of a room; those that change have a pose at each time, and say what happens."""
    tracks = {k: poses_of(layout.stands[k], stand) for k, stand in changes.items()}
    by_id = {f"thing{k}": change_of(layout.stands[k], stand) for k, stand in changes.items()}
    return [said_of(obj, by_id.get(obj.id, "")) for obj in room_objects(layout, tracks, evening)]


def poses_of(before: Stand, after: Stand) -> tuple[Pose, ...]:
    """Return where an object is at each time."""
    return tuple(_at(before, after, t) for t in TIMES_S)


def said_of(obj: SceneObject, change: str) -> SceneObject:
    """Return an object that says what happens to it; on what it stands only where it stays there."""
    if not change:
        return obj
    gone = "stands_on" if change == "moved" else ""
    said = {k: v for k, v in obj.attributes.items() if k != gone}
    changed: SceneObject = msgspec.structs.replace(obj, attributes={**said, "changed": change})
    return changed


def _at(before: Stand, after: Stand, time_s: float) -> Pose:
    stand = after if time_s >= TIMES_S[CHANGED_FROM] else before
    return routes.rounded(np.array(stand.place_m), yaw_quaternion(stand.heading_rad), time_s)


def change_of(before: Stand, after: Stand) -> str:
    """Return what happens to an object: it is turned, moved, or hung higher or lower."""
    if before.place_m == after.place_m:
        return "turned"
    if before.on != ON_WALL:
        return "moved"
    return "hung higher" if after.place_m[2] > before.place_m[2] else "hung lower"


def at_all_times(camera: Camera) -> Camera:
    """Return the camera with its poses before the change repeated after it."""
    poses = [msgspec.structs.replace(camera.poses[k % CHANGED_FROM], time_s=t) for k, t in enumerate(TIMES_S)]
    found: Camera = msgspec.structs.replace(camera, poses=tuple(poses))
    return found
