"""One furnished room in one picture, with a word on a poster, a screen or a box.

scene = draw_pictured_room(17, "0", PicturedRooms())

The camera is where a person would hold it. Of the places that are tried the one is taken that shows most
objects with a name of their own, and the word where it can.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.libraries import Library
from fathom.assets.spec import PERSON
from fathom.geometry.poses import rotation_matrix
from fathom.programs.operators.pictured import TELLTALE
from fathom.records import Camera, Environment, InputError, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.boards import Word, WordPlace, drawn_word, lettering
from fathom.scenes.estimated_views import IN_HAND, corners_of, nameable, shown
from fathom.scenes.holding import HELD, shows_hand
from fathom.scenes.people import drawn_people
from fathom.scenes.people_looks import looks_at_people
from fathom.scenes.person_kinds import told
from fathom.scenes.room_boards import Written, ends_of, face_in, reads_in, word_in_view
from fathom.scenes.room_contents import begin, fill
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.several_alike import counts_from, near_looks, surfaces_in
from fathom.scenes.videos import cameras
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import DAY, EVENING, Indoor, furnished, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoints import COMMON, camera_pose, solid_boxes
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "pictured-room", "10"
ATTEMPTS, LOOKS = 30, 240
"""How often a room is furnished anew, and how many cameras are tried in each."""

KIND_COUNTS, MOST_CORNERS, CORNERS = 25, 7, {"bedroom": 6}
"""A picture that tells what kind of room it is counts as so many objects, and so many corners of the box
around what tells it are in the picture, of a bed fewer."""

KIND_SEEN = {"bedroom": 4}
"""How many objects are seen at least where the kind is told: whose picture shows a bed shows little else."""

COMPARED = 24
"""Of so many cameras that see most objects it is looked whether they read the word, too."""

WORD_COUNTS, FACE_COUNTS, WORD_DRAWS = 14, 60, 12
"""A word that can be read counts as so many objects then, and so many more on a screen or a box; and cameras
look at these so much oftener than at an object."""

FACE_SEEN = 3
"""How many objects are seen at least where a word is read on a screen or a box: a closer look."""

KEPT_COUNTS, KEPT_DRAWS, PERSON_COUNTS, WHOLE_COUNTS, ALL_CORNERS = 20, 12, 3, 12, 8
"""What the picture is meant to show together counts as so many, where it is seen, and cameras look at its
middle so much oftener; and so much does somebody count, and so much more from head to foot, with all corners
of their box."""

BESIDE_DEG = 42.0
"""From so far beside the way in which somebody looks, or pushes, it is seen at what."""

HAND_COUNTS, PROFILE_COUNTS = 20, 45
"""So much counts a near look at what somebody holds, and one from beside at somebody and what they look at or
push."""

SURFACE_COUNTS, COUNTS_SEEN = 12, 4
"""So much counts a near look at furniture on which there is going to be something to count, and how many
objects are seen at least then, or where it is seen what somebody holds, looks at or pushes."""

WALL_AWAY_M, ACROSS = 1.3, (-0.9, -0.5, 0.0, 0.5, 0.9)
"""How far walls are from a camera at least, in these parts of the picture from its middle to its edges."""

PEOPLE = (0.1, 0.85, 0.05)
"""How likely nobody, one and two are in a room."""

Look = tuple[float, Camera]
"""A camera, and what it is worth."""


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
    loose: int = 4
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
    furniture = {**furniture_assets(library), **HELD}
    g = rng(seed, GENERATOR, index, "what")
    kind = wanted.room.rooms[int(g.integers(len(wanted.room.rooms)))]
    evening = bool(g.random() < wanted.room.evening)
    word = drawn_word(g)
    count = int(g.choice(len(PEOPLE), p=PEOPLE))
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        room = room_for(h, kind, wanted.room, 1.0)
        layout = furnished(h, kind, room, wanted.room, furniture)
        found = _pictured(h, layout, word, count, wanted, kind) if layout is not None else None
        if layout is None or found is None:
            continue
        camera, written = found
        house = house_objects(room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        name = f"room-{index:06d}"
        return Scene(
            id=name,
            generator=GENERATOR,
            version=VERSION,
            seed=str(seed),
            objects=(*house, *told(room_objects(layout, {}, evening)), *written),
            cameras=(camera,),
            environment=wanted.environment,
            times_s=(0.0,),
            source={"setting": "indoor", "video": name, "room": kind},
        )
    raise UnfitError(
        f"room {index}: no {kind} in {ATTEMPTS} attempts shows {wanted.seen} objects that have a name of "
        "their own; ask for fewer (seen) or for larger rooms"
    )


def _pictured(
    g: np.random.Generator, layout: RoomLayout, word: Word, people: int, wanted: PicturedRooms, kind: str
) -> tuple[Camera, tuple[SceneObject, ...]] | None:
    """Return a camera in a room, which is filled for what it sees, and the word that it reads there; None
    where no camera sees enough.
    """
    picture = RoomPicture(layout)
    begin(picture, drawn_people(g, people), wanted.loose)
    face = face_in(g, layout, word)
    looks = _looks(picture, (face, word), wanted, kind)
    if not looks:
        return None
    camera, found = _best(g, layout, looks, (face, word))
    picture.look(camera)
    if found is not None:
        layout.laid += [found[1]] if found[1] is not None else []
        picture.places += list(ends_of(found[0], word))
    # What tells the kind of room is not to be hidden by what is put there.
    for stand in [s for s in layout.stands if s.asset.noun in TELLTALE[kind][0] and picture.shows(s)]:
        picture.keep(stand)
    fill(picture)
    return camera, (lettering(found[0], word),) if found is not None else ()


def _best(
    g: np.random.Generator, layout: RoomLayout, looks: list[Look], writing: tuple[WordPlace | None, Word]
) -> tuple[Camera, Written | None]:
    """Return the camera that is worth most, a word that it reads being worth something, and that word."""
    found = [(worth, camera, word_in_view(g, layout, *writing, camera)) for worth, camera in looks]
    _, camera, written = max(found, key=lambda one: one[0] + WORD_COUNTS * (one[2] is not None))
    return camera, written


def _looks(
    picture: RoomPicture, writing: tuple[WordPlace | None, Word], wanted: PicturedRooms, kind: str
) -> list[Look]:
    """Return the cameras that see most of a kind of room; none where all see too little."""
    layout, g = picture.layout, picture.layout.g
    fov = math.radians(float(g.uniform(*wanted.fov_deg)))
    surfaces = surfaces_in(layout)
    poses = _tried(picture, writing[0], surfaces, kind)
    if not poses:
        return []
    camera = cameras.pinhole(wanted.width, wanted.height, fov, tuple(poses))
    there = shown(layout.stands, layout.stands, camera)
    seen = (there & nameable(layout.stands)).sum(axis=1)
    face, word = writing
    reads = reads_in(layout, face, word, camera) if face is not None else np.zeros(len(poses), bool)
    counts = sum((counts_from(layout, s, camera) for s in surfaces), np.zeros(len(poses), bool))
    worth = seen + FACE_COUNTS * reads + SURFACE_COUNTS * counts + _to_be_shown(picture, there, camera)
    hands, profiles = _hands_shown(picture, there, camera), _profiles_shown(picture, there, camera)
    tells = _tells_kind(layout, there, camera, kind)
    worth = worth + KIND_COUNTS * tells + HAND_COUNTS * hands + PROFILE_COUNTS * profiles
    least = np.where(tells, KIND_SEEN.get(kind, wanted.seen), wanted.seen)
    enough = seen >= np.where(reads, FACE_SEEN, np.where(counts | hands | profiles, COUNTS_SEEN, least))
    worth = np.where(enough & _looks_into(layout, camera, fov), worth, 0)
    best = [k for k in np.argsort(-worth, kind="stable").tolist() if worth[k]][:COMPARED]
    return [(float(worth[k]), cameras.pinhole(wanted.width, wanted.height, fov, (poses[k],))) for k in best]


def _tried(picture: RoomPicture, face: WordPlace | None, surfaces: list[Stand], kind: str) -> list[Pose]:
    """Return the cameras that are tried: towards what is to be shown oftener than towards all else."""
    layout, g = picture.layout, picture.layout.g
    middles = [np.add(s.place_m, (0.0, 0.0, s.size_m[2] / 2)) for s in layout.stands]
    groups = [[any(s is one for one in group) for s in layout.stands] for group in picture.groups]
    groups.append([s.asset.noun in TELLTALE[kind][0] for s in layout.stands])
    between = [
        np.mean(np.array(middles)[group], axis=0) for group in groups if any(group) for _ in range(KEPT_DRAWS)
    ]
    words = [np.array(face.middle_m)] * WORD_DRAWS if face is not None else []
    targets, boxes = np.array([*middles, *between, *words]), solid_boxes(layout)
    tried = (camera_pose(g, layout, boxes, COMMON, 0.0, targets) for _ in range(LOOKS))
    poses = [pose for pose in tried if pose is not None]
    near = (pose for surface in surfaces for pose in near_looks(g, layout, boxes, surface))
    return [*poses, *looks_at_people(picture, boxes), *near]


def _to_be_shown(picture: RoomPicture, there: NDArray[np.bool_], camera: Camera) -> NDArray[np.float64]:
    """Return (F,) what it counts that each pose shows people, and what is to be shown together.

    `there` (F, n) says whose middle each pose shows.
    """
    stands = picture.layout.stands
    people = np.array([s.asset.category == PERSON for s in stands])
    worth: NDArray[np.float64] = PERSON_COUNTS * (there & people).sum(axis=1).astype(np.float64)
    for k in np.flatnonzero(people).tolist():
        # Whether somebody walks is seen of their feet.
        worth += WHOLE_COUNTS * (there[:, k] & (_corners_in(stands[k], camera) == ALL_CORNERS))
    for group in picture.groups:
        worth += KEPT_COUNTS * there[:, _among(stands, group)].all(axis=1)
    for k, s in _profiles(picture):
        worth += KEPT_COUNTS * (_from_beside(s, camera) & there[:, k])
    return worth


def _profiles_shown(picture: RoomPicture, there: NDArray[np.bool_], camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose shows from beside, whole, who looks at or pushes something, and that."""
    stands, shows = picture.layout.stands, np.zeros(len(there), bool)
    for _, s in _profiles(picture):
        for group in (group for group in picture.groups if s in group):
            whole = np.all([_corners_in(one, camera) >= MOST_CORNERS for one in group], axis=0)
            shows |= _from_beside(s, camera) & whole & there[:, _among(stands, group)].all(axis=1)
    return shows


def _among(stands: list[Stand], group: Sequence[Stand]) -> list[bool]:
    """Return (n,) which objects are in a group."""
    return [any(s is one for one in group) for s in stands]


def _holders(picture: RoomPicture) -> list[tuple[Stand, Stand]]:
    """Return who holds something that is to be seen, and what."""
    pairs = (group for group in picture.groups if len(group) == 2)
    return [(who, what) for who, what in pairs if what.on == IN_HAND]


def _hands_shown(picture: RoomPicture, there: NDArray[np.bool_], camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose shows what somebody holds, and them. `there` is as in `_to_be_shown`."""
    shows = np.zeros(len(there), bool)
    for pair in _holders(picture):
        own = _among(picture.layout.stands, pair)
        shows |= there[:, own].all(axis=1) & shows_hand(*pair, camera)
    return shows


def _tells_kind(layout: RoomLayout, there: NDArray[np.bool_], camera: Camera, kind: str) -> NDArray[np.bool_]:
    """Return (F,) whether each pose shows what tells the kind of room, hardly any of it beyond the edges."""
    nouns, least = TELLTALE[kind]
    found = np.zeros(len(there), int)
    for k, s in enumerate(layout.stands):
        if s.asset.noun in nouns:
            found += there[:, k] & (_corners_in(s, camera) >= CORNERS.get(kind, MOST_CORNERS))
    return np.asarray(found >= least)


def _corners_in(stand: Stand, camera: Camera) -> NDArray[np.int64]:
    """Return (F,) how many corners of the box around an object are in each pose's picture."""
    inside = [cameras.framed(camera, corner[None], 0.0)[:, 0] > 0 for corner in corners_of(stand)]
    return np.asarray(np.sum(inside, axis=0))


def _profiles(picture: RoomPicture) -> list[tuple[int, Stand]]:
    """Return who is to be seen from beside, each with their place among what stands there."""
    return [(k, s) for k, s in enumerate(picture.layout.stands) if any(s is one for one in picture.profiles)]


def _from_beside(stand: Stand, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose of a camera sees an object from one of its sides."""
    eyes = np.array([p.position_m[:2] for p in camera.poses]) - np.array(stand.place_m[:2])
    off = np.arctan2(eyes[:, 1], eyes[:, 0]) - stand.heading_rad
    return np.asarray(np.abs(np.sin(off)) >= math.sin(math.radians(BESIDE_DEG)))


def _looks_into(layout: RoomLayout, camera: Camera, fov: float) -> NDArray[np.bool_]:
    """Return (F,) whether each pose looks into the room, with no wall close by in any part of the picture."""
    eyes = np.array([p.position_m[:2] for p in camera.poses])
    ahead = np.array([rotation_matrix(p.rotation_wxyz)[:2, 2] for p in camera.poses])
    yaw = np.arctan2(ahead[:, 1], ahead[:, 0])
    far = [layout.wall_ahead_m(eyes, yaw + share * fov / 2) for share in ACROSS]
    return np.asarray(np.min(far, axis=0) >= WALL_AWAY_M)
