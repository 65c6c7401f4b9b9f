"""One furnished room seen from two places: as a person would, and as hardly anybody does.

scene = draw_viewpoints(17, "0", Viewpoints())
common, uncommon, *again = scene.cameras[0].poses

The common viewpoint has no roll, a small pitch, and a standing person's height. The uncommon one is, as often
as each, rolled, steep, low or high; `RANGES` says by how much. The pictures are the times of a scene: both
viewpoints, and then both again when objects stand elsewhere, hang elsewhere on their walls and are turned
(`viewpoint_changes`).

Ref: 3DSRBench §3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import Furniture, furniture_model, room_assets
from fathom.assets.furniture.living import KINDS as LIVING
from fathom.assets.libraries import Library
from fathom.assets.spec import PERSON
from fathom.geometry.poses import Array, quaternion
from fathom.records import Camera, Environment, InputError, Pose, Scene, UnfitError
from fathom.scenes.estimated_views import CLEAR_M, nameable, near, shown
from fathom.scenes.looked_rooms import GENERATOR, TIMES_S, LookedRoom, RoomName, scene_of
from fathom.scenes.sitting import for_seats, sat_down
from fathom.scenes.turned_answers import FIRST
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.arrangements import TRINKETS
from fathom.scenes.videos.boxes import Boxes, joined_boxes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import Indoor, furnished, room_for
from fathom.scenes.videos.rooms import Room
from fathom.scenes.viewpoint_changes import LOOSE, changed_room
from fathom.scenes.wall_things import ON_WALL, hang_things
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

COMMON = "common"
ATTEMPTS, LOOKS = 40, 160
"""How often a room is furnished anew, and how many cameras are tried in each."""

ON_SEATS = 0.8
"""How likely somebody sits on a seat, where one is free."""

GROWS_BY = 0.02
"""By which share the sides of a room are longer with each of these."""

COMPARED, MOST_COMPARED = 4, 10
"""Of so many rooms that show enough the one is taken whose change turns most answers round; of up to so many
where none turns those round that it is changed for.
"""

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
    small : so many small objects more stand on furniture
    hung : so many objects hang on walls, where there is room
    living : so many people and animals are in a room, where there is room
    on_foot : so many people and animals are in a street
    parts : so many parts are objects of their own, such as the shade of the lamp
    seen : how many objects at least that have a name of their own are in both pictures, with no box before
        their middle
    room : what rooms and their furniture are drawn from, as for videos
    """

    width: int = 640
    height: int = 480
    fov_deg: Between = (62.0, 80.0)
    loose: int = 5
    small: int = 4
    hung: int = 5
    living: int = 2
    on_foot: int = 8
    parts: int = 3
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
    index: int,
    seed: Name,
    settings: Viewpoints | None = None,
    library: Library | None = None,
    turn: int | None = None,
) -> Scene:
    """Return the world `index` of a seed: a furnished room and two cameras in it.

    Kinds of viewpoints and of changes take turns: by `turn`, or the number of the world.

    Raises UnfitError where no two viewpoints show enough, AssetError where a model cannot be used.
    """
    wanted = settings or Viewpoints()
    furniture = room_assets(library)
    g = rng(seed, GENERATOR, index, "what")
    kind = wanted.room.rooms[int(g.integers(len(wanted.room.rooms)))]
    evening = bool(g.random() < wanted.room.evening)
    turn = index if turn is None else turn
    strange, first = UNCOMMON[turn % len(UNCOMMON)], FIRST[turn % len(FIRST)]
    found: LookedRoom | None = None
    fitting = 0
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        room = room_for(h, kind, wanted.room, 1 + GROWS_BY * attempt)
        looked = _looked(h, (kind, room), strange, first, wanted, furniture)
        if looked is None:
            continue
        fitting += 1
        found = looked if found is None or looked.change.worth > found.change.worth else found
        if looked.change.enough or fitting >= (COMPARED if found.change.meant else MOST_COMPARED):
            break
    if found is None:
        raise UnfitError(
            f"room {index}: no {kind} in {ATTEMPTS} attempts shows {wanted.seen} objects from a common "
            f"viewpoint and a {strange} one; ask for fewer objects in both pictures (seen) or for larger "
            "rooms"
        )
    name = RoomName(index, str(seed), kind, strange, evening)
    return scene_of(name, found, wanted.parts, furniture, wanted.environment)


def _looked(
    g: np.random.Generator,
    empty: tuple[str, Room],
    strange: str,
    first: str,
    wanted: Viewpoints,
    furniture: Furniture,
) -> LookedRoom | None:
    """Return a room, of a kind, as it is looked at; None where it shows too little, or cannot be changed."""
    layout = furnished(g, *empty, wanted.room, furniture)
    if layout is None:
        return None
    add_living(layout, wanted.living)
    add_loose(layout, wanted.loose)
    add_small(layout, wanted.small)
    hang_things(layout, wanted.hung)
    looked = looked_at(g, layout, strange, first, wanted)
    return looked if looked is not None and looked.change.stands else None


def looked_at(
    g: np.random.Generator, layout: RoomLayout, strange: str, first: str, wanted: Viewpoints
) -> LookedRoom | None:
    """Return a furnished room as it is looked at, changed where it can be; None where it shows too little."""
    camera = _cameras(g, layout, strange, wanted)
    return LookedRoom(layout, camera, changed_room(g, layout, camera, first)) if camera is not None else None


def add_loose(layout: RoomLayout, count: int) -> None:
    """Put objects with a front where they do not stand against walls; every second one along the walls."""
    layout.most = len(layout.stands) + count
    for k in range(count):
        layout.somewhere(LOOSE, turned=bool(k % 2), wall_m=0.3)


def add_small(layout: RoomLayout, count: int) -> None:
    """Put small objects on furniture, of each noun at most one where there are so many."""
    carriers = [s for s in layout.stands if s.asset.carries]
    there = {s.asset.noun for s in layout.stands}
    nouns = [noun for noun in TRINKETS if noun not in there] or list(TRINKETS)
    layout.most = len(layout.stands) + count
    for _ in range(count if carriers else 0):
        noun = nouns[int(layout.g.integers(len(nouns)))]
        layout.on_top((noun,), carriers[int(layout.g.integers(len(carriers)))])
        nouns = [n for n in nouns if n != noun] or nouns


def add_living(layout: RoomLayout, count: int) -> None:
    """Put people and animals into a room, of each noun at most one, people before others; on a seat, where
    there is one, or anywhere.
    """
    nouns = sorted(
        {(a.category != PERSON, a.noun) for a in layout.furniture.values() if a.category in LIVING}
    )
    people = [noun for other, noun in nouns if not other]
    others = [noun for other, noun in nouns if other]
    layout.most += count
    for k in range(count):
        some = (others if k % 2 else people) or [*people, *others]
        if some:
            noun = some.pop(int(layout.g.integers(len(some))))
            on_seat = layout.g.random() < ON_SEATS and _sat_down(layout, noun)
            if not on_seat:
                layout.somewhere((noun,), wall_m=0.15)


def _sat_down(layout: RoomLayout, noun: str) -> bool:
    """Return whether somebody who is called so sits down on a seat, in clothes of a color by chance."""
    kinds = [a for a in layout.furniture.values() if a.noun == noun and for_seats(a)]
    for kind in kinds:
        color = kind.colors[int(layout.g.integers(len(kind.colors)))] if kind.colors else ""
        stand = Stand(kind, color, furniture_model(kind).extents, (0.0, 0.0, 0.0), 0.0)
        spot = next(sat_down(layout, stand), None)
        if spot is not None:
            layout.stands.append(spot)
            return True
    return False


def _cameras(g: np.random.Generator, layout: RoomLayout, strange: str, wanted: Viewpoints) -> Camera | None:
    """Return a camera with the common and the uncommon pose that see most together; None where they see too
    little.
    """
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    centres = np.array([s.place_m for s in layout.stands]) + [
        (0.0, 0.0, s.size_m[2] / 2) for s in layout.stands
    ]
    found: dict[str, tuple[NDArray[np.bool_], list[Pose]]] = {}
    boxes = solid_boxes(layout)
    for k, kind in enumerate((COMMON, strange)):
        tried = (camera_pose(g, layout, boxes, kind, TIMES_S[k], centres) for _ in range(LOOKS))
        poses = [pose for pose in tried if pose is not None]
        if not poses:
            return None
        camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
        found[kind] = shown(layout.stands, layout.hides, camera) & nameable(layout.stands), poses
    best = best_pair(found[COMMON][0], found[strange][0], layout.stands, wanted.seen)
    if best is None:
        return None
    pair = tuple(found[kind][1][i] for kind, i in zip((COMMON, strange), best, strict=True))
    return cameras.pinhole(wanted.width, wanted.height, fov, pair)


def best_pair(
    common: NDArray[np.bool_], uncommon: NDArray[np.bool_], stands: Sequence[Stand], least: int
) -> tuple[int, int] | None:
    """Return which of some poses (F, n) and which of others (G, n) show most objects together; None where no
    two show enough.
    """
    seen = common[:, None] & uncommon[None]
    # What has a front is in most questions, and what is small or hangs is what moves: they count twice, and
    # people three times.
    each = [
        1 + (s.asset.has_front or s.on >= 0 or s.on == ON_WALL) + (s.asset.category == PERSON) for s in stands
    ]
    worth = np.where(seen.sum(axis=2) < least, 0, seen @ each)
    one, other = np.unravel_index(int(worth.argmax()), worth.shape)
    return (int(one), int(other)) if worth[one, other] else None


def solid_boxes(layout: RoomLayout) -> Boxes:
    """Return the boxes of what no camera in a room is in: walls, doors and what stands and hangs there."""
    return joined_boxes([*layout.wall_boxes, *layout.door_boxes, *(s.box for s in layout.hides)])


def camera_pose(
    g: np.random.Generator, layout: RoomLayout, boxes: Boxes, kind: str, time_s: float, centres: Array
) -> Pose | None:
    """Return a camera of a kind that looks at something; None where the place that was drawn has no room, or
    is in or close to one of some boxes.
    """
    ranges = RANGES[kind]
    corners = np.array([s.a for s in layout.room.sides])
    place = g.uniform(corners.min(axis=0) + CLEAR_M, corners.max(axis=0) - CLEAR_M)
    eye = np.array([*place, min(float(g.uniform(*ranges.height_m)), layout.room.height_m - CLEAR_M)])
    if not room_for_eye(layout, boxes, eye):
        return None
    target = centres[int(g.integers(len(centres)))][:2] - place
    yaw = math.atan2(target[1], target[0]) + float(g.normal(0, 0.15))
    pitch = math.radians(float(g.uniform(*ranges.pitch_deg)))
    roll = math.radians(float(g.uniform(*ranges.roll_deg))) * (1 if g.random() < 0.5 else -1)
    return routes.rounded(eye, quaternion(turned_view(yaw, pitch, roll)), time_s)


def room_for_eye(layout: RoomLayout, boxes: Boxes, eye: Array) -> bool:
    """Return whether a camera has room at a place (3,) in a room, clear of some boxes."""
    around = eye[:2] + CLEAR_M * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    stands = (boxes.low < eye[2] + CLEAR_M) & (boxes.high > eye[2] - CLEAR_M)
    return bool(layout.room.holds(around).all() and not (stands & near(boxes.corners, eye[:2])).any())


def turned_view(yaw: float, pitch: float, roll: float) -> Array:
    """Return (3, 3) a camera's axes (right, down, ahead) as columns, from angles in radians: where it looks
    on the ground, how far up, and by how much it is then turned clockwise about its axis.
    """
    flat, up, x, y = math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw)
    ahead, right = (flat * x, flat * y, up), (y, -x, 0.0)
    down = (up * x, up * y, -flat * x * x - flat * y * y)
    c, s = math.cos(roll), math.sin(roll)
    turned = ((c * r + s * d, c * d - s * r, a) for r, d, a in zip(right, down, ahead, strict=True))
    return np.array(tuple(turned))
