"""Videos of a walk through a furnished room: STI-Bench's indoor scale.

scene = draw_indoor(17, "0", Indoor())
models = models_at(scene, 0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fathom.assets.furniture.catalogue import Furniture, furniture_assets
from fathom.assets.libraries import Library
from fathom.geometry.poses import Array
from fathom.records import Camera, Environment, InputError, Pose, Scene, UnfitError
from fathom.scenes.videos import cameras, mobile_robots, routes, walking
from fathom.scenes.videos.arrangements import FILLERS, ROOMS, hang_pictures_and_lamp
from fathom.scenes.videos.boxes import Boxes, above_m, apart_m, boxes_of, joined_boxes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor_objects import models_at, room_objects
from fathom.scenes.videos.rooms import Room, drawn_room, house_objects
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

__all__ = ["Indoor", "draw_indoor", "furnished", "models_at", "room_for"]

VERSION = "4"
ATTEMPTS = 40
"""How often a room is furnished and walked through anew before a world is given up."""

WALKS = 8
"""How often a walk through one furnished room is drawn."""

ROOM_ANEW, GROWS_BY = 6, 0.02
"""After how many of these another room is drawn, and by which share its sides are longer each time."""

DAY, EVENING = (5.0, 0.42), (0.45, 0.24)
"""What panes and ceilings shed, white paper by day being about 1: a ceiling stands for the light that goes to
and fro in the room."""

Between = tuple[float, float]


@dataclass(frozen=True)
class Indoor:
    """What rooms and walks are drawn from; all ranges are drawn from continuously.

    seconds : length of the video
    fps : frames a second
    width, height : size of a frame in pixels
    rooms : kinds of rooms, drawn from evenly
    scale : a factor on the usual lengths of a room's sides
    bent : how likely a room is L-shaped, where it is large enough
    height_m : of the room
    fewest, most : how many objects stand there
    spread : by how much more sizes differ than kinds say (`assets/sizes.py`); 0: all are of a middle size
    roaming : how likely something drives about by itself
    evening : how likely daylight is weak and all lamps are on
    clear_m : how near the camera's way comes to furniture and walls at most, seen from above
    eye_m : how high the camera is carried
    speed : how fast the camera walks, in meters a second
    turn_deg_s : how fast it turns, at most
    sway_m, sway_deg, bob_m : how far walking moves and turns the camera, and lifts it
    fov_deg : horizontal field of view
    seen_share, seen_frames : what share of the objects is in the picture in at least what share of the frames
    """

    seconds: float = 10.0
    fps: float = 30.0
    width: int = 640
    height: int = 480
    rooms: tuple[str, ...] = ("living room", *ROOMS)
    scale: Between = (0.95, 1.1)
    bent: float = 0.4
    height_m: Between = (2.45, 2.9)
    fewest: int = 8
    most: int = 18
    spread: float = 1.0
    roaming: float = 0.35
    evening: float = 0.25
    clear_m: float = 0.33
    eye_m: Between = (1.47, 1.68)
    speed: Between = (0.15, 1.2)
    turn_deg_s: float = 52.0
    sway_m: Between = (0.004, 0.012)
    sway_deg: Between = (0.25, 0.7)
    bob_m: Between = (0.003, 0.008)
    fov_deg: Between = (62.0, 76.0)
    seen_share: float = 0.5
    seen_frames: float = 0.15
    environment: Environment = field(
        default_factory=lambda: Environment(name="indoors", ground="none"), metadata=FIXED
    )

    def __post_init__(self) -> None:
        if self.seconds * self.fps < 10 or self.seconds < 1.0 or self.fps <= 0:
            raise InputError(
                f"indoor: {self.seconds:g} s at {self.fps:g} frames a second: expected at least 1 s and 10 "
                "frames; film longer or faster"
            )
        if not 1 <= self.fewest <= self.most:
            raise InputError(
                f"indoor: {self.fewest} to {self.most} objects: expected at least one, and no fewer at most "
                "than at least; correct the settings"
            )
        unknown = [r for r in self.rooms if r not in ROOMS]
        if unknown or not self.rooms:
            raise InputError(
                f"indoor: rooms {', '.join(unknown) or 'of no kind'}: expected some of {', '.join(ROOMS)}; "
                "correct the settings"
            )
        if not 0 < self.speed[0] < 0.8 * self.speed[1]:
            raise InputError(
                f"indoor: walking {self.speed[0]:g} to {self.speed[1]:g} m/s: expected the first above 0 and "
                "well below the second; correct the settings"
            )


def draw_indoor(
    index: int, seed: Name, settings: Indoor | None = None, library: Library | None = None
) -> Scene:
    """Return the world `index` of a seed: a furnished room, and the camera of somebody who walks through.

    Beside the built-in furniture that of the library stands there. Raises UnfitError where the settings leave
    no room for so many objects, or for walking among them, AssetError where a model cannot be used.
    """
    wanted = settings or Indoor()
    times = routes.frame_times(wanted.seconds, wanted.fps)
    furniture = furniture_assets(library)
    g = rng(seed, "indoor", index, "what")
    kind = wanted.rooms[int(g.integers(len(wanted.rooms)))]
    evening = bool(g.random() < wanted.evening)
    roams = bool(g.random() < wanted.roaming)
    for attempt in range(ATTEMPTS):
        h = rng(seed, "indoor", index, "where", attempt)
        again = attempt // ROOM_ANEW
        room = room_for(rng(seed, "indoor", index, "room", again), kind, wanted, 1 + GROWS_BY * again)
        layout = furnished(h, kind, room, wanted, furniture)
        if layout is None:
            continue
        tracks = _roamed(h, layout, times) if roams else {}
        found = (
            _walked(h, layout, tracks, wanted, times, (seed, index, attempt)) if tracks is not None else None
        )
        if found is None or tracks is None:
            continue
        house = house_objects(room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        return Scene(
            id=f"indoor-{index:06d}",
            generator="indoor",
            version=VERSION,
            seed=str(seed),
            objects=(*house, *room_objects(layout, tracks, evening)),
            cameras=(found,),
            environment=wanted.environment,
            times_s=tuple(round(float(t), 6) for t in times),
            source={"setting": "indoor", "video": f"scene{index:04d}_00"},
        )
    raise UnfitError(
        f"indoor world {index}: a {kind} of {room.area_m2:.1f} m² had no room for {wanted.fewest} objects "
        f"and a walk among them in {ATTEMPTS} attempts; ask for fewer objects or larger rooms"
    )


def room_for(g: np.random.Generator, kind: str, wanted: Indoor, factor: float) -> Room:
    """Return an empty room of a kind, its sides longer by a factor than is usual."""
    _, (least, most), floors = ROOMS[kind]
    scale = float(g.uniform(*wanted.scale)) * factor
    long = round(float(g.uniform(least, most)) * scale, 3)
    wide = round(min(long, float(g.uniform(0.92 * least, 0.85 * most)) * scale), 3)
    bent = min(long, wide) > 3.9 and g.random() < wanted.bent
    return drawn_room(g, (long, wide), round(float(g.uniform(*wanted.height_m)), 3), bool(bent), floors)


def furnished(
    g: np.random.Generator, kind: str, room: Room, wanted: Indoor, furniture: Furniture
) -> RoomLayout | None:
    """Return the room with what belongs there and what may stand anywhere; None where that is too little."""
    layout = RoomLayout(room, g, furniture, wanted.spread, wanted.most)
    if not ROOMS[kind][0](layout):
        return None
    for _ in range(int(g.integers(2, 6))):
        layout.against_wall(FILLERS, corner=bool(g.random() < 0.6))
    for _ in range(3):
        if len(layout.stands) < wanted.fewest:
            layout.against_wall(FILLERS)
    hang_pictures_and_lamp(layout)
    return layout if len(layout.stands) >= wanted.fewest else None


def _roamed(g: np.random.Generator, layout: RoomLayout, times: Array) -> dict[int, tuple[Pose, ...]] | None:
    """Return the poses of something that drives about, by its index; None where it has no room."""
    name = list(mobile_robots.ROAMERS)[int(g.integers(len(mobile_robots.ROAMERS)))]
    layout.most += 1
    stand = layout.somewhere((name,), wall_m=0.25)
    if stand is None:
        return None
    others = [s.box for s in layout.stands if s is not stand]
    rugs = [r.box for r in layout.laid if r.what == "rug"]
    there = joined_boxes([*others, *rugs, *layout.wall_boxes, *layout.door_boxes])

    def free(boxes: Boxes) -> bool:
        if not layout.room.holds(boxes.corners).all():
            return False
        apart = apart_m(boxes.corners[:, None], there.corners[None]) >= 0.05
        moving = Boxes(boxes.corners[:, None], boxes.low[:, None], boxes.high[:, None])
        return bool((apart | (above_m(moving, there) >= 0.02)).all())

    start = (stand.place_m, stand.heading_rad)
    poses = mobile_robots.ROAMERS[name](g, start, times, stand.size_m, free)
    return {len(layout.stands) - 1: poses} if poses is not None else None


def _walked(
    g: np.random.Generator,
    layout: RoomLayout,
    tracks: dict[int, tuple[Pose, ...]],
    wanted: Indoor,
    times: Array,
    names: tuple[Name, int, int],
) -> Camera | None:
    """Return a camera that walks through and sees enough; None where there is no way, or none that does."""
    gait = walking.Gait(
        *wanted.speed, wanted.clear_m, float(g.uniform(*wanted.eye_m)), float(g.uniform(*wanted.sway_m)),
        float(g.uniform(*wanted.sway_deg)), float(g.uniform(*wanted.bob_m)), math.radians(wanted.turn_deg_s),
    )  # fmt: skip
    seed, index, attempt = names
    stood = [s.box for k, s in enumerate(layout.stands) if k not in tracks and s.place_m[2] < 1.9]
    walls = joined_boxes([*layout.wall_boxes, *layout.door_boxes, *stood])
    corners = np.array([s.a for s in layout.room.sides])
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    centres = _centres(layout, tracks, len(times))
    for k in range(WALKS):
        way = walking.way_through(
            g, walls, layout.room.holds, (corners.min(axis=0), corners.max(axis=0)), gait, float(times[-1])
        )
        if way is None:
            return None
        own = ("indoor", index, "walk", attempt, k)
        eyes, heading = walking.walked(g, way, times, gait, seed, *own)
        if any(_near(eyes, layout.stands[i], p) for i, p in tracks.items()):
            continue
        looked = walking.looks(
            g, eyes, heading, times, centres.mean(axis=0), fov / 2, layout.wall_ahead_m, gait
        )
        if looked is None:
            continue
        poses = walking.carried(eyes, *looked, times, gait, seed, *own)
        camera = cameras.pinhole(wanted.width, wanted.height, fov, poses)
        seen = cameras.framed(camera, centres).mean(axis=0)
        moving = [seen[i] for i in tracks]
        if (seen >= wanted.seen_frames).mean() >= wanted.seen_share and all(s >= 0.3 for s in moving):
            return camera
    return None


def _near(eyes: Array, stand: Stand, poses: tuple[Pose, ...]) -> bool:
    """Return whether something that drives comes under the feet of who films."""
    boxes = boxes_of(stand.size_m, poses)
    gaps = np.linalg.norm(boxes.centres - eyes[:, :2], axis=1) - max(stand.size_m[:2]) / 2
    return bool(gaps.min() < 0.3)


def _centres(layout: RoomLayout, tracks: dict[int, tuple[Pose, ...]], frames: int) -> Array:
    """Return (F, n, 3) the centres of what stands there."""
    rows = np.array([s.place_m for s in layout.stands]) + np.array(
        [[0.0, 0.0, s.size_m[2] / 2] for s in layout.stands]
    )
    found = np.tile(rows, (frames, 1, 1))
    for k, poses in tracks.items():
        found[:, k, :2] = [p.position_m[:2] for p in poses]
    return np.asarray(found)
