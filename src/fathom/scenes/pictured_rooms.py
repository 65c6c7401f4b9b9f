"""One furnished room in one picture, with a poster that has a word on it.

scene = draw_pictured_room(17, "0", PicturedRooms())

The camera is where a person would hold it. Of the places that are tried the one is taken that shows most
objects with a name of their own, and the poster where it can.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.lettering import FONTS, LETTERING, WORDS, aspect_of, lettering_hash
from fathom.assets.libraries import Library
from fathom.geometry.poses import Array, rotation_matrix, yaw_quaternion
from fathom.records import AssetRef, Camera, Environment, InputError, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.videos import cameras
from fathom.scenes.videos.arrangements import TRINKETS
from fathom.scenes.videos.furnishing_rooms import Laid, RoomLayout
from fathom.scenes.videos.indoor import DAY, EVENING, Indoor, furnished, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoint_changes import nameable, shown
from fathom.scenes.viewpoints import COMMON, add_loose, camera_pose
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "pictured-room", "3"
ATTEMPTS, LOOKS = 30, 160
"""How often a room is furnished anew, and how many cameras are tried in each."""

POSTER_DEEP_M, INK_M = 0.02, 0.003
READ_DEG, READ_PX = 40.0, 17.0
"""By how much a poster is turned away from the camera at most, and how high its letters are at least."""

POSTER_COUNTS = 6
"""A poster that can be read counts as so many objects when a camera is chosen."""

WALL_AWAY_M, ACROSS = 1.3, (-0.9, -0.5, 0.0, 0.5, 0.9)
"""How far walls are from a camera at least, in these parts of the picture from its middle to its edges."""

ALIKE_COUNT = 3
"""And so much does one of several that are alike."""

LETTERS_M = (0.15, 0.22)
"""How high letters are."""

ALIKE = (*TRINKETS, "stool", "chair", "pouf", "floor cushion", "cardboard box", "basket", "suitcase")
"""Of which nouns there are several in a room."""

OF_A_KIND = (2, 6)
"""So many are added of one, the second number excluded."""

GROUPS = 3
"""Of so many nouns several are added."""

SCATTERED = 0.3
"""How likely one of them stands anywhere, and not on the largest piece of furniture."""

LETTERING_CATEGORY = "lettering"


@dataclass(frozen=True)
class PicturedRooms:
    """What rooms in one picture are drawn from.

    width, height : size of the picture in pixels
    fov_deg : horizontal field of view
    loose : so many objects with a front stand in the middle of the room, where there is room, turned any way
    seen : how many objects at least that have a name of their own are in the picture, with no box before
        their middle
    room : what rooms and their furniture are drawn from, as for videos
    """

    width: int = 640
    height: int = 480
    fov_deg: tuple[float, float] = (62.0, 80.0)
    loose: int = 3
    seen: int = 6
    room: Indoor = field(default_factory=Indoor)
    environment: Environment = field(
        default_factory=lambda: Environment(name="indoors", ground="none"), metadata=FIXED
    )

    def __post_init__(self) -> None:
        """Raise InputError where there would be nothing to choose from."""
        if self.seen < 4:
            raise InputError(f"rooms: {self.seen} objects in a picture: expected at least 4")


def draw_pictured_room(
    index: int, seed: Name, settings: PicturedRooms | None = None, library: Library | None = None
) -> Scene:
    """Return the room `index` of a seed, with one camera and one time.

    Raises UnfitError where no camera sees enough, AssetError where a model cannot be used.
    """
    wanted = settings or PicturedRooms()
    furniture = furniture_assets(library)
    g = rng(seed, GENERATOR, index, "what")
    kind = wanted.room.rooms[int(g.integers(len(wanted.room.rooms)))]
    evening = bool(g.random() < wanted.room.evening)
    row = WORDS[int(g.integers(len(WORDS)))]
    word = row[int(g.integers(len(row)))]
    font = tuple(FONTS)[int(g.integers(len(FONTS)))]
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        room = room_for(h, kind, wanted.room, 1.0)
        layout = furnished(h, kind, room, wanted.room, furniture)
        if layout is None:
            continue
        add_loose(layout, wanted.loose)
        for _ in range(GROUPS):
            _add_alike(layout)
        poster = _hung(h, layout, aspect_of(word, font))
        if poster is None or (camera := _camera(h, layout, poster, wanted)) is None:
            continue
        house = house_objects(room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        name = f"room-{index:06d}"
        return Scene(
            id=name,
            generator=GENERATOR,
            version=VERSION,
            seed=str(seed),
            objects=(*house, *room_objects(layout, {}, evening), _lettering(poster, word, font)),
            cameras=(camera,),
            environment=wanted.environment,
            times_s=(0.0,),
            source={"setting": "indoor", "video": name, "room": kind},
        )
    raise UnfitError(
        f"room {index}: no {kind} in {ATTEMPTS} attempts shows {wanted.seen} objects that have a name of "
        "their own; ask for fewer (seen) or for larger rooms"
    )


def _add_alike(layout: RoomLayout) -> None:
    """Put several objects of one noun into the room, on furniture or on the floor, so that there is something
    to count.
    """
    g = layout.g
    noun = ALIKE[int(g.integers(len(ALIKE)))]
    count = int(g.integers(*OF_A_KIND))
    layout.most += count
    carriers = sorted((s for s in layout.stands if s.asset.carries), key=lambda s: -s.size_m[0] * s.size_m[1])
    for _ in range(count):
        if noun in TRINKETS and carriers:
            # Most on the largest, where one picture shows them together.
            rest = carriers if g.random() < SCATTERED else carriers[:1]
            layout.on_top((noun,), rest[int(g.integers(len(rest)))])
        else:
            layout.somewhere((noun,), wall_m=0.1)


def _hung(g: np.random.Generator, layout: RoomLayout, aspect: float) -> Laid | None:
    """Return a poster for a word so wide, ÷ its height, hung where a wall is free; None where none is."""
    high = round(float(g.uniform(*LETTERS_M)), 3)
    wide = high * aspect
    size = (POSTER_DEEP_M, round(wide + 0.16, 3), round(high + 0.2, 3))
    for _ in range(30):
        side = layout.room.sides[int(g.integers(len(layout.room.sides)))]
        if side.length_m < size[1] + 0.4:
            continue
        along = float(g.uniform(size[1] / 2 + 0.2, side.length_m - size[1] / 2 - 0.2))
        spans = [*side.windows, *([side.door] if side.door else [])]
        if any(a - 0.1 < along + size[1] / 2 and along - size[1] / 2 < b + 0.1 for a, b in spans):
            continue
        x, y = side.at(along, size[0] / 2 + 0.001)
        edits = (f"size:{','.join(f'{v:.6f}' for v in size)}",)
        new = Laid("poster", (x, y, float(g.uniform(1.3, 1.55))), side.heading_rad, size, edits)
        if layout.beside_all(new.box, 0.05):
            layout.laid.append(new)
            return new
    return None


def _lettering(poster: Laid, word: str, font: str) -> SceneObject:
    """Return the word on a poster: an object of its own, so that the truth shows its strokes."""
    high = poster.size_m[2] - 0.2
    size = (INK_M, high * aspect_of(word, font), high)
    x, y = np.array(poster.place_m[:2]) + _ahead(poster) * (POSTER_DEEP_M / 2 + INK_M / 2)
    z = poster.place_m[2] + 0.1
    return SceneObject(
        id="lettering",
        category=LETTERING_CATEGORY,
        subtype=LETTERING_CATEGORY,
        size_m=(size[0], round(size[1], 6), round(size[2], 6)),
        poses=(
            Pose(
                position_m=(round(float(x), 6), round(float(y), 6), round(z, 6)),
                rotation_wxyz=yaw_quaternion(poster.heading_rad),
            ),
        ),
        asset=AssetRef(name=f"{LETTERING}{font}:{word}", sha256=lettering_hash()),
        attributes={"name": LETTERING_CATEGORY, "color": "", "text": word},
    )


def _ahead(poster: Laid) -> Array:
    return np.array([math.cos(poster.heading_rad), math.sin(poster.heading_rad)])


def _camera(g: np.random.Generator, layout: RoomLayout, poster: Laid, wanted: PicturedRooms) -> Camera | None:
    """Return the camera that sees most; None where it sees too little."""
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    middles = np.array([s.place_m for s in layout.stands])
    middles[:, 2] += [s.size_m[2] / 2 for s in layout.stands]
    board = np.array(poster.place_m) + np.array([0.0, 0.0, poster.size_m[2] / 2])
    targets = np.concatenate([middles, board[None]])
    poses = [p for _ in range(LOOKS) if (p := camera_pose(g, layout, COMMON, 0.0, targets)) is not None]
    if not poses:
        return None
    camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
    seen = (shown(layout.stands, layout.stands, camera) & nameable(layout.stands)).sum(axis=1)
    alike = (shown(layout.stands, layout.stands, camera) & _alike(layout)).sum(axis=1)
    more = POSTER_COUNTS * _read(poster, board, camera) + ALIKE_COUNT * np.where(alike > 1, alike, 0)
    worth = np.where((seen < wanted.seen) | ~_looks_into(layout, camera, fov), 0, seen + more)
    best = int(worth.argmax())
    return cameras.pinhole(wanted.width, wanted.height, fov, (poses[best],)) if worth[best] else None


def _looks_into(layout: RoomLayout, camera: Camera, fov: float) -> NDArray[np.bool_]:
    """Return (F,) whether each pose looks into the room, with no wall close by in any part of the picture."""
    eyes = np.array([p.position_m[:2] for p in camera.poses])
    ahead = np.array([rotation_matrix(p.rotation_wxyz)[:2, 2] for p in camera.poses])
    yaw = np.arctan2(ahead[:, 1], ahead[:, 0])
    far = [layout.wall_ahead_m(eyes, yaw + share * fov / 2) for share in ACROSS]
    return np.asarray(np.min(far, axis=0) >= WALL_AWAY_M)


def _alike(layout: RoomLayout) -> NDArray[np.bool_]:
    """Return (n,) whether there are several of each object's noun in the room."""
    nouns = Counter(s.asset.noun for s in layout.stands)
    return np.array([nouns[s.asset.noun] > 1 for s in layout.stands])


def _read(poster: Laid, board: Array, camera: Camera) -> Array:
    """Return (F,) whether each pose sees the whole poster so large and so far from the side that it reads."""
    off = np.array([p.position_m for p in camera.poses]) - board
    far = np.linalg.norm(off, axis=1)
    facing = off[:, :2] @ _ahead(poster) / np.maximum(np.linalg.norm(off[:, :2], axis=1), 1e-9)
    across = np.array([-math.sin(poster.heading_rad), math.cos(poster.heading_rad), 0.0])
    ends = board + np.array([[-0.5], [0.5]]) * across * poster.size_m[1]
    whole = cameras.framed(camera, ends, 0.02).all(axis=1)
    high_px = camera.fx * (poster.size_m[2] - 0.2) / far
    return np.asarray((facing >= math.cos(math.radians(READ_DEG))) & (high_px >= READ_PX) & whole)
