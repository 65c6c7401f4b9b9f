"""One furnished room in one picture, with a word on a poster, a screen or a box.

scene = draw_pictured_room(17, "0", PicturedRooms())

The camera is where a person would hold it. Of the places that are tried the one is taken that shows most
objects with a name of their own, and the word where it can.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.furniture.living import PERSON
from fathom.assets.libraries import Library
from fathom.geometry.poses import rotation_matrix
from fathom.records import Camera, Environment, InputError, Scene, UnfitError
from fathom.scenes.boards import Word, WordPlace, ahead_of, drawn_word, lettering, read_from
from fathom.scenes.people import FIRST, add_people, drawn_people, told
from fathom.scenes.room_boards import board_in
from fathom.scenes.videos import cameras
from fathom.scenes.videos.arrangements import TRINKETS
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import DAY, EVENING, Indoor, furnished, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoint_changes import shown
from fathom.scenes.viewpoints import COMMON, add_loose, camera_pose
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "pictured-room", "4"
ATTEMPTS, LOOKS = 30, 160
"""How often a room is furnished anew, and how many cameras are tried in each."""

WORD_COUNTS, WORD_DRAWS = 14, 5
"""A word that can be read counts as so many objects when a camera is chosen; and cameras look there so much
oftener than at an object."""

WALL_AWAY_M, ACROSS = 1.3, (-0.9, -0.5, 0.0, 0.5, 0.9)
"""How far walls are from a camera at least, in these parts of the picture from its middle to its edges."""

ALIKE_COUNT = 3
"""And so much does one of several that are alike."""

ALIKE = (*TRINKETS, "stool", "chair", "pouf", "floor cushion", "cardboard box", "basket", "suitcase")
"""Of which nouns there are several in a room."""

OF_A_KIND = (3, 6)
"""So many are added of one, the second number excluded."""

PEOPLE = (0.2, 0.45, 0.35)
"""How likely nobody, one and two are in a room."""

PERSON_COUNTS = 6
"""Each of them counts as so many objects when a camera is chosen."""

PAIR_COUNTS, PAIR_PX = 5, 24.0
"""So much does an object count that is alone on another one, and from how many pixels on it is seen well."""

LARGER = ("table lamp", "basket", "teapot", "toy house", "vase", "biscuit tin")
"""What is put on a piece of furniture on which nothing stands."""

GROUPS = 4
"""Of so many nouns several are added."""

SCATTERED = 0.3
"""How likely one of them stands on the second largest piece of furniture, and not on the largest."""


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
    word = drawn_word(g)
    count = int(g.choice(len(PEOPLE), p=PEOPLE))
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        room = room_for(h, kind, wanted.room, 1.0)
        layout = furnished(h, kind, room, wanted.room, furniture)
        if layout is None:
            continue
        _fill(layout, count, max(wanted.loose - count, 1))
        board = board_in(h, layout, word)
        if board is None or (camera := _camera(h, layout, board, word, wanted)) is None:
            continue
        house = house_objects(room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        name = f"room-{index:06d}"
        return Scene(
            id=name,
            generator=GENERATOR,
            version=VERSION,
            seed=str(seed),
            objects=(*house, *told(room_objects(layout, {}, evening)), lettering(board, word)),
            cameras=(camera,),
            environment=wanted.environment,
            times_s=(0.0,),
            source={"setting": "indoor", "video": name, "room": kind},
        )
    raise UnfitError(
        f"room {index}: no {kind} in {ATTEMPTS} attempts shows {wanted.seen} objects that have a name of "
        "their own; ask for fewer (seen) or for larger rooms"
    )


def _fill(layout: RoomLayout, people: int, loose: int) -> None:
    """Put so many people and loose objects into a room, something that stands alone, and some of one noun."""
    drawn = drawn_people(layout.g, people)
    add_people(layout, [p for p in drawn if p.way in FIRST])
    add_loose(layout, loose)
    add_people(layout, [p for p in drawn if p.way not in FIRST])
    _add_single(layout)
    for _ in range(GROUPS):
        _add_alike(layout)


def _add_single(layout: RoomLayout) -> None:
    """Put one object on a piece of furniture on which nothing stands."""
    borne = {s.on for s in layout.stands}
    bare = [s for k, s in enumerate(layout.stands) if s.asset.carries and k not in borne]
    if bare:
        layout.most += 1
        layout.on_top(LARGER, bare[int(layout.g.integers(len(bare)))])


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
            rest = carriers[:2] if g.random() < SCATTERED else carriers[:1]
            layout.on_top((noun,), rest[int(g.integers(len(rest)))])
        else:
            layout.somewhere((noun,), wall_m=0.1)


def _camera(
    g: np.random.Generator, layout: RoomLayout, board: WordPlace, word: Word, wanted: PicturedRooms
) -> Camera | None:
    """Return the camera that sees most; None where it sees too little."""
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    middles = np.array([s.place_m for s in layout.stands])
    middles[:, 2] += [s.size_m[2] / 2 for s in layout.stands]
    targets = np.concatenate([middles, np.tile(board.middle_m, (WORD_DRAWS, 1))])
    poses = [p for _ in range(LOOKS) if (p := camera_pose(g, layout, COMMON, 0.0, targets)) is not None]
    if not poses:
        return None
    camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
    seen = (shown(layout.stands, layout.stands, camera) & _called_alone(layout)).sum(axis=1)
    alike = (shown(layout.stands, layout.stands, camera) & _alike(layout)).sum(axis=1)
    people = np.array([s.asset.category == PERSON for s in layout.stands])
    somebody = PERSON_COUNTS * (shown(layout.stands, layout.stands, camera) & people).sum(axis=1)
    more = WORD_COUNTS * _shows(layout, board, word, camera) + somebody
    more = more + ALIKE_COUNT * np.where(alike > 1, alike, 0) + PAIR_COUNTS * _pairs(layout, camera)
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


def _called_alone(layout: RoomLayout) -> NDArray[np.bool_]:
    """Return (n,) whether no other object has the noun of each, or none its colour and noun."""
    names = [(s.asset.noun, s.color if s.asset.color_told else "") for s in layout.stands]
    nouns, both = Counter(noun for noun, _ in names), Counter(names)
    return np.array([nouns[n] == 1 or (c != "" and both[n, c] == 1) for n, c in names], bool)


def _pairs(layout: RoomLayout, camera: Camera) -> NDArray[np.intp]:
    """Return (F,) how often each pose sees an object well that is alone on another one that it sees, too."""
    carried = Counter(s.on for s in layout.stands if s.on >= 0)
    pairs = [(k, s.on) for k, s in enumerate(layout.stands) if s.on >= 0 and carried[s.on] == 1]
    if not pairs:
        return np.zeros(len(camera.poses), dtype=np.intp)
    upper, under = [k for k, _ in pairs], [on for _, on in pairs]
    eyes = np.array([p.position_m for p in camera.poses])
    places = np.array([layout.stands[k].place_m for k in upper])
    long = np.array([max(layout.stands[k].size_m) for k in upper])
    px = camera.fx * long / np.linalg.norm(eyes[:, None] - places, axis=2)
    seen = shown(layout.stands, layout.stands, camera) & _called_alone(layout)
    return np.asarray((seen[:, upper] & seen[:, under] & (px >= PAIR_PX)).sum(axis=1))


def _shows(layout: RoomLayout, board: WordPlace, word: Word, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose sees a word so that it reads, with nothing before it."""
    across = board.high_m * word.aspect / 2 * ahead_of(board.heading_rad + math.pi / 2)
    places = np.array(board.middle_m) + np.array([[-1.0], [0.0], [1.0]]) * np.append(across, 0.0)
    spots = [
        replace(layout.stands[0], size_m=(0.01, 0.01, 0.01), place_m=tuple(at), heading_rad=0.0)
        for at in places.tolist()
    ]
    near = [s for s in layout.stands if not _holds(s, places[1])]
    return np.asarray(read_from(board, word, camera) & shown(spots, near, camera).all(axis=1))


def _holds(stand: Stand, place: NDArray[np.float64]) -> bool:
    """Return whether a place (3,) lies in an object's box, or right at its side."""
    c, s = math.cos(stand.heading_rad), math.sin(stand.heading_rad)
    x, y, z = place - np.array(stand.place_m)
    local = np.abs([c * x + s * y, c * y - s * x, z - stand.size_m[2] / 2])
    return bool((local <= np.array(stand.size_m) / 2 + 0.02).all())


def _alike(layout: RoomLayout) -> NDArray[np.bool_]:
    """Return (n,) whether there are several of each object's noun in the room."""
    nouns = Counter(s.asset.noun for s in layout.stands)
    return np.array([nouns[s.asset.noun] > 1 for s in layout.stands])
