"""Videos from a car that drives through streets: STI-Bench's outdoor scale.

scene = draw_outdoor(17, "0", Outdoor())
models = models_at(scene, 0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.street.catalogue import StreetAssets, street_assets
from fathom.geometry.poses import Array
from fathom.records import Camera, Environment, InputError, Scene, UnfitError
from fathom.scenes.videos import routes
from fathom.scenes.videos.audit import OUTDOOR
from fathom.scenes.videos.boxes import Boxes
from fathom.scenes.videos.dashcam import Mount, filmed, jolt
from fathom.scenes.videos.driving import NEVER_S, START_M, STORIES, DrivingPlan, Moved, drawn_traffic
from fathom.scenes.videos.pedestrians import Crowd, walked
from fathom.scenes.videos.roadside import (
    Ground,
    Reach,
    put_buildings,
    put_greenery,
    put_lights,
    put_parked,
    zebra_room,
)
from fathom.scenes.videos.streets import Street, rounded_street
from fathom.scenes.videos.streetscape import models_at, objects_of, walking_at
from fathom.settings import FIXED
from fathom.store.seeds import Name, rng

__all__ = ["Outdoor", "draw_outdoor", "models_at", "walking_at"]

VERSION = "3"
ATTEMPTS = 40
"""How often traffic is drawn anew before a world is given up."""

CAMERA_ROOM = 1.6
"""By what factor the room that is kept free for the car that films is larger than the car."""

SKIES = (
    "clear-noon",
    "clear-morning",
    "late-afternoon",
    "fair-clouds",
    "fair-clouds",
    "veiled-sun",
    "overcast",
)

Between = tuple[float, float]


@dataclass(frozen=True)
class Outdoor:
    """What streets are drawn from; ranges are drawn from continuously, both ends of counts included.

    seconds : length of the video
    fps : frames a second
    width, height : size of a frame in pixels
    stories : what the car that films may do (`driving.STORIES`), one of them a world
    vehicles : how many others drive
    people : about how many walk or stand
    parked : how much of the room for parking is taken, where there is any
    wish_mps : how fast the car that films would go on a free road
    lane_m, parking_m, pavement_m : how wide a lane, a parking lane and a pavement are
    suburban : how often houses with gardens line the street
    with_parking : how likely a street has a parking lane
    height_m : how high the camera is mounted
    fov_deg : horizontal field of view
    """

    seconds: float = 10.0
    fps: float = 30.0
    width: int = 640
    height: int = 480
    stories: tuple[str, ...] = STORIES
    vehicles: tuple[int, int] = (3, 9)
    people: tuple[int, int] = (4, 12)
    parked: Between = (0.25, 0.85)
    wish_mps: Between = (7.5, 13.5)
    lane_m: Between = (3.3, 3.7)
    parking_m: Between = (2.3, 2.5)
    pavement_m: Between = (3.2, 4.4)
    suburban: float = 0.35
    with_parking: float = 0.65
    height_m: Between = (1.5, 2.1)
    fov_deg: Between = (50.0, 65.0)
    environment: Environment | None = field(default=None, metadata=FIXED)

    def __post_init__(self) -> None:
        if self.seconds * self.fps < 10 or self.seconds < 1.0 or self.fps < 5:
            raise InputError(
                f"outdoor: {self.seconds:g} s at {self.fps:g} frames a second: expected at least 1 s, 10 "
                "frames and 5 frames a second; film longer or faster"
            )
        unknown = [s for s in self.stories if s not in STORIES]
        if unknown or not self.stories:
            raise InputError(
                f"outdoor: the stories {', '.join(unknown) or '(none)'}: expected some of "
                f"{', '.join(STORIES)}; correct the settings"
            )
        if not 1 <= self.vehicles[0] <= self.vehicles[1] or not 0 <= self.people[0] <= self.people[1]:
            raise InputError(
                f"outdoor: {self.vehicles[0]} to {self.vehicles[1]} vehicles and {self.people[0]} to "
                f"{self.people[1]} people: expected at least one vehicle, and no fewer at most than at "
                "least; correct the settings"
            )
        if self.lane_m[0] < 3.0 or self.pavement_m[0] < 2.6 or not 1.0 <= self.wish_mps[1] <= 16.0:
            raise InputError(
                f"outdoor: lanes from {self.lane_m[0]:g} m, pavements from {self.pavement_m[0]:g} m, speeds "
                f"up to {self.wish_mps[1]:g} m/s: expected 3 m, 2.6 m and 1 to 16 m/s, or nothing has room "
                "to pass; correct the settings"
            )


def draw_outdoor(
    index: int, seed: Name, settings: Outdoor | None = None, library: Library | None = None
) -> Scene:
    """Return the world `index` of a seed: a street and all who use it, one pose each or one a frame.

    `library` is what is drawn from beside the built-in street set.

    Raises UnfitError where the settings leave no room for so many vehicles, AssetError where the library has
    nothing for streets, or a model without a size.
    """
    wanted, assets = settings or Outdoor(), street_assets(library)
    times = routes.frame_times(wanted.seconds, wanted.fps)
    g = rng(seed, "outdoor", index, "what")
    plan = _planned(g, wanted, assets)
    street = rounded_street(_drawn_street(g, wanted, plan))
    for attempt in range(ATTEMPTS):
        h = rng(seed, "outdoor", index, "where", attempt)
        moved = drawn_traffic(h, street, plan, wanted.vehicles, times)
        if moved is None:
            continue
        camera = _camera(wanted, moved, times, seed, index)
        if jolt(camera) > 0.98 * OUTDOOR.camera_acceleration:
            continue
        filled = _filled(h, wanted, street, plan, moved, times)
        if filled is None:
            continue
        ground, crowd = filled
        return Scene(
            id=f"outdoor-{index:06d}",
            generator="outdoor",
            version=VERSION,
            seed=str(seed),
            objects=objects_of(street, plan, moved, ground, crowd, times),
            cameras=(camera,),
            environment=wanted.environment or _sky(rng(seed, "outdoor", index, "sky")),
            times_s=tuple(round(float(t), 6) for t in times),
            source={"setting": "outdoor", "video": f"segment-{index:04d}_camera_front"},
        )
    raise UnfitError(
        f"outdoor world {index}: {wanted.vehicles[0]} vehicles or more found no room on a street in "
        f"{ATTEMPTS} attempts; ask for fewer vehicles"
    )


def _planned(g: np.random.Generator, wanted: Outdoor, assets: StreetAssets) -> DrivingPlan:
    """Return what is to happen, and when the lights change."""
    story = wanted.stories[int(g.integers(len(wanted.stories)))]
    wish, signs = float(g.uniform(*wanted.wish_mps)), bool(g.random() < 0.45)
    make = int(g.integers(2**31))
    if story == "halt" and not signs:  # the light stays red all through the video
        return DrivingPlan(story, NEVER_S, NEVER_S, wish, False, make, assets)
    if story == "halt":
        return DrivingPlan(
            story, float(g.uniform(0.45, 0.8)) * wanted.seconds, NEVER_S, wish, True, make, assets
        )
    if story == "go":
        return DrivingPlan(story, float(g.uniform(0.6, 2.5)), NEVER_S, wish, True, make, assets)
    if story == "zebra":
        clear = float(g.uniform(0.55, 0.8)) * wanted.seconds
        return DrivingPlan(story, clear, -1.0, min(wish, 11.0), signs, make, assets)
    return DrivingPlan(
        story, 0.0, -1.0, min(wish, 9.5) if story in ("left", "right") else wish, signs, make, assets
    )


def _drawn_street(g: np.random.Generator, wanted: Outdoor, plan: DrivingPlan) -> Street:
    suburban = g.random() < wanted.suburban
    parking = float(g.uniform(*wanted.parking_m)) if g.random() < wanted.with_parking else 0.0
    street = Street(
        bends=((400.0, 0.0),),
        lane_m=float(g.uniform(*wanted.lane_m)),
        parking_m=parking,
        pavement_m=float(g.uniform(*wanted.pavement_m)),
        garden_m=float(g.uniform(3.5, 7.0)) if suburban else 0.0,
    )
    if plan.story == "zebra":
        brakes = plan.wish**2 / (2 * 1.2)
        return replace(street, zebra_m=START_M + 6.0 + brakes + float(g.uniform(0.0, 6.0)))
    crossed = plan.story in ("halt", "go", "left", "right") or g.random() < 0.35
    if crossed:
        off = {
            "halt": street.line_m + 5.0 + plan.wish**2 / (2 * 1.2) + float(g.uniform(0.0, 15.0)),
            "go": 30.0,
            "left": street.line_m + float(g.uniform(6.0, 24.0)),
            "right": street.line_m + float(g.uniform(6.0, 24.0)),
        }.get(plan.story, float(g.uniform(35.0, 90.0)))
        return replace(street, crossing_m=START_M + off)
    return replace(street, bends=_bends(g, wanted.wish_mps[1]))


def _bends(g: np.random.Generator, fastest: float) -> tuple[tuple[float, float], ...]:
    """Return an uncrossed street's bends: none, one, or two the other way round."""
    count = int(g.choice(3, p=(0.3, 0.45, 0.25)))
    pieces, left = [(START_M + float(g.uniform(5.0, 45.0)), 0.0)], 340.0
    side = 1.0 if g.random() < 0.5 else -1.0
    for _ in range(count):
        radius = float(g.uniform(80.0, 200.0))
        pieces.append((radius * math.radians(float(g.uniform(18.0, 50.0))), side / radius))
        pieces.append((float(g.uniform(15.0, 40.0)), 0.0))
        side = -side
    used = sum(m for m, _ in pieces)
    return (*pieces, (max(60.0, 60.0 + left - used), 0.0))


def _filled(
    g: np.random.Generator, wanted: Outdoor, street: Street, plan: DrivingPlan, moved: Moved, times: Array
) -> tuple[Ground, Crowd] | None:
    """Return all that stands and walks on a street where that traffic is."""
    eye = float(moved.lengths_m[0, -1])
    last = eye if plan.story not in ("left", "right") else min(eye, street.crossing_m)
    near, far = (START_M - 4.0, last + 70.0), (START_M - 30.0, last + 150.0)
    reach = Reach(near, 85.0 if plan.story in ("left", "right") else 0.0)
    ground = Ground(plan.assets, plan.make)
    put_buildings(g, street, ground, far)
    vehicles = [moved.boxes(k) for k in range(len(moved.vehicles))]
    ground.keep(_driven_over(vehicles))
    ground.keep(zebra_room(street))
    put_lights(g, street, ground, plan)
    put_parked(g, street, ground, reach, float(g.uniform(*wanted.parked)))
    put_greenery(g, street, ground, reach)
    ground.forget()
    crowd = Crowd(vehicles, [])
    count = int(g.integers(wanted.people[0], wanted.people[1] + 1))
    if not walked(g, street, plan, ground, crowd, count, replace(reach, main=(near[0], last + 45.0)), times):
        return None
    return ground, crowd


def _driven_over(vehicles: list[Boxes]) -> list[Boxes]:
    """Return boxes over all that vehicles drive over, in steps of a few frames; more room for the camera."""
    found = [Boxes(b.corners[::4], b.low[::4], b.high[::4]) for b in vehicles]
    ego = found[0]
    middle = ego.corners.mean(axis=1, keepdims=True)
    found[0] = Boxes(middle + CAMERA_ROOM * (ego.corners - middle), ego.low, ego.high + 1.6)
    return found


def _camera(wanted: Outdoor, moved: Moved, times: Array, seed: Name, index: int) -> Camera:
    g = rng(seed, "outdoor", index, "camera")
    mount = Mount(
        height_m=float(g.uniform(*wanted.height_m)),
        fov_deg=float(g.uniform(*wanted.fov_deg)),
        down_deg=float(g.uniform(0.5, 4.0)),
        shake_m=float(g.uniform(0.001, 0.0035)),
        shake_deg=float(g.uniform(0.05, 0.22)),
    )
    return filmed(moved, mount, wanted.width, wanted.height, times, seed, "outdoor", index)


def _sky(g: np.random.Generator) -> Environment:
    return Environment(
        name=f"sky:{SKIES[int(g.integers(len(SKIES)))]}",
        ground="asphalt",
        rotation_rad=float(g.uniform(0, 2 * math.pi)),
    )
