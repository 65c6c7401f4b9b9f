"""One furnished room seen from two places: as a person would, and as hardly anybody does.

scene = draw_viewpoints(17, "0", Viewpoints())
common, uncommon, *again = scene.cameras[0].poses

The common viewpoint has no roll, a small pitch, and a standing person's height. The uncommon one is, as often
as each, rolled, steep, low or high; `RANGES` says by how much. The pictures are the times of a scene: both
viewpoints, and then both again when one object stands elsewhere and one is turned (`viewpoint_changes`).

Ref: 3DSRBench §3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.libraries import Library
from fathom.geometry.poses import Array, quaternion, yaw_quaternion
from fathom.records import Camera, Environment, InputError, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.boxes import joined_boxes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import DAY, EVENING, Indoor, furnished, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoint_changes import CLEAR_M, LOOSE, changed_room, nameable, near, shown
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "viewpoints", "3"
TIMES_S = (0.0, 1.0, 2.0, 3.0)
"""When the scene is seen: from the common and the uncommon viewpoint, and from both after the change."""

CHANGED_FROM = 2
"""From this time on the scene is changed."""

COMMON = "common"
ATTEMPTS, LOOKS = 40, 160
"""How often a room is furnished anew, and how many cameras are tried in each."""

Between = tuple[float, float]


@dataclass(frozen=True)
class ViewpointRange:
    """Where cameras of one kind are: height in metres, pitch (down below 0) and roll in degrees."""

    height_m: Between
    pitch_deg: Between
    roll_deg: Between


RANGES: Mapping[str, ViewpointRange] = MappingProxyType(
    {
        COMMON: ViewpointRange((1.45, 1.7), (-15.0, 5.0), (0.0, 0.0)),
        "rolled": ViewpointRange((1.2, 1.7), (-25.0, 5.0), (15.0, 45.0)),
        "steep": ViewpointRange((1.7, 2.3), (-70.0, -40.0), (0.0, 10.0)),
        "low": ViewpointRange((0.12, 0.4), (-5.0, 20.0), (0.0, 8.0)),
        "high": ViewpointRange((2.05, 2.4), (-40.0, -20.0), (0.0, 12.0)),
    }
)
"""Kind of viewpoint → its ranges, drawn from evenly; a roll is to either side."""

UNCOMMON = tuple(kind for kind in RANGES if kind != COMMON)


@dataclass(frozen=True)
class Viewpoints:
    """What rooms seen from two places are drawn from.

    width, height : size of a picture in pixels
    fov_deg : horizontal field of view
    loose : so many objects with a front stand in the middle of the room, where there is room, turned any way
    seen : how many objects at least that have a name of their own are in both pictures, with no box before
        their middle
    room : what rooms and their furniture are drawn from, as for videos
    """

    width: int = 640
    height: int = 480
    fov_deg: Between = (62.0, 80.0)
    loose: int = 5
    seen: int = 5
    room: Indoor = field(default_factory=Indoor)
    environment: Environment = field(
        default_factory=lambda: Environment(name="indoors", ground="none"), metadata=FIXED
    )

    def __post_init__(self) -> None:
        """Raise InputError where nothing could be compared."""
        if self.seen < 3:
            raise InputError(f"viewpoints: {self.seen} objects in both pictures: expected at least 3")


def draw_viewpoints(
    index: int, seed: Name, settings: Viewpoints | None = None, library: Library | None = None
) -> Scene:
    """Return the world `index` of a seed: a furnished room and two cameras in it.

    Raises UnfitError where no two viewpoints show enough, AssetError where a model cannot be used.
    """
    wanted = settings or Viewpoints()
    furniture = furniture_assets(library)
    g = rng(seed, GENERATOR, index, "what")
    kind = wanted.room.rooms[int(g.integers(len(wanted.room.rooms)))]
    evening = bool(g.random() < wanted.room.evening)
    strange = UNCOMMON[index % len(UNCOMMON)]
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        room = room_for(h, kind, wanted.room, 1.0)
        layout = furnished(h, kind, room, wanted.room, furniture)
        if layout is None:
            continue
        add_loose(layout, wanted.loose)
        camera = _cameras(h, layout, strange, wanted)
        changes = changed_room(h, layout, camera) if camera is not None else {}
        if camera is None or not changes:
            continue
        house = house_objects(room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        name = f"room-{index:06d}"
        return Scene(
            id=name,
            generator=GENERATOR,
            version=VERSION,
            seed=str(seed),
            objects=(*house, *_objects(layout, changes, evening)),
            cameras=(_again(camera),),
            environment=wanted.environment,
            times_s=TIMES_S,
            source={"setting": "indoor", "video": name, "room": kind, "uncommon": strange},
        )
    raise UnfitError(
        f"room {index}: no {kind} in {ATTEMPTS} attempts shows {wanted.seen} objects from a common viewpoint "
        f"and a {strange} one; ask for fewer objects in both pictures (seen) or for larger rooms"
    )


def _objects(layout: RoomLayout, changes: Mapping[int, Stand], evening: bool) -> list[SceneObject]:
    """Return the objects of a room; those that change have a pose at each time, and say what happens."""
    tracks = {k: tuple(_at(layout.stands[k], stand, t) for t in TIMES_S) for k, stand in changes.items()}
    by_id = {f"thing{k}": _change(layout.stands[k], stand) for k, stand in changes.items()}
    return [_said(obj, by_id.get(obj.id, "")) for obj in room_objects(layout, tracks, evening)]


def _said(obj: SceneObject, change: str) -> SceneObject:
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


def _change(before: Stand, after: Stand) -> str:
    return "turned" if before.place_m == after.place_m else "moved"


def _again(camera: Camera) -> Camera:
    """Return the camera with its poses before the change repeated after it."""
    poses = [msgspec.structs.replace(camera.poses[k % CHANGED_FROM], time_s=t) for k, t in enumerate(TIMES_S)]
    found: Camera = msgspec.structs.replace(camera, poses=tuple(poses))
    return found


def add_loose(layout: RoomLayout, count: int) -> None:
    """Put objects with a front where they do not stand against walls; every second one along the walls."""
    layout.most = len(layout.stands) + count
    for k in range(count):
        layout.somewhere(LOOSE, turned=bool(k % 2), wall_m=0.3)


def _cameras(g: np.random.Generator, layout: RoomLayout, strange: str, wanted: Viewpoints) -> Camera | None:
    """Return a camera with the common and the uncommon pose that see most together; None where they see too
    little.
    """
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    centres = np.array([s.place_m for s in layout.stands]) + [
        (0.0, 0.0, s.size_m[2] / 2) for s in layout.stands
    ]
    found: dict[str, tuple[NDArray[np.bool_], list[Pose]]] = {}
    for k, kind in enumerate((COMMON, strange)):
        poses = [
            p for _ in range(LOOKS) if (p := camera_pose(g, layout, kind, TIMES_S[k], centres)) is not None
        ]
        if not poses:
            return None
        camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
        found[kind] = shown(layout.stands, layout.stands, camera) & nameable(layout.stands), poses
    seen = found[COMMON][0][:, None] & found[strange][0][None]
    # What has a front is in most questions: it counts twice.
    worth = np.where(seen.sum(axis=2) < wanted.seen, 0, seen @ [1 + s.asset.has_front for s in layout.stands])
    best = np.unravel_index(int(worth.argmax()), worth.shape)
    if not worth[best]:
        return None
    pair = tuple(found[kind][1][int(i)] for kind, i in zip((COMMON, strange), best, strict=True))
    return cameras.pinhole(wanted.width, wanted.height, fov, pair)


def camera_pose(
    g: np.random.Generator, layout: RoomLayout, kind: str, time_s: float, centres: Array
) -> Pose | None:
    """Return a camera of a kind that looks at something; None where the place that was drawn has no room."""
    ranges = RANGES[kind]
    corners = np.array([s.a for s in layout.room.sides])
    place = g.uniform(corners.min(axis=0) + CLEAR_M, corners.max(axis=0) - CLEAR_M)
    eye = np.array([*place, min(float(g.uniform(*ranges.height_m)), layout.room.height_m - CLEAR_M)])
    around = place + CLEAR_M * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    boxes = joined_boxes([*layout.wall_boxes, *layout.door_boxes, *(s.box for s in layout.stands)])
    stands = (boxes.low < eye[2] + CLEAR_M) & (boxes.high > eye[2] - CLEAR_M)
    if not layout.room.holds(around).all() or (stands & near(boxes.corners, place)).any():
        return None
    target = centres[int(g.integers(len(centres)))][:2] - place
    yaw = math.atan2(target[1], target[0]) + float(g.normal(0, 0.15))
    pitch = math.radians(float(g.uniform(*ranges.pitch_deg)))
    roll = math.radians(float(g.uniform(*ranges.roll_deg))) * (1 if g.random() < 0.5 else -1)
    return routes.rounded(eye, quaternion(turned_view(yaw, pitch, roll)), time_s)


def turned_view(yaw: float, pitch: float, roll: float) -> Array:
    """Return (3, 3) a camera's axes (right, down, ahead) as columns, from angles in radians: where it looks
    on the ground, how far up, and by how much it is then turned clockwise about its axis.
    """
    ahead = np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    down = np.cross(ahead, right)
    c, s = math.cos(roll), math.sin(roll)
    return np.stack([c * right + s * down, c * down - s * right, ahead], axis=-1)
