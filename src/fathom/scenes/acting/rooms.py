"""A room in which one person acts, filmed by a camera that stands still.

scene = draw_acted_room(17, "0", ActedRooms())
models_at(scene, 12)         # the models at a frame

The record of who acts says what they do with what, and when, and their posture at every frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fathom.assets.acting.body import LOOKS, body, body_hash
from fathom.assets.acting.postures import Posture, read, standing, written
from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.libraries import Library
from fathom.assets.model import Model, painted, scaled
from fathom.assets.palette import PALETTES
from fathom.assets.spec import BUILT_IN, PERSON
from fathom.geometry.poses import Array
from fathom.records import AssetRef, Camera, DataError, Environment, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.acting.directing import Directed, directed
from fathom.scenes.acting.dressing import dressed
from fathom.scenes.acting.filming import filmed
from fathom.scenes.acting.playing import PlayedActs, played
from fathom.scenes.acting.stage import furnished_stage
from fathom.scenes.acting.stories import Story, drawn_story
from fathom.scenes.holding import HELD
from fathom.scenes.videos import routes
from fathom.scenes.videos.arrangements import hang_pictures_and_lamp
from fathom.scenes.videos.furnishing_rooms import RoomLayout
from fathom.scenes.videos.indoor import DAY, EVENING
from fathom.scenes.videos.indoor_objects import model_of, room_objects
from fathom.scenes.videos.rooms import Room, drawn_room, house_objects
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "acted-room", "4"
MOST = 22
"""So much furniture, and so many things, there are in a room at most."""

ATTEMPTS, STORY_ANEW, PLAYED = 900, 150, 3
"""How often a room is furnished, and a story is played in it, before a world is given up; and after how many
of these it is another story; and how often it is played in one room."""

ACTOR, ACTS, POSTURE = "actor", "acts", "posture"
"""The id of who acts; the attribute that says what they do; the edits that say how they hold themselves."""

CLOTHES = ("white", "red", "blue", "green", "yellow", "orange", "gray")
SCALES = {"woman": (0.92, 0.97), "man": (0.97, 1.02)}
"""What people wear, and how large they are, in somebody's usual size."""

KINDS = ("living room", "study", "dining room", "bedroom")
FLOORS = ("oak", "walnut", "ash", "carpet")
Between = tuple[float, float]


@dataclass(frozen=True)
class ActedRooms:
    """What rooms in which somebody acts are drawn from; all ranges are drawn from continuously.

    fps : frames a second
    longest_s : the longest video
    width, height : size of a frame in pixels
    fov_deg : horizontal field of view, at most
    sides_m : the sides of a room
    height_m : how high it is
    spread : by how much more sizes differ than kinds say (`assets/sizes.py`)
    evening : how likely daylight is weak and all lamps are on
    """

    fps: float = 6.0
    longest_s: float = 20.0
    width: int = 640
    height: int = 480
    fov_deg: Between = (76.0, 86.0)
    sides_m: Between = (3.9, 5.2)
    height_m: Between = (2.5, 2.8)
    spread: float = 1.0
    evening: float = 0.2
    environment: Environment = field(
        default_factory=lambda: Environment(name="indoors", ground="none"), metadata=FIXED
    )


def draw_acted_room(
    index: int, seed: Name, settings: ActedRooms | None = None, library: Library | None = None
) -> Scene:
    """Return the room `index` of a seed in which somebody acts.

    Raises UnfitError where no room has space for the story, AssetError where a model cannot be used.
    """
    wanted = settings or ActedRooms()
    g = rng(seed, GENERATOR, index, "what")
    looks = list(LOOKS)[int(g.integers(len(LOOKS)))]
    scale = round(float(g.uniform(*SCALES[looks])), 4)
    color = CLOTHES[int(g.integers(len(CLOTHES)))]
    furniture = {**furniture_assets(library), **HELD}
    evening = bool(g.random() < wanted.evening)
    kind = KINDS[int(g.integers(len(KINDS)))]
    for attempt in range(ATTEMPTS):
        h = rng(seed, GENERATOR, index, "where", attempt)
        story = drawn_story(rng(seed, GENERATOR, index, "story", attempt // STORY_ANEW))
        layout = RoomLayout(_room(h, wanted), h, furniture, wanted.spread, MOST)
        found = _played(h, layout, story, scale, wanted)
        if found is None:
            continue
        done, shown, times, camera = found
        dressed(done, shown, camera)
        person = _actor(looks, color, scale, done, shown, times)
        tracks = _tracks(done, shown, times)
        house = house_objects(layout.room, kind, f"{seed} {index}", *(EVENING if evening else DAY))
        name = f"acted-{index:06d}"
        return Scene(
            id=name,
            generator=GENERATOR,
            version=VERSION,
            seed=str(seed),
            objects=(*house, *room_objects(done.stage.layout, tracks, evening), person),
            cameras=(camera,),
            environment=wanted.environment,
            times_s=tuple(round(float(t), 6) for t in times),
            source={"setting": "acted", "video": name},
        )
    raise UnfitError(
        f"acted room {index}: no story found room in {ATTEMPTS} attempts; ask for larger rooms (sides_m) or "
        "longer videos (longest_s)"
    )


def _room(g: np.random.Generator, wanted: ActedRooms) -> Room:
    sides = sorted((round(float(g.uniform(*wanted.sides_m)), 3) for _ in range(2)), reverse=True)
    high = round(float(g.uniform(*wanted.height_m)), 3)
    return drawn_room(g, (sides[0], sides[1]), high, False, FLOORS)


def _played(
    g: np.random.Generator, layout: RoomLayout, story: Story, scale: float, wanted: ActedRooms
) -> tuple[Directed, PlayedActs, Array, Camera] | None:
    """Return a story as it is played in a room, and filmed there; None where that cannot be done."""
    stage = furnished_stage(layout, "pushes" in story.deeds)
    if stage is None or not stage.seats:
        return None
    hang_pictures_and_lamp(layout)
    for _ in range(PLAYED):
        done = directed(g, stage, story, scale)
        if done is None or done.show.now_s > wanted.longest_s:
            continue
        times = routes.frame_times(done.show.now_s, wanted.fps)
        shown = played(done.show, times)
        fov = math.radians(float(g.uniform(*wanted.fov_deg)))
        camera = filmed(g, done, shown, (wanted.width, wanted.height), fov)
        if camera is not None:
            return done, shown, times, camera
    return None


def _tracks(done: Directed, shown: PlayedActs, times: Array) -> dict[int, tuple[Pose, ...]]:
    """Return the poses of what is held at some time, by its index."""
    if done.taken is None:
        return {}
    index = next(k for k, s in enumerate(done.stage.layout.stands) if s is done.taken)
    turn = done.turn_rad
    places, headings = [], []
    place, heading = np.array(done.taken.place_m), done.taken.heading_rad
    for row in shown.things:
        if np.isfinite(row).all():
            place, heading = row[:3], float(row[3]) + turn
        places.append(place)
        headings.append(heading)
    return {index: routes.upright_poses(np.array(places), np.array(headings), times)}


def _actor(
    looks: str, color: str, scale: float, done: Directed, shown: PlayedActs, times: Array
) -> SceneObject:
    level = np.column_stack([shown.roots[:, :2], np.zeros(len(times))])
    size = tuple(round(scale * v, 6) for v in Model("", "", "", body(looks, standing())).extents)
    acts = "; ".join(f"{a.deed} {a.obj or '-'} {a.begin_s:.3f} {a.end_s:.3f}" for a in done.show.acts)
    edits = [
        f"scale:{scale:.4f}",
        f"color:body={color}",
        *(f"{POSTURE}:{written(p)}" for p in shown.postures),
    ]
    return SceneObject(
        id=ACTOR,
        category=PERSON,
        subtype=looks,
        size_m=(size[0], size[1], size[2]),
        poses=routes.upright_poses(level, shown.roots[:, 2], times),
        asset=AssetRef(name=f"{BUILT_IN}:{ACTOR} {looks}", sha256=body_hash(), edits=tuple(edits)),
        attributes={"name": looks, "color": "", "stands_on": "floor", "does": "acts", ACTS: acts},
    )


def models_at(scene: Scene, frame: int | None, library: Library | None = None) -> dict[str, Model]:
    """Return the model of each object by its id at a frame, in its own frame; without one, who acts stands
    upright.

    Raises DataError where an object's model is not there, or is no longer what the scene was made with.
    """
    furniture = {**furniture_assets(library), **HELD}
    still = {t.id: model_of(t, furniture) for t in scene.objects if t.id != ACTOR}
    return {**still, **acting_at(scene, frame)}


def acting_at(scene: Scene, frame: int | None) -> dict[str, Model]:
    """Return the model of who acts at a frame; without one they stand upright."""
    return {t.id: _body(t, frame) for t in scene.objects if t.id == ACTOR}


def _body(actor: SceneObject, frame: int | None) -> Model:
    if actor.asset.sha256 != body_hash():
        raise DataError(
            f"{actor.id}: the scene was made with {actor.asset.name} {actor.asset.sha256[:12]}, which is not "
            "the body at hand; use the version of Fathom that the dataset was built with"
        )
    said = [e.partition(":")[::2] for e in actor.asset.edits]
    postures = [text for key, text in said if key == POSTURE]
    posture: Posture = standing() if frame is None else read(postures[min(frame, len(postures) - 1)])
    edits = dict(said)
    color = PALETTES["street"][edits["color"].partition("=")[2]]
    made = Model(actor.id, PERSON, actor.subtype, body(actor.subtype, posture))
    return scaled(painted(made, color), float(edits["scale"]))
