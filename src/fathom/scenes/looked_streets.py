"""A street at one moment seen from two places, before and after a change: as rooms are.

scene = draw_looked_street(17, "0", Viewpoints(), StreetLibraries(), turn=3)

The common viewpoint is that of somebody who stands in the street. Uncommon ones are rolled, low, or those
of somebody at a window: high, and steep. People, animals and vehicles stand elsewhere after the change, and
one of them is turned.

Ref: 3DSRBench §3.1–3.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import room_assets
from fathom.assets.libraries import Library
from fathom.assets.spec import PERSON
from fathom.geometry.poses import Array, quaternion
from fathom.records import Camera, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.estimated_views import hit, in_pictures, middles_of, nameable, shown
from fathom.scenes.looked_rooms import (
    GENERATOR,
    TIMES_S,
    VERSION,
    at_all_times,
    change_of,
    poses_of,
    said_of,
)
from fathom.scenes.named_parts import NamedPart, part_objects
from fathom.scenes.street_moments import (
    ON_FOOT,
    VEHICLES,
    StreetLayout,
    beside_road,
    beside_something,
    on_crossing,
    pavement_off,
    street_moment,
)
from fathom.scenes.turned_answers import Apart
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.boxes import Boxes
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.viewpoint_changes import EACH, TURNS_RAD, ChangePlan, RoomChange, changed_place
from fathom.scenes.viewpoints import (
    COMMON,
    UNCOMMON,
    ViewpointRange,
    Viewpoints,
    best_pair,
    turned_view,
)
from fathom.store.seeds import Name, rng

STREET_RANGES: Mapping[str, ViewpointRange] = MappingProxyType(
    {
        COMMON: ViewpointRange((1.45, 1.7), (-12.0, 4.0), (0.0, 0.0)),
        "rolled": ViewpointRange((1.2, 1.7), (-20.0, 5.0), (15.0, 45.0)),
        "steep": ViewpointRange((4.5, 7.5), (-60.0, -40.0), (0.0, 10.0)),
        "low": ViewpointRange((0.12, 0.4), (-3.0, 12.0), (0.0, 8.0)),
        "high": ViewpointRange((3.5, 7.0), (-36.0, -18.0), (0.0, 12.0)),
    }
)
"""Kind of viewpoint → its ranges in streets, drawn from evenly; a roll is to either side."""

ATTEMPTS, LOOKS, COMPARED = 24, 90, 5
"""How many streets are drawn, how many cameras are tried in each, and of how many that show enough the one is
taken that is worth most.
"""

SHOWN_COUNTS = 12
"""What an object that both pictures show counts beside the answers that a change turns round."""

AWAY_M, CLEAR_M, TOGETHER_M = (4.0, 11.0), 0.4, 6.0
"""How far a camera is from what it looks at, how far at least from anything; and how far apart objects are
that are together.
"""

LOOKS_DOWN_DEG = -17.0
"""What looks down farther has in its middle what it looks at."""

LARGE_PX = 40.0
"""How long an object is in a picture at least that counts as seen."""

CLOSE = 0.4
"""How likely somebody who is moved goes close to something."""

MOVES_M = (1.5, 11.0)
"""How far along the street an object is moved."""

SMALL = frozenset({"bench", "bin", "hydrant", "cone", "post box", "bollard", "planter", "barrier"})
"""The categories of what is moved along pavements."""

IN_STREETS = Apart(nearer=(0.85, 0.21), beside_m=(0.7, 4.5))

FIRST = ("nearer", "next to")
"""Which answers a street is changed for: streets take turns."""


@dataclass(frozen=True)
class StreetLibraries:
    """What streets are drawn from beside the built-in sets: models for streets, and those for rooms."""

    outdoors: Library | None = None
    indoors: Library | None = None


@dataclass(frozen=True)
class _Looked:
    layout: StreetLayout
    camera: Camera
    change: RoomChange
    shows: int

    @property
    def worth(self) -> int:
        return self.change.worth + SHOWN_COUNTS * self.shows


def draw_looked_street(
    index: int, seed: Name, wanted: Viewpoints, libraries: StreetLibraries | None = None, turn: int = 0
) -> Scene:
    """Return the world `index` of a seed, a street and two cameras in it; kinds of viewpoints take turns.

    Raises UnfitError where no two viewpoints show enough, AssetError where a model cannot be used.
    """
    strange, first = UNCOMMON[turn % len(UNCOMMON)], FIRST[turn % len(FIRST)]
    given = libraries or StreetLibraries()
    found: _Looked | None = None
    fitting = 0
    for attempt in range(ATTEMPTS):
        looked = _looked(index, seed, attempt, (strange, first), wanted, given)
        if looked is None or not looked.change.stands:
            continue
        fitting += 1
        found = looked if found is None or looked.worth > found.worth else found
        if fitting == COMPARED:
            break
    if found is None:
        raise UnfitError(
            f"street {index}: none in {ATTEMPTS} attempts shows {wanted.seen} objects from a common "
            f"viewpoint and a {strange} one; ask for fewer objects in both pictures (seen) or for no streets"
        )
    things = _things(found)
    heads = _heads(rng(seed, GENERATOR, index, "parts"), found, wanted.parts)
    parts = part_objects(things, room_assets(given.indoors), heads)
    return _scene(index, seed, found, strange, (*things, *parts))


def _looked(
    index: int, seed: Name, attempt: int, kinds: tuple[str, str], wanted: Viewpoints, given: StreetLibraries
) -> _Looked | None:
    """Return a street as it is looked at, and changed; None where it shows too little."""
    g = rng(seed, GENERATOR, index, "street", attempt)
    strange, first = kinds
    try:
        world = index, str(seed), attempt
        layout = street_moment(g, world, wanted.on_foot, given.outdoors, given.indoors)
    except UnfitError:
        return None
    camera = _cameras(g, layout, strange, wanted)
    if camera is None:
        return None
    moves = (_on_foot, first), (_along, first), (_along, first)
    change = changed_place(g, layout, camera, ChangePlan(moves, _turned, IN_STREETS))
    shows = int(_seen(layout, layout.hides, camera).all(axis=0).sum())
    return _Looked(layout, camera, change, shows)


def _cameras(g: np.random.Generator, layout: StreetLayout, strange: str, wanted: Viewpoints) -> Camera | None:
    """Return a camera with the common and the uncommon pose that see most together; None where they see too
    little.
    """
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    hides, there = layout.hides, layout.boxes_but()
    focus = _focus(layout)
    found: dict[str, tuple[NDArray[np.bool_], list[Pose]]] = {}
    for k, kind in enumerate((COMMON, strange)):
        drawn = (_pose(g, focus, kind, TIMES_S[k]) for _ in range(LOOKS))
        poses = [p for p in drawn if not _within(np.array(p.position_m), there)]
        if not poses:
            return None
        camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
        found[kind] = _seen(layout, hides, camera), poses
    best = best_pair(found[COMMON][0], found[strange][0], layout.stands, wanted.seen)
    if best is None:
        return None
    pair = tuple(found[kind][1][i] for kind, i in zip((COMMON, strange), best, strict=True))
    return cameras.pinhole(wanted.width, wanted.height, fov, pair)


def _focus(layout: StreetLayout) -> Array:
    """Return where (2,) most objects are about that have a name of their own."""
    places = np.array([s.place_m[:2] for s in layout.stands])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.asarray(places[int(((apart <= TOGETHER_M) & nameable(layout.stands)).sum(axis=1).argmax())])


def _pose(g: np.random.Generator, focus: Array, kind: str, time_s: float) -> Pose:
    """Return a camera of a kind that looks towards a place on the ground: one that looks down steeply from
    where that is in the middle of its picture.
    """
    ranges = STREET_RANGES[kind]
    high, pitch_deg = float(g.uniform(*ranges.height_m)), float(g.uniform(*ranges.pitch_deg))
    away = (
        high / math.tan(math.radians(-pitch_deg)) if pitch_deg < LOOKS_DOWN_DEG else float(g.uniform(*AWAY_M))
    )
    around = float(g.uniform(-math.pi, math.pi))
    eye = np.array([*(focus - away * np.array([math.cos(around), math.sin(around)])), high])
    yaw = around + float(g.normal(0, 0.12))
    roll = math.radians(float(g.uniform(*ranges.roll_deg))) * (1 if g.random() < 0.5 else -1)
    return routes.rounded(eye, quaternion(turned_view(yaw, math.radians(pitch_deg), roll)), time_s)


def _within(eye: Array, boxes: Boxes) -> bool:
    """Return whether a place is in, or close to, anything of a street."""
    low, high = boxes.corners.min(axis=1) - CLEAR_M, boxes.corners.max(axis=1) + CLEAR_M
    level = (boxes.low < eye[2] + CLEAR_M) & (boxes.high > eye[2] - CLEAR_M)
    return bool((level & ((eye[:2] >= low) & (eye[:2] <= high)).all(axis=1)).any())


def _seen(layout: StreetLayout, hides: Sequence[Stand], camera: Camera) -> NDArray[np.bool_]:
    """Return (F, n) which objects that have a name of their own each pose shows, and large enough."""
    eyes = np.array([p.position_m for p in camera.poses])
    away = np.linalg.norm(eyes[:, None] - middles_of(layout.stands), axis=2)
    longest = np.array([max(s.size_m) for s in layout.stands])
    large = camera.fx * longest / np.maximum(away, 0.1) >= LARGE_PX
    return np.asarray(shown(layout.stands, hides, camera) & nameable(layout.stands) & large)


def _spots(g: np.random.Generator, now: StreetLayout, k: int, camera: Camera) -> Iterator[tuple[int, Stand]]:
    """Yield an object elsewhere along the street, where it is free and in the pictures."""
    stand, street = now.stands[k], now.street
    at = street.main.nearest(stand.place_m[:2])
    (x, y), heading = street.main.at(at)
    off = float(np.array([-math.sin(heading), math.cos(heading)]) @ (np.array(stand.place_m[:2]) - (x, y)))
    hides = [s for s in now.hides if s is not stand]
    for _ in range(EACH):
        along = at + float(g.uniform(*MOVES_M)) * (1 if g.random() < 0.5 else -1)
        on_foot = stand.asset.category in ON_FOOT
        aside = pavement_off(g, street) if on_foot else off
        if on_foot and g.random() < CLOSE:
            other = now.stands[int(g.integers(len(now.stands)))]
            along, aside = beside_something(g, street, stand, other)
        turn = float(street.main.at(along)[1]) - float(heading)
        spot = beside_road(street, stand, along, aside, stand.heading_rad + turn)
        if on_crossing(street, along):
            continue
        if now.free(spot, k) and not hit(spot, camera) and in_pictures(spot, hides, camera):
            yield k, spot


def _of(
    g: np.random.Generator, now: StreetLayout, usable: Sequence[int], camera: Camera, kinds: frozenset[str]
) -> Iterator[tuple[int, Stand]]:
    for k in (k for k in usable if now.stands[k].asset.category in kinds):
        yield from islice(_spots(g, now, k, camera), EACH // 2)


def _on_foot(
    g: np.random.Generator, now: StreetLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield people and animals elsewhere on the pavements."""
    yield from _of(g, now, usable, camera, frozenset(ON_FOOT))


def _along(
    g: np.random.Generator, now: StreetLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield vehicles and what stands on pavements farther along the street."""
    yield from _of(g, now, usable, camera, VEHICLES | SMALL)


def _turned(
    g: np.random.Generator, now: StreetLayout, usable: Sequence[int], camera: Camera
) -> Iterator[tuple[int, Stand]]:
    """Yield somebody on foot turned by a right angle or two, or a parked vehicle the other way round."""
    for k in usable:
        stand, parked = now.stands[k], "parked" in now.objects[k].attributes
        if stand.asset.category not in ON_FOOT and not parked:
            continue
        for turn in (math.pi,) if parked else g.permutation(TURNS_RAD):
            heading = math.remainder(stand.heading_rad + float(turn), 2 * math.pi)
            spot = replace(stand, heading_rad=heading)
            if now.free(spot, k) and not hit(spot, camera):
                yield k, spot


def _heads(g: np.random.Generator, found: _Looked, count: int) -> list[NamedPart]:
    """Return up to so many parts of people who have a name of their own, are in the pictures, and stay."""
    layout, named = found.layout, nameable(found.layout.stands)
    those = [
        k
        for k, s in enumerate(layout.stands)
        if named[k] and s.asset.category == PERSON and s.asset.named_parts and k not in found.change.stands
        if in_pictures(s, layout.hides, found.camera)
    ]
    drawn = sorted(int(k) for k in g.permutation(those)[:count])
    return [(f"thing{k}", *layout.stands[k].asset.named_parts[0]) for k in drawn]


def _things(found: _Looked) -> list[SceneObject]:
    """Return the objects of a street, numbered as those of rooms are."""
    things = []
    for k, (stand, obj) in enumerate(zip(found.layout.stands, found.layout.objects, strict=True)):
        after = found.change.stands.get(k)
        poses = poses_of(stand, after) if after is not None else obj.poses
        named = msgspec.structs.replace(obj, id=f"thing{k}", poses=poses)
        things.append(said_of(named, change_of(stand, after) if after is not None else ""))
    return things


def _scene(index: int, seed: Name, found: _Looked, strange: str, objects: Sequence[SceneObject]) -> Scene:
    """Return a street as a scene."""
    called = f"street-{index:06d}"
    return Scene(
        id=called,
        generator=GENERATOR,
        version=VERSION,
        seed=str(seed),
        objects=(*found.layout.structure, *objects),
        cameras=(at_all_times(found.camera),),
        environment=found.layout.environment,
        times_s=TIMES_S,
        source={"setting": "outdoor", "video": called, "room": "street", "uncommon": strange},
    )
