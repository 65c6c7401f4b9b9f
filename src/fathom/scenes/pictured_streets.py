"""One street in one picture, in a weather and at a time of day that the picture shows.

scene = draw_pictured_street(17, "0", PicturedStreets())

The sight is drawn first, then the numbers that make it: what sky there is, how far one sees, what falls, and
which lamps are lit.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.street.catalogue import street_assets
from fathom.geometry.poses import pose_at
from fathom.records import Environment, InputError, Pose, Scene, SceneObject
from fathom.scenes.boards import drawn_word
from fathom.scenes.several_outside import several_in_view
from fathom.scenes.street_signs import sign_in_view
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.outdoor import Outdoor, draw_outdoor
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

GENERATOR, VERSION = "pictured-street", "5"

STORIES = ("cruise", "follow", "follow", "zebra", "left", "right")
"""What the car does that a picture is taken from."""

Between = tuple[float, float]


@dataclass(frozen=True)
class StreetSight:
    """What a picture shows of weather and time, its sky, and between which numbers its air is drawn."""

    weather: str
    time: str
    sky: str
    air: Mapping[str, Between] = field(default_factory=dict)


SIGHTS = (
    StreetSight("sunny", "noon", "noon", {"dim": (1.0, 1.0)}),
    StreetSight("sunny", "low sun", "low-sun", {"dim": (0.8, 0.9)}),
    StreetSight("clear", "twilight", "twilight", {"dim": (0.14, 0.19), "lamps": (5.0, 8.0)}),
    StreetSight("clear", "night", "night", {"dim": (0.007, 0.012), "lamps": (14.0, 22.0)}),
    StreetSight("overcast", "day", "low-cloud", {"dim": (0.85, 0.95)}),
    StreetSight(
        "rain",
        "day",
        "low-cloud",
        {"dim": (0.55, 0.65), "fog_m": (170.0, 260.0), "rain": (0.07, 0.11), "wet": (0.45, 0.6)},
    ),
    StreetSight(
        "snow",
        "day",
        "low-cloud",
        {"dim": (0.75, 0.9), "fog_m": (140.0, 240.0), "snowfall": (1.6, 3.0), "snow": (0.85, 0.97)},
    ),
    StreetSight("fog", "day", "low-cloud", {"dim": (0.8, 0.95), "fog_m": (26.0, 48.0)}),
)
"""Each as likely as the others."""

LIT_TIMES = ("twilight", "night")
LIT_HOUSES = 0.6
"""At these times lamps are lit, and so many houses show light."""


@dataclass(frozen=True)
class PicturedStreets:
    """What streets in one picture are drawn from.

    width, height : size of the picture in pixels
    street : what the street and all on it are drawn from, as for videos
    """

    width: int = 640
    height: int = 480
    street: Outdoor = field(
        default_factory=lambda: Outdoor(seconds=2.0, fps=5.0, stories=STORIES, suburban=0.15), metadata=FIXED
    )

    def __post_init__(self) -> None:
        """Raise InputError where nothing could be made out."""
        if self.width < 160 or self.height < 120:
            raise InputError(
                f"streets: pictures of {self.width} × {self.height} pixels: expected 160 × 120 or more"
            )


def draw_pictured_street(
    index: int, seed: Name, settings: PicturedStreets | None = None, library: Library | None = None
) -> Scene:
    """Return the street `index` of a seed, with one camera and one time.

    Raises what `draw_outdoor` raises.
    """
    g = rng(seed, GENERATOR, index, "sight")
    sight = SIGHTS[int(g.integers(len(SIGHTS)))]
    return street_in(sight, g, index, seed, settings or PicturedStreets(), library)


def street_in(
    sight: StreetSight,
    g: np.random.Generator,
    index: int,
    seed: Name,
    wanted: PicturedStreets,
    library: Library | None = None,
) -> Scene:
    """Return the street `index` of a seed in a sight. Raises what `draw_outdoor` raises."""
    own = msgspec.structs.replace
    outdoor = replace(wanted.street, width=wanted.width, height=wanted.height)
    film = draw_outdoor(index, f"{seed} {GENERATOR}", outdoor, library)
    at = int(g.integers(len(film.times_s)))
    lit = sight.time in LIT_TIMES
    there = [obj for obj in film.objects if pose_at(obj.poses, at).valid]
    objects = tuple(_at(obj, at, sight, lit, bool(g.random() < LIT_HOUSES)) for obj in there)
    camera = own(film.cameras[0], poses=(_first(film.cameras[0].poses[at]),))
    objects += sign_in_view(g, objects, camera, drawn_word(g))
    objects = several_in_view(g, objects, camera, street_assets(library))
    name = f"street-{index:06d}"
    scene: Scene = own(
        film,
        id=name,
        generator=GENERATOR,
        version=VERSION,
        seed=str(seed),
        objects=objects,
        cameras=(camera,),
        environment=air_of(g, sight),
        times_s=(0.0,),
        source={"setting": "outdoor", "video": name, "weather": sight.weather, "time": sight.time},
    )
    return scene


def _first(pose: Pose) -> Pose:
    found: Pose = msgspec.structs.replace(pose, time_s=0.0)
    return found


def _at(obj: SceneObject, frame: int, sight: StreetSight, lit: bool, shows: bool) -> SceneObject:
    """Return an object as it is at one frame; of lamps and houses whether they are lit."""
    said = dict(obj.attributes)
    lamp = obj.category == "street lamp"
    house = obj.category == STRUCTURE and said.get("name") in ("house", "building")
    if lamp or house:
        said["light"] = "on" if lit and (lamp or shows) else "off"
    if obj.asset.name.endswith(":street"):
        said |= {"weather": sight.weather, "time": sight.time}
    pose = _first(pose_at(obj.poses, frame))
    found: SceneObject = msgspec.structs.replace(obj, poses=(pose,), attributes=said)
    return found


def air_of(g: np.random.Generator, sight: StreetSight) -> Environment:
    """Return the sky and the air of a sight, its numbers drawn."""
    air = {name: round(float(g.uniform(*ends)), 4) for name, ends in sight.air.items()}
    return Environment(
        name=f"sky:{sight.sky}",
        ground="asphalt",
        rotation_rad=round(float(g.uniform(0, 2 * math.pi)), 6),
        detail=air,
    )
